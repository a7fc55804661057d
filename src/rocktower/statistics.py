"""Values with their 95 % intervals: shares, means, ratios, differences."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "Interval",
    "clustered_share",
    "difference",
    "difference_of_ratios",
    "exact",
    "mean",
    "mean_is_zero",
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
    return _wilson(count / of, of, of)


def clustered_share(counts: ArrayLike, of: ArrayLike) -> Interval:
    """Return a share of trials that come in clusters: `counts` of `of` trials in each.

    Wilson's interval for as many independent trials as the clusters are worth: the trials
    divided by the design effect, which is never taken to be less than 1.

    Raises
    ------
    ValueError
        If there are no trials.

    Examples
    --------
    >>> clustered_share([4, 0, 4, 0], [4, 4, 4, 4]).n
    16
    >>> clustered_share([4, 0, 4, 0], [4, 4, 4, 4]).error > clustered_share([2] * 4, [4] * 4).error
    True
    """
    a, b = np.asarray(counts, dtype=float), np.asarray(of, dtype=float)
    trials = int(b.sum())
    if not trials:
        raise ValueError("a share of no trials")
    value = float(a.sum()) / trials
    effect, units = 1.0, int((b > 0).sum())
    if units > 1 and 0.0 < value < 1.0:
        variance = float(((a - value * b) ** 2).sum()) * units / (units - 1) / trials**2
        effect = max(1.0, variance * trials / (value * (1.0 - value)))
    return _wilson(value, trials / effect, trials)


def _wilson(value: float, worth: float, n: int) -> Interval:
    """Return Wilson's interval of a share of `n` trials, worth so many independent ones."""
    scale = 1.0 + _Z**2 / worth
    center = (value + _Z**2 / (2.0 * worth)) / scale
    half = _Z * sqrt(value * (1.0 - value) / worth + (_Z / (2.0 * worth)) ** 2) / scale
    # Rounding may carry an end past a value of 0 or 1, where the two are equal.
    return Interval(
        value, min(value, max(0.0, center - half)), max(value, min(1.0, center + half)), n
    )


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


def difference_of_ratios(
    above: ArrayLike, below: ArrayLike, above_2: ArrayLike, below_2: ArrayLike
) -> Interval:
    """Return the first ratio of sums less the second, all over the same independent units."""
    a, b = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    c, d = np.asarray(above_2, dtype=float), np.asarray(below_2, dtype=float)
    first, second = a.sum() / b.sum(), c.sum() / d.sum()
    value = float(first - second)
    if len(a) < 2:
        return Interval(value, n=len(a))
    pull = (a - first * b) / b.mean() - (c - second * d) / d.mean()
    half = _Z * float(pull.std(ddof=1)) / sqrt(len(a))
    return Interval(value, value - half, value + half, len(a))


def mean_is_zero(values: ArrayLike) -> float:
    """Return the p-value of the mean of independent vectors, if their expectation is zero.

    Hotelling's test. `values` has the shape (n, k); NaN if n is not more than k, or if a column,
    or a combination of columns, does not vary.
    """
    from scipy.stats import f

    given = np.asarray(values, dtype=float)
    n, k = given.shape
    if not 0 < k < n:
        return nan
    spread = np.atleast_2d(np.cov(given, rowvar=False))
    if np.linalg.matrix_rank(spread) < k:
        return nan
    center = given.mean(axis=0)
    squared = n * float(center @ np.linalg.solve(spread, center))
    return float(f.sf(squared * (n - k) / (k * (n - 1)), k, n - k))
