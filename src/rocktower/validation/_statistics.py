"""Intervals and tests for counts, avalanches and curves; scipy is imported when used."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Interval",
    "crossing",
    "difference",
    "exact",
    "geometric_tail",
    "line",
    "mean",
    "ratio",
    "share",
]

_Z = 1.959964  # 95 % of a normal distribution lies within


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % interval and the number of trials behind it."""

    value: float
    low: float = nan
    high: float = nan
    n: int = 1

    @property
    def error(self) -> float:
        """Standard error."""
        return (self.high - self.low) / (2.0 * _Z)

    def row(self, name: str) -> dict[str, str | int]:
        """Return it as columns of a table."""
        return {
            name: f"{self.value:.4g}",
            "low_95": f"{self.low:.4g}" if isfinite(self.low) else "",
            "high_95": f"{self.high:.4g}" if isfinite(self.high) else "",
            "n": self.n,
        }


def exact(value: float, n: int = 1) -> Interval:
    """Return a value that has no sampling error."""
    return Interval(value, n=n)


def share(count: int, of: int) -> Interval:
    """Return a share with Wilson's interval.

    >>> share(0, 200).high < 0.02
    True
    """
    from scipy.stats import binomtest

    bounds = binomtest(count, of).proportion_ci(method="wilson")
    return Interval(count / of, float(bounds.low), float(bounds.high), of)


def mean(values: ArrayLike) -> Interval:
    """Return a mean with a normal interval; the values are independent."""
    given = np.asarray(values, dtype=float)
    centre = float(given.mean())
    if len(given) < 2:
        return Interval(centre, n=len(given))
    half = _Z * float(given.std(ddof=1)) / sqrt(len(given))
    return Interval(centre, centre - half, centre + half, len(given))


def ratio(above: ArrayLike, below: ArrayLike) -> Interval:
    """Return the ratio of two sums over the same independent units, by the delta method."""
    a, b = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    value = float(a.sum() / b.sum()) if b.sum() else inf
    if not isfinite(value) or len(a) < 2:
        return Interval(value, n=len(a))
    half = _Z * float((a - value * b).std(ddof=1)) / sqrt(len(a)) / float(b.mean())
    return Interval(value, value - half, value + half, len(a))


def difference(a: Interval, b: Interval) -> Interval:
    """Return a - b of two independent measurements (Newcombe's interval for two shares)."""
    value = a.value - b.value
    low = value - sqrt((a.value - a.low) ** 2 + (b.high - b.value) ** 2)
    high = value + sqrt((a.high - a.value) ** 2 + (b.value - b.low) ** 2)
    return Interval(value, low, high, min(a.n, b.n))


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
