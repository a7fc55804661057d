"""``rocktower play``: a game at the terminal."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rocktower.cli._common import fresh_seed, json_option, note, print_json, seed_option
from rocktower.cli._trollfjord_terminal import QuitRequested, Terminal
from rocktower.cli._trollfjord_view import final, result
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    Board,
    Header,
    Replay,
    default_board,
    load_board,
)
from rocktower.play import (
    HUMAN,
    MANUAL,
    SOURCES,
    EmulatedTower,
    LogFile,
    Match,
    PhysicsTower,
    load_bot,
    make_tower,
    versions,
)
from rocktower.randomness import check_seed

if TYPE_CHECKING:
    from rocktower.games.trollfjord import Event, State
    from rocktower.play import Bot, Tower

__all__ = ["play"]

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def play() -> None:
    """Play a game at the terminal."""


@play.command()
@click.option("--players", help="Two to four of human, search, greedy, random, FILE.py:CLASS.")
@click.option("--source", type=click.Choice(SOURCES), help="What answers for the tower.")
@click.option("--hits", type=_FILE, help="For scripted: a hit a line. For recorded: a log.")
@click.option(
    "--tower",
    type=click.Path(path_type=Path),
    help="For physics: a tower model's file, or the folder of a fit.",
)
@click.option("--emulator", type=_FILE, help="For emulator: its file, made by rocktower emulate.")
@seed_option
@click.option("--board", type=_FILE, help="A board file instead of the inferred board.")
@click.option("--numbers", help="Fortress numbers: printed, shuffled, or six like 1,2,3,3,1,2.")
@click.option("--walkways", help="Walkways clockwise: shuffled, or ten like 1,2,3,4,5,6,7,8,9,10.")
@click.option("--log", type=_FILE, help="Write the game to this new file as it goes on.")
@click.option("--resume", type=_FILE, help="Go on with the game in this log.")
@click.option("--watch", is_flag=True, help="Show all events, also when only bots play.")
@click.option("--window", is_flag=True, help="Hammer in a window; everything else is typed here.")
@json_option
def trollfjord(
    *,
    hits: Path | None,
    tower: Path | None,
    emulator: Path | None,
    resume: Path | None,
    watch: bool,
    window: bool,
    as_json: bool,
    **new: Any,
) -> None:
    """Play Trollfjord, with bots and people at one terminal.

    What happens is saved at once with --log, and --resume goes on with it, also after a crash.
    With --source manual you strike your own wooden tower, and type what falls out.
    """
    terminal = Terminal(to_stderr=as_json)
    path: Path | None = resume or new["log"]
    with ExitStack() as opened:
        if resume:
            for option, value in new.items():
                if value is not None:
                    raise RocktowerError(f"--{option} is settled by the log: leave it out")
            log, replay, torn = LogFile.resume(resume)
            opened.enter_context(log)
            if torn:
                note(torn)
        else:
            log, replay = None, Replay(_header(tower, emulator, **new))
        source = _source(replay, terminal, hits=hits, tower=tower, emulator=emulator)
        match = _match(replay, terminal, source, watch=watch, window=window)
        if path and log is None:
            log = opened.enter_context(LogFile.create(path, replay.header))
        try:
            match.play(log)
        except (QuitRequested, KeyboardInterrupt) as wish:
            go_on = f"go on with: rocktower play trollfjord --resume {path}"
            note(f"left; {go_on if path else 'the game is not saved (--log FILE saves it)'}")
            if isinstance(wish, KeyboardInterrupt):
                raise
        if isinstance(source, EmulatedTower) and source.fallbacks:
            note(f"the physics answered {source.fallbacks} of {source.hits} hits")
    if as_json:
        print_json(result(replay, path))
    elif replay.has_ended:
        terminal.say(f"\n{replay.state}\n")
        terminal.show(final(replay.state, replay.header.players))


def _header(
    tower: Path | None,
    emulator: Path | None,
    *,
    players: str | None,
    source: str | None,
    seed: int | None,
    board: Path | None,
    numbers: str | None,
    walkways: str | None,
    log: Path | None,
) -> Header:
    chosen = load_board(board) if board else default_board()
    source, seed = source or SOURCES[0], check_seed(fresh_seed(seed))
    return Header(
        format="rocktower-log",
        version=1,
        game="trollfjord",
        players=tuple((players or "human,greedy").split(",")),
        board=chosen,
        numbers=_numbers(numbers, chosen),
        walkways=_integers("--walkways", walkways or "shuffled"),
        source=source,
        seed=seed,
        versions=versions(source, tower, seed, emulator),
    )


def _numbers(text: str | None, board: Board) -> tuple[int, ...] | Literal["shuffled"]:
    if text is None or text == "printed":
        return tuple(fortress.number for fortress in board.fortresses)
    return _integers("--numbers", text)


def _integers(option: str, text: str) -> tuple[int, ...] | Literal["shuffled"]:
    if text == "shuffled":
        return "shuffled"
    try:
        return tuple(map(int, text.split(",")))
    except ValueError:
        raise RocktowerError(f"{option} {text!r}: whole numbers with commas are expected") from None


def _source(
    replay: Replay,
    terminal: Terminal,
    *,
    hits: Path | None,
    tower: Path | None,
    emulator: Path | None,
) -> Tower:
    """Set up what answers for the tower."""
    if replay.has_ended:
        raise RocktowerError("the game in this log is over: rocktower replay shows it")
    note(f"seed {replay.header.seed}")
    return make_tower(
        replay,
        ask=lambda question: terminal.ask_hit(replay.state, question),
        notify=note,
        hits=hits,
        model=tower,
        emulator=emulator,
    )


def _match(
    replay: Replay, terminal: Terminal, source: Tower, *, watch: bool, window: bool
) -> Match:
    """Seat the players at the tower."""
    header = replay.header
    people = HUMAN in header.players or header.source == MANUAL
    says = terminal.on_event if people or watch else lambda _before, _event: None
    if not window:
        return Match(
            replay,
            _seats(header, terminal),
            source,
            on_event=says,
            notify=terminal.say,
        )
    from rocktower.viewer import GameWindow

    if not isinstance(source, PhysicsTower):
        raise RocktowerError(f"--window shows the simulated tower, not the source {header.source}")

    shown = GameWindow(terminal, source, replay, [kind == HUMAN for kind in header.players])

    def on_event(before: State, event: Event) -> None:
        says(before, event)
        shown.on_event(before, event)

    seats = _seats(header, shown)
    return Match(replay, seats, shown, on_event=on_event, notify=terminal.say)


def _seats(header: Header, people: Bot) -> list[Bot]:
    return [people if kind == HUMAN else load_bot(kind, others=(HUMAN,)) for kind in header.players]
