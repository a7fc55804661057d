"""Logs in the window: forward, back, and where they diverge."""

from __future__ import annotations

import json

import pytest

from rocktower import RockTower, RocktowerError, TowerModel
from rocktower.games.trollfjord import Answered, Replay
from rocktower.play import BagTower, Match, load_bot, make_tower
from rocktower.tower import decode_log, log_header, log_line
from rocktower.viewer import LogReplay
from tests.play.helpers import header
from tests.viewer.helpers import press, watch


def hammered(model: TowerModel, hits: int = 3) -> list[str]:
    tower = RockTower(model, seed=5)
    lines = [log_header(model, 5), log_line(0, tower.state)]
    for number in range(1, hits + 1):
        tower.strike()
        lines.append(log_line(number, tower.state, tower.last_strike, tower.last_result))
    return lines


def opened(lines: list[str], model: TowerModel) -> LogReplay:
    log = decode_log("\n".join(lines))
    return LogReplay.of_hammering(log, log.held(model), "evening.jsonl")


def test_forward_and_back(model) -> None:
    lines = hammered(model)
    log = decode_log("\n".join(lines))
    show = opened(lines, model)
    assert show.frame().panel.title == "Hit 0 of 3"
    assert show.frame().panel.subtitle == "log evening.jsonl"
    press(show, "left")
    assert show.frame().banner.text == "before the first hit"
    for number in range(1, 4):
        press(show, "right")
        assert show.is_playing
        assert show.title == f"Hit {number} of 3"
        watch(show)
        assert show.hits[-1].strike == log.hits[number - 1].strike
        assert not show.hits[-1].diverged
        assert (show.frame().moment.poses[:, 0] == log.hits[number - 1].after.poses[:, 0]).sum() > 0
    press(show, "space")
    assert show.frame().banner.text == "this was the last hit"
    press(show, "left")
    assert not show.is_playing
    assert show.title == "Hit 2 of 3"
    assert len(show.frame().panel.history) == 2
    press(show, "r")
    assert show.is_playing
    press(show, "home")
    assert show.frame().table == ()
    press(show, "end")
    assert show.title == "Hit 3 of 3"
    assert not show.is_playing


def test_a_log_is_shown_with_its_grip_and_cover(model) -> None:
    pressed = model.held("pressed", 1.0)
    show = opened(hammered(pressed), model)
    press(show, "end")
    assert show.model.hash == pressed.hash
    assert not show.hits[-1].diverged
    with pytest.raises(RocktowerError, match="made with the tower model"):
        LogReplay.of_hammering(decode_log("\n".join(hammered(pressed))), model, "x")


def test_a_changed_record_is_shown_as_diverged(model) -> None:
    lines = hammered(model)
    event = json.loads(lines[3])
    colors = {row["id"]: row["color"] for row in event["state"]["boulders"]}
    event["boulders"] = [event["state"]["boulders"][0]["id"]] + event["boulders"]
    event["colors"] = [colors[number] for number in event["boulders"]]
    lines[3] = json.dumps(event)
    show = opened(lines, model)
    press(show, "right", "space", "right")
    assert show.is_playing
    assert show.frame().banner is None
    watch(show)
    banner = show.frame().banner
    assert (banner.text, banner.kind) == ("DIVERGED", "alarm")
    assert "simulated here" in banner.detail
    assert [line.is_diverged for line in show.frame().panel.history] == [True, False]
    event["boulders"], event["colors"] = event["boulders"][1:], event["colors"][1:]
    moved = next(row for row in event["state"]["boulders"] if "x_m" in row)
    moved["x_m"] += 1e-12
    lines[3] = json.dumps(event)
    show = opened(lines, model)
    press(show, "end")
    assert "elsewhere" in show.hits[1].diverged


def game(source: str) -> Replay:
    """Play until some turns of hammering are over."""
    replay = Replay(header("greedy", "greedy", seed=8, source=source))
    tower = BagTower() if source == "bag" else make_tower(replay, ask=input, notify=print)
    match = Match(replay, [load_bot("greedy")] * 2, tower)
    hits = 0
    while hits < 12:
        event = match.step()
        hits += isinstance(event, Answered) and event.request == "hit"
    return replay


def test_a_game_plays_its_hits_with_the_limits_of_each_turn() -> None:
    replay = game("physics")
    show = LogReplay.of_game(replay, None, "game.jsonl")
    asked = [(s, e) for s, e in replay.steps if isinstance(e, Answered) and e.request == "hit"]
    for number, (position, event) in enumerate(asked, 1):
        press(show, "right")
        watch(show)
        assert show.title == f"Hit {number} of {len(asked)}"
        assert show.limit == position.hammering.limit
        assert "hammers" in show.subtitle
        assert not show.hits[-1].diverged
        after = position.hammering.out.plus(position.request.parse(event.answer))
        assert show.counted == tuple(after)
        assert len(show.hits) == position.hammering.hits + 1


def test_hits_of_another_source_are_shown_as_recorded_and_it_says_so() -> None:
    replay = game("bag")
    show = LogReplay.of_game(replay, None, "game.jsonl")
    assert any("no motion is known" in line for line in show.footer)
    press(show, "right")
    watch(show)
    position, event = next(
        (s, e) for s, e in replay.steps if isinstance(e, Answered) and e.request == "hit"
    )
    assert show.counted == tuple(position.request.parse(event.answer))
    frame = show.frame()
    assert frame.blow is None
    assert frame.panel.history[0].strike == "not simulated"


def test_a_game_whose_physics_differs_here_shows_it() -> None:
    replay = game("bag")
    pretended = Replay(header("greedy", "greedy", seed=8, source="physics"))
    pretended.steps, pretended.state = replay.steps, replay.state
    show = LogReplay.of_game(pretended, None, "game.jsonl")
    press(show, "end")
    assert any(scene.struck.diverged for scene in show._scenes)
    position, event = [
        (s, e) for s, e in replay.steps if isinstance(e, Answered) and e.request == "hit"
    ][-1]
    after = position.hammering.out.plus(position.request.parse(event.answer))
    assert show.counted == tuple(after)
