"""What `rocktower stats` shows people: a table for each question."""

from __future__ import annotations

from math import isfinite, isnan
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocktower.sampling import SIZES, size_name
from rocktower.tower import COLORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocktower.sampling import Colors, HitGroup, Memory, Summary
    from rocktower.statistics import Interval

__all__ = ["show"]

_WIDE = 110  # characters: room for intervals beside the values, not below them


def show(summary: Summary, title: str) -> None:
    """Print all tables to standard output."""
    console = Console(highlight=False, markup=False)
    between = " " if console.width >= _WIDE else "\n"
    console.width = max(console.width, 2 * _WIDE)  # rather wrapped by the terminal than cut

    def say(text: str) -> None:
        console.print(text, soft_wrap=True)

    def head(text: str) -> None:
        console.print(Text(text, style="bold"), soft_wrap=True)

    total = summary.total
    head(title)
    say(
        f"{total.hits:,} hits in {summary.turns:,} turns and {summary.fillings:,} fillings; "
        f"{summary.jumped} boulders jumped out of the top, {summary.unsettled} hits did not come "
        "to rest. Beside each number is its 95 % interval."
    )
    say("")
    shares = "boulders a hit, and share of the hits with so many (%)"
    head(f"By hit of the turn: {shares}")
    console.print(_groups("hit", [*summary.by_hit, total], between))
    head(f"By boulders left before the hit: {shares}")
    console.print(_groups("left", summary.by_left, between))
    head("Colors: share of the boulders that came out (%)")
    console.print(_colors(summary.colors))
    for line in _about_colors(summary.colors):
        say(line)
    say("")
    if summary.memory is None:
        say("Memory: no tower was struck again after boulders were dropped in.")
        return
    head("Memory: share of the boulders that has left (%), from the second turns on")
    console.print(_memory(summary.memory))
    head("Memory: share that leaves in a turn (%), by how many turns ago it was dropped in")
    console.print(_ages(summary.memory))
    say(_about_memory(summary.memory))


def _table(columns: Sequence[str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _groups(label: str, groups: Sequence[HitGroup], between: str) -> Table:
    sizes = ["empty" if size == (0, 0) else size_name(size) for size in SIZES]
    table = _table([label, "hits", "mean", *sizes])
    for group in groups:
        table.add_row(
            group.name,
            f"{group.hits:,}",
            _cell(group.mean, between, 1.0, 2),
            *(_cell(share, between) for share in group.sizes),
        )
    return table


def _cell(interval: Interval, between: str, scale: float = 100.0, places: int = 0) -> Text:
    """Write a value and, dimmed, its interval, with so much between them."""
    text = Text("-" if isnan(interval.value) else f"{scale * interval.value:.{places}f}")
    if isfinite(interval.low):
        low, high = (f"{scale * end:.{places}f}" for end in (interval.low, interval.high))
        text.append(f"{between}{low}-{high}", style="dim")
    return text


def _colors(colors: Colors) -> Table:
    table = _table(["", *COLORS])
    table.add_row("came out", *(_cell(share, " ", places=1) for share in colors.shares))
    table.add_row("in the tower", *(f"{100 * share:.1f}" for share in colors.expected))
    return table


def _about_colors(colors: Colors) -> list[str]:
    if isnan(colors.p_value):
        first = "Too few fillings to test whether the colors are alike."
    else:
        first = f"If the colors are alike, shares that far off have p = {colors.p_value:.3f}."
    if isnan(colors.pairs):
        return [first]
    excess = colors.pair_excess
    ends = f" [{100 * excess.low:+.1f}, {100 * excess.high:+.1f}]" if isfinite(excess.low) else ""
    second = (
        f"{100 * colors.pairs:.1f} % have the color of the boulder before, against "
        f"{100 * colors.expected_pairs:.1f} % by chance: {100 * excess.value:+.1f}{ends} points."
    )
    return [first, second]


def _memory(memory: Memory) -> Table:
    table = _table(["after hit", "just dropped in", "inside for longer"])
    for hit, pair in enumerate(zip(memory.new_by_hit, memory.old_by_hit, strict=True), 1):
        table.add_row(str(hit), *(_cell(interval, " ") for interval in pair))
    return table


def _ages(memory: Memory) -> Table:
    table = _table(["turns ago", *map(str, range(len(memory.by_age)))])
    table.add_row("leaves", *(_cell(interval, " ") for interval in memory.by_age))
    return table


def _about_memory(memory: Memory) -> str:
    gap = memory.gap
    if not isfinite(gap.low):
        return "One filling says nothing about how sure that is."
    text = (
        f"Just dropped in minus longer inside: {100 * gap.value:+.1f} "
        f"[{100 * gap.low:+.1f}, {100 * gap.high:+.1f}] points: "
    )
    if gap.high < 0:
        return text + "boulders just dropped in leave later."
    if gap.low > 0:
        return text + "boulders just dropped in leave sooner."
    return text + "no memory is seen."
