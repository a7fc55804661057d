"""``rocktower replay``: check a log, event by event or hit by hit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocktower.cli._common import json_option, print_json
from rocktower.cli._logs import open_log
from rocktower.cli._trollfjord_terminal import Terminal
from rocktower.cli._trollfjord_view import final, result
from rocktower.errors import RocktowerError
from rocktower.play import EmulatedTower
from rocktower.tower import HammeringLog, TowerModel

if TYPE_CHECKING:
    from rocktower.games.trollfjord import Replay

__all__ = ["replay"]

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--events", is_flag=True, help="List all events of a game that were not taken back.")
@click.option("--tower", type=_FILE, help="For hammering and emulated games: the tower's file.")
@click.option("--emulator", type=_FILE, help="For emulated games: the emulator's file.")
@json_option
def replay(
    *, file: Path, events: bool, tower: Path | None, emulator: Path | None, as_json: bool
) -> None:
    """Check the log of a game, or of hammering.

    A game is followed move by move, without any source of chance: the log holds what chance said.
    The first line that is malformed or against the rules is named, with exit status 2. The hits
    of a game with the source emulator are drawn again beside that, and differences counted.

    Each hit of a hammering log is simulated again from its recorded start, and compared with the
    recorded result; the exit status is 1 if one differs.
    """
    log = open_log(file)
    if isinstance(log, HammeringLog):
        if events or emulator:
            option = "events" if events else "emulator"
            raise RocktowerError(
                f"{file}: --{option} is for the log of a game, this is of hammering"
            )
        _check_hits(file, log, tower, as_json=as_json)
    elif log.header.source == "emulator":
        _check_game(file, log, _draw_again(log, tower, emulator), events=events, as_json=as_json)
    elif tower or emulator:
        option = "tower" if tower else "emulator"
        raise RocktowerError(
            f"{file}: --{option} is not for the log of a game with the source {log.header.source}"
        )
    else:
        _check_game(file, log, None, events=events, as_json=as_json)


def _draw_again(
    game: Replay, tower: Path | None, emulator: Path | None
) -> tuple[EmulatedTower, int]:
    """Draw the hits of a game again; give the tower, and how many hits differ."""
    emulated = EmulatedTower(game.header, tower, emulator)
    return emulated, emulated.follow(game)


def _check_hits(file: Path, log: HammeringLog, tower: Path | None, *, as_json: bool) -> None:
    rows = []
    for replayed in log.replay(log.held(TowerModel.load(tower))):
        number, strike = replayed.logged.number, replayed.logged.strike
        told = replayed.difference
        rows.append({"n": number, "agrees": replayed.agrees, "difference": told or None})
        if not as_json:
            click.echo(f"{number:>4}  {strike!s:<28} {f'DIVERGED: {told}' if told else 'agrees'}")
    agreeing = sum(replayed["agrees"] is True for replayed in rows)
    if as_json:
        print_json({"log": str(file), "hits": rows, "agreeing": agreeing})
    else:
        click.echo(f"{file}: {agreeing} of {len(rows)} hits agree with their record")
    if agreeing < len(rows):
        raise SystemExit(1)


def _check_game(
    file: Path,
    game: Replay,
    emulated: tuple[EmulatedTower, int] | None,
    *,
    events: bool,
    as_json: bool,
) -> None:
    terminal = Terminal(to_stderr=as_json)
    if events:
        for before, event in game.steps:
            terminal.on_event(before, event)
    if as_json:
        again = {} if emulated is None else {"hits": emulated[0].hits, "different": emulated[1]}
        print_json({**result(game, file), **again})
        return
    terminal.say(f"{game.state}\n")
    if game.has_ended:
        terminal.show(final(game.state, game.header.players))
    terminal.say(f"{file}: {game.count} events, all within the rules")
    if emulated is not None:
        used, different = emulated
        terminal.say(
            f"emulator {used.emulator.hash}: {used.hits - different} of {used.hits} hits come out "
            "the same here"
        )
