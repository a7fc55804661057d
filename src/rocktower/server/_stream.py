"""The stream of a tower: its state first, then each event and the frames of each hit."""

# No `from __future__ import annotations`: these annotations are read at run time.
import json
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import anyio
from fastapi import FastAPI, WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect

from rocktower.server._access import Access
from rocktower.server._hub import Watcher
from rocktower.server._messages import Hello
from rocktower.server._refusal import Refusal
from rocktower.server._settings import Settings
from rocktower.server._towers import Towers

__all__ = ["add_stream"]

_log = logging.getLogger("uvicorn.error")
_REFUSED = 1008
_TRY_AGAIN = 1013
_PATIENCE = 2.0  # s, for a client that has fallen behind to take in the reason why it is dropped


def add_stream(app: FastAPI, towers: Towers, access: Access, settings: Settings) -> None:
    """Add the WebSocket route."""

    @app.websocket("/api/v1/towers/{tower_id}/stream")
    async def stream(socket: WebSocket, tower_id: str) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect):
            try:
                token = await _token(socket, settings.token_time)
                tower, _ = await access.enter(tower_id, token)
                with towers.hub.watch(tower.id) as watcher:
                    tower = await towers.find(tower.id)  # after it is watched: nothing is missed
                    view = {"type": "tower", **await towers.view(tower)}
                    await _serve(socket, watcher, json.dumps(view), tower.n)
            except Refusal as refusal:
                _log.info("stream of tower %r ended: %s", tower_id, refusal.code)
                with anyio.move_on_after(_PATIENCE):
                    await _refuse(socket, refusal)


async def _token(socket: WebSocket, patience: float) -> str:
    try:
        with anyio.fail_after(patience):
            text = await socket.receive_text()
    except TimeoutError:
        raise Refusal(408, "too_late", f"no token was sent within {patience:g} s") from None
    except KeyError:  # it was binary
        text = ""
    try:
        return Hello.model_validate_json(text).token
    except ValidationError:
        raise Refusal(422, "invalid", 'the first message must be {"token": "..."}') from None


async def _serve(socket: WebSocket, watcher: Watcher, view: str, known: int) -> None:
    """Send until the client goes, falls behind, or says something, which it has no need to."""
    refusals: list[Refusal] = []
    async with anyio.create_task_group() as group:

        async def ends(reason: Coroutine[Any, Any, Refusal | None]) -> None:
            with suppress(WebSocketDisconnect):
                if (refusal := await reason) is not None:
                    refusals.append(refusal)
            group.cancel_scope.cancel()

        group.start_soon(ends, _send(socket, watcher, view, known))
        group.start_soon(ends, _listen(socket))
        group.start_soon(ends, _fall_behind(watcher))
    if refusals:
        raise refusals[0]


async def _send(socket: WebSocket, watcher: Watcher, view: str, known: int) -> None:
    await socket.send_text(view)
    while True:
        n, message = await watcher.next()
        if n > known:  # otherwise the view holds it already
            await socket.send_text(message)


async def _listen(socket: WebSocket) -> Refusal | None:
    if (await socket.receive())["type"] == "websocket.disconnect":
        return None
    return Refusal(422, "invalid", "nothing is to be sent after the token")


async def _fall_behind(watcher: Watcher) -> Refusal:
    await watcher.has_fallen_behind.wait()
    return Refusal(429, "too_slow", "this client takes its messages too slowly; connect again")


async def _refuse(socket: WebSocket, refusal: Refusal) -> None:
    await socket.send_text(json.dumps({"type": "error", **refusal.as_dict()}))
    code = _TRY_AGAIN if refusal.retry_after or refusal.code == "too_slow" else _REFUSED
    await socket.close(code, refusal.code)
