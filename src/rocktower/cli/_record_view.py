"""What `rocktower record` shows at the table: the hit, large, and what is left in the tower."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rocktower.calibration import Amount
from rocktower.cli._record_language import habits
from rocktower.colors import BOULDER_COLORS
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from rocktower.calibration import Recorder, Situation

__all__ = ["screen", "totals"]

_KEYS = (
    (("r b y w", "boulder"), ("space", "empty hit"), ("Enter", "confirm"), ("u", "undo")),
    (("t", "new turn"), ("n", "new filling"), ("q", "leave"), ("?", "more keys")),
)
_MORE_KEYS = (
    (("p", "striker"), ("h", "how hard"), ("d", "drop height"), ("s", "side"), ("g", "grip")),
    (("j r", "red jumped back in"), ("f", "flag"), ("o", "note"), ("?", "fewer keys")),
)
# White marks are gray, so that they show on a light terminal as well.
_INK = {**BOULDER_COLORS, "white": "#a8a294"}
_ROOMY, _NARROW = 60, 40  # characters: below, the squares stand close; below, there are none
_BLOCK = 8  # characters a boulder takes, with the gap


def screen(
    recorder: Recorder, name: str, *, message: Text, entry: str | None, more: bool, width: int
) -> RenderableType:
    """Draw everything for one moment.

    Parameters
    ----------
    entry
        The question that is being answered and what is typed so far, or None.
    more
        Whether to list the rarer keys.
    width
        Of the terminal, in characters.
    """
    row = recorder.next_row
    written = sum(situation.row.hits for situation in recorder.situations)
    title = Table.grid(expand=True)
    title.add_column(no_wrap=True)
    title.add_column(justify="right", no_wrap=True)
    title.add_row(
        Text(f"Rock Tower · {name}", style="dim"), Text(f"hits on disk: {written}", style="dim")
    )
    place = Text(no_wrap=True, overflow="ellipsis")
    place.append(f"Turn {row.turn}, hit {recorder.turn_hits + 1}", style="bold")
    place.append(f"   hit {row.hit} of filling {row.filling}", style="dim")
    lines: list[RenderableType] = [
        title,
        Text(),
        place,
        Text(habits(recorder), style="dim", no_wrap=True, overflow="ellipsis"),
        Text(),
        *_hit(recorder, width - 4),
        _tower(recorder, width),
        Text(),
        _recent(recorder),
        Text(),
        message if entry is None else Text.assemble((entry, "bold"), ("▏", "blink")),
        Text(),
        *(_keys(line) for line in (_MORE_KEYS if more else _KEYS)),
    ]
    return Padding(Group(*lines), (1, 2, 0, 2))


def totals(recorder: Recorder) -> str:
    """Say in one line what is inside and outside: for a pipe."""
    tower = recorder.tower
    inside = ", ".join(
        f"{amount} {color}" for color, amount in zip(COLORS, recorder.inside, strict=True)
    )
    return f"Inside {tower.inside_total}: {inside}. Outside {tower.table_total}."


def _hit(recorder: Recorder, width: int) -> list[Text]:
    """Draw the boulders of this hit as blocks, and count them."""
    boulders = recorder.boulders
    room = max(width // _BLOCK, 1)
    shown = boulders[-room:]
    block = _BLOCK - 1
    lines = [Text(no_wrap=True) for _ in range(3)]
    for color in shown:
        ink = "#ffffff" if color in ("red", "blue") else "#202020"
        for k, text in enumerate(lines):
            mark = color[0].upper() if k == 1 else " "
            text.append(f"{mark:^{block}}", style=f"bold {ink} on {BOULDER_COLORS[color]}")
            text.append(" ")
    if recorder.is_empty:
        lines[1].append("   empty hit", style="bold")
    elif not boulders:
        lines[1].append("what fell out?", style="dim italic")
    noun = "boulder" if len(boulders) == 1 else "boulders"
    counted = Text(no_wrap=True, overflow="ellipsis")
    counted.append(f"{len(boulders)} {noun}   " if boulders else "   ", style="bold")
    if boulders or recorder.is_empty:
        counted.append("Enter confirms", style="dim")
    if len(shown) < len(boulders):
        counted.append(f"   the last {len(shown)} are shown", style="dim")
    if recorder.jumped:
        jumped = " ".join(color[0] for color in recorder.jumped)
        counted.append(f"   back in, not counted: {jumped}", style="dim")
    return [*lines, counted]


def _tower(recorder: Recorder, width: int) -> Table:
    """Draw what is inside, a line a color: squares and numbers."""
    table = Table(
        box=None, padding=(0, 2, 0, 0), header_style="dim", show_edge=False, pad_edge=False
    )
    gap = " " if width >= _ROOMY else ""
    table.add_column(no_wrap=True, justify="right")
    if width >= _NARROW:
        table.add_column(no_wrap=True)
    for heading in ("inside", "out"):
        table.add_column(heading, no_wrap=True, justify="right")

    def add(name: str, squares: Text, inside: Amount, out: Amount, style: str) -> None:
        cells = [Text(name), squares, Text(str(inside), style), Text(str(out), style)]
        table.add_row(*(cells if width >= _NARROW else (cells[0], *cells[2:])))

    for color, amount, whole, most in zip(
        COLORS, recorder.inside, recorder.tower.whole, ALL_BOULDERS, strict=True
    ):
        squares = Text(f"■{gap}" * amount.low, style=_INK[color])
        squares.append(f"□{gap}" * (amount.high - amount.low), style=_INK[color])
        squares.append(f"·{gap}" * (most - amount.high), style="dim")
        add(color, squares, amount, Amount(whole - amount.high, whole - amount.low), "")
    n = len(recorder.boulders)
    inside, out = recorder.tower.inside_total, recorder.tower.table_total
    add("all", Text(), Amount(inside.low - n, inside.high - n), Amount(out.low + n, out.high + n),
        "bold")  # fmt: skip
    return table


def _recent(recorder: Recorder) -> Text:
    """List the hits of this turn, the latest last."""
    if recorder.new_turn or recorder.filling is not None or not recorder.situations:
        return Text("A new turn: everything is inside.", style="dim")
    last = recorder.situations[-1].row
    turn = [
        s for s in recorder.situations if (s.row.filling, s.row.turn) == (last.filling, last.turn)
    ]
    text = Text.assemble(("This turn  ", "dim"), no_wrap=True, overflow="ellipsis")
    for situation in turn[-8:]:
        text.append_text(_small(situation))
        text.append("  │  " if situation is not turn[-1] else "", style="dim")
    return text


def _small(situation: Situation) -> Text:
    if situation.out_total.high == 0:
        return Text("empty", style="dim italic")
    if not situation.row.is_fine:
        return Text(f"{situation.out_total}")
    text = Text()
    for color, amount in zip(COLORS, situation.out, strict=True):
        text.append(color[0] * amount.low, style=f"bold {_INK[color]}")
    return text


def _keys(pairs: tuple[tuple[str, str], ...]) -> Text:
    text = Text(no_wrap=True, overflow="ellipsis")
    for key, meaning in pairs:
        text.append(key, style="bold")
        text.append(f" {meaning}    ", style="dim")
    return text
