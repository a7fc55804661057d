"""The log of a game: an event a line with what chance answered, so that it replays without dice.

A log is JSON Lines. The first line is the header: format, version, game, seed, versions of the
software, and the game data in use. Every further line is an event with its results. Nothing here
touches a file: bytes come in, values go out, and the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Generic, Protocol, Self, TypeVar

import msgspec
from msgspec import Meta, Struct

from rocktower.chance import DrawFromBag, Recorded, RollDie, Source, TopCard
from rocktower.errors import RocktowerError

FORMAT = "rocktower-log"
VERSION = 1

ChanceRequest = RollDie[Any] | DrawFromBag[Any] | TopCard[Any]

E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)


class Table(Protocol[E_contra]):
    """The state of a game at a table: events change it, and chance answers what they leave open."""

    @property
    def request(self) -> ChanceRequest | None:
        """What chance has to decide now; None if the next move is the players'."""
        ...

    @property
    def secret_of(self) -> str | None:
        """Who alone may see the answer to `request`; None if everybody may."""
        ...

    def apply(self, event: E_contra) -> Self:
        """Give the table after an event; raise `RocktowerError` if it cannot happen now."""
        ...

    def answered(self, answer: Any) -> Self:
        """Give the table after chance has answered; raise `RocktowerError` if it cannot be."""
        ...


T = TypeVar("T", bound=Table[Any])


class Undo(Struct, frozen=True, forbid_unknown_fields=True, tag="undo"):
    """Take back the last event that still stands (never the start)."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a log."""

    format: str
    version: int
    game: str
    seed: Annotated[int, Meta(ge=0)]
    versions: dict[str, str]
    data: dict[str, Any]


class Entry(Struct, Generic[E], frozen=True, forbid_unknown_fields=True):
    """An event and what chance answered, in the order of its requests."""

    event: E
    results: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of chance on the way: to what, which, and who alone may see it (None: all)."""

    label: str
    text: str
    secret_of: str | None


@dataclass(frozen=True, slots=True)
class Log(Generic[E]):
    """A log that was read.

    Parameters
    ----------
    header
        Its first line.
    entries
        Line number and content of every further line.
    size
        How many bytes of the file are whole lines.
    is_torn
        Whether half a line was left over at the end, as a crash leaves it.
    """

    header: Header
    entries: tuple[tuple[int, Entry[E]], ...]
    size: int
    is_torn: bool


def play(table: T, event: object, source: Source) -> tuple[T, tuple[Step, ...]]:
    """Apply an event and let a source answer until the players are to move again.

    Returns
    -------
    tuple
        The new table, and the answers in order.

    Raises
    ------
    RocktowerError
        If the event cannot happen now, or the source has no possible answer.
    """
    table = table.apply(event)
    steps = []
    while (request := table.request) is not None:
        answer = source.answer(request)
        steps.append(Step(request.label, request.format(answer), table.secret_of))
        table = table.answered(answer)
    return table, tuple(steps)


def encode(line: Header | Entry[Any]) -> bytes:
    """Write one line of a log, its end included."""
    return msgspec.json.encode(line) + b"\n"


def decode(blob: bytes, game: str, events: object, where: str) -> Log[Any]:
    """Read a log.

    Parameters
    ----------
    blob
        The content of the file.
    game
        The game that the log must be of.
    events
        The union of the game's event types.
    where
        The file's name, for error messages.

    Raises
    ------
    RocktowerError
        If a whole line is not what it should be. Half a line at the end is no error.
    """
    *lines, rest = blob.split(b"\n")
    header, entries, size = None, [], 0
    for number, line in enumerate(lines, start=1):
        size += len(line) + 1
        if number == 1:
            header = _decode_header(line, game, where)
        elif line.strip():
            kind = Entry[events]  # type: ignore[valid-type]  # the union is a value here
            entries.append((number, _decode(line, kind, f"{where}, line {number}")))
    if header is None:
        raise RocktowerError(f"{where}: not a log: no whole line in it")
    return Log(header, tuple(entries), size, is_torn=bool(rest))


def replay(table: T, log: Log[Any], where: str) -> list[T]:
    """Play a log again by its recorded results.

    Returns
    -------
    list
        The tables after every event that was not undone; the first is the one handed in.

    Raises
    ------
    RocktowerError
        If an event cannot happen where it stands, or its results do not fit.
    """
    tables = [table]
    for number, entry in log.entries:
        try:
            if isinstance(entry.event, Undo):
                undo(tables)
                continue
            tables.append(_replay(tables[-1], entry))
        except RocktowerError as error:
            raise RocktowerError(f"{where}, line {number}: {error}") from None
    return tables


def undo(tables: list[Any]) -> None:
    """Drop the last of the tables; raise `RocktowerError` if only the start is left."""
    if len(tables) <= 2:
        raise RocktowerError("nothing to undo: the game has only been set up")
    tables.pop()


def _replay(table: T, entry: Entry[Any]) -> T:
    record = Recorded(entry.results)
    table, _ = play(table, entry.event, record)
    if record.remaining:
        raise RocktowerError(f"{record.remaining} results more than the event asks for")
    return table


def _decode_header(line: bytes, game: str, where: str) -> Header:
    header: Header = _decode(line, Header, f"{where}, line 1")
    if header.format != FORMAT or header.version != VERSION:
        raise RocktowerError(
            f"{where}, line 1: format {header.format!r} version {header.version}; "
            f"{FORMAT!r} version {VERSION} is expected"
        )
    if header.game != game:
        raise RocktowerError(f"{where}, line 1: a log of {header.game!r}, not of {game!r}")
    return header


def _decode(line: bytes, kind: Any, where: str) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RocktowerError(f"{where}: {error}") from None
