"""A tower of one's own, key by key."""

from __future__ import annotations

import numpy as np
import pytest

from rocktower import RockTower, RocktowerError
from rocktower.tower import MAX_SPEED
from rocktower.viewer import KEYS, Session
from tests.viewer.helpers import press, settle, strike, watch


def test_space_strikes_as_the_rock_tower_of_that_seed_does(model, session) -> None:
    tower = RockTower(model, seed=7)
    for _ in range(3):
        hit = tower.strike()
        expected = tower.last_strike
        assert session.aim.strike == expected
        strike(session)
        rows = session.hits[-1].rows
        assert tuple(session.state.boulders[row] for row in rows) == hit.boulders
        assert session.state == tower.state
    tower.drop_in()
    press(session, "i")
    assert session.state == tower.state
    assert session.hits == ()
    tower.strike()
    strike(session)
    assert session.state == tower.state


def test_return_strikes_too_and_a_second_key_ends_the_playback(session) -> None:
    press(session, "return")
    assert session.is_playing
    press(session, "space")
    assert not session.is_playing
    assert len(session.hits) == 1


def test_nothing_waits_for_the_simulation(session) -> None:
    session.key("space")
    assert session.job is not None
    before = session.frame()
    session.advance(0.1)
    session.key("space")  # impatience does no harm
    session.key("up")
    assert session.frame().moment.poses is before.moment.poses
    settle(session)
    assert len(session.hits) == 1


@pytest.mark.parametrize("key", ["left", "a"])
def test_the_side_is_chosen_and_the_striker_stays(session, key) -> None:
    press(session, "right")
    assert session.aim.strike.side == "right"
    drawn = session.aim.strike
    press(session, key)
    assert session.aim.strike.side == "left"
    assert (session.aim.strike.speed, session.aim.strike.height) == (drawn.speed, drawn.height)
    assert session.aim.striker == "normal"


def test_height_and_speed_by_keys(session) -> None:
    start = session.aim.strike
    press(session, "up", "w", "shift up")
    assert session.aim.strike.height == pytest.approx(start.height + 0.011)
    press(session, "down", "s", "shift down")
    assert session.aim.strike.height == pytest.approx(start.height)
    press(session, "+", "+", "-")
    assert session.aim.strike.speed == pytest.approx(start.speed + 0.1, abs=1e-3)
    assert session.aim.striker is None
    strike(session)
    assert session.hits[0].strike.speed == pytest.approx(start.speed + 0.1, abs=1e-3)
    assert session.aim.strike == session.hits[0].strike  # an aim by hand stays


def test_a_held_key_repeats_only_what_is_done_in_steps(session) -> None:
    start = session.aim.strike.height
    for _ in range(3):
        session.key("up", is_held=True)
    assert session.aim.strike.height == pytest.approx(start + 0.015)
    for key in ("space", "g", "q", "h"):
        session.key(key, is_held=True)
    assert session.job is None
    assert session.model.grip.name == "held"
    assert session.wishes == []


def test_no_key_leads_off_the_tower(session) -> None:
    press(session, *["down"] * 100)
    assert session.aim.strike.height > 0
    press(session, *["up"] * 200)
    assert session.aim.strike.height == session.model.geometry.height
    press(session, *["-"] * 100)
    assert session.aim.strike.speed > 0
    press(session, *["+"] * 300)
    assert session.aim.strike.speed == MAX_SPEED
    strike(session)


def test_numbers_are_the_packaged_strikers(session) -> None:
    drawn = {}
    for key, name in (("1", "gentle"), ("2", "normal"), ("3", "firm")):
        press(session, key)
        assert session.aim.striker == name
        drawn[name] = session.aim.strike.speed
    assert drawn["gentle"] < drawn["normal"] < drawn["firm"]


def test_the_mouse_aims_holds_and_pulls(session) -> None:
    session.press("left", 0.2)
    session.advance(0.05)
    session.release()
    assert (session.aim.strike.side, session.aim.strike.height) == ("left", 0.2)
    assert session.job is None  # a click only aims
    session.press("right", 0.1)
    speeds = []
    for _ in range(12):
        session.advance(0.1)
        speeds.append(session.aim.strike.speed)
    assert speeds[1:] == sorted(speeds[1:])
    session.release()
    settle(session)
    held = session.hits[-1].strike
    assert (held.side, held.height) == ("right", 0.1)
    assert held.speed == speeds[-1]
    watch(session)
    session.press("left", 0.15)
    session.pull(0.04)
    session.pull(0.1)
    assert session.aim.strike.speed == pytest.approx(2.5)
    session.cancel()
    session.release()
    assert session.job is None
    session.press("left", 0.15)
    session.pull(0.08)
    session.release()
    settle(session)
    assert session.hits[-1].strike.speed == pytest.approx(2.0)


def test_front_and_back_are_never_offered(session) -> None:
    assert not {"front", "back"} & set(session.commands)


