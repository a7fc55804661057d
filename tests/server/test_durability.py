"""Killed, interrupted, terminated: no answered hit is lost, and none is half there."""

import json
import os
import signal
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the server needs: pip install 'rocktower[serve]'")
pytest.importorskip("httpx2", reason="requests are sent with httpx2")

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from rocktower.errors import RocktowerError
from rocktower.server import Settings, serve
from rocktower.server._store import Event, Moved, Store, Tower
from tests.server.strikers import Striker, kill_again_and_again


def test_killed_again_and_again_it_loses_nothing(start):
    """The short form; `python -m tests.server.strikers` is the long one."""
    answered, verified = kill_again_and_again(start, 2, np.random.default_rng(5))
    assert answered > 1
    assert verified > answered


def messages(stream):
    """Give what a stream tells until it is closed."""
    with suppress(ConnectionClosed):
        while True:
            yield json.loads(stream.recv())


@pytest.mark.parametrize("how", ["SIGTERM", "Ctrl-C"])
def test_told_to_stop_it_finishes_what_is_under_way(start, how, tmp_path):
    server = start()
    strikers = [Striker(server.url) for _ in range(4)]
    table = strikers[0].table
    address = f"{server.url.replace('http', 'ws')}{table.path}/stream"
    with connect(address, max_queue=None) as stream:
        stream.send(json.dumps({"token": table.created["spectator_token"]}))
        assert json.loads(stream.recv())["type"] == "tower"
        for striker in strikers:
            striker.start()
        while not all(striker.answered for striker in strikers):
            sleep(0.02)
        if how == "SIGTERM":
            server.process.send_signal(signal.SIGTERM)
        else:
            server.interrupt()
        assert server.process.wait(120) == 0
        for striker in strikers:
            striker.join()
        seen = list(messages(stream))
        assert stream.close_code == 1012  # which says: come again
    # The stream is closed first; what then is still answered is seen by who comes again.
    happened = [told for told in seen if told["type"] in ("hit", "drop")]
    assert happened
    assert happened == strikers[0].answered[: len(happened)]
    assert "Traceback" not in server.said()
    assert "Finished server process" in server.said()
    store = Store(str(tmp_path / "rocktower-towers.db"))
    for striker in strikers:
        events = store.events(striker.table.path.rsplit("/", 1)[1], 0, 10_000)
        assert [event.facts for event in events][: len(striker.answered)] == striker.answered
        assert len(events) - len(striker.answered) in (0, 1)
    store.close()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into Linux's /proc")
def test_a_killed_server_leaves_no_worker_behind(start):
    server = start()
    number = server.process.pid
    children = Path(f"/proc/{number}/task/{number}/children").read_text("ascii").split()
    assert children
    server.kill()
    deadline = monotonic() + 10
    while any(is_alive(child) for child in children):
        assert monotonic() < deadline
        sleep(0.05)


