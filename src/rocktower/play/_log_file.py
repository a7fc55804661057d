"""The log of a game on disk: a line an event, on the disk before the game goes on."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from rocktower.errors import RocktowerError
from rocktower.files import naming
from rocktower.games.trollfjord import Event, Header, Replay, encode, read_log

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LogFile", "read_log_file"]


class LogFile:
    """A log that events are appended to. Close it, or use it in a ``with`` statement."""

    def __init__(self, path: Path, file: BinaryIO, size: int) -> None:
        self._path, self._file, self._size = path, file, size

    @classmethod
    def create(cls, path: Path, header: Header) -> LogFile:
        """Begin a log; raise `RocktowerError` if the file exists, so that no game is lost."""
        try:
            log = cls(path, path.open("xb"), 0)
        except FileExistsError:
            raise RocktowerError(
                f"{path}: the file exists; go on with its game by --resume, or name another one"
            ) from None
        try:
            log.append(header)
        except BaseException:
            with suppress(OSError):
                log.close()
            path.unlink()
            raise
        return log

    @classmethod
    def resume(cls, path: Path) -> tuple[LogFile, Replay, str | None]:
        """Open a log to go on with its game.

        Returns
        -------
        tuple
            The log, the game so far, and a message if the last line was torn and is cut off.

        Raises
        ------
        RocktowerError
            If the log is malformed or against the rules; the message names file and line.
        """
        replay, whole, torn = _read(path)
        file = path.open("r+b")
        file.truncate(whole)
        file.seek(whole)
        return cls(path, file, whole), replay, torn

    def append(self, line: Header | Event) -> None:
        """Write a line, and wait until the disk has it.

        Raises
        ------
        RocktowerError
            If somebody else has written to the file meanwhile.
        """
        if os.fstat(self._file.fileno()).st_size != self._size:
            raise RocktowerError(
                f"{self._path}: another program has changed the file; "
                "go on with its game by --resume, in one place"
            )
        with naming(self._path):
            self._size += self._file.write(encode(line))
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        with naming(self._path):  # what a full disk did not take is tried again
            self._file.close()

    def __enter__(self) -> LogFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_log_file(path: Path) -> tuple[Replay, str | None]:
    """Follow the log in a file, without changing the file.

    Returns
    -------
    tuple
        The game, and a message if the last line is torn and was left out.

    Raises
    ------
    RocktowerError
        If the log is malformed or against the rules; the message names file and line.
    """
    replay, _, torn = _read(path)
    return replay, torn


def _read(path: Path) -> tuple[Replay, int, str | None]:
    """Read all lines that end; a process that was killed may have left a last one that doesn't."""
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    lines = text[:whole].splitlines()
    torn = f"{path}: line {len(lines) + 1} is torn and left out" if whole < len(text) else None
    try:
        return read_log(lines), whole, torn
    except RocktowerError as error:
        raise RocktowerError(f"{path}: {error}") from None
