"""`rocktower emulate` and `rocktower export-table` as people run them, on very few turns."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from rocktower import TowerModel
from rocktower.emulator import Emulator, _games
from rocktower.sampling import parts_folder
from rocktower.tower import encode_model

PAGE = Path(__file__).parents[2] / "docs" / "emulator.md"


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_games, "_GAMES_A_TASK", 1)


def test_a_tower_of_ones_own_is_emulated_played_and_exported(
    rocktower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = TowerModel.load()
    wider = replace(
        model, geometry=replace(model.geometry, outlet_width=model.geometry.outlet_width + 0.002)
    )
    (tmp_path / "mine.toml").write_text(encode_model(wider))
    command = ("emulate", "--tower", "mine.toml", "--out", "mine.npz", "--turns", 4, "--jobs", 1)

    def interrupt(*_: object, **_named: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("rocktower.emulator._making.learn", interrupt)
        broken = rocktower(*command, "--seed", 5)
        assert broken.status == 130
        assert "--resume goes on" in broken.err
    assert parts_folder(tmp_path / "mine.npz").is_dir()
    again = rocktower(*command, "--seed", 5)
    assert (again.status, "--resume" in again.err) == (2, True)
    made = rocktower(*command, "--resume", "--json").json
    assert (made["seed"], made["turns"], made["tower_hash"]) == (5, 4, wider.hash)
    assert made["hits"] > 10
    assert not parts_folder(tmp_path / "mine.npz").exists()
    emulator = Emulator.load(tmp_path / "mine.npz")
    assert emulator.hash == made["hash"]
    assert emulator.note["striker"]["name"] == "normal"
    assert rocktower(*command, "--resume").status == 0  # it is complete
    assert rocktower(*command).status == 2

    play = ("play", "trollfjord", "--players", "greedy,greedy", "--source", "emulator")
    refused = rocktower(*play, "--emulator", "mine.npz")
    assert refused.status == 2
    assert "stands for tower model" in refused.err
    exported = rocktower("export-table", "--emulator", "mine.npz", "--out", "web", "--json").json
    assert exported["emulator"] == emulator.hash
    assert json.loads((tmp_path / "web" / "emulator.json").read_text())["hits"] == made["hits"]
    assert rocktower("export-table", "--out", "web").status == 2


def test_a_game_with_the_shipped_emulator(rocktower, tmp_path: Path) -> None:
    play = ("play", "trollfjord", "--players", "greedy,greedy", "--source", "emulator")
    done = rocktower(*play, "--seed", 5, "--log", "a.jsonl", "--json").json
    assert (done["source"], done["finished"]) == ("emulator", True)
    header = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    assert header["versions"]["emulator"] == Emulator.load().hash
    again = rocktower(*play, "--seed", 5, "--json").json
    assert again["players"] == done["players"]
    shown = rocktower("replay", "a.jsonl")
    assert shown.status == 0
    assert "all within the rules" in shown.out
    assert f"emulator {Emulator.load().hash}" in shown.out
    agreed = rocktower("replay", "a.jsonl", "--json").json
    assert agreed["hits"] > 5
    assert agreed["different"] == 0
    lines = (tmp_path / "a.jsonl").read_text().splitlines(keepends=True)
    number = next(
        n for n, line in enumerate(lines) if '"hit"' in line and '"answer":"-"' not in line
    )
    event = json.loads(lines[number])
    kept = event["answer"]
    altered = [*lines]
    altered[number] = json.dumps({**event, "answer": "-"}) + "\n"
    (tmp_path / "altered.jsonl").write_text("".join(altered[: number + 1]))
    found = rocktower("replay", "altered.jsonl")
    assert found.status == 1
    assert found.err.count("\n") == 1
    assert f"the first is event {event['n']}, - in the log and {kept} when drawn again" in found.err
    assert rocktower("replay", "altered.jsonl", "--json").status == 1
    text = lines[0].replace(Emulator.load().hash, "f" * 16)
    (tmp_path / "other.jsonl").write_text(text + "".join(lines[1:]))
    Emulator.load().save(tmp_path / "shipped.npz")
    refused = rocktower("replay", "other.jsonl", "--emulator", "shipped.npz")
    assert (refused.status, "begun with the emulator ffff" in refused.err) == (2, True)
    followed = rocktower("replay", "other.jsonl")  # a log replays without its emulator
    assert (followed.status, "ffff is not the shipped one" in followed.err) == (0, True)


def test_the_commands_of_the_page_run(rocktower) -> None:
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    lines = [shlex.split(line) for line in block.splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert line[0] == "rocktower"
        assert rocktower(*line[1:]).status == 0
