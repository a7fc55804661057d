"""Recorded hits in a few numbers, with their uncertainty."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from rocktower.statistics import share

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocktower.calibration._contents import Situation
    from rocktower.calibration._record import Record

__all__ = ["Estimate", "Group", "Summary", "summarize"]

_LEVEL = 0.95
_FEWEST_TURNS = 5  # with fewer, their spread is hardly known, and no interval is given


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; None where there is too little to say it."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        """Text such as ``3.05 (2.4 to 3.7)``."""
        if self.value is None:
            return "-"
        if self.low is None or self.high is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


@dataclass(frozen=True, slots=True)
class Group:
    """The hits of a striker, or of all.

    Parameters
    ----------
    name
        The striker's; empty if none is named.
    hits
        How many, without those that are flagged.
    boulders_a_hit
        Mean; rows with bounds instead of a total are left out. Its interval takes the turns as
        independent of each other, not the hits, as a turn's hits share one packing.
    share_empty
        Of the hits that are written down one by one; Wilson's interval, which takes hits as
        independent.
    counted
        How many hits the mean counts: without those of rows that have bounds.
    known
        How many hits are known to be empty or not.
    empty
        How many of them are empty.
    """

    name: str
    hits: int
    boulders_a_hit: Estimate
    share_empty: Estimate
    counted: int
    known: int
    empty: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a file of recorded hits holds.

    Parameters
    ----------
    fillings, turns, hits
        How many; flagged hits are counted here.
    coarse_hits
        How many of the hits are known only in part.
    flagged_hits
        How many are flagged, and left out of everything below.
    total
        All hits together.
    strikers
        By striker, in the order in which they first struck.
    """

    fillings: int
    turns: int
    hits: int
    coarse_hits: int
    flagged_hits: int
    total: Group
    strikers: tuple[Group, ...]


def summarize(record: Record) -> Summary:
    """Sum recorded hits up."""
    rows = record.rows
    used = [s for s in record.situations if s.row.flag is None]
    names = dict.fromkeys(s.row.striker for s in used)
    return Summary(
        fillings=len({row.filling for row in rows}),
        turns=len({(row.filling, row.turn) for row in rows}),
        hits=record.hits,
        coarse_hits=sum(row.hits for row in rows if not row.is_fine),
        flagged_hits=sum(row.hits for row in rows if row.flag is not None),
        total=_group("all", used),
        strikers=tuple(_group(name, [s for s in used if s.row.striker == name]) for name in names),
    )


def _group(name: str, situations: Sequence[Situation]) -> Group:
    turns: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    known = empty = 0
    for s in situations:
        row, total = s.row, s.out_total
        if total.is_known:
            turn = turns[row.filling, row.turn]
            turn[0] += total.low
            turn[1] += row.hits
        # Of several hits one would know it only if all were empty, which would bias the share.
        if row.hits == 1 and (total.high == 0 or total.low > 0):
            known += 1
            empty += total.high == 0
    return Group(
        name,
        sum(s.row.hits for s in situations),
        _ratio(turns.values()),
        _share(empty, known),
        sum(hits for _, hits in turns.values()),
        known,
        empty,
    )


def _ratio(turns: Iterable[Sequence[int]]) -> Estimate:
    """Mean of boulders a hit from (boulders, hits) of each turn, which are independent.

    >>> print(_ratio([(6, 2), (9, 2), (6, 2), (3, 2), (6, 2)]), _ratio([(6, 2)]), _ratio([]))
    3.00 (1.68 to 4.32) 3.00 -
    """
    turns = [turn for turn in turns if turn[1]]
    hits = sum(n for _, n in turns)
    if not hits:
        return Estimate(None)
    mean = sum(boulders for boulders, _ in turns) / hits
    k = len(turns)
    if k < _FEWEST_TURNS:
        return Estimate(mean)
    from scipy.special import stdtrit

    squares = sum((boulders - mean * n) ** 2 for boulders, n in turns)
    half = float(stdtrit(k - 1, 0.5 + 0.5 * _LEVEL)) * sqrt(squares * k / (k - 1)) / hits
    return Estimate(mean, max(mean - half, 0.0), mean + half)


def _share(count: int, of: int) -> Estimate:
    """Share with Wilson's interval.

    >>> print(_share(0, 20), _share(3, 3))
    0.00 (0.00 to 0.16) 1.00 (0.44 to 1.00)
    """
    if not of:
        return Estimate(None)
    known = share(count, of)
    return Estimate(known.value, known.low, known.high)
