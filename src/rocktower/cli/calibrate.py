"""`rocktower calibrate`: fit the simulated tower to recorded hits."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shutil import rmtree
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from rocktower.cli._common import (
    fresh_seed,
    json_option,
    note,
    print_json,
    print_table,
    read_file,
    seed_option,
)
from rocktower.cli._progress import ProgressBar
from rocktower.cli._workers import processors, terminated_like_interrupted
from rocktower.errors import RocktowerError
from rocktower.files import new_file, replace_file
from rocktower.sampling import check_same, dask_executor, local_executor, parts_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from rocktower.calibration.fitting import Fit, HitNetwork, Task

__all__ = ["calibrate"]

_BUDGETS = ("quick", "normal", "full")
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("hits", type=_FILE)
@click.option("--model", type=_FILE, metavar="TOWER", help="Tower model (TOML) to fit.")
@click.option("--prior", type=_FILE, metavar="FILE", help="Prior (TOML) instead of the packaged.")
@click.option(
    "--budget",
    type=click.Choice(_BUDGETS),
    default="quick",
    show_default=True,
    help="quick: no simulation; normal: about 18,000 hits are simulated; full: 100,000.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes; all processors if not given. The result does not depend on it.",
)
@click.option(
    "--dask", metavar="ADDRESS", help="Simulate on the Dask cluster whose scheduler is there."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the results; HITS.fit if not given.",
)
@click.option("--resume", is_flag=True, help="Go on with a fit that was begun.")
@click.option(
    "--sbc",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Do not fit, but fit N made-up records of this protocol: do intervals hold the truth?",
)
@click.option(
    "--physics",
    is_flag=True,
    help="With --sbc: the simulated tower makes the hits, not the network; about 10 s a record.",
)
@click.option(
    "--widening",
    type=_FILE,
    metavar="FILE",
    help="How much wider intervals must be (TOML), from --sbc N --physics, instead of the "
    "packaged values.",
)
@seed_option
@json_option
def calibrate(
    *,
    hits: Path,
    model: Path | None,
    prior: Path | None,
    budget: str,
    jobs: int | None,
    dask: str | None,
    out: Path | None,
    resume: bool,
    sbc: int | None,
    physics: bool,
    widening: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Fit the tower to recorded hits, and say how sure one can be.

    HITS is a file of recorded hits, see rocktower record. Killed at any moment, the same command
    with --resume goes on.
    """
    from rocktower.calibration import read_record
    from rocktower.calibration.fitting import Prior, Task, decode_measured, network_for
    from rocktower.tower import TowerModel

    if dask is not None and jobs is not None:
        raise RocktowerError("--jobs is for this machine; with --dask the cluster decides")
    if sbc and budget != "quick":
        raise RocktowerError("--sbc judges the budget quick: a fit of another takes minutes")
    if dask is not None and budget == "quick" and not sbc:
        raise RocktowerError("--dask has nothing to do: the budget quick simulates nothing")
    if physics and not sbc:
        raise RocktowerError("--physics goes with --sbc; --budget normal simulates for a fit")
    folder = out or Path(f"{hits.stem}.{'sbc' if sbc else 'fit'}")
    known = _begun(folder, resume=resume)
    if seed is None and known is not None:
        seed = known.get("seed")
    measured = None
    if widening is not None:
        measured = decode_measured(read_file(widening), str(widening))
    task = Task(
        read_record(hits), TowerModel.load(model), Prior.load(prior), budget, fresh_seed(seed),
        measured,
    )  # fmt: skip
    network = network_for(task.base)
    work: Callable[..., None] = partial(_fit, task, network)
    if sbc:
        if network is None:
            raise RocktowerError(
                "--sbc needs the shipped network, which suits the packaged tower only"
            )
        work = partial(_sbc, task, network, sbc, physics)
    if measured is not None and task.widening(network).measured is None:
        note(
            f"rocktower: {widening}: nothing in it was measured for the budget {budget} and this "
            "network, so intervals are not widened"
        )
    fingerprint = {
        **task.fingerprint(),
        "network": network.hash if network else None,
        "power": task.widening(network).power,
        **({"sbc": sbc, "physics": physics} if sbc else {}),
    }
    if known is None:
        _begin(folder, fingerprint)
    else:
        check_same(known, fingerprint, str(folder))

    @contextmanager
    def executor(tasks: int) -> Iterator[Executor]:
        workers = min(jobs or processors(), tasks)
        with dask_executor(dask) if dask is not None else local_executor(workers) as pool:
            yield pool

    parts = parts_folder(folder)
    with terminated_like_interrupted():
        try:
            work(folder, fingerprint, executor, as_json=as_json)
        except KeyboardInterrupt:
            if _keeps(parts):
                note(f"rocktower: kept in {parts}; the same command with --resume goes on")
            raise


def _keeps(parts: Path) -> bool:
    """Return whether there is something to go on with; if not, remove the folder."""
    kept = any(parts.rglob("*.shard"))
    if not kept:
        rmtree(parts, ignore_errors=True)
    return kept


