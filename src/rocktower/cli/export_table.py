"""`rocktower export-table`: the emulator as JSON, with a sampler in JavaScript."""

from __future__ import annotations

from pathlib import Path

import click

from rocktower.cli._common import json_option, print_json
from rocktower.emulator import SAMPLER_FILE, TABLE_FILE, Emulator, export_table
from rocktower.errors import RocktowerError

__all__ = ["export"]


@click.command("export-table")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="FOLDER",
    help=f"Folder for {TABLE_FILE} and {SAMPLER_FILE}.",
)
@click.option(
    "--emulator",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="An emulator made by rocktower emulate instead of the shipped one.",
)
@json_option
def export(*, out: Path, emulator: Path | None, as_json: bool) -> None:
    """Write the emulator as JSON, and beside it a small sampler in JavaScript.

    For platforms that allow no calls to the outside. The sampler needs nothing but the table.
    """
    paths = [out / TABLE_FILE, out / SAMPLER_FILE]
    for path in paths:
        if path.exists():
            raise RocktowerError(f"{path}: exists already; name a new folder")
    chosen = Emulator.load(emulator)
    export_table(chosen, out)
    sizes = {str(path): path.stat().st_size for path in paths}
    if as_json:
        print_json({"emulator": chosen.hash, "tower_hash": chosen.tower_hash, "files": sizes})
        return
    for name, size in sizes.items():
        click.echo(f"{name}: {size / 1000:.0f} kB")
    click.echo(f"Emulator {chosen.hash} of tower {chosen.tower_hash}.")
