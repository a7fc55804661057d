"""Matches: undo, logs on disk, resuming after a kill at any byte, towers."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    ALL_BOULDERS,
    Acted,
    Answered,
    Boulders,
    Replay,
    Strike,
    TowerHit,
    Undone,
    encode,
    read_log,
)
from rocktower.play import (
    BagTower,
    LogFile,
    Match,
    UndoRequested,
    load_bot,
    make_tower,
    read_log_file,
)
from tests.play.helpers import header, match


class Typist:
    """A person who types: actions, or "undo"."""

    def __init__(self, *texts: str) -> None:
        self.texts = deque(texts)

    def decide(self, _state, actions, _rng):
        text = self.texts.popleft()
        if text == "undo":
            raise UndoRequested
        return next(action for action in actions if str(action) == text)


def human_match(*texts, seed=1, notes=None):
    """Play with a person in the first turn: the others' lords stand behind."""
    replay = Replay(header("human", "random", seed=seed))
    typist = Typist(*texts)
    game = Match(
        replay,
        [typist, load_bot("random")],
        BagTower(),
        notify=(notes if notes is not None else []).append,
    )
    while game.state.actor != 0:
        game.step()
    return game


def test_undo_takes_back_a_persons_choice():
    game = human_match("move placement 2", "undo", "move placement 3")
    before = game.state
    game.step()
    assert game.state != before
    assert game.step() == Undone(game.replay.count, 1)
    assert game.state == before
    assert isinstance(game.step(), Acted)
    assert len(game.replay.steps) == game.replay.count - 2  # what was undone is gone


def test_a_log_with_an_undo_replays_and_too_many_steps_back_are_refused():
    replay = Replay(header("human", "random"))
    typist = Typist("move placement 2", "undo", "move placement 3")
    lines = [encode(replay.header)]
    game = Match(
        replay,
        [typist, load_bot("random")],
        BagTower(),
        on_event=lambda _before, event: lines.append(encode(event)),
    )
    while typist.texts:
        game.step()
    assert read_log(lines).state == game.state
    assert any(b'"undo"' in line for line in lines)
    with pytest.raises(RocktowerError, match="undo of 99 steps"):
        read_log([*lines, encode(Undone(game.replay.count + 1, 99))])


def test_undo_goes_back_over_what_bots_decided_since():
    for seed in range(30):
        game = human_match("move placement 1", "place 1 forest1", "undo", seed=seed)
        if "forest1" not in str(game.state.apply(game.state.legal_actions()[0]).legal_actions()):
            continue
        game.step()
        chosen_at = game.state
        game.step()
        if game.state.actor == "chance":
            continue
        bots = 0
        while game.state.actor == 1:
            game.step()
            bots += 1
            if bots > 20 or game.state.actor == "chance":
                break
        if game.state.actor == 0 and bots:
            event = game.step()
            assert event == Undone(game.replay.count, bots + 1)
            assert game.state == chosen_at
            return
    pytest.fail("no game in which a bot decides and the person is next")


def test_undo_stops_where_chance_has_spoken():
    notes: list[str] = []
    game = human_match("undo", "move placement 2", notes=notes)
    game.step()
    assert notes == ["nothing to undo: chance has spoken since your last choice"]
    assert isinstance(game.replay.steps[-1][1], Acted)


def test_a_hit_that_a_person_typed_can_be_taken_back():
    # With this seed, always choosing the first action comes to a hit soon.
    replay = Replay(header("human", "human", seed=1, source="manual"))
    hits = deque(["r2 w11", UndoRequested, "r1"])

    def ask(_question):
        answer = hits.popleft()
        if answer is UndoRequested:
            raise UndoRequested
        return answer

    class Person:
        def decide(self, state, actions, _rng):
            if typed and typed[0] == str(state.turns):
                raise UndoRequested
            return actions[0]

    typed: list[str] = []
    game = Match(replay, [Person(), Person()], make_tower(replay, ask=ask, notify=print))
    for _ in range(100):
        game.step()
        if any(event.request == "hit" for event in answers(game)):
            break
    assert answers(game)[-1].answer == "r2 w11"
    typed.append(str(game.state.turns))
    assert isinstance(game.step(), Undone)
    assert not any(event.request == "hit" for event in answers(game))
    # At the question for the hit, undo takes the strike back.
    assert isinstance(game.step(), Undone)
    typed.clear()
    game.step()
    game.step()
    assert answers(game)[-1].answer == "r1"


def answers(game):
    return [event for _, event in game.replay.steps if isinstance(event, Answered)]


def test_a_log_resumes_at_every_byte_as_if_nothing_had_happened(tmp_path):
    path = tmp_path / "game.jsonl"
    whole = match("greedy", "greedy", seed=2)
    with LogFile.create(path, whole.replay.header) as log:
        whole.play(log)
    text = path.read_bytes()
    first = text.index(b"\n") + 1
    cuts = [first, first + 1, *np.random.default_rng(1).integers(first, len(text), 6)]
    for cut in map(int, cuts):
        path.write_bytes(text[:cut])
        log, replay, torn = LogFile.resume(path)
        assert (torn is None) == (text[cut - 1 : cut] == b"\n")
        complete = text[:cut].count(b"\n") - 1
        assert replay.count == complete  # no completed action is lost
        with log:
            bots = [load_bot(name) for name in replay.header.players]
            Match(replay, bots, BagTower()).play(log)
        assert path.read_bytes() == text


