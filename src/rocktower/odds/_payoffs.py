"""What ends of hammering are worth: who collects what, and who gives gifts (B3, C1).

All of it depends on two numbers alone: the boulders out, and those beyond the color limit.
Tables have a row for each of 0 to 44 boulders out, and worths are in points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rocktower.games.trollfjord import ALL_BOULDERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.odds._situation import Situation

__all__ = ["ALL", "Payoffs"]

TOTALS = ALL_BOULDERS.total + 1
ALL = -1  # no treasure has been taken
_MOST_EXCESS = 3 * ALL_BOULDERS.red


@dataclass(frozen=True)
class Payoffs:
    """The ends of a situation's hammering.

    A treasure that has been taken is given by its index, `ALL` standing for none.
    """

    situation: Situation

    def reach(self, player: int, taken: int = ALL) -> NDArray[np.bool_]:
        """Say which treasures a player may collect, shape (45, treasures)."""
        treasures = self.situation.treasures
        mine = [t.worth[player] is not None and i != taken for i, t in enumerate(treasures)]
        values = np.array([treasure.value for treasure in treasures], dtype=np.int64)
        enough = np.arange(TOTALS)[:, None] >= values
        return np.asarray(enough & np.array(mine, dtype=bool))

    def worth(self, player: int) -> NDArray[np.float64]:
        """Give what each treasure is worth to a player, shape (treasures,); 0 where none."""
        return np.array([t.worth[player] or 0.0 for t in self.situation.treasures], dtype=float)

    def collect(self, player: int, taken: int = ALL) -> NDArray[np.float64]:
        """Give what the last one to collect gets, shape (45,): one must be collected if any may."""
        reach = self.reach(player, taken)
        best = np.where(reach, self.worth(player), -np.inf).max(axis=1, initial=-np.inf)
        return np.where(reach.any(axis=1), best, self.situation.empty_handed[player])

    def gifts(self, player: int) -> NDArray[np.float64]:
        """Give what 0, 1, ... of a player's gifts cost, the cheapest ones, shape (gifts + 1,)."""
        return np.cumsum([0.0, *sorted(self.situation.gifts[player])])

    def angry(self, player: int, taken: int = ALL) -> NDArray[np.float64]:
        """Give what who hammers alone gets beyond the color limit, shape (45, excess).

        He appeases the mountain spirit if the treasure is worth more to him than his gifts.
        """
        cost = np.full(_MOST_EXCESS + 1, np.inf)
        gifts = self.gifts(player)
        cost[: len(gifts)] = gifts
        calm = self.collect(player, taken)[:, None] - cost
        return np.asarray(np.maximum(calm, self.situation.empty_handed[player]))

    @cached_property
    def over(self) -> NDArray[np.float64]:
        """Give what both get once it is over, shape (first to collect, 45, player).

        The first collects what is best for him, the other from the rest.
        """
        result = np.empty((2, TOTALS, 2))
        rivalry = self.situation.rivalry
        for first in (0, 1):
            other, reach, worth = 1 - first, self.reach(first), self.worth(first)
            result[first, :, first] = self.situation.empty_handed[first]
            result[first, :, other] = self.collect(other)
            best = np.full(TOTALS, -np.inf)
            for taken in range(len(worth)):
                rest = self.collect(other, taken)
                better = reach[:, taken] & (worth[taken] - rivalry * rest > best)
                best[better] = worth[taken] - rivalry * rest[better]
                result[first, better, first] = worth[taken]
                result[first, better, other] = rest[better]
        return result

    @cached_property
    def over_angry(self) -> NDArray[np.float64]:
        """Give what both get beyond the color limit, shape (first to collect, 45, excess, player).

        Of the ways to share the gifts under which nobody who gives is worse off than with an
        angry mountain spirit, the one that costs fewest points is taken, and of equals the one
        that costs the hammerer least. Each gives his cheapest gifts.
        """
        empty, rivalry = np.array(self.situation.empty_handed), self.situation.rivalry
        result = np.broadcast_to(empty, (2, TOTALS, _MOST_EXCESS + 1, 2)).copy()
        mine, others = self.gifts(0), self.gifts(1)
        for first in (0, 1):
            gain = self.over[first] - empty
            for excess in range(1, len(mine) + len(others) - 1):
                shares = [
                    np.array([mine[n], others[excess - n]])
                    for n in range(len(mine))
                    if 0 <= excess - n < len(others)
                ]
                for paid in sorted(shares, key=lambda paid: (-paid.sum(), -paid[first])):
                    net = gain - paid
                    willing = (net - rivalry * net[:, ::-1] > 0) | (paid == 0)
                    agreed = willing.all(axis=1)
                    result[first, agreed, excess] = (net + empty)[agreed]
        return result
