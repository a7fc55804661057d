"""Intervals and tests against values that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from rocktower.statistics import (
    Interval,
    clustered_share,
    difference,
    difference_of_ratios,
    mean,
    mean_is_zero,
    ratio,
    share,
)


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


def test_a_share_of_independent_trials_is_the_same_in_clusters() -> None:
    even = clustered_share([2, 3, 2, 3], [10, 10, 10, 10])  # as even as it can be
    assert even == share(10, 40)


def test_a_share_in_clusters_is_worth_fewer_trials() -> None:
    """All or nothing in each of four clusters of ten: worth the three that are free."""
    value = clustered_share([10, 0, 10, 0], [10, 10, 10, 10])
    # The variance of the mean of four, 0.25 / 3 = 0.5 * 0.5 / 3: as of three single trials.
    z, n = 1.959964, 3.0
    half = z * math.sqrt(0.25 / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
    assert (value.value, value.n) == (0.5, 40)
    assert value.high - 0.5 == pytest.approx(half)
    assert 0.5 - value.low == pytest.approx(half)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20))
def test_a_share_in_clusters_lies_in_its_interval(clusters: list[tuple[int, int]]) -> None:
    counts, others = zip(*clusters, strict=True)
    trials = [a + b for a, b in clusters]
    if not any(trials):
        with pytest.raises(ValueError, match="no trials"):
            clustered_share(counts, trials)
        return
    value = clustered_share(counts, trials)
    assert 0.0 <= value.low <= value.value <= value.high <= 1.0
    assert value.n == sum(counts) + sum(others)


def test_the_difference_of_ratios_knows_that_both_rise_together() -> None:
    rng = np.random.default_rng(5)
    common = rng.integers(1, 20, 50)
    below = np.full(50, 20)
    gap = difference_of_ratios(common + 1, below, common, below)
    assert gap.value == pytest.approx(0.05)
    assert gap.error == pytest.approx(0.0, abs=1e-12)  # they differ by the same each time
    independent = difference_of_ratios(common, below, np.flip(common), below)
    assert independent.value == pytest.approx(0.0)
    assert independent.error > 0.01
    assert math.isnan(difference_of_ratios([1], [2], [3], [4]).low)


def test_a_mean_of_vectors_is_tested_as_students_test_does_it_for_numbers() -> None:
    values = np.random.default_rng(2).normal(0.3, 1.0, 30)
    assert mean_is_zero(values[:, None]) == pytest.approx(ttest_1samp(values, 0.0).pvalue)
    two = np.random.default_rng(3).normal(size=(40, 2))
    assert 0.0 < mean_is_zero(two) < 1.0
    turned = two @ np.array([[2.0, 1.0], [0.5, 3.0]])
    assert mean_is_zero(turned) == pytest.approx(mean_is_zero(two))  # whatever the axes
    assert mean_is_zero(two + 3.0) < 1e-6
    for useless in (np.ones((5, 1)), np.empty((5, 0)), two[:2]):
        assert math.isnan(mean_is_zero(useless))
