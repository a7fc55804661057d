"""Recorded hits as a whole: the CSV file, read with every fault named."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocktower.calibration._contents import Situation, follow
from rocktower.calibration._rows import (
    COLUMNS,
    REQUIRED,
    CellError,
    Row,
    decode_cells,
    encode_cells,
    line,
)
from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Fault", "Record", "RecordError", "decode_record", "encode_record", "read_record"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a file that cannot be used.

    Parameters
    ----------
    row
        As a spreadsheet numbers it: 1 is the header.
    column
        Its name; empty if the fault concerns the whole row.
    """

    row: int
    column: str
    message: str

    def __str__(self) -> str:
        """Text such as ``row 4, column out_red: blank; ...``."""
        where = f"row {self.row}" + (f", column {self.column}" if self.column else "")
        return f"{where}: {' '.join(self.message.splitlines())}"


class RecordError(RocktowerError):
    """A file of recorded hits has faults; `faults` lists all of them."""

    def __init__(self, name: str, faults: tuple[Fault, ...]) -> None:
        more = f" (the first of {len(faults)} faults; rocktower check lists them)"
        super().__init__(f"{name}: {faults[0]}{more if len(faults) > 1 else ''}")
        self.name = name
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Record:
    """The recorded hits of a file, and the tower at each of them.

    Parameters
    ----------
    name
        What errors and reports call it.
    columns
        The file's columns in their order.
    situations
        A row each, with what was inside; in the order of the file.
    positions
        The row number of each in the file, as a spreadsheet numbers it.
    """

    name: str
    columns: tuple[str, ...]
    situations: tuple[Situation, ...]
    positions: tuple[int, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """What was written down."""
        return tuple(situation.row for situation in self.situations)

    @property
    def hits(self) -> int:
        """How many hits the rows cover."""
        return sum(row.hits for row in self.rows)


def read_record(path: str | Path) -> Record:
    """Read recorded hits from a CSV file; the columns are in ``docs/recording.md``.

    Raises
    ------
    RecordError
        Naming every fault by row and column.
    RocktowerError
        If the file is missing or not text.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise RocktowerError(f"{path}: no such file; recorded hits are a CSV file") from None
    except UnicodeDecodeError as error:
        raise RocktowerError(
            f"{path}: not a text file in UTF-8 (byte {error.start}); save it as CSV UTF-8"
        ) from None
    except (OSError, ValueError) as error:
        raise RocktowerError(f"{path}: cannot be read: {error}") from error
    return decode_record(text, str(path))


def decode_record(text: str, name: str = "hits") -> Record:
    """Read recorded hits from CSV text; `name` (a file name) stands before every error.

    Raises
    ------
    RecordError
        Naming every fault by row and column.
    """
    faults: list[Fault] = []
    lines = _lines(text, faults)
    _, header = next(lines, (1, []))
    columns = tuple(cell.strip() for cell in header)
    _check_header(columns, faults)
    if faults:
        raise RecordError(name, tuple(faults))
    situations: list[Situation] = []
    positions = []
    lost: int | None = None  # a filling whose contents are unknown after a faulty row: skipped
    for number, cells in lines:
        row = _row(columns, cells, number, faults)
        if row is None:
            lost = _filling_of(columns, cells, situations, lost)
        elif lost is None or (row.filling != lost and row.hit == 1):
            try:
                situation = follow(situations[-1] if situations and lost is None else None, row)
            except CellError as error:
                faults.append(Fault(number, error.column, str(error)))
                lost = row.filling
            else:
                lost = None
                situations.append(situation)
                positions.append(number)
    if faults:
        raise RecordError(name, tuple(sorted(faults, key=lambda fault: fault.row)))
    return Record(name, columns, tuple(situations), tuple(positions))


def encode_record(rows: Iterable[Row]) -> str:
    """Write rows as CSV text that `decode_record` reads; unknown columns stand last."""
    rows = tuple(rows)
    extra = dict.fromkeys(column for row in rows for column, _ in row.extra)
    columns = (*COLUMNS, *extra)
    return line(columns) + "".join(line(encode_cells(row, columns)) for row in rows)


def _lines(text: str, faults: list[Fault]) -> Iterator[tuple[int, list[str]]]:
    """Give the rows that are not blank with their numbers; the last one if CSV ends there."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            faults.append(Fault(number, "", f"not CSV: {error}"))
            return
        if any(cell.strip() for cell in cells):
            yield number, cells


def _check_header(columns: tuple[str, ...], faults: list[Fault]) -> None:
    if len(columns) == 1 and (";" in columns[0] or "\t" in columns[0]):
        faults.append(Fault(1, "", "the columns must be separated by commas"))
        return
    if not set(columns) & set(REQUIRED):
        expected = "the first row must name the columns: session, filling, turn, hit, ..."
        found = ", ".join(column for column in columns if column)
        message = f"{found[:40]!r}; {expected}" if found else f"the file is empty; {expected}"
        faults.append(Fault(1, "", message))
        return
    faults += [
        Fault(1, column, "this column is missing") for column in REQUIRED if column not in columns
    ]
    faults += [
        Fault(1, column or "", "a column needs a name" if not column else "is there twice")
        for column in dict.fromkeys(columns)
        if not column or columns.count(column) > 1
    ]


def _row(
    columns: tuple[str, ...], cells: list[str], number: int, faults: list[Fault]
) -> Row | None:
    if len(cells) != len(columns):
        faults.append(
            Fault(number, "", f"{len(cells)} cells, but the header has {len(columns)} columns")
        )
        return None
    row, errors = decode_cells(dict(zip(columns, cells, strict=True)))
    faults += [Fault(number, error.column, str(error)) for error in errors]
    return row


def _filling_of(
    columns: tuple[str, ...], cells: list[str], situations: list[Situation], lost: int | None
) -> int:
    """Guess which filling a faulty row belongs to: that of the row before, or the next one."""
    before = lost or (situations[-1].row.filling if situations else 1)
    text = dict(zip(columns, cells, strict=False)).get("filling", "").strip()
    return before + 1 if text == str(before + 1) else before
