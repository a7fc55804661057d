"""`rocktower draw trollhalla`: ship die, bag and islands of a Trollhalla table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocktower.chance import read_word
from rocktower.cli._common import fresh_seed, print_table, read_file, seed_option
from rocktower.cli._session import Kind, Options, Session, report, table_options
from rocktower.errors import RocktowerError
from rocktower.games._data import convert
from rocktower.games.trollhalla import (
    CHIEF,
    Board,
    Event,
    Kick,
    Maelstrom,
    Refill,
    Roll,
    Sail,
    Share,
    Start,
    Table,
    default_board,
    read_board,
    view,
)

if TYPE_CHECKING:
    from rocktower.games._log import Step

KIND = Kind(
    "trollhalla", Event, lambda data, where: Table(board=convert(data, Board, f"{where}, data"))
)
_options = table_options("trollhalla.jsonl")


@click.group()
def trollhalla() -> None:
    """Trollhalla: roll the ship die, plunder and refill islands, kick tiles back.

    A turn: place your trolls on the real board, then `roll`. If the ship is full and sails:
    `sail`, then `kick` and `share` as it happens, then `refill`. Names and tiles may be
    shortened while they stay clear.
    """


@trollhalla.command()
@_options
@seed_option
@click.option("--board", type=click.Path(path_type=Path), help="Your own board file (TOML).")
@click.option("--first", metavar="NAME", help="Who starts; chance decides if not given.")
@click.option(
    "--ships", metavar="SHIP=ISLAND,...|random", help="Where the ships start; else as on the board."
)
@click.option(
    "--weather",
    metavar="random|SYMBOL,...",
    help="Weather Tiles variant: lay them at random, or as agreed, sea space 1 first.",
)
@click.argument("players", nargs=-1, required=True)
def start(
    options: Options,
    *,
    seed: int | None,
    board: Path | None,
    first: str | None,
    ships: str | None,
    weather: str | None,
    players: tuple[str, ...],
) -> None:
    """Set up a game for PLAYERS, named clockwise, and fill the islands."""
    data = default_board() if board is None else read_board(read_file(board), str(board))
    event = Start(
        players,
        first=None if first is None else read_word(first, players),
        ships=None if ships in (None, "random") else _ships(str(ships)),
        random_ships=ships == "random",
        weather=() if weather in (None, "random") else tuple(str(weather).split(",")),
        random_weather=weather == "random",
    )
    session, steps = Session.start(KIND, options, fresh_seed(seed), data, event)
    if options.as_json:
        _report(options, session, event, steps, [])
    else:
        _print(session.table)


@trollhalla.command()
@_options
def roll(options: Options) -> None:
    """Roll the ship die: it begins the next player's turn."""
    session = _resume(options)
    steps = session.play(Roll(), manual=options.manual)
    now = view(session.table)
    story = [f"turn {now['turn']}, {now['active']} rolls: {steps[0].text}"]
    _report(options, session, Roll(), steps, story)


@trollhalla.command()
@_options
@click.argument("island", type=int)
@click.argument("seats", nargs=4, metavar="SEAT1 SEAT2 SEAT3 SEAT4")
def sail(options: Options, *, island: int, seats: tuple[str, ...]) -> None:
    """Sail the rolled ship to ISLAND; its trolls take the tiles.

    SEATS: whose troll sits where, from west to east: a player, or chief.
    """
    session = _resume(options)
    crew = tuple(read_word(seat, (*session.table.players, CHIEF)) for seat in seats)
    event = Sail(island, crew)
    before = session.table
    session.play(event, manual=options.manual)
    _report(options, session, event, (), _gains(before, session.table))


@trollhalla.command()
@_options
@click.argument("player")
@click.argument("tile")
def kick(options: Options, *, player: str, tile: str) -> None:
    """Kick a TILE out of PLAYER's boat, back into the bag."""
    session = _resume(options)
    event = Kick(_player(session, player), _tile(session, tile))
    session.play(event, manual=options.manual)
    bag = len(session.table.bag)
    story = [f"{event.player}'s {event.tile} goes back: {bag} tiles in the bag"]
    _report(options, session, event, (), story)


@trollhalla.command()
@_options
@click.argument("takes", nargs=-1, metavar="[PLAYER=TILE]...")
def share(options: Options, *, takes: tuple[str, ...]) -> None:
    """Share the Chief's plunder, in the order of choice; the rest goes back into the bag."""
    session = _resume(options)
    pairs = [_pair(take, "PLAYER=TILE") for take in takes]
    event = Share(tuple((_player(session, name), _tile(session, tile)) for name, tile in pairs))
    before = session.table
    session.play(event, manual=options.manual)
    bag = len(session.table.bag)
    story = [*_gains(before, session.table), f"{bag} tiles in the bag"]
    _report(options, session, event, (), story)


