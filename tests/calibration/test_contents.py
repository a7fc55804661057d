"""What is inside before each hit follows from the rows."""

from __future__ import annotations

import itertools

from hypothesis import given

from rocktower.calibration import Amount, decode_record, encode_record
from tests.calibration.strategies import histories, records
from tests.calibration.test_format import FULL, NEXT, changed, text

KNOWN = Amount.of


def situations(*rows: str):
    return decode_record(text(*rows)).situations


def test_fine_rows_leave_nothing_open():
    second = changed(NEXT, out_blue="3")
    third = changed(NEXT, turn="2", hit="3", added_red="2", added_blue="4", out_white="1")
    a, b, c = situations(FULL, second, third)
    assert a.before.inside == (KNOWN(11),) * 4
    assert b.before.inside == (KNOWN(9), KNOWN(10), KNOWN(11), KNOWN(11))
    assert b.after.table == (KNOWN(2), KNOWN(4), KNOWN(0), KNOWN(0))
    assert b.after.inside_total == KNOWN(38)
    assert (a.turn_hits, b.turn_hits, c.turn_hits) == (0, 1, 0)
    assert c.returned_total == KNOWN(6)
    assert c.before.inside == (KNOWN(11),) * 4
    assert c.after.inside_total == KNOWN(43)


def test_all_puts_back_what_came_out_and_no_more():
    half = {f"added_{color}": "5" for color in ("red", "blue", "yellow", "white")}
    blank = dict.fromkeys(half, "")
    first = changed(FULL, **half)
    a, b = situations(first, changed(NEXT, **blank, added_total="all"))
    assert a.after.inside_total == KNOWN(17)
    assert b.before.inside == (KNOWN(5),) * 4
    (c,) = situations(changed(FULL, **blank, added_total="all"))
    assert c.before.inside == (KNOWN(11),) * 4


def test_a_total_narrows_the_colors():
    blank = dict.fromkeys(("out_red", "out_blue", "out_yellow", "out_white"), "")
    first = changed(FULL, **blank | {"out_red": "7"}, hits="5", out_total="17")
    a, b = situations(first, changed(NEXT, hit="6", **blank | {"out_red": "1+"}, out_total="5"))
    assert a.out == (KNOWN(7), Amount(0, 10), Amount(0, 10), Amount(0, 10))
    assert b.before.inside_total == KNOWN(27)
    assert b.out == (Amount(1, 4), Amount(0, 4), Amount(0, 4), Amount(0, 4))
    assert b.turn_hits == 5


def test_what_one_row_leaves_open_another_may_settle():
    """All but two colors are gone, so a total says how many of the rest came out."""
    few = {"added_red": "0", "added_blue": "0", "added_yellow": "2", "added_white": "3"}
    blank = dict.fromkeys(("out_red", "out_blue", "out_yellow", "out_white"), "")
    (a,) = situations(changed(FULL, **few, **blank, out_total="5"))
    assert a.out == (KNOWN(0), KNOWN(0), KNOWN(2), KNOWN(3))
    (b,) = situations(changed(FULL, **few, **blank, out_total="4+"))
    assert b.out_total == Amount(4, 5)
    assert b.out[2:] == (Amount(1, 2), Amount(2, 3))


def possible(row, contents) -> set[tuple[int, ...]]:
    """All that can have come out by a row of a filling that stands full, by brute force."""
    total = row.out_total or Amount(0, 44)
    ranges = (range(a.low, min(a.high, n) + 1) for a, n in zip(row.out, contents, strict=True))
    return {out for out in itertools.product(*ranges) if total.low <= sum(out) <= total.high}


@given(records(max_rows=1))
def test_the_bounds_of_a_first_row_are_exact(rows):
    for situation in decode_record(encode_record(rows)).situations:
        outs = possible(situation.row, situation.before.whole)
        assert situation.out == tuple(
            Amount(min(numbers), max(numbers)) for numbers in zip(*outs, strict=True)
        )
        sums = {sum(out) for out in outs}
        assert situation.out_total == Amount(min(sums), max(sums))


@given(records())
def test_no_boulder_comes_or_goes(rows):
    """What is inside and what is outside always make up the filling."""
    for situation in decode_record(encode_record(rows)).situations:
        for contents in (situation.before, situation.after):
            for inside, out, whole in zip(
                contents.inside, contents.table, contents.whole, strict=True
            ):
                assert (inside.low + out.high, inside.high + out.low) == (whole, whole)
                assert 0 <= inside.low <= inside.high <= whole
            total = contents.inside_total
            assert sum(a.low for a in contents.inside) <= total.low
            assert total.high <= sum(a.high for a in contents.inside)


@given(histories())
def test_the_truth_lies_within_the_bounds(history):
    rows, truth = history
    found = decode_record(encode_record(rows)).situations
    for situation, (inside, out) in zip(found, truth, strict=True):
        assert all(
            amount.low <= n <= amount.high
            for amount, n in zip(
                (*situation.before.inside, *situation.out), (*inside, *out), strict=True
            )
        )
        assert (
            situation.before.inside_total.low <= sum(inside) <= situation.before.inside_total.high
        )
        assert situation.out_total.low <= sum(out) <= situation.out_total.high
