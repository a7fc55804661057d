"""What `rocktower hammer` shows people: a table of hits, and the tower in characters."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocktower.tower import COLORS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.tower import Geometry, RockTower, Strike, StrikeResult, TowerState

__all__ = ["show"]

_STYLES = {
    "red": "bright_red",
    "blue": "bright_blue",
    "yellow": "bright_yellow",
    "white": "bright_white",
}
_MARKS = {"red": "r", "blue": "b", "yellow": "y", "white": "w"}
_NARROWEST = 70
_CELL_WIDTH, _CELL_HEIGHT = 0.006, 0.012  # m: two characters make a square


def show(tower: RockTower, struck: list[tuple[Strike, StrikeResult]]) -> None:
    """Print the hits to standard output."""
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, _NARROWEST)  # rather wrapped by the terminal than cut
    console.print(_hits(tower, struck))
    model = tower.model
    inside = len(tower.state.inside)
    console.print(f"{inside} of {len(tower.state.boulders)} boulders left inside.")
    console.print(
        f"Tower {model.name} ({model.hash}), grip {model.grip.name}. "
        f"The same command with --seed {tower.seed} repeats this.",
        soft_wrap=True,
    )
    if console.is_terminal and not console.legacy_windows and "utf" in console.encoding:
        console.print()
        console.print(draw(model.geometry, tower.state, model.boulders.edge))


def _hits(tower: RockTower, struck: list[tuple[Strike, StrikeResult]]) -> Table:
    noun = "hit" if len(struck) == 1 else "hits"
    table = Table(
        title=f"{len(struck)} {noun} (striker: {tower.striker.name})",
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("#", justify="right")
    table.add_column("strike", no_wrap=True)
    table.add_column("boulders")
    table.add_column("out", justify="right")
    table.add_column("all", justify="right")
    for color in COLORS:
        table.add_column(f"■{_MARKS[color]}", justify="right", style=_STYLES[color])
    totals: Counter[str] = Counter()
    for number, (strike, result) in enumerate(struck, 1):
        hit = result.hit
        totals += hit.counts
        if hit.is_empty:
            boulders = Text("empty hit", style="dim italic")
        else:
            boulders = Text(" ").join(
                Text(f"■{_MARKS[b.color]}", style=_STYLES[b.color]) for b in hit.boulders
            )
        table.add_row(
            str(number),
            f"{strike.side:5} {strike.speed:.1f} m/s {strike.height * 1000:.0f} mm",
            boulders,
            str(len(hit)),
            str(totals.total()),
            *(str(totals[color]) for color in COLORS),
        )
    return table


def draw(geometry: Geometry, state: TowerState, edge: float) -> Text:
    """Draw the tower's section: boulders as their color's letter, walls as blocks."""
    half = 0.5 * geometry.inner_width
    columns = ceil(geometry.inner_width / _CELL_WIDTH)
    rows = ceil(geometry.height / _CELL_HEIGHT)
    canvas = [[(" ", "")] * columns for _ in range(rows)]

    def put(x: float, y: float, mark: str, style: str) -> None:
        column = round((x + half) / geometry.inner_width * columns - 0.5)
        row = rows - 1 - int(y / _CELL_HEIGHT)
        if 0 <= column < columns and 0 <= row < rows:
            canvas[row][column] = (mark, style)

    for level in geometry.levels:
        start = (-half if level.side == "left" else half, level.height)
        _line(put, start, geometry.level_edge(level))
    for plank in geometry.planks:
        for a, b in pairwise(plank):
            _line(put, a, b)
    for sign in (-1.0, 1.0):
        _line(
            put,
            (sign * half, geometry.floor_height),
            (sign * 0.5 * geometry.outlet_width, geometry.floor_height),
        )
    for boulder, (x, y, _) in zip(state.boulders, state.poses.tolist(), strict=True):
        if x == x:
            for shift in (-0.25, 0.25):
                put(x + shift * edge, y, _MARKS[boulder.color], f"reverse {_STYLES[boulder.color]}")
    filled = [any(mark.strip() for mark, _ in row) for row in canvas]
    text = Text()
    for row in canvas[max(filled.index(True) - 2, 0) :]:  # the empty top says nothing
        text.append("█", style="dim")
        for mark, style in row:
            text.append(mark, style=style)
        text.append("█\n", style="dim")
    return text


def _line(
    put: Callable[[float, float, str, str], None], a: tuple[float, float], b: tuple[float, float]
) -> None:
    count = 40
    for k in range(count + 1):
        share = k / count
        put(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), "▒", "dim")
