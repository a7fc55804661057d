"""Bots: that they play well, alike from a seed, and what happens when a user's bot fails."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import PLAYER_COLORS, ranking
from rocktower.play import BOTS, load_bot
from tests.play.helpers import match


def test_greedy_beats_random_in_nine_games_of_ten():
    """If it won 90 % only, it would win all of these 140 games once in 2.5 million runs."""
    for seed in range(140):
        players = ("greedy", "random") if seed % 2 else ("random", "greedy")
        final = match(*players, seed=seed).play()
        assert players[ranking(final)[0]] == "greedy", f"seed {seed}"
    assert 0.9**140 < 1e-6


def test_a_match_is_the_same_again_from_its_seed():
    one, again, other = (match("greedy", "random", "greedy", seed=seed) for seed in (5, 5, 6))
    for game in (one, again, other):
        game.play()
    assert one.replay.steps == again.replay.steps
    assert one.state != other.state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_games_end(players):
    for seed in range(20):
        assert match(*["greedy"] * players, seed=seed).play().turns < 200


def test_random_is_even():
    """Each of six moves in 6000 choices: a z of 6 has a false-alarm rate below 1e-8."""
    rng, bot = np.random.default_rng(3), load_bot("random")
    chosen = [bot.decide(None, range(6), rng) for _ in range(6000)]  # type: ignore[arg-type]
    for action in range(6):
        assert abs(chosen.count(action) - 1000) < 6 * sqrt(6000 * 5 / 36)


def write_bot(folder, body):
    path = folder / "my_bot.py"
    path.write_text(f"class Mine:\n    def decide(self, state, actions, rng):\n        {body}\n")
    return f"{path}:Mine"


def test_a_bot_from_a_file(tmp_path):
    name = write_bot(tmp_path, "return actions[0]")
    game = match(name, "greedy")
    game.play()
    assert game.replay.has_ended


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return None", "'None' is not legal"),
        ("raise KeyError('oops')", "KeyError: 'oops'"),
        ("return actions[99]", "IndexError"),
    ],
)
def test_a_bot_that_fails_is_named(tmp_path, body, message):
    game = match(write_bot(tmp_path, body), "random")
    with pytest.raises(RocktowerError, match=r"\(.*my_bot\.py:Mine\): ") as caught:
        game.play()
    assert message in str(caught.value)
    assert any(color in str(caught.value) for color in PLAYER_COLORS)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("clever", None, "one of random, greedy, search, or FILE"),
        ("none.py:Bot", None, "there is no file"),
        ("bot.py", "", "FILE.py:CLASS"),
        ("bot.py:Other", "class Bot: pass", "AttributeError"),
        ("bot.py:Bot", "class Bot: pass", "no method decide"),
        ("bot.py:Bot", "class Bot(: pass", "SyntaxError"),
        ("bot.py:Bot", "1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_wrong_bot_is_refused(tmp_path, monkeypatch, name, text, message):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "bot.py").write_text(text)
    with pytest.raises(RocktowerError, match=message):
        load_bot(name)
    assert set(BOTS) == {"random", "greedy", "search"}
