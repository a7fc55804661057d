"""The board: what the inferred one contains, and how another one is checked."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from itertools import combinations

import pytest

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import Board, default_board, load_board

TEXT = files("rocktower.games.trollfjord").joinpath("data/board.toml").read_text(encoding="utf-8")

FIRST_WAY = '"mountain", "wander", "fjord", "wander", "glacier", "wander"'


def test_the_inferred_board_contains_what_the_examples_show():
    board = default_board()
    landscape = {region.name: region.landscape for region in board.regions}
    triples = {
        frozenset(landscape[name] for name in fortress.regions): fortress.number
        for fortress in board.fortresses
    }
    assert triples[frozenset({"swamp", "mountain", "glacier"})] == 3
    assert frozenset({"forest", "glacier", "mountain"}) in triples
    assert frozenset({"fjord", "glacier", "tundra"}) in triples
    assert all(block.provenance in ("inferred", "assumed") for block in board.provenance.values())
    assert set(board.provenance) == {"regions", "fortresses", "walkways"}


def test_the_inferred_walkways_are_even():
    spaces = Counter(space for way in default_board().walkways for space in way.spaces)
    assert spaces.pop("wander") == 30
    assert set(spaces.values()) == {5}
    pairs = Counter(
        pair
        for way in default_board().walkways
        for pair in combinations(sorted(set(way.spaces) - {"wander"}), 2)
    )
    assert set(pairs.values()) == {2}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('landscape = "forest"', 'landscape = "desert"', "no landscape"),
        ('landscape = "forest"', 'landscape = "swamp"', "2 of each landscape"),
        ('name = "forest1"', 'name = "tundra1"', "two region spaces are called 'tundra1'"),
        ('name = "forest1"', 'name = "my forest"', "one word"),
        ('adjoins = ["tundra1", "swamp1"]', 'adjoins = ["tundra1"]', "swamp1 adjoins forest1"),
        ('adjoins = ["tundra1", "swamp1"]', 'adjoins = ["tundra1", "tundra1"]', "twice"),
        ('adjoins = ["tundra1", "swamp1"]', 'adjoins = ["forest1", "swamp1"]', "itself"),
        ('adjoins = ["tundra1", "swamp1"]', 'adjoins = ["moon"]', "'moon', which is no region"),
        ('["forest1", "tundra1", "swamp1"]', '["forest1", "swamp1"]', "three distinct regions"),
        ('["forest1", "tundra1", "swamp1"]', '["forest1", "forest1", "swamp1"]', "distinct"),
        ('["forest1", "tundra1", "swamp1"]', '["forest1", "tundra1", "x"]', "'x' is no region"),
        ('["forest1", "tundra1", "swamp1"]', '["forest1", "tundra1", "fjord1"]', "do not adjoin"),
        ('["forest1", "tundra1", "swamp1"]', '["tundra1", "fjord1", "glacier2"]', "same regions"),
        ("number = 1", "number = 2", "two each of 1, 2 and 3"),
        ('"mountain", "wander", "fjord"', '"mountain", "wander", "sea"', "no space"),
        (FIRST_WAY, '"fjord"', "a placement and a wander space"),
        (FIRST_WAY, '"wander"', "a placement and a wander space"),
        ("version = 1", "version = 2", "version"),
        ("name = ", "nom = ", "nom"),
        ("[[walkways]]", "[[ways]]", "ways"),
        ('"published"', '"certain"', "provenance"),
        ("adjoins", "=", "TOML"),
    ],
)  # fmt: skip
def test_a_wrong_board_is_refused(old, new, message):
    text = TEXT if old != '"published"' else TEXT.replace('"inferred"\nreason', '"certain"\nreason')
    with pytest.raises(RocktowerError, match=re.escape(message)) as caught:
        Board.from_toml(text.replace(old, new, 1))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("block", "message"),
    [("regions", "12"), ("fortresses", "there are 6"), ("walkways", "there are 10")],
)
def test_a_board_has_all_its_parts(block, message):
    first = re.search(rf"\[\[{block}\]\]\n(?:.+\n)+", TEXT)
    assert first
    with pytest.raises(RocktowerError, match=message):
        Board.from_toml(TEXT.replace(first[0], "", 1))


def test_a_board_is_connected():
    text = TEXT
    for gone in ("swamp1", "mountain1"):
        text = re.sub(rf'(name = "glacier1"\n.+\nadjoins = \[)(.*)"{gone}"(?:, )?', r"\1\2", text)
        text = re.sub(rf'(name = "{gone}"\n.+\nadjoins = \[.*)"glacier1"(?:, )?', r"\1", text)
    with pytest.raises(RocktowerError, match="no troll can wander from fjord1 to glacier1"):
        Board.from_toml(text)


def test_every_region_has_a_fortress():
    text = TEXT.replace('["forest1", "tundra1", "swamp1"]', '["tundra1", "swamp1", "glacier2"]')
    with pytest.raises(RocktowerError, match="no fortress lies at forest1"):
        Board.from_toml(text)


def test_a_board_file_is_named_when_it_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RocktowerError, match=r"mine\.toml"):
        load_board(path)
    with pytest.raises(RocktowerError, match="No such file"):
        load_board(tmp_path / "none.toml")
    path.write_text(TEXT)
    assert load_board(path) == default_board()
