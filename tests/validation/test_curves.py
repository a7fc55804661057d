"""Lines, crossings and tails against values that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocktower.validation._curves import crossing, geometric_tail, line


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
