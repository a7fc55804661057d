"""What can be seen at the table before a hit, as numbers for the network.

The likelihood, the training set and the sampling of games all build them here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["FEATURES", "SIDES", "History"]

FEATURES = (
    "boulders left", "hits of this turn", "first hit of the turn", "hit before",
    "hit before that", "empty hits in a row", "dropped in last", "later turn", "side",
)  # fmt: skip
"""What the columns of `History.features` hold."""

SIDES = {"left": 1.0, "right": -1.0, None: 0.0}
"""How a side is written as a number; None where it is not known."""

_LONGEST_RUN = 4.0


@dataclass(frozen=True, slots=True)
class History:
    """A filling so far, or n of them side by side: every field has the shape (n,).

    Parameters
    ----------
    left
        Boulders in the tower.
    hit
        Hits of this turn so far.
    before, before_that
        Boulders of the last hit and of the one before it, in this turn; 0 where there is none.
    empties
        Empty hits in a row, in this turn.
    fresh
        Boulders dropped in before this turn; 0 in the first one of a filling.
    turn
        Turns before this one.
    """

    left: NDArray[np.float64]
    hit: NDArray[np.float64]
    before: NDArray[np.float64]
    before_that: NDArray[np.float64]
    empties: NDArray[np.float64]
    fresh: NDArray[np.float64]
    turn: NDArray[np.float64]

    @classmethod
    def filled(cls, left: ArrayLike) -> History:
        """Begin a filling with so many boulders, shape (n,)."""
        inside = np.atleast_1d(np.asarray(left, dtype=float))
        zero = np.zeros_like(inside)
        return cls(inside, zero, zero, zero, zero, zero, zero)

    def new_turn(self, returned: ArrayLike) -> History:
        """Begin a turn with so many boulders put back, shape (n,)."""
        back = np.broadcast_to(np.asarray(returned, dtype=float), self.left.shape)
        zero = np.zeros_like(self.left)
        return History(self.left + back, zero, zero, zero, zero, back, self.turn + 1.0)

    def put_in(self, added: ArrayLike) -> History:
        """Put boulders in amid a turn, shape (n,)."""
        return replace(self, left=self.left + np.asarray(added, dtype=float))

    def after(self, total: ArrayLike, hits: int = 1) -> History:
        """Let boulders come out by a hit, shape (n,).

        Of several `hits` only their sum is known: they count as alike, and as empty hits in a row
        only if all of them were.
        """
        out = np.broadcast_to(np.asarray(total, dtype=float), self.left.shape)
        each = out / hits
        return replace(
            self,
            left=self.left - out,
            hit=self.hit + hits,
            before=each,
            before_that=self.before if hits == 1 else each,
            empties=np.where(out == 0.0, self.empties + hits, 0.0),
        )

    def features(self, side: ArrayLike = 0.0) -> NDArray[np.float64]:
        """Return what a network is shown, shape (n, number of `FEATURES`).

        Parameters
        ----------
        side
            As in `SIDES`, shape (n,) or a number.
        """
        columns = (
            self.left / 22.0 - 1.0,
            np.log1p(self.hit) - 1.0,
            self.hit == 0.0,
            np.log1p(self.before) - 1.0,
            np.log1p(self.before_that) - 1.0,
            np.minimum(self.empties, _LONGEST_RUN) / 2.0,
            self.fresh / 22.0,
            self.turn > 0.0,
            np.broadcast_to(np.asarray(side, dtype=float), self.left.shape),
        )
        return np.stack([np.asarray(column, dtype=float) for column in columns], axis=1)
