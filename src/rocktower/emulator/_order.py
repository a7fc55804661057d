"""Which boulders come out: what was dropped in last lies on top, and comes out late.

From the top: is it one of those dropped in before this turn? If not, one of the turn before? If
not, one of the turn before that? Each time the answer depends on how many boulders lie in question
and how many of them lie deeper, and on whether it is the first boulder of its hit, which nearly
always comes from the bottom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator._layers import BOULDERS
from rocktower.emulator._towers import LAYERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Numbers = NDArray[np.int64]

__all__ = ["ORDER_SHAPE", "fit_order"]

ORDER_SHAPE = (LAYERS - 1, 2, BOULDERS + 1, BOULDERS + 1)
"""Boundary (between the layers k and k + 1, from the deepest), whether it is not the first boulder
of its hit, boulders below the layer's top, boulders below the boundary."""

_ROUNDS = 100  # of expectation-maximization
_NEIGHBORS = 2.0  # standard deviation over which towers that are about as full are pooled
_SMOOTH = (0.05, 0.9, 0.05)  # neighboring depths are about as likely
_PRIOR = 0.02  # boulders, evenly over the depths


def fit_order(below: Numbers, layer: Numbers, later: NDArray[np.bool_]) -> Reals:
    """Fit the order in which boulders come out, by maximum likelihood.

    Parameters
    ----------
    below
        Shape (m, 4), of each boulder that came out: how many lay up to each layer's top.
    layer
        Shape (m,): which layer it came from.
    later
        Shape (m,): whether it was not the first boulder of its hit.

    Returns
    -------
    ndarray
        Of shape `ORDER_SHAPE`: the chance that it comes from below the boundary, if it comes from
        below the layer's top.
    """
    order = np.ones(ORDER_SHAPE)
    for boundary in range(LAYERS - 1):
        whole, deeper = below[:, boundary + 1], below[:, boundary]
        # Others tell nothing of this boundary.
        telling = (layer <= boundary + 1) & (deeper > 0) & (deeper < whole)
        for number in range(2):
            some = telling & (later == bool(number))
            order[boundary, number] = _fit(whole[some], deeper[some], (layer <= boundary)[some])
    return order


def _fit(whole: Numbers, deeper: Numbers, is_deeper: NDArray[np.bool_]) -> Reals:
    """Fit one table: depths of other towers are stretched to those of a tower's."""
    table = np.minimum(np.arange(BOULDERS + 1) / np.maximum(np.arange(BOULDERS + 1), 1)[:, None], 1)
    table[0] = 1.0
    if not len(whole):
        return table  # nothing was seen: each boulder alike
    for full in range(1, BOULDERS + 1):
        weight = np.exp(-0.5 * ((whole - full) / _NEIGHBORS) ** 2)
        near = weight > 1e-3
        at = np.rint(deeper[near] * (full / whole[near])).astype(int)
        down, up = (
            np.bincount(at[chosen], weight[near][chosen], full + 1).astype(np.float64)
            for chosen in (is_deeper[near], ~is_deeper[near])
        )
        table[full, : full + 1] = _cumulated_shares(down, up)
    return table


def _cumulated_shares(down: Reals, up: Reals) -> Reals:
    """Return how likely a boulder comes from the k deepest of n, shape (n + 1,).

    Parameters
    ----------
    down, up
        Shape (n + 1,): how many were seen to come from the k deepest, and from the others.
    """
    n = len(down) - 1
    share = np.full(n, 1.0 / n)
    for _ in range(_ROUNDS):
        cumulated = np.concatenate([[0.0], share.cumsum()])
        # What came from the k deepest is spread over these depths, and likewise above.
        below = _over(down, cumulated)[::-1].cumsum()[::-1][1:]
        above = _over(up, 1.0 - cumulated).cumsum()[:-1]
        share = share * (below + above)
        share = np.convolve(np.pad(share, 1, mode="edge"), _SMOOTH, "valid") + _PRIOR / n
        share /= share.sum()
    return np.concatenate([[0.0], share.cumsum()[:-1], [1.0]])


def _over(counts: Reals, chance: Reals) -> Reals:
    return np.divide(counts, chance, out=np.zeros_like(counts), where=(counts > 0) & (chance > 0))
