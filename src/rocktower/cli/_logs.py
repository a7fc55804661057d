"""Logs of both kinds: of hammering, and of games of Trollfjord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.cli._common import note, read_file
from rocktower.play import read_log_file
from rocktower.tower import HammeringLog, decode_log

if TYPE_CHECKING:
    from pathlib import Path

    from rocktower.games.trollfjord import Replay

__all__ = ["open_log"]


def open_log(path: Path) -> HammeringLog | Replay:
    """Read a log of either kind; raise `RocktowerError` naming file and line if it is none."""
    text = read_file(path)
    if '"rocktower-hammering' in text.partition("\n")[0]:
        return decode_log(text, str(path))
    game, torn = read_log_file(path)
    if torn:
        note(torn)
    return game
