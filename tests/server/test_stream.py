"""The stream: everybody sees the same hit, every message is as its schema says, nobody waits."""

import asyncio
import json
import socket
from contextlib import contextmanager

import pytest

pytest.importorskip("fastapi", reason="the server needs: pip install 'rocktower[serve]'")
httpx = pytest.importorskip("httpx2", reason="requests are sent with httpx2")
jsonschema = pytest.importorskip("jsonschema", reason="schemas are checked with jsonschema")

from starlette.websockets import WebSocketDisconnect  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from rocktower.server._hub import Hub  # noqa: E402
from rocktower.server._refusal import Refusal  # noqa: E402
from rocktower.tower import COLORS  # noqa: E402
from tests.server.conftest import Table, listening, served  # noqa: E402


@pytest.fixture(scope="module")
def schema(client):
    schema = client.get("/api/v1/frames/schema").json()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@contextmanager
def watch(table, token=None):
    with table.client.websocket_connect(f"{table.path}/stream") as socket:
        socket.send_json({"token": table.created["spectator_token"] if token is None else token})
        yield socket


def test_all_watchers_see_the_same_and_what_was_answered(client, schema):
    table = Table(client, boulders=dict.fromkeys(COLORS, 10))  # some lie outside, whatever falls
    with watch(table) as one, watch(table, table.created["player_token"]) as other:
        views = [socket.receive_json() for socket in (one, other)]
        assert views == [{"type": "tower", **table.read()}] * 2
        answers = [
            table.strike().json(),
            table.post("/turn").json(),
            table.strike("right").json(),
            table.post("/boulders", table.read()["outside"]).json(),
            table.post("/close").json(),
        ]
        seen = [[socket.receive_json() for _ in range(7)] for socket in (one, other)]
    assert seen[0] == seen[1]
    assert [message["type"] for message in seen[0]] == [
        "hit", "frames", "turn", "hit", "frames", "drop", "close",
    ]  # fmt: skip
    events = [message for message in seen[0] if message["type"] != "frames"]
    assert events[:4] == answers[:4]
    assert events == table.events()
    for message in (*views, *seen[0], {"token": "x"}):
        schema.validate(message)


def test_frames_lead_from_the_tower_before_to_the_tower_after(client):
    table = Table(client)
    before = table.get("/picture").json()["poses"]
    with watch(table) as socket:
        socket.receive_json()
        event = table.strike().json()
        assert socket.receive_json() == event
        frames = socket.receive_json()
    assert frames["n"] == event["n"]
    assert len(frames["walls"]) == len(frames["poses"]) > 10
    assert frames["walls"][0] == frames["walls"][-1] == [0, 0, 0]
    assert any(wall != [0, 0, 0] for wall in frames["walls"])
    # Who is asked to stand still settles by less than a tenth of a millimetre before the blow.
    for then, now in zip(before, frames["poses"][0], strict=True):
        assert all(abs(a - b) <= 2 for a, b in zip(then, now, strict=True))
    assert frames["poses"][-1] == table.get("/picture").json()["poses"]
    gone = [i for i, pose in enumerate(frames["poses"][-1]) if pose is None]
    assert gone == sorted(event["ids"])
    for earlier, later in zip(frames["poses"], frames["poses"][1:-1], strict=False):
        assert not any(a is None and b is not None for a, b in zip(earlier, later, strict=True))


def test_a_late_watcher_sees_the_tower_as_it_is(client, schema):
    table = Table(client)
    table.strike()
    table.strike()
    with watch(table) as socket:
        view = socket.receive_json()
        assert (view["type"], view["n"]) == ("tower", 2)
        schema.validate(view)
        event = table.post("/turn").json()
        assert socket.receive_json() == event


