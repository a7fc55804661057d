"""`rocktower odds treasure-mountain`: exact odds of dragons, axes and dice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rocktower.chance import Bag
from rocktower.cli._common import json_option, note, print_json, print_table
from rocktower.cli._session import Session
from rocktower.cli.draw_treasure_mountain import KIND
from rocktower.errors import RocktowerError
from rocktower.games.treasure_mountain import (
    GameData,
    attack_odds,
    axe_odds,
    default_game_data,
    no_tie_odds,
    safe_odds,
    spend_odds,
    step_odds,
    strength_odds,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.games.treasure_mountain import Table

REROLLS: tuple[Literal["none", "avoid", "provoke"], ...] = ("none", "avoid", "provoke")


@click.group()
def treasure_mountain() -> None:
    """Treasure Mountain: when the dragon attacks, who is safe, which axes to spend."""


def _dragon(command: Callable[..., None]) -> Callable[..., None]:
    """Add the ways to say which dragon, and JSON."""
    strength = click.option("--strength", type=click.IntRange(min=1), help="A dragon you know.")
    level = click.option("--level", help="Any dragon left of this level (I or II).")
    return strength(level(_log(json_option(command))))


_log = click.option(
    "--log",
    type=click.Path(path_type=Path),
    help="A table's log: its data, its dragon track, the dragon tiles that are left.",
)
_axes = click.option("--axes", metavar="1,2,...", default="", help="The axes in your hand.")


@treasure_mountain.command()
@click.option("--steps", type=click.IntRange(min=1), help="Steps from the dragon to its head.")
@click.option("--rolls", type=click.IntRange(1, 1000), default=12, show_default=True)
@click.option("--dragon-song", is_flag=True, help="The dragon moves on 5 and 6 alone.")
@_log
@json_option
def attack(
    *, steps: int | None, rolls: int, dragon_song: bool, log: Path | None, as_json: bool
) -> None:
    """Give the chance that the dragon attacks within so many aggression rolls.

    Three columns: nobody re-rolls; a player in the Temple re-rolls to avoid a step every time;
    or to provoke one.
    """
    data, table = _read(log)
    if steps is None:
        steps = data.dragon_track.steps - (0 if table is None else table.dragon)
    if steps < 1:
        raise RocktowerError("the dragon is at its head: it attacks now")
    rule = data.aggression
    threshold = rule.dragon_song_threshold if dragon_song else rule.threshold
    odds = {r: attack_odds(steps, rolls, step_odds(threshold, r)) for r in REROLLS}
    if as_json:
        print_json({"steps": steps, "threshold": threshold, "within": odds})
        return
    from rich.table import Table as Grid

    title = f"the dragon attacks, {steps} steps away, moving on {threshold}+"
    grid = Grid("within rolls", "no re-roll", "re-roll to avoid", "re-roll to provoke", title=title)
    for n, row in enumerate(zip(*odds.values(), strict=True), start=1):
        grid.add_row(str(n), *(f"{p:.4f}" for p in row))
    print_table(grid)


@treasure_mountain.command()
@_dragon
@_axes
@click.option(
    "--unknown", type=click.IntRange(min=0), default=0, help="Axes more, of unknown value."
)
@click.option("--temple", is_flag=True, help="With the Temple's re-roll, used at its best.")
def safe(
    *,
    strength: int | None,
    level: str | None,
    log: Path | None,
    as_json: bool,
    axes: str,
    unknown: int,
    temple: bool,
) -> None:
    """Give the chance to be safe from a dragon, before the die is rolled.

    The unknown axes are any of all axes but those of --axes: a draw to come, or another's hand.
    """
    data, strengths = _strengths(strength, level, log)
    known = _hand(axes)
    unseen = Bag.of(data.axes.counts).take(known)
    sums = {sum(known) + value: p for value, p in axe_odds(unseen, unknown).items()}
    p = safe_odds(strengths, sums, reroll=temple)
    if as_json:
        print_json({"strength": strengths, "axes": sums, "temple": temple, "safe": p})
        return
    click.echo(f"safe: {p:.4f}")
    _print_pmf("dragon strength", strengths)
    if len(sums) > 1:
        _print_pmf("value of the axes", sums)


@treasure_mountain.command()
@_dragon
@_axes
@click.option("--die", type=click.IntRange(1, 6), required=True, help="The die as it lies.")
def spend(
    *,
    strength: int | None,
    level: str | None,
    log: Path | None,
    as_json: bool,
    axes: str,
    die: int,
) -> None:
    """List which axes to spend: the least value for every chance of safety."""
    _, strengths = _strengths(strength, level, log)
    options = spend_odds(die, _hand(axes), strengths)
    if as_json:
        print_json(options)
        return
    from rich.table import Table as Grid

    grid = Grid("spend", "defensive strength", "safe", title=f"die {die}, axes {axes or 'none'}")
    for option in options:
        chosen = " ".join(f"+{value}" for value in option.axes) or "nothing"
        grid.add_row(chosen, str(option.total), f"{option.safe:.4f}")
    print_table(grid)


@treasure_mountain.command()
@click.option("--players", type=click.IntRange(2, 4), default=4, show_default=True)
@json_option
def order(*, players: int, as_json: bool) -> None:
    """Give the chance that the first turn-order roll leaves nobody tied."""
    p = no_tie_odds(players)
    if as_json:
        print_json({"players": players, "no_tie": p})
    else:
        click.echo(f"no tie on the first roll of {players} players: {p:.4f}")


def _read(log: Path | None) -> tuple[GameData, Table | None]:
    if log is None:
        return default_game_data(), None
    table = Session.resume(KIND, log).table
    return table.data, table


def _strengths(
    strength: int | None, level: str | None, log: Path | None
) -> tuple[GameData, dict[int, float]]:
    data, table = _read(log)
    if (strength is None) == (level is None):
        raise RocktowerError("which dragon? Either --strength or --level is expected")
    if strength is not None:
        return data, {strength: 1.0}
    tiles = list(data.dragon_tiles(str(level)))
    if table is not None:
        for tile in (*table.boxed, *(t for hand in table.awarded for t in hand)):
            if tile in tiles:
                tiles.remove(tile)
    note("the strengths of a level are the data file's: see what in it is assumed")
    return data, strength_odds(tiles)


def _hand(axes: str) -> list[int]:
    values = [v.strip() for v in axes.split(",") if v.strip()]
    for value in values:
        if not value.isdecimal():
            raise RocktowerError(f"--axes: {value!r}: values like 1,1,2 are expected")
    return [int(v) for v in values]


def _print_pmf(what: str, pmf: dict[int, float]) -> None:
    from rich.table import Table as Grid

    grid: Any = Grid(what, "chance")
    for value, p in pmf.items():
        grid.add_row(str(value), f"{p:.4f}")
    print_table(grid)
