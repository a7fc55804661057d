"""`rocktower sample` as people run it, and the commands of its page."""

from __future__ import annotations

import json
import re
import shlex
from contextlib import ExitStack
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

from rocktower import TowerModel
from rocktower.cli._progress import ProgressBar
from rocktower.sampling import read_hits
from tests.cli.conftest import local_cluster

PAGE = Path(__file__).parents[2] / "docs" / "sampling.md"
SMALL = ("--turns", 2, "--hits", 2, "--turns-per-filling", 1)


def test_json_is_one_object_that_is_also_kept(rocktower, tmp_path: Path) -> None:
    data = rocktower("sample", *SMALL, "--seed", 4, "--out", "a.csv", "--json").json
    assert data.pop("file") == "a.csv"
    assert data == json.loads((tmp_path / "a.csv.json").read_text())
    assert (data["seed"], data["turns"], data["hits"], data["rows"]) == (4, 2, 2, 4)
    assert data["tower_hash"] == TowerModel.load().hash
    assert read_hits(tmp_path / "a.csv").unit.tolist() == [0, 0, 1, 1]


def test_the_seed_is_told_and_repeats_the_file(rocktower, tmp_path: Path) -> None:
    said = rocktower("sample", *SMALL, "--out", "a.csv", "--jobs", 1).out
    assert "4 hits in 2 turns and 2 fillings" in said
    (seed,) = re.findall(r"--seed (\d+) repeats this", said)
    rocktower("sample", *SMALL, "--out", "b.csv", "--jobs", 2, "--seed", seed)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_options_reach_the_strikes(rocktower, tmp_path: Path) -> None:
    text = (files("rocktower.tower") / "data" / "default.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(text.replace('name = "default"', 'name = "mine"'))
    data = rocktower(
        "sample", "--turns", 1, "--hits", 1, "--out", "a.csv", "--striker", "firm", "--grip",
        "pressed", "--cover", 1, "--tower", "mine.toml", "--json",
    ).json  # fmt: skip
    assert (data["striker"], data["grip"], data["cover"]) == ("firm", "pressed", 1.0)
    assert data["tower"] == "mine"
    assert data["tower_hash"] == TowerModel.load().held("pressed", 1.0).hash


def test_interrupted_and_resumed_without_naming_the_seed(
    rocktower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = ProgressBar.show

    def stop(bar: ProgressBar, done: int, total: int, seconds_left: float | None) -> None:
        show(bar, done, total, seconds_left)
        if done == 1:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ProgressBar, "show", stop)
        broken = rocktower("sample", *SMALL, "--out", "a.csv", "--jobs", 1)
    assert broken.status == 130
    assert "of 2 tasks are kept in a.csv.parts; the same command with --resume" in broken.err
    seed = json.loads((tmp_path / "a.csv.parts/manifest.json").read_text())["fingerprint"]["seed"]
    again = rocktower("sample", *SMALL, "--out", "a.csv", "--seed", seed)
    assert again.status == 2
    assert "was begun before" in again.err
    other = rocktower("sample", *SMALL[:-1], 2, "--out", "a.csv", "--resume")
    assert other.status == 2
    assert "was begun with turns_per_filling 1, not 2" in other.err
    assert rocktower("sample", *SMALL, "--out", "a.csv", "--resume", "--json").json["seed"] == seed
    assert not (tmp_path / "a.csv.parts").exists()
    whole = rocktower("sample", *SMALL, "--out", "b.csv", "--seed", seed)
    assert whole.status == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_dask_cluster_by_its_address(rocktower, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is an extra")
    with local_cluster() as cluster:
        done = rocktower(
            "sample", *SMALL, "--seed", 6, "--out", "a.csv", "--dask", cluster.scheduler_address
        )
    assert done.status == 0, done.err
    rocktower("sample", *SMALL, "--seed", 6, "--out", "b.csv", "--jobs", 1)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Missing option '--out'"),
        (["--out", "a.txt"], "ends in .csv or .parquet"),
        (["--out", "none/a.csv"], "there is no folder none"),
        (["--out", "a.csv", "--turns", "0"], "0 is not in the range"),
        (["--out", "a.csv", "--hits", "many"], "'many' is not a valid integer"),
        (["--out", "a.csv", "--striker", "troll"], "choose gentle, normal, firm"),
        (["--out", "a.csv", "--grip", "tight"], "choose loose, held, pressed"),
        (["--out", "a.csv", "--cover", "2"], "cover 2"),
        (["--out", "a.csv", "--tower", "none.toml"], "no such file"),
        (["--out", "a.csv", "--seed", "-1"], "-1 is not in the range"),
        (["--out", "a.csv", "--dask", "x", "--jobs", "2"], "the cluster decides"),
    ],
)
def test_bad_input_is_one_clear_line(
    rocktower, tmp_path: Path, arguments: list[str], says: str
) -> None:
    done = rocktower("sample", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert says in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_tower_that_leaks_is_one_clear_line(rocktower, tmp_path: Path) -> None:
    text = (files("rocktower.tower") / "data" / "default.toml").read_text("utf-8")
    leaky = text.replace("outlet_width = { value = 25", "outlet_width = { value = 90").split(
        "[[levels]]"
    )
    (tmp_path / "leaky.toml").write_text(leaky[0] + "[hammer]" + leaky[-1].split("[hammer]")[1])
    done = rocktower("sample", *SMALL, "--out", "a.csv", "--tower", "leaky.toml", "--jobs", 1)
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert "task 0: the tower does not hold its boulders" in done.err


def documented() -> list[list[str]]:
    """The page's commands, with few turns: what else they say is taken as it stands."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("rocktower ")]
    return [
        shlex.split(re.sub(r"--turns \d+", "--turns 2", line), comments=True)[1:] for line in lines
    ]


def test_every_command_of_the_page_runs(rocktower) -> None:
    """In their order and in one folder; those that need an extra, where it is installed."""
    commands = documented()
    assert len(commands) >= 5
    missing = set()
    for arguments in commands:
        dask = "--dask" in arguments
        parquet = any(name.endswith(".parquet") for name in arguments)
        needed = "distributed" if dask else "pyarrow" if parquet else "rocktower"
        if find_spec(needed) is None:
            missing.add(needed)
            continue
        with ExitStack() as stack:
            if dask:
                address = stack.enter_context(local_cluster()).scheduler_address
                arguments[arguments.index("--dask") + 1] = address
            done = rocktower(*arguments)
        assert done.status == 0, f"{arguments}: {done.err}"
        assert done.out
    if missing:
        pytest.skip(f"the other commands ran; not installed: {', '.join(sorted(missing))}")
