"""What a table of hits says: boulders a hit, empty hits, colors, memory, each with an interval."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from rocktower.statistics import (
    Interval,
    clustered_share,
    difference_of_ratios,
    mean_is_zero,
    ratio,
)
from rocktower.tower import COLORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.sampling._table import HitTable

__all__ = ["SIZES", "Colors", "HitGroup", "Memory", "Summary", "size_name", "summarize"]

SIZES = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (6, 9), (10, 999))
"""Smallest and largest number of boulders of the classes of hits."""

_BIN = 4  # boulders left in one group
_FEWEST_FOR_TEST = 10  # fillings, for a test on the colors


def size_name(size: tuple[int, int]) -> str:
    """Say a class of hits.

    >>> [size_name(size) for size in SIZES]
    ['0', '1', '2', '3', '4-5', '6-9', '10+']
    """
    low, high = size
    if size == SIZES[-1]:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}"


@dataclass(frozen=True, slots=True)
class HitGroup:
    """Hits that have something in common.

    Parameters
    ----------
    name
        Such as ``"3"`` for the third hits of the turns, or ``"40-43"`` for boulders left.
    hits
        How many.
    mean
        Boulders a hit.
    sizes
        Share of the hits of each class of `SIZES`; the first is the empty share.
    """

    name: str
    hits: int
    mean: Interval
    sizes: tuple[Interval, ...]

    @property
    def empty(self) -> Interval:
        """Share of empty hits."""
        return self.sizes[0]


@dataclass(frozen=True, slots=True)
class Colors:
    """Whether the colors are alike to the tower.

    Parameters
    ----------
    shares
        Share of each color among the boulders that came out.
    expected
        Its share among the boulders of the tower.
    p_value
        Of shares that far off, if the colors are exchangeable (Hotelling's test over the
        fillings); NaN for fewer than ten fillings.
    pairs, expected_pairs
        Share of the boulders that have the color of the one before in the same turn, and the
        mean of its expectation from what was left of each color.
    pair_excess
        Their difference.
    """

    shares: tuple[Interval, ...]
    expected: tuple[float, ...]
    p_value: float
    pairs: float
    expected_pairs: float
    pair_excess: Interval


@dataclass(frozen=True, slots=True)
class Memory:
    """Whether boulders that were just dropped in leave later; from the second turns on.

    Parameters
    ----------
    new, old
        Share of the boulders just dropped in, and of all others inside, that leave in the turn.
    gap
        ``new - old``.
    new_by_hit, old_by_hit
        The same up to and with the k-th hit, for each k.
    by_age
        Share that leaves in the turn, of the boulders dropped in so many turns ago; 0 is just
        before it.
    """

    new: Interval
    old: Interval
    gap: Interval
    new_by_hit: tuple[Interval, ...]
    old_by_hit: tuple[Interval, ...]
    by_age: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a table of hits says; every interval has 95 %, with fillings as independent units."""

    fillings: int
    turns: int
    unsettled: int
    jumped: int
    total: HitGroup
    by_hit: tuple[HitGroup, ...]
    by_left: tuple[HitGroup, ...]
    colors: Colors
    memory: Memory | None
    """None if no turn began with boulders just dropped in and others."""


def summarize(table: HitTable) -> Summary:
    """Count, with intervals."""
    return Summary(
        fillings=int(table.unit[-1]) + 1,
        turns=int((table.hit == 1).sum()),
        unsettled=int((~table.settled).sum()),
        jumped=int(table.back.sum()),
        total=_group("all", table, np.full(len(table), fill_value=True)),
        by_hit=tuple(
            _group(str(hit), table, table.hit == hit) for hit in range(1, table.hit.max() + 1)
        ),
        by_left=_by_left(table),
        colors=_colors(table),
        memory=_memory(table),
    )


def _per_unit(
    table: HitTable, values: NDArray[np.int64] | NDArray[np.float64] | NDArray[np.bool_]
) -> NDArray[np.float64]:
    return np.bincount(table.unit, weights=values).astype(float)


def _group(name: str, table: HitTable, chosen: NDArray[np.bool_]) -> HitGroup:
    size = table.out.sum(axis=1)
    hits = _per_unit(table, chosen)
    there = hits > 0
    boulders = _per_unit(table, size * chosen)
    return HitGroup(
        name,
        int(chosen.sum()),
        ratio(boulders[there], hits[there]),
        tuple(
            clustered_share(_per_unit(table, chosen & (size >= low) & (size <= high)), hits)
            for low, high in SIZES
        ),
    )