def test_a_log_is_not_overwritten(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text("precious")
    with pytest.raises(RocktowerError, match="--resume"):
        LogFile.create(path, header("random", "random"))
    assert path.read_text() == "precious"


def test_two_programs_do_not_write_to_one_log(tmp_path):
    path = tmp_path / "game.jsonl"
    game = match("random", "random")
    for _ in range(3):  # to its end it would be a long game
        game.step()
    events = [event for _, event in game.replay.steps]
    with LogFile.create(path, game.replay.header) as first:
        first.append(events[0])
        second, _, _ = LogFile.resume(path)
        with second:
            second.append(events[1])
            with pytest.raises(RocktowerError, match="another program"):
                first.append(events[1])
            second.append(events[2])
    assert read_log_file(path)[0].count == 3


def test_a_torn_last_line_is_left_out_with_a_message(tmp_path):
    path = tmp_path / "game.jsonl"
    game = match("greedy", "greedy")
    with LogFile.create(path, game.replay.header) as log:
        game.play(log)
    text = path.read_bytes()
    path.write_bytes(text[:-5])
    replay, torn = read_log_file(path)
    assert torn
    last = len(text.splitlines())
    assert f"line {last} is torn" in torn
    assert not replay.has_ended
    assert path.read_bytes() == text[:-5]  # reading changes nothing


def test_a_broken_log_names_file_and_line(tmp_path):
    path = tmp_path / "game.jsonl"
    game = match("greedy", "greedy")
    with LogFile.create(path, game.replay.header) as log:
        game.play(log)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[9] = lines[9].replace(b"move", b"stay") if b"move" in lines[9] else b"{}\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(RocktowerError, match=r"game\.jsonl: line 10: "):
        read_log_file(path)


def test_a_game_without_end_is_stopped(monkeypatch, tmp_path):
    monkeypatch.setattr("rocktower.play._match.MOST_TURNS", 50)
    path = tmp_path / "bot.py"
    path.write_text("class Lazy:\n    def decide(self, s, actions, rng): return actions[-1]\n")
    with pytest.raises(RocktowerError, match="no end after 50 turns"):
        match(f"{path}:Lazy", f"{path}:Lazy").play()


def test_the_bag_is_even_in_colors():
    """A z of 6 for each color: the false-alarm rate is below 1e-8."""
    rng, out = np.random.default_rng(11), np.zeros(4)
    for _ in range(5000):
        out += BagTower().hit(TowerHit(ALL_BOULDERS), rng)
    expected = out.sum() / 4
    assert np.all(np.abs(out - expected) < 6 * np.sqrt(expected * 0.75))


def test_the_bag_gives_no_more_than_there_is():
    rng = np.random.default_rng(2)
    left = Boulders(1, 0, 0, 1)
    hits = {BagTower().hit(TowerHit(left), rng) for _ in range(200)}
    assert Boulders(1, 0, 0, 1) in hits
    for hit in hits:
        TowerHit(left).check(hit)


def test_scripted_hits_come_from_a_file(tmp_path):
    path = tmp_path / "hits.txt"
    path.write_text("# a script\nr1 w2\n\n-  # empty\n")
    tower = make_tower(
        Replay(header("random", "random", source="scripted")), ask=input, notify=print, hits=path
    )
    rng = np.random.default_rng(1)
    assert tower.hit(TowerHit(ALL_BOULDERS), rng) == Boulders(1, 0, 0, 2)
    tower.check(Strike("left", 1.0, 0.1))
    assert tower.hit(TowerHit(ALL_BOULDERS), rng) == Boulders(0, 0, 0, 0)
    with pytest.raises(RocktowerError, match="no answer left"):
        tower.hit(TowerHit(ALL_BOULDERS), rng)


def test_recorded_hits_come_from_another_log(tmp_path):
    path = tmp_path / "game.jsonl"
    first = match("greedy", "greedy", seed=3)
    with LogFile.create(path, first.replay.header) as log:
        first.play(log)
    replay = Replay(header("greedy", "greedy", seed=3, source="recorded"))
    tower = make_tower(replay, ask=input, notify=print, hits=path)
    again = Match(replay, [load_bot("greedy")] * 2, tower)
    assert again.play() == first.state
    assert read_log(path.read_bytes().splitlines()).state == first.state


@pytest.mark.parametrize(
    ("source", "more", "message"),
    [
        ("bag", {"hits": "x"}, "--hits goes with"),
        ("scripted", {}, "--hits goes with"),
        ("bag", {"model": "x"}, "--tower is for"),
        ("oracle", {}, "'oracle'"),
    ],
)
def test_a_wrong_tower_is_refused(source, more, message):
    with pytest.raises(RocktowerError, match=message):
        make_tower(
            Replay(header("random", "random", source=source)), ask=input, notify=print, **more
        )
