"""Between the frames of a trace, at any rate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower import Strike, TowerModel
from rocktower.viewer import RATES, Player, Recording
from tests.viewer.helpers import press, watch

MODEL = TowerModel.load()
FULL = MODEL.fill(np.random.default_rng(3))
STRIKE = Strike("left", 3.0, 0.18)
RESULT = MODEL.strike(FULL, STRIKE, trace=True)
RECORDING = Recording.of(MODEL, STRIKE, RESULT)


def test_it_begins_with_the_state_before_and_ends_with_the_state_after() -> None:
    first = RECORDING.at(RECORDING.start).poses
    # Warmed up: micrometers, and ten thousandths of a radian.
    assert np.allclose(first[:, :2], FULL.poses[:, :2], atol=2e-5)
    assert np.allclose(first[:, 2], FULL.poses[:, 2], atol=1e-3)
    end = RECORDING.at(RECORDING.end)
    assert np.array_equal(end.poses, RESULT.state.poses, equal_nan=True)
    assert end.tower == (0.0, 0.0, 0.0)
    assert end.flying == {}


def test_frames_are_shown_as_they_are_and_halfway_between_is_halfway() -> None:
    trace = RESULT.trace
    for k in (1, 5, 12):
        moment = RECORDING.at(float(trace.times[k]))
        assert np.allclose(moment.poses, trace.boulders[k], equal_nan=True)
        assert moment.tower == pytest.approx(tuple(trace.tower[k]))
        half = RECORDING.at(0.5 * float(trace.times[k] + trace.times[k + 1]))
        middle = 0.5 * (trace.boulders[k] + trace.boulders[k + 1])
        both = ~np.isnan(middle[:, 0])
        assert np.allclose(half.poses[both], middle[both])


def test_the_tower_shakes_and_the_velocities_are_those_of_the_motion() -> None:
    tilts = [RECORDING.at(t).tower[2] for t in np.linspace(0.0, 0.3, 60)]
    assert max(map(abs, tilts)) > 0.01
    here, soon = RECORDING.at(0.1000), RECORDING.at(0.1001)
    moved = (soon.poses - here.poses)[:, :2] / 1e-4
    assert np.allclose(moved, here.velocities, atol=1e-6, equal_nan=True)


def test_boulders_come_out_in_their_order_and_fly_to_the_table() -> None:
    rows = [FULL.boulders.index(boulder) for boulder in RESULT.hit.boulders]
    assert rows
    assert [row for row, _ in RECORDING.out] == rows
    assert RECORDING.out_at(RECORDING.start) == ()
    assert list(RECORDING.out_at(RECORDING.end)) == rows
    for row, time in RECORDING.out:
        assert 0.0 <= RECORDING.at(time + 0.05).flying[row] <= 1.0


def test_the_hammer_lands_at_its_speed() -> None:
    assert RECORDING.blow_at(0.0).gap == 0.0
    assert RECORDING.blow_at(-1e-4).gap / 1e-4 == pytest.approx(STRIKE.speed, rel=1e-3)
    assert RECORDING.blow_at(0.01).spark > 0.0
    assert RECORDING.blow_at(1.0).spark == 0.0


@given(steps=st.lists(st.floats(0.0, 0.05), min_size=1, max_size=40), rate=st.sampled_from(RATES))
def test_only_the_time_that_passed_counts_not_the_frame_rate(steps, rate) -> None:
    player = Player(RECORDING, rate)
    for step in steps:
        player.advance(step)
    due = min(RECORDING.start + rate * sum(steps), RECORDING.end)
    assert player.time == pytest.approx(due, abs=1e-9)


def test_slow_motion_pause_and_steps_by_key(session) -> None:
    press(session, "space", "tab")
    assert session.rate == 0.5
    start = session.player.time
    session.advance(0.1)
    assert session.player.time == pytest.approx(start + 0.05)
    press(session, "tab", "tab")
    assert session.rate == 0.1
    press(session, "p")
    paused = session.player.time
    session.advance(1.0)
    assert session.player.time == paused
    assert any("paused" in value for _, value in session.frame().panel.chips)
    times = list(session.player.recording.times)
    session.player.time = times[3]
    press(session, ".")
    assert session.player.time == times[4]
    press(session, ",", ",")
    assert session.player.time == times[2]
    press(session, "p", "tab")
    assert session.rate == 1.0
    watch(session)
    assert not session.is_playing
    press(session, ",")
    assert session.is_playing
    press(session, "r")
    assert session.player.time == session.player.recording.start
    assert not session.player.is_paused


def test_nothing_is_replayed_before_the_first_hit(session) -> None:
    press(session, "r")
    assert session.frame().banner.text == "no hit yet"
    press(session, "p", ".", ",")
    assert session.player is None
