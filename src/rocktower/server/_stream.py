"""The stream of a tower: its state first, then each event and the frames of each hit."""

# No `from __future__ import annotations`: these annotations are read at run time.
import asyncio
import json
from contextlib import suppress

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
                with suppress(TimeoutError):
                    await asyncio.wait_for(_refuse(socket, refusal), _PATIENCE)


async def _token(socket: WebSocket, patience: float) -> str:
    try:
        text = await asyncio.wait_for(socket.receive_text(), patience)
    except TimeoutError:
        raise Refusal(408, "too_late", f"no token was sent within {patience:g} s") from None
    except KeyError:  # it was binary
        text = ""
    try:
        return Hello.model_validate_json(text).token
    except ValidationError:
        raise Refusal(422, "invalid", 'the first message must be {"token": "..."}') from None


async def _serve(socket: WebSocket, watcher: Watcher, view: str, known: int) -> None:
    """Send until the client goes or falls behind; whatever it says is passed over."""
    tasks = [
        asyncio.create_task(_send(socket, watcher, view, known)),
        asyncio.create_task(_listen(socket)),
        asyncio.create_task(watcher.has_fallen_behind.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if watcher.has_fallen_behind.is_set():
        raise Refusal(429, "too_slow", "this client takes its messages too slowly; connect again")


async def _send(socket: WebSocket, watcher: Watcher, view: str, known: int) -> None:
    await socket.send_text(view)
    while True:
        n, message = await watcher.next()
        if n > known:  # otherwise the view holds it already
            await socket.send_text(message)


async def _listen(socket: WebSocket) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return


async def _refuse(socket: WebSocket, refusal: Refusal) -> None:
    await socket.send_text(json.dumps({"type": "error", **refusal.as_dict()}))
    code = _TRY_AGAIN if refusal.retry_after or refusal.code == "too_slow" else _REFUSED
    await socket.close(code, refusal.code)
