"""The hammering of a turn in the window, without a display."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from rocktower.games.trollfjord import NO_BOULDERS, PLAYER_COLORS, Replay, Stop, Strike, phases
from rocktower.play import Match, PhysicsTower, load_bot
from rocktower.viewer import GameWindow, Turn
from rocktower.viewer._window import Window
from tests.play.helpers import header
from tests.viewer.helpers import settle, watch


def hammering(crew: int) -> tuple[Match, PhysicsTower]:
    """A game in which it has come to hammering, with so many in the crew."""
    replay = Replay(header("greedy", "greedy", "greedy", seed=8, source="physics"))
    tower = PhysicsTower(replay.header, None, is_traced=True)
    match = Match(replay, [load_bot("greedy")] * 3, tower)
    while len(match.state.hammering.crew) != crew or match.state.hammering.limit < 3:
        match.step()
    assert isinstance(match.state.phase, phases.Striking)
    return match, tower


def struck(turn: Turn, tower: PhysicsTower, state):
    """Strike as aimed; give the position after it."""
    turn.ask(state, np.random.default_rng(1))
    settle(turn)
    turn.key("space")
    assert isinstance(turn.decision, Strike)
    falling = turn.position = state.apply(turn.decision)
    turn.hit(lambda: tower.hit(falling.request, np.random.default_rng(1)))
    settle(turn)
    watch(turn)
    watch(turn)
    return falling.apply(turn.answer)


def test_what_is_struck_is_what_was_aimed_and_shown() -> None:
    match, tower = hammering(1)
    turn = Turn(tower, match.state, 8)
    assert turn.limit == match.state.hammering.limit
    turn.ask(match.state, np.random.default_rng(1))
    settle(turn)
    shown = turn.frame().moment.poses
    assert not np.isnan(shown).any()  # the tower is full before the first hit
    for key in ("right", "up", "+"):
        turn.key(key)
    aim = turn.aim.strike
    turn.key("space")
    assert turn.decision == Strike(aim.side, aim.speed, aim.height)
    after = struck(turn, tower, match.state)
    before, blow, _ = tower.last
    assert (before.poses == shown).all()
    assert blow == turn.aim.strike == aim
    assert turn.counted == tuple(after.hammering.out)
    assert "alone" in turn.subtitle


def test_one_stops_after_a_hit_not_before_the_first() -> None:
    match, tower = hammering(1)
    turn = Turn(tower, match.state, 8)
    turn.ask(match.state, np.random.default_rng(1))
    settle(turn)
    turn.key("x")
    assert turn.decision is None
    assert "not before the first" in turn.frame().banner.text
    assert ("Space", "strike") in turn.frame().panel.chips
    after = struck(turn, tower, match.state)
    turn.ask(after, np.random.default_rng(2))
    settle(turn)
    assert ("X", "stop hammering") in turn.frame().panel.chips
    turn.key("x")
    assert turn.decision == Stop()


def test_an_empty_hit_swaps_the_roles_and_it_is_told() -> None:
    match, tower = hammering(2)
    turn, state = Turn(tower, match.state, 8), match.state
    for _ in range(2):
        turn.aim.take_striker("gentle")
        first, second = (PLAYER_COLORS[player] for player in state.hammering.crew)
        assert turn.title == f"{first} hammers"
        assert turn.subtitle.startswith(f"{second} is the comrade")
        state = struck(turn, tower, state)
        assert turn.answer == NO_BOULDERS
        assert turn.title == f"{second} hammers"
        assert turn.frame().banner.text == "EMPTY HIT"
        assert f"{second} hammers now" in turn.frame().banner.detail


def test_grip_cover_and_undo_are_the_games() -> None:
    match, tower = hammering(1)
    turn = Turn(tower, match.state, 8)
    assert not {"grip", "cover", "undo", "drop-in", "new", "seed"} & set(turn.commands)
    assert {"gentle", "normal", "firm", "stop"} <= set(turn.commands)


class Typist(type(load_bot("greedy"))):
    """Stands for the terminal, and counts what it was asked about strikes."""

    asked = 0

    def decide(self, state, actions, rng):
        self.asked += isinstance(state.phase, phases.Striking)
        return super().decide(state, actions, rng)


@pytest.fixture
def fast(monkeypatch):
    """Look at the end of a hit for no time, and press what a test says."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("rocktower.viewer._turn._LAST_LOOK", 0.0)
    pressed: list[int | None] = []

    def get() -> list[pygame.event.Event]:
        key = pressed[0]
        if key is None:
            return [pygame.event.Event(pygame.QUIT)]
        values = {"key": key, "mod": 0, "unicode": " "}
        return [pygame.event.Event(kind, values) for kind in (pygame.KEYDOWN, pygame.KEYUP)]

    monkeypatch.setattr(pygame.event, "get", get)
    return pressed


def test_a_game_is_hammered_in_the_window_and_its_log_agrees(fast) -> None:
    fast.append(pygame.K_SPACE)
    replay = Replay(header("human", "human", seed=8, source="physics"))
    tower, typist = PhysicsTower(replay.header, None), Typist()
    window = GameWindow(typist, tower, replay, [True, True])
    match = Match(replay, [window, window], window, on_event=window.on_event)
    strikes = 0
    while strikes < 6:
        event = match.step()
        strikes += getattr(event, "action", "").startswith("strike ")
    assert typist.asked == 0
    # Closed in the middle: the game goes on at the terminal, and nothing is lost.
    fast[0] = None
    while not typist.asked:
        match.step()
    window.close()
    again = PhysicsTower(replay.header, None)
    agreed = [hit.agrees for hit in again.follow(replay)]
    assert len(agreed) >= 6
    assert all(agreed)


def test_a_window_that_is_opened_later_knows_the_hits_before() -> None:
    match, tower = hammering(1)
    while match.state.hammering.hits < 2:
        match.step()
    answers = [
        state.request.parse(event.answer)
        for state, event in match.replay.steps
        if state.turns == match.state.turns and getattr(event, "request", "") == "hit"
    ]
    turn = Turn(tower, match.state, 8, answers)
    assert turn.counted == tuple(match.state.hammering.out)
    assert len(turn.frame().panel.hits) == 2


def test_an_error_of_the_tower_ends_the_game(fast) -> None:
    fast.append(pygame.K_F12)
    match, tower = hammering(1)
    turn = Turn(tower, match.state, 8)

    def fails():
        raise OSError("gone")

    turn.hit(fails)
    window = Window()
    with pytest.raises(OSError, match="gone"):
        window.run(turn, lambda: False)
    window.close()
