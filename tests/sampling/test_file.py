"""A sample's file: the same for any workers, after a kill, and on a Dask cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rocktower import RocktowerError, Striker, TowerModel
from rocktower.sampling import (
    Sample,
    dask_executor,
    local_executor,
    parts_folder,
    read_hits,
    read_note,
    sample_to_file,
)

SEED, TURNS, HITS, EACH = 12, 8, 2, 2


def command(out: Path, turns: int, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "rocktower", "sample", "--turns", str(turns), "--hits", str(HITS),
        "--turns-per-filling", str(EACH), "--seed", str(SEED), "--out", str(out), *more,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def sample(model: TowerModel) -> Sample:
    return Sample(model, Striker.named("normal"), SEED, TURNS, HITS, EACH)


@pytest.fixture(scope="module")
def straight(sample: Sample, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a run with one worker and without a break."""
    out = tmp_path_factory.mktemp("straight") / "hits.csv"
    with local_executor(1) as one:
        sample_to_file(sample, out, one)
    return out


def test_the_file_has_a_row_a_hit_and_a_note(sample: Sample, straight: Path) -> None:
    table = read_hits(straight)
    assert len(table) == TURNS * HITS
    assert table.unit.tolist() == [unit for unit in range(4) for _ in range(EACH * HITS)]
    assert read_note(straight) == {**sample.fingerprint(), "rows": TURNS * HITS}
    assert sorted(p.name for p in straight.parent.iterdir()) == ["hits.csv", "hits.csv.json"]


@pytest.mark.parametrize("jobs", [2, 3])
def test_any_number_of_workers_gives_the_same_bytes(
    sample: Sample, straight: Path, tmp_path: Path, jobs: int
) -> None:
    with local_executor(jobs) as executor:
        sample_to_file(sample, tmp_path / "hits.csv", executor)
    assert (tmp_path / "hits.csv").read_bytes() == straight.read_bytes()


def test_killed_in_the_middle_and_resumed_it_is_the_same_file(
    sample: Sample, tmp_path: Path
) -> None:
    sample = replace(sample, turns=2 * TURNS)  # enough to be in the middle of
    out, straight = tmp_path / "hits.csv", tmp_path / "straight.csv"
    parts = parts_folder(out)
    killed = command(out, sample.turns, "--jobs", "2")
    with subprocess.Popen(killed, stdout=subprocess.PIPE) as process:
        while len(list(parts.glob("*.shard"))) < 1:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.005)
        process.kill()
        process.communicate(timeout=60)  # ends when no worker holds its output any more
    assert process.returncode == -signal.SIGKILL
    assert not out.exists()
    assert 1 <= len(list(parts.glob("*.shard"))) < len(sample.tasks)
    with local_executor(1) as one:
        with pytest.raises(RocktowerError, match="was begun before; go on with --resume"):
            sample_to_file(sample, out, one)
        with pytest.raises(RocktowerError, match="was begun with seed 12, not 13"):
            sample_to_file(replace(sample, seed=13), out, one, resume=True)
        sample_to_file(sample, out, one, resume=True)
        sample_to_file(sample, straight, one)
    assert out.read_bytes() == straight.read_bytes()
    assert not parts.exists()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals to other processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_says_how_to_go_on(
    straight: Path, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "hits.csv"
    with subprocess.Popen(
        command(out, TURNS, "--jobs", "1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        while not list(parts_folder(out).glob("*.shard")):
            assert process.poll() is None, "it ended before it could be interrupted"
            time.sleep(0.005)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command with --resume goes on" in said
    assert "Traceback" not in said
    done = subprocess.run(
        command(out, TURNS, "--jobs", "1", "--resume"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "16 hits in 8 turns" in done.stdout
    assert out.read_bytes() == straight.read_bytes()


def test_killed_after_the_last_shard_it_is_put_together(
    sample: Sample, straight: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "hits.csv"

    def full_disk(*_: object) -> bytes:
        raise OSError(28, "No space left on device")

    with local_executor(1) as one:
        with monkeypatch.context() as patch:
            patch.setattr("rocktower.sampling._file.encode_table", full_disk)
            with pytest.raises(OSError, match="No space"):
                sample_to_file(sample, out, one)
        assert not out.exists()
        told: list[int] = []
        sample_to_file(
            sample, out, one, resume=True, progress=lambda done, total, left: told.append(done)
        )
        assert told == [4]  # nothing was run again
        before = out.stat().st_mtime_ns
        again = sample_to_file(sample, out, one, resume=True)  # complete: left as it is
    assert out.read_bytes() == straight.read_bytes()
    assert out.stat().st_mtime_ns == before
    assert again == read_note(straight)


def test_a_file_of_something_else_is_left_alone(sample: Sample, tmp_path: Path) -> None:
    out = tmp_path / "hits.csv"
    out.write_text("mine")
    with local_executor(1) as one:
        with pytest.raises(RocktowerError, match="exists already; name a new file"):
            sample_to_file(sample, out, one)
        with pytest.raises(RocktowerError, match="with no note of a sample"):
            sample_to_file(sample, out, one, resume=True)
        (tmp_path / "hits.csv.json").write_text("no")
        with pytest.raises(RocktowerError, match="not the note of a sample"):
            sample_to_file(sample, out, one, resume=True)
        (tmp_path / "new.csv.json").touch()
        with pytest.raises(RocktowerError, match=r"new\.csv\.json: exists already"):
            sample_to_file(sample, tmp_path / "new.csv", one)
        with pytest.raises(RocktowerError, match="there is no folder"):
            sample_to_file(sample, tmp_path / "none" / "hits.csv", one)
    assert out.read_text() == "mine"


def test_parquet_is_the_same_for_any_workers(sample: Sample, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is an extra")
    small = replace(sample, turns=2, hits=1, turns_per_filling=1)
    for jobs in (1, 2):
        with local_executor(jobs) as executor:
            sample_to_file(small, tmp_path / f"{jobs}.parquet", executor)
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()
    assert len(read_hits(tmp_path / "1.parquet")) == 2


def test_a_dask_cluster_gives_the_same_bytes(
    sample: Sample, straight: Path, tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is an extra")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        dask_executor(cluster.scheduler_address) as executor,
    ):
        sample_to_file(sample, tmp_path / "hits.csv", executor)
    assert (tmp_path / "hits.csv").read_bytes() == straight.read_bytes()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at"),
        ("127.0.0.1:1", "no Dask scheduler answers at"),
        ("tcp://127.0.0.1:x", "is no Dask scheduler"),
        ("http://127.0.0.1:8786", "is no Dask scheduler"),
        ("", "is no Dask scheduler"),
    ],
)
def test_no_dask_scheduler_is_one_clear_line(
    address: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="Dask is an extra")
    monkeypatch.setattr("rocktower.sampling._executors._PATIENCE", 0.2)
    with pytest.raises(RocktowerError, match=says) as caught, dask_executor(address):
        pass
    assert "\n" not in str(caught.value)
