"""The arena: every game can be replayed, whatever way the tournament was run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import PLAYER_COLORS, Replay, encode
from rocktower.play import Arena, Match, load_bot, make_tower, play_arena, read_log_file, standings


def untimed(rows):
    """Leave out what differs from run to run."""
    return [
        msgspec.structs.replace(
            row, seats=tuple(msgspec.structs.replace(s, seconds=0.0) for s in row.seats)
        )
        for row in rows
    ]


def run(arena, folder, jobs=1, **more):
    with ThreadPoolExecutor(jobs) as executor:
        return play_arena(arena, folder / "parts", executor, **more)


def test_seats_go_round():
    arena = Arena(("greedy", "random"), 4, 1, source="bag")
    assert [arena.header(game).players for game in range(4)] == [
        ("greedy", "random"), ("random", "greedy"),
    ] * 2  # fmt: skip
    assert len({arena.header(game).seed for game in range(4)}) == 4


def test_every_choice_of_players_meets():
    arena = Arena(("greedy", "random", "search"), 6, 1, at_a_table=2, source="bag")
    tables = [arena.header(game).players for game in range(6)]
    assert {frozenset(table) for table in tables} == {
        frozenset(two) for two in (("greedy", "random"), ("greedy", "search"), ("random", "search"))
    }
    assert len(set(tables)) == 6


def test_a_tournament_and_its_logs(tmp_path):
    arena = Arena(("greedy", "greedy", "random"), 3, 5, source="bag")
    rows = run(arena, tmp_path, out=tmp_path / "out.csv", logs=tmp_path / "logs")
    assert [row.game for row in rows] == [0, 1, 2]
    assert not (tmp_path / "parts").exists()
    text = (tmp_path / "out.csv").read_text().splitlines()
    assert text[0] == "game,seed,turns,color,bot,points,place,decisions,seconds"
    assert len(text) == 10
    for row in rows:
        replay, torn = read_log_file(tmp_path / "logs" / f"game{row.game:05d}.jsonl")
        assert torn is None
        assert replay.has_ended
        assert replay.header == arena.header(row.game)
        last = replay.steps[-1]
        assert last is not None
        assert {s.color for s in row.seats} == set(PLAYER_COLORS[:3])
        # The same seed plays the same game again.
        again = Replay(replay.header)
        players = [load_bot(name) for name in replay.header.players]
        Match(again, players, make_tower(again, ask=str, notify=str)).play()
        assert [event for _, event in again.steps] == [event for _, event in replay.steps]
    shown = standings(rows)
    assert [standing.bot for standing in shown] == ["greedy", "random"]
    assert shown[0].wins.n == 6
    assert sum(s.wins.value * s.wins.n for s in shown) == pytest.approx(3)


def test_interrupted_and_gone_on_with_it_is_the_same(tmp_path):
    arena = Arena(("greedy", "random"), 4, 7, source="bag")
    whole = run(arena, tmp_path / "one")

    def stop(done, _total, _left):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(arena, tmp_path / "two", progress=stop)
    kept = len(list((tmp_path / "two" / "parts").glob("*.shard")))
    assert kept >= 2
    assert untimed(run(arena, tmp_path / "two", jobs=2)) == untimed(whole)


def test_logs_of_other_games_are_not_written_over(tmp_path):
    logs = tmp_path / "logs"
    run(Arena(("random", "greedy"), 2, 7, source="bag"), tmp_path, logs=logs)
    before = {path.name: path.read_bytes() for path in logs.iterdir()}
    for seed in (7, 8):
        with pytest.raises(RocktowerError, match=r"logs of games already \(game00000.jsonl\)"):
            run(Arena(("random", "greedy"), 2, seed, source="bag"), tmp_path, logs=logs)
    assert {path.name: path.read_bytes() for path in logs.iterdir()} == before
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("its_own", [True, False])
def test_a_tournament_that_goes_on_writes_its_own_logs_again(tmp_path, its_own):
    arena = Arena(("random", "greedy"), 3, 7, source="bag")
    logs = tmp_path / "logs"
    run(arena if its_own else Arena(arena.players, 3, 8, source="bag"), tmp_path, logs=logs)
    (logs / "game00001.jsonl").unlink()

    def stop(done, _total, _left):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(arena, tmp_path, progress=stop)
    if its_own:
        run(arena, tmp_path, logs=logs)
        assert len(list(logs.iterdir())) == 3
    else:
        with pytest.raises(RocktowerError, match="logs of games already"):
            run(arena, tmp_path, logs=logs)


def test_another_tournament_s_games_are_not_mixed_in(tmp_path):
    def stop(done, _total, _left):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Arena(("greedy", "random"), 3, 7, source="bag"), tmp_path, progress=stop)
    with pytest.raises(RocktowerError, match="seed 7, not 8"):
        run(Arena(("greedy", "random"), 3, 8, source="bag"), tmp_path)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"players": ("greedy",)}, "1 at a table"),
        ({"players": ("greedy",) * 5}, "5 at a table"),
        ({"at_a_table": 3}, "3 at a table, of 2"),
        ({"games": 0}, "games 0"),
        ({"source": "manual"}, "source 'manual'"),
        ({"players": ("greedy", "nobody")}, "'nobody'"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_an_impossible_tournament_is_refused(wrong, word):
    given = {"players": ("greedy", "random"), "games": 2, "seed": 1}
    with pytest.raises(RocktowerError, match=word):
        Arena(**(given | wrong))


def test_a_log_holds_every_event():
    row, log = Arena(("random", "greedy"), 1, 3, source="bag").play(0)
    assert log.endswith(b"\n")
    assert log.count(b"\n") > row.turns
    assert log.startswith(encode(Arena(("random", "greedy"), 1, 3, source="bag").header(0)))
