"""Towers and their events in a database: an event is on the disk before it is answered.

A tower's row is changed together with each new event, in one transaction, and only if the tower
still is where the event began. So two events never follow the same one, also if several servers
use one database, and a server that is killed leaves no half event.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from rocktower.errors import RocktowerError
from rocktower.server._fairness import Secret

if TYPE_CHECKING:
    from sqlalchemy import Row

__all__ = ["Event", "Moved", "Store", "Tower"]

_FORMAT = "rocktower-towers/1"
_metadata = MetaData()
_format = Table("format", _metadata, Column("name", String(40), primary_key=True))
_towers = Table(
    "towers",
    _metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False, index=True),
    Column("model", Text, nullable=False),
    Column("model_name", Text, nullable=False),
    Column("model_hash", String(16), nullable=False),
    Column("software", Text, nullable=False),
    Column("boulders", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("is_reproducible", Boolean, nullable=False),
    Column("is_seed_given", Boolean, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("player", String(64), nullable=False),
    Column("spectator", String(64), nullable=False),
    Column("n", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("turn_began", Integer, nullable=False),
    Column("is_closed", Boolean, nullable=False),
)
_events = Table(
    "events",
    _metadata,
    Column("tower", ForeignKey("towers.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("type", String(8), nullable=False),
    Column("public", Text, nullable=False),
    Column("private", Text, nullable=False),
    Column("key", String(100)),
    Column("request", String(64)),
    UniqueConstraint("tower", "key"),
)


class Moved(Exception):  # noqa: N818 - no error: somebody else was faster
    """The tower is no longer where an event began."""


@dataclass(frozen=True, slots=True)
class Tower:
    """A tower's row.

    Attributes
    ----------
    created, expires
        s since 1970.
    model, boulders, software
        TOML; JSON of what it was filled with; JSON of what it was filled by.
    player, spectator
        SHA-256 of the two tokens.
    n, turn, turn_began
        Events so far; the current turn and the event with which it began.
    """

    id: str
    name: str
    created: float
    expires: float
    model: str
    model_name: str
    model_hash: str
    software: str
    boulders: str
    seed: int
    salt: str
    is_reproducible: bool
    is_seed_given: bool
    commitment: str
    player: str
    spectator: str
    n: int = 0
    turn: int = 1
    turn_began: int = 0
    is_closed: bool = False

    @property
    def secret(self) -> Secret:
        """What decides everything that this tower does."""
        return Secret(self.seed, self.salt, self.is_reproducible)

    def after(self, happened: Event, expires: float) -> Tower:
        """Return the row after one more event."""
        is_turn = happened.type == "turn"
        return replace(
            self,
            n=happened.n,
            expires=expires,
            turn=self.turn + is_turn,
            turn_began=happened.n if is_turn else self.turn_began,
            is_closed=happened.type == "close",
        )


@dataclass(frozen=True, slots=True)
class Event:
    """An event's row: what all may read and what stays secret until the end, both as JSON.

    Attributes
    ----------
    key, request
        The idempotency key, and a digest of what was asked for with it.
    """

    n: int
    type: str
    public: str
    private: str
    key: str | None = None
    request: str | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """What all may read."""
        facts: dict[str, Any] = json.loads(self.public)
        return facts


class Store:
    """A database of towers. Its methods block: call them from threads.

    Parameters
    ----------
    database
        A file for SQLite, or a URL.

    Raises
    ------
    RocktowerError
        If it cannot be used, or holds something else.
    """

    def __init__(self, database: str) -> None:
        if not database.strip():
            raise RocktowerError("--database: give the name of a file, or a URL")
        url = database
        if "://" not in database:
            with suppress(OSError):  # it will be said when it is opened
                Path(database).touch(0o600)  # it holds secrets; what SQLite puts beside it follows
            url = f"sqlite:///{database}"
        try:
            self._engine = create_engine(url, pool_pre_ping=True)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            raise RocktowerError(f"--database {_hidden(database)}: {error}") from None
        self.is_sqlite = self._engine.dialect.name == "sqlite"
        if self.is_sqlite:
            event.listen(self._engine, "connect", _set_up_sqlite)
        try:
            self._check_tables(database)
            _metadata.create_all(self._engine)
            with self._engine.begin() as connection:
                known = connection.scalar(select(_format.c.name))
                if known is None:
                    connection.execute(insert(_format).values(name=_FORMAT))
        except (SQLAlchemyError, UnicodeError) as error:
            self.close()
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise RocktowerError(
                f"--database {_hidden(database)}: cannot be used: {reason}"
            ) from None
        if known not in (None, _FORMAT):
            self.close()
            raise RocktowerError(
                f"--database {_hidden(database)}: holds {known!r}, not {_FORMAT!r}"
            )

    def _check_tables(self, database: str) -> None:
        """Refuse a database in which tables of these names are somebody else's."""
        found = inspect(self._engine)
        for table in _metadata.sorted_tables:
            if not found.has_table(table.name):
                continue
            if {column["name"] for column in found.get_columns(table.name)} != set(table.c.keys()):
                self.close()
                raise RocktowerError(
                    f"--database {_hidden(database)}: has a table {table.name!r} of something else"
                )

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def count(self) -> int:
        """Count the towers."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(_towers)) or 0

    def add(self, tower: Tower, filled: Event) -> None:
        """Add a tower and its filling."""
        with self._engine.begin() as connection:
            connection.execute(insert(_towers).values(_values(tower)))
            connection.execute(insert(_events).values(tower=tower.id, **_values(filled)))

    def tower(self, tower: str) -> Tower | None:
        """Return a tower, or None if there is none of that id."""
        with self._engine.connect() as connection:
            row = connection.execute(select(_towers).where(_towers.c.id == tower)).first()
        return None if row is None else Tower(**row._mapping)

    def record(self, before: Tower, after: Tower, happened: Event) -> None:
        """Write an event and what it makes of the tower; on disk when this returns.

        Raises
        ------
        Moved
            If the tower is no longer as it was before, or the event's key has been used.
        """
        try:
            with self._engine.begin() as connection:
                moved = connection.execute(
                    update(_towers)
                    .where(
                        _towers.c.id == before.id,
                        _towers.c.n == before.n,
                        ~_towers.c.is_closed,
                    )
                    .values(
                        n=after.n,
                        expires=after.expires,
                        turn=after.turn,
                        turn_began=after.turn_began,
                        is_closed=after.is_closed,
                    )
                )
                if moved.rowcount != 1:
                    raise Moved
                connection.execute(insert(_events).values(tower=after.id, **_values(happened)))
        except IntegrityError:
            raise Moved from None

    def events(self, tower: str, after: int, limit: int) -> list[Event]:
        """Return so many events of a tower after number `after`, in order."""
        wanted = (
            select(_events)
            .where(_events.c.tower == tower, _events.c.n > after)
            .order_by(_events.c.n)
            .limit(limit)
        )
        with self._engine.connect() as connection:
            return [_event(row) for row in connection.execute(wanted)]

    def with_key(self, tower: str, key: str) -> Event | None:
        """Return the event of a tower that was asked for with an idempotency key."""
        wanted = select(_events).where(_events.c.tower == tower, _events.c.key == key)
        with self._engine.connect() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else _event(row)

    def forget(self, now: float) -> int:
        """Delete the towers that have expired; return how many."""
        with self._engine.begin() as connection:
            expired = select(_towers.c.id).where(_towers.c.expires <= now)
            connection.execute(delete(_events).where(_events.c.tower.in_(expired)))
            return connection.execute(delete(_towers).where(_towers.c.expires <= now)).rowcount


def _hidden(database: str) -> str:
    """Return a database's name without what stands before its host: a password may."""
    scheme, found, rest = database.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if found else database


def _values(row: Tower | Event) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__}


def _event(row: Row[Any]) -> Event:
    values = dict(row._mapping)
    del values["tower"]
    return Event(**values)


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",  # a commit is on the disk when it returns
        "foreign_keys=ON",
        "busy_timeout=10000",  # ms; another process may have the file open
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
