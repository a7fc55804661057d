"""What the commands share: seed, JSON, notes beside the results, asking a person."""

from __future__ import annotations

import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from rocktower.errors import RocktowerError
from rocktower.randomness import new_seed

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

_Command = TypeVar("_Command", bound="Callable[..., Any] | click.Command")


class FiniteRange(click.FloatRange):
    """A number within a range: unlike click's own, not "nan", which no comparison finds outside."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Convert what was typed; fail in click's way if it is not in the range."""
        number: float = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


seed_option = click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    help="Seed of all draws; from the operating system's entropy if not given.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of text for people."
)

striker_option = click.option(
    "--striker",
    metavar="NAME",
    help="Who strikes: gentle, normal (if not given) or firm.",
)
grip_option = click.option(
    "--grip",
    default="held",
    show_default=True,
    metavar="NAME",
    help="How the tower is held: loose, held or pressed.",
)
cover_option = click.option(
    "--cover",
    type=float,
    metavar="SHARE",
    help="Share of the open top covered by a hand, 0 to 1 (default 0.5).",
)


def _tower_option(more: str = "") -> Callable[[_Command], _Command]:
    return click.option(
        "--tower",
        "tower_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"Tower model (TOML) instead of the packaged one{more}.",
    )


tower_option = _tower_option()
any_tower_option = _tower_option(
    "; or the folder of a fit, from which a tower and a striker are drawn"
)


def fresh_seed(seed: int | None) -> int:
    """Give the seed, or take one from the operating system that is short enough to type."""
    return new_seed() if seed is None else seed


def print_json(value: Any) -> None:
    """Print a value as one line of JSON: a result, hence on stdout."""
    click.echo(msgspec.json.encode(value))


def print_table(table: Table) -> None:
    """Print a table for people: a result, hence on stdout; rich respects NO_COLOR."""
    from rich.console import Console

    Console(markup=False, highlight=False).print(table)  # names are not markup


def note(text: str) -> None:
    """Say something about the run, which is no result: on stderr."""
    click.echo(text, err=True)


def ask(question: str) -> str:
    """Ask a person on stderr and read a line from stdin.

    Raises
    ------
    RocktowerError
        If the input ends.
    """
    click.echo(f"{question}: ", nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        click.echo(err=True)
        raise RocktowerError("the input ended before the answer; nothing was recorded")
    return line


def read_file(path: Path) -> str:
    """Read a text file that a user named; raise `RocktowerError` if it is none."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RocktowerError(f"{path}: not a text file: {error}") from None
