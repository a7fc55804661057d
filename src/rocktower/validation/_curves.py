"""Curves and avalanches: straight lines, crossings, geometric tails."""

from __future__ import annotations

from math import log, nan
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["crossing", "geometric_tail", "line"]


def line(x: ArrayLike, y: ArrayLike) -> tuple[float, float, float]:
    """Fit y = a + b x; return a, b and R squared."""
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    b, a = np.polyfit(xs, ys, 1)
    residual = ys - (a + b * xs)
    return float(a), float(b), 1.0 - float(residual.var() / ys.var())


def crossing(x: Sequence[float], counts: Sequence[int], of: Sequence[int], level: float) -> float:
    """Return where a falling share passes `level`, linear in its logit between the points.

    Half a success and half a failure are added to each count, so that 0 and 1 have a logit.
    NaN if the points do not enclose the level.

    >>> crossing([3.0, 4.0], [90, 10], [100, 100], 0.5)
    3.5
    """
    logits = [log((c + 0.5) / (m - c + 0.5)) for c, m in zip(counts, of, strict=True)]
    target = log(level / (1.0 - level))
    for k in range(len(x) - 1):
        upper, lower = logits[k], logits[k + 1]
        if upper >= target >= lower and upper > lower:
            return x[k] + (x[k + 1] - x[k]) * (upper - target) / (upper - lower)
    return nan


def geometric_tail(
    sizes: ArrayLike, start: int, rng: np.random.Generator, resamples: int = 1000
) -> tuple[float, float, int]:
    """Test whether sizes from `start` on follow a geometric law.

    Kolmogorov and Smirnov's distance to the geometric law with the tail's own mean; its null
    distribution by a parametric bootstrap, because the mean is estimated and the law is
    discrete.

    Returns
    -------
    p_value, mean, n
        Mean excess over `start`, and how many sizes are in the tail.
    """
    values = np.asarray(sizes)
    tail = np.sort(values[values >= start] - start)
    average = float(tail.mean())
    distance = _distance(tail)
    null = [
        _distance(np.sort(rng.geometric(1.0 / (average + 1.0), len(tail)) - 1))
        for _ in range(resamples)
    ]
    worse = sum(value >= distance for value in null)
    return (worse + 1) / (resamples + 1), average, len(tail)


def _distance(tail: NDArray[np.int64]) -> float:
    average = float(tail.mean())
    if average == 0.0:
        return 0.0
    grid = np.arange(int(tail[-1]) + 1)
    observed = np.searchsorted(tail, grid, side="right") / len(tail)
    expected = 1.0 - (average / (average + 1.0)) ** (grid + 1.0)
    return float(np.abs(observed - expected).max())
