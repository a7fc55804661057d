"""How far a long command is, on standard error: a bar on a terminal, a line now and then else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["ProgressBar", "in_words"]


class ProgressBar:
    """Shows the tasks done, their share, and an estimate of the time left.

    Parameters
    ----------
    unit
        What is counted, in the plural.
    """

    def __init__(self, label: str, unit: str = "tasks") -> None:
        console = Console(stderr=True)
        self.done = self.total = 0
        self._label, self._unit = label, unit
        self._told = 0  # tenths
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn(f"{{task.completed:.0f}} of {{task.total:.0f}} {unit}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(label, left="")

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def show(self, done: int, total: int, seconds_left: float | None) -> None:
        """Take note of how far it is."""
        self.done, self.total = done, total
        left = "" if seconds_left is None or done == total else f"{in_words(seconds_left)} left"
        self._bar.update(self._task, completed=done, total=total, left=left)
        tenths = 10 * done // total
        if self._bar.disable and self._told < tenths < 10 and left:
            self._told = tenths
            self._bar.console.print(
                f"{self._label}: {done} of {total} {self._unit}, {left}",
                highlight=False,
                soft_wrap=True,
            )


def in_words(seconds: float) -> str:
    """Say a time as people do.

    >>> in_words(7.2), in_words(200), in_words(5000)
    ('8 s', '4 min', '1 h 24 min')
    """
    if seconds < 60:
        return f"{int(seconds) + 1} s"
    minutes = int(seconds / 60) + 1
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
