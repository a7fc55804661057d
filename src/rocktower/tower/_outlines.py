"""The tower as one draws it: outlines of its wood, for whoever has a surface to draw on."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin, tan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocktower.tower._model import Geometry

__all__ = ["capsule", "wood_outlines"]

_Point = tuple[float, float]


def wood_outlines(geometry: Geometry) -> list[list[_Point]]:
    """Return the outlines of levels, planks, floor and walls, in the tower's own frame (m)."""
    half, top, floor = 0.5 * geometry.inner_width, geometry.height, geometry.floor_height
    outlet, thin = 0.5 * geometry.outlet_width, 0.5 * geometry.plank_thickness
    outer, sill = half + geometry.wall_thickness, floor - geometry.plank_thickness
    rise = (half - outlet) * tan(geometry.hopper_angle)
    outlines: list[list[_Point]] = []
    for level in geometry.levels:
        start = (-half if level.side == "left" else half, level.height)
        outlines.append(capsule(start, geometry.level_edge(level), thin, 6))
    for plank in geometry.planks:
        outlines += [capsule(a, b, thin, 6) for a, b in pairwise(plank)]
    for sign in (-1.0, 1.0):
        if half > outlet:
            outlines.append(
                [
                    (sign * half, sill),
                    (sign * outlet, sill),
                    (sign * outlet, floor),
                    (sign * half, floor + rise),
                ]
            )
        outlines.append(
            [(sign * half, 0.0), (sign * outer, 0.0), (sign * outer, top), (sign * half, top)]
        )
    return outlines


def capsule(start: _Point, end: _Point, radius: float, steps: int) -> list[_Point]:
    """Return the outline of a line with round ends, each of so many pieces."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    points = []
    for (cx, cy), sign in ((end, 1.0), (start, -1.0)):
        for k in range(steps + 1):
            turn = pi * (k / steps - 0.5)
            along, across = sign * radius * cos(turn), sign * radius * sin(turn)
            points.append((cx + along * ux - across * uy, cy + along * uy + across * ux))
    return points