def test_the_grip_goes_round_and_is_struck_with(session) -> None:
    names = []
    for _ in range(3):
        press(session, "g")
        names.append(session.model.grip.name)
    assert names == ["pressed", "loose", "held"]
    press(session, "g")
    before = session.state
    aimed = session.aim.strike
    strike(session)
    assert session.state == session.model.strike(before, aimed).state
    assert session.frame().model.grip.name == "pressed"


def test_the_cover_goes_round(session) -> None:
    covers = []
    for _ in range(3):
        press(session, "c")
        covers.append(session.model.cover)
    assert covers == [1.0, 0.0, 0.5]


def test_undo_goes_back_through_everything(session) -> None:
    states = [session.state]
    for keys in (("space",), ("space",), ("i",), ("space",), ("n",)):
        press(session, *keys)
        watch(session)
        states.append(session.state)
    seeds = session.now.seed
    assert seeds != 7
    for state in reversed(states[:-1]):
        press(session, "u")
        assert session.state == state
    assert session.now.seed == 7
    press(session, "u")
    assert session.frame().banner.text == "nothing to undo"
    strike(session)
    assert session.state == states[1]  # what is done again comes out alike


def test_a_seed_is_typed(session) -> None:
    press(session, "t", "1", "9", "x", "backspace", "[4]")
    assert session.prompt == "seed: 14_"
    assert session.hits == ()
    press(session, "return")
    assert session.prompt is None
    assert session.now.seed == 14
    assert session.state == RockTower(seed=14).state
    press(session, "t", "5", "escape")
    assert session.now.seed == 14
    press(session, "t", *"99999999999999999999", "return")
    assert "whole number from 0" in session.frame().banner.text


def test_the_limit_is_the_number_of_trolls(session) -> None:
    press(session, *["shift l"] * 9)
    assert session.limit == 9
    press(session, *["l"] * 12)
    assert session.limit == 1


def test_dropping_in_with_nothing_outside_says_so(session) -> None:
    press(session, "i")
    assert session.frame().banner.text == "all boulders are inside"
    watch(session)
    assert session.frame().banner is None


def test_an_empty_hit_and_an_angry_spirit_are_events(model) -> None:
    session = Session(model, 7, "gentle", 1)
    strike(session)
    assert session.hits[0].is_empty
    assert session.frame().banner.text == "EMPTY HIT"
    assert session.frame().panel.hits == (True,)
    assert session.frame().panel.history[0].colors == ()
    press(session, "3")
    while max(session.counted[:3]) < 2:
        strike(session)
    banner = session.frame().banner
    assert banner.text == "The mountain spirit is angry"
    assert banner.kind == "alarm"


def test_the_panel_counts_what_is_seen_to_be_out(session) -> None:
    press(session, "3")
    strike(session)
    strike(session)
    last = session.hits[-1]
    assert last.rows
    press(session, "r")
    before = sum(session.counted)
    assert len(session.frame().panel.hits) == 1  # the second one is not over
    watch(session)
    assert sum(session.counted) == before + len(last.rows)
    assert sum(session.counted) == len(session.state.outside)
    assert session.frame().panel.footer[0] == "seed 7"


def test_what_is_to_be_seen_is_switched(session) -> None:
    for key, name in (("o", "shows_forces"), ("v", "shows_velocities"), ("m", "shows_marks")):
        before = getattr(session.frame(), name)
        press(session, key)
        assert getattr(session.frame(), name) is not before
    assert session.frame().heat is None
    press(session, "b", "space")
    watch(session)
    heat = session.frame().heat
    assert heat.max() == 1.0
    assert session.frame().heat is heat  # not computed by the frame
    rows, _ = np.nonzero(heat > 0.2)
    assert 0 < rows.min() < rows.max() < heat.shape[0]


def test_the_window_is_asked_for_what_only_it_can_do(session) -> None:
    press(session, "f", "f11", "e", "shift e", "q", "escape")
    assert session.wishes == ["fullscreen", "fullscreen", "picture", "movie", "quit", "quit"]


def test_help_shows_every_key_of_the_session_and_any_key_closes_it(session) -> None:
    press(session, "h")
    shown = session.frame().help
    assert {meaning for _, meaning in shown} == {
        key.meaning for key in KEYS if key.label and key.command in session.commands
    }
    press(session, "space")
    assert session.frame().help == ()
    assert session.hits == ()


def test_every_command_has_a_key(session) -> None:
    assert set(session.commands) <= {key.command for key in KEYS}


def test_a_tower_that_does_not_hold_its_boulders_is_refused(model) -> None:
    from dataclasses import replace

    geometry = replace(model.geometry, outlet_width=0.085, levels=())
    with pytest.raises(RocktowerError, match="does not hold its boulders"):
        Session(replace(model, geometry=geometry), 1)
    with pytest.raises(RocktowerError, match="1 to 9"):
        Session(model, 1, limit=10)
