"""A table of hits in memory: read from CSV or Parquet, checked, as arrays."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, cast

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.sampling._executors import needs
from rocktower.sampling._follow import Follower
from rocktower.sampling._rows import COLUMNS, LETTERS, SETTLED, UNSETTLED, HitRow
from rocktower.tower import COLORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from rocktower.sampling._rows import ByColor
    from rocktower.tower import Side

__all__ = ["HitTable", "check_suffix", "encode_table", "read_hits", "read_parts"]

_PARQUET = ".parquet"
_COLOR_OF = {letter: color for color, letter in LETTERS.items()}
_LARGEST = 2**63 - 1
_TEXT = ("side", "order", "ages", "outcome")
_REAL = ("speed_m_s", "height_m")


@dataclass(frozen=True, slots=True)
class HitTable:
    """Hits as arrays, n of them, in the order of the file; see `HitRow` for what they mean.

    Parameters
    ----------
    unit
        Shape (n,): number of the filling from 0, counted over all seeds. Fillings are
        independent of each other; hits of one filling are not.
    turn, hit, left
        Shape (n,).
    speed, height
        Shape (n,), m/s and m.
    from_left
        Shape (n,): whether the left side was struck.
    added, inside, out, back
        Shape (n, 4), by color in the order of `COLORS`; `inside` is what was in the tower when it
        was struck.
    order
        Shape (n,) of tuples: the number of each boulder's color, in the order of coming out.
    ages
        Shape (n,) of tuples: turns since each of them was dropped in.
    settled
        Shape (n,).
    """

    unit: NDArray[np.int64]
    turn: NDArray[np.int64]
    hit: NDArray[np.int64]
    speed: NDArray[np.float64]
    height: NDArray[np.float64]
    from_left: NDArray[np.bool_]
    left: NDArray[np.int64]
    added: NDArray[np.int64]
    inside: NDArray[np.int64]
    out: NDArray[np.int64]
    back: NDArray[np.int64]
    order: tuple[tuple[int, ...], ...]
    ages: tuple[tuple[int, ...], ...]
    settled: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.unit)

    @classmethod
    def from_rows(cls, rows: Iterable[HitRow]) -> HitTable:
        """Make a table of rows that follow each other, from the first hit of a filling on.

        Raises
        ------
        RocktowerError
            If there are none, or one does not follow from those before it, such as "row 5, column
            left: ...", where the first hit is row 2, as in a file with a header.
        """
        given, insides, units = [], [], []
        follower = Follower()
        for number, row in enumerate(rows, 2):
            try:
                insides.append(follower.take(row))
            except RocktowerError as error:
                raise RocktowerError(f"row {number}, {error}") from None
            units.append(follower.unit)
            given.append(row)
        if not given:
            raise RocktowerError("there are no hits in it")
        number_of = {color: number for number, color in enumerate(COLORS)}
        return cls(
            unit=np.array(units),
            turn=np.array([row.turn for row in given]),
            hit=np.array([row.hit for row in given]),
            speed=np.array([row.speed for row in given]),
            height=np.array([row.height for row in given]),
            from_left=np.array([row.side == "left" for row in given]),
            left=np.array([row.left for row in given]),
            added=np.array([row.added for row in given]),
            inside=np.array(insides),
            out=np.array([row.out for row in given]),
            back=np.array([row.back for row in given]),
            order=tuple(tuple(number_of[color] for color in row.order) for row in given),
            ages=tuple(row.ages for row in given),
            settled=np.array([row.settled for row in given]),
        )


def check_suffix(path: Path) -> None:
    """Raise `RocktowerError` unless a table can be written to a file of this name."""
    if path.suffix == _PARQUET:
        needs("pyarrow", "parquet")
    elif path.suffix != ".csv":
        raise RocktowerError(f"{path}: name a file that ends in .csv or {_PARQUET}")


def encode_table(lines: Iterable[bytes], path: Path) -> bytes:
    """Put lines of CSV together: the content of a file of this name, CSV or Parquet."""
    text = b"".join([",".join(COLUMNS).encode() + b"\n", *lines])
    if path.suffix != _PARQUET:
        return text
    arrow, arrow_csv = needs("pyarrow", "parquet"), needs("pyarrow.csv", "parquet")
    types = {
        name: arrow.string()
        if name in _TEXT
        else arrow.float64()
        if name in _REAL
        else arrow.int64()
        for name in COLUMNS
    }
    options = arrow_csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    table = arrow_csv.read_csv(io.BytesIO(text), convert_options=options)
    content = io.BytesIO()
    needs("pyarrow.parquet", "parquet").write_table(table, content)
    return content.getvalue()


def read_hits(path: Path) -> HitTable:
    """Read a table of hits, CSV or (by its suffix) Parquet.

    Raises
    ------
    RocktowerError
        If there is none, or anything in it is wrong, naming row and column.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise RocktowerError(f"{path}: no such file") from None
    try:
        text = (_parquet_as_csv(content) if path.suffix == _PARQUET else content).decode(
            "utf-8-sig"
        )
        return HitTable.from_rows(_rows(text))
    except UnicodeDecodeError:
        raise RocktowerError(f"{path}: not a table of hits: no text") from None
    except RocktowerError as error:
        raise RocktowerError(f"{path}: {error}") from None