def _begun(folder: Path, *, resume: bool) -> dict[str, Any] | None:
    """Return what a fit was begun with, or raise if it may not be begun here."""
    parts = parts_folder(folder)
    begun = parts / "begun.json"
    if not folder.parent.is_dir():
        raise RocktowerError(f"{folder}: there is no folder {folder.parent}")
    if not os.access(folder.parent, os.W_OK):
        raise RocktowerError(f"{folder}: the folder {folder.parent} cannot be written to")
    if os.path.lexists(parts) and not parts.is_dir():
        raise RocktowerError(f"{parts}: is in the way; name a new folder with --out")
    if os.path.lexists(folder):
        raise RocktowerError(f"{folder}: exists already; name a new folder with --out")
    if begun.exists() and not resume:
        raise RocktowerError(
            f"{folder}: was begun before; go on with --resume, or remove the folder {parts}"
        )
    try:
        return dict(json.loads(begun.read_text("utf-8"))) if begun.exists() else None
    except (ValueError, TypeError) as error:
        raise RocktowerError(f"{begun}: not the note of a fit: {error}") from error


def _fit(
    task: Task,
    network: HitNetwork | None,
    folder: Path,
    fingerprint: dict[str, Any],
    executor: Callable[[int], Any],
    *,
    as_json: bool,
) -> None:
    from rocktower.calibration.fitting import summary, write_results

    start, parts = monotonic(), parts_folder(folder)
    try:
        fit = task.run(parts, network, executor, note, ProgressBar)
    except RocktowerError:
        _keeps(parts)
        raise
    with _results(folder) as made:
        write_results(fit, made, monotonic() - start)
    if as_json:
        print_json({"folder": str(folder), **summary(fit)})
    else:
        _show(fit, folder)


def _begin(folder: Path, fingerprint: dict[str, Any]) -> None:
    """Note what is begun; of two that begin at the same time one is refused."""
    parts = parts_folder(folder)
    parts.mkdir(exist_ok=True)
    try:
        with new_file(parts / "begun.json") as beside:
            beside.write_text(json.dumps(fingerprint, indent=1) + "\n", "utf-8")
    except RocktowerError:
        raise RocktowerError(f"{folder}: another process has just begun it") from None


@contextmanager
def _results(folder: Path) -> Iterator[Path]:
    """Give a folder to write to, which gets its own name when it is whole; the parts go."""
    parts = parts_folder(folder)
    made = parts / f"results-{os.getpid()}"  # another process may go on with the same parts
    rmtree(made, ignore_errors=True)
    made.mkdir()
    yield made
    try:
        made.replace(folder)
    except OSError:
        raise RocktowerError(f"{folder}: another process has written it meanwhile") from None
    rmtree(parts, ignore_errors=True)


def _show(fit: Fit, folder: Path) -> None:
    from rich.table import Table

    from rocktower.calibration.fitting import label_of, plain_words

    for line in plain_words(fit):
        click.echo(line)
    table = Table()
    for column in ("", "mean", "90 % interval", "learned", ""):
        table.add_column(column, justify="left" if not column else "right")
    for p in fit.parameters:
        label, unit, factor = label_of(p.name)
        table.add_row(
            label, f"{p.mean * factor:.3g}{unit}", f"{p.low * factor:.3g} to {p.high * factor:.3g}",
            f"{100 * max(p.contraction, 0.0):.0f} %", "" if p.is_identified else "not identified",
        )  # fmt: skip
    print_table(table)
    for line in fit.trouble:
        note(f"rocktower: {line}")
    click.echo(f"{folder / 'report.html'} has the pictures; play with --tower {folder}")
    click.echo(f"The same command with --seed {fit.task.seed} repeats this.")


def _sbc(
    task: Task,
    network: HitNetwork,
    runs: int,
    physics: bool,  # noqa: FBT001 - as on the command line
    folder: Path,
    fingerprint: dict[str, Any],
    executor: Callable[[int], Any],
    *,
    as_json: bool,
) -> None:
    from rocktower.calibration.fitting import (
        SbcRuns,
        encode_measured,
        measured,
        run_sbc,
        sbc_table,
    )

    parts = parts_folder(folder)
    runs_of = SbcRuns(task, network, physics, task.widening(network).power)
    with executor(runs) as pool, ProgressBar("made-up records") as bar:
        results = run_sbc(runs_of, runs, fingerprint, parts / "runs", pool, bar.show)
    with _results(folder) as made:
        replace_file(made / "sbc.csv", sbc_table(results).encode())
        replace_file(made / "sbc.json", (json.dumps(results.summary, indent=1) + "\n").encode())
        if physics:
            command = f"rocktower calibrate {task.record.name} --sbc {runs} --physics"
            found = measured(
                runs_of, results, command=f"{command} --seed {task.seed}",
                date=datetime.now(UTC).date().isoformat(),
            )  # fmt: skip
            replace_file(made / "widening.toml", encode_measured((found,)).encode())
    if as_json:
        print_json({"folder": str(folder), **results.summary})
        return
    for line in results.lines():
        click.echo(line)
    if physics:
        click.echo(f"A fit takes this with --widening {folder / 'widening.toml'}.")
