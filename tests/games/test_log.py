"""Logs replay by their recorded results, for ever; a broken one says where it is broken."""

import json
from pathlib import Path

import msgspec
import pytest

from rocktower.chance import Sampled
from rocktower.errors import RocktowerError
from rocktower.games import treasure_mountain as tm
from rocktower.games import trollhalla as th
from rocktower.games._data import convert
from rocktower.games._log import FORMAT, VERSION, Entry, Header, Undo, decode, encode, play, replay
from rocktower.randomness import stream

GOLDEN = Path(__file__).parent / "golden"
GAMES = {
    "trollhalla": (th.Event, lambda data: th.Table(board=convert(data, th.Board, "data")), th.view),
    "treasure-mountain": (
        tm.Event,
        lambda data: tm.Table(data=convert(data, tm.GameData, "data")),
        tm.view,
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_golden_log_replays_to_the_same_table(game):
    events, fresh, view = GAMES[game]
    path = GOLDEN / f"{game}.jsonl"
    log = decode(path.read_bytes(), game, events | Undo, path.name)
    table = replay(fresh(log.header.data), log, path.name)[-1]
    seen = json.loads(msgspec.json.encode(view(table, "all")))
    assert seen == json.loads((GOLDEN / f"{game}.json").read_text(encoding="utf-8"))


def test_the_golden_logs_hold_every_event():
    for game, (events, _, _) in GAMES.items():
        lines = (GOLDEN / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[1:]
        seen = {json.loads(line)["event"]["type"] for line in lines}
        known = {kind.__struct_config__.tag for kind in events.__args__} | {"undo"}
        assert known - seen <= {"undo"}, game


BOARD = json.loads(msgspec.json.encode(th.default_board()))
HEADER = Header(FORMAT, VERSION, "trollhalla", 5, {}, BOARD)
FRESH = th.Table(board=th.default_board())


def game_log(events):
    """Play events with a generator; give the lines of the log and the last table."""
    table, lines = FRESH, [encode(HEADER)]
    for i, event in enumerate(events):
        table, steps = play(table, event, Sampled(stream(5, i)))
        lines.append(encode(Entry(event, tuple(step.text for step in steps))))
    return lines, table


LINES, LAST = game_log([th.Start(("Anna", "Bea")), th.Roll(), th.Roll()])


def read(lines):
    log = decode(b"".join(lines), "trollhalla", th.Event | Undo, "x.jsonl")
    return log, replay(FRESH, log, "x.jsonl")


def test_a_log_replays_to_the_table_that_wrote_it():
    log, tables = read(LINES)
    assert tables[-1] == LAST
    assert log.header == HEADER
    assert len(tables) == 4
    assert log.size == len(b"".join(LINES))
    assert not log.is_torn


@pytest.mark.parametrize("cut", range(1, len(LINES[-1]) + 1))
def test_a_log_cut_anywhere_in_its_last_line_loses_only_that(cut):
    whole = b"".join(LINES)
    log, tables = read([whole[:-cut]])
    assert len(tables) == 3
    assert log.size == len(whole) - len(LINES[-1])
    assert log.is_torn == (cut < len(LINES[-1]))


def test_undo_takes_back_the_last_event_that_stands():
    undo = encode(Entry(Undo()))
    _, tables = read([*LINES, undo, undo])
    assert tables[-1] == read(LINES[:2])[1][-1]
    with pytest.raises(RocktowerError, match="line 7: nothing to undo"):
        read([*LINES, undo, undo, undo])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{}", "missing required field `event`"),
        (b"nonsense", "JSON is malformed"),
        (b"\xff", "x.jsonl, line 5: "),
        (b'{"event":{"type":"roll"},"results":["green"]}', "not 'green'"),
        (b'{"event":{"type":"roll"},"results":[]}', "no answer left"),
        (b'{"event":{"type":"roll"},"results":["red","red"]}', "1 results more"),
        (b'{"event":{"type":"roll"},"results":[7]}', r"Expected `str`, got `int`"),
        (b'{"event":{"type":"dance"},"results":[]}', "Invalid value 'dance'"),
        (b'{"event":{"type":"roll","n":2},"results":["red"]}', "unknown field `n`"),
        (b'{"event":{"type":"refill"},"results":[]}', "no island waits"),
        (
            b'{"event":{"type":"kick","player":"Anna"},"results":[]}',
            "missing required field `tile`",
        ),
        (b'{"event":{"type":"sail","island":0,"seats":["Anna"]},"results":[]}', "length >= 4"),
    ],
)
def test_a_bad_line_is_named(line, message):
    with pytest.raises(RocktowerError, match=message) as caught:
        read([*LINES, line + b"\n"])
    assert str(caught.value).startswith("x.jsonl, line 5: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "not a log: no whole line"),
        ([b'{"format":"rock'], "not a log: no whole line"),
        ([b"\x00\x01\n"], "x.jsonl, line 1: JSON is malformed"),
        ([LINES[1]], "x.jsonl, line 1: .*unknown field"),
        ([encode(msgspec.structs.replace(HEADER, version=2))], "version 1 is expected"),
        ([encode(msgspec.structs.replace(HEADER, format="pgn"))], "'pgn'"),
        ([encode(msgspec.structs.replace(HEADER, game="chess"))], "a log of 'chess'"),
        ([encode(msgspec.structs.replace(HEADER, seed=-1))], "`int` >= 0"),
    ],
)
def test_a_bad_header_is_named(lines, message):
    with pytest.raises(RocktowerError, match=message):
        read(lines)
