"""What was in the tower before each hit: derived from the rows, never written down."""

from __future__ import annotations

from dataclasses import dataclass

from rocktower.calibration._rows import ADDED, OUT, Amount, CellError, Row
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS, Boulders

__all__ = ["Contents", "Situation", "follow"]

_NONE = Amount(0, 0)


@dataclass(frozen=True, slots=True)
class Contents:
    """The boulders of a filling: those in the tower, and those that came out of it.

    Numbers are bounds where only totals were written down.

    Parameters
    ----------
    whole
        What the filling began with.
    table, table_total
        What has come out since and has not gone back in, by color and together.
    """

    whole: Boulders
    table: tuple[Amount, ...] = (_NONE,) * len(COLORS)
    table_total: Amount = _NONE

    @property
    def inside(self) -> tuple[Amount, ...]:
        """Boulders in the tower, by color."""
        return tuple(
            Amount(whole - out.high, whole - out.low)
            for whole, out in zip(self.whole, self.table, strict=True)
        )

    @property
    def inside_total(self) -> Amount:
        """Boulders in the tower."""
        whole = sum(self.whole)
        return Amount(whole - self.table_total.high, whole - self.table_total.low)


@dataclass(frozen=True, slots=True)
class Situation:
    """A row, and the tower at that moment.

    Parameters
    ----------
    row
        What was written down.
    before, after
        The tower at the row's first blow (what was put in is inside), and after its last hit.
    out, out_total
        What came out, with all bounds that follow from the rest.
    returned_total
        How many boulders were put back in before the hit; the filling itself is not counted.
    turn_hits
        How many hits the turn had before.
    """

    row: Row
    before: Contents
    after: Contents
    out: tuple[Amount, ...]
    out_total: Amount
    returned_total: Amount
    turn_hits: int


def follow(previous: Situation | None, row: Row) -> Situation:
    """Derive the tower's contents at a row from those at the row before.

    Parameters
    ----------
    previous
        None at the beginning of a file.

    Raises
    ------
    CellError
        If the row cannot follow: a number is out of order, more comes out than is inside, more
        goes in than has come out.
    """
    is_new = previous is None or row.filling != previous.row.filling
    _check_order(previous, row, is_new=is_new)
    if previous is None or is_new:
        before, returned, turn_hits = Contents(_filling(row)), _NONE, 0
    else:
        before, returned = _put_back(previous.after, row)
        same_turn = row.turn == previous.row.turn
        turn_hits = previous.turn_hits + previous.row.hits if same_turn else 0
    out, out_total = _come_out(before, row)
    table, table_total = _tighten(
        tuple(
            Amount(a.low + b.low, min(a.high + b.high, whole))
            for a, b, whole in zip(before.table, out, before.whole, strict=True)
        ),
        Amount(before.table_total.low + out_total.low, before.table_total.high + out_total.high),
        "out_total",
    )
    after = Contents(before.whole, table, table_total)
    return Situation(row, before, after, out, out_total, returned, turn_hits)


def _check_order(previous: Situation | None, row: Row, *, is_new: bool) -> None:
    def expect(column: str, found: int, *allowed: int) -> None:
        if found not in allowed:
            numbers = " or ".join(map(str, allowed))
            raise CellError(column, f"{found}, but {numbers} comes next here")

    if previous is not None:
        expect("filling", row.filling, previous.row.filling, previous.row.filling + 1)
    if previous is None or is_new:
        expect("turn", row.turn, 1)
        expect("hit", row.hit, 1)
    else:
        expect("turn", row.turn, previous.row.turn, previous.row.turn + 1)
        expect("hit", row.hit, previous.row.hit + previous.row.hits)


def _filling(row: Row) -> Boulders:
    if row.added_total == "all":
        return ALL_BOULDERS
    for column, number in zip(ADDED, row.added, strict=True):
        if number is None:
            raise CellError(column, "blank; the first row of a filling says what was filled in")
    filling = Boulders(*(number or 0 for number in row.added))
    if sum(filling) == 0:
        raise CellError(ADDED[0], "nothing was filled in; the first row of a filling says what was")
    return filling


def _put_back(contents: Contents, row: Row) -> tuple[Contents, Amount]:
    """Return the tower with what the row says was put in, and how much that was."""
    if row.added_total == "all":
        return Contents(contents.whole), contents.table_total
    if row.added_total is None and not any(row.added):
        return contents, _NONE
    added = []
    for column, color, number, out in zip(ADDED, COLORS, row.added, contents.table, strict=True):
        if number is not None and number > out.high:
            raise CellError(column, _too_many(number, color, "put in", out.high, "had come out"))
        added.append(Amount(0, out.high) if number is None else Amount.of(number))
    total = (
        Amount(sum(a.low for a in added), sum(a.high for a in added))
        if row.added_total is None
        else Amount.of(row.added_total)
    )
    column = ADDED[0] if row.added_total is None else "added_total"
    if total.low > contents.table_total.high:
        most = contents.table_total.high
        raise CellError(column, _too_many(total.low, "boulders", "put in", most, "had come out"))
    amounts, total = _tighten(tuple(added), total, column)
    table, table_total = _tighten(
        tuple(_less(out, a) for out, a in zip(contents.table, amounts, strict=True)),
        _less(contents.table_total, total),
        column,
    )
    return Contents(contents.whole, table, table_total), total


def _come_out(before: Contents, row: Row) -> tuple[tuple[Amount, ...], Amount]:
    out = []
    for column, color, amount, inside in zip(OUT, COLORS, row.out, before.inside, strict=True):
        if amount.low > inside.high:
            raise CellError(column, _too_many(amount.low, color, "came out", inside.high, "inside"))
        out.append(Amount(amount.low, min(amount.high, inside.high)))
    total = row.out_total or Amount(0, sum(ALL_BOULDERS))
    most = before.inside_total.high
    if total.low > most:
        raise CellError(
            "out_total", _too_many(total.low, "boulders", "came out", most, "were inside")
        )
    column = OUT[0] if row.out_total is None else "out_total"
    return _tighten(tuple(out), Amount(total.low, min(total.high, most)), column)


def _tighten(
    colors: tuple[Amount, ...], total: Amount, column: str
) -> tuple[tuple[Amount, ...], Amount]:
    """Narrow bounds by what they say about each other.

    Raises
    ------
    CellError
        For that column, if no numbers satisfy them all.
    """
    low, high = sum(a.low for a in colors), sum(a.high for a in colors)
    total = Amount(max(total.low, low), min(total.high, high))
    narrowed = tuple(
        Amount(max(a.low, total.low - (high - a.high)), min(a.high, total.high - (low - a.low)))
        for a in colors
    )
    if any(a.low > a.high for a in (total, *narrowed)):
        raise CellError(column, "the numbers here contradict what the rows before leave possible")
    return narrowed, total


def _less(a: Amount, b: Amount) -> Amount:
    return Amount(max(a.low - b.high, 0), a.high - b.low)


def _too_many(number: int, what: str, happened: str, most: int, where: str) -> str:
    return f"{number} {what} {happened}, but only {most} {where}"