def _by_left(table: HitTable) -> tuple[HitGroup, ...]:
    """Group by boulders left: the full tower, and four numbers each below it."""
    full = int(table.left.max())
    groups = [_group(str(full), table, table.left == full)]
    for high in range(full - 1, -1, -_BIN):
        low = max(high - _BIN + 1, 0)
        chosen = (table.left >= low) & (table.left <= high)
        if chosen.any():
            groups.append(_group(f"{low}-{high}" if low < high else str(low), table, chosen))
    return tuple(groups)


def _colors(table: HitTable) -> Colors:
    first = (table.turn == 1) & (table.hit == 1)
    composition = table.added[first].sum(axis=0)
    expected = composition / composition.sum()
    out = np.stack([_per_unit(table, table.out[:, c]) for c in range(len(COLORS))], axis=1)
    total = out.sum(axis=1)
    if total.any():
        shares = tuple(clustered_share(column, total) for column in out.T)
    else:
        shares = tuple(Interval(nan, n=0) for _ in COLORS)
    # The last of the colors there are follows from the others.
    free = np.flatnonzero(composition)[:-1]
    off = (out - total[:, None] * expected)[:, free]
    p_value = mean_is_zero(off) if len(off) >= _FEWEST_FOR_TEST else nan
    pairs, chances, neighbors = _pairs(table)
    known = neighbors > 0
    if known.any():
        excess = ratio((pairs - chances)[known], neighbors[known])
        count = neighbors.sum()
        seen, chance = float(pairs.sum() / count), float(chances.sum() / count)
    else:
        excess, seen, chance = Interval(nan, n=0), nan, nan
    return Colors(shares, tuple(expected.tolist()), p_value, seen, chance, excess)


def _pairs(table: HitTable) -> tuple[NDArray[np.float64], ...]:
    """Count, in each filling, same-colored neighbors, their expectation, and all neighbors.

    If colors are alike, the next boulder of a turn has a color with the chance that this color
    has among those left. The sum of what is more than that has the mean 0.
    """
    pairs, chances, neighbors = np.zeros((3, int(table.unit[-1]) + 1))
    left = [0] * len(COLORS)
    before: int | None = None
    for row, order in enumerate(table.order):
        if table.hit[row] == 1:
            left, before = table.inside[row].tolist(), None
        unit = table.unit[row]
        for color in order:
            if before is not None:
                pairs[unit] += color == before
                chances[unit] += left[before] / sum(left)
                neighbors[unit] += 1
            left[color] -= 1
            before = color
    return pairs, chances, neighbors


def _memory(table: HitTable) -> Memory | None:
    later = table.turn > 1
    new = _per_unit(table, table.added.sum(axis=1) * later)
    start = later & (table.hit == 1)
    old = _per_unit(table, (table.left - table.added.sum(axis=1)) * start)
    if not new.any() or not old.any():
        return None
    new_out = np.array([ages.count(0) for ages in table.ages]) * later
    old_out = (table.out.sum(axis=1) - new_out) * later
    by_hit = [table.hit <= hit for hit in range(1, table.hit.max() + 1)]
    new_by_hit = tuple(clustered_share(_per_unit(table, new_out * upto), new) for upto in by_hit)
    old_by_hit = tuple(clustered_share(_per_unit(table, old_out * upto), old) for upto in by_hit)
    gap = difference_of_ratios(_per_unit(table, new_out), new, _per_unit(table, old_out), old)
    return Memory(new_by_hit[-1], old_by_hit[-1], gap, new_by_hit, old_by_hit, _by_age(table))


def _by_age(table: HitTable) -> tuple[Interval, ...]:
    """Share leaving in a turn, by how many turns ago the boulder was dropped in."""
    out = np.zeros((int(table.unit[-1]) + 1, int(table.turn.max())))
    inside = np.zeros_like(out)
    ages: Counter[int] = Counter()
    for row, left_at in enumerate(table.ages):
        unit, turn = table.unit[row], table.turn[row]
        if table.hit[row] == 1:
            ages = Counter({age + 1: n for age, n in ages.items()}) if turn > 1 else Counter()
            ages[0] = int(table.added[row].sum())
            if turn > 1:
                for age, n in ages.items():
                    inside[unit, age] += n
        for age in left_at:
            ages[age] -= 1
            if turn > 1:
                out[unit, age] += 1
    # No age has a gap before it: what is older now was as young in an earlier turn.
    return tuple(
        clustered_share(out[:, age], inside[:, age])
        for age in range(out.shape[1])
        if inside[:, age].any()
    )
