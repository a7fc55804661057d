"""A game at a table, kept in a log file: the log is the state, so a crash loses no event."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click
import msgspec

from rocktower.chance import Manual, Sampled, Source
from rocktower.cli._common import ask, json_option, note, print_json
from rocktower.errors import RocktowerError
from rocktower.files import naming
from rocktower.games._data import EVERYBODY
from rocktower.games._log import (
    FORMAT,
    VERSION,
    Entry,
    Header,
    Step,
    Table,
    Undo,
    decode,
    encode,
    play,
    replay,
    undo,
)
from rocktower.randomness import stream

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T", bound=Table[Any])


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """What a session needs to know of its game.

    Parameters
    ----------
    game
        Its name in logs.
    events
        The union of its event types.
    fresh
        Makes a table from the game data of a log's header; the text names the log.
    """

    game: str
    events: Any
    fresh: Callable[[dict[str, Any], str], T]


@dataclass(frozen=True, slots=True)
class Options:
    """The options that every command at a table shares."""

    log: Path
    as_json: bool
    manual: bool


class Session(Generic[T]):
    """A log file and the tables that its events have led to."""

    def __init__(self, path: Path, header: Header, tables: list[T], size: int) -> None:
        self.path = path
        self.header = header
        self._tables = tables
        self._size = size  # of the file's whole lines, where the next one goes

    @property
    def table(self) -> T:
        """The table as it is now."""
        return self._tables[-1]

    @classmethod
    def start(
        cls, kind: Kind[T], options: Options, seed: int, data: object, event: object
    ) -> tuple[Session[T], tuple[Step, ...]]:
        """Set up a game in a new log; raise `RocktowerError` if the file exists."""
        path = options.log
        if path.exists():
            raise RocktowerError(f"{path} exists; choose another --log, or move it away")
        versions = {
            "rocktower": version("rocktower"),
            "numpy": version("numpy"),
            "python": platform.python_version(),
            "platform": platform.platform(),
        }
        values = msgspec.to_builtins(data, str_keys=True)
        header = Header(FORMAT, VERSION, kind.game, seed, versions, values)
        session = cls(path, header, [kind.fresh(values, str(path))], 0)
        table, steps = play(session.table, event, session._source(manual=options.manual))
        lines = encode(header) + encode(_entry(event, steps))
        beside = path.with_name(path.name + ".new")
        with naming(path):
            with beside.open("wb") as file:
                _write(file, lines)
            beside.replace(path)
        session._tables.append(table)
        session._size = len(lines)
        note(f"seed {seed}, log {path}")
        return session, steps

    @classmethod
    def resume(cls, kind: Kind[T], path: Path) -> Session[T]:
        """Read a log and play it again; raise `RocktowerError` if it is not a log of the game."""
        if not path.exists():
            raise RocktowerError(
                f"no log {path}: begin with `rocktower draw {kind.game} start`, or name it by --log"
            )
        log = decode(path.read_bytes(), kind.game, kind.events | Undo, str(path))
        if log.is_torn:
            note(f"{path}: the last line is torn, as after a crash; it is dropped")
        tables = replay(kind.fresh(log.header.data, f"{path}, line 1"), log, str(path))
        if len(tables) == 1:
            raise RocktowerError(f"{path}: the game in it was never set up; start a new log")
        note(f"seed {log.header.seed}, log {path}")
        return cls(path, log.header, tables, log.size)

    def play(self, event: object, *, manual: bool) -> tuple[Step, ...]:
        """Let an event happen, record it, and give what chance answered."""
        table, steps = play(self.table, event, self._source(manual=manual))
        self._append(_entry(event, steps))
        self._tables.append(table)
        return steps

    def undo(self) -> None:
        """Take back the last event; raise `RocktowerError` if there is none but the start."""
        undo(self._tables)
        self._append(Entry(Undo()))

    def _source(self, *, manual: bool) -> Source:
        """Give who answers the next event.

        A stream an event: a resumed game draws as an unbroken one would, and what is undone and
        done again falls out the same way.
        """
        return Manual(ask) if manual else Sampled(stream(self.header.seed, len(self._tables)))

    def _append(self, entry: Entry[Any]) -> None:
        line = encode(entry)
        with naming(self.path), self.path.open("r+b") as file:
            content = file.read()
            # Behind the whole lines may be the torn rest of a line; a whole one is another's.
            if len(content) < self._size or b"\n" in content[self._size :]:
                raise RocktowerError(f"{self.path}: somebody else has just changed it; try again")
            file.seek(self._size)
            file.truncate()
            _write(file, line)
        self._size += len(line)


def table_options(default_log: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a table, packed into its first argument."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @click.option(
            "--log",
            type=click.Path(dir_okay=False, path_type=Path),
            default=default_log,
            show_default=True,
            help="The log file that keeps the game.",
        )
        @click.option(
            "--manual",
            is_flag=True,
            help="Ask what the real dice, bags and decks gave instead of drawing.",
        )
        @json_option
        @wraps(command)
        def run(*, log: Path, manual: bool, as_json: bool, **arguments: Any) -> None:
            command(Options(log, as_json, manual), **arguments)

        return run

    return decorate


def report(
    options: Options,
    session: Session[Any],
    *,
    event: object,
    steps: tuple[Step, ...],
    story: list[str],
    view: dict[str, Any],
    viewer: str | None = None,
) -> None:
    """Print what an event has done: a story for people, everything as JSON for programs.

    An answer that only one person may see is left out unless that person views it.
    """
    if not options.as_json:
        for line in story:
            click.echo(line)
        return
    results = [
        {
            "what": s.label,
            "result": s.text if may_see(s, viewer) else None,
            "secret_of": s.secret_of,
        }
        for s in steps
    ]
    print_json({"seed": session.header.seed, "event": event, "results": results, "table": view})


def may_see(step: Step, viewer: str | None) -> bool:
    """Say whether a viewer may see an answer of chance."""
    return step.secret_of is None or viewer in (step.secret_of, EVERYBODY)


def _entry(event: object, steps: tuple[Step, ...]) -> Entry[Any]:
    return Entry(event, tuple(step.text for step in steps))


def _write(file: Any, content: bytes) -> None:
    """Write so that a kill or a power cut from now on cannot take it back."""
    file.write(content)
    file.flush()
    os.fsync(file.fileno())
