"""How a tower was struck, apart from what came out: fillings, turns, refills, hands, sides."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, Boulders

if TYPE_CHECKING:
    import numpy as np

    from rocktower.calibration._contents import Situation
    from rocktower.calibration._record import Record

__all__ = ["Condition", "Group", "Protocol", "Step", "generic_filling", "record_protocol"]

_WAYS = ("game", "game", "run down", "half full")  # of the generic protocol


@dataclass(frozen=True, slots=True)
class Group:
    """Strikes that are meant to be alike: one person, one strength, or one way to let it drop.

    Parameters
    ----------
    striker, strength
        As recorded; empty and None where not known.
    drop_cm
        The first height from which this person lets the hammer drop; None without a drop.
    """

    striker: str = ""
    strength: str | None = None
    drop_cm: float | None = None

    def __str__(self) -> str:
        """Text such as ``Anna, firm``."""
        strength = "drop" if self.drop_cm is not None else self.strength
        return ", ".join((self.striker or "(not named)", *([strength] if strength else ())))


@dataclass(frozen=True, slots=True)
class Condition:
    """How one hit was struck.

    Parameters
    ----------
    group
        Number of the `Group`.
    boost
        Logarithm of the speed over that of the group's first drop; 0 without a drop.
    held
        Word for the grip; None where not known, which is taken as held.
    """

    group: int = 0
    boost: float = 0.0
    held: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One hit to come, and what happens before it.

    Parameters
    ----------
    filling
        Boulders by color of a new filling that begins here; None amid a filling.
    new_turn
        Whether a turn begins (not counting the first one of a filling).
    put_in
        What goes in before: ``"all"`` that is outside, their number (drawn from what is outside),
        or numbers by color.
    """

    condition: int
    side: str | None = None
    filling: Boulders | None = None
    new_turn: bool = False
    put_in: str | int | Boulders = 0


@dataclass(frozen=True, slots=True)
class Protocol:
    """Fillings, each a sequence of hits to come.

    Parameters
    ----------
    groups, conditions
        That the steps' conditions refer to.
    """

    groups: tuple[Group, ...]
    conditions: tuple[Condition, ...]
    fillings: tuple[tuple[Step, ...], ...]

    @property
    def hits(self) -> int:
        """How many hits all fillings have."""
        return sum(map(len, self.fillings))


def record_protocol(record: Record) -> Protocol:
    """Return how the tower of a record was struck; a row of several hits is as many steps."""
    groups: dict[tuple[str, str | None], Group] = {}
    conditions: dict[Condition, int] = {}
    fillings: list[list[Step]] = []
    for situation in record.situations:
        row = situation.row
        key = row.striker, "drop" if row.drop_cm is not None else row.strength
        if key not in groups:
            strength = None if row.drop_cm is not None else row.strength
            groups[key] = Group(row.striker, strength, row.drop_cm)
        first = groups[key].drop_cm
        boost = 0.5 * log(row.drop_cm / first) if row.drop_cm is not None and first else 0.0
        condition = Condition(list(groups).index(key), boost, row.held)
        number = conditions.setdefault(condition, len(conditions))
        begins = row.hit == 1
        if begins:
            fillings.append([])
        first_step = Step(
            number,
            row.side,
            filling=situation.before.whole if begins else None,
            new_turn=not begins and situation.turn_hits == 0,
            put_in=0 if begins else _put_in(situation),
        )
        fillings[-1] += [first_step, *[Step(number, row.side)] * (row.hits - 1)]
    names = [str(group) for group in groups.values()]
    for name in names:
        if names.count(name) > 1:
            raise RocktowerError(
                f"{record.name}: two kinds of strikes would both be called {name!r}: rename a "
                "striker"
            )
    return Protocol(tuple(groups.values()), tuple(conditions), tuple(map(tuple, fillings)))


def _put_in(situation: Situation) -> str | int | Boulders:
    row = situation.row
    if row.added_total == "all":
        return "all"
    if all(number is not None for number in row.added):
        return Boulders(*(number or 0 for number in row.added))
    return situation.returned_total.low


def generic_filling(rng: np.random.Generator) -> tuple[Step, ...]:
    """Draw a filling as somebody might strike it, for a network that suits any record.

    Half of them are turns as in the game, a quarter are struck down without putting anything back,
    a quarter begin with about half of the boulders.
    """
    way = _WAYS[rng.integers(len(_WAYS))]
    filling = ALL_BOULDERS
    if way == "half full":
        filling = Boulders(*rng.integers(3, 9, 4).tolist())
    if way != "game":
        return Step(0, filling=filling), *[Step(0)] * 14
    steps = [Step(0, filling=filling)]
    for turn in range(3):
        if turn:
            steps.append(Step(0, new_turn=True, put_in="all"))
        steps += [Step(0)] * int(rng.integers(3, 8))
    return tuple(steps)
