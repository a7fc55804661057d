"""The pieces of wall that a tower's geometry stands for."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import tan
from typing import TYPE_CHECKING

from rocktower.tower._scene import Wall

if TYPE_CHECKING:
    from rocktower.tower._model import Geometry

__all__ = ["tower_walls"]

# Outer walls are this thick in the solver, outwards, so that no blow can push a boulder through.
_BACKING = 0.1


@lru_cache(maxsize=64)  # asked for twice a strike
def tower_walls(geometry: Geometry, cover: float) -> tuple[Wall, ...]:
    """Return the walls, floor, levels, planks and covering hand of a tower, in its own frame."""
    half, top, floor = 0.5 * geometry.inner_width, geometry.height, geometry.floor_height
    walls: list[Wall] = []
    for sign in (-1.0, 1.0):
        inner, outer = sign * half, sign * (half + _BACKING)
        walls.append(Wall(((inner, 0.0), (outer, 0.0), (outer, top), (inner, top))))
        # The floor slopes down to the outlet; its piece is a wedge that ends in a sill.
        edge = sign * 0.5 * geometry.outlet_width
        rise = (half - abs(edge)) * tan(geometry.hopper_angle)
        sill = floor - geometry.plank_thickness
        if half > abs(edge):
            upper = ((outer, floor + rise), (inner, floor + rise), (edge, floor))
            walls.append(Wall(((edge, sill), (outer, sill), *upper)))
    thin = 0.5 * geometry.plank_thickness
    for level in geometry.levels:
        start = (-half if level.side == "left" else half, level.height)
        walls.append(_plank(start, geometry.level_edge(level), thin))
    for line in geometry.planks:
        walls += [_plank(a, b, thin) for a, b in pairwise(line)]
    if cover > 0.0:
        # The covering hand lies over the middle of the opening.
        reach = cover * half
        palm = ((-reach, top), (reach, top), (reach, top + _BACKING), (-reach, top + _BACKING))
        walls.append(Wall(palm))
    return tuple(walls)


def _plank(start: tuple[float, float], end: tuple[float, float], radius: float) -> Wall:
    return Wall((start, end), radius)
