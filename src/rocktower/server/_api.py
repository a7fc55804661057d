"""The HTTP routes, and how refusals and mistakes are answered."""

# No `from __future__ import annotations`: these annotations are read at run time.
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rocktower.errors import RocktowerError
from rocktower.server._access import Access, Role
from rocktower.server._events import Aim
from rocktower.server._limits import BodyLimit
from rocktower.server._log import header_line, log_line
from rocktower.server._messages import (
    Create,
    Created,
    Drop,
    ErrorAnswer,
    EventAnswer,
    Events,
    Expecting,
    Health,
    Picture,
    StrikeRequest,
    TowerAnswer,
    stream_schema,
)
from rocktower.server._refusal import Refusal
from rocktower.server._settings import Settings
from rocktower.server._store import Tower
from rocktower.server._stream import add_stream
from rocktower.server._towers import Change, Towers, iso

__all__ = ["make_app"]

_PAGE_OF_EVENTS = 1000
_PAGE_OF_LOG = 100
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the page's address may hold a token
}
_BEARER = HTTPBearer(auto_error=False, description="A player's or a spectator's token.")
_ERRORS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorAnswer, "description": "Refused: a code and one line that says why."},
    "5XX": {"model": ErrorAnswer, "description": "Not now: the server is full or overloaded."},
}


