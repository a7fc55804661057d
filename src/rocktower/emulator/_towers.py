"""Towers as an emulator sees them: boulders by color and by when they were dropped in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator._memory import NEW_TURN, next_memories
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["LAYERS", "EmulatedTowers"]

LAYERS = 4
"""Boulders that were dropped in before this turn, before the last one, before the one before it,
and earlier. The earlier, the deeper they lie: layer 0 is the deepest."""


@dataclass(frozen=True, slots=True, eq=False)
class EmulatedTowers:
    """n towers side by side, each in the middle of a filling; a value, like the tower's state.

    Parameters
    ----------
    layers
        Shape (n, 4, 4), boulders by layer (the deepest first, see `LAYERS`) and color (in the
        order of `COLORS`). The boulders of one layer are alike but for their color.
    memory
        Shape (n,): what is remembered of this turn's hits.

    Examples
    --------
    >>> towers = EmulatedTowers.filled([[11, 11, 11, 11], [3, 0, 2, 1]])
    >>> len(towers), towers.left.tolist()
    (2, [44, 6])
    >>> towers.take([1]).repeat(3).inside.tolist()
    [[3, 0, 2, 1], [3, 0, 2, 1], [3, 0, 2, 1]]
    """

    layers: NDArray[np.uint8]
    memory: NDArray[np.int16]

    @classmethod
    def filled(cls, inside: ArrayLike) -> EmulatedTowers:
        """Begin fillings, and their first turns.

        Parameters
        ----------
        inside
            Shape (n, 4): boulders by color.

        Raises
        ------
        RocktowerError
            If these are no counts of boulders.
        """
        counts = _counts(inside, "inside")
        layers = np.zeros((len(counts), LAYERS, len(COLORS)), dtype=np.uint8)
        layers[:, -1] = counts
        return cls(layers, np.full(len(counts), NEW_TURN, dtype=np.int16))

    @classmethod
    def amid_turn(cls, inside: ArrayLike, hits: ArrayLike, put_back: ArrayLike) -> EmulatedTowers:
        """Begin in the middle of a turn, from what can be seen at a table.

        Of a color that was put back, those that were inside before are taken to have come out
        first. What lies deeper is one layer.

        Parameters
        ----------
        inside
            Shape (n, 4): boulders by color that are inside now.
        hits
            Shape (n, h): boulders that came out of each hit of this turn so far, h the same for
            all. Where only a sum is known, spread it evenly.
        put_back
            Shape (n, 4): boulders by color that were dropped in before this turn; for the first
            turn of a filling, the whole filling.

        Raises
        ------
        RocktowerError
            If these are no counts of boulders.
        """
        now, back = _counts(inside, "inside"), _counts(put_back, "put_back")
        totals = np.asarray(hits)
        if totals.ndim != 2 or len(totals) != len(now) or len(back) != len(now):
            raise RocktowerError(
                f"hits of shape {totals.shape}, put_back of shape {back.shape}: give "
                f"({len(now)}, hits) and ({len(now)}, 4)"
            )
        if not np.issubdtype(totals.dtype, np.integer) and totals.size:
            raise RocktowerError("hits: whole numbers of boulders are expected")
        if totals.size and not 0 <= totals.min() <= totals.max() <= sum(ALL_BOULDERS):
            raise RocktowerError(f"hits: 0 to {sum(ALL_BOULDERS)} boulders a hit are expected")
        towers = cls.filled(now)
        fresh = np.minimum(back, now)
        towers.layers[:, -1] = fresh
        towers.layers[:, 0] = now - fresh
        memory = towers.memory
        for total in totals.T.astype(int):
            memory = next_memories()[memory, total]
        return cls(towers.layers, memory)

    def __len__(self) -> int:
        return len(self.memory)

    @property
    def inside(self) -> NDArray[np.int64]:
        """Boulders by color, shape (n, 4)."""
        return np.asarray(self.layers.sum(axis=1, dtype=np.int64))

    @property
    def left(self) -> NDArray[np.int64]:
        """Boulders, shape (n,)."""
        return np.asarray(self.layers.sum(axis=(1, 2), dtype=np.int64))

    def new_turn(self, put_back: ArrayLike) -> EmulatedTowers:
        """Drop boulders in, and begin a turn.

        Parameters
        ----------
        put_back
            Shape (n, 4) or (4,): boulders by color, perhaps none.

        Raises
        ------
        RocktowerError
            If these are no counts of boulders, or more than there are.
        """
        back = _counts(np.broadcast_to(np.asarray(put_back), (len(self), len(COLORS))), "put_back")
        layers = np.empty_like(self.layers)
        layers[:, 0] = self.layers[:, 0] + self.layers[:, 1]
        layers[:, 1:-1] = self.layers[:, 2:]
        layers[:, -1] = back
        _counts(layers.sum(axis=1, dtype=np.int64), "inside and put back")
        return EmulatedTowers(layers, np.full_like(self.memory, NEW_TURN))

    def repeat(self, times: int) -> EmulatedTowers:
        """Return each tower so many times, one after another: for samples of what comes next."""
        return EmulatedTowers(
            np.repeat(self.layers, times, axis=0), np.repeat(self.memory, times, axis=0)
        )

    def take(self, index: ArrayLike) -> EmulatedTowers:
        """Return some of the towers, by number or by a mask."""
        chosen = np.asarray(index)
        return EmulatedTowers(self.layers[chosen], self.memory[chosen])


def _counts(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Check numbers of boulders by color, shape (n, 4)."""
    counts = np.asarray(values)
    if counts.ndim != 2 or counts.shape[1] != len(COLORS):
        raise RocktowerError(f"{name} of shape {counts.shape}: give (n, 4), a column a color")
    if counts.size and not np.issubdtype(counts.dtype, np.integer):
        raise RocktowerError(f"{name}: whole numbers of boulders are expected")
    if counts.size and (counts.min() < 0 or (counts > np.array(ALL_BOULDERS)).any()):
        raise RocktowerError(f"{name}: 0 to {ALL_BOULDERS[0]} boulders of a color are expected")
    return counts.astype(np.int64)
