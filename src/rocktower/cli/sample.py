"""`rocktower sample`: strike the simulated tower many times, and write down every hit."""

from __future__ import annotations

from pathlib import Path

import click

from rocktower.cli._common import (
    cover_option,
    fresh_seed,
    grip_option,
    json_option,
    note,
    print_json,
    seed_option,
    striker_option,
    tower_option,
)
from rocktower.cli._progress import ProgressBar
from rocktower.cli._workers import processors, terminated_like_interrupted
from rocktower.errors import RocktowerError
from rocktower.sampling import (
    Sample,
    check_begin,
    dask_executor,
    local_executor,
    parts_folder,
    read_note,
    sample_to_file,
)
from rocktower.tower import Striker, TowerModel

__all__ = ["sample"]


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="Table to write, one row a hit: FILE.csv, or FILE.parquet.",
)
@click.option(
    "--turns",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many turns in all.",
)
@click.option(
    "--hits",
    type=click.IntRange(1, 1000),
    default=9,
    show_default=True,
    metavar="K",
    help="Hits in each turn.",
)
@click.option(
    "--turns-per-filling",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    metavar="T",
    help="Turns with one tower, dropping in what came out, before it is emptied and filled anew.",
)
@striker_option
@grip_option
@cover_option
@tower_option
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes; all processors if not given. The file does not depend on it.",
)
@click.option(
    "--dask", metavar="ADDRESS", help="Run on the Dask cluster whose scheduler is there instead."
)
@click.option("--resume", is_flag=True, help="Go on with a file that was begun.")
@seed_option
@json_option
def sample(
    *,
    out: Path,
    turns: int,
    hits: int,
    turns_per_filling: int,
    striker: str | None,
    grip: str,
    cover: float | None,
    tower_file: Path | None,
    jobs: int | None,
    dask: str | None,
    resume: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Strike the simulated tower many times, and write every hit into a table.

    Killed at any moment, the same command with --resume goes on, and the file is the same as that
    of a run without a break, with any number of workers.
    """
    if dask is not None and jobs is not None:
        raise RocktowerError("--jobs is for this machine; with --dask the cluster decides")
    check_begin(out, resume=resume)
    model = TowerModel.load(tower_file).held(grip, cover)
    person = Striker.named(striker or "normal")
    if seed is None and resume:
        seed = (read_note(out) or {}).get("seed")
    wanted = Sample(model, person, fresh_seed(seed), turns, hits, turns_per_filling)
    workers = min(jobs or processors(), len(wanted.tasks))
    bar = ProgressBar("sampling")
    try:
        with (
            terminated_like_interrupted(),
            dask_executor(dask) if dask is not None else local_executor(workers) as executor,
            bar,
        ):
            made = sample_to_file(wanted, out, executor, resume=resume, progress=bar.show)
    except KeyboardInterrupt:
        note(
            f"rocktower: {bar.done} of {bar.total} tasks are kept in {parts_folder(out)}; "
            "the same command with --resume goes on"
        )
        raise
    if as_json:
        print_json({"file": str(out), **made})
        return
    click.echo(
        f"{out}: {made['rows']} hits in {turns} turns and {wanted.fillings} fillings of the tower "
        f"{model.name} ({model.hash}), {person.name} striker, grip {model.grip.name}."
    )
    click.echo(f"The same command with --seed {wanted.seed} repeats this.")
