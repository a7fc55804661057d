"""Nonsense from outside: one clear line, never another error."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    ALL_BOULDERS,
    CHANCE,
    Boulders,
    Move,
    Place,
    Strike,
    TowerHit,
    Wander,
    new_game,
    parse_action,
    position_from_json,
    position_to_json,
    read_log,
)
from tests.games.trollfjord.helpers import answer, eager_choice

LOG = (Path(__file__).parent / "golden" / "3.jsonl").read_bytes().splitlines()
WORDS = st.text(st.sampled_from("abfgmnorstwy -123450.ñ\n\t\0"), max_size=20)
NAMES = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-50, 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def positions():
    """Some positions of one game, of every phase that it leads through."""
    rng, state, found = np.random.default_rng(8), new_game(3, numbers="shuffled"), {}
    while not state.is_over:
        found.setdefault(type(state.phase), state)
        chance = state.actor == CHANCE
        state = state.apply(answer(state, rng) if chance else eager_choice(state, rng))
    return [json.loads(position_to_json(state)) for state in (*found.values(), state)]


POSITIONS = positions()


def check_line(error: RocktowerError, begin: str = ".") -> None:
    assert re.match(begin, str(error))
    assert len(str(error).splitlines()) == 1


def places(value, path=()):
    """List every place in a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def changed(value, path, new):
    """Give a JSON value with another one at a place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


@st.composite
def spoiled(draw):
    value = POSITIONS[draw(st.integers(0, len(POSITIONS) - 1))]
    for _ in range(draw(st.integers(1, 2))):
        spots = [p for p in places(value) if not p or p[0] != "board" or draw(st.booleans())]
        value = changed(value, draw(st.sampled_from(spots)), draw(st.integers(-1, 20) | JSON))
    return value


@settings(max_examples=250, deadline=None)
@given(spoiled())
def test_a_spoiled_position_is_refused_or_can_be_played(position):
    try:
        state = position_from_json(json.dumps(position))
    except RocktowerError as error:
        check_line(error)
        return
    rng = np.random.default_rng(1)
    assert position_from_json(position_to_json(state)) == state
    for _ in range(60):
        assert str(state)
        if state.is_over:
            break
        chance = state.actor == CHANCE
        assert chance or state.legal_actions()
        state = state.apply(answer(state, rng) if chance else eager_choice(state, rng))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=40) | st.text(max_size=40))
def test_any_text_is_no_position(text):
    with pytest.raises(RocktowerError):
        position_from_json(text)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(LOG) - 1), st.data())
def test_a_spoiled_log_is_refused_with_its_line(number, data):
    lines = list(LOG)
    kind = data.draw(st.sampled_from(["cut", "drop", "double", "value", "noise"]))
    if kind == "cut":
        lines[number] = lines[number][: data.draw(st.integers(0, len(lines[number]) - 1))]
    elif kind == "drop":
        del lines[number]
    elif kind == "double":
        lines.insert(number, lines[number])
    elif kind == "noise":
        lines[number] = data.draw(st.binary(max_size=30))
    else:
        value = json.loads(lines[number])
        path = data.draw(st.sampled_from(list(places(value))))
        new = changed(value, path, data.draw(st.integers(-1, 30) | WORDS | JSON))
        lines[number] = json.dumps(new).encode()
    try:
        replay = read_log(lines)
    except RocktowerError as error:
        check_line(error, r"line \d+: ")
    else:
        # Only what no rule speaks of may differ (a seed, a version), or the end is missing.
        assert replay.count >= len(LOG) - 2


@given(WORDS)
def test_any_text_is_an_action_that_prints_again_or_is_refused(text):
    try:
        action = parse_action(text)
    except RocktowerError as error:
        check_line(error)
    else:
        assert parse_action(str(action)) == action


@given(
    st.builds(Move, st.sampled_from(["placement", "wander"]), st.integers(1, 3))
    | st.builds(Place, st.integers(0, 999), NAMES)
    | st.builds(Wander, NAMES, NAMES)
    | st.builds(
        Strike,
        st.sampled_from(["left", "right"]),
        st.floats(min_value=1e-300, allow_infinity=False),
        st.floats(min_value=0, allow_infinity=False),
    )
)
def test_actions_round_trip(action):
    assert parse_action(str(action)) == action


@given(st.builds(Boulders, *[st.integers(0, 11)] * 4))
def test_hits_round_trip(hit):
    request = TowerHit(ALL_BOULDERS)
    assert request.parse(request.format(hit)) == hit
    request.check(hit)


@given(WORDS)
def test_any_text_is_a_hit_or_is_refused(text):
    request = TowerHit(Boulders(3, 3, 3, 3))
    try:
        request.check(request.parse(text))
    except RocktowerError as error:
        check_line(error)


@pytest.mark.parametrize("text", ["r2 r3", "", "g2", "r", "2", "r2w1 - ", "- -", "r-1", "r100"])
def test_wrong_hits_are_refused(text):
    with pytest.raises(RocktowerError, match="r, b, y, w each with a count is expected"):
        TowerHit(ALL_BOULDERS).parse(text)


def test_a_hit_of_more_than_the_tower_holds_is_refused():
    with pytest.raises(RocktowerError, match="4 yellow boulders fell out of 3"):
        TowerHit(Boulders(3, 3, 3, 3)).check(Boulders(0, 0, 4, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strike up 1 1", "left"),
        ("strike left -1 0", "above 0"),
        ("strike left 1 nan", "at least 0"),
        ("strike left one 0", "number is needed"),
        ("place many forest1", "place COUNT REGION"),
        ("dance", "one of move"),
        ("", "one of move"),
    ],
)
def test_wrong_actions_are_refused(text, message):
    with pytest.raises(RocktowerError, match=message):
        parse_action(text)


def test_a_strike_has_all_of_its_values_or_none():
    with pytest.raises(RocktowerError, match="or none of them"):
        Strike(side="left")


@pytest.mark.parametrize("players", [0, 1, 5])
def test_trollfjord_is_for_two_to_four(players):
    with pytest.raises(RocktowerError, match="2 to 4"):
        new_game(players)


@pytest.mark.parametrize(
    "more", [{"numbers": (1, 1, 1, 2, 2, 3)}, {"walkways": range(10)}, {"numbers": (1, 2)}]
)
def test_numbers_and_walkways_are_checked(more):
    with pytest.raises(RocktowerError):
        new_game(2, **more)
