"""Exact odds of Trollhalla's bag, against known values and against counting."""

import pytest

from rocktower.chance import Bag, DrawFromBag, Sampled
from rocktower.errors import RocktowerError
from rocktower.games.trollhalla import Landing, default_board, end_odds
from rocktower.randomness import stream

BOARD = default_board()
FULL = Bag.of(BOARD.plunder_counts(4))
TWO = Bag.of(BOARD.plunder_counts(2))


def test_the_first_tile_out_of_a_full_bag():
    pmf = {FULL.kinds[c.index(1)]: p for c, p in FULL.pmf(1).items()}
    counts = {"pig": 12, "monk": 11, "nobleman": 10, "princess": 9, "cow": 8, "goat": 7, "wild": 6}
    assert pmf == pytest.approx({kind: n / 63 for kind, n in counts.items()})


@pytest.mark.parametrize(
    ("bag", "draws", "no_goat"),
    [(FULL, 5, 0.543), (TWO, 5, 0.569), (FULL, 20, 0.058), (TWO, 20, 0.062)],
)
def test_no_goat_among_the_first_tiles(bag, draws, no_goat):
    assert bag.count_pmf(["goat"], draws)[0] == pytest.approx(no_goat, abs=1e-3)


def test_expected_goats_in_the_first_twenty():
    assert FULL.expected(20)["goat"] == pytest.approx(2.22, abs=5e-3)
    assert TWO.expected(20)["goat"] == pytest.approx(2.04, abs=5e-3)


def test_without_returns_the_end_is_certain():
    bag = Bag.of({"goat": 2, "pig": 8})
    assert end_odds(bag, [Landing(5), Landing(5), Landing(1)]) == pytest.approx(
        [0, 0, 1]
    )  # exactly is no end
    assert end_odds(bag, [Landing(5), Landing(6)]) == pytest.approx([0, 1])
    assert end_odds(bag, [Landing(5), Landing(6, returns=1), Landing(4)]) == pytest.approx(
        [0, 0, 1]
    )
    assert end_odds(bag, []) == []


def test_goats_of_a_refill_may_put_off_the_end():
    # 6 tiles, 2 of them goats; the refill of 3 is plundered next, and each goat kicks a tile.
    bag = Bag.of({"goat": 2, "pig": 4})
    odds = end_odds(bag, [Landing(3), Landing(4, plunders=1)])
    none = bag.count_pmf(["goat"], 3)[0]
    assert odds == pytest.approx([0, none])
    # Whoever has survived has 0 or 1 tiles left and cannot refill 2 again.
    assert end_odds(bag, [Landing(3), Landing(4, plunders=1), Landing(2)])[-1] == pytest.approx(1)


def simulated(bag, landings, seed):
    """Play the landings once; give the number of the one that ends the game, or None."""
    rng = Sampled(stream(seed))
    refills = []
    for number, landing in enumerate(landings, start=1):
        goats = 0 if landing.plunders is None else refills[landing.plunders - 1].count("goat")
        bag = bag.put(["pig"] * (landing.returns + goats))
        if len(bag) < landing.size:
            return number
        drawn = rng.answer(DrawFromBag(bag, landing.size))
        refills.append(drawn)
        bag = bag.take(drawn)
    return None


def test_end_odds_agree_with_playing_it_out():
    bag = Bag.of({"goat": 5, "pig": 9})
    landings = [
        Landing(5),
        Landing(4, returns=1),
        Landing(5, plunders=1),
        Landing(4, plunders=3),
        Landing(2, plunders=2),
    ]
    odds = end_odds(bag, landings)
    n = 4000
    ends = [simulated(bag, landings, seed) for seed in range(n)]
    for number, p in enumerate(odds, start=1):
        seen = sum(e is not None and e <= number for e in ends)
        # Five standard deviations: a false alarm of 6e-7 each.
        assert abs(seen - n * p) <= 5 * (n * p * (1 - p)) ** 0.5 + 1e-9
    assert 0.01 < odds[-2] < odds[-1] < 0.99


@pytest.mark.parametrize(
    ("landings", "message"),
    [
        ([Landing(5, plunders=1)], "only an earlier refill"),
        ([Landing(5), Landing(5, plunders=1), Landing(5, plunders=1)], "same refill"),
    ],
)
def test_impossible_plans_are_refused(landings, message):
    with pytest.raises(RocktowerError, match=message):
        end_odds(FULL, landings)


@pytest.mark.parametrize("values", [(0,), (5, -1), (5, 0, 0)])
def test_a_landing_checks_its_numbers(values):
    with pytest.raises(RocktowerError, match="at least 1 and 0"):
        Landing(*values)
