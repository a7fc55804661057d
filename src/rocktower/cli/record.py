"""`rocktower record`: write down at the table what falls out of a wooden tower."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocktower.calibration import CHOICES, Habits, Recorder, RecordFile
from rocktower.cli._common import note
from rocktower.cli._record_language import HELP, obey, place, said
from rocktower.errors import RocktowerError
from rocktower.files import check_new_file, new_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from rocktower.calibration import Record

    Save = Callable[[Recorder, Recorder], None]

__all__ = ["record"]

_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", type=_PATH, required=False)
@click.option("--sheet", type=_PATH, metavar="PDF", help="Write a sheet for pen and paper (A4).")
@click.option("--striker", metavar="NAME", help="Who strikes.")
@click.option("--strength", type=click.Choice(CHOICES["strength"]), help="How hard.")
@click.option("--drop-cm", metavar="CM", help="Height that the hammer falls from, cm.")
@click.option("--side", type=click.Choice(CHOICES["side"]), help="Which side is struck.")
@click.option("--held", type=click.Choice(CHOICES["held"]), help="How the tower is held.")
@click.option(
    "--session", metavar="DATE", help="Such as 2026-11-30, or 2026-11-30b; today if not given."
)
def record(*, file: Path | None, sheet: Path | None, **options: str | None) -> None:
    """Write down what falls out of your wooden tower, hit by hit, into FILE (CSV).

    One key a boulder: r b y w, space for an empty hit, Enter confirms, u takes back, t begins
    a new turn. What is confirmed is on disk; the same command goes on with the file. From a
    pipe it reads lines: "r r b", "-", "u", "t"; "?" lists all.
    """
    if (file is None) == (sheet is None):
        raise RocktowerError("name one file: a CSV file to record in, or --sheet PDF")
    chosen = {column: text for column, text in options.items() if text is not None}
    if sheet is not None:
        if chosen:
            option = "--" + next(iter(chosen)).replace("_", "-")
            raise RocktowerError(f"{option} is for recording: a sheet for pen and paper is blank")
        _write_sheet(sheet)
        return
    assert file is not None  # noqa: S101 - one of them is given
    _begin(None, chosen)  # before a file is touched
    with RecordFile(file) as opened:
        if opened.torn:
            note(opened.torn)
        recorder = _begin(opened.record, chosen)

        def save(before: Recorder, after: Recorder) -> None:
            """Write what a change has confirmed, or remove what it has taken back."""
            if len(after.situations) > len(before.situations):
                opened.append(after.situations[-1].row)
            elif len(after.situations) < len(before.situations):
                opened.undo()

        by_keys = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        recorder = (_by_keys if by_keys else _by_lines)(recorder, file, save)
    hits = sum(situation.row.hits for situation in recorder.situations)
    click.echo(
        f"{file}: {hits} {'hit' if hits == 1 else 'hits'} on disk. "
        f"The same command goes on; rocktower check {file} looks at them."
    )


def _begin(record: Record | None, chosen: dict[str, str]) -> Recorder:
    """Go on with a file, as it ended and as the options say."""
    today = datetime.now().astimezone().date().isoformat()
    if record is None or not record.rows:
        recorder = Recorder(habits=Habits(session=today))
    else:
        last = Habits.of(record.rows[-1])
        session = last.session if last.session.startswith(today) else today
        recorder = Recorder.resume(record, replace(last, session=session))
    for column, text in chosen.items():
        recorder = recorder.set(column, text)
    return recorder


def _by_lines(recorder: Recorder, file: Path, save: Save) -> Recorder:
    """Read lines from a pipe, or from a terminal that cannot do more."""
    from rocktower.cli._record_view import totals

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a bad line, and no reason to fail
    click.echo(f"{file}: {place(recorder)} {totals(recorder)}")
    while line := sys.stdin.readline():
        word = line.strip().lower()
        if word in ("q", "quit"):
            break
        if word == "?":
            note(HELP)
            continue
        try:
            after = obey(recorder, line.rstrip("\r\n"))
        except RocktowerError as error:
            note(f"rocktower: {error}")
            continue
        save(recorder, after)
        click.echo(f"{said(recorder, after)} {totals(after)}")
        recorder = after
    return recorder


def _by_keys(recorder: Recorder, file: Path, save: Save) -> Recorder:
    """Read single keys, and show the table after each."""
    from rich.console import Console
    from rich.live import Live

    from rocktower.cli._keys import keys
    from rocktower.cli._record_desk import Desk
    from rocktower.cli._record_view import screen

    console = Console(highlight=False, markup=False, emoji=False)
    desk = Desk(recorder, save)

    def show() -> RenderableType:
        return screen(
            desk.recorder,
            file.name,
            message=desk.message,
            entry=desk.entry,
            more=desk.more,
            width=console.width,
        )

    with Live(show(), console=console, screen=True, auto_refresh=False) as live, keys() as typed:
        live.refresh()
        try:
            for key in typed:
                desk.press(key)
                if desk.has_left:
                    break
                live.update(show(), refresh=True)
        except KeyboardInterrupt:
            pass  # what is confirmed is on disk: to leave this way is as good as any
    return desk.recorder


def _write_sheet(path: Path) -> None:
    from rocktower.calibration import draw_sheet

    if path.suffix.lower() != ".pdf":
        raise RocktowerError(f"{path}: name a file that ends in .pdf")
    check_new_file(path)
    content = io.BytesIO()
    draw_sheet().savefig(content, format="pdf", metadata={"Title": "Rock Tower: recorded hits"})
    with new_file(path) as beside:
        beside.write_bytes(content.getvalue())
    click.echo(f"{path}: a sheet to print (A4, landscape)")
