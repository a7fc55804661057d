"""``rocktower play trollfjord`` and ``rocktower replay``, as a person sees them."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest

from rocktower.cli import main

SLOW_BOT = """
import time
from rocktower.play import GreedyBot
class Slow(GreedyBot):
    def decide(self, state, actions, rng):
        time.sleep(0.01)
        return super().decide(state, actions, rng)
"""
BOARD = files("rocktower.games.trollfjord").joinpath("data/board.toml").read_text(encoding="utf-8")


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run a command in an empty folder; give exit status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["rocktower", *args])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = int(stop.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return status, captured.out, captured.err

    return run


def trollfjord(run, *args, **more):
    return run("play", "trollfjord", *args, **more)


def test_bots_play_and_the_seed_is_told(run):
    status, out, err = trollfjord(run, "--players", "greedy,random", "--seed", "3")
    assert status == 0
    assert "seed 3" in err
    assert "is King of the Trolls" in out
    assert "treasures" in out


def test_a_seed_is_chosen_and_told_when_none_is_given(run):
    _, out, err = trollfjord(run, "--players", "greedy,greedy", "--source", "bag", "--json")
    seed = json.loads(out)["seed"]
    assert f"seed {seed}" in err
    args = ("--players", "greedy,greedy", "--source", "bag", "--json", "--seed", str(seed))
    assert trollfjord(run, *args)[1] == out


def test_json_holds_the_result_alone(run):
    args = ("--players", "greedy,random,greedy", "--source", "bag", "--seed", "3", "--json")
    status, out, _ = trollfjord(run, *args)
    result = json.loads(out)
    assert status == 0
    assert result["finished"]
    assert [player["color"] for player in result["players"]] == ["white", "orange", "brown"]
    for player in result["players"]:
        assert player["total"] == player["treasures"] + player["gifts"] + player["crowns"]
    assert result["ranking"][0] in ("white", "brown")


# Two people, and the walkways in their own order: the first spaces are mountain, fjord, glacier.
TWO = ("--players", "human,human", "--source", "bag", "--seed", "5",
       "--walkways", "1,2,3,4,5,6,7,8,9,10")  # fmt: skip


def test_a_person_plays_by_number_word_or_beginning(run):
    typed = "2\nplace 1 fjord1\nmove w\nboard\nhelp\nnonsense\n99\nMove  Wander 1\n"
    status, out, err = trollfjord(run, *TWO, typed=typed)
    assert status == 0
    assert ": move placement 2" in out
    assert ": place 1 fjord1" in out
    assert "'move w' could be move wander 1 or" in out
    assert "Type a number, or the choice itself" in out
    assert "'nonsense' is no action" in out
    assert "a number from 1 to" in out
    assert ": move wander 1" in out
    assert "the game is not saved" in err


def test_undo_is_told(run):
    typed = "move placement 2\nundo\nundo\nmove placement 1\n"
    _, out, _ = trollfjord(run, *TWO, typed=typed)
    assert "taken back: 1 step" in out
    assert "nothing to undo" in out
    assert ": move placement 1" in out


def test_a_game_that_is_left_goes_on(run):
    typed = "move placement 2\nplace 1 fjord1\nquit\n"
    _, _, err = trollfjord(run, *TWO, "--log", "game.jsonl", typed=typed)
    assert "--resume game.jsonl" in err
    status, out, _ = trollfjord(run, "--resume", "game.jsonl", "--json", typed="quit\n")
    assert status == 0
    assert not json.loads(out)["finished"]
    status, out, _ = run("replay", "game.jsonl", "--events")
    assert status == 0
    assert ": place 1 fjord1" in out
    assert "all within the rules" in out


def test_people_with_a_wooden_tower_type_what_fell_out(run, tmp_path):
    bot = tmp_path / "keen.py"
    bot.write_text(
        "class Keen:\n"
        "    def decide(self, state, actions, rng):\n"
        "        return actions[-2] if str(actions[-1]) == 'pass' else actions[0]\n"
    )
    args = ("--players", f"{bot}:Keen,{bot}:Keen", "--source", "manual", "--seed", "1")
    status, out, _ = trollfjord(run, *args, typed="r2\nr99\nfour red\nr1 w2\n-\nquit\n")
    assert status == 0
    assert "what fell out? (r2 w1, or - for an empty hit)" in out
    assert "99 red boulders fell out of" in out
    assert "the tower: r2" in out
    assert "the tower: r1 w2" in out
    assert "the tower: - (empty hit)" in out


def test_scripted_hits(run, tmp_path):
    (tmp_path / "hits.txt").write_text("w2\n" * 3)
    args = ("--players", "greedy,greedy", "--source", "scripted", "--hits", "hits.txt")
    status, _, err = trollfjord(run, *args, "--seed", "1", "--watch")
    assert status == 2
    assert "no answer left" in err


def test_a_bot_of_ones_own(run, tmp_path):
    (tmp_path / "my_bot.py").write_text(
        "class Bot:\n    def decide(self, state, actions, rng):\n        return actions[0]\n"
    )
    args = ("--players", "my_bot.py:Bot,greedy", "--source", "bag", "--seed", "2", "--json")
    status, out, _ = trollfjord(run, *args)
    assert status == 0
    assert json.loads(out)["players"][0]["kind"] == "my_bot.py:Bot"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--players", "human"], "players"),
        (["--players", "random,random,random,random,random"], "players"),
        (["--players", "clever,random"], "one of human, random, greedy"),
        (["--board", "none.toml"], "none.toml: No such file"),
        (["--board", "bad.toml"], "bad.toml: board: "),
        (["--numbers", "1,2"], "two each of 1, 2 and 3"),
        (["--numbers", "one"], "whole numbers"),
        (["--walkways", "1,2,3"], "each of 1 to 10 once"),
        (["--source", "scripted"], "--hits"),
        (["--source", "scripted", "--hits", "none.txt"], "none.txt"),
        (["--source", "bag", "--tower", "none.toml"], "--tower"),
        (["--tower", "none.toml"], "none.toml"),
        (["--resume", "none.jsonl"], "none.jsonl"),
        (["--resume", "none.jsonl", "--seed", "4"], "--seed is settled by the log"),
        (["--log", "bad.toml"], "--resume"),
        (["--log", "nowhere/game.jsonl"], "nowhere"),
        (["--seed", "-1"], "seed"),
        (["--seed", "99999999999999999999999"], "seed"),
    ],
)
def test_bad_input_is_one_clear_line(run, tmp_path, args, message):
    (tmp_path / "bad.toml").write_text("name = 3\n")
    players = [] if "--players" in args or "--resume" in args else ["--players", "random,greedy"]
    status, _, err = trollfjord(run, *args, *players)
    assert status == 2
    assert message in err
    assert not (tmp_path / "game.jsonl").exists()


def test_a_board_of_ones_own(run, tmp_path):
    (tmp_path / "mine.toml").write_text(BOARD.replace("forest1", "oldwood"))
    args = ("--players", "greedy,greedy", "--source", "bag", "--seed", "2", "--board", "mine.toml")
    status, out, _ = trollfjord(run, *args, "--numbers", "shuffled", "--log", "game.jsonl")
    assert status == 0
    assert "oldwood" in out
    (tmp_path / "mine.toml").unlink()
    assert run("replay", "game.jsonl")[0] == 0  # the log holds the board


def test_replay_says_where_a_log_breaks(run, tmp_path):
    args = ("--players", "greedy,greedy", "--source", "bag", "--seed", "2", "--log", "game.jsonl")
    trollfjord(run, *args)
    lines = (tmp_path / "game.jsonl").read_text().splitlines()
    number = next(i for i, line in enumerate(lines) if "move placement" in line)
    lines[number] = lines[number].replace("move placement", "place 1")
    (tmp_path / "game.jsonl").write_text("\n".join(lines) + "\n")
    status, _, err = run("replay", "game.jsonl")
    assert status == 2
    assert f"game.jsonl: line {number + 1}: 'place 1" in err
    (tmp_path / "empty.jsonl").write_text("")
    assert "no header" in run("replay", "empty.jsonl")[2]
    assert run("replay", "none.jsonl")[0] == 2


def test_a_finished_game_is_not_resumed(run):
    args = ("--players", "greedy,greedy", "--source", "bag", "--seed", "2", "--log", "game.jsonl")
    trollfjord(run, *args)
    status, _, err = trollfjord(run, "--resume", "game.jsonl")
    assert status == 2
    assert "over" in err
    status, out, _ = run("replay", "game.jsonl", "--json")
    assert json.loads(out)["finished"]


def test_an_interrupted_game_is_gone_on_with(run, tmp_path):
    """Unlike after `quit`, which ends with status 0, what was asked for isn't done."""
    (tmp_path / "restless.py").write_text(
        "from pathlib import Path\n"
        "from rocktower.play import GreedyBot\n"
        "class Bot(GreedyBot):\n"
        "    def decide(self, state, actions, rng):\n"
        "        if state.turns == 3 and not Path('left').exists():\n"
        "            Path('left').touch()\n"
        "            raise KeyboardInterrupt\n"
        "        return super().decide(state, actions, rng)\n"
    )
    args = ("--players", "restless.py:Bot,greedy", "--source", "bag", "--seed", "2")
    status, out, err = trollfjord(run, *args, "--log", "game.jsonl")
    assert status == 130
    assert "go on with: rocktower play trollfjord --resume game.jsonl" in err
    assert "is King of the Trolls" not in out
    assert trollfjord(run, "--resume", "game.jsonl", "--json")[0] == 0
    trollfjord(run, *args, "--log", "whole.jsonl")  # without a break, now that it has left once
    assert (tmp_path / "game.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_killed_game_goes_on_and_ends_as_if_it_had_not_been(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW_BOT)
    play = [sys.executable, "-c", "from rocktower.cli import main; main()", "play", "trollfjord"]
    args = ["--players", "slow.py:Slow,slow.py:Slow", "--source", "bag", "--seed", "7", "--json"]
    whole = subprocess.run(
        [*play, *args, "--log", "whole.jsonl"], cwd=tmp_path, check=True, capture_output=True
    )
    game = subprocess.Popen(
        [*play, *args, "--log", "game.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    waited = time.monotonic()
    while lines_of(tmp_path / "game.jsonl") < 40 and time.monotonic() < waited + 30:
        time.sleep(0.01)
    game.send_signal(signal.SIGKILL)
    game.wait()
    done = lines_of(tmp_path / "game.jsonl")
    assert done >= 40
    assert b'"end"' not in (tmp_path / "game.jsonl").read_bytes()
    resumed = subprocess.run(
        [*play, "--resume", "game.jsonl", "--json"], cwd=tmp_path, check=True, capture_output=True
    )
    assert (tmp_path / "game.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    one, two = json.loads(whole.stdout), json.loads(resumed.stdout)
    assert one | {"log": None} == two | {"log": None}
