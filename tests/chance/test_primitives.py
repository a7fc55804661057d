"""Dice, bags and decks: values, exact odds, and draws that follow them."""

from collections import Counter
from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from rocktower.chance import D6, Bag, Deck, Die, DrawFromBag, RollDie, TopCard
from rocktower.errors import RocktowerError

FALSE_ALARM = 1e-6  # the chance that a right draw fails a chi-square test here

BAGS = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 4), min_size=1).map(Bag.of)


def assert_follows(request, n=20_000, seed=1):
    """Compare n draws of a request with its exact distribution."""
    rng = np.random.default_rng(seed)
    seen = Counter(request.sample(rng) for _ in range(n))
    odds = request.pmf()
    assert set(seen) <= set(odds)
    expected = [n * p for p in odds.values()]
    assert min(expected) >= 5
    assert chisquare([seen[x] for x in odds], expected).pvalue > FALSE_ALARM


SHIPS = Die(("red", "red", "blue", "blue", "yellow", "yellow"))
BAG = Bag.of({"a": 1, "b": 2, "c": 4, "d": 0})


@pytest.mark.parametrize(
    "request_",
    [
        RollDie(D6),
        RollDie(SHIPS),
        RollDie(Die(("only", "x", "x"))),
        DrawFromBag(BAG, 1),
        DrawFromBag(BAG, 3),
        DrawFromBag(BAG.take("c").put("d"), 2),
        DrawFromBag(Bag.of("wxyz"), 4),
        TopCard(Deck.of("aabccc")),
        TopCard(Deck.of("ab").drawn("a").drawn("b").discarded("abb"[:2])),
    ],
    ids=str,
)
def test_draws_follow_the_exact_odds(request_):
    assert_follows(request_)


def test_the_chi_square_test_catches_a_loaded_die():
    class Loaded(RollDie):
        def pmf(self):
            return {1: 0.18, **dict.fromkeys((2, 3, 4, 5, 6), 0.164)}

    with pytest.raises(AssertionError):
        assert_follows(Loaded(D6), n=50_000)


def test_ship_die_shows_each_ship_a_third_of_the_time():
    assert SHIPS.pmf() == pytest.approx({"red": 1 / 3, "blue": 1 / 3, "yellow": 1 / 3})


@given(BAGS, st.data())
def test_bag_pmf_agrees_with_counting_all_draws(bag, data):
    draws = data.draw(st.integers(0, min(len(bag), 5)))
    pmf = bag.pmf(draws)
    assert sum(pmf.values()) == pytest.approx(1)
    for counts, p in pmf.items():
        ways = np.prod([comb(n, k) for n, k in zip(bag.counts, counts, strict=True)])
        assert p == pytest.approx(ways / comb(len(bag), draws))
    means = {kind: sum(p * c[i] for c, p in pmf.items()) for i, (kind, _) in enumerate(bag)}
    assert bag.expected(draws) == pytest.approx(means)


@given(BAGS, st.data())
def test_ordered_odds_agree_with_the_odds_of_counts(bag, data):
    draws = data.draw(st.integers(0, min(len(bag), 4)))
    grouped = Counter()
    for answer, p in DrawFromBag(bag, draws).pmf().items():
        grouped[tuple(answer.count(kind) for kind in bag.kinds)] += p
    assert dict(grouped) == pytest.approx(bag.pmf(draws))


@given(BAGS, st.data())
def test_count_pmf_is_a_margin_of_the_pmf(bag, data):
    draws = data.draw(st.integers(0, min(len(bag), 5)))
    kinds = data.draw(st.sets(st.sampled_from(bag.kinds)))
    odds = np.zeros(draws + 1)
    for counts, p in bag.pmf(draws).items():
        odds[sum(n for kind, n in zip(bag.kinds, counts, strict=True) if kind in kinds)] += p
    assert bag.count_pmf(kinds, draws) == pytest.approx(odds, abs=1e-12)