def ended(socket):
    """Return the error and the code with which the server ends a stream."""
    message = socket.receive_json()
    with pytest.raises(WebSocketDisconnect) as end:
        socket.receive_json()
    return message, end.value.code


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ('{"token": "wrong"}', "unauthorized"),
        ('{"token": "' + "x" * 300 + '"}', "unauthorized"),
        ('{"token": "\\ud800"}', "invalid"),
        ('{"token": 3}', "invalid"),
        ('{"token": "x", "more": 1}', "invalid"),
        ("[]", "invalid"),
        ("{", "invalid"),
        ("", "invalid"),
    ],
)
def test_whoever_has_no_token_is_told_so(client, schema, first, code):
    table = Table(client, boulders={"red": 1})
    with client.websocket_connect(f"{table.path}/stream") as socket:
        socket.send_text(first)
        message, number = ended(socket)
        assert number == 1008
    schema.validate(message)
    assert (message["type"], message["error"]["code"]) == ("error", code)


def test_a_first_message_that_is_binary_is_refused(client):
    table = Table(client, boulders={"red": 1})
    with client.websocket_connect(f"{table.path}/stream") as socket:
        socket.send_bytes(b"\x00")
        assert ended(socket)[0]["error"]["code"] == "invalid"


def test_a_client_that_talks_is_refused(client):
    table = Table(client, boulders={"red": 1})
    with watch(table) as socket:
        assert socket.receive_json()["type"] == "tower"
        socket.send_text("hello")
        message, code = ended(socket)
    assert (message["error"]["code"], code) == ("invalid", 1008)


def test_a_stream_of_no_tower_is_refused(client):
    with client.websocket_connect("/api/v1/towers/nowhere/stream") as socket:
        socket.send_json({"token": "x"})
        assert ended(socket)[0]["error"]["code"] == "not_found"


def test_a_stream_without_a_token_ends(tmp_path):
    with served(tmp_path, token_time=0.01) as client:
        table = Table(client, boulders={"red": 1})
        with client.websocket_connect(f"{table.path}/stream") as socket:
            assert ended(socket)[0]["error"]["code"] == "too_late"


def test_only_so_many_may_watch(tmp_path):
    with served(tmp_path, max_watchers_of_one=1) as client:
        table = Table(client, boulders={"red": 1})
        with watch(table) as first, watch(table) as second:
            message, code = ended(second)
            assert first.receive_json()["type"] == "tower"
        assert (message["error"]["code"], code) == ("too_many_watchers", 1013)


def test_whoever_falls_behind_is_dropped_and_the_others_are_not():
    async def watch_two():
        hub = Hub(10, 10, 3)
        with hub.watch("t") as slow, hub.watch("t") as quick:
            for n in range(1, 6):
                hub.tell("t", n, str(n))
                assert await quick.next() == (n, str(n))
            return slow.has_fallen_behind.is_set(), quick.has_fallen_behind.is_set()

    assert asyncio.run(watch_two()) == (True, False)


def test_the_hub_forgets_who_has_gone():
    hub = Hub(2, 1, 3)
    with hub.watch("t"):
        assert hub.is_watched("t")
        with pytest.raises(Refusal), hub.watch("t"):
            pass
        with hub.watch("u"), pytest.raises(Refusal), hub.watch("v"):
            pass
    assert not any(hub.is_watched(tower) for tower in "tuv")


def test_a_client_that_does_not_read_is_dropped_and_blocks_nobody(tmp_path, caplog):
    """Through real sockets: one never reads, one does, and strikes go on."""
    caplog.set_level("INFO", "uvicorn.error")
    with (
        listening(tmp_path, watcher_queue=4) as (host, port),
        httpx.Client(base_url=f"http://{host}:{port}", timeout=120) as client,
        socket.socket() as narrow,
    ):
        table = Table(client)
        stream = f"ws://{host}:{port}{table.path}/stream"
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect((host, port))
        more = {"compression": None, "ping_interval": None, "close_timeout": 0}
        with (
            connect(stream, sock=narrow, max_queue=1, **more) as asleep,
            connect(stream, max_queue=None, **more) as awake,
        ):
            for one in (asleep, awake):
                one.send(json.dumps({"token": table.created["spectator_token"]}))
                assert json.loads(one.recv())["type"] == "tower"
            n = 0
            while "too_slow" not in caplog.text:
                assert n < 60  # the frames of which, some 30 kB each, fill all buffers many times
                event = table.strike().json()
                n += 1
                assert json.loads(awake.recv()) == event
                assert json.loads(awake.recv())["n"] == n
            assert n > 4
