"""The emulator in a game: resumed alike, refused for another tower, helped by the physics."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace as with_fields

from rocktower.emulator import Emulator
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    ALL_BOULDERS,
    Boulders,
    Replay,
    Strike,
    TowerHit,
)
from rocktower.play import (
    BagTower,
    EmulatedTower,
    LogFile,
    Match,
    load_bot,
    make_tower,
    versions,
)
from tests.play.helpers import header


def emulated_header(seed: int = 8):
    made = header("greedy", "greedy", seed=seed, source="emulator")
    return with_fields(made, versions=versions("emulator", None, seed))


def tower_of(replay: Replay, notes: list[str] | None = None) -> EmulatedTower:
    notify = (notes if notes is not None else []).append
    tower = make_tower(replay, ask=input, notify=notify)
    assert isinstance(tower, EmulatedTower)
    return tower


def test_a_game_resumes_with_the_same_tower(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    replay = Replay(emulated_header())
    with LogFile.create(path, replay.header) as log:
        Match(replay, [load_bot("greedy")] * 2, tower_of(replay)).play(log)
    text = path.read_bytes()
    hits = [event.n for _, event in replay.steps if getattr(event, "request", "") == "hit"]
    cut = sum(map(len, text.splitlines(keepends=True)[: hits[len(hits) // 2] + 1]))
    path.write_bytes(text[:cut])
    notes: list[str] = []
    log, resumed, _ = LogFile.resume(path)
    with log:
        Match(resumed, [load_bot("greedy")] * 2, tower_of(resumed, notes)).play(log)
    assert path.read_bytes() == text
    assert not notes


def test_hits_that_come_out_differently_here_count_as_they_are_in_the_log() -> None:
    replay = Replay(emulated_header())
    match = Match(replay, [load_bot("greedy")] * 2, BagTower())
    while not (replay.steps and getattr(replay.steps[-1][1], "request", "") == "hit"):
        match.step()
    notes: list[str] = []
    tower = tower_of(replay, notes)
    assert "come out differently here" in notes[-1]
    hit = replay.steps[-1][1].answer
    out = replay.steps[-1][0].request.parse(hit)
    assert Boulders(*tower.towers.inside[0].tolist()) == ALL_BOULDERS.minus(out)


def test_the_header_names_the_emulator_and_another_one_is_refused(tmp_path: Path) -> None:
    begun = emulated_header()
    shipped = Emulator.load()
    assert begun.versions["emulator"] == shipped.hash
    assert begun.versions["tower_model"] == shipped.tower_hash
    other = tmp_path / "other.npz"
    replace(shipped, tail=0.25).save(other)
    with pytest.raises(RocktowerError, match="begun with the emulator"):
        EmulatedTower(begun, emulator=other)
    stranger = tmp_path / "stranger.npz"
    replace(shipped, note={**shipped.note, "tower_hash": "0" * 16}).save(stranger)
    with pytest.raises(RocktowerError, match="stands for tower model 0000"):
        EmulatedTower(with_fields(begun, versions={}), emulator=stranger)


def test_aimed_strikes_are_answered_by_the_physics_and_it_is_said_once() -> None:
    notes: list[str] = []
    tower = tower_of(Replay(emulated_header()), notes)
    rng = np.random.default_rng(3)
    out = tower.hit(TowerHit(ALL_BOULDERS), rng)
    assert (tower.hits, tower.fallbacks) == (1, 0)
    inside = ALL_BOULDERS.minus(out)
    for number in (1, 2):
        request = TowerHit(inside, Strike("right", 3.0, 0.1))
        out = tower.hit(request, rng)
        request.check(out)
        inside = inside.minus(out)
        assert tower.fallbacks == number
        assert Boulders(*tower.towers.inside[0].tolist()) == inside
    assert len(notes) == 1
    assert "aimed strikes" in notes[0]
    tower.hit(TowerHit(inside), rng)
    assert (tower.hits, tower.fallbacks) == (4, 2)
    with pytest.raises(RocktowerError, match="above the tower"):
        tower.check(Strike("left", 1.0, 9.0))
    tower.check(Strike())


def test_contents_that_it_hardly_knows_are_answered_by_the_physics(tmp_path: Path) -> None:
    shipped, mine = Emulator.load(), tmp_path / "mine.npz"
    replace(shipped, seen=np.where(np.arange(45) < 5, 0, 100)).save(mine)
    notes: list[str] = []
    begun = header("greedy", "greedy", source="emulator")
    tower = EmulatedTower(begun, emulator=mine, notify=notes.append)
    request = TowerHit(Boulders(0, 2, 0, 1))
    request.check(tower.hit(request, np.random.default_rng(1)))
    assert tower.fallbacks == 1
    assert "contents" in notes[0]


def test_the_tower_is_as_full_as_the_request_says() -> None:
    tower = tower_of(Replay(emulated_header()))
    rng = np.random.default_rng(3)
    for inside in (Boulders(11, 0, 5, 2), Boulders(2, 4, 5, 3), ALL_BOULDERS):
        for _ in range(3):
            request = TowerHit(inside)
            request.check(tower.hit(request, rng))


def test_files_for_other_sources_are_refused() -> None:
    for source, files in (
        ("bag", {"emulator": Path("a.npz")}),
        ("physics", {"emulator": Path("a.npz")}),
        ("bag", {"model": Path("a.toml")}),
    ):
        replay = Replay(header("greedy", "greedy", source=source))
        with pytest.raises(RocktowerError, match=re.escape(f"not for {source}")):
            make_tower(replay, ask=input, notify=print, **files)
