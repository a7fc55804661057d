"""Strike a tower of `rocktower serve` from Python: the standard library is enough."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

WAITS = (0.3, 1.0, 3.0)  # s before the second, third and fourth try


class TowerError(Exception):
    """What the server refused (a status of HTTP), or that it could not be reached (0)."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass
class Tower:
    """A tower, as one of its players."""

    url: str
    id: str
    token: str

    def look(self) -> dict[str, Any]:
        """Return what is in the tower, and `n`, the number of its last event."""
        return self._ask("", None, {})

    def events(self, after: int) -> list[dict[str, Any]]:
        """Return what has happened after event number `after`."""
        found: list[dict[str, Any]] = self._ask(f"/events?after={after}", None, {})["events"]
        return found

    def strike(
        self, side: str, height: float, strength: float | str, *, key: str, expected_n: int
    ) -> dict[str, Any]:
        """Strike, and return the hit.

        `key` names this one blow: a repeated request with the same key is answered with the same
        hit, so that a lost answer costs nobody a second blow. If the tower has seen more than
        `expected_n` events, somebody else was faster: nothing is struck, and a `TowerError` with
        the code "conflict" says so.
        """
        aim = {"side": side, "height": height, "strength": strength, "expected_n": expected_n}
        return self._ask("/strikes", aim, {"Idempotency-Key": key})

    def _ask(self, path: str, body: object, headers: dict[str, str]) -> dict[str, Any]:
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        address = f"{self.url}/api/v1/towers/{quote(self.id)}{path}"
        content = None if body is None else json.dumps(body).encode()
        request = Request(address, content, headers)  # noqa: S310 - the operator's own address
        for wait in (*WAITS, None):
            try:
                with urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
                    found: dict[str, Any] = json.load(answer)
                    return found
            except HTTPError as refusal:
                with refusal:
                    error = _read(refusal)
            except (URLError, ConnectionError, TimeoutError, ValueError):
                error = TowerError(0, "unreachable", "the tower's server cannot be reached")
            # What the server has decided (4xx) stays so; a lost answer is asked for again.
            is_decided = 400 <= error.status < 500 and error.status != 429
            if is_decided or wait is None:
                raise error
            time.sleep(wait)
        raise AssertionError


def _read(refusal: HTTPError) -> TowerError:
    try:
        error = json.load(refusal)["error"]
        return TowerError(refusal.code, error["code"], error["message"])
    except (ValueError, KeyError):
        return TowerError(refusal.code, "unknown", f"the server answered {refusal.code}")
