"""Which colors come out, given how many boulders do: what went in last comes out later.

Every boulder of a color has the same weight: 1 for those that have been inside for longer, and
`weight` for those dropped in before this turn, averaged over the color as far as the table can
tell. Given the weights, the colors follow Fisher's noncentral hypergeometric distribution; with
weight 1 it is the ordinary one, in which boulders are exchangeable.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.float64] | NDArray[np.int64]
    Reals = NDArray[np.float64]

__all__ = ["color_log_probability", "color_weights", "draw_colors", "fresh_after"]

_MOST_A_COLOR = 11
_COMB = np.array(
    [[comb(n, k) for k in range(_MOST_A_COLOR + 1)] for n in range(_MOST_A_COLOR + 1)], dtype=float
)


def color_weights(inside: Counts, fresh: Counts, weight: float) -> Reals:
    """Return the mean weight of a boulder of each color, shape (n, 4) as all else here."""
    some = np.maximum(inside, 1.0)
    return np.asarray(1.0 + (weight - 1.0) * np.clip(fresh, 0.0, inside) / some)


def fresh_after(inside: Counts, fresh: Counts, out: Counts, weight: float) -> Reals:
    """Return how many of those dropped in last are still inside, as far as the table can tell."""
    heavy = weight * fresh
    share = heavy / np.maximum(heavy + np.maximum(inside - fresh, 0.0), 1e-9)
    return np.asarray(np.clip(fresh - out * share, 0.0, inside - out))


def color_log_probability(out: Counts, inside: Counts, weights: Reals) -> NDArray[np.float64]:
    """Return the log-probability of the colors given their total, shape (n,).

    >>> import numpy as np
    >>> out, inside = np.array([[1, 1, 0, 0]]), np.array([[2, 2, 0, 0]])
    >>> float(np.exp(color_log_probability(out, inside, np.ones((1, 4))))[0]).__round__(6)
    0.666667
    """
    out, whole = out.astype(np.int64), inside.astype(np.int64)
    total = out.sum(axis=1)
    sums = _sums(whole, weights, int(total.max(initial=0)))
    rows = np.arange(len(out))
    ways = np.log(_COMB[whole, out]) + out * np.log(weights)
    return np.asarray(ways.sum(axis=1) - np.log(sums[0][rows, total]))


def draw_colors(
    total: NDArray[np.int64], inside: Counts, weights: Reals, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw the colors of hits of so many boulders, shape (n,); return shape (n, 4)."""
    whole, left = inside.astype(np.int64), total.astype(np.int64)
    most = int(left.max(initial=0))
    sums, rows = _sums(whole, weights, most), np.arange(len(left))
    out = np.zeros((len(left), 4), dtype=np.int64)
    for color in range(3):
        counts = np.arange(_MOST_A_COLOR + 1)
        rest = left[:, None] - counts
        chance = np.where(
            rest >= 0,
            _COMB[whole[:, color]]
            * weights[:, color, None] ** counts
            * sums[color + 1][rows[:, None], np.maximum(rest, 0)],
            0.0,
        ).cumsum(axis=1)
        picked = rng.random(len(left)) * chance[:, -1]
        out[:, color] = (chance <= picked[:, None]).sum(axis=1)
        left = left - out[:, color]
    out[:, 3] = left
    return out


def _sums(inside: NDArray[np.int64], weights: Reals, most: int) -> list[NDArray[np.float64]]:
    """Return, for each color, the summed weight of all ways to take k of it and those after it."""
    n = len(inside)
    after = np.zeros((n, most + 1))
    after[:, 0] = 1.0
    sums = [after]
    for color in (3, 2, 1, 0):
        here = np.zeros_like(after)
        for k in range(min(_MOST_A_COLOR, most) + 1):
            ways = _COMB[inside[:, color], k] * weights[:, color] ** k
            here[:, k:] += ways[:, None] * sums[0][:, : most + 1 - k]
        sums.insert(0, here)
    return sums
