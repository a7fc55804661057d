"""What biases or weakens a fit to recorded hits, though every row can be read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from rocktower.calibration._rows import COLUMNS
from rocktower.calibration._summary import summarize
from rocktower.games.trollfjord import ALL_BOULDERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocktower.calibration._record import Record

__all__ = ["Caution", "find_cautions"]

_FEW_HITS = 100  # in a stand-in experiment 35 hits left three parameters of five nearly unknown
_EMPTY_EXPECTED = 20  # if one hit in seven is empty, 20 hits have one with a chance of 95 %
_LARGE_HIT = 16  # the default tower struck by a firm striker lets 10 or more go in 6 % of hits
_LONG_ROW = 12  # hits; a row of 30 hits takes a fit 90 s on one processor
_LOST_AT_MOST = 3  # a filling that lacks no more than these lacks them by accident


@dataclass(frozen=True, slots=True)
class Caution:
    """Something that biases or weakens a fit.

    Parameters
    ----------
    row
        As a spreadsheet numbers it; None if the whole file is meant.
    """

    row: int | None
    message: str

    def __str__(self) -> str:
        """Text such as ``row 12: 18 boulders by one hit: did the tower spill?``."""
        return self.message if self.row is None else f"row {self.row}: {self.message}"


def find_cautions(record: Record) -> tuple[Caution, ...]:
    """List what biases or weakens a fit: first single rows, then the file as a whole."""
    if not record.situations:
        return (Caution(None, "no hits yet"),)
    return (*_rows(record), *_empties(record), *_protocol(record), *_columns(record))


def _rows(record: Record) -> Iterator[Caution]:
    entries = list(zip(record.positions, record.situations, strict=True))
    puts_back = any(
        s.turn_hits == 0 and s.returned_total.low > 0 and s.before.table_total.high == 0
        for _, s in entries
    )
    for position, s in entries:
        count = sum(s.before.whole)
        missing = sum(ALL_BOULDERS) - count
        if s.row.hit == 1 and 0 < missing <= _LOST_AT_MOST:
            yield Caution(position, f"the filling has {count} boulders, the game 44: is one lost?")
        if s.row.hits == 1 and s.out_total.low >= _LARGE_HIT:
            yield Caution(position, f"{s.out_total.low} boulders by one hit: did the tower spill?")
        if s.row.hits > _LONG_ROW and s.row.flag is None and s.out_total.high > 0:
            yield Caution(
                position,
                f"{s.row.hits} hits in one row: a fit sums over all ways to make its total, which "
                "takes minutes, and learns little from it",
            )
        if s.row.hit > 1 and s.turn_hits == 0 and puts_back and (left := s.before.table_total).high:
            yield Caution(
                position,
                f"counts do not add up: a turn begins with boulders outside ({left}), though "
                "others begin with all put back; was a hit or a boulder forgotten?",
            )
    for (_, a), (position, b) in pairwise(entries):
        if b.row.session and a.row.session > b.row.session:
            yield Caution(position, f"session {b.row.session} comes after {a.row.session}")


def _empties(record: Record) -> Iterator[Caution]:
    """Miss empty hits that were not written down: they shift a fit silently."""
    known: dict[int, int] = defaultdict(int)
    empty: dict[int, int] = defaultdict(int)
    for s in record.situations:
        if s.row.flag is None and (s.row.hits == 1 or s.out_total.high == 0):
            is_empty = s.out_total.high == 0
            empty[s.row.filling] += s.row.hits * is_empty
            known[s.row.filling] += s.row.hits * (is_empty or s.out_total.low > 0)
    if not any(empty.values()):
        if (hits := sum(known.values())) >= _EMPTY_EXPECTED:
            yield Caution(None, f"no empty hit among {hits}: were they left out? Write them as 0")
        return
    for filling, hits in known.items():
        if hits >= _EMPTY_EXPECTED and not empty[filling]:
            yield Caution(
                None,
                f"no empty hit among the {hits} of filling {filling}, though others have some: "
                "were they left out? Write them as 0",
            )


def _protocol(record: Record) -> Iterator[Caution]:
    """Name what a fit cannot tell apart, as too few hits differ."""
    summary = summarize(record)
    hits = summary.hits
    if hits < _FEW_HITS:
        yield Caution(None, f"few hits: {hits}; a fit needs {_FEW_HITS} at least, 300 are good")
    if summary.coarse_hits > hits / 2:
        yield Caution(
            None, f"{summary.coarse_hits} of {hits} hits are known only in part, and say less"
        )
    total = summary.total
    if total.counted < total.hits:
        yield Caution(
            None,
            f"hits of which only bounds are known: {total.hits - total.counted}; they are not in "
            "the mean of boulders a hit, which is wrong if they are the large ones",
        )
    if summary.flagged_hits:
        yield Caution(
            None, f"{summary.flagged_hits} of {hits} hits are flagged and left out of all numbers"
        )
    strengths = {(row.strength, row.drop_cm) for row in record.rows}
    if len(strengths - {(None, None)}) < 2:
        yield Caution(
            None,
            "one strength only, or none written down: strength and friction cannot be told "
            "apart; strike at two strengths (strength), or from two marked heights (drop_cm)",
        )
    whole = sum(ALL_BOULDERS)
    if all(s.before.inside_total.low > whole / 2 for s in record.situations):
        yield Caution(
            None,
            "every hit met a tower more than half full: friction shows best when it gets empty; "
            "strike on without putting boulders back, or begin a filling with half of them",
        )


def _columns(record: Record) -> Iterator[Caution]:
    for column, why in (
        ("striker", "the spread between people is then taken for the spread of strikes"),
        ("held", "a tower pressed down then looks like a weak blow"),
    ):
        missing = sum(not getattr(row, column) for row in record.rows)
        if missing:
            rows = "row" if missing == 1 else "rows"
            yield Caution(None, f"{column} is blank in {missing} {rows}: {why}")
    for column in record.columns:
        if column not in COLUMNS:
            yield Caution(None, f"column {column!r} is not known here: kept, but not used")
