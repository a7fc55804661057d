"""What keeps one client from taking everything: rates, and the size of requests."""

from __future__ import annotations

import json
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

import anyio

from rocktower.server._refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["BodyLimit", "Rate", "answer_refusal"]

_MOST_KEYS = 10_000


class Rate:
    """So many requests a second for each key, some of them at once (a token bucket each).

    Parameters
    ----------
    what
        What is limited, for the refusal.
    rate, burst
        A second, and at once.
    clock
        Gives s.
    """

    def __init__(
        self, what: str, rate: float, burst: int, clock: Callable[[], float] = monotonic
    ) -> None:
        self._what, self._rate, self._burst, self._clock = what, rate, burst, clock
        self._spent: dict[str, tuple[float, float]] = {}  # how much, and when that was

    def take(self, key: str) -> None:
        """Count one request; raise `Refusal` if it is one too many."""
        now = self._clock()
        if len(self._spent) >= _MOST_KEYS and key not in self._spent:
            self._drop_idle(now)
        spent = self._left_spent(key, now)
        if spent + 1.0 > self._burst:
            wait = (spent + 1.0 - self._burst) / self._rate
            raise Refusal(
                429, "too_many_requests", f"too many {self._what}; wait {ceil(wait)} s", wait
            )
        self._spent[key] = spent + 1.0, now

    def _left_spent(self, key: str, now: float) -> float:
        spent, then = self._spent.get(key, (0.0, now))
        return max(spent - (now - then) * self._rate, 0.0)

    def _drop_idle(self, now: float) -> None:
        """Forget the keys that have all of their requests again; in need, all."""
        self._spent = {
            key: (spent, now) for key in self._spent if (spent := self._left_spent(key, now)) > 0.0
        }
        if len(self._spent) >= _MOST_KEYS:
            self._spent.clear()


class BodyLimit:
    """Takes in the whole body of a request before anything is done with it, if it is small.

    Parameters
    ----------
    app
        What answers.
    size, time
        Most bytes, and the longest time that they may take, s.
    """

    def __init__(self, app: ASGIApp, size: int, time: float) -> None:
        self._app, self._size, self._time = app, size, time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            with anyio.fail_after(self._time):
                body = await self._body(receive)
        except TimeoutError:
            late = Refusal(408, "too_late", f"the request did not arrive within {self._time:g} s")
            await answer_refusal(late, send)
            return
        except Refusal as large:
            await answer_refusal(large, send)
            return
        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return given.pop() if given else await receive()

        await self._app(scope, again, send)

    async def _body(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self._size:
                raise Refusal(413, "too_large", f"a request may have {self._size} bytes, no more")
            if not message.get("more_body", False):  # or the client has gone
                return bytes(body)


async def answer_refusal(refusal: Refusal, send: Send) -> None:
    """Answer a request with a refusal, and close the connection, which may hold an unread rest."""
    body = json.dumps(refusal.as_dict()).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
