"""Rates, bodies that never end, workers that are too slow or die."""

import asyncio
import os
from functools import partial
from time import sleep

import pytest

pytest.importorskip("fastapi", reason="the server needs: pip install 'rocktower[serve]'")

from hypothesis import given
from hypothesis import strategies as st

from rocktower.errors import RocktowerError
from rocktower.server import _limits
from rocktower.server._limits import BodyLimit, Rate
from rocktower.server._pool import Pool
from rocktower.server._refusal import Refusal
from rocktower.tower import TowerModel


@given(
    rate=st.floats(0.1, 100.0),
    burst=st.integers(1, 20),
    waits=st.lists(st.floats(0.0, 2.0), min_size=1, max_size=100),
)
def test_a_rate_is_kept_in_any_stretch_of_time(rate, burst, waits):
    now, taken = 0.0, []
    limit = Rate("requests", rate, burst, lambda: now)
    for wait in waits:
        now += wait
        try:
            limit.take("k")
            taken.append(now)
        except Refusal:
            pass
    for i, start in enumerate(taken):
        for j, end in enumerate(taken[i:], 1):
            assert j <= burst + rate * (end - start) + 1e-6


@given(rate=st.floats(0.1, 100.0), burst=st.integers(1, 5))
def test_whoever_waits_as_told_is_let_in(rate, burst):
    now = 0.0
    limit = Rate("requests", rate, burst, lambda: now)
    for _ in range(20):
        try:
            limit.take("k")
        except Refusal as refusal:
            now += refusal.retry_after * (1.0 + 1e-9)
            limit.take("k")


def test_keys_are_counted_apart():
    limit = Rate("requests", 1.0, 1, lambda: 0.0)
    limit.take("a")
    limit.take("b")
    with pytest.raises(Refusal, match="too many requests"):
        limit.take("a")


def test_many_keys_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(_limits, "_MOST_KEYS", 10)
    now = 0.0
    limit = Rate("requests", 1.0, 2, lambda: now)
    for key in range(9):
        limit.take(str(key))
    now = 0.5
    limit.take("late")
    now = 1.0
    limit.take("new")
    assert set(limit._spent) == {"late", "new"}  # the others have all of theirs again
    for key in range(30):
        limit.take(f"flood{key}")
    assert len(limit._spent) <= 10


def answered(messages, size=10, time=5.0):
    """Send a request's messages through the limit; return what the app got, and what was sent."""
    got, sent = [], []

    async def app(_scope, receive, send):
        got.append(await receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive():
        if not messages:
            await asyncio.sleep(60)
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    asyncio.run(BodyLimit(app, size, time)({"type": "http"}, receive, send))
    return got, sent[0]["status"]


def part(body, *, more):
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_in_parts_arrives_whole():
    got, status = answered([part(b"12345", more=True), part(b"67890", more=False)])
    assert (got[0]["body"], got[0]["more_body"], status) == (b"1234567890", False, 200)


def test_a_body_whose_parts_never_end_is_refused():
    got, status = answered([part(b"12345", more=True)] * 3)
    assert (got, status) == ([], 413)


def test_a_body_that_does_not_come_is_refused():
    got, status = answered([part(b"1", more=True)], time=0.01)
    assert (got, status) == ([], 408)


def in_pool(*calls, time_limit=20.0, max_waiting=10):
    """Make calls at once in a pool of one; return results or errors."""

    async def run():
        pool = Pool(1, time_limit, max_waiting)
        await pool.start()
        try:
            return await asyncio.gather(*map(pool.run, calls), return_exceptions=True)
        finally:
            pool.close()

    return asyncio.run(run())


def test_a_pool_calls_and_passes_errors_on():
    same, bad, broken = in_pool(
        partial(len, "abc"), partial(TowerModel.parse, "x = 1"), partial(int, "x")
    )
    assert same == 3
    assert isinstance(bad, RocktowerError)
    assert isinstance(broken, RuntimeError)
    assert "ValueError" in str(broken)


def test_a_call_that_is_too_slow_or_dies_harms_no_other():
    slow, dead, fine = in_pool(
        partial(sleep, 60.0), partial(os._exit, 1), partial(len, "abc"), time_limit=3.0
    )
    assert isinstance(slow, Refusal)
    assert (slow.status, slow.code) == (422, "too_slow")
    assert isinstance(dead, Refusal)
    assert (dead.status, dead.code) == (503, "interrupted")
    assert fine == 3


def test_only_so_many_may_wait():
    calls = [partial(sleep, 0.2)] * 4
    results = in_pool(*calls, max_waiting=2)
    assert results[:3] == [None] * 3  # one is called at once, two wait
    assert isinstance(results[3], Refusal)
    assert results[3].code == "overloaded"
