"""What a table says: against small tables counted by hand, and towers whose law is known.

Statistical tests have fixed seeds; 4.9 standard errors, or p below 1e-6, come by chance once in a
million.
"""

from __future__ import annotations

from math import isnan, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest

from rocktower.sampling import SIZES, HitRow, HitTable, Summary, size_name, summarize
from tests.sampling.towers import any_of, filling

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.statistics import Interval

R, B, Y = "red", "blue", "yellow"
NONE, ALL = (0, 0, 0, 0), (1, 1, 1, 1)


def hit(number: int, turn: int, k: int, added: tuple, left: int, order: str, ages: tuple) -> HitRow:
    colors = tuple({"r": R, "b": B, "y": Y, "w": "white"}[letter] for letter in order)
    return HitRow(1, number, turn, k, "left", 2.0, 0.1, added, left, colors, ages, NONE, True)


@pytest.fixture(scope="module")
def small() -> Summary:
    """A tower with one boulder of each color, filled twice."""
    return summarize(
        HitTable.from_rows(
            [
                hit(1, 1, 1, ALL, 4, "rb", (0, 0)),
                hit(1, 1, 2, NONE, 2, "", ()),
                hit(1, 2, 1, (1, 1, 0, 0), 4, "y", (1,)),
                hit(2, 1, 1, ALL, 4, "", ()),
            ]
        )
    )


def test_hits_are_counted(small: Summary) -> None:
    assert (small.fillings, small.turns, small.unsettled, small.jumped) == (2, 3, 0, 0)
    total = small.total
    assert (total.hits, total.mean.value, total.empty.value) == (4, 0.75, 0.5)
    assert [share.value for share in total.sizes] == [0.5, 0.25, 0.25, 0, 0, 0, 0]
    # Fillings gave 3 boulders in 3 hits and 0 in 1: 0.75 more and 0.75 less than expected.
    error = sqrt(2 * 0.75**2) / sqrt(2) / 2
    assert total.mean.error == pytest.approx(error)


def test_hits_are_grouped(small: Summary) -> None:
    assert [(g.name, g.hits, g.mean.value) for g in small.by_hit] == [("1", 3, 1.0), ("2", 1, 0.0)]
    assert [(g.name, g.hits, g.mean.value) for g in small.by_left] == [
        ("4", 3, 1.0),
        ("0-3", 1, 0.0),
    ]
    assert small.by_hit[1].empty.value == 1.0


def test_colors_are_counted(small: Summary) -> None:
    colors = small.colors
    assert [share.value for share in colors.shares] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert colors.expected == (0.25, 0.25, 0.25, 0.25)
    assert isnan(colors.p_value)  # of two fillings
    # The only neighbors are red, then blue, when no red was left.
    assert (colors.pairs, colors.expected_pairs, colors.pair_excess.value) == (0.0, 0.0, 0.0)


def test_memory_is_counted(small: Summary) -> None:
    memory = small.memory
    assert memory is not None
    # Second turn: red and blue dropped in stay, one of yellow and white leaves.
    assert (memory.new.value, memory.old.value, memory.gap.value) == (0.0, 0.5, -0.5)
    assert [share.value for share in memory.new_by_hit] == [0.0, 0.0]
    assert [share.value for share in memory.old_by_hit] == [0.5, 0.5]
    assert [share.value for share in memory.by_age] == [0.0, 0.5]


def test_boulders_grow_older_by_a_turn_in_each() -> None:
    rows = [
        hit(1, 1, 1, ALL, 4, "r", (0,)),
        hit(1, 2, 1, (1, 0, 0, 0), 4, "", ()),  # at risk: red of age 0, three of age 1
        hit(1, 3, 1, NONE, 4, "rb", (1, 2)),  # red of age 1, three of age 2
        hit(1, 4, 1, (1, 1, 0, 0), 4, "", ()),  # two of age 0, two of age 3
    ]
    memory = summarize(HitTable.from_rows(rows)).memory
    assert memory is not None
    assert [share.n for share in memory.by_age] == [3, 4, 3, 2]
    assert [share.value for share in memory.by_age] == pytest.approx([0, 1 / 4, 1 / 3, 0])


def test_neighbors_are_expected_from_what_is_left() -> None:
    """Of 2, 2, 2, 2: after a red one, 1 of 7 is red; after red and red, none of 6."""
    rows = [hit(1, 1, 1, (2, 2, 2, 2), 8, "rr", (0, 0)), hit(1, 1, 2, NONE, 6, "b", (0,))]
    colors = summarize(HitTable.from_rows(rows)).colors
    assert colors.pairs == 0.5
    assert colors.expected_pairs == pytest.approx((1 / 7 + 0) / 2)


def test_a_table_without_anything_out_has_a_summary() -> None:
    summary = summarize(HitTable.from_rows([hit(1, 1, 1, ALL, 4, "", ())]))
    assert summary.total.empty.value == 1.0
    assert summary.memory is None
    assert all(isnan(share.value) for share in summary.colors.shares)


def test_the_classes_cover_every_count_once() -> None:
    counted = [size for low, high in SIZES for size in range(low, min(high, 44) + 1)]
    assert counted == list(range(45))
    assert size_name(SIZES[0]) == "0"


def many(pick: Callable, fillings: int = 150) -> Summary:
    rng = np.random.default_rng(11)
    return summarize(
        HitTable.from_rows(
            row for n in range(1, fillings + 1) for row in filling(rng, n, pick=pick)
        )
    )


def sigmas(interval: Interval, expected: float = 0.0) -> float:
    return (interval.value - expected) / interval.error


def test_a_bag_has_neither_memory_nor_favorites() -> None:
    summary = many(any_of)
    assert summary.memory is not None
    assert abs(sigmas(summary.memory.gap)) < 4.9
    assert summary.colors.p_value > 1e-6
    assert abs(sigmas(summary.colors.pair_excess)) < 4.9
    assert abs(sigmas(summary.total.mean, 3.0)) < 4.9  # 0 to 6, and seldom too few left
    assert abs(sigmas(summary.total.empty, 1 / 7)) < 4.9


def test_who_goes_in_last_comes_out_last_or_first() -> None:
    last = many(lambda inside, rng: 0).memory
    first = many(lambda inside, rng: len(inside) - 1).memory
    assert last is not None
    assert first is not None
    assert sigmas(last.gap) < -4.9
    assert sigmas(first.gap) > 4.9
    assert last.by_age[1].low > last.by_age[0].high


def test_a_favorite_color_is_seen() -> None:
    def reds(inside: list[tuple[str, int]], rng: np.random.Generator) -> int:
        """Which prefers red now and then."""
        red = [k for k, (color, _) in enumerate(inside) if color == "red"]
        return red[0] if red and rng.random() < 0.2 else any_of(inside, rng)

    colors = many(reds).colors
    assert colors.p_value < 1e-6
    assert colors.shares[0].low > 0.25


def test_colors_that_stick_together_are_seen() -> None:
    last: list[str] = [""]

    def alike(inside: list[tuple[str, int]], rng: np.random.Generator) -> int:
        same = [k for k, (color, _) in enumerate(inside) if color == last[0]]
        pick = same[0] if same and rng.random() < 0.3 else any_of(inside, rng)
        last[0] = inside[pick][0]
        return pick

    colors = many(alike).colors
    assert sigmas(colors.pair_excess) > 4.9
    assert colors.p_value > 1e-6  # none of them is a favorite
