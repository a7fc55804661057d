"""Sessions without a window: what a worker would do is done at once."""

from __future__ import annotations

from rocktower.viewer import Session
from rocktower.viewer._show import Show


def settle(show: Show) -> None:
    """Do the job that is due."""
    while show.job is not None:
        show.finish(show.job.run())


def press(show: Show, *keys: str) -> None:
    """Press keys one after another, each when the last one's work is done."""
    for key in keys:
        show.key(key)
        settle(show)


def watch(show: Show, seconds: float = 60.0) -> None:
    """Let time go by as a window does: in small steps."""
    show.advance(seconds)


def strike(session: Session) -> None:
    """Strike, and watch the hit to its end."""
    press(session, "space")
    watch(session)
