"""What hammering may bring, prepared once from the emulator, for a bot that asks often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator import Emulator
from rocktower.games.trollfjord import ALL_BOULDERS
from rocktower.odds import (
    HitChances,
    Payoffs,
    Plan,
    Situation,
    plan,
    running,
    sample_paths,
    stop_at,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Prospects", "alone_ends", "pair_ends", "prospects", "remembered_plan"]

_TURNS = 4000
_WARM_UP = 3  # turns before: in a game the tower holds boulders of several turns
_WARM_HITS = 5
_LIMITS = range(2, 10)
_LEAST = range(8, 31)  # totals to stop at; treasures are 10 to 28
_HOPELESS = 4  # a limit exceeded by so many costs more gifts than a player has
_SEED = 1
_RARE = 0.02
_TOTALS = ALL_BOULDERS.total + 1


@dataclass(frozen=True, eq=False)
class Prospects:
    """Turns of nine hits, and what comes of stopping at a total.

    Attributes
    ----------
    hits
        Turns as the emulator plays them in the middle of a game, shape (4000, 9, 4).
    chances
        For the dynamic programming.
    ends
        For each limit the chances of how it ends: shape (least, 45, 5), by the total to stop at,
        the boulders out, and those beyond the color limit (4 or more in one).
    reach
        For each limit and each value the chance to get there with the color limit unbroken, shape
        (10, 45).
    """

    hits: NDArray[np.int64]
    chances: HitChances
    ends: dict[int, NDArray[np.float64]]
    reach: tuple[tuple[float, ...], ...]

    def value(self, limit: int, worth: NDArray[np.float64]) -> tuple[float, int]:
        """Give what the best of the totals to stop at is worth, and its number.

        Parameters
        ----------
        worth
            Of each end, shape (45, 5).
        """
        values = self.ends[limit].reshape(len(_LEAST), -1) @ worth.reshape(-1)
        best = int(values.argmax())
        return float(values[best]), best

    def worth_of(self, limit: int, number: int, worth: NDArray[np.float64]) -> float:
        """Give what ends are worth to somebody else, who cannot choose the total."""
        return float((self.ends[limit][number] * worth).sum())


def alone_ends(payoffs: Payoffs, player: int) -> NDArray[np.float64]:
    """Give what the ends of hammering alone are worth to a player, shape (45, 5)."""
    worth = payoffs.angry(player)[:, : _HOPELESS + 1].copy()
    worth[:, 0] = payoffs.collect(player)
    return np.asarray(worth)


def pair_ends(payoffs: Payoffs, first: int) -> NDArray[np.float64]:
    """Give what the ends of hammering in pairs are worth to both, shape (45, 5, 2)."""
    worth = payoffs.over_angry[first][:, : _HOPELESS + 1].copy()
    worth[:, 0] = payoffs.over[first]
    return np.asarray(worth)


@cache
def prospects() -> Prospects:
    """Ask the emulator; the same every time."""
    emulator, rng = Emulator.load(), np.random.default_rng(_SEED)
    towers = emulator.filled([ALL_BOULDERS]).repeat(_TURNS)
    for _ in range(_WARM_UP):
        put_back = np.zeros((_TURNS, 4), dtype=np.int64)
        for _ in range(_WARM_HITS):
            out, towers = emulator.strike(towers, rng)
            put_back += out
        towers = towers.new_turn(put_back)
    paths = sample_paths(emulator, towers, max(_LIMITS), rng)
    ends, reach = {}, [(0.0,) * _TOTALS] * min(_LIMITS)
    for limit in _LIMITS:
        totals, excess = running((0, 0, 0, 0), limit, paths.hits[:, :limit])
        beyond = np.minimum(excess, _HOPELESS)
        table = np.zeros((len(_LEAST), _TOTALS, _HOPELESS + 1))
        for i, least in enumerate(_LEAST):
            end = stop_at(least, totals, excess)
            np.add.at(table[i], (totals[end], beyond[end]), 1.0 / _TURNS)
        ends[limit] = table
        calm = np.where(excess > 0, 0, totals).max(axis=1)
        reach.append(tuple(float((calm >= value).mean()) for value in range(_TOTALS)))
    return Prospects(paths.hits, paths.pooled((0, 0, 0, 0), rare=_RARE), ends, tuple(reach))


@lru_cache(maxsize=4)
def remembered_plan(situation: Situation) -> Plan:
    """Plan hammering with the prepared chances; a turn asks for the same plan at every hit."""
    return plan(situation, prospects().chances)
