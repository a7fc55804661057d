"""Summaries and cautions: the numbers are right, and each caution has its cause."""

from __future__ import annotations

import numpy as np
import pytest

from rocktower.calibration import (
    Amount,
    Habits,
    Recorder,
    decode_record,
    encode_record,
    find_cautions,
    summarize,
)
from rocktower.calibration._summary import _ratio
from rocktower.games.trollfjord import Boulders
from tests.calibration.test_format import COLORS_UNKNOWN, FULL, NEXT, changed, text
from tests.calibration.test_recorder import hit, rows


def turns(*outs: tuple[int, ...], recorder: Recorder | None = None) -> Recorder:
    """A turn each, of hits with so many boulders."""
    recorder = recorder or Recorder()
    for turn in outs:
        if recorder.situations and recorder.filling is None:
            recorder = recorder.start_turn()
        for count in turn:
            colors = ["red"] * min(count, 5) + ["blue"] * (count - 5)
            recorder = hit(recorder, *colors)
    return recorder


def record_of(recorder: Recorder):
    return decode_record(encode_record(rows(recorder)))


def cautions(recorder: Recorder) -> str:
    return "\n".join(map(str, find_cautions(record_of(recorder))))


def test_the_mean_and_its_interval():
    """By hand: ratio of sums; spread of the turns' residuals; Student's t with 4 degrees."""
    summary = summarize(record_of(turns((1, 2), (3,), (0, 0, 3), (2, 2), (1,))))
    total = summary.total
    assert (summary.fillings, summary.turns, summary.hits) == (1, 5, 9)
    mean = 14 / 9
    residuals = [3 - 2 * mean, 3 - mean, 3 - 3 * mean, 4 - 2 * mean, 1 - mean]
    half = 2.776445105 * (sum(r * r for r in residuals) * 5 / 4) ** 0.5 / 9
    assert total.boulders_a_hit.value == pytest.approx(mean)
    assert total.boulders_a_hit.low == pytest.approx(mean - half)
    assert total.boulders_a_hit.high == pytest.approx(mean + half)
    assert (total.empty, total.known) == (2, 9)
    assert total.share_empty.value == pytest.approx(2 / 9)
    assert total.share_empty.low == pytest.approx(0.0632, abs=2e-4)  # Wilson's, from tables
    assert total.share_empty.high == pytest.approx(0.5474, abs=2e-4)


def test_the_intervals_cover():
    """Turns of Poisson size around a mean of their own: the interval holds the mean, 93 to 97 %.

    2000 files; at a true coverage of 94 % (a t interval of 12 turns), fewer than 1800 or more
    than 1960 have a chance below 1e-6.
    """
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(2000):
        hits = rng.integers(3, 8, 12)
        boulders = rng.poisson(hits * rng.gamma(9.0, 3.0 / 9.0, 12))
        estimate = _ratio(list(zip(boulders.tolist(), hits.tolist(), strict=True)))
        assert estimate.low is not None and estimate.high is not None  # noqa: PT018
        held += estimate.low <= 3.0 <= estimate.high
    assert 1800 < held < 1960


def test_strikers_and_flags():
    recorder = Recorder(habits=Habits(striker="Anna"))
    recorder = turns((3, 0), recorder=recorder).set("striker", "Bo")
    recorder = turns((4,), recorder=recorder).set("flag", "miss").mark_empty().confirm()
    summary = summarize(record_of(recorder))
    assert [(group.name, group.hits, group.empty) for group in summary.strikers] == [
        ("Anna", 2, 1), ("Bo", 1, 0),
    ]  # fmt: skip
    assert (summary.hits, summary.flagged_hits, summary.total.hits) == (4, 1, 3)
    assert str(summary.strikers[1].boulders_a_hit) == "4.00"


