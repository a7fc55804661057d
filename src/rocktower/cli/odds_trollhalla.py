"""`rocktower odds trollhalla`: exact odds of the plunder bag."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocktower.chance import Bag, read_word
from rocktower.cli._common import json_option, print_json, print_table
from rocktower.cli._session import Session
from rocktower.cli.draw_trollhalla import KIND
from rocktower.errors import RocktowerError
from rocktower.games.trollhalla import Landing, default_board, end_odds

if TYPE_CHECKING:
    from collections.abc import Callable


@click.group()
def trollhalla() -> None:
    """Trollhalla: what the next refill brings, and when the game can end."""


def _bag(command: Callable[..., None]) -> Callable[..., None]:
    """Add the ways to say what is in the bag, and JSON."""
    players = click.option(
        "--players",
        type=click.IntRange(2, 4),
        default=4,
        show_default=True,
        help="A full bag for so many players.",
    )
    log = click.option("--log", type=click.Path(path_type=Path), help="The bag of a table's log.")
    tiles = click.option("--bag", metavar="TILE=N,...", help="Any bag; kinds left out are 0.")
    return players(log(tiles(json_option(command))))


@trollhalla.command()
@_bag
@click.option("--tiles", type=click.IntRange(min=0), help="How many tiles the refill takes.")
@click.option("--island", type=click.IntRange(min=0), help="As many as this island holds.")
@click.option("--kind", default="goat", show_default=True, help="The tile in question.")
@click.option(
    "--at-least", type=click.IntRange(min=0), default=1, show_default=True, help="How many of it."
)
def refill(
    *,
    players: int,
    log: Path | None,
    bag: str | None,
    as_json: bool,
    tiles: int | None,
    island: int | None,
    kind: str,
    at_least: int,
) -> None:
    """Give the chance of at least so many tiles of a kind, and what to expect of each."""
    contents, board = _read(players, log, bag)
    if (tiles is None) == (island is None):
        raise RocktowerError("how many tiles? Either --tiles or --island is expected")
    if island is not None and island >= len(board.islands.spaces):
        last = len(board.islands.spaces) - 1
        raise RocktowerError(f"--island {island}: one from 0 to {last} is expected")
    draws = tiles if tiles is not None else board.capacity(island or 0)
    kind = read_word(kind, contents.kinds)
    pmf = contents.count_pmf([kind], draws)
    answer = {
        "draws": draws,
        "kind": kind,
        "at_least": at_least,
        "probability": min(float(pmf[at_least:].sum()), 1.0),
        "pmf": [float(p) for p in pmf],
        "expected": contents.expected(draws),
    }
    if as_json:
        print_json(answer)
        return
    click.echo(
        f"at least {at_least} {kind} among {draws} of {len(contents)} tiles: "
        f"{answer['probability']:.4f}"
    )
    _print_refill(contents, draws, answer)


@trollhalla.command()
@_bag
@click.argument("landings", nargs=-1, required=True, metavar="SIZE[:RETURNS]...")
def end(
    *,
    players: int,
    log: Path | None,
    bag: str | None,
    as_json: bool,
    landings: tuple[str, ...],
) -> None:
    """Give the chance that the game is over by each of the next landings.

    SIZE: how many tiles the refill of the island left behind takes. RETURNS: how many tiles come
    back into the bag before, as goats on the plundered island kick and the Chief leaves over;
    or @N, if the island is plundered that was refilled in landing N of this list: its goats are
    left to chance. Every goat is taken to be a player's, and to kick.
    """
    contents, _ = _read(players, log, bag)
    parsed = [_landing(text) for text in landings]
    odds = end_odds(contents, parsed)
    if as_json:
        print_json({"bag": dict(contents), "landings": list(landings), "over_by": odds})
        return
    from rich.table import Table

    grid = Table("landing", "refill", "returns", "over by then", title=f"{len(contents)} tiles")
    for number, (landing, p) in enumerate(zip(parsed, odds, strict=True), start=1):
        chance = "" if landing.plunders is None else f" + goats of refill {landing.plunders}"
        grid.add_row(str(number), str(landing.size), f"{landing.returns}{chance}", f"{p:.4f}")
    print_table(grid)


def _read(players: int, log: Path | None, bag: str | None) -> tuple[Bag[str], Any]:
    if log is not None:
        if bag is not None:
            raise RocktowerError("either --log or --bag says what is in the bag, not both")
        table = Session.resume(KIND, log).table
        return table.bag, table.board
    board = default_board()
    if bag is None:
        return Bag.of(board.plunder_counts(players)), board
    counts = dict.fromkeys(board.plunder.counts, 0)
    for part in bag.split(","):
        name, _, n = part.partition("=")
        if not n.isdecimal():
            raise RocktowerError(f"--bag: {part!r}: TILE=N is expected, as in goat=3")
        counts[read_word(name, counts)] = int(n)
    return Bag.of(counts), board


def _landing(text: str) -> Landing:
    size, _, returns = text.partition(":")
    number = returns.removeprefix("@")
    if not size.isdecimal() or not (number or "0").isdecimal() or returns == "@":
        raise RocktowerError(f"{text!r}: SIZE, SIZE:RETURNS or SIZE:@LANDING is expected")
    if returns.startswith("@"):
        return Landing(int(size), plunders=int(number))
    return Landing(int(size), int(number or 0))


def _print_refill(bag: Bag[str], draws: int, answer: dict[str, Any]) -> None:
    from rich.table import Table

    grid = Table("tile", "in the bag", "expected")
    for kind, n in bag:
        grid.add_row(kind, str(n), f"{answer['expected'][kind]:.3f}")
    print_table(grid)
    grid = Table(answer["kind"], "chance")
    for k, p in enumerate(answer["pmf"]):
        if p > 0:
            grid.add_row(str(k), f"{p:.4f}")
    print_table(grid)
