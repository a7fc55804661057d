"""Exact odds of Treasure Mountain, against known values and against enumeration."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower.chance import Bag
from rocktower.errors import RocktowerError
from rocktower.games.treasure_mountain import (
    attack_odds,
    axe_odds,
    default_game_data,
    no_tie_odds,
    safe_odds,
    spend_odds,
    step_odds,
    strength_odds,
)

AXES = Bag.of({1: 18, 2: 6})


@pytest.mark.parametrize(("players", "p"), [(2, 5 / 6), (3, 5 / 9), (4, 5 / 18)])
def test_no_tie_on_the_first_roll(players, p):
    assert no_tie_odds(players) == pytest.approx(p)
    rolls = list(product(range(6), repeat=players))
    assert no_tie_odds(players) == pytest.approx(
        sum(len(set(roll)) == players for roll in rolls) / len(rolls)
    )


@pytest.mark.parametrize(
    ("threshold", "none", "avoid", "provoke"), [(3, 0.667, 0.444, 0.889), (5, 0.333, 0.111, 0.556)]
)
def test_aggression_rolls(threshold, none, avoid, provoke):
    odds = [step_odds(threshold, use) for use in ("none", "avoid", "provoke")]
    assert odds == pytest.approx([none, avoid, provoke], abs=5e-4)


def test_the_rolls_for_six_steps():
    odds = np.array(attack_odds(6, 400, step_odds(3)))
    mean = 1 + (1 - odds).sum()
    square = 1 + ((2 * np.arange(1, 401) + 1) * (1 - odds)).sum()
    assert mean == pytest.approx(9)
    assert square - mean**2 == pytest.approx(4.5)


def test_attack_odds_agree_with_enumeration():
    p = step_odds(3, "avoid")
    for n, value in enumerate(attack_odds(2, 5, p), start=1):
        exact = sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(2, n + 1))
        assert value == pytest.approx(exact)


def test_axes_from_the_whole_bag():
    assert axe_odds(AXES, 2) == pytest.approx({2: 0.554, 3: 0.391, 4: 0.054}, abs=5e-4)
    assert sum(v * p for v, p in axe_odds(AXES, 1).items()) == pytest.approx(1.25)
    assert axe_odds(AXES, 0) == {0: 1.0}
    with pytest.raises(RocktowerError, match="cannot draw 25"):
        axe_odds(AXES, 25)


@pytest.mark.parametrize(
    ("strength", "safe"), [(4, [0.5, 0.667, 0.833, 1]), (7, [0, 0.167, 0.333, 0.5])]
)
def test_safety_from_a_known_strength(strength, safe):
    odds = [safe_odds({strength: 1.0}, {axes: 1.0}) for axes in range(4)]
    assert odds == pytest.approx(safe, abs=5e-4)


def test_the_best_re_roll():
    # Against strength s the die must show d or more: one may roll twice.
    for need in range(1, 8):
        p = max(0, 7 - need) / 6
        assert safe_odds({need: 1.0}, {0: 1.0}, reroll=True) == pytest.approx(1 - (1 - p) ** 2)
    # The mean of a die that is kept on 4 and more.
    tail = [safe_odds({s: 1.0}, {0: 1.0}) for s in range(1, 7)]
    keep = [d if d >= 4 else sum(tail) for d in range(1, 7)]
    assert sum(keep) / 6 == pytest.approx(4.25)


def test_safety_from_a_level_with_unknown_axes_agrees_with_enumeration():
    strengths = strength_odds(default_game_data().dragon_tiles("I"))
    assert strengths == {3: 0.25, 4: 0.25, 5: 0.25, 6: 0.25}
    hands = list(combinations([1] * 18 + [2] * 6, 2))
    cases = [d + sum(hand) >= s for d in range(1, 7) for hand in hands for s in strengths]
    odds = axe_odds(AXES, 2)
    assert safe_odds(strengths, odds) == pytest.approx(sum(cases) / len(cases))
    # With the re-roll: the player knows the axes and the die, not the dragon.
    total = 0.0
    for hand in hands:
        by_die = [sum(d + sum(hand) >= s for s in strengths) / 4 for d in range(1, 7)]
        policies = product([True, False], repeat=6)
        total += (
            max(
                sum(
                    sum(by_die) / 6 if again else q for q, again in zip(by_die, policy, strict=True)
                )
                for policy in policies
            )
            / 6
        )
    assert safe_odds(strengths, odds, reroll=True) == pytest.approx(total / len(hands))


@given(st.integers(1, 6), st.lists(st.sampled_from([1, 2]), max_size=6), st.integers(1, 9))
def test_spending_is_cheapest_and_complete(die, axes, strength):
    options = spend_odds(die, axes, {strength: 0.5, strength + 2: 0.5})
    safest = max(
        (die + sum(c) >= strength) / 2 + (die + sum(c) >= strength + 2) / 2
        for n in range(len(axes) + 1)
        for c in combinations(axes, n)
    )
    assert options[0].axes == ()
    assert options[-1].safe == safest
    for option in options:
        cheaper = [
            c for n in range(len(axes) + 1) for c in combinations(axes, n)
            if sum(c) < sum(option.axes)
        ]  # fmt: skip
        for c in cheaper:
            reach = (die + sum(c) >= strength) / 2 + (die + sum(c) >= strength + 2) / 2
            assert reach < option.safe


def test_one_big_axe_is_spent_rather_than_two_small_ones():
    assert [s.axes for s in spend_odds(2, [1, 1, 2], {4: 1.0})] == [(), (2,)]


def test_the_whole_bag_in_one_hand_is_no_trouble():
    assert spend_odds(1, [1] * 18 + [2] * 6, {30: 1.0})[-1].total == 30


@pytest.mark.parametrize(
    "call",
    [
        lambda: attack_odds(0, 3, 0.5),
        lambda: attack_odds(3, 0, 0.5),
        lambda: strength_odds([]),
        lambda: no_tie_odds(0),
    ],
)
def test_odds_refuse_nonsense(call):
    with pytest.raises(RocktowerError):
        call()
