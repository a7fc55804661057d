"""Exact odds of Treasure Mountain's dice, axes and dragons."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import product
from math import perm
from typing import TYPE_CHECKING, Literal

from rocktower.chance import D6
from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocktower.chance import Bag
    from rocktower.games.treasure_mountain._game_data import Dragon

RerollUse = Literal["none", "avoid", "provoke"]


def step_odds(threshold: int, reroll: RerollUse = "none") -> float:
    """Give the chance that an aggression roll moves the dragon.

    Parameters
    ----------
    threshold
        The lowest die that moves it: 3, or 5 under Dragon Song.
    reroll
        What a player in the Temple does with the re-roll: nothing, roll a success again
        (``avoid``), or roll a failure again (``provoke``).

    Examples
    --------
    >>> round(step_odds(3, "avoid"), 3), round(step_odds(3, "provoke"), 3)
    (0.444, 0.889)
    """
    p = sum(q for face, q in D6.pmf().items() if face >= threshold)
    return {"none": p, "avoid": p * p, "provoke": 1 - (1 - p) ** 2}[reroll]


def attack_odds(steps: int, rolls: int, p: float) -> list[float]:
    """Give the chance that the dragon attacks within 1, 2, ... ``rolls`` aggression rolls.

    Parameters
    ----------
    steps
        How far the dragon is from its head, 1 or more.
    rolls
        How many rolls to look ahead, 1 or more.
    p
        The chance that one roll moves the dragon, as `step_odds` gives it.

    Raises
    ------
    RocktowerError
        If a number is out of range.
    """
    from scipy.stats import binom  # scipy has no stubs

    if steps < 1 or rolls < 1:
        raise RocktowerError(f"{steps} steps and {rolls} rolls: 1 or more are expected")
    return [float(binom.sf(steps - 1, n, p)) for n in range(1, rolls + 1)]


def axe_odds(bag: Bag[int], axes: int) -> dict[int, float]:
    """Give the distribution of the summed value of axes that nobody has seen.

    Parameters
    ----------
    bag
        All axes that one has not seen: those in the bag, and those in the hands of others.
    axes
        How many of them.

    Raises
    ------
    RocktowerError
        If there are fewer.
    """
    odds: dict[int, float] = defaultdict(float)
    for counts, p in bag.pmf(axes).items():
        odds[sum(value * n for value, n in zip(bag.kinds, counts, strict=True))] += p
    return dict(sorted(odds.items()))


def strength_odds(tiles: Iterable[Dragon]) -> dict[int, float]:
    """Give the distribution of the strength of a dragon that is any of these tiles.

    Raises
    ------
    RocktowerError
        If there is no tile.
    """
    counts = Counter(tile.strength for tile in tiles)
    if not counts:
        raise RocktowerError("no dragon tile is left to choose from")
    return {strength: n / counts.total() for strength, n in sorted(counts.items())}


def safe_odds(
    strength: Mapping[int, float], axes: Mapping[int, float], *, reroll: bool = False
) -> float:
    """Give the chance to be safe from a dragon: die and axes reach its strength.

    Parameters
    ----------
    strength
        The distribution of its strength; ``{4: 1.0}`` for a dragon that is known.
    axes
        The distribution of the summed axes.
    reroll
        Whether the player stands in the Temple. They know their axes but no more of the dragon
        than ``strength`` says, and roll again whenever that makes safety likelier.
    """
    total = 0.0
    for sum_, p in axes.items():
        by_die = [_reach(die + sum_, strength) for die in D6.faces]
        fresh = sum(by_die) / len(by_die)
        kept = [max(q, fresh) if reroll else q for q in by_die]
        total += p * sum(kept) / len(kept)
    return total


@dataclass(frozen=True, slots=True)
class Spend:
    """A way to spend axes: which, the defensive strength they make, and the chance of safety."""

    axes: tuple[int, ...]
    total: int
    safe: float


def spend_odds(die: int, axes: Sequence[int], strength: Mapping[int, float]) -> list[Spend]:
    """List the ways to spend axes that are worth a thought, from none to the safest.

    For every chance of safety that can be had, the way that gives away the least value is listed;
    among ways of one value, the one with the fewest tokens (achievements count tokens).

    Parameters
    ----------
    die
        The die as it lies.
    axes
        The axes in hand, by value.
    strength
        The distribution of the dragon's strength.
    """
    cheapest: list[Spend] = []
    held = sorted(Counter(axes).items())
    subsets = [
        tuple(value for (value, _), n in zip(held, counts, strict=True) for _ in range(n))
        for counts in product(*(range(n + 1) for _, n in held))
    ]
    for subset in sorted(subsets, key=lambda c: (sum(c), len(c), c)):
        spend = Spend(subset, die + sum(subset), _reach(die + sum(subset), strength))
        if not cheapest or spend.safe > cheapest[-1].safe:
            cheapest.append(spend)
    return cheapest


def no_tie_odds(players: int) -> float:
    """Give the chance that the first turn-order roll leaves nobody tied.

    Raises
    ------
    RocktowerError
        If fewer than one player rolls.
    """
    if players < 1:
        raise RocktowerError(f"{players} players: 1 or more are expected")
    return perm(len(D6.faces), players) / float(len(D6.faces) ** players)


def _reach(total: int, strength: Mapping[int, float]) -> float:
    """Give the chance that a defensive strength is enough."""
    return sum(q for s, q in strength.items() if total >= s)
