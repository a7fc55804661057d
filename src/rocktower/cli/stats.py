"""`rocktower stats`: what a table of hits says."""

from __future__ import annotations

import io
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rocktower.cli._common import json_option, print_json
from rocktower.errors import RocktowerError
from rocktower.files import check_new_file, new_file
from rocktower.sampling import SIZES, read_hits, read_note, size_name, summarize
from rocktower.tower import COLORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocktower.sampling import HitGroup, Summary
    from rocktower.statistics import Interval

__all__ = ["stats"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.png",
    help="Draw the same as a picture.",
)
@json_option
def stats(*, file: Path, plot: Path | None, as_json: bool) -> None:
    """Tell how many boulders the hits of FILE gave, their colors, and what the tower remembers.

    FILE is a table that `rocktower sample` wrote. All intervals have 95 %; hits of one filling
    of the tower are not taken to be independent.
    """
    if plot and plot.suffix != ".png":
        raise RocktowerError(f"{plot}: name a file that ends in .png")
    if plot:
        check_new_file(plot)
    summary = summarize(read_hits(file))
    note = read_note(file) or {}
    title = _title(file, note)
    if plot:
        from rocktower.plots import plot_summary

        image = io.BytesIO()
        plot_summary(summary, title).savefig(image, format="png", dpi=110)
        with new_file(plot) as beside:
            beside.write_bytes(image.getvalue())
    if as_json:
        print_json({"file": str(file), "made_with": note or None, **_as_dict(summary)})
        return
    from rocktower.cli._stats_view import show

    show(summary, title)


def _title(file: Path, note: dict[str, Any]) -> str:
    if not {"tower", "striker", "grip"} <= set(note):
        return str(file)
    return f"{file}: tower {note['tower']}, {note['striker']} striker, grip {note['grip']}"


def _as_dict(summary: Summary) -> dict[str, Any]:
    colors, memory = summary.colors, summary.memory
    return {
        "fillings": summary.fillings,
        "turns": summary.turns,
        "hits": summary.total.hits,
        "not_settled": summary.unsettled,
        "jumped_out_of_the_top": summary.jumped,
        "all": _group(summary.total),
        "by_hit": [{"hit": int(group.name), **_group(group)} for group in summary.by_hit],
        "by_left": [{"left": group.name, **_group(group)} for group in summary.by_left],
        "colors": {
            "shares": dict(zip(COLORS, map(_interval, colors.shares), strict=True)),
            "expected": dict(zip(COLORS, colors.expected, strict=True)),
            "p_value": _number(colors.p_value),
            "same_colored_neighbors": {
                "share": _number(colors.pairs),
                "expected": _number(colors.expected_pairs),
                "excess": _interval(colors.pair_excess),
            },
        },
        "memory": memory
        and {
            "leave_in_a_turn": {
                "just_dropped_in": _interval(memory.new),
                "others": _interval(memory.old),
                "difference": _interval(memory.gap),
            },
            "left_by_hit": [
                {"hit": hit, "just_dropped_in": _interval(new), "others": _interval(old)}
                for hit, (new, old) in enumerate(
                    zip(memory.new_by_hit, memory.old_by_hit, strict=True), 1
                )
            ],
            "leave_by_turns_since_dropped_in": _intervals(memory.by_age),
        },
    }


def _group(group: HitGroup) -> dict[str, Any]:
    sizes = dict(zip(map(size_name, SIZES), map(_interval, group.sizes), strict=True))
    return {
        "hits": group.hits,
        "mean": _interval(group.mean),
        "empty": _interval(group.empty),
        "shares": sizes,
    }


def _intervals(intervals: Sequence[Interval]) -> list[dict[str, float | None]]:
    return [_interval(interval) for interval in intervals]


def _interval(interval: Interval) -> dict[str, float | None]:
    return {
        "value": _number(interval.value),
        "low_95": _number(interval.low),
        "high_95": _number(interval.high),
    }


def _number(value: float) -> float | None:
    return value if isfinite(value) else None
