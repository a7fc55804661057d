"""A game as JSON Lines: a header, an event a line, the outcome. Nothing here opens a file.

Every answer of chance is in the log, so that a game replays without any source of chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import phases
from rocktower.games.trollfjord._actions import parse_action
from rocktower.games.trollfjord._board import Board, check_board
from rocktower.games.trollfjord._scoring import ranking, score
from rocktower.games.trollfjord._state import CHANCE, State, new_game
from rocktower.games.trollfjord._table import PLAYER_COLORS

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")

__all__ = [
    "Acted",
    "Answered",
    "Ended",
    "Event",
    "Header",
    "Replay",
    "Undone",
    "decode_event",
    "decode_header",
    "encode",
    "outcome",
    "read_log",
    "request_name",
]


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: all that a replay needs, and where the game came from.

    Attributes
    ----------
    players
        Who plays each color, in the order of `PLAYER_COLORS`: "human", "greedy", ...
    board
        The whole board, so that a log doesn't depend on a board file.
    numbers, walkways
        The fortress numbers and the order of the walkways, or "shuffled" if chance was asked.
    source
        What answered for the tower.
    seed
        The seed of all that was drawn.
    versions
        Versions of this package, of Python and of libraries, and the platform.
    """

    format: Literal["rocktower-log"]
    version: Literal[1]
    game: Literal["trollfjord"]
    players: Annotated[tuple[str, ...], Meta(min_length=2, max_length=4)]
    board: Board
    numbers: tuple[int, ...] | Literal["shuffled"]
    walkways: tuple[int, ...] | Literal["shuffled"]
    source: str
    seed: Annotated[int, Meta(ge=0)]
    versions: dict[str, str]

    def start(self) -> State:
        """Give the position before the first event; raise `RocktowerError` if there is none."""
        check_board(self.board)
        return new_game(
            len(self.players), board=self.board, numbers=self.numbers, walkways=self.walkways
        )


class _Event(Struct, frozen=True, forbid_unknown_fields=True):
    """An event and its running number, which begins at 1."""

    n: int


class Acted(_Event, frozen=True, tag="action"):
    """A player's decision."""

    player: str
    action: str


class Answered(_Event, frozen=True, tag="chance"):
    """An answer of chance; `request` is the `request_name` of what it was asked."""

    request: str
    answer: str


class Undone(_Event, frozen=True, tag="undo"):
    """The last decisions (or typed answers) taken back."""

    steps: Annotated[int, Meta(ge=1)]


class Ended(_Event, frozen=True, tag="end"):
    """The outcome: points by player, and the King of the Trolls."""

    points: dict[str, int]
    king: str


Event = Acted | Answered | Undone | Ended


def encode(line: Header | Event) -> bytes:
    """Write a header or an event as one line."""
    return msgspec.json.encode(line) + b"\n"


def decode_header(line: bytes) -> Header:
    """Read the first line of a log; raise `RocktowerError` if it is none."""
    return _decode(_HEADER, line)


def decode_event(line: bytes) -> Event:
    """Read an event's line; raise `RocktowerError` if it is none."""
    return _decode(_EVENT, line)


_HEADER = msgspec.json.Decoder(Header)
_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def _decode(decoder: msgspec.json.Decoder[T], line: bytes) -> T:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RocktowerError(str(error)) from None


def outcome(state: State, n: int) -> Ended:
    """Give the last event of a finished game."""
    players = range(state.table.players)
    points = {PLAYER_COLORS[player]: score(state, player).total for player in players}
    return Ended(n, points, PLAYER_COLORS[ranking(state)[0]])


_REQUESTS = {
    phases.Numbering: "numbers",
    phases.Laying: "walkways",
    phases.Dealing: "treasures",
    phases.Seating: "lords",
    phases.Falling: "hit",
}


def request_name(state: State) -> str:
    """Name what chance is asked: numbers, walkways, treasures, lords or hit."""
    return _REQUESTS[type(state.phase)]


class Replay:
    """A game that is followed event by event.

    Attributes
    ----------
    header
        The header of the game.
    state
        The position now.
    count
        How many events there were.
    has_ended
        Whether the outcome was the last of them.
    steps
        The decisions and answers that led here (what was undone is gone), each with the
        position before it.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.count = 0
        self.has_ended = False
        self.steps: list[tuple[State, Acted | Answered]] = []
        self.state = header.start()

    def follow(self, event: Event) -> None:
        """Take one event in; raise `RocktowerError`, and change nothing, if it cannot be."""
        if self.has_ended:
            raise RocktowerError("an event after the end of the game")
        if event.n != self.count + 1:
            raise RocktowerError(f"event {event.n}: number {self.count + 1} is due")
        match event:
            case Acted() | Answered():
                after = self._act(event) if isinstance(event, Acted) else self._answer(event)
                self.steps.append((self.state, event))
                self.state = after
            case Undone(_, back):
                if back > len(self.steps):
                    raise RocktowerError(f"undo of {back} steps: there were {len(self.steps)}")
                self.state = self.steps[-back][0]
                del self.steps[-back:]
            case Ended():
                if not self.state.is_over:
                    raise RocktowerError(f"the end, while {self.state.prompt}")
                if event != outcome(self.state, event.n):
                    counted = outcome(self.state, event.n)
                    raise RocktowerError(f"the outcome is {counted.points}, king {counted.king}")
                self.has_ended = True
        self.count += 1

    def _act(self, event: Acted) -> State:
        actor = self.state.actor
        if not isinstance(actor, int) or PLAYER_COLORS[actor] != event.player:
            raise RocktowerError(f"{event.player} acts out of turn: {self.state.prompt}")
        return self.state.apply(parse_action(event.action))

    def _answer(self, event: Answered) -> State:
        if self.state.actor != CHANCE:
            raise RocktowerError(f"chance answers, while {self.state.prompt}")
        if event.request != request_name(self.state):
            raise RocktowerError(f"chance answers {event.request!r}, while {self.state.prompt}")
        return self.state.apply(self.state.request.parse(event.answer))


def read_log(lines: Iterable[bytes]) -> Replay:
    """Follow a whole log.

    Raises
    ------
    RocktowerError
        At the first line that is malformed or against the rules; the message has its number.
    """
    replay: Replay | None = None
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            if replay is None:
                replay = Replay(decode_header(line))
            else:
                replay.follow(decode_event(line))
        except RocktowerError as error:
            raise RocktowerError(f"line {number}: {error}") from None
    if replay is None:
        raise RocktowerError("line 1: an empty log has no header")
    return replay
