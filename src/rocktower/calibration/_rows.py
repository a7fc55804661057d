"""One row of recorded hits: its columns, and how its cells are read and written."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS, NO_BOULDERS, Boulders

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = [
    "ADDED",
    "BACK",
    "CHOICES",
    "COLUMNS",
    "OUT",
    "REQUIRED",
    "Amount",
    "CellError",
    "Row",
    "decode_cells",
    "encode_cells",
    "line",
]

ADDED = tuple(f"added_{color}" for color in COLORS)
OUT = tuple(f"out_{color}" for color in COLORS)
BACK = tuple(f"back_{color}" for color in COLORS)
COLUMNS = (
    "session", "filling", "turn", "hit", "hits", "striker", *ADDED, "added_total",
    *OUT, "out_total", *BACK, "strength", "drop_cm", "side", "held", "flag", "note",
)  # fmt: skip
"""All columns that have a meaning, in the order in which they are written."""
REQUIRED = ("session", "filling", "turn", "hit", *ADDED, *OUT)
CHOICES = {
    "strength": ("gentle", "normal", "firm"),
    "side": ("left", "right"),
    "held": ("loose", "held", "pressed"),
    "flag": ("miss", "spill", "uncertain", "moved"),
}
"""The columns whose cells are one of a few words; blank where it is not known."""

_ALL = sum(ALL_BOULDERS)
_MOST_HITS = 500
_HIGHEST_DROP_CM = 200.0


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of boulders that is known, or known to lie within bounds.

    Examples
    --------
    >>> print(Amount.of(3), Amount(2, 5), sep=", ")
    3, 2 to 5
    """

    low: int
    high: int

    @classmethod
    def of(cls, number: int) -> Amount:
        """Return a number that is known."""
        return cls(number, number)

    @property
    def is_known(self) -> bool:
        """Whether there is only one possibility."""
        return self.low == self.high

    def __str__(self) -> str:
        """Text such as ``3``, or ``2 to 5``."""
        return str(self.low) if self.is_known else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Row:
    """What was written down: one hit, or several hits of which only totals are known.

    Parameters
    ----------
    session
        ISO date, with a letter if a day has several; empty if not known.
    filling, turn
        Fillings count up through the file, turns within a filling, from 1.
    hit, hits
        Number of the (first) hit within the filling, from 1, and how many hits the row covers.
    added
        Boulders put in before the hit, by color; None where not known.
    added_total
        Their number; ``"all"``: everything that had come out; None: the sum of the colors.
    out
        Boulders that came out of the outlet, by color, each 0 to 11.
    out_total
        Their number, 0 to 44; None: the sum of the colors.
    back
        Came out without a blow, or over the top, and went back in: they do not count.
    striker, strength, drop_cm, side, held, flag, note
        Who struck and how; None or empty where not known. See ``docs/recording.md``.
    extra
        Columns without a meaning here, which are kept as they are.
    """

    session: str
    filling: int
    turn: int
    hit: int
    added: tuple[int | None, ...]
    out: tuple[Amount, ...]
    hits: int = 1
    added_total: int | Literal["all"] | None = None
    out_total: Amount | None = None
    back: Boulders = NO_BOULDERS
    striker: str = ""
    strength: str | None = None
    drop_cm: float | None = None
    side: str | None = None
    held: str | None = None
    flag: str | None = None
    note: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether it is a single hit with all its colors known."""
        return self.hits == 1 and all(amount.is_known for amount in self.out)


class CellError(RocktowerError):
    """A cell that cannot be used: its column, and what would be right."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def line(cells: Sequence[str]) -> str:
    """Write cells as one line of CSV, with its end."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def encode_cells(row: Row, columns: Sequence[str] = COLUMNS) -> list[str]:
    """Write a row as cells in the order of the columns of a file."""
    cells = {
        "session": row.session,
        "filling": str(row.filling),
        "turn": str(row.turn),
        "hit": str(row.hit),
        "hits": str(row.hits),
        "striker": row.striker,
        "added_total": _optional(row.added_total),
        "out_total": "" if row.out_total is None else _amount_text(row.out_total, _ALL),
        "strength": _optional(row.strength),
        "drop_cm": "" if row.drop_cm is None else f"{row.drop_cm:.12g}",
        "side": _optional(row.side),
        "held": _optional(row.held),
        "flag": _optional(row.flag),
        "note": row.note,
        **dict(zip(ADDED, map(_optional, row.added), strict=True)),
        **dict(zip(BACK, map(str, row.back), strict=True)),
        **dict(row.extra),
    }
    for column, amount, most in zip(OUT, row.out, ALL_BOULDERS, strict=True):
        cells[column] = "" if amount == Amount(0, most) else _amount_text(amount, most)
    return [cells.get(column, "") for column in columns]


def decode_cells(cells: Mapping[str, str]) -> tuple[Row | None, list[CellError]]:
    """Read the cells of a row by column; return the row, or None and what is wrong with it."""
    cells = {column: cell.strip() for column, cell in cells.items()}
    errors: list[CellError] = []

    def whole(column: str, low: int, high: int, default: int | None = None) -> int:
        text = cells.get(column, "")
        if text == "" and default is not None:
            return default
        if re.fullmatch(r"[0-9]{1,6}", text) and low <= int(text) <= high:
            return int(text)
        allowed = f"a whole number from {low} to {high} is expected"
        errors.append(CellError(column, f"{_quoted(text)}; {allowed}"))
        return low

    def out(column: str, most: int) -> Amount:
        text = cells.get(column, "")
        found = re.fullmatch(r"([0-9]{1,3})(\+?)", text)
        if found and int(found[1]) <= most:
            return Amount(int(found[1]), most if found[2] else int(found[1]))
        expected = f"0 to {most} is expected (0 for none), or such as 2+ for 2 or more"
        errors.append(CellError(column, f"{_quoted(text)}; {expected}"))
        return Amount(0, most)

    def word(column: str) -> str | None:
        text = cells.get(column, "")
        if text and text not in CHOICES[column]:
            allowed = ", ".join(CHOICES[column])
            errors.append(CellError(column, f"{_quoted(text)}; {allowed} or blank is expected"))
            return None
        return text or None

    added, added_total = _added(cells, whole, errors)
    total_text = cells.get("out_total", "")
    row = Row(
        session=_session(cells["session"], errors),
        filling=whole("filling", 1, 999_999),
        turn=whole("turn", 1, 999_999),
        hit=whole("hit", 1, 999_999),
        hits=whole("hits", 1, _MOST_HITS, default=1),
        added=added,
        added_total=added_total,
        out=tuple(
            Amount(0, most) if total_text and not cells[column] else out(column, most)
            for column, most in zip(OUT, ALL_BOULDERS, strict=True)
        ),
        out_total=out("out_total", _ALL) if total_text else None,
        back=Boulders(*(whole(column, 0, 99, default=0) for column in BACK)),
        striker=_short("striker", cells.get("striker", ""), 40, errors),
        strength=word("strength"),
        drop_cm=_drop(cells.get("drop_cm", ""), errors),
        side=word("side"),
        held=word("held"),
        flag=word("flag"),
        note=_lines(cells.get("note", ""), errors),
        extra=tuple(
            (column, _unified(text)) for column, text in cells.items() if column not in COLUMNS
        ),
    )
    if not errors:
        _sums(row, errors)
    return (None, errors) if errors else (row, [])


def _added(
    cells: Mapping[str, str], whole: Callable[[str, int, int], int], errors: list[CellError]
) -> tuple[tuple[int | None, ...], int | Literal["all"] | None]:
    text = cells.get("added_total", "")
    colors: tuple[int | None, ...] = tuple(
        None if text and not cells[column] else whole(column, 0, most)
        for column, most in zip(ADDED, ALL_BOULDERS, strict=True)
    )
    if text != "all":
        return colors, whole("added_total", 0, _ALL) if text else None
    if any(color is not None for color in colors):
        errors.append(CellError("added_total", "'all': then leave the colors that went in blank"))
    return colors, "all"


def _sums(row: Row, errors: list[CellError]) -> None:
    """Check that the colors can add up to the totals beside them."""
    if isinstance(row.added_total, int):
        known = sum(color or 0 for color in row.added)
        if known > row.added_total or (None not in row.added and known != row.added_total):
            errors.append(
                CellError("added_total", f"{row.added_total}, but the colors add up to {known}")
            )
    if row.out_total is not None:
        sums = Amount(sum(a.low for a in row.out), sum(a.high for a in row.out))
        if sums.low > row.out_total.high or sums.high < row.out_total.low:
            errors.append(
                CellError("out_total", f"{row.out_total}, but the colors add up to {sums}")
            )


def _session(text: str, errors: list[CellError]) -> str:
    if re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2}[a-z]?)?", text):
        try:
            if text:
                date.fromisoformat(text[:10])
        except ValueError:
            pass
        else:
            return text
    expected = "a date such as 2026-11-30 or 2026-11-30b is expected"
    errors.append(CellError("session", f"{_quoted(text)}; {expected}"))
    return ""


def _drop(text: str, errors: list[CellError]) -> float | None:
    if not text:
        return None
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", text) and 0.0 < float(text) <= _HIGHEST_DROP_CM:
        return float(text)
    expected = f"a height above 0, up to {_HIGHEST_DROP_CM:g} cm, such as 12.5 is expected"
    errors.append(CellError("drop_cm", f"{_quoted(text)}; {expected}"))
    return None


def _short(column: str, text: str, longest: int, errors: list[CellError]) -> str:
    if len(text) > longest or not all(character.isprintable() for character in text):
        expected = f"one line of at most {longest} characters is expected"
        errors.append(CellError(column, f"{_quoted(text)}; {expected}"))
        return ""
    return text


def _lines(text: str, errors: list[CellError]) -> str:
    for part in text.splitlines():
        _short("note", part, 2000, errors)
    return _unified(text)


def _unified(text: str) -> str:
    """Return a cell of several lines with ends that every system writes and reads alike."""
    return "\n".join(text.splitlines())


def _amount_text(amount: Amount, most: int) -> str:
    if not amount.is_known and amount.high != most:
        raise RocktowerError(f"{amount} boulders: a cell holds a number, or a number and more")
    return str(amount.low) if amount.is_known else f"{amount.low}+"


def _optional(value: object) -> str:
    return "" if value is None else str(value)


def _quoted(text: str) -> str:
    if not text:
        return "blank"
    return repr(text if len(text) <= 40 else f"{text[:40]}...")