def test_coarse_rows_count_at_their_worth():
    coarse = changed(FULL, hits="5", out_total="17", **COLORS_UNKNOWN)
    empty = changed(NEXT, hit="6", hits="2")
    some = changed(NEXT, hit="8", out_total="1+", **COLORS_UNKNOWN)
    none = changed(NEXT, hit="9")
    summary = summarize(decode_record(text(coarse, empty, some, none)))
    assert summary.coarse_hits == 8
    assert summary.total.boulders_a_hit.value == pytest.approx(17 / 8)  # not the 1+
    assert (summary.total.empty, summary.total.known) == (1, 2)  # only single hits


def test_nothing_is_nothing():
    summary = summarize(decode_record(text()))
    assert summary.hits == 0
    assert str(summary.total.boulders_a_hit) == str(summary.total.share_empty) == "-"
    assert [str(c) for c in find_cautions(decode_record(text()))] == ["no hits yet"]


def test_empty_hits_that_were_left_out_are_missed():
    assert "no empty hit" not in cautions(turns(*[(2, 1)] * 9))
    assert "no empty hit among 20" in cautions(turns(*[(2, 1)] * 10))
    assert "no empty hit" not in cautions(turns(*[(2, 1)] * 10, (0,)))
    second = turns((0,)).fill()
    assert "among the 20 of filling 2" in cautions(turns(*[(2, 1)] * 10, recorder=second))


def test_counts_that_do_not_add_up():
    """One turn begins with a boulder outside, though the others begin with all inside."""
    recorder = turns((3,), (2,))
    assert "add up" not in cautions(recorder)
    content = encode_record(rows(recorder))
    lost = content.replace(",1,2,2,1,,3,0,0,0,", ",1,2,2,1,,2,0,0,0,")
    assert lost != content
    third = turns((1,), recorder=Recorder.resume(decode_record(lost), Habits()))
    (caution,) = [c for c in find_cautions(record_of(third)) if "add up" in c.message]
    assert caution.row == 3
    assert "boulders outside (1)" in caution.message
    down = encode_record(rows(turns((3,), (2,)))).replace(",1,2,2,1,,3,0", ",1,2,2,1,,0,0")
    assert "add up" not in "\n".join(map(str, find_cautions(decode_record(down))))


def test_a_filling_that_lacks_a_boulder():
    assert "43 boulders, the game 44" in cautions(turns((1,), recorder=lacking(10)))
    assert "the game 44" not in cautions(turns((1,), recorder=lacking(5)))


def lacking(red: int) -> Recorder:
    return Recorder().fill(Boulders(red, 11, 11, 11))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, "few hits: 1;"),
        ({}, "one strength only"),
        ({}, "more than half full"),
        ({"striker": ""}, "striker is blank in 1 row"),
        ({"held": ""}, "held is blank in 1 row"),
        ({"flag": "spill"}, "1 of 1 hits are flagged"),
        ({**COLORS_UNKNOWN, "out_total": "9"}, "1 of 1 hits are known only in part"),
        ({"out_red": "9", "out_blue": "9"}, "row 2: 18 boulders by one hit"),
        ({**COLORS_UNKNOWN, "hits": "30", "out_total": "9"}, "row 2: 30 hits in one row"),
    ],
)
def test_a_caution_has_its_cause(change, told):
    found = "\n".join(map(str, find_cautions(decode_record(text(changed(FULL, **change))))))
    assert told in found


def test_a_good_record_has_no_caution():
    recorder = Recorder(habits=Habits("2026-11-30", "Anna", "normal", held="held"))
    for strength in ("normal", "firm"):
        recorder = recorder.set("strength", strength)
        recorder = turns(*[(3, 2, 0, 2, 1)] * 9, recorder=recorder)
        recorder = recorder.fill(Boulders(5, 5, 5, 5))
        recorder = turns((3, 2, 0, 0, 0, 0, 0), recorder=recorder)
        recorder = recorder.fill()
    assert find_cautions(record_of(recorder)) == ()


def test_sessions_in_the_wrong_order():
    later = changed(NEXT, session="2026-11-29")
    found = find_cautions(decode_record(text(FULL, later)))
    assert any(c.row == 3 and "comes after 2026-11-30" in c.message for c in found)


def test_an_amount_is_text():
    assert str(Amount(2, 5)) == "2 to 5"
