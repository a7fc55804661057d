"""Data files: what is assumed says so, and a bad file names its fault."""

import tomllib
from importlib.resources import files

import pytest

from rocktower.errors import RocktowerError
from rocktower.games import treasure_mountain as tm
from rocktower.games import trollhalla as th

BOARD = (files("rocktower.games.trollhalla") / "board.toml").read_text(encoding="utf-8")
GAME = (files("rocktower.games.treasure_mountain") / "game.toml").read_text(encoding="utf-8")


def test_every_block_says_where_it_comes_from():
    for text in (BOARD, GAME):
        for name, block in tomllib.loads(text).items():
            assert block["provenance"] in ("published", "inferred", "assumed"), name
            assert block["reason"], name


def test_what_no_text_gives_is_marked_as_assumed():
    board, game = tomllib.loads(BOARD), tomllib.loads(GAME)
    for block in ("islands", "ships", "weather_tiles"):
        assert board[block]["provenance"] == "assumed"
    for block in ("dragon_track", "axes", "dragons", "market", "achievements", "mine"):
        assert game[block]["provenance"] == "assumed"


def test_the_published_numbers_hold():
    board, game = th.default_board(), tm.default_game_data()
    assert sum(board.plunder_counts(4).values()) == 63
    assert sum(board.plunder_counts(2).values()) == 49
    assert len(board.islands.spaces) == 7
    assert sum(board.weather_tiles.counts.values()) == 12
    assert all(4 <= board.capacity(i) <= 8 for i in range(7))
    axes = game.axes.counts
    assert axes[1] == 3 * axes[2]
    assert tm.Dragon("I", 4, 8, "gems") in game.dragon_tiles("I")
    rows = game.row_cards()
    assert len(game.mine.special) == 12
    assert tm.MarketCard("ruby", 3, 5) in rows["ruby"]
    assert tm.Achievement("sapphire", 5, 3) in rows["achievements"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("goat = 7, ", "", "needs the kinds 'goat' and 'wild'"),
        ("goat = 7", "goat = -7", r"`int` >= 0 - at `\$.plunder.counts"),
        ("goat = 7", "goat = 1", "removed_of_each is more than a kind has"),
        ("[1, 2, 1, 1],\n  [1, 1, 2, 1],\n  [2", "[1, 3, 1, 1],\n  [1, 1, 2, 1],\n  [2", "<= 2"),
        ("ring = [1, 2, 3, 4, 5, 6]", "ring = [1, 2, 3, 4, 5, 5]", "each island from 0 to 6"),
        ("blue = 3", "blue = 2", "not adjacent"),
        ("blue = 3", "green = 3", "red, blue, yellow are expected"),
        ('faces = ["red"', 'faces = ["re d"', "regex"),
        ('"published"', '"guessed"', "Invalid enum value 'guessed'"),
        ("[die]", "[dice]", "unknown field `dice`"),
        ("[die]", "[die", "not a TOML file"),
    ],
)
def test_a_bad_board_names_its_fault(old, new, message):
    assert old in BOARD
    with pytest.raises(RocktowerError, match=message) as caught:
        th.read_board(BOARD.replace(old, new, 1), "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[3, 7, ", "[2, 7, ", "dragons.levels.I: strength 2 is outside the range 3 to 6"),
        ('"gold"], [4', '"beer"], [4', "Invalid enum value 'beer'"),
        ("steps = 6", "steps = 0", ">= 1"),
        ("1 = 18", "x = 18", "Expected `int`"),
        ("2 = 5, 3 = 4", "2 = 5", "2, 3 and 4 players are expected"),
        ("threshold = 3", "threshold = 7", "<= 6"),
        ('"ruby", ', '"mine", ', "none called a row"),
        ('"NS"]', '"XY"]', "regex"),
        ("range = [3, 6]", "range = [3]", "length 2"),
    ],
)
def test_bad_game_data_names_its_fault(old, new, message):
    assert old in GAME
    with pytest.raises(RocktowerError, match=message) as caught:
        tm.read_game_data(GAME.replace(old, new, 1), "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")


def test_there_is_no_dragon_of_a_third_level():
    with pytest.raises(RocktowerError, match="no dragon level 'III': one of I, II"):
        tm.default_game_data().dragon_tiles("III")
