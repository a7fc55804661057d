"""The units of the studies, and the grains that they use.

Everything is computed in SI with grains of the tower's size, so that the tower's solver
settings apply as they are. Results are told in grain diameters d and t0 = sqrt(d / g).
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin, sqrt

from rocktower.tower import Contact, Solver, TowerModel
from rocktower.tower._scene import GRAVITY, Grain

__all__ = ["CONTACT", "SHAPES", "SPEED", "T0", "D", "disc", "polygon", "tower_solver"]

D = 0.012
"""Diameter of a disc, or of the disc with a polygon's area, m."""
T0 = sqrt(D / GRAVITY)
"""Time to fall half a diameter, s: 35 ms."""
SPEED = sqrt(GRAVITY * D)
"""Unit of speed, m/s."""
CONTACT = Contact(friction=0.5, restitution=0.05)
"""The contact of the published simulations."""
SHAPES = {"disc": 0, "triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6, "heptagon": 7}
"""Number of corners of each shape."""

_MASS = 690.0 * D**3  # kg: wood


@cache
def tower_solver() -> Solver:
    """Return the numerical settings of the default tower."""
    return TowerModel.load().solver


def disc(weight: float = 1.0) -> Grain:
    """Return a disc of diameter d, `weight` times as heavy as a boulder of wood."""
    return Grain((), 0.5 * D, weight * _MASS)


def polygon(corners: int) -> Grain:
    """Return a regular polygon with the area of the disc; a disc for no corners."""
    if not corners:
        return disc()
    turn = 2.0 * pi / corners
    rim = D * sqrt(0.25 * pi / (0.5 * corners * sin(turn)))
    vertices = tuple((rim * cos(k * turn), rim * sin(k * turn)) for k in range(corners))
    return Grain(vertices, 0.0, _MASS)
