"""`rocktower validate`: the physics beside what is published about granular matter."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocktower.cli._common import FiniteRange, note
from rocktower.errors import RocktowerError
from rocktower.files import replace_file
from rocktower.randomness import check_seed
from rocktower.validation import Findings, Lab, Study, find_studies

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["validate"]


@click.command()
@click.argument("name", required=False)
@click.option(
    "--quick", is_flag=True, help="Small samples: a minute or two in all, wide intervals."
)
@click.option(
    "--scale",
    type=FiniteRange(0.01, 100.0),
    default=1.0,
    show_default=True,
    metavar="F",
    help="Take F times as many trials as the full study has.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write checks and tables (CSV) and plots (PNG) into DIR/<study>.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes; the results do not depend on it.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="Decides every trial."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def validate(
    *,
    name: str | None,
    quick: bool,
    scale: float,
    out: Path | None,
    jobs: int,
    seed: int,
    as_json: bool,
) -> None:
    """Compare the model with granular physics and with a second engine.

    NAME is one study; all of them run if it is left out. The exit status is 1 if a check
    fails, except with --quick, whose samples are too small for a verdict.
    """
    check_seed(seed)
    studies = find_studies(name)
    if out:
        _make_folder(out)
    done: list[tuple[Study, Findings]] = []
    bar = _Bar()
    try:
        with bar, Lab(seed=seed, quick=quick, scale=scale, jobs=jobs, progress=bar.show) as lab:
            for study in studies:
                findings = study.run(lab)
                if out:
                    _write(out / study.name, findings)
                done.append((study, findings))
                if not as_json:
                    _print(study, findings)
    except KeyboardInterrupt:
        if out:
            note(f"rocktower: {len(done)} of {len(studies)} studies are kept in {out}")
        raise
    if as_json:
        click.echo(json.dumps(_as_dict(done, seed, quick=quick)))
    passed = all(check.passed for _, findings in done for check in findings.checks)
    if not passed and not quick:
        raise SystemExit(1)


class _Bar:
    """A progress bar on standard error, one line for the series that runs."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._progress: Progress = Progress(console=Console(stderr=True), transient=True)
        self._task: TaskID = self._progress.add_task("")

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def show(self, label: str, done: int, total: int) -> None:
        self._progress.update(self._task, description=label, completed=done, total=total)


def _print(study: Study, findings: Findings) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{study.name}: {study.question}", title_justify="left")
    for heading in ("check", "value [95 %]", "n", "reference", "provenance", "tolerance", ""):
        table.add_column(heading)
    for check in findings.checks:
        row = check.row()
        bounds = f" [{row['low_95']}, {row['high_95']}]" if row["low_95"] else ""
        table.add_row(
            row["check"],
            row["value"] + bounds,
            str(row["n"]),
            row["reference"],
            row["provenance"],
            row["tolerance"],
            row["verdict"],
            style=None if check.passed else "bold red",
        )
    console = Console()
    console = Console(width=max(console.width, 150)) if not console.is_terminal else console
    console.print(table, markup=False)


def _as_dict(done: list[tuple[Study, Findings]], seed: int, *, quick: bool) -> dict[str, Any]:
    return {
        "seed": seed,
        "quick": quick,
        "studies": [
            {
                "name": study.name,
                "question": study.question,
                "checks": [check.row() for check in findings.checks],
                "tables": findings.tables,
            }
            for study, findings in done
        ],
    }


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RocktowerError(f"{folder}: cannot be made: {error.strerror}") from error


def _write(folder: Path, findings: Findings) -> None:
    """Write what a study found, each file beside and then moved into place."""
    _make_folder(folder)
    tables = {"checks": [check.row() for check in findings.checks], **findings.tables}
    for name, rows in tables.items():
        if not rows:
            continue
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        replace_file(folder / f"{name}.csv", text.getvalue().encode())
    for name, draw in findings.figures.items():
        image = io.BytesIO()
        draw().savefig(image, format="png", dpi=110)
        replace_file(folder / f"{name}.png", image.getvalue())
