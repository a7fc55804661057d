"""The towers of a server: created, struck one event after another, read, closed, forgotten."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from time import time
from typing import TYPE_CHECKING, Any, TypeVar

from rocktower.server._events import Aim
from rocktower.server._fairness import Secret, commitment
from rocktower.server._hub import Hub
from rocktower.server._log import software
from rocktower.server._pool import Pool
from rocktower.server._refusal import Refusal
from rocktower.server._store import Event, Moved, Store, Tower
from rocktower.server._work import Made, make_drop, make_filling, make_hit, make_picture
from rocktower.tower import COLORS, TowerModel, encode_model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocktower.server._settings import Settings

__all__ = ["Change", "Towers", "digest", "iso"]

_T = TypeVar("_T")
_SWEEP = 60.0  # s between two looks for expired towers
_THREADS = 8  # for a database that several may use at once
_log = logging.getLogger("uvicorn.error")


@dataclass(frozen=True, slots=True)
class Change:
    """What a player asks for.

    Parameters
    ----------
    type
        ``"hit"``, ``"drop"``, ``"turn"`` or ``"close"``.
    what
        An `Aim`, or boulders by color.
    expected_n
        Events that the player knows of: if there are others, nothing is done.
    key
        Names this request, so that it can be repeated safely.
    """

    type: str
    what: Aim | Mapping[str, int] | None = None
    expected_n: int | None = None
    key: str | None = None

    @property
    def digest(self) -> str:
        """Tells whether two requests with one key ask for the same."""
        what = self.what.as_dict() if isinstance(self.what, Aim) else self.what
        return digest(json.dumps([self.type, what], sort_keys=True))


class Towers:
    """All towers of a server.

    Parameters
    ----------
    settings
        Its limits.

    Raises
    ------
    RocktowerError
        If the database cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = Store(settings.database)
        threads = 1 if self._store.is_sqlite else _THREADS
        self._threads = ThreadPoolExecutor(threads, "database")
        self._pool = Pool(settings.workers, settings.simulation_time, settings.max_waiting)
        self.hub = Hub(settings.max_watchers, settings.max_watchers_of_one, settings.watcher_queue)
        self._under_way: dict[str, tuple[Change, asyncio.Task[Event]]] = {}
        self._creating = 0
        self._sweeper: asyncio.Task[None] | None = None
        self._packaged = encode_model(TowerModel.load())

    async def start(self) -> None:
        """Start the workers, and forget what has expired."""
        await self._pool.start()
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Wait for what is under way, then end the workers and close the database."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        tasks = [task for _, task in self._under_way.values()]
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pool.close()
        self._threads.shutdown()
        self._store.close()

    async def create(
        self,
        name: str,
        *,
        model: str | None = None,
        boulders: Mapping[str, int] | None = None,
        seed: int | None = None,
        is_reproducible: bool = False,
    ) -> tuple[Tower, str, str]:
        """Fill a new tower; return it, a player's and a spectator's token.

        Raises
        ------
        Refusal
            If there are too many towers, or filling it takes too long.
        RocktowerError
            If the model is wrong or cannot hold its boulders.
        """
        most = self._settings.max_towers
        if await self._call(self._store.count) + self._creating >= most:
            raise Refusal(503, "full", f"this server keeps {most} towers, no more", 3600.0)
        self._creating += 1
        try:
            secret = Secret.draw(seed, is_reproducible=is_reproducible)
            text = self._packaged if model is None else model
            filled = await self._pool.run(partial(make_filling, text, secret, boulders))
            player, spectator = (
                f"{kind}_{secrets.token_urlsafe(32)}" for kind in ("play", "watch")
            )
            identity, now = secrets.token_urlsafe(9), time()
            tower = Tower(
                id=identity,
                name=name,
                created=now,
                expires=now + self._settings.expire,
                model=text,
                model_name=filled.name,
                model_hash=filled.hash,
                software=json.dumps(software()),
                boulders=json.dumps(filled.boulders),
                seed=secret.seed,
                salt=secret.salt,
                is_reproducible=is_reproducible,
                is_seed_given=seed is not None,
                commitment=commitment(secret, identity, text, filled.boulders),
                player=digest(player),
                spectator=digest(spectator),
            )
            event = _event(0, "fill", now, None, filled.made, None)
            await self._call(self._store.add, tower, event)
        finally:
            self._creating -= 1
        return tower, player, spectator

    async def find(self, identity: str) -> Tower:
        """Return a tower; raise `Refusal` if there is none."""
        tower = await self._call(self._store.tower, identity)
        if tower is None or tower.expires <= time():
            raise _no_tower()
        return tower

    async def change(self, identity: str, change: Change) -> Event:
        """Let one event happen to a tower, and tell all who watch; on disk when this returns.

        Raises
        ------
        Refusal
            If another one is under way or was faster, the tower is closed, or it takes too long.
        RocktowerError
            If it cannot be done.
        """
        running = self._under_way.get(identity)
        if running is None:
            task = asyncio.create_task(self._perform(identity, change))
            self._under_way[identity] = change, task
            task.add_done_callback(lambda _: self._under_way.pop(identity))
        elif change.key is not None and running[0].key == change.key:
            _check_same(change, running[0].digest)
            task = running[1]
        else:
            known = await self._known(identity, change)
            if known is None:
                raise Refusal(409, "conflict", "somebody else's move at this tower is under way")
            return known
        # Whoever asked may go away: what was begun is finished.
        return await asyncio.shield(task)

    async def _perform(self, identity: str, change: Change) -> Event:
        known = await self._known(identity, change)
        if known is not None:
            return known
        before = await self.find(identity)
        if before.is_closed:
            raise Refusal(409, "closed", "this tower is closed; create another one")
        if change.expected_n not in (None, before.n):
            raise Refusal(
                409, "conflict", f"the tower has seen {before.n} events, not {change.expected_n}"
            )
        if before.n >= self._settings.max_events and change.type != "close":
            raise Refusal(
                409, "worn_out", f"a tower sees {self._settings.max_events} events, no more"
            )
        made = await self._made(before, change)
        now = time()
        happened = _event(before.n + 1, change.type, now, change.what, made, change)
        after = before.after(happened, now + self._settings.expire)
        try:
            await self._call(self._store.record, before, after, happened)
        except Moved:
            known = await self._known(identity, change)
            if known is None:
                raise Refusal(409, "conflict", "somebody else was faster") from None
            return known
        self.hub.tell(identity, happened.n, happened.public)
        if made.frames is not None:
            self.hub.tell(identity, happened.n, made.frames)
        return happened

    async def _made(self, before: Tower, change: Change) -> Made:
        last = await self._last(before)
        private = json.loads(last.private)
        poses = private["poses"]
        if isinstance(change.what, Aim):
            return await self._pool.run(
                partial(
                    make_hit, before.model, before.secret, before.n + 1, poses, change.what,
                    is_watched=self.hub.is_watched(before.id),
                )
            )  # fmt: skip
        if change.what is not None:
            return await self._pool.run(
                partial(make_drop, before.model, before.secret, before.n + 1, poses, change.what)
            )
        none = dict.fromkeys(COLORS, 0)
        public = {"boulders": [], "ids": [], "counts": none, "total": 0}
        public |= {where: last.facts[where] for where in ("inside", "outside")}
        return Made(public, {"poses": poses})

    async def view(self, tower: Tower) -> dict[str, Any]:
        """Return what is shown of a tower, as JSON values."""
        facts = [event.facts for event in await self._since(tower, tower.turn_began)]
        hits = [{"n": fact["n"], "counts": fact["counts"]} for fact in facts if fact["strike"]]
        status = "busy" if tower.id in self._under_way else "open"
        return {
            "id": tower.id,
            "name": tower.name,
            "n": tower.n,
            "status": "closed" if tower.is_closed else status,
            "inside": facts[-1]["inside"],
            "outside": facts[-1]["outside"],
            "turn": tower.turn,
            "turn_hits": hits,
            "turn_counts": {color: sum(hit["counts"][color] for hit in hits) for color in COLORS},
            "commitment": tower.commitment,
            "model_name": tower.model_name,
            "model_hash": tower.model_hash,
            "created": iso(tower.created),
            "expires": iso(tower.expires),
            "seed_known_to_creator": tower.is_seed_given,
            "reproducible": tower.is_reproducible,
            "seed": tower.seed if tower.is_closed else None,
            "salt": tower.salt if tower.is_closed else None,
        }

    async def events(self, tower: Tower, after: int, limit: int) -> list[Event]:
        """Return a tower's events after number `after`."""
        return await self._call(self._store.events, tower.id, after, limit)

    async def picture(self, tower: Tower) -> dict[str, Any]:
        """Return how a tower looks, as JSON values."""
        last = await self._last(tower)
        poses = json.loads(last.private)["poses"]
        seen = await self._pool.run(partial(make_picture, tower.model, poses))
        return {"n": tower.n, **seen}

    async def _last(self, tower: Tower) -> Event:
        return (await self._since(tower, tower.n))[-1]

    async def _since(self, tower: Tower, n: int) -> list[Event]:
        """Return all events from number `n` on; at least one, because a tower was filled."""
        events = await self._call(self._store.events, tower.id, n - 1, tower.n - n + 1)
        if not events:  # it has expired since it was found
            raise _no_tower()
        return events

    async def _known(self, identity: str, change: Change) -> Event | None:
        """Return the event that this request has led to before."""
        if change.key is None:
            return None
        known = await self._call(self._store.with_key, identity, change.key)
        if known is not None:
            _check_same(change, known.request)
        return known

    async def _call(self, function: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def _sweep(self) -> None:
        while True:
            with suppress(Exception):  # a database that is away for a moment comes back
                if forgotten := await self._call(self._store.forget, time()):
                    _log.info("forgot %d expired towers", forgotten)
            await asyncio.sleep(_SWEEP)


def _no_tower() -> Refusal:
    return Refusal(404, "not_found", "there is no such tower, or it has expired")


def _check_same(change: Change, other: str | None) -> None:
    if change.digest != other:
        raise Refusal(422, "key_reused", "this Idempotency-Key was sent with another request")


def _event(n: int, kind: str, now: float, what: object, made: Made, change: Change | None) -> Event:
    strike = what.as_dict() if isinstance(what, Aim) else None
    public = {"n": n, "type": kind, "time": iso(now), "strike": strike, **made.public}
    return Event(
        n,
        kind,
        json.dumps(public),
        json.dumps(made.private),
        change.key if change else None,
        change.digest if change and change.key else None,
    )


def digest(text: str) -> str:
    """Return the SHA-256 of a text, such as a token: what is stored instead of it."""
    return hashlib.sha256(text.encode()).hexdigest()


def iso(when: float) -> str:
    """Write a time (s since 1970) as people and JavaScript read it."""
    return datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds")
