"""Recorded hits on disk: a row a hit, on the disk before the recorder goes on."""

from __future__ import annotations

import csv
import os
from io import StringIO
from typing import TYPE_CHECKING

from rocktower.calibration._record import Record, decode_record, read_record
from rocktower.calibration._rows import COLUMNS, Row, encode_cells, line
from rocktower.errors import RocktowerError
from rocktower.files import naming

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

__all__ = ["RecordFile"]


class RecordFile:
    """A CSV file of recorded hits that rows are appended to. Use it in a ``with`` statement.

    A new file is begun with its header; an existing one is gone on with. A last line that was
    cut short, by a power cut say, is removed.

    Raises
    ------
    RecordError
        If the file has faults; naming every one.
    RocktowerError
        If it is not a text file, or no file at all.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn: str | None = None
        if path.exists() and not path.is_file():
            raise RocktowerError(f"{path}: not a file that rows can be written to")
        self.is_new = not path.exists() or path.stat().st_size == 0
        content = b"" if self.is_new else self._read()
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._file = os.open(path, flags, 0o666)
        self._ends = _ends(content)
        try:
            os.ftruncate(self._file, len(content))
            if self.is_new:
                self._write(line(COLUMNS).encode())
            elif not content.endswith((b"\n", b"\r")):  # as some editors leave it
                self._ends.pop()
                self._write(b"\n")
            self.record: Record = read_record(path)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, row: Row) -> None:
        """Write a row, and wait until the disk has it.

        Raises
        ------
        RocktowerError
            If another program has changed the file.
        """
        self._check_untouched()
        self._write(line(encode_cells(row, self.record.columns)).encode())

    def undo(self) -> None:
        """Remove the last row.

        Raises
        ------
        RocktowerError
            If another program has changed the file.
        """
        self._check_untouched()
        self._ends.pop()
        os.ftruncate(self._file, self._ends[-1])
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self) -> bytes:
        """Return the content to go on with: all of it, or all but a last line that is torn."""
        try:
            read_record(self.path)
        except RocktowerError as error:
            content = self.path.read_bytes()
            head = content[: content.rfind(b"\n") + 1]
            rest = content[len(head) :]
            try:
                columns = decode_record(_text(head)).columns
            except (RocktowerError, UnicodeDecodeError):
                raise error from None
            # Only what was cut short: a mistake in a last line that an editor left open stays.
            if not rest or (rest.count(b",") >= len(columns) - 1 and rest.count(b'"') % 2 == 0):
                raise
            shown = rest.decode(errors="replace")
            self.torn = f"{self.path}: the last line was cut short and is removed: {shown!r}"
            return head
        return self.path.read_bytes()

    def _write(self, content: bytes) -> None:
        """Append all of it and wait for the disk, or nothing if the disk is full."""
        size = os.fstat(self._file).st_size
        try:
            with naming(self.path):
                written = 0
                while written < len(content):
                    written += os.write(self._file, content[written:])
                os.fsync(self._file)
        except BaseException:  # an interruption from the keyboard as well
            os.ftruncate(self._file, size)
            raise
        self._ends.append(size + len(content))

    def _check_untouched(self) -> None:
        """Refuse to write beside another recorder, or a spreadsheet that saved the file."""
        try:
            there, ours = self.path.stat(), os.fstat(self._file)
            same = there.st_ino == ours.st_ino and ours.st_size == self._ends[-1]
        except OSError:
            same = False
        if not same:
            raise RocktowerError(
                f"{self.path}: another program has changed the file; nothing more is written. "
                "Close the other program, and go on with the same command"
            )


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig")


def _ends(content: bytes) -> list[int]:
    """Return where the header and each row end, in bytes; blank lines belong to the row before."""
    size = 0

    def lines() -> Iterator[str]:
        nonlocal size
        for part in StringIO(content.decode(), newline=""):
            size += len(part.encode())
            yield part

    ends: list[int] = []
    for cells in csv.reader(lines()):
        if any(cell.strip() for cell in cells) or not ends:
            ends.append(size)
        else:
            ends[-1] = size
    return ends
