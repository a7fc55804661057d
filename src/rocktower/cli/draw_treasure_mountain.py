"""`rocktower draw treasure-mountain`: dice, axes, dragons and decks at a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocktower.chance import read_word
from rocktower.cli._common import fresh_seed, read_file, seed_option
from rocktower.cli._session import Kind, Options, Session, report, table_options
from rocktower.cli._treasure_mountain_text import print_tables, story
from rocktower.errors import RocktowerError
from rocktower.games._data import EVERYBODY, convert
from rocktower.games.treasure_mountain import (
    Aggression,
    DrawAxes,
    Event,
    Fight,
    GameData,
    Keep,
    Reroll,
    Reset,
    Scout,
    Start,
    Table,
    Take,
    Tavern,
    Tribute,
    default_game_data,
    read_game_data,
    view,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.games._log import Step

KIND = Kind(
    "treasure-mountain",
    Event,
    lambda data, where: Table(data=convert(data, GameData, f"{where}, data")),
)
SPACES = ("hoard", "wagon", "scout", "tribute")


def _options(command: Callable[..., None]) -> Callable[..., None]:
    viewer = click.option(
        "--as",
        "viewer",
        metavar="NAME",
        help="Show what NAME alone may see, too (all: everything).",
    )
    return viewer(table_options("treasure-mountain.jsonl")(command))


def _anger(command: Callable[..., None]) -> Callable[..., None]:
    """Add what an aggression roll needs to know."""
    temple = click.option("--temple", metavar="NAME", help="Whose dwarf stands in the Temple.")
    song = click.option(
        "--dragon-song", is_flag=True, help="The owner of Dragon Song is on the Treasure Hoard."
    )
    return temple(song(command))


@click.group()
def treasure_mountain() -> None:
    """Treasure Mountain: aggression rolls, dragon attacks, axes, mine tiles and cards.

    A placement on a dragon's space is one command, its aggression roll included: `aggression`,
    `scout` or `tribute`. When the dragon attacks, the dice fall at once; then `fight`.
    The log holds every secret: look at the table with `show`, not into the file.
    """


@treasure_mountain.command()
@_options
@seed_option
@click.option("--data", type=click.Path(path_type=Path), help="Your own data file (TOML).")
@click.option("--order", metavar="NAME,...", help="The turn order; rolled for if not given.")
@click.option("--rahdo", is_flag=True, help="Play the Rahdo variant: one black die.")
@click.argument("players", nargs=-1, required=True)
def start(
    options: Options,
    *,
    viewer: str | None,
    seed: int | None,
    data: Path | None,
    order: str | None,
    rahdo: bool,
    players: tuple[str, ...],
) -> None:
    """Set up a game for PLAYERS: turn order, mine tiles, market and achievements."""
    values = default_game_data() if data is None else read_game_data(read_file(data), str(data))
    names = () if order is None else tuple(read_word(n, players) for n in order.split(","))
    viewer = None if viewer is None else read_word(viewer, (*players, EVERYBODY))
    event = Start(players, names, rahdo)
    session, steps = Session.start(KIND, options, fresh_seed(seed), values, event)
    if options.as_json:
        _report(options, session, event, steps, viewer)
    else:
        for step in steps:
            if "roll" in step.label:
                click.echo(f"{step.label}: {step.text}")
        print_tables(session.table, viewer)


@treasure_mountain.command()
@_options
@_anger
@click.argument("player")
@click.argument("space", type=click.Choice(SPACES))
def aggression(
    options: Options,
    *,
    viewer: str | None,
    temple: str | None,
    dragon_song: bool,
    player: str,
    space: Any,
) -> None:
    """Roll for PLAYER's dwarf on SPACE (scout and tribute: if the action is declined)."""
    session = _resume(options)
    event = Aggression(
        player=_player(session, player),
        temple=_maybe(session, temple),
        dragon_song=dragon_song,
        space=space,
    )
    _play(options, session, event, viewer)


@treasure_mountain.command()
@_options
@_anger
@click.argument("player")
def scout(
    options: Options, *, viewer: str | None, temple: str | None, dragon_song: bool, player: str
) -> None:
    """PLAYER scouts: draw an axe, peek at the dragon, roll for aggression."""
    session = _resume(options)
    event = Scout(
        player=_player(session, player), temple=_maybe(session, temple), dragon_song=dragon_song
    )
    _play(options, session, event, viewer)


@treasure_mountain.command()
@_options
@_anger
@click.option("--diplomats", is_flag=True, help="PLAYER owns Diplomats: up to 3 removals.")
@click.argument("player")
@click.argument("removals", nargs=-1, metavar="[ROW=SLOT]...")
def tribute(
    options: Options,
    *,
    viewer: str | None,
    temple: str | None,
    dragon_song: bool,
    diplomats: bool,
    player: str,
    removals: tuple[str, ...],
) -> None:
    """PLAYER removes open cards (mine=2, ruby=1, ...), then rolls. Slot 1 is the far right."""
    session = _resume(options)
    event = Tribute(
        player=_player(session, player),
        temple=_maybe(session, temple),
        dragon_song=dragon_song,
        removals=tuple(
            (read_word(row, session.table.rows), _number(slot)) for row, slot in _pairs(removals)
        ),
        diplomats=diplomats,
    )
    _play(options, session, event, viewer)


