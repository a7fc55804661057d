"""``rocktower replay``: check a log, event by event or hit by hit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocktower.cli._common import json_option, note, print_json
from rocktower.cli._logs import open_log
from rocktower.cli._trollfjord_terminal import Terminal
from rocktower.cli._trollfjord_view import final, result
from rocktower.emulator import Emulator
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
    of a game with the source emulator are drawn again beside that, and compared with the log; the
    exit status is 1 if one differs.

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
        used = _emulated(log, tower, emulator)
        _check_game(file, log, used, events=events, as_json=as_json)
    elif tower or emulator:
        option = "tower" if tower else "emulator"
        raise RocktowerError(
            f"{file}: --{option} is not for the log of a game with the source {log.header.source}"
        )
    else:
        _check_game(file, log, None, events=events, as_json=as_json)


def _emulated(game: Replay, tower: Path | None, emulator: Path | None) -> EmulatedTower | None:
    """Give the tower of a game; None if its emulator is neither named nor the shipped one."""
    begun_with = game.header.versions.get("emulator")
    if tower is None and emulator is None and begun_with != Emulator.load().hash:
        note(f"its emulator {begun_with} is not the shipped one: --emulator FILE draws hits again")
        return None
    return EmulatedTower(game.header, tower, emulator)


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
    emulated: EmulatedTower | None,
    *,
    events: bool,
    as_json: bool,
) -> None:
    different = [] if emulated is None else emulated.follow(game)
    terminal = Terminal(to_stderr=as_json)
    if events:
        for before, event in game.steps:
            terminal.on_event(before, event)
    if as_json:
        again = {} if emulated is None else {"hits": emulated.hits, "different": len(different)}
        print_json({**result(game, file), **again})
    else:
        terminal.say(f"{game.state}\n")
        if game.has_ended:
            terminal.show(final(game.state, game.header.players))
        terminal.say(f"{file}: {game.count} events, all within the rules")
        if emulated is not None:
            same = emulated.hits - len(different)
            used = f"emulator {emulated.emulator.hash}"
            terminal.say(f"{used}: {same} of {emulated.hits} hits come out the same")
    if different:
        number, recorded, drawn = different[0]
        note(
            f"rocktower: {file}: hits of the log are not the emulator's: the first is event "
            f"{number}, {recorded} in the log and {drawn} when drawn again"
        )
        raise SystemExit(1)