def read_parts(parts: Iterable[Path]) -> HitTable:
    """Read files of rows without a header, as tasks write them (see `to_csv`), as one table.

    Raises
    ------
    RocktowerError
        If anything in them is wrong.
    """
    return HitTable.from_rows(
        _rows("".join([",".join(COLUMNS) + "\n", *(part.read_text("utf-8") for part in parts)]))
    )


def _parquet_as_csv(content: bytes) -> bytes:
    """Write a Parquet file as CSV, so that both are read and checked alike."""
    arrow, parquet = needs("pyarrow", "parquet"), needs("pyarrow.parquet", "parquet")
    text = io.BytesIO()
    try:
        table = parquet.read_table(io.BytesIO(content))
        needs("pyarrow.csv", "parquet").write_csv(table, text)
    except arrow.ArrowException as error:
        raise RocktowerError(f"not a Parquet table of hits: {error}") from None
    return text.getvalue()


def _rows(text: str) -> Iterator[HitRow]:
    lines = csv.reader(io.StringIO(text), strict=True)
    try:
        header = next(lines, [])
        if missing := [name for name in COLUMNS if name not in header]:
            raise RocktowerError(f"row 1: column {missing[0]} is missing")
        if twice := [name for name in COLUMNS if header.count(name) > 1]:
            raise RocktowerError(f"row 1: there are two columns {twice[0]}")
        places = [header.index(name) for name in COLUMNS]
        for number, values in enumerate(lines, 2):
            if len(values) != len(header):
                raise RocktowerError(
                    f"row {number}: has {len(values)} values for {len(header)} columns"
                )
            try:
                row = _Values(dict(zip(COLUMNS, [values[k] for k in places], strict=True))).row()
            except RocktowerError as error:
                raise RocktowerError(f"row {number}, {error}") from None
            yield row
    except csv.Error as error:
        raise RocktowerError(f"row {lines.line_num}: {error}") from None


class _Values:
    """The texts of one row by column, each read with its own error."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def row(self) -> HitRow:
        side = self._one_of("side", "left", "right")
        out = self._counts("out")
        order = tuple(self._order())
        row = HitRow(
            seed=self._whole("seed"),
            filling=self._whole("filling", 1),
            turn=self._whole("turn", 1),
            hit=self._whole("hit", 1),
            side=cast("Side", side),
            speed=self._real("speed_m_s"),
            height=self._real("height_m"),
            added=self._counts("added"),
            left=self._whole("left"),
            order=order,
            ages=tuple(self._ages()),
            back=self._counts("back"),
            settled=self._one_of("outcome", SETTLED, UNSETTLED) == SETTLED,
        )
        for color, told, shown in zip(COLORS, out, row.out, strict=True):
            if told != shown:
                raise self._wrong(f"out_{color}", f"not the {shown} of column order")
        if self._whole("out") != len(order):
            raise self._wrong("out", f"not the {len(order)} of column order")
        if len(row.ages) != len(order):
            raise self._wrong("ages", f"give one for each of the {len(order)} boulders out")
        return row

    def _wrong(self, column: str, what: str) -> RocktowerError:
        return RocktowerError(f"column {column}: {self._texts[column]!r}: {what}")

    def _whole(self, column: str, least: int = 0) -> int:
        text = self._texts[column]
        if not (text.isascii() and text.isdigit() and least <= int(text[:20]) <= _LARGEST):
            raise self._wrong(column, f"give a whole number from {least} on")
        return int(text)

    def _real(self, column: str) -> float:
        try:
            value = float(self._texts[column])
        except ValueError:
            value = -1.0
        if not (isfinite(value) and value >= 0.0):
            raise self._wrong(column, "give a number from 0 on")
        return value

    def _one_of(self, column: str, *known: str) -> str:
        if self._texts[column] not in known:
            raise self._wrong(column, f"give {' or '.join(known)}")
        return self._texts[column]

    def _counts(self, what: str) -> ByColor:
        red, blue, yellow, white = (self._whole(f"{what}_{color}") for color in COLORS)
        return red, blue, yellow, white

    def _order(self) -> Iterator[str]:
        for letter in self._texts["order"]:
            if letter not in _COLOR_OF:
                raise self._wrong("order", f"give letters of {', '.join(_COLOR_OF)}")
            yield _COLOR_OF[letter]

    def _ages(self) -> Iterator[int]:
        for text in self._texts["ages"].split():
            if not (text.isascii() and text.isdigit() and len(text) < 10):
                raise self._wrong("ages", "give whole numbers with spaces between them")
            yield int(text)
