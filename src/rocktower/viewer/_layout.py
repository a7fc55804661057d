"""Where things are in a picture of a given size: everything scales with it, text as well."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocktower.tower import Geometry, Side, TowerModel

__all__ = ["Layout", "Rect"]

Rect = tuple[int, int, int, int]
_DESIGN = (1280, 720)  # the size in which the numbers below are given
_SMALLEST_UNIT = 0.4
_PANEL = 372
_TABLE = 118
_BASE = 20  # of the table behind the tower
_PITCH = 1.22  # of the boulders on the table, in edges
_ABREAST = 30  # so many have room beside each other on the table
_TOP = 62  # free above the tower, for the covering hand


@dataclass(frozen=True)
class Layout:
    """The places of a picture.

    Parameters
    ----------
    size
        Width and height, px.
    model
        The tower, which is to fill the height.
    has_panel
        Whether there is a panel beside the stage.
    """

    size: tuple[int, int]
    model: TowerModel
    has_panel: bool = True

    @cached_property
    def geometry(self) -> Geometry:
        """The tower's measures."""
        return self.model.geometry

    @cached_property
    def unit(self) -> float:
        """One design pixel, in px."""
        width, height = self.size
        if not self.has_panel:
            return max(height / _DESIGN[1], _SMALLEST_UNIT)
        return max(min(width / _DESIGN[0], height / _DESIGN[1]), _SMALLEST_UNIT)

    def px(self, length: float) -> int:
        """Give a design length in px, at least 1."""
        return max(1, round(length * self.unit))

    @cached_property
    def stage(self) -> Rect:
        """The part with the tower."""
        width, height = self.size
        taken = min(self.px(_PANEL), width // 2) if self.has_panel else 0
        return (0, 0, width - taken, height)

    @cached_property
    def panel(self) -> Rect:
        """The part with everything that is written."""
        width, height = self.size
        left = self.stage[2]
        return (left, 0, width - left, height)

    @cached_property
    def table_top(self) -> int:
        """Where the table begins, y in px."""
        return self.size[1] - self.px(_TABLE)

    @cached_property
    def base(self) -> int:
        """Where the tower stands, y in px."""
        return self.table_top + self.px(_BASE)

    @cached_property
    def scale(self) -> float:
        """Pixels a metre."""
        free_height = max(self.base - self.px(_TOP), 1)
        outer = self.geometry.inner_width + 2 * self.geometry.wall_thickness
        by_height = free_height / self.geometry.height
        by_width = 0.6 * self.stage[2] / outer
        if not self.has_panel:
            return float(min(by_height, by_width))
        by_table = self.stage[2] / (_ABREAST * _PITCH * self.model.boulders.largest_edge)
        return float(min(by_height, by_width, by_table))

    @cached_property
    def center(self) -> float:
        """Middle of the tower, x in px."""
        return 0.5 * self.stage[2]

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """Give the pixel of a point of the world (m)."""
        return self.center + x * self.scale, self.base - y * self.scale

    def to_world(self, px: float, py: float) -> tuple[float, float]:
        """Give the point of the world (m) at a pixel."""
        return (px - self.center) / self.scale, (self.base - py) / self.scale

    def aim_at(self, position: tuple[int, int]) -> tuple[Side, float, float] | None:
        """Give the side, the height (m) and the distance from the wall (m) of a pixel.

        None if it is not beside the tower: inside it, on the panel, above or below the walls.
        """
        if position[0] >= self.stage[2]:
            return None
        x, y = self.to_world(*position)
        outer = 0.5 * self.geometry.inner_width + self.geometry.wall_thickness
        clear = abs(x) - 0.5 * self.geometry.inner_width
        if clear < -0.1 * outer or not 0.0 < y <= self.geometry.height:
            return None
        return ("left" if x < 0 else "right"), y, max(abs(x) - outer, 0.0)

    def distance(self, side: Side, px: int) -> float:
        """Give how far (m) a pixel column is outside the wall of a side."""
        x, _ = self.to_world(px, 0)
        outer = 0.5 * self.geometry.inner_width + self.geometry.wall_thickness
        return (-x if side == "left" else x) - outer

    def table_slots(self, groups: tuple[int, ...]) -> list[tuple[float, float]]:
        """Give the places (px) of boulders on the table: hit by hit, with a gap between hits."""
        pitch = _PITCH * self.model.boulders.largest_edge * self.scale
        gap, margin = 0.55 * pitch, self.px(26)
        width = max(self.stage[2] - 2 * margin, pitch)
        y0 = self.base + (self.size[1] - self.base) * 0.3
        slots: list[tuple[float, float]] = []
        x, y = 0.5 * pitch, y0
        rows: list[tuple[int, float]] = []  # first slot of each row, and the row's width
        start = 0
        for count in groups:
            for _ in range(count):
                if x + 0.5 * pitch > width:
                    rows.append((start, x - 0.5 * pitch))
                    start, x, y = len(slots), 0.5 * pitch, y + pitch * 1.06
                slots.append((x, y))
                x += pitch
            x += gap if count else 0.0
        rows.append((start, (slots[-1][0] + 0.5 * pitch) if slots else 0.0))
        centered = []
        ends = [first for first, _ in rows[1:]] + [len(slots)]
        for (first, row_width), end in zip(rows, ends, strict=True):
            shift = self.center - 0.5 * row_width
            centered += [(px + shift, py) for px, py in slots[first:end]]
        return centered


def placed(
    points: list[tuple[float, float]], pose: tuple[float, float, float]
) -> list[tuple[float, float]]:
    """Move points (m) from the tower's own frame to the world."""
    x, y, angle = pose
    c, s = cos(angle), sin(angle)
    return [(x + c * u - s * v, y + s * u + c * v) for u, v in points]
