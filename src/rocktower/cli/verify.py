"""`rocktower verify`: check on one's own machine that a server's tower was fair."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rocktower.cli._common import json_option, note, print_json, read_file
from rocktower.errors import RocktowerError
from rocktower.server import read_served_log

__all__ = ["verify"]

_FEWEST_DIGITS, _ALL_DIGITS = 8, 64


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--commitment",
    metavar="HEX",
    help="The commitment that you were shown before the first strike; its first 8 digits suffice.",
)
@json_option
def verify(*, file: Path, commitment: str | None, as_json: bool) -> None:
    """Check the log of a closed tower that a server simulated.

    Every event is simulated again on this machine from the revealed seed, and compared. The exit
    status is 0 if all agree and the seed is the one that the server was bound to, 1 if not, and 2
    if the file is no such log.
    """
    digits = "" if commitment is None else _digits(commitment)
    log = read_served_log(read_file(file), str(file))
    is_shown = log.commitment.startswith(digits)
    rows = []
    for event in log.verify():
        rows.append(event)
        if not as_json:
            verdict = "agrees" if event.agrees else f"DIFFERS: {event.difference}"
            click.echo(f"{event.n:>4}  {event.text}  {verdict}")
    agreeing = sum(event.agrees for event in rows)
    if as_json:
        print_json(
            {
                "log": str(file),
                "tower": log.tower,
                "model_name": log.model.name,
                "model_hash": log.model.hash,
                "commitment": log.commitment,
                "committed": log.is_committed,
                "as_shown": is_shown if commitment is not None else None,
                "events": [
                    {
                        "n": event.n,
                        "type": event.type,
                        "agrees": event.agrees,
                        "difference": event.difference or None,
                    }
                    for event in rows
                ],
                "agreeing": agreeing,
            }
        )
    else:
        click.echo(f"{file}: {agreeing} of {len(rows)} events agree with the log")
        click.echo(f"the tower's model is {log.model.name}, hash {log.model.hash}")
        if not log.is_committed:
            click.echo(f"the revealed seed is NOT what was committed to: {log.commitment}")
        elif not is_shown:
            click.echo(f"the commitment is NOT the one that you were shown: {log.commitment}")
        elif commitment is None:
            click.echo(
                f"compare with what you were shown before the first strike: {log.commitment}"
            )
    if agreeing < len(rows) and log.other_software:
        note(f"rocktower: another machine may simulate otherwise: {'; '.join(log.other_software)}")
    if agreeing < len(rows) or not log.is_committed or not is_shown:
        raise SystemExit(1)


def _digits(commitment: str) -> str:
    """Return a commitment's digits, however they were copied."""
    digits = "".join(commitment.split()).lower().removeprefix("0x")
    if not re.fullmatch(f"[0-9a-f]{{{_FEWEST_DIGITS},{_ALL_DIGITS}}}", digits):
        raise RocktowerError(
            f"--commitment {commitment!r}: "
            f"give {_FEWEST_DIGITS} to {_ALL_DIGITS} hexadecimal digits"
        )
    return digits
