"""The physical tower in a game: as full as the rules say, and the same again after a resume."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, Boulders, Replay, Strike, TowerHit
from rocktower.play import BagTower, LogFile, Match, load_bot, make_tower
from tests.play.helpers import header


def physics(replay, notes=None):
    return make_tower(replay, ask=input, notify=(notes if notes is not None else []).append)


def test_a_game_resumes_with_the_same_tower(tmp_path):
    path = tmp_path / "game.jsonl"
    replay = Replay(header("greedy", "greedy", seed=8, source="physics"))
    with LogFile.create(path, replay.header) as log:
        Match(replay, [load_bot("greedy")] * 2, physics(replay)).play(log)
    text = path.read_bytes()
    hits = [event.n for _, event in replay.steps if getattr(event, "request", "") == "hit"]
    # Cut the log in the middle of hammering, when the tower isn't full.
    cut = sum(map(len, text.splitlines(keepends=True)[: hits[len(hits) // 2] + 1]))
    path.write_bytes(text[:cut])
    notes: list[str] = []
    log, resumed, _ = LogFile.resume(path)
    with log:
        Match(resumed, [load_bot("greedy")] * 2, physics(resumed, notes)).play(log)
    assert path.read_bytes() == text
    assert not notes


def test_hits_that_come_out_differently_here_count_as_they_are_in_the_log():
    replay = Replay(header("greedy", "greedy", seed=8, source="physics"))
    Match(replay, [load_bot("greedy")] * 2, BagTower()).play()
    notes: list[str] = []
    tower = physics(replay, notes)
    assert "come out differently here" in notes[0]
    hit = tower.hit(TowerHit(ALL_BOULDERS), np.random.default_rng(1))
    TowerHit(ALL_BOULDERS).check(hit)


def test_the_tower_is_as_full_as_the_request_says():
    tower = physics(Replay(header("greedy", "greedy", seed=8, source="physics")))
    rng = np.random.default_rng(3)
    for inside in (Boulders(11, 0, 5, 2), Boulders(0, 0, 0, 3), ALL_BOULDERS):
        for _ in range(3):
            request = TowerHit(inside, Strike("right", 3.0, 0.1))
            request.check(tower.hit(request, rng))


def test_an_impossible_strike_is_refused_before_it_is_written_down():
    tower = physics(Replay(header("greedy", "greedy", seed=8, source="physics")))
    for strike in (Strike("left", 500.0, 0.1), Strike("left", 1.0, 9.0), Strike("left", 1.0, 0.0)):
        with pytest.raises(RocktowerError):
            tower.check(strike)


def test_another_model_is_refused():
    other = replace(header("greedy", "greedy", source="physics"), versions={"tower_model": "ab"})
    with pytest.raises(RocktowerError, match="begun with tower model ab"):
        physics(Replay(other))
