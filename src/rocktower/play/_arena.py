"""The arena: many games among bots, seats in turn, every one of which can be replayed."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from shutil import rmtree
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from rocktower.errors import RocktowerError
from rocktower.files import replace_file
from rocktower.games.trollfjord import (
    PLAYER_COLORS,
    Event,
    Header,
    Replay,
    default_board,
    encode,
    ranking,
    score,
)
from rocktower.play._bots import load_bot
from rocktower.play._match import Match, versions
from rocktower.play._ratings import ratings
from rocktower.play._towers import make_tower
from rocktower.randomness import Purpose, check_seed, stream
from rocktower.sampling import read_fingerprint, run_tasks
from rocktower.statistics import mean, share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    import numpy as np

    from rocktower.games.trollfjord import Action, State
    from rocktower.play._bots import Bot
    from rocktower.statistics import Interval

__all__ = ["Arena", "GameRow", "Seat", "Standing", "play_arena", "standings"]

_SOURCES = ("emulator", "bag", "physics")


class Seat(Struct, frozen=True):
    """What became of one seat: its bot, points, place (1: King of the Trolls), and thinking."""

    color: str
    bot: str
    points: int
    place: int
    decisions: int
    seconds: float


class GameRow(Struct, frozen=True):
    """A game of the arena: with its seed and its seats it can be played again."""

    game: int
    seed: int
    turns: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Arena:
    """A tournament. The numbers on the fortresses and the walkways are shuffled in every game.

    Parameters
    ----------
    players
        The bots, two or more; one that is named twice has two seats.
    games
        How many games in all.
    seed
        Of the whole tournament: it gives every game its own.
    at_a_table
        How many play in a game, 2 to 4; all of the bots if None. With fewer than all, the games
        go round every choice of so many.
    source
        What answers for the tower: "emulator", "bag" or "physics".

    Raises
    ------
    RocktowerError
        If a bot cannot be loaded, or a number is out of its range.
    """

    players: tuple[str, ...]
    games: int
    seed: int
    at_a_table: int | None = None
    source: str = "emulator"

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.games < 1:
            raise RocktowerError(f"games {self.games}: at least 1")
        if self.source not in _SOURCES:
            raise RocktowerError(f"source {self.source!r}: one of {', '.join(_SOURCES)}")
        if not 2 <= self.seats <= 4 or self.seats > len(self.players):
            raise RocktowerError(
                f"{self.seats} at a table, of {len(self.players)} players: 2 to 4 play a game"
            )
        for name in self.players:
            load_bot(name)

    @property
    def seats(self) -> int:
        """How many play in a game."""
        return len(self.players) if self.at_a_table is None else self.at_a_table

    def header(self, game: int) -> Header:
        """Give the header of a game, numbered from 0: who sits where, and the seed."""
        tables = list(combinations(self.players, self.seats))
        table = tables[game // self.seats % len(tables)]
        turned = game % self.seats
        drawn = stream(self.seed, Purpose.GAMES, game).integers(2**48)
        return Header(
            format="rocktower-log",
            version=1,
            game="trollfjord",
            players=(*table[turned:], *table[:turned]),
            board=default_board(),
            numbers="shuffled",
            walkways="shuffled",
            source=self.source,
            seed=int(drawn),
            versions=versions(self.source, None, int(drawn)),
        )

    def play(self, game: int) -> tuple[GameRow, bytes]:
        """Play a game; return its row, and its log."""
        header = self.header(game)
        replay = Replay(header)
        players = [_Timed(load_bot(name)) for name in header.players]
        lines = [encode(header)]

        def keep(_before: State, event: Event) -> None:
            lines.append(encode(event))

        tower = make_tower(replay, ask=_nobody, notify=_silent)
        state = Match(replay, players, tower, on_event=keep).play()
        places = ranking(state)
        seats = tuple(
            Seat(
                color=PLAYER_COLORS[player],
                bot=header.players[player],
                points=score(state, player).total,
                place=1 + places.index(player),
                decisions=bot.decisions,
                seconds=round(bot.seconds, 4),
            )
            for player, bot in enumerate(players)
        )
        return GameRow(game, header.seed, state.turns, seats), b"".join(lines)

    def fingerprint(self) -> dict[str, Any]:
        """Give all that the games depend on, as JSON values."""
        return {**asdict(self), "versions": versions(self.source, None, self.seed)}


class _Timed:
    """A bot with a stopwatch."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.decisions = 0
        self.seconds = 0.0

    def decide(self, state: State, actions: Sequence[Action], rng: np.random.Generator) -> Action:
        start = perf_counter()
        action = self._bot.decide(state, actions, rng)
        self.seconds += perf_counter() - start
        self.decisions += 1
        return action


