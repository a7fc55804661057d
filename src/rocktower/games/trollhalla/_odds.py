"""Exact odds of Trollhalla's bag: when the game can end."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocktower.chance import Bag
from rocktower.errors import RocktowerError
from rocktower.games.trollhalla._board import GOAT

if TYPE_CHECKING:
    from collections.abc import Sequence

# How many tiles are in the bag as (goats, others), and the goats on the islands refilled so far.
_State = tuple[int, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Landing:
    """A landing to come, as far as the bag feels it.

    Parameters
    ----------
    size
        Tiles that the refill of the island left behind takes.
    returns
        Tiles, none of them goats, that go back to the bag before that refill: kicked by goats
        that lie open on the plundered island, or left over by the Chief.
    plunders
        The number (from 1) of an earlier landing of the list whose refill is plundered now.
        Its goats are not known yet; each of them kicks a tile back into the bag.

    Raises
    ------
    RocktowerError
        If a number is out of range.
    """

    size: int
    returns: int = 0
    plunders: int | None = None

    def __post_init__(self) -> None:
        if self.size < 1 or self.returns < 0 or (self.plunders is not None and self.plunders < 1):
            raise RocktowerError(
                f"landing of size {self.size} with {self.returns} returns: at least 1 and 0 "
                "are expected, and landings count from 1"
            )


def end_odds(bag: Bag[str], landings: Sequence[Landing]) -> list[float]:
    """Give the chance that the game is over by each of the next landings.

    The game ends at a refill that the bag cannot complete; one that empties it exactly does not
    end it. Without returns nothing is left to chance. A goat of an island that these landings
    refill is left to chance, and how many tiles come back hangs on it.

    Parameters
    ----------
    bag
        The bag before the first of the landings.
    landings
        The landings in order.

    Returns
    -------
    list of float
        For each landing, the probability that the game ends there or earlier.

    Raises
    ------
    RocktowerError
        If a landing plunders the refill of a later one, or one that is plundered already.
    """
    plundered = [landing.plunders for landing in landings if landing.plunders is not None]
    for number, landing in enumerate(landings, start=1):
        if landing.plunders is not None and landing.plunders >= number:
            raise RocktowerError(f"landing {number} can plunder only an earlier refill")
    if len(set(plundered)) < len(plundered):
        raise RocktowerError("two landings plunder the same refill; each can be plundered once")

    goats = bag[GOAT]
    states: dict[_State, float] = {(goats, len(bag) - goats, ()): 1.0}
    over, result = 0.0, []
    for number, landing in enumerate(landings, start=1):
        following: dict[_State, float] = defaultdict(float)
        for (goats, others, refills), p in states.items():
            kicks = 0 if landing.plunders is None else refills[landing.plunders - 1]
            back = others + landing.returns + kicks
            if goats + back < landing.size:
                over += p
                continue
            drawn = Bag((GOAT, "other"), (goats, back)).count_pmf([GOAT], landing.size)
            for k, q in enumerate(drawn):
                if q > 0:
                    # The goats of a refill that nobody plunders later make no difference.
                    kept = k if number in plundered else 0
                    left = (goats - k, back - (landing.size - k), (*refills, kept))
                    following[left] += p * float(q)
        states = following
        result.append(min(over, 1.0))  # sums of floats may pass 1 by a hair
    return result