def is_alive(number):
    try:
        return Path(f"/proc/{number}/stat").read_text("ascii").split()[2] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_it_is_said_why_it_cannot_start(tmp_path):
    other, nowhere = tmp_path / "other.db", tmp_path / "nowhere/x.db"
    other.write_text("this is no database, but it is long enough" * 9, "utf-8")
    for database, said in (
        (other, f"--database {other}: cannot be used"),
        (nowhere, f"--database {nowhere}: cannot be used"),
        ("", "--database: give the name of a file"),
        ("what://user:secret@host/x", "--database what://host/x"),
    ):
        with pytest.raises(RocktowerError) as failed:
            serve(Settings(database=str(database)), port=0)
        assert said in str(failed.value)
        assert "secret" not in str(failed.value)
    settings = Settings(database=str(tmp_path / "x.db"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for host, said in (
            ("203.0.113.1", f"cannot listen at 203.0.113.1:{port}: .* assign"),
            ("2001:db8::1", rf"cannot listen at \[2001:db8::1\]:{port}: "),
            ("127.0.0.1", f"cannot listen at 127.0.0.1:{port}: Address already in use$"),
            ("a..b", "cannot listen at a..b"),
            ("", "--host: name an address"),
        ):
            with pytest.raises(RocktowerError, match=said):
                serve(settings, host, port)


def test_somebody_elses_table_is_left_alone(tmp_path):
    file = tmp_path / "other.db"
    database = sqlite3.connect(file)
    with database:
        database.execute("CREATE TABLE towers (city TEXT, height REAL)")
    with pytest.raises(RocktowerError, match=r"other.db: has a table 'towers' of something else"):
        Store(str(file))
    assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("towers",)]
    database.close()


TOWER = Tower(
    id="t", name="n", created=0.0, expires=10.0, model="", model_name="m", model_hash="h",
    software="{}", boulders="{}", seed=2**63 - 1, salt="00", is_reproducible=False,
    is_seed_given=True, commitment="c", player="p", spectator="s",
)  # fmt: skip


def event(n, kind="hit", key=None):
    return Event(n, kind, f'{{"n": {n}}}', "{}", key, key and "digest")


@pytest.fixture
def store(tmp_path):
    store = Store(str(tmp_path / "towers.db"))
    store.add(TOWER, event(0, "fill"))
    yield store
    store.close()


def test_a_commit_is_on_the_disk(store):
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


@pytest.mark.skipif(os.name != "posix", reason="looks at the modes of files")
def test_the_secrets_are_for_nobody_else_on_this_machine(store, tmp_path):
    files = list(tmp_path.iterdir())
    assert len(files) == 3  # the database, its log, and their index
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_the_same_tower_comes_out_as_went_in(store):
    assert store.tower("t") == TOWER
    assert store.tower("u") is None
    assert store.count() == 1
    assert store.events("t", -1, 9) == [event(0, "fill")]


def test_of_two_events_that_follow_the_same_one_is_refused(store, tmp_path):
    other = Store(str(tmp_path / "towers.db"))  # as another server would
    first, second = event(1, key="a"), event(1, key="b")
    store.record(TOWER, TOWER.after(first, 20.0), first)
    with pytest.raises(Moved):
        other.record(TOWER, TOWER.after(second, 30.0), second)
    assert other.events("t", 0, 9) == [first]
    now = other.tower("t")
    assert (now.n, now.expires) == (1, 20.0)
    assert other.with_key("t", "a") == first
    assert other.with_key("t", "b") is None
    other.close()


def test_a_key_is_used_once_and_its_event_leaves_no_half(store):
    first, second = event(1, key="a"), event(2, key="a")
    after = TOWER.after(first, 20.0)
    store.record(TOWER, after, first)
    with pytest.raises(Moved):
        store.record(after, after.after(second, 30.0), second)
    assert store.tower("t") == after
    assert store.events("t", 0, 9) == [first]


def test_nothing_follows_a_close(store):
    closed = TOWER.after(event(1, "close"), 20.0)
    store.record(TOWER, closed, event(1, "close"))
    assert store.tower("t").is_closed
    with pytest.raises(Moved):
        store.record(closed, closed.after(event(2), 20.0), event(2))


def test_what_has_expired_is_forgotten_with_its_events(store, tmp_path):
    assert store.forget(9.9) == 0
    assert store.forget(10.0) == 1
    assert store.tower("t") is None
    database = sqlite3.connect(tmp_path / "towers.db")
    assert database.execute("SELECT count(*) FROM events").fetchone() == (0,)
    database.close()


def test_a_database_of_another_format_is_refused(store, tmp_path):
    store.close()
    database = sqlite3.connect(tmp_path / "towers.db")
    with database:
        database.execute("UPDATE format SET name = 'rocktower-towers/9'")
    database.close()
    with pytest.raises(RocktowerError, match="rocktower-towers/9"):
        Store(str(tmp_path / "towers.db"))