def _nobody(question: str) -> str:
    raise RocktowerError(f"nobody is here to answer: {question}")


def _silent(_line: str) -> None:
    """Tell nobody: a new game's tower has nothing to say."""


def _task(arena: Arena, game: int) -> bytes:
    row, log = arena.play(game)
    return msgspec.json.encode(row) + b"\n" + log


def play_arena(
    arena: Arena,
    folder: Path,
    executor: Executor,
    *,
    out: Path | None = None,
    logs: Path | None = None,
    progress: Callable[[int, int, float | None], None] | None = None,
    passing: bool = False,
) -> list[GameRow]:
    """Play all games whose results are not in the folder yet; return the results of all.

    Parameters
    ----------
    folder
        Of the finished games, which is removed when all are. Killed at any moment, the same call
        goes on from there.
    out
        A CSV file for the results, a row a seat.
    logs
        A folder for the logs of the games, which ``rocktower replay`` reads. Logs of games are not
        written over, unless the tournament was broken off and they are its own.
    progress, passing
        As for `rocktower.sampling.run_tasks`.

    Raises
    ------
    RocktowerError
        If the folder belongs to another tournament, `logs` holds logs of games already, or a game
        fails.
    """
    if logs is not None:
        _check_logs(arena, logs, begun=read_fingerprint(folder) is not None)
    tasks = range(arena.games)
    shards = run_tasks(
        partial(_task, arena),
        tasks,
        arena.fingerprint(),
        folder,
        executor,
        progress,
        passing=passing,
    )
    rows = []
    if logs is not None:
        logs.mkdir(parents=True, exist_ok=True)
    for shard in shards:
        line, _, log = shard.read_bytes().partition(b"\n")
        rows.append(msgspec.json.decode(line, type=GameRow))
        if logs is not None:
            replace_file(logs / _log_name(rows[-1].game), log)
    if out is not None:
        replace_file(out, _as_csv(rows))
    rmtree(folder, ignore_errors=True)
    return rows


def _log_name(game: int) -> str:
    return f"game{game:05d}.jsonl"


def _check_logs(arena: Arena, logs: Path, *, begun: bool) -> None:
    """Refuse a folder with logs of games, but for those of this tournament if it goes on."""
    own = {_log_name(game): game for game in range(arena.games)} if begun else {}
    for path in sorted(logs.glob("game*.jsonl")):
        with path.open("rb") as file:
            first = file.readline()
        if path.name not in own or first != encode(arena.header(own[path.name])):
            raise RocktowerError(
                f"{logs}: holds logs of games already ({path.name}); name a new folder"
            )


def _as_csv(rows: Sequence[GameRow]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("game", "seed", "turns", *Seat.__struct_fields__))
    for row in rows:
        for seat in row.seats:
            writer.writerow((row.game, row.seed, row.turns, *msgspec.structs.astuple(seat)))
    return text.getvalue().encode()


@dataclass(frozen=True, slots=True)
class Standing:
    """How a bot did: its share of wins, points a game, rating, and how long it thought."""

    bot: str
    wins: Interval
    points: Interval
    rating: Interval
    seconds_a_move: float
    seconds_a_game: float


def standings(rows: Sequence[GameRow]) -> list[Standing]:
    """Line the bots up, the highest rating first.

    A bot with two seats in a game counts once for each; the interval of its wins takes them for
    independent.
    """
    names = [[seat.bot for seat in sorted(row.seats, key=lambda seat: seat.place)] for row in rows]
    rated = ratings(names)
    result = []
    for name in rated:
        seats = [seat for row in rows for seat in row.seats if seat.bot == name]
        seconds = sum(seat.seconds for seat in seats)
        result.append(
            Standing(
                bot=name,
                wins=share(sum(seat.place == 1 for seat in seats), len(seats)),
                points=mean([seat.points for seat in seats]),
                rating=rated[name],
                seconds_a_move=seconds / max(sum(seat.decisions for seat in seats), 1),
                seconds_a_game=seconds / len(seats),
            )
        )
    return sorted(result, key=lambda standing: -standing.rating.value)
