"""Who watches which tower, and what they are still to be told."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rocktower.server._refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Hub", "Watcher"]


class Watcher:
    """One open stream: messages wait in a queue that is bounded, so that nobody can fill it.

    Parameters
    ----------
    size
        Messages that may wait.
    """

    def __init__(self, size: int) -> None:
        self._queue: asyncio.Queue[tuple[int, str]] = asyncio.Queue(size)
        self.has_fallen_behind = asyncio.Event()

    def tell(self, n: int, message: str) -> None:
        """Add a message about event `n`; whoever has no room for it has fallen behind."""
        try:
            self._queue.put_nowait((n, message))
        except asyncio.QueueFull:
            self.has_fallen_behind.set()

    async def next(self) -> tuple[int, str]:
        """Wait for the next message; return its event's number and its text."""
        return await self._queue.get()


class Hub:
    """All open streams.

    Parameters
    ----------
    most, most_of_one
        Streams in all, and of one tower.
    queue
        Messages that may wait for each.
    """

    def __init__(self, most: int, most_of_one: int, queue: int) -> None:
        self._most, self._most_of_one, self._queue = most, most_of_one, queue
        self._watchers: dict[str, set[Watcher]] = {}

    def is_watched(self, tower: str) -> bool:
        """Whether anybody watches a tower."""
        return tower in self._watchers

    def tell(self, tower: str, n: int, message: str) -> None:
        """Tell all who watch a tower, without waiting for any of them."""
        for watcher in self._watchers.get(tower, ()):
            watcher.tell(n, message)

    @contextmanager
    def watch(self, tower: str) -> Iterator[Watcher]:
        """Watch a tower for as long as the context lasts.

        Raises
        ------
        Refusal
            If too many do already.
        """
        here = self._watchers.get(tower, set())
        if len(here) >= self._most_of_one or sum(map(len, self._watchers.values())) >= self._most:
            raise Refusal(503, "too_many_watchers", "too many are watching; try again later", 30.0)
        watcher = Watcher(self._queue)
        self._watchers.setdefault(tower, set()).add(watcher)
        try:
            yield watcher
        finally:
            self._watchers[tower].discard(watcher)
            if not self._watchers[tower]:
                del self._watchers[tower]
