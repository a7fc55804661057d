"""Recording at the table as a value: hits, undo, turns, fillings, habits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower.calibration import (
    COLUMNS,
    Amount,
    Habits,
    Recorder,
    decode_record,
    encode_record,
)
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import COLORS, Boulders
from tests.calibration.test_format import FULL, changed, text


def hit(recorder: Recorder, *colors: str) -> Recorder:
    for color in colors:
        recorder = recorder.come_out(color)
    return (recorder if colors else recorder.mark_empty()).confirm()


def rows(recorder: Recorder):
    return [situation.row for situation in recorder.situations]


def test_an_evening():
    recorder = Recorder(habits=Habits("2026-11-30", "Anna", held="held"))
    recorder = hit(recorder, "red", "red", "blue")
    recorder = hit(recorder)
    recorder = hit(recorder.start_turn().set("striker", "Bo"), "white")
    first, second, third = rows(recorder)
    assert first.added == (11, 11, 11, 11)
    assert first.out == tuple(map(Amount.of, (2, 1, 0, 0)))
    assert (second.hit, second.added) == (2, (0, 0, 0, 0))
    assert second.out == (Amount.of(0),) * 4
    assert (third.turn, third.hit, third.added) == (2, 3, (2, 1, 0, 0))
    assert [row.striker for row in (first, second, third)] == ["Anna", "Anna", "Bo"]
    assert {row.held for row in rows(recorder)} == {"held"}
    assert decode_record(encode_record(rows(recorder))).rows == (first, second, third)


def test_no_boulder_comes_out_that_is_not_inside():
    recorder = Recorder().fill(Boulders(1, 0, 0, 1)).come_out("red")
    for color in ("red", "blue"):
        with pytest.raises(RocktowerError, match=f"no {color} boulder is inside"):
            recorder.come_out(color)
    recorder = recorder.confirm()
    with pytest.raises(RocktowerError, match="no red"):
        recorder.come_out("red")
    recorder.start_turn().come_out("red")


def test_undo_takes_back_the_last_thing_first():
    recorder = hit(Recorder(), "red").start_turn().come_out("blue").come_out("white")
    recorder = recorder.undo()
    assert recorder.boulders == ("blue",)
    recorder = recorder.undo()
    assert recorder.new_turn
    recorder = recorder.undo()
    assert not recorder.new_turn
    assert recorder.tower.table_total == Amount.of(1)
    recorder = recorder.undo()
    assert recorder == Recorder()
    with pytest.raises(RocktowerError, match="nothing to take back"):
        recorder.undo()


def test_what_is_pending_comes_before_a_turn():
    recorder = hit(Recorder(), "red")
    for pending in (recorder.come_out("red"), recorder.mark_empty(), recorder.jump("red")):
        assert pending.is_pending
        with pytest.raises(RocktowerError, match="confirm this hit first"):
            pending.start_turn()
        with pytest.raises(RocktowerError, match="confirm this hit first"):
            pending.fill()
        assert not pending.undo().is_pending
    with pytest.raises(RocktowerError, match="nothing to confirm"):
        recorder.confirm()
    with pytest.raises(RocktowerError, match="new already"):
        recorder.start_turn().start_turn()
    with pytest.raises(RocktowerError, match="no empty hit"):
        recorder.come_out("red").mark_empty()


def test_a_filling_may_be_smaller():
    recorder = hit(hit(Recorder(), "red").fill(Boulders(5, 5, 5, 5)), "red")
    row = rows(recorder)[-1]
    assert (row.filling, row.turn, row.hit, row.added) == (2, 1, 1, (5, 5, 5, 5))
    for boulders in (Boulders(12, 0, 0, 0), Boulders(0, 0, 0, 0), Boulders(-1, 5, 5, 5)):
        with pytest.raises(RocktowerError, match="a filling has"):
            recorder.fill(boulders)


def test_flag_and_note_are_of_one_hit():
    recorder = Recorder().set("flag", "spill").set("note", "fell on the floor")
    recorder = hit(hit(recorder, "red"), "red")
    assert [(row.flag, row.note) for row in rows(recorder)] == [
        ("spill", "fell on the floor"), (None, ""),
    ]  # fmt: skip


def test_what_jumped_goes_back_in_and_does_not_count():
    recorder = Recorder().jump("red").jump("red").jump("white").mark_empty().confirm()
    (situation,) = recorder.situations
    assert situation.row.back == (2, 0, 0, 1)
    assert situation.after.inside_total == Amount.of(44)


@pytest.mark.parametrize(
    ("column", "value"),
    [("strength", "hard"), ("drop_cm", "high"), ("side", "front"), ("session", "today")],
)
def test_an_impossible_habit_is_refused(column, value):
    with pytest.raises(RocktowerError, match=column):
        Recorder().set(column, value)
    assert getattr(Recorder().set(column, "").habits, column) in ("", None)


def test_a_file_without_a_column_cannot_take_it():
    columns = tuple(c for c in COLUMNS if c not in ("drop_cm", "back_red"))
    with pytest.raises(RocktowerError, match="no column drop_cm"):
        Recorder(columns=columns).set("drop_cm", "12")
    with pytest.raises(RocktowerError, match="no column back_red"):
        Recorder(columns=columns).jump("red")


def test_a_coarse_file_is_gone_on_with():
    """Where colors are not known, a new turn puts back `all`."""
    blank = dict.fromkeys((f"out_{color}" for color in COLORS), "")
    record = decode_record(text(changed(FULL, hits="5", out_total="17", **blank)))
    recorder = hit(Recorder.resume(record, Habits()), *["red"] * 11)
    assert rows(recorder)[-1].hit == 6
    turn = recorder.start_turn()
    assert turn.next_row.added_total == "all"
    recorder = hit(turn, "red")
    assert recorder.situations[-1].before.inside_total == Amount.of(44)
    decode_record(encode_record(rows(recorder)))


STEPS = st.sampled_from(
    [*[f"out {color}" for color in COLORS], "jump red", "empty", "confirm", "undo", "turn", "fill"]
)


@given(st.lists(STEPS, max_size=60))
def test_whatever_is_pressed_the_rows_make_a_file(steps):
    recorder = Recorder()
    for step in steps:
        word, _, color = step.partition(" ")
        try:
            match word:
                case "out":
                    after = recorder.come_out(color)
                case "jump":
                    after = recorder.jump(color)
                case "empty":
                    after = recorder.mark_empty()
                case "confirm":
                    after = recorder.confirm()
                case "undo":
                    after = recorder.undo()
                case "turn":
                    after = recorder.start_turn()
                case _:
                    after = recorder.fill()
        except RocktowerError:
            continue
        assert abs(len(after.situations) - len(recorder.situations)) <= 1
        recorder = after
        assert all(amount.low >= 0 for amount in recorder.inside)
    record = decode_record(encode_record(rows(recorder)))
    assert record.situations == recorder.situations
