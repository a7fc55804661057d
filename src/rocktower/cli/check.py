"""`rocktower check`: the faults of a file of recorded hits, its weak points, its numbers."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocktower.calibration import RecordError, find_cautions, read_record, summarize
from rocktower.cli._common import json_option, print_json

if TYPE_CHECKING:
    from rocktower.calibration import Caution, Group, Record

__all__ = ["check"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def check(*, file: Path, as_json: bool) -> None:
    """Check recorded hits: FILE is a CSV file as `rocktower record` writes it.

    Every fault is named by row and column, a line each, with exit status 2. Warnings name what
    would bias or weaken a fit; they leave the exit status 0.
    """
    try:
        record = read_record(file)
    except RecordError as error:
        if as_json:
            faults = [asdict(fault) for fault in error.faults]
            print_json({"file": str(file), "faults": faults, "warnings": [], "summary": None})
        else:
            for fault in error.faults:
                click.echo(f"rocktower: {file}: {fault}", err=True)
        raise SystemExit(2) from None
    cautions = find_cautions(record)
    if as_json:
        print_json(_as_dict(record, cautions))
    else:
        _print(record, cautions)


def _as_dict(record: Record, cautions: tuple[Caution, ...]) -> dict[str, Any]:
    return {
        "file": record.name,
        "faults": [],
        "warnings": [asdict(caution) for caution in cautions],
        "summary": asdict(summarize(record)),
    }


def _print(record: Record, cautions: tuple[Caution, ...]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    summary = summarize(record)
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = max(console.width, 72)  # rather wrapped by the terminal than cut
    console.print(
        f"{record.name}: {_number(summary.hits, 'hit')} in {_number(summary.turns, 'turn')} of "
        f"{_number(summary.fillings, 'filling')}, no faults.",
        soft_wrap=True,
    )
    if summary.coarse_hits:
        console.print(f"{summary.coarse_hits} of the hits are known only in part.")
    if summary.hits:
        table = Table(
            title="with 95 % intervals",
            title_justify="left",
            title_style="dim",
            box=SIMPLE_HEAD,
            pad_edge=False,
        )
        table.add_column("striker")
        table.add_column("hits", justify="right")
        table.add_column("boulders a hit")
        table.add_column("share of empty hits")
        groups = summary.strikers if len(summary.strikers) > 1 else ()
        for group in (*groups, summary.total):
            table.add_row(*_cells(group), style="bold" if group is summary.total else None)
        console.print(table)
    for caution in cautions:
        console.print(Text("warning ", style="yellow") + Text(str(caution)), soft_wrap=True)


def _cells(group: Group) -> tuple[str, ...]:
    mean, share = str(group.boulders_a_hit), str(group.share_empty)
    if group.counted != group.hits:
        mean += f"  of {group.counted}"
    if group.known != group.hits:
        share += f"  of {group.known}"
    return group.name or "(not named)", str(group.hits), mean, share


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
