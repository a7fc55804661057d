"""One hit as a row of the table, and how a row is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocktower.tower import COLORS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocktower.tower import Side

    ByColor = tuple[int, int, int, int]

__all__ = ["COLUMNS", "LETTERS", "SETTLED", "UNSETTLED", "HitRow", "to_csv"]

LETTERS = {color: color[0] for color in COLORS}
"""How a color is written in the column `order`."""

SETTLED, UNSETTLED = "at rest", "not settled"

COLUMNS = (
    "seed", "filling", "turn", "hit",
    "side", "speed_m_s", "height_m",
    *(f"added_{color}" for color in COLORS),
    "left", "out",
    *(f"out_{color}" for color in COLORS),
    "order", "ages",
    *(f"back_{color}" for color in COLORS),
    "outcome",
)  # fmt: skip
"""The columns of a table of hits; docs/sampling.md says what each holds."""


@dataclass(frozen=True, slots=True)
class HitRow:
    """One hit, and what a person at the table could know of it beforehand.

    Parameters
    ----------
    seed
        Of the whole sample.
    filling, turn, hit
        Numbers from 1: the filling within the sample, the turn within the filling, the hit
        within the turn.
    side, speed, height
        The strike: left or right, m/s, m above the table.
    added
        Boulders by color (in the order of `COLORS`) dropped in since the hit before: the whole
        filling at its first hit, what came out in the turn before at a turn's first hit, else 0.
    left
        Boulders left in the tower when it was struck.
    order
        Colors of the boulders that came out, in the order in which they came out.
    ages
        For each of them, how many turns ago it was dropped in: 0 for just before this turn.
    back
        Boulders by color that jumped out of the top; they are back inside and do not count.
    settled
        Whether everything came to rest within the time limit.
    """

    seed: int
    filling: int
    turn: int
    hit: int
    side: Side
    speed: float
    height: float
    added: ByColor
    left: int
    order: tuple[str, ...]
    ages: tuple[int, ...]
    back: ByColor
    settled: bool

    @property
    def out(self) -> ByColor:
        """Boulders by color that came out of the outlet."""
        return by_color(self.order)


def by_color(colors: Iterable[str]) -> ByColor:
    """Count colors, in the order of `COLORS`."""
    given = list(colors)
    red, blue, yellow, white = (given.count(color) for color in COLORS)
    return red, blue, yellow, white


def to_csv(rows: Iterable[HitRow]) -> str:
    """Write rows as lines of CSV, without the header; numbers are exact."""
    lines = []
    for row in rows:
        values = (
            row.seed, row.filling, row.turn, row.hit,
            row.side, repr(row.speed), repr(row.height),
            *row.added,
            row.left, len(row.order),
            *row.out,
            "".join(LETTERS[color] for color in row.order), " ".join(map(str, row.ages)),
            *row.back,
            SETTLED if row.settled else UNSETTLED,
        )  # fmt: skip
        lines.append(",".join(map(str, values)) + "\n")  # no value holds a comma or a quote
    return "".join(lines)
