"""Ratings: known strengths are found again."""

import numpy as np
import pytest

from rocktower.play import ratings

STRENGTHS = {"a": 1150.0, "b": 1000.0, "c": 850.0}


def drawn(players, games, seed):
    """Draw rankings from Plackett's and Luce's model."""
    rng = np.random.default_rng(seed)
    rankings = []
    for _ in range(games):
        table = list(rng.permutation(sorted(STRENGTHS))[:players])
        ranking = []
        while table:
            odds = np.array([10 ** (STRENGTHS[name] / 400) for name in table])
            ranking.append(str(table.pop(int(rng.choice(len(table), p=odds / odds.sum())))))
        rankings.append(tuple(ranking))
    return rankings


@pytest.mark.parametrize("players", [2, 3])
def test_known_strengths_are_found_again(players):
    """Within 5.1 standard errors each: false alarms below 1e-6 in all."""
    rated = ratings(drawn(players, 400, seed=3))
    for name, strength in STRENGTHS.items():
        assert abs(rated[name].value - strength) < 5.1 * rated[name].error
        assert 5 < rated[name].error < 30


def test_the_intervals_hold_the_truth_about_as_often_as_they_say():
    """95 % of 60 intervals; 44 or fewer of independent ones would have a chance below 1e-6."""
    inside = 0
    for seed in range(20):
        rated = ratings(drawn(2, 100, seed))
        inside += sum(rated[n].low <= s <= rated[n].high for n, s in STRENGTHS.items())
    assert inside >= 44


def test_who_never_loses_is_rated_high_but_not_without_bound():
    rated = ratings([("a", "b")] * 50)
    assert 300 < rated["a"].value - rated["b"].value < 1500
    assert rated["a"].value + rated["b"].value == pytest.approx(2000)


def test_equals_are_rated_equal():
    rated = ratings([("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")])
    assert [interval.value for interval in rated.values()] == pytest.approx([1000.0] * 3)
