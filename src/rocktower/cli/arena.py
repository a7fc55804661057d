"""`rocktower arena`: many games among bots, and who is stronger."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
import msgspec

from rocktower.cli._common import (
    fresh_seed,
    json_option,
    note,
    print_json,
    print_table,
    seed_option,
)
from rocktower.cli._progress import ProgressBar
from rocktower.cli._workers import processors, terminated_like_interrupted
from rocktower.errors import RocktowerError
from rocktower.files import check_new_file
from rocktower.play import Arena, play_arena, standings
from rocktower.sampling import local_executor, read_fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocktower.play import GameRow, Standing
    from rocktower.statistics import Interval

__all__ = ["arena"]


@click.command()
@click.option(
    "--players",
    default="search,greedy,random",
    show_default=True,
    help="Bots: search, search@48, search@0.5s, greedy, random, FILE.py:CLASS; twice: two seats.",
)
@click.option("--games", type=click.IntRange(1), default=60, show_default=True, metavar="N")
@click.option(
    "--at-a-table",
    type=click.IntRange(2, 4),
    metavar="K",
    help="Games of so many, every choice of them in turn; all at one table if not given.",
)
@click.option(
    "--source",
    type=click.Choice(["emulator", "bag", "physics"]),
    default="emulator",
    show_default=True,
    help="What answers for the tower.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes; all if not given."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.csv",
    help="Write the results to this new file, a row a seat; needed for --resume.",
)
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write the log of every game there, for rocktower replay.",
)
@click.option("--resume", is_flag=True, help="Go on with a tournament that was broken off.")
@seed_option
@json_option
def arena(
    *,
    players: str,
    games: int,
    at_a_table: int | None,
    source: str,
    jobs: int | None,
    out: Path | None,
    logs: Path | None,
    resume: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Let bots play Trollfjord against each other: wins, ratings, points, time a move.

    Seats go round, and so do fortress numbers and walkways. Killed at any moment, the same
    command with --resume goes on. Every game is told by its seed, and can be played again.
    """
    if resume and out is None:
        raise RocktowerError("--resume goes with --out: it names the tournament")
    if out is not None:
        check_new_file(out)
    with ExitStack() as opened:
        folder = _folder(out, opened, resume=resume)
        if seed is None and resume:
            seed = (read_fingerprint(folder) or {}).get("seed")
        wanted = Arena(tuple(players.split(",")), games, fresh_seed(seed), at_a_table, source)
        bar = ProgressBar("playing")
        workers = min(jobs or processors(), games)
        try:
            executor = opened.enter_context(local_executor(workers))
            with terminated_like_interrupted(), bar:
                rows = play_arena(
                    wanted,
                    folder,
                    executor,
                    out=out,
                    logs=logs,
                    progress=bar.show,
                    passing=out is None,
                )
        except KeyboardInterrupt:
            if out is not None:
                note(
                    f"rocktower: {bar.done} of {bar.total} games are kept in {folder}; "
                    "the same command with --resume goes on"
                )
            raise
    if as_json:
        print_json(_result(wanted, rows))
    else:
        _show(wanted, rows, out)


def _folder(out: Path | None, opened: ExitStack, *, resume: bool) -> Path:
    """Give the folder for finished games: beside the file, or one that is thrown away."""
    if out is None:
        return Path(opened.enter_context(TemporaryDirectory())) / "games"
    folder = out.with_name(f"{out.name}.parts")
    if folder.exists() and not resume:
        raise RocktowerError(
            f"{out}: was begun before; go on with --resume, or remove the folder {folder}"
        )
    return folder


def _result(arena: Arena, rows: Sequence[GameRow]) -> dict[str, Any]:
    return {
        **arena.fingerprint(),
        "standings": msgspec.to_builtins(standings(rows)),
        "results": msgspec.to_builtins(rows),
    }


def _show(arena: Arena, rows: Sequence[GameRow], out: Path | None) -> None:
    from rich.table import Table

    grid = Table(
        "bot", "seats", "wins, %", "95 %", "rating", "points a game", "s a move",
        title=f"{len(rows)} games of {arena.seats}, hits by {arena.source}, seed {arena.seed}",
    )  # fmt: skip
    for standing in standings(rows):
        grid.add_row(*_row(standing))
    print_table(grid)
    click.echo(f"±: half of a 95 % interval. By chance alone a seat wins 1 of {arena.seats} games.")
    first = rows[0]
    names = ",".join(seat.bot for seat in first.seats)
    click.echo(
        f"Game 0 again: rocktower play trollfjord --players {names} --source {arena.source} "
        f"--numbers shuffled --seed {first.seed}"
    )
    if out is not None:
        click.echo(f"{out}: {sum(len(row.seats) for row in rows)} rows, a row a seat")


def _row(standing: Standing) -> tuple[str, ...]:
    wins = standing.wins
    return (
        standing.bot,
        str(wins.n),
        f"{100 * wins.value:.1f}",
        f"{100 * wins.low:.1f}-{100 * wins.high:.1f}",
        _with_half(standing.rating, 0),
        _with_half(standing.points, 1),
        f"{standing.seconds_a_move:.4f}",
    )


def _with_half(interval: Interval, digits: int) -> str:
    """Write a value with half its 95 % interval."""
    half = (interval.high - interval.low) / 2
    return f"{interval.value:.{digits}f} ± {half:.{digits}f}"
