"""A hammering situation: all that a decision to strike or to stop rests on."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Literal

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS, GIFTS, NO_BOULDERS, Boulders

__all__ = ["ME", "OTHER", "Situation", "Treasure"]

ME: Literal[0] = 0
OTHER: Literal[1] = 1
_MOST_HITS = 9  # B3
_MOST_TREASURES = 3  # three regions surround a fortress


@dataclass(frozen=True, slots=True)
class Treasure:
    """A treasure at the fortress where it is hammered.

    Parameters
    ----------
    value
        Its value, which is the boulders that it takes (C1).
    worth
        What collecting it brings me and the other, in points; None for who has no trolls in its
        region.

    Raises
    ------
    RocktowerError
        If the value is not one of 1 to all boulders, 44, or a worth is no number.
    """

    value: int
    worth: tuple[float | None, float | None]

    def __post_init__(self) -> None:
        _require(
            1 <= self.value <= ALL_BOULDERS.total,
            f"treasure {self.value}: its value is 1 to {ALL_BOULDERS.total}, as there are boulders",
        )
        for worth in self.worth:
            if worth is not None and not isfinite(worth):
                raise RocktowerError(f"treasure {self.value}: worth {worth} is no number of points")


@dataclass(frozen=True, slots=True)
class Situation:
    """Hammering at one moment, as I see it who ask: I am player 0, the other is player 1 (B3, B4).

    Parameters
    ----------
    limit
        Hit limit and color limit, 2 to 9.
    treasures
        At most three.
    hits
        Hits used, 0 up to the limit.
    out
        The boulders on the table.
    totals
        How many boulders each of the hits brought, as far as they were noted: the tower remembers
        its last hits. Empty if they weren't.
    gifts
        The unflipped gifts of both: of 4, 8 and 16 (B3), each once.
    comrade
        Whether there are two in the crew. Without, the other has stopped, or was never there.
    hammerer
        Who has the hammer, `ME` or `OTHER`.
    put_back
        The boulders that were dropped in after the turn before; None if the tower was filled for
        this turn.
    rivalry
        What a point of the other's costs me, in points of mine: 0 if I don't mind, 1 in a duel.
        The other is taken to mind mine as much.
    empty_handed
        What leaving without a treasure is worth to each.

    Raises
    ------
    RocktowerError
        If a value is out of its range, or the color limit is exceeded already: then no hit is
        allowed, and nothing is left to decide but gifts.
    """

    limit: int
    treasures: tuple[Treasure, ...]
    hits: int = 0
    out: Boulders = NO_BOULDERS
    totals: tuple[int, ...] = ()
    gifts: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    comrade: bool = False
    hammerer: Literal[0, 1] = ME
    put_back: Boulders | None = None
    rivalry: float = 0.0
    empty_handed: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        _require(2 <= self.limit <= _MOST_HITS, f"limit {self.limit}: it is 2 to {_MOST_HITS}")
        _require(0 <= self.hits <= self.limit, f"hits {self.hits}: 0 up to the limit {self.limit}")
        _check_boulders("out", self.out)
        _require(self.hits or not self.out.total, f"out {self.out}: there was no hit yet")
        if self.totals:
            _require(
                len(self.totals) == self.hits
                and min(self.totals) >= 0
                and sum(self.totals) == self.out.total,
                f"totals {list(self.totals)}: one for each of {self.hits} hits, "
                f"{self.out.total} boulders in all",
            )
        if self.put_back is not None:
            _check_boulders("put back", self.put_back)
        excess = self.out.excess(self.limit)
        _require(
            not excess,
            f"out {self.out}: the color limit {self.limit} is exceeded by {excess}: no hit is "
            "allowed any more",
        )
        _require(
            len(self.treasures) <= _MOST_TREASURES,
            f"{len(self.treasures)} treasures: at most {_MOST_TREASURES} lie at a fortress",
        )
        for gifts in self.gifts:
            _require(
                set(gifts) <= set(GIFTS) and len(set(gifts)) == len(gifts),
                f"gifts {list(gifts)}: a player's are {', '.join(map(str, GIFTS))}, each once",
            )
        _require(
            isfinite(self.rivalry) and 0 <= self.rivalry <= 1,
            f"rivalry {self.rivalry}: it is 0 to 1",
        )
        _require(
            self.comrade or self.hammerer == ME,
            "without a comrade nobody but the player who asks can hammer",
        )

    @property
    def hits_left(self) -> int:
        """How many hits the limit still allows."""
        return self.limit - self.hits


def _require(condition: object, message: str) -> None:
    if not condition:
        raise RocktowerError(message)


def _check_boulders(what: str, boulders: Boulders) -> None:
    for color, n, most in zip(COLORS, boulders, ALL_BOULDERS, strict=True):
        _require(0 <= n <= most, f"{what}: {n} {color} boulders, of {most}")
