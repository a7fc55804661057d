"""Intervals and tests against values that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocktower.statistics import Interval, difference, mean, ratio, share
from rocktower.validation._curves import crossing, geometric_tail, line


def test_a_share_has_wilsons_interval() -> None:
    value = share(15, 50)
    assert value.value == 0.3
    # (p + z^2/2n -+ z sqrt(pq/n + z^2/4n^2)) / (1 + z^2/n)
    z, n = 1.959964, 50
    half = z * math.sqrt(0.21 / n + z * z / (4 * n * n)) / (1 + z * z / n)
    centre = (0.3 + z * z / (2 * n)) / (1 + z * z / n)
    assert value.low == pytest.approx(centre - half, abs=1e-6)
    assert value.high == pytest.approx(centre + half, abs=1e-6)


def test_a_mean_has_a_normal_interval() -> None:
    value = mean([1.0, 2.0, 3.0, 4.0])
    assert value.value == 2.5
    assert value.error == pytest.approx(np.std([1, 2, 3, 4], ddof=1) / 2)
    assert math.isnan(mean([1.0]).low)


def test_a_ratio_without_events_is_infinite() -> None:
    assert ratio([3, 4], [0, 0]).value == math.inf
    assert ratio([6, 8], [3, 4]).value == 2.0
    assert ratio([6, 8], [3, 4]).error == pytest.approx(0.0)


def test_the_error_of_a_difference_adds_in_squares() -> None:
    a, b = Interval(0.5, 0.4, 0.6), Interval(0.3, 0.27, 0.34)
    gap = difference(a, b)
    assert gap.value == pytest.approx(0.2)
    assert gap.high - gap.value == pytest.approx(math.hypot(0.1, 0.03))
    assert gap.value - gap.low == pytest.approx(math.hypot(0.1, 0.04))


def test_a_line_is_found_again() -> None:
    x = np.arange(5.0)
    a, b, r_squared = line(x, 2.0 - 0.5 * x)
    assert (a, b, r_squared) == pytest.approx((2.0, -0.5, 1.0))


def test_a_crossing_outside_the_points_is_unknown() -> None:
    assert math.isnan(crossing([3.0, 4.0], [90, 80], [100, 100], 0.5))
    assert crossing([3.0, 4.0, 5.0], [99, 75, 25], [100, 100, 100], 0.5) == pytest.approx(4.5)


def test_a_geometric_tail_is_accepted_and_others_are_not() -> None:
    """At 1e-3 a false alarm; the seed is fixed, and the wrong laws are far off."""
    rng = np.random.default_rng(3)
    short = rng.integers(0, 10, 500)
    geometric = 10 + rng.geometric(0.05, 400)
    p_value, average, n = geometric_tail(np.r_[short, geometric], 10, rng)
    assert p_value > 1e-3
    assert n == 400
    assert average == pytest.approx(20, abs=5 * 20 / math.sqrt(400))
    uniform = rng.integers(10, 60, 400)
    assert geometric_tail(uniform, 10, rng)[0] < 0.01
    heavy = 10 + rng.pareto(1.0, 400).astype(int)
    assert geometric_tail(heavy, 10, rng)[0] < 0.01
