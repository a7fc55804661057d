"""Pictures of a tower with matplotlib, which is imported when one is drawn."""

from __future__ import annotations

from itertools import pairwise
from math import cos, sin, tan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocktower.tower import TowerModel, TowerState

__all__ = ["BOULDER_COLORS", "plot_tower"]

BOULDER_COLORS = {"red": "#c8452f", "blue": "#2f6db3", "yellow": "#e3b23c", "white": "#f2efe6"}
_WOOD = "#b58e5f"


def plot_tower(model: TowerModel, state: TowerState, *, ax: Axes | None = None) -> Axes:
    """Draw a tower's section with its boulders, in mm, and return the axes.

    Parameters
    ----------
    ax
        Where to draw; a new figure's axes if None.
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import Polygon

    if ax is None:
        ax = plt.figure(figsize=(3, 7), layout="constrained").subplots()
    geometry = model.geometry
    half, top = 0.5 * geometry.inner_width, geometry.height
    outlet, floor = 0.5 * geometry.outlet_width, geometry.floor_height

    def wood(corners: list[tuple[float, float]]) -> None:
        ax.add_patch(Polygon([(1000 * x, 1000 * y) for x, y in corners], fc=_WOOD, ec="none"))

    def plank(a: tuple[float, float], b: tuple[float, float]) -> None:
        thick = 1000 * geometry.plank_thickness
        points = ax.transData.transform([(0, 0), (0, thick)])
        width = (points[1][1] - points[0][1]) * 72 / ax.figure.dpi
        x, y = zip(a, b, strict=True)
        ax.plot([1000 * v for v in x], [1000 * v for v in y], color=_WOOD, lw=width,
                solid_capstyle="round")  # fmt: skip

    outer = half + geometry.wall_thickness
    ax.set(xlim=(-1000 * outer - 5, 1000 * outer + 5), ylim=(0, 1000 * top + 8), aspect="equal")
    ax.figure.canvas.draw()  # the scale must be known before a plank's thickness is
    for sign in (-1.0, 1.0):
        wood([(sign * half, 0), (sign * outer, 0), (sign * outer, top), (sign * half, top)])
        rise = (half - outlet) * tan(geometry.hopper_angle)
        sill = floor - geometry.plank_thickness
        wood([(sign * outlet, sill), (sign * half, sill), (sign * half, floor + rise),
              (sign * outlet, floor)])  # fmt: skip
    for level in geometry.levels:
        plank((-half if level.side == "left" else half, level.height), geometry.level_edge(level))
    for line in geometry.planks:
        for a, b in pairwise(line):
            plank(a, b)
    bodies = dict(model.all_boulders)
    for boulder, (x, y, angle) in zip(state.boulders, state.poses.tolist(), strict=True):
        if x != x:
            continue
        grain = bodies[boulder]
        reach = 1 + grain.radius / abs(grain.vertices[0][0])
        c, s = cos(angle) * reach, sin(angle) * reach
        corners = [
            (1000 * (x + c * u - s * v), 1000 * (y + s * u + c * v)) for u, v in grain.vertices
        ]
        ax.add_patch(Polygon(corners, fc=BOULDER_COLORS[boulder.color], ec="#3a3a3a", lw=0.8))
    ax.set(xlabel="mm", ylabel="height above the table, mm")
    return ax
