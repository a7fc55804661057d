"""`rocktower view`, `--movie`, `--window` and `replay` of hammering logs, as people call them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from PIL import Image

NO_DISPLAY = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"}


def without_display(folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in NO_DISPLAY}
    return subprocess.run(
        [sys.executable, "-m", "rocktower", *arguments], cwd=folder, env=environment,
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere is always a display")
@pytest.mark.parametrize(
    "arguments", [("view", "--seed", "1"), ("play", "trollfjord", "--seed", "1", "--window")]
)
def test_without_a_display_one_line_says_so_and_how_to_export(tmp_path, arguments) -> None:
    done = without_display(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    said = [line for line in done.stderr.splitlines() if line.startswith("rocktower: ")]
    assert len(said) == 1
    assert "no display" in said[0]
    assert "hammer --movie" in said[0]
    assert "Traceback" not in done.stderr


def test_a_movie_without_a_display(tmp_path) -> None:
    done = without_display(
        tmp_path, "hammer", "--hits", "1", "--seed", "3", "--movie", "hit.gif",
        "--movie-rate", "1", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["seed"] == 3  # nothing else on standard output
    with Image.open(tmp_path / "hit.gif") as image:
        assert image.n_frames > 10


def test_a_movie_changes_no_hit(rocktower) -> None:
    plain = rocktower("hammer", "--hits", "3", "--seed", "5", "--json").json
    filmed = rocktower("hammer", "--hits", "3", "--seed", "5", "--json", "--movie", "end.png").json
    assert plain == filmed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("hammer", "--movie", "hit.avi"), "ends in"),
        (("hammer", "--movie", "no/hit.gif"), "there is no folder"),
        (("hammer", "--movie", "hit.gif", "--movie-rate", "0"), "movie-rate"),
        (("view", "--striker", "strong"), "choose gentle, normal, firm"),
        (("view", "--grip", "tight"), "choose loose, held, pressed"),
        (("view", "--limit", "10"), "limit"),
        (("view", "--tower", "none.toml"), "none.toml"),
        (("view", "--log", "none.jsonl"), "none.jsonl"),
        (("view", "--log", "x.jsonl", "--seed", "1"), "settled by the log"),
        (("play", "trollfjord", "--source", "bag", "--window"), "--window shows the simulated"),
        (("replay", "none.jsonl"), "none.jsonl"),
    ],
)
def test_bad_input_is_one_line(rocktower, monkeypatch, arguments, said) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    done = rocktower(*arguments)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


def test_a_hammering_log_is_replayed(rocktower, tmp_path) -> None:
    assert rocktower("hammer", "--hits", "3", "--seed", "7", "--grip", "loose",
                     "--log", "evening.jsonl").status == 0  # fmt: skip
    done = rocktower("replay", "evening.jsonl")
    assert done.status == 0
    assert done.out.count("agrees") == 3
    assert "3 of 3 hits agree" in done.out
    lines = (tmp_path / "evening.jsonl").read_text().splitlines()
    event = json.loads(lines[3])
    event["boulders"] = event["boulders"][1:] or [0]
    colors = {row["id"]: row["color"] for row in event["state"]["boulders"]}
    event["colors"] = [colors[number] for number in event["boulders"]]
    lines[3] = json.dumps(event)
    (tmp_path / "other.jsonl").write_text("\n".join(lines))
    done = rocktower("replay", "other.jsonl")
    assert done.status == 1
    assert done.out.count("DIVERGED") == 1
    data = json.loads(rocktower("replay", "other.jsonl", "--json").out)
    assert [hit["agrees"] for hit in data["hits"]] == [True, False, True]
    assert data["agreeing"] == 2
    assert rocktower("replay", "other.jsonl", "--events").status == 2


def test_a_log_of_another_tower_is_refused(rocktower, tmp_path) -> None:
    rocktower("hammer", "--hits", "1", "--seed", "7", "--log", "evening.jsonl")
    text = (tmp_path / "evening.jsonl").read_text()
    header = json.loads(text.splitlines()[0])
    text = text.replace(header["model"]["hash"], "0" * 16)
    (tmp_path / "other.jsonl").write_text(text)
    done = rocktower("replay", "other.jsonl")
    assert done.status == 2
    assert "made with the tower model" in done.err


def test_a_log_without_grip_and_cover_is_refused(rocktower, tmp_path) -> None:
    rocktower("hammer", "--hits", "1", "--seed", "7", "--log", "evening.jsonl")
    lines = (tmp_path / "evening.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    for wrong in ({"grip": 5}, {"cover": "half"}, {"grip": "tight"}, {"cover": 3}):
        changed = header | {"model": header["model"] | wrong}
        (tmp_path / "other.jsonl").write_text("\n".join([json.dumps(changed), *lines[1:]]))
        for command in (("replay", "other.jsonl"), ("view", "--log", "other.jsonl")):
            done = rocktower(*command)
            assert done.status == 2
            assert done.out == ""
