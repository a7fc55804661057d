"""`rocktower hammer` as people run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rocktower import RocktowerError, TowerModel
from rocktower.tower import COLORS, decode_log


def test_json_is_one_object_with_everything(rocktower) -> None:
    done = rocktower("hammer", "--hits", "4", "--seed", "7", "--json")
    assert done.status == 0
    assert done.err == ""
    data = done.json
    assert list(data) == ["seed", "model", "hits", "totals", "inside"]
    assert data["seed"] == 7
    assert data["model"] == {"name": "default", "hash": TowerModel.load().hash}
    assert [hit["n"] for hit in data["hits"]] == [1, 2, 3, 4]
    for hit in data["hits"]:
        assert hit["strike"]["side"] in ("left", "right")
        assert hit["strike"]["speed_m_s"] > 0
        assert hit["strike"]["height_m"] > 0
        assert hit["empty"] == (not hit["boulders"])
        assert hit["counts"] == {c: hit["boulders"].count(c) for c in COLORS}
    assert data["totals"] == {c: sum(h["counts"][c] for h in data["hits"]) for c in COLORS}
    assert data["inside"] == 44 - sum(data["totals"].values())


def test_a_seed_repeats_a_run_and_a_run_without_one_tells_it(rocktower) -> None:
    first = rocktower("hammer", "--hits", "2", "--json").json
    again = rocktower("hammer", "--hits", "2", "--json", "--seed", str(first["seed"]))
    assert json.loads(again.out) == first
    assert f"--seed {first['seed']} repeats this" in rocktower(
        "hammer", "--hits", "2", "--seed", str(first["seed"])
    ).out.replace("\n", " ")


def test_options_reach_the_strike(rocktower) -> None:
    done = rocktower(
        "hammer", "--hits", "3", "--side", "alternate", "--speed", "2.5", "--height", "0.1",
        "--grip", "pressed", "--striker", "firm", "--cover", "1", "--seed", "1", "--json",
    )  # fmt: skip
    strikes = [hit["strike"] for hit in done.json["hits"]]
    assert [s["side"] for s in strikes] == ["left", "right", "left"]
    assert all(s["speed_m_s"] == 2.5 and s["height_m"] == 0.1 for s in strikes)


def test_the_table_shows_every_hit(rocktower, monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    arguments = ("hammer", "--hits", "9", "--seed", "3")
    data = rocktower(*arguments, "--json").json
    table = rocktower(*arguments).out
    assert "\x1b" not in table
    assert table.count("empty hit") == sum(hit["empty"] for hit in data["hits"])
    assert f"{data['inside']} of 44 boulders left inside" in table
    assert "--seed 3" in table.replace("\n", " ")
    assert sum(table.count(f"■{c[0]} ") for c in COLORS) >= sum(data["totals"].values())


def test_colors_and_a_drawing_on_a_terminal() -> None:
    pty = pytest.importorskip("pty")

    def run(**environment: str) -> str:
        main, other = pty.openpty()
        os.environ.pop("NO_COLOR", None)
        process = subprocess.Popen(
            [sys.executable, "-m", "rocktower", "hammer", "--hits", "1", "--seed", "3"],
            stdout=other, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8",
                 "COLUMNS": "90", **environment},
        )  # fmt: skip
        os.close(other)
        parts = []
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:
                break
            if not part:
                break
            parts.append(part)
        assert process.wait() == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
        process.stderr.close()
        os.close(main)
        return b"".join(parts).decode()

    colored = run()
    assert "\x1b[" in colored
    assert "█" in colored  # the drawing's walls
    plain = run(NO_COLOR="1")
    assert "\x1b[9" not in plain  # no bright colors


def test_the_log_holds_the_run_and_replays(rocktower, tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    done = rocktower("hammer", "--hits", "3", "--seed", "5", "--json", "--log", str(log))
    assert done.status == 0
    data = done.json
    decoded = decode_log(log.read_text(), str(log))
    assert decoded.header["seed"] == 5
    assert decoded.header["model"]["hash"] == data["model"]["hash"]
    assert len(decoded.hits) == 3
    assert all(replayed.agrees for replayed in decoded.replay(TowerModel.load()))
    assert [p.name for p in tmp_path.iterdir()] == ["evening.jsonl"]
    before = log.read_bytes()
    second = rocktower("hammer", "--hits", "1", "--log", str(log))
    assert second.status == 2
    assert "exists already" in second.err
    assert log.read_bytes() == before


def test_another_tower_file(rocktower, tmp_path: Path) -> None:
    from importlib.resources import files

    text = (files("rocktower.tower") / "data" / "default.toml").read_text("utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('name = "default"', 'name = "mine"'))
    data = rocktower("hammer", "--hits", "1", "--tower", str(file), "--json").json
    assert data["model"]["name"] == "mine"
    leaky = text.replace("outlet_width = { value = 25", "outlet_width = { value = 90").split(
        "[[levels]]"
    )
    file.write_text(leaky[0] + "[hammer]" + leaky[-1].split("[hammer]")[1])
    done = rocktower("hammer", "--tower", str(file))
    assert done.status == 2
    assert "does not hold its boulders" in done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--side", "front"], "never hit the front or back"),
        (["--side", "top"], "left or right"),
        (["--speed", "-1"], "speed -1"),
        (["--speed", "nan"], "speed nan"),
        (["--speed", "1e9"], "0 to 20"),
        (["--speed", "fast"], "'fast' is not a valid float"),
        (["--height", "3"], "above the tower"),
        (["--height", "-1"], "height -1"),
        (["--hits", "0"], "0 is not in the range"),
        (["--grip", "tight"], "choose loose, held, pressed"),
        (["--striker", "troll"], "choose gentle, normal, firm"),
        (["--cover", "2"], "cover 2"),
        (["--seed", "-1"], "seed -1"),
        (["--tower", "/none.toml"], "no such file"),
        (["--log", "/nowhere/x.jsonl"], "there is no folder"),
        (["--bogus"], "No such option"),
        (["extra"], "unexpected extra argument"),
    ],
)
def test_bad_input_is_one_clear_line(rocktower, arguments: list[str], says: str) -> None:
    done = rocktower("hammer", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert says in done.err
    assert done.err.count("\n") == 1


def test_debug_lets_the_traceback_through(rocktower) -> None:
    with pytest.raises(RocktowerError, match="never hit the front"):
        rocktower("--debug", "hammer", "--side", "front")


def test_version_and_help(rocktower) -> None:
    assert rocktower("--version").out.startswith("rocktower, version ")
    assert "hammer" in rocktower("--help").out
    assert rocktower("bogus").status == 2


def test_a_terminal_without_the_marks_still_shows_the_hits() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rocktower", "hammer", "--hits", "1", "--seed", "11"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "--seed 11 repeats this" in done.stdout
