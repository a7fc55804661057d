"""Worker processes that simulate, and are killed when they take too long."""

from __future__ import annotations

import asyncio
import signal
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, TypeVar

from rocktower.errors import RocktowerError
from rocktower.sampling import prepare_worker
from rocktower.server._refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

__all__ = ["Pool"]

_T = TypeVar("_T")
_START = 60.0  # s, for a worker to be ready


class Pool:
    """So many processes, each with a thread of this one that waits for it.

    Unlike an executor of the standard library, it can end what takes too long.

    Parameters
    ----------
    size
        Processes.
    time_limit
        s of the clock, for one call.
    max_waiting
        Calls that may wait for a process.
    """

    def __init__(self, size: int, time_limit: float, max_waiting: int) -> None:
        self._size, self._time_limit, self._max_waiting = size, time_limit, max_waiting
        self._threads = ThreadPoolExecutor(size, "worker")
        self._idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._workers: list[_Worker] = []
        self._waiting = 0

    async def start(self) -> None:
        """Start all processes, and wait until they are ready."""
        self._workers += [_Worker() for _ in range(self._size)]
        loop = asyncio.get_running_loop()
        await asyncio.gather(
            *(loop.run_in_executor(self._threads, w.wait_for_start) for w in self._workers)
        )
        for worker in self._workers:
            self._idle.put_nowait(worker)

    async def run(self, function: Callable[[], _T]) -> _T:
        """Call something that can be pickled, such as a `partial`, in a worker.

        Raises
        ------
        Refusal
            If too many calls wait, or this one takes too long.
        RocktowerError
            Of the function itself.
        """
        if self._waiting >= self._max_waiting:
            raise Refusal(503, "overloaded", "too many towers are being struck; try again", 1.0)
        self._waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self._waiting -= 1
        call = asyncio.get_running_loop().run_in_executor(
            self._threads, worker.call, function, self._time_limit
        )
        # Whoever waits may be cancelled; the worker is free only when its call has ended.
        call.add_done_callback(lambda _: self._idle.put_nowait(worker))
        result: _T = await asyncio.shield(call)
        return result

    def close(self) -> None:
        """Wait for what runs, and end all processes."""
        self._threads.shutdown()
        for worker in self._workers:
            worker.end()


class _Worker:
    """A process, and the pipe to it."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        # Not forked: a copy of a process with threads may hang.
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = False

    def wait_for_start(self) -> None:
        if not self._is_ready:
            if not self._pipe.poll(_START):
                raise TimeoutError("a worker process does not start")
            self._pipe.recv()
            self._is_ready = True

    def call(self, function: Callable[[], _T], time_limit: float) -> _T:
        """Call in the process; a new one takes its place if it is too slow or dies."""
        try:
            self.wait_for_start()
            self._pipe.send(function)
            if not self._pipe.poll(time_limit):
                self._replace()
                raise Refusal(
                    422, "too_slow", f"simulating this takes longer than {time_limit:g} s"
                )
            result, error = self._pipe.recv()
        except (EOFError, OSError) as error:
            self._replace()
            raise Refusal(503, "interrupted", "the simulation broke off; try again", 1.0) from error
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return] # what the function gave, through a pipe

    def _replace(self) -> None:
        self.end()
        self._start()

    def end(self) -> None:
        self._pipe.close()
        self._process.kill()  # it holds nothing that could be lost
        self._process.join()
        self._process.close()


def _work(pipe: Connection) -> None:
    prepare_worker()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as with Ctrl-C: the server ends its workers
    import rocktower.server._work  # noqa: F401 - before the first call, which then is not slow

    with suppress(EOFError, OSError):  # the server has gone
        pipe.send(None)
        while True:
            function = pipe.recv()
            result: Any = None
            refused: Exception | None = None
            try:
                result = function()
            except RocktowerError as error:
                refused = error
            except Exception:
                refused = RuntimeError(traceback.format_exc())  # which can be sent, whatever it was
            pipe.send((result, refused))