@given(BAGS, st.integers(0, 2**32), st.data())
def test_what_is_drawn_leaves_the_bag_and_may_return(bag, seed, data):
    draws = data.draw(st.integers(0, len(bag)))
    drawn = DrawFromBag(bag, draws).sample(np.random.default_rng(seed))
    DrawFromBag(bag, draws).check(drawn)
    left = bag.take(drawn)
    assert len(left) == len(bag) - draws
    assert left.put(drawn) == bag


def test_drawing_everything_is_a_permutation():
    assert set(DrawFromBag(Bag.of("abc"), 3).pmf()) == set(permutations("abc"))


def test_bag_refuses_what_it_cannot_do():
    with pytest.raises(RocktowerError, match="cannot draw 8 from a bag of 7"):
        DrawFromBag(BAG, 8)
    with pytest.raises(RocktowerError, match="cannot draw -1"):
        BAG.pmf(-1)
    with pytest.raises(RocktowerError, match="no d is left"):
        BAG.take("d")
    with pytest.raises(RocktowerError, match="knows no x, only a, b, c, d"):
        BAG.put("x")
    with pytest.raises(RocktowerError, match="cannot hold -1 of a"):
        Bag.of({"a": -1})
    with pytest.raises(RocktowerError, match="told apart"):
        Bag.of({1: 1, "1": 2})
    big = Bag.of(dict.fromkeys("abcdefgh", 40))
    with pytest.raises(RocktowerError, match="too many"):
        big.pmf(40)
    with pytest.raises(RocktowerError, match="too many"):
        DrawFromBag(big, 40).pmf()
    assert big.count_pmf("a", 40).sum() == pytest.approx(1)


def test_a_die_needs_a_face():
    with pytest.raises(RocktowerError, match="face"):
        Die(())


def test_a_peeked_card_keeps_its_place():
    deck = Deck.of("aab")
    peeked = deck.peeked("b")
    assert len(peeked) == 3
    assert TopCard(peeked).pmf() == {"b": 1.0}
    assert TopCard(peeked).sample(np.random.default_rng(0)) == "b"
    assert peeked.peeked("b") == peeked
    with pytest.raises(RocktowerError, match="cannot be a"):
        peeked.drawn("a")
    assert peeked.drawn("b").pmf() == {"a": 1.0}


def test_a_stacked_deck_is_drawn_in_its_order():
    deck = Deck(Bag.of({"x": 0, "y": 0}), known=("x", "y", "x"))
    for card in ("x", "y", "x"):
        assert deck.pmf() == {card: 1.0}
        deck = deck.drawn(card)
    assert deck.is_spent


def test_the_discard_is_shuffled_in_only_when_the_deck_is_empty():
    deck = Deck.of("aab").drawn("a").discarded("a")
    assert deck.pmf() == {"a": 0.5, "b": 0.5}
    deck = deck.drawn("b").drawn("a")
    assert len(deck) == 0
    assert deck.pmf() == {"a": 1.0}
    assert deck.drawn("a").discard == ()
    spent = deck.drawn("a")
    assert spent.is_spent
    with pytest.raises(RocktowerError, match="no card is left"):
        TopCard(spent)
    with pytest.raises(RocktowerError, match="knows no z"):
        deck.discarded("z")


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=8), st.integers(0, 99), st.data())
def test_a_deck_loses_no_card(cards, seed, data):
    rng = np.random.default_rng(seed)
    deck, hand = Deck.of(cards), []
    for _ in range(20):
        move = data.draw(st.sampled_from(["draw", "discard", "peek"]))
        if move == "discard" and hand:
            deck = deck.discarded([hand.pop()])
        elif move != "discard" and not deck.is_spent:
            card = TopCard(deck).sample(rng)
            if move == "peek":
                deck = deck.peeked(card)
            else:
                deck, hand = deck.drawn(card), [*hand, card]
        held = [*deck.unseen.things(), *deck.known, *deck.discard, *hand]
        assert sorted(held) == sorted(cards)
