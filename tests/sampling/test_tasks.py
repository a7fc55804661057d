"""The task runner: shards, manifests, interruptions, failures."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from rocktower import RocktowerError
from rocktower.sampling import dask_executor, local_executor, read_fingerprint, run_tasks

PRINT = {"seed": 5, "turns": 7}


def square(number: int) -> bytes:
    return b"%d\n" % number**2


def die(number: int) -> bytes:
    os._exit(3 + number)


def fail_on_odd(notes: Path, number: int) -> bytes:
    (notes / str(number)).touch()
    if number % 2:
        raise ValueError(f"{number} is\nodd")
    return square(number)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_shards_are_the_same_for_any_executor(tmp_path: Path) -> None:
    with local_executor(1) as one:
        paths = run_tasks(square, range(5), PRINT, tmp_path / "1", one)
    assert [path.read_bytes() for path in paths] == [b"0\n", b"1\n", b"4\n", b"9\n", b"16\n"]
    with local_executor(2) as processes:
        run_tasks(square, range(5), PRINT, tmp_path / "2", processes)
    with ThreadPoolExecutor(3) as threads:
        run_tasks(square, [4, 2, 0, 1, 3], PRINT, tmp_path / "3", threads)
    assert content(tmp_path / "1") == content(tmp_path / "2") == content(tmp_path / "3")
    assert read_fingerprint(tmp_path / "1") == PRINT
    assert read_fingerprint(tmp_path / "none") is None


def test_progress_counts_and_estimates(tmp_path: Path) -> None:
    told: list[tuple[int, int, float | None]] = []
    with local_executor(1) as one:
        run_tasks(square, range(3), PRINT, tmp_path, one, lambda *news: told.append(news))
        assert [(done, total) for done, total, _ in told] == [(k, 3) for k in range(4)]
        assert told[0][2] is None
        assert told[-1][2] == 0.0
        told.clear()
        (tmp_path / "000001.shard").unlink()
        run_tasks(square, range(3), PRINT, tmp_path, one, lambda *news: told.append(news))
    assert [done for done, _, _ in told] == [2, 3]


def test_only_what_is_missing_is_run_again(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    function = partial(fail_on_odd, notes)
    with local_executor(1) as one:
        run_tasks(function, [0, 2, 4], PRINT, tmp_path / "shards", one)
        for note in notes.iterdir():
            note.unlink()
        (tmp_path / "shards" / "000002.shard").unlink()
        run_tasks(function, [0, 2, 4], PRINT, tmp_path / "shards", one)
    assert [note.name for note in notes.iterdir()] == ["2"]


def test_another_job_is_refused_and_told_what_differs(tmp_path: Path) -> None:
    with local_executor(1) as one:
        run_tasks(square, range(2), PRINT, tmp_path, one)
        with pytest.raises(RocktowerError, match=r"begun with seed 5, not 6; .* None, not 1$"):
            run_tasks(square, range(2), {"seed": 6, "turns": 7, "hits": 1}, tmp_path, one)


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', '{"format": 1', "\xff"])
def test_a_manifest_that_is_none_is_one_clear_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(RocktowerError, match=r"manifest\.json: not a manifest of shards"):
        read_fingerprint(tmp_path)


def test_shards_without_a_manifest_are_not_taken_for_ours(tmp_path: Path) -> None:
    (tmp_path / "000000.shard").touch()
    with local_executor(1) as one, pytest.raises(RocktowerError, match="without manifest"):
        run_tasks(square, range(2), PRINT, tmp_path, one)


def test_a_failed_task_is_named_and_the_others_are_kept(tmp_path: Path) -> None:
    function = partial(fail_on_odd, tmp_path)
    with local_executor(1) as one:
        with pytest.raises(
            RocktowerError, match=r"^task 3: ValueError.*odd.* \(1 failed; 3 of 4 tasks are kept in"
        ):
            run_tasks(function, [0, 2, 3, 4], PRINT, tmp_path / "shards", one)
        run_tasks(square, [0, 2, 3, 4], PRINT, tmp_path / "shards", one)
    assert (tmp_path / "shards" / "000003.shard").read_bytes() == b"9\n"


def test_a_run_that_always_fails_ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocktower.sampling._tasks._AHEAD", 8)
    notes = tmp_path / "notes"
    notes.mkdir()
    with local_executor(1) as one, pytest.raises(RocktowerError, match="task 1: ValueError"):
        run_tasks(partial(fail_on_odd, notes), range(1, 401, 2), PRINT, tmp_path / "shards", one)
    assert 3 <= len(list(notes.iterdir())) <= 3 * 8  # each look may find all of them failed


def test_a_worker_that_dies_is_one_clear_line(tmp_path: Path) -> None:
    with local_executor(2) as two, pytest.raises(RocktowerError, match="a worker died"):
        run_tasks(die, range(3), PRINT, tmp_path, two)


def test_an_interruption_keeps_what_is_done_and_leaves_nothing_half_written(
    tmp_path: Path,
) -> None:
    def stop(done: int, total: int, seconds_left: float | None) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with local_executor(1) as one:
        with pytest.raises(KeyboardInterrupt):
            run_tasks(square, range(300), PRINT, tmp_path, one, stop)
        kept = content(tmp_path)
        assert {"manifest.json", "000000.shard", "000001.shard"} <= set(kept)
        assert all(name.endswith((".shard", ".json")) for name in kept)
        assert json.loads(kept["manifest.json"])["fingerprint"] == PRINT
        run_tasks(square, range(300), PRINT, tmp_path, one)
    assert len(content(tmp_path)) == 301


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with (
        pytest.raises(RocktowerError, match=r"pip install 'rocktower\[cluster\]'"),
        dask_executor("tcp://127.0.0.1:1"),
    ):
        pass
