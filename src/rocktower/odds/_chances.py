"""What a hit brings: the chances that the dynamic programming works with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocktower.odds._payoffs import TOTALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HitChances"]

_WIDTH = 1.5  # boulders out that count as about as many
_FLOOR = 1e-9  # of the nearness, so that the farthest turns say something where no other does


@dataclass(frozen=True, eq=False)
class HitChances:
    """Chances of what the next hits bring, given what is out.

    Parameters
    ----------
    counts
        Shape (hits, 45, most + 1): for the first hit from now, the second, ..., the chance of 0
        to `most` boulders by the number that is out before it. Each row adds up to 1.
    weights
        Shape (hits, 4): how readily a boulder of each color falls, compared with the others
        inside; all the same if the colors are drawn evenly.
    """

    counts: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def most(self) -> int:
        """The largest number of boulders that one hit may bring."""
        return int(self.counts.shape[2]) - 1

    @classmethod
    def even(cls, probability: NDArray[np.float64], hits: int) -> HitChances:
        """Give the null model: the same counts at every hit, colors drawn evenly."""
        wide = np.broadcast_to(probability, (TOTALS, len(probability)))
        return cls(
            np.stack([_no_more_than_inside(wide)] * hits).reshape(hits, *wide.shape),
            np.ones((hits, 4)),
        )

    @classmethod
    def pooled(
        cls,
        chances: NDArray[np.float64],
        before: NDArray[np.int64],
        hits: NDArray[np.int64],
        inside: NDArray[np.int64],
        *,
        rare: float = 1e-3,
    ) -> HitChances:
        """Pool what is known of many turns.

        Turns with about as many boulders out are averaged: what else a tower remembers is lost.

        Parameters
        ----------
        chances
            Shape (n, hits, 45): the chances of 0 to 44 boulders.
        before
            Shape (n, hits): the boulders out before each hit.
        hits, inside
            Shape (n, hits, 4): what fell, and what was inside before.
        rare
            The chance of a larger hit than those that are planned with; it counts for the largest
            one. Planning takes longer with a smaller chance.
        """
        most = int(np.argmax(np.cumsum(chances.mean(axis=(0, 1))) > 1.0 - rare))
        totals = np.arange(TOTALS)
        near = np.exp(-0.5 * ((totals[:, None] - totals) / _WIDTH) ** 2) + _FLOOR
        counts = np.stack(
            [near[:, before[:, hit]] @ chances[:, hit] for hit in range(chances.shape[1])]
        )
        counts[..., most] += counts[..., most + 1 :].sum(axis=-1)
        counts = counts[..., : most + 1] / counts[..., : most + 1].sum(axis=-1, keepdims=True)
        even = (
            hits.sum(axis=2, keepdims=True) * inside / np.maximum(inside.sum(axis=2), 1)[..., None]
        )
        fell, expected = hits.sum(axis=0), even.sum(axis=0)
        weights = (fell + 1.0) / (expected + 1.0)
        return cls(np.stack([_no_more_than_inside(table) for table in counts]), weights)


def _no_more_than_inside(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move the chances of more boulders than are inside to as many as are inside."""
    result = counts.copy()
    for out in range(TOTALS):
        inside = TOTALS - 1 - out
        if inside < counts.shape[1]:
            result[out, inside] += result[out, inside + 1 :].sum()
        result[out, inside + 1 :] = 0.0
    return result