@trollhalla.command()
@_options
@click.argument("island", type=int, required=False)
def refill(options: Options, *, island: int | None) -> None:
    """Refill the island that the ship has left, or end the game.

    ISLAND may be named as a check.
    """
    session = _resume(options)
    due = session.table.origin
    if island is not None and island != due:
        waits = "none waits" if due is None else f"island {due} waits"
        raise RocktowerError(f"island {island} needs no refill now: {waits} for one")
    steps = session.play(Refill(), manual=options.manual)
    left = len(session.table.bag)
    story = [f"{step.label}: {step.text}" for step in steps]
    if session.table.is_over:
        story.append(
            f"island {due} cannot be refilled: the game ends; `share` once more, and score"
        )
    story.append(f"{left} tiles in the bag")
    _report(options, session, Refill(), steps, story)


@trollhalla.command()
@_options
@click.argument("a", type=int)
@click.argument("b", type=int)
def maelstrom(options: Options, *, a: int, b: int) -> None:
    """Exchange the weather tiles of the sea spaces A and B, before the roll."""
    session = _resume(options)
    event = Maelstrom(a, b)
    session.play(event, manual=options.manual)
    weather = session.table.weather
    story = [f"sea space {n}: {weather[n - 1]}" for n in (a, b)]
    _report(options, session, event, (), story)


@trollhalla.command()
@_options
def undo(options: Options) -> None:
    """Take back the last event (the same event again draws the same)."""
    session = _resume(options)
    session.undo()
    _report(options, session, "undo", (), ["the last event is taken back"])


@trollhalla.command()
@_options
def show(options: Options) -> None:
    """Show the table; nothing in it is secret."""
    session = _resume(options)
    if options.as_json:
        _report(options, session, None, (), [])
    else:
        _print(session.table)


def _resume(options: Options) -> Session[Table]:
    return Session.resume(KIND, options.log)


def _player(session: Session[Table], name: str) -> str:
    return read_word(name, session.table.players)


def _tile(session: Session[Table], tile: str) -> str:
    return read_word(tile, session.table.bag.kinds)


def _pair(text: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise RocktowerError(f"{text!r}: {form} is expected")
    return name, value


def _ships(text: str) -> dict[str, int]:
    pairs = [_pair(part, "SHIP=ISLAND,...") for part in text.split(",")]
    for name, island in pairs:
        if not island.isdecimal():
            raise RocktowerError(f"--ships: island {island!r} of ship {name} is not a number")
    return {name: int(island) for name, island in pairs}


def _gains(before: Table, after: Table) -> list[str]:
    """Tell who has gained which tiles, and whose goats may kick."""
    story = []
    owners = [*zip(after.players, before.boats, after.boats, strict=True)]
    for name, old, new in [*owners, ("the Chief", before.chief, after.chief)]:
        if len(new) > len(old):
            story.append(f"{name} gains {' '.join(new[len(old) :])}")
    for name, kicks in zip(after.players, after.kicks, strict=True):
        if kicks:
            story.append(f"{name} may `kick` up to {kicks} (goats, and wild tiles placed as goats)")
    if after.origin is not None:
        story.append(f"island {after.origin} waits for its `refill`")
    return story


def _report(
    options: Options,
    session: Session[Table],
    event: object,
    steps: tuple[Step, ...],
    story: list[str],
) -> None:
    report(options, session, event=event, steps=steps, story=story, view=view(session.table))


def _print(table: Table) -> None:
    from rich.table import Table as Grid

    now = view(table)
    over = "the game is over" if now["is_over"] else f"{now['next']} rolls next"
    islands = Grid("island", "tiles, west to east", title=f"Trollhalla, turn {now['turn']}: {over}")
    ship_at = {island: ship for ship, island in table.ships.items()}
    for i, tiles in enumerate(table.islands):
        islands.add_row(
            str(i), f"ship {ship_at[i]}" if i in ship_at else " ".join(tiles) or "empty"
        )
    print_table(islands)
    grid = Grid("tiles", *now["players"], CHIEF, f"bag ({len(table.bag)})")
    for kind, n in table.bag:
        held = [boat.count(kind) for boat in (*table.boats, table.chief)]
        grid.add_row(kind, *map(str, held), str(n))
    print_table(grid)
    if table.weather:
        spaces = " ".join(f"{n}:{symbol}" for n, symbol in enumerate(table.weather, start=1))
        click.echo(f"weather by sea space: {spaces}")
    waiting: dict[str, Any] = {"rolled": now["rolled"], "refill due": now["refill_due"]}
    for what, value in waiting.items():
        if value is not None:
            click.echo(f"{what}: {value}")
