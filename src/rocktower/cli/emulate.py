"""`rocktower emulate`: learn a tower's hits, for play and search at a hundred times the speed."""

from __future__ import annotations

from pathlib import Path

import click

from rocktower.cli._common import (
    fresh_seed,
    json_option,
    note,
    print_json,
    seed_option,
    tower_option,
)
from rocktower.cli._progress import ProgressBar
from rocktower.cli._workers import processors, terminated_like_interrupted
from rocktower.emulator import SimulatedGames, begun_seed
from rocktower.emulator import emulate as make
from rocktower.sampling import local_executor, parts_folder
from rocktower.tower import choose_tower

__all__ = ["emulate"]


@click.command()
@tower_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="File to write, such as FILE.npz.",
)
@click.option(
    "--turns",
    type=click.IntRange(1, 10_000_000),
    default=8000,
    show_default=True,
    metavar="N",
    help="How many turns to simulate, about 7 hits each: with fewer, chance shows.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes; all processors if not given. The file does not depend on it.",
)
@click.option("--resume", is_flag=True, help="Go on with a file that was begun.")
@seed_option
@json_option
def emulate(
    *,
    tower_file: Path | None,
    out: Path,
    turns: int,
    jobs: int | None,
    resume: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Make an emulator of a tower: simulate games, and learn from them how hits come out.

    `rocktower play trollfjord --source emulator --tower FILE --emulator FILE` plays with it. For
    the default tower one is shipped. Killed at any moment, the same command with --resume goes on.
    """
    if seed is None and resume:
        seed = begun_seed(out)
    model, striker = choose_tower(tower_file, seed := fresh_seed(seed))
    games = SimulatedGames(model, striker, "varied", seed)
    workers = min(jobs or processors(), len(games.tasks_of_turns(turns)))
    bar = ProgressBar("simulating")
    try:
        with terminated_like_interrupted(), local_executor(workers) as executor, bar:
            made = make(games, turns, out, executor, resume=resume, progress=bar.show)
    except KeyboardInterrupt:
        note(
            f"rocktower: {bar.done} of {bar.total} tasks are kept in {parts_folder(out)}; "
            "the same command with --resume goes on"
        )
        raise
    hits = int(made.note["hits"])
    if as_json:
        print_json({"file": str(out), "hash": made.hash, "hits": hits, **made.note})
        return
    click.echo(
        f"{out}: emulator {made.hash} of the tower {model.name} ({model.hash}), learned from "
        f"{hits} hits."
    )
    click.echo(f"The same command with --seed {seed} repeats this.")
