"""Towers without physics, whose hits follow known laws, as rows of a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocktower.sampling import HitRow
from rocktower.sampling._rows import by_color
from rocktower.tower import COLORS

Inside = list[tuple[str, int]]  # color, and the turn before which it was dropped in


def any_of(inside: Inside, rng: np.random.Generator) -> int:
    return int(rng.integers(len(inside)))


def filling(
    rng: np.random.Generator,
    number: int = 1,
    turns: int = 3,
    hits: int = 5,
    pick: Callable[[Inside, np.random.Generator], int] = any_of,
    most: int = 6,
    each: int = 11,
) -> list[HitRow]:
    """Hits of 0 to `most` boulders; `pick` says which one leaves next."""
    inside: Inside = [(color, 1) for color in COLORS for _ in range(each)]
    added = [color for color, _ in inside]
    rows = []
    for turn in range(1, turns + 1):
        out: list[str] = []
        if turn > 1:
            inside += [(color, turn) for color in added]
        for hit in range(1, hits + 1):
            left = len(inside)
            leaving = [
                inside.pop(pick(inside, rng))
                for _ in range(min(left, int(rng.integers(0, most + 1))))
            ]
            rows.append(
                HitRow(
                    7, number, turn, hit, "left" if rng.random() < 0.5 else "right",
                    float(rng.random() * 3), float(rng.random()),
                    by_color(added if hit == 1 else []), left,
                    tuple(color for color, _ in leaving),
                    tuple(turn - born for _, born in leaving),
                    (0, int(rng.integers(2)), 0, 0), bool(rng.random() < 0.9),
                )
            )  # fmt: skip
            out += [color for color, _ in leaving]
        added = out
    return rows
