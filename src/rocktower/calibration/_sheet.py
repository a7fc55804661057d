"""A sheet for pen and paper with the columns of the file, A4 landscape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.calibration._rows import ADDED, BACK, CHOICES, COLUMNS, OUT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_sheet"]

_WIDTH, _HEIGHT = 297.0, 210.0  # mm, A4 landscape
_LEFT, _RIGHT, _TOP = 9.0, 288.0, 20.0  # mm; the table's edges, measured from the top left
_HEADER, _LINE, _LINES = 23.0, 6.1, 24  # mm, mm, rows to write in
_WIDE = {"session": 21.0, "striker": 16.0, "strength": 14.0, "side": 11.0, "held": 14.0,
         "flag": 14.0, "note": 27.0}  # fmt: skip
_TINTS = {"red": "#f6d5cd", "blue": "#d3e1f2", "yellow": "#f8ebc4", "white": "#ffffff"}
_INK, _RULE, _HEAVY = "#222222", "#9a9a9a", "#444444"
_BLOCKS = (ADDED[0], OUT[0], BACK[0], "strength")  # a heavy line stands before each

_GAP = "  "
_RULES = (
    _GAP.join(
        (
            "One line a hit.",
            "Write 0 where nothing came out, never a blank: an empty hit is 0 0 0 0.",
            "added: put in before this hit; the first line of a filling says the whole filling.",
            "added_total 'all': all that had come out went back in.",
        )
    ),
    _GAP.join(
        (
            "Only totals known?",
            "One line for several hits: their number in hits, the sum in out_total.",
            "Leave unknown colors blank; 5+ means 5 or more.",
            "back: came out without a blow or over the top, and went back in: not counted.",
        )
    ),
    _GAP.join(
        (
            *(f"{column}: {', '.join(words)}." for column, words in CHOICES.items()),
            "drop_cm: the height that the hammer falls from.",
            "filling, turn, hit count from 1; turn and hit begin anew with a filling.",
        )
    ),
)


def draw_sheet() -> Figure:
    """Draw the sheet; save it as PDF. Type it into a spreadsheet, and save that as CSV."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH / 25.4, _HEIGHT / 25.4))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, _WIDTH), ylim=(_HEIGHT, 0.0))
    axes.axis("off")
    axes.text(_LEFT, 9.0, "Rock Tower: recorded hits", size=14, weight="bold", color=_INK)
    axes.text(_LEFT, 14.5, "what fell out, hit by hit", size=8, color=_HEAVY)
    axes.text(_RIGHT, 9.0, "tower of ______________________    page ______",
              size=9, ha="right", color=_INK)  # fmt: skip
    bottom = _TOP + _HEADER + _LINES * _LINE
    x = _LEFT
    narrow = (_RIGHT - _LEFT - sum(_WIDE.values())) / (len(COLUMNS) - len(_WIDE))
    for column in COLUMNS:
        width = _WIDE.get(column, narrow)
        _column(axes, column, x, width, bottom)
        x += width
    _line(axes, (x, x), (_TOP, bottom), _HEAVY, 1.0)
    for k in range(_LINES + 1):
        y = _TOP + _HEADER + k * _LINE
        _line(axes, (_LEFT, _RIGHT), (y, y), _RULE if 0 < k < _LINES else _HEAVY, 0.5)
    _line(axes, (_LEFT, _RIGHT), (_TOP, _TOP), _HEAVY, 1.0)
    for k, rule in enumerate(_RULES):
        axes.text(_LEFT, bottom + 5.0 + 4.2 * k, rule, size=6.3, color=_INK)
    return figure


def _column(axes: Axes, column: str, x: float, width: float, bottom: float) -> None:
    from matplotlib.patches import Rectangle

    color = column.rpartition("_")[2]
    if color in _TINTS:
        axes.add_patch(Rectangle((x, _TOP), width, bottom - _TOP, fc=_TINTS[color], ec="none"))
    heavy = column in _BLOCKS or x == _LEFT
    _line(axes, (x, x), (_TOP, bottom), _HEAVY if heavy else _RULE, 1.0 if heavy else 0.5)
    axes.text(x + 0.5 * width, _TOP + _HEADER - 2.0, column, rotation=90, ha="center", va="bottom",
              size=8, color=_INK, weight="bold" if column in OUT else "normal")  # fmt: skip


def _line(
    axes: Axes, x: tuple[float, float], y: tuple[float, float], color: str, width: float
) -> None:
    axes.plot(x, y, color=color, linewidth=width, solid_capstyle="butt")
