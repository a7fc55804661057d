"""Runs numbered tasks on any executor, one shard each, so that a killed run can go on.

What a task gives depends on its number alone, and its shard is written whole or not at all.
So the shards are the same for any number of workers, and after any number of interruptions.
"""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from rocktower.errors import RocktowerError
from rocktower.files import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor, Future
    from pathlib import Path

    Progress = Callable[[int, int, float | None], None]

__all__ = ["check_same", "read_fingerprint", "run_tasks"]

_FORMAT = "rocktower-shards/1"
_MANIFEST = "manifest.json"
_AHEAD = 1024  # tasks handed in at once: more than the workers of a large cluster
_MOST_FAILURES = 3  # then no further task is begun


def read_fingerprint(folder: Path) -> dict[str, Any] | None:
    """Return the fingerprint of the job that a folder of shards belongs to; None without one.

    Raises
    ------
    RocktowerError
        If the folder's manifest is none.
    """
    path = folder / _MANIFEST
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        raise RocktowerError(f"{path}: not a manifest of shards: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise RocktowerError(f"{path}: not a manifest of shards (format must be {_FORMAT!r})")
    fingerprint = manifest.get("fingerprint")
    if not isinstance(fingerprint, dict):
        raise RocktowerError(f"{path}: the fingerprint is missing")
    return fingerprint


def run_tasks(
    function: Callable[[int], bytes],
    tasks: Sequence[int],
    fingerprint: Mapping[str, Any],
    folder: Path,
    executor: Executor,
    progress: Progress | None = None,
    *,
    passing: bool = False,
) -> list[Path]:
    """Run those tasks whose shards are missing; return the paths of all, in the tasks' order.

    Parameters
    ----------
    function
        From the number of a task to the content of its shard; picklable, and pure: whatever is
        random in it is seeded by the number.
    tasks
        Numbers, 0 or more.
    fingerprint
        All that the shards depend on, by name, as JSON values: parameters, seed, the model's
        hash, versions. Shards of another fingerprint are refused.
    folder
        Of the shards and their manifest; made if missing.
    executor
        Anything of `concurrent.futures`, or `distributed.Client.get_executor()`.
    progress
        Is called with the tasks done, all tasks, and the seconds left (None before one is done).
    passing
        Whether the folder is thrown away after a failure, too: then no message names it.

    Raises
    ------
    RocktowerError
        If the folder belongs to another job, a task failed, or a worker died. Shards that were
        written stay; the same call goes on from them, as it does after a KeyboardInterrupt.
    """
    _begin(folder, fingerprint)
    run = _Run({number: folder / f"{number:06d}.shard" for number in tasks}, progress)
    where = "tasks were done" if passing else f"tasks are kept in {folder}"
    try:
        run.go(function, executor)
    except KeyboardInterrupt:
        with suppress(BrokenExecutor):  # whoever interrupted may have ended the workers, too
            run.end()
        raise
    except BrokenExecutor as error:
        raise RocktowerError(
            f"a worker died (killed, or out of memory); {run.done} of {run.total} {where}"
        ) from error
    finally:
        run.cancel()
    if run.failed:
        number, first = min(run.failed.items())
        what = first if isinstance(first, RocktowerError) else repr(first)
        raise RocktowerError(
            f"task {number}: {what} ({len(run.failed)} failed; {run.done} of {run.total} {where})"
        ) from first
    return list(run.paths.values())


class _Run:
    """The state of a run: what waits, what runs, what is done, what failed."""

    def __init__(self, paths: dict[int, Path], progress: Progress | None) -> None:
        self.paths = paths
        self.total = len(paths)
        self.failed: dict[int, Exception] = {}
        self._waiting = deque(number for number, path in paths.items() if not path.exists())
        self._running: dict[Future[bytes], int] = {}
        self._before = self.done = self.total - len(self._waiting)
        self._progress = progress
        self._start = monotonic()

    def go(self, function: Callable[[int], bytes], executor: Executor) -> None:
        """Run what waits, until all is done or too much has failed."""
        self._report()
        while self._waiting or self._running:
            while self._waiting and len(self._running) < _AHEAD:
                number = self._waiting.popleft()
                self._running[executor.submit(function, number)] = number
            self._take()
            if len(self.failed) >= _MOST_FAILURES:
                self._waiting.clear()
                self.end()

    def end(self) -> None:
        """Begin nothing more; keep what the running tasks still give."""
        self.cancel()
        while self._running:
            self._take()

    def cancel(self) -> None:
        """Forget the tasks that no worker has begun."""
        for future in list(self._running):
            if future.cancel():
                del self._running[future]

    def _take(self) -> None:
        """Wait for tasks to end, and write their shards."""
        for future in wait(self._running, return_when=FIRST_COMPLETED).done:
            number = self._running.pop(future)
            try:
                content = future.result()
            except BrokenExecutor:
                raise
            except Exception as error:
                self.failed[number] = error
                continue
            replace_file(self.paths[number], content)
            self.done += 1
            self._report()

    def _report(self) -> None:
        if self._progress is None:
            return
        made, left = self.done - self._before, self.total - self.done
        pace = (monotonic() - self._start) / made if made else None
        self._progress(self.done, self.total, None if pace is None else pace * left)


def _begin(folder: Path, fingerprint: Mapping[str, Any]) -> None:
    """Make the folder and its manifest, or see that it belongs to this job."""
    known = read_fingerprint(folder)
    if known is None:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.glob("*.shard")):
            raise RocktowerError(f"{folder}: holds shards without {_MANIFEST}; remove it")
        manifest = {"format": _FORMAT, "fingerprint": dict(fingerprint)}
        replace_file(folder / _MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    else:
        check_same(known, fingerprint, str(folder))


def check_same(known: Mapping[str, Any], wanted: Mapping[str, Any], where: str) -> None:
    """Raise `RocktowerError`, naming what differs, unless both fingerprints are the same."""
    wanted = json.loads(json.dumps(dict(wanted)))  # as the other has come from a file
    different = [
        f"{name} {known.get(name)}, not {wanted.get(name)}"
        for name in {**known, **wanted}
        if known.get(name) != wanted.get(name)
    ]
    if different:
        raise RocktowerError(f"{where}: was begun with {'; '.join(different)}")
