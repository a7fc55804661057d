"""Every source answers the same requests: a generator, a script, a log, a person."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower.chance import (
    D6,
    Bag,
    Deck,
    Die,
    DrawFromBag,
    Manual,
    Recorded,
    RollDie,
    Sampled,
    Scripted,
    TopCard,
)
from rocktower.errors import RocktowerError
from rocktower.randomness import stream

REQUESTS = [
    RollDie(D6, "aggression"),
    RollDie(Die(("red", "blue", "blue")), "ship"),
    DrawFromBag(Bag.of({"pig": 3, "princess": 2, "goat": 1}), 4, "refill"),
    TopCard(Deck.of(["x:1", "x:2", "y:1"]), "dragon"),
]


@given(st.sampled_from(REQUESTS), st.integers(0, 2**63 - 1))
def test_what_a_generator_draws_is_read_back_from_its_text(request_, seed):
    answer = Sampled(stream(seed)).answer(request_)
    text = request_.format(answer)
    assert Recorded([text]).answer(request_) == answer
    assert Scripted([answer]).answer(request_) == answer
    assert Manual(lambda _: text).answer(request_) == answer


def test_a_person_is_asked_until_the_answer_is_possible():
    asked = []
    lines = iter(["", "7", "five", " 5 "])
    person = Manual(lambda question: asked.append(question) or next(lines))
    assert person.answer(RollDie(D6, "Anna's die")) == 5
    assert asked[0] == "Anna's die (1, 2, 3, 4, 5, 6)"
    assert len(asked) == 4
    assert "not '7'" in asked[2]


def test_a_person_may_type_beginnings_and_commas():
    request_ = REQUESTS[2]
    assert request_.parse("PI, pr goat  pig") == ("pig", "princess", "goat", "pig")
    with pytest.raises(RocktowerError, match="'p' could be pig or princess"):
        request_.parse("p")


@pytest.mark.parametrize("error", [EOFError, RocktowerError])
def test_the_end_of_input_passes_through(error):
    def ask(_):
        raise error

    with pytest.raises(error):
        Manual(ask).answer(REQUESTS[0])


@pytest.mark.parametrize(
    ("request_", "answer", "message"),
    [
        (REQUESTS[0], 7, "aggression: the die has no face '7'"),
        (REQUESTS[2], ("goat",) * 4, "refill: no goat is left"),
        (REQUESTS[2], ("goat",), "refill: 1 drawn, 4 expected"),
        (REQUESTS[2], ("goat", "pig", "pig", "cow"), "refill: the bag knows no cow"),
        (REQUESTS[3], "z", "dragon: the top card cannot be z"),
    ],
)
def test_impossible_answers_are_refused(request_, answer, message):
    with pytest.raises(RocktowerError, match=message):
        Scripted([answer]).answer(request_)


def test_sources_that_have_run_out_say_so():
    with pytest.raises(RocktowerError, match="script has no answer left"):
        Scripted([]).answer(REQUESTS[0])
    record = Recorded(["3"])
    assert record.remaining == 1
    assert record.answer(REQUESTS[0]) == 3
    assert record.remaining == 0
    with pytest.raises(RocktowerError, match="record has no answer left"):
        record.answer(REQUESTS[0])


def test_a_generator_cannot_stand_in_for_a_tower():
    class TowerHit:
        def check(self, answer): ...
        def format(self, answer): ...
        def parse(self, text): ...
        def __str__(self):
            return "hit"

    with pytest.raises(RocktowerError, match="hit: a generator alone"):
        Sampled(np.random.default_rng(0)).answer(TowerHit())


def test_streams_repeat_and_differ_by_key():
    def first(*key):
        return stream(5, *key).integers(0, 2**63)

    assert first(1) == first(1)
    assert len({first(), first(0), first(1), first(1, 0), stream(6).integers(0, 2**63)}) == 5
    with pytest.raises(RocktowerError, match="seed -1"):
        stream(-1)
