"""What the tower may do from a situation on, asked of the emulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator import EmulatedTowers
from rocktower.games.trollfjord import ALL_BOULDERS
from rocktower.odds._chances import HitChances

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.emulator import Emulator
    from rocktower.odds._situation import Situation

__all__ = ["Paths", "sample_paths", "towers_of"]


@dataclass(frozen=True, eq=False)
class Paths:
    """Hits that may follow, many turns side by side; decisions don't change them.

    Attributes
    ----------
    hits
        Shape (n, hits left, color).
    chances
        Shape (n, hits left, 45): of each hit, the chances that its number of boulders was drawn
        from.
    """

    hits: NDArray[np.int64]
    chances: NDArray[np.float64]

    def pooled(self, out: tuple[int, ...], *, rare: float = 1e-3) -> HitChances:
        """Give chances by hit and by what is out, as the dynamic programming needs them."""
        totals = self.hits.sum(axis=2)
        before = sum(out) + totals.cumsum(axis=1) - totals
        inside = np.reshape(ALL_BOULDERS, (1, 1, 4)) - np.array(out)
        inside = inside - self.hits.cumsum(axis=1) + self.hits
        return HitChances.pooled(self.chances, before, self.hits, inside, rare=rare)


def towers_of(situation: Situation, n: int) -> EmulatedTowers:
    """Give n towers as a situation has them; hits that weren't noted are taken to be alike."""
    noted = situation.totals
    if not noted and situation.hits:
        share, more = divmod(situation.out.total, situation.hits)
        noted = tuple(share + (hit < more) for hit in range(situation.hits))
    put_back = ALL_BOULDERS if situation.put_back is None else situation.put_back
    one = EmulatedTowers.amid_turn(
        [ALL_BOULDERS.minus(situation.out)],
        np.array([noted], dtype=np.int64).reshape(1, -1),
        [put_back],
    )
    return one.repeat(n)


def sample_paths(
    emulator: Emulator, towers: EmulatedTowers, hits: int, rng: np.random.Generator
) -> Paths:
    """Strike towers so many times."""
    fallen = np.zeros((len(towers), hits, 4), dtype=np.int64)
    chances = np.zeros((len(towers), hits, ALL_BOULDERS.total + 1))
    for hit in range(hits):
        chances[:, hit] = emulator.totals(towers)
        fallen[:, hit], towers = emulator.strike(towers, rng)
    return Paths(fallen, chances)
