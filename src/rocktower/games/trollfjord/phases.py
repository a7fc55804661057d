"""Where in the turn a game stands: who decides what, or what chance is asked.

A phase is data; the rules that act on it are in the modules named after the rulebook's
sections, and `_state` lists which rule belongs to which phase.
"""

from __future__ import annotations

from msgspec import Struct

from rocktower.games.trollfjord._actions import Strike  # noqa: TC001 - msgspec reads it
from rocktower.games.trollfjord._requests import NO_BOULDERS, Boulders

__all__ = [
    "NO_HAMMERING",
    "Announcing",
    "Appeasing",
    "Clearing",
    "Collecting",
    "Dealing",
    "Deciding",
    "Falling",
    "Hammering",
    "Joining",
    "Laying",
    "Moving",
    "Numbering",
    "Over",
    "Phase",
    "Placing",
    "Seating",
    "Striking",
    "Wandering",
]


class _Phase(Struct, frozen=True, forbid_unknown_fields=True, tag=str.lower):
    """A phase; in JSON its type is its name in lower case."""


class Numbering(_Phase, frozen=True):
    """Chance places the fortress numbers (Preparation 2)."""


class Laying(_Phase, frozen=True):
    """Chance lays the walkways (Preparation 3)."""


class Dealing(_Phase, frozen=True):
    """Chance deals a treasure to every region without one (Preparation 5, C3)."""


class Seating(_Phase, frozen=True):
    """Chance lines the troll lords up on the starting plank (Preparation 9)."""


class Moving(_Phase, frozen=True):
    """The player moves the troll lord (A1)."""

    player: int


class Placing(_Phase, frozen=True):
    """The player may place up to `most` trolls in a region of the lord's landscape (A2, A3)."""

    player: int
    most: int


class Wandering(_Phase, frozen=True):
    """The player may let trolls wander `left` more times (A2, A3)."""

    player: int
    left: int


class Announcing(_Phase, frozen=True):
    """The player says at which fortress to hammer, or forgoes it (B1)."""

    player: int


class Joining(_Phase, frozen=True):
    """An opponent says whether to be the comrade at a fortress (B2)."""

    player: int
    fortress: int


class Deciding(_Phase, frozen=True):
    """The player, knowing the comrade (if any), decides whether to hammer (B2)."""

    player: int
    fortress: int
    comrade: int | None


class Striking(_Phase, frozen=True):
    """The hammerer strikes or stops (B4)."""

    player: int


class Falling(_Phase, frozen=True):
    """Chance says what falls out of the tower (B4)."""

    strike: Strike


class Appeasing(_Phase, frozen=True):
    """A hammering player may offer a gift to the mountain spirit (B3).

    Attributes
    ----------
    offered
        The gifts on offer so far, as (player, value). They are given only if they suffice.
    passed
        Whether the comrade has just passed, so that another pass ends it.
    """

    player: int
    offered: tuple[tuple[int, int], ...] = ()
    passed: bool = False


class Collecting(_Phase, frozen=True):
    """The player collects one of the treasures that the mountain spirit allows (C1)."""

    player: int


class Clearing(_Phase, frozen=True):
    """The player, who collected nothing, clears a region of this fortress (C3)."""

    player: int


class Over(_Phase, frozen=True):
    """The game is over."""


Phase = (
    Numbering
    | Laying
    | Dealing
    | Seating
    | Moving
    | Placing
    | Wandering
    | Announcing
    | Joining
    | Deciding
    | Striking
    | Falling
    | Appeasing
    | Collecting
    | Clearing
    | Over
)


class Hammering(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known while there is hammering at a fortress (B3, B4); else `NO_HAMMERING`.

    Attributes
    ----------
    fortress
        The number of the fortress space.
    limit
        Hit limit and color limit: the number of hammering trolls, at most 9.
    crew
        Who still hammers: the hammerer first, then the comrade; empty when both have stopped.
    hits
        How many hits there were.
    out
        The boulders on the table.
    angry
        Whether the mountain spirit stayed unappeased.
    empty_handed
        Who stopped without a treasure and has yet to clear a region, in that order.
    """

    fortress: int
    limit: int
    crew: tuple[int, ...]
    hits: int = 0
    out: Boulders = NO_BOULDERS
    angry: bool = False
    empty_handed: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether no further hit is allowed: hit limit reached or color limit exceeded."""
        return self.hits == self.limit or self.out.excess(self.limit) > 0


NO_HAMMERING = Hammering(fortress=-1, limit=0, crew=())