@treasure_mountain.command()
@_options
@click.argument("player")
def reroll(options: Options, *, viewer: str | None, player: str) -> None:
    """PLAYER, in the Temple, rolls their own die again; what falls now stands."""
    session = _resume(options)
    _play(options, session, Reroll(_player(session, player)), viewer)


@treasure_mountain.command()
@_options
def keep(options: Options, *, viewer: str | None) -> None:
    """Let an aggression roll stand that could have been rolled again."""
    _play(options, _resume(options), Keep(), viewer)


@treasure_mountain.command()
@_options
@click.option("--axes", multiple=True, metavar="NAME=1,2", help="The axes that NAME spends.")
@click.option("--gold", multiple=True, metavar="NAME=N", help="What NAME owns, for the losses.")
@click.option("--gems", multiple=True, metavar="NAME=N", help="What NAME owns, for the losses.")
@click.option("--stone-beards", multiple=True, metavar="NAME", help="Who owns Stone Beards.")
def fight(
    options: Options,
    *,
    viewer: str | None,
    axes: tuple[str, ...],
    gold: tuple[str, ...],
    gems: tuple[str, ...],
    stone_beards: tuple[str, ...],
) -> None:
    """Spend axes, reveal the dragon, resolve the fight and award the tile."""
    session = _resume(options)
    event = Fight(
        axes={
            _player(session, name): tuple(_number(v) for v in values.split(",") if v)
            for name, values in _pairs(axes)
        },
        gold={_player(session, name): _number(n) for name, n in _pairs(gold)},
        gems={_player(session, name): _number(n) for name, n in _pairs(gems)},
        stone_beards=tuple(_player(session, name) for name in stone_beards),
    )
    _play(options, session, event, viewer)


@treasure_mountain.command("axes")
@_options
@click.argument("player")
@click.argument("count", type=int, default=1)
def draw_axes(options: Options, *, viewer: str | None, player: str, count: int) -> None:
    """PLAYER draws axes: at the Forge 1 (Smithy 2), at the Trading Post up to 3."""
    session = _resume(options)
    _play(options, session, DrawAxes(_player(session, player), count), viewer)


@treasure_mountain.command()
@_options
@click.argument("player")
@click.argument("row")
@click.argument("slot", type=int)
def take(options: Options, *, viewer: str | None, player: str, row: str, slot: int) -> None:
    """PLAYER buys a mine tile, fills a contract, or claims an achievement.

    ROW is mine, achievements or a gem; SLOT 1 is the far right.
    """
    session = _resume(options)
    table = session.table
    name = read_word(row, table.rows)
    _play(options, session, Take(_player(session, player), name, slot), viewer)


@treasure_mountain.command()
@_options
@click.argument("dwarves", nargs=-1, metavar="[NAME]...")
def tavern(options: Options, *, viewer: str | None, dwarves: tuple[str, ...]) -> None:
    """Set the turn order by the dwarves in the tavern, top to bottom."""
    session = _resume(options)
    _play(options, session, Tavern(tuple(_player(session, name) for name in dwarves)), viewer)


@treasure_mountain.command()
@_options
def reset(options: Options, *, viewer: str | None) -> None:
    """End a round: new mine tile and achievement, coins on the market, dwarves freed."""
    _play(options, _resume(options), Reset(), viewer)


@treasure_mountain.command()
@_options
def undo(options: Options, *, viewer: str | None) -> None:
    """Take back the last event (the same event again draws the same)."""
    session = _resume(options)
    viewer = _viewer(session, viewer)
    session.undo()
    _report(options, session, "undo", (), viewer, story=["the last event is taken back"])


@treasure_mountain.command()
@_options
def show(options: Options, *, viewer: str | None) -> None:
    """Show the table: the public view, or with --as what one player sees."""
    session = _resume(options)
    if options.as_json:
        _report(options, session, None, (), _viewer(session, viewer))
    else:
        print_tables(session.table, _viewer(session, viewer))


def _resume(options: Options) -> Session[Table]:
    return Session.resume(KIND, options.log)


def _player(session: Session[Table], name: str) -> str:
    return read_word(name, session.table.players)


def _maybe(session: Session[Table], name: str | None) -> str | None:
    return None if name is None else _player(session, name)


def _viewer(session: Session[Table], name: str | None) -> str | None:
    return None if name is None else read_word(name, (*session.table.players, EVERYBODY))


def _pairs(texts: tuple[str, ...]) -> list[tuple[str, str]]:
    for text in texts:
        if "=" not in text:
            raise RocktowerError(f"{text!r}: a name, an equals sign and a value are expected")
    return [(text.partition("=")[0], text.partition("=")[2]) for text in texts]


def _number(text: str) -> int:
    if not text.isdecimal():
        raise RocktowerError(f"{text!r}: a whole number is expected")
    return int(text)


def _play(options: Options, session: Session[Table], event: Event, viewer: str | None) -> None:
    viewer = _viewer(session, viewer)
    before = session.table
    steps = session.play(event, manual=options.manual)
    lines = story(before, session.table, steps, viewer)
    _report(options, session, event, steps, viewer, story=lines)


def _report(
    options: Options,
    session: Session[Table],
    event: object,
    steps: tuple[Step, ...],
    viewer: str | None,
    *,
    story: list[str] | None = None,
) -> None:
    report(
        options,
        session,
        event=event,
        steps=steps,
        story=story or [],
        view=view(session.table, viewer),
        viewer=viewer,
    )