def make_app(settings: Settings) -> FastAPI:
    """Return the application; its towers live for as long as it runs.

    Raises
    ------
    RocktowerError
        If the database cannot be used.
    """
    towers = Towers(settings)
    access = Access(towers, settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await towers.start()
        try:
            yield
        finally:
            await towers.stop()

    app = FastAPI(
        title="Rock Tower",
        version=version("rocktower"),
        lifespan=lifespan,
        docs_url=None,  # their scripts come from elsewhere, which the page's policy forbids
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(_routes(towers, access), prefix="/api/v1", responses=_ERRORS)
    add_stream(app, towers, access, settings)

    @app.get("/healthz", summary="Is the server up?")
    async def health() -> Health:
        return Health(status="ok", version=version("rocktower"))

    page = files(__package__) / "page"
    if isinstance(page, Path) and page.is_dir():  # and not within a zip file
        app.mount("/", StaticFiles(directory=page, html=True))
    app.add_middleware(BodyLimit, size=settings.max_body, time=settings.body_time)
    app.add_middleware(_SafeHeaders)
    _answer_errors(app)
    return app


class _Guest(NamedTuple):
    """Somebody at a tower, and what the token allows."""

    tower: Tower
    role: Role

    def plays(self) -> None:
        if self.role is not Role.PLAYER:
            raise Refusal(403, "forbidden", "this is a spectator's token; a player's is needed")


def _routes(towers: Towers, access: Access) -> APIRouter:
    router = APIRouter()
    Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]  # noqa: N806
    Key = Annotated[  # noqa: N806
        str | None,
        Header(
            alias="Idempotency-Key",
            max_length=100,
            pattern=r"^[!-~]+$",
            description="Repeating a request with its key has no further effect.",
        ),
    ]

    async def guest(tower_id: str, bearer: Bearer) -> _Guest:
        return _Guest(*await access.enter(tower_id, bearer.credentials if bearer else None))

    AtTower = Annotated[_Guest, Depends(guest)]  # noqa: N806

    async def happen(at: _Guest, change: Change) -> Response:
        at.plays()
        with _bad_request():
            event = await towers.change(at.tower.id, change)
        return Response(event.public, media_type="application/json")

    @router.post("/towers", status_code=201, summary="Create a tower")
    async def create(request: Request, body: Create) -> Created:
        access.may_create(request.client.host if request.client else "")
        boulders = None if body.boulders is None else body.boulders.model_dump()
        with _bad_request():
            tower, player, spectator = await towers.create(
                body.name,
                model=body.model,
                boulders=boulders,
                seed=body.seed,
                is_reproducible=body.reproducible,
            )
        shown = TowerAnswer(**await towers.view(tower))
        return Created(tower=shown, player_token=player, spectator_token=spectator)

    @router.get("/towers/{tower_id}", summary="Read a tower")
    async def read(at: AtTower) -> TowerAnswer:
        return TowerAnswer(**await towers.view(at.tower))

    @router.post("/towers/{tower_id}/strikes", response_model=EventAnswer, summary="Strike a tower")
    async def strike(at: AtTower, body: StrikeRequest, key: Key = None) -> Response:
        aim = Aim(body.side, body.height, body.strength)
        return await happen(at, Change("hit", aim, body.expected_n, key))

    @router.post(
        "/towers/{tower_id}/boulders", response_model=EventAnswer, summary="Drop boulders back in"
    )
    async def drop(at: AtTower, body: Drop, key: Key = None) -> Response:
        return await happen(at, Change("drop", body.boulders, body.expected_n, key))

    @router.post("/towers/{tower_id}/turn", response_model=EventAnswer, summary="Begin a new turn")
    async def turn(at: AtTower, body: Expecting | None = None, key: Key = None) -> Response:
        return await happen(at, Change("turn", None, body.expected_n if body else None, key))

    @router.post("/towers/{tower_id}/close", summary="Close a tower, and reveal its seed")
    async def close(at: AtTower, body: Expecting | None = None, key: Key = None) -> TowerAnswer:
        await happen(at, Change("close", None, body.expected_n if body else None, key))
        return TowerAnswer(**await towers.view(await towers.find(at.tower.id)))

    @router.get(
        "/towers/{tower_id}/events", response_model=Events, summary="Read what has happened"
    )
    async def events(
        at: AtTower,
        after: Annotated[
            int, Query(ge=0, le=2**31 - 1, description="Number of the last event known.")
        ] = 0,
    ) -> Response:
        found = await towers.events(at.tower, after, _PAGE_OF_EVENTS)
        listed = ",".join(event.public for event in found)
        return Response(f'{{"events":[{listed}]}}', media_type="application/json")

    @router.get(
        "/towers/{tower_id}/log",
        response_class=StreamingResponse,
        responses={200: {"content": {"application/x-ndjson": {}}}},
        summary="Read the fairness log",
    )
    async def log(at: AtTower) -> StreamingResponse:
        return StreamingResponse(_log(towers, at.tower), media_type="application/x-ndjson")

    @router.get("/towers/{tower_id}/picture", summary="See a tower at rest")
    async def see(at: AtTower) -> Picture:
        return Picture(**await towers.picture(at.tower))

    @router.get("/frames/schema", summary="JSON Schema of a stream's messages")
    async def schema() -> dict[str, Any]:
        return stream_schema()

    return router


async def _log(towers: Towers, tower: Tower) -> AsyncIterator[str]:
    yield header_line(tower, iso(tower.created))
    after = -1
    while after < tower.n:  # what happens meanwhile is left to the next reader
        page = await towers.events(tower, after, min(_PAGE_OF_LOG, tower.n - after))
        if not page:
            return
        yield "".join(log_line(tower, event) for event in page)
        after = page[-1].n


@contextmanager
def _bad_request() -> Iterator[None]:
    """Answer what is wrong with somebody's input by saying so."""
    try:
        yield
    except RocktowerError as error:
        raise Refusal(422, "invalid", str(error)) from error


class _SafeHeaders:
    """Adds the headers that keep a browser from doing what the page does not need."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
                if scope["path"].startswith("/api/"):
                    MutableHeaders(scope=message)["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, add if scope["type"] == "http" else send)


def _answer_errors(app: FastAPI) -> None:
    """Answer everything that goes wrong in one form."""

    def answer(refusal: Refusal) -> JSONResponse:
        headers = None
        if refusal.retry_after is not None:
            headers = {"Retry-After": str(max(1, round(refusal.retry_after)))}
        elif refusal.status == 401:
            headers = {"WWW-Authenticate": "Bearer"}
        return JSONResponse(refusal.as_dict(), refusal.status, headers)

    @app.exception_handler(Refusal)
    async def refused(_request: Request, error: Refusal) -> JSONResponse:
        return answer(error)

    @app.exception_handler(RequestValidationError)
    async def malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        message = str(first["msg"])
        if first["type"] == "json_invalid":
            where, message = "", f"the body is not JSON: {first.get('ctx', {}).get('error', '')}"
        return answer(Refusal(422, "invalid", f"{where}: {message}" if where else message))

    @app.exception_handler(HTTPException)
    async def not_here(request: Request, error: HTTPException) -> JSONResponse:
        codes = {404: "not_found", 405: "method_not_allowed"}
        code = codes.get(error.status_code, "invalid")
        line = f"{request.method} {json.dumps(request.url.path)}: {error.detail}"
        response = answer(Refusal(error.status_code, code, line))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def broken(_request: Request, _error: Exception) -> JSONResponse:
        return answer(Refusal(500, "internal", "the server has made a mistake; its log says more"))
