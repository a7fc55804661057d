"""The tower in section: walls, levels, outlet, boulders, hand, hammer, forces and velocities."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pygame

from rocktower.tower import capsule, wood_outlines
from rocktower.viewer import _palette as palette
from rocktower.viewer._boulders import Boulders
from rocktower.viewer._layout import placed
from rocktower.viewer._shapes import arrow, line, polygon

if TYPE_CHECKING:
    from rocktower.tower import TowerModel
    from rocktower.viewer._frame import Blow, Frame
    from rocktower.viewer._layout import Layout
    from rocktower.viewer._palette import Color

__all__ = ["Section"]

_Point = tuple[float, float]
_UPRIGHT = (0.0, 0.0, 0.0)
_HEAD_LENGTH, _HEAD_HEIGHT = 0.044, 0.026  # m, of the hammer
_HANDLE_LENGTH, _HANDLE_RADIUS = 0.115, 0.0042
_FINGER = 0.0055  # m, radius
_FORCE_UNIT = 0.012  # N, about the weight of a boulder
_VELOCITY_SCALE = 0.035  # m drawn for each m/s
_SLOWEST_ARROW = 0.02  # m/s


class Section:
    """Draws one model's tower in one layout; what does not move is prepared here.

    Parameters
    ----------
    model, layout
        The tower and where it is on the surface.
    """

    def __init__(self, model: TowerModel, layout: Layout) -> None:
        self._layout = layout
        self._model = model
        geometry = model.geometry
        self._pieces = wood_outlines(geometry)
        half, top = 0.5 * geometry.inner_width, geometry.height
        self._inside = [(-half, 0.0), (half, 0.0), (half, top), (-half, top)]
        sill = geometry.floor_height - geometry.plank_thickness
        self._chamber = [(-half, 0.0), (half, 0.0), (half, sill), (-half, sill)]
        self._edges = _edges(model)
        self._boulders = Boulders(model.boulders.edge_radius / model.boulders.edge)
        self._line = max(1.4 * layout.unit, 1.0)
        self._heat: tuple[object, pygame.Surface] | None = None

    def draw(self, surface: pygame.Surface, frame: Frame) -> None:
        """Draw everything that can move."""
        pose = frame.moment.tower
        dark = frame.shows_forces or frame.shows_velocities
        inside = palette.dimmed(palette.INSIDE) if dark else palette.INSIDE
        polygon(surface, self._screen(self._inside, pose), inside)
        polygon(surface, self._screen(self._chamber, pose), palette.CHAMBER)
        self._draw_boulders(surface, frame, is_dim=dark)
        if frame.heat is not None:
            self._draw_heat(surface, frame)
        for outline in self._pieces:
            points = self._screen(outline, pose)
            polygon(surface, points, palette.WOOD, palette.WOOD_EDGE, self._line)
        if frame.shows_forces:
            self._draw_forces(surface, frame)
        if frame.shows_velocities:
            self._draw_velocities(surface, frame)
        side = frame.blow.side if frame.blow else "left"
        self._draw_hand(surface, pose, -1.0 if side == "right" else 1.0)
        if frame.model.cover > 0.0:
            self._draw_cover(surface, pose, frame.model.cover)
        self._draw_table(surface, frame)
        if frame.blow is not None:
            self._draw_hammer(surface, frame.blow)

    def _screen(
        self, points: list[_Point], pose: tuple[float, float, float] = _UPRIGHT
    ) -> list[_Point]:
        to_screen = self._layout.to_screen
        return [to_screen(x, y) for x, y in placed(points, pose)]

    def _draw_boulders(self, surface: pygame.Surface, frame: Frame, *, is_dim: bool) -> None:
        scale, to_screen = self._layout.scale, self._layout.to_screen
        for row, (x, y, angle) in enumerate(frame.moment.poses.tolist()):
            if x == x:
                self._boulders.draw(
                    surface,
                    frame.colors[row],
                    to_screen(x, y),
                    angle,
                    self._edges[row] * scale,
                    has_mark=frame.shows_marks,
                    is_dim=is_dim,
                )

    def _draw_table(self, surface: pygame.Surface, frame: Frame) -> None:
        """Draw the boulders that lie in front of the tower, and those on their way."""
        layout = self._layout
        slots = layout.table_slots(tuple(len(hit) for hit in frame.table))
        outlet = layout.to_screen(0.0, 0.5 * self._model.geometry.floor_height)
        flying = frame.moment.flying
        rows = [row for hit in frame.table for row in hit]
        for row, slot in zip(rows, slots, strict=True):
            share = flying.get(row, 1.0)
            eased = share * (2.0 - share)
            x = outlet[0] + eased * (slot[0] - outlet[0])
            arc = 0.35 * abs(slot[0] - outlet[0]) * share * (1.0 - share)
            y = outlet[1] + eased * (slot[1] - outlet[1]) - arc
            self._boulders.draw(
                surface,
                frame.colors[row],
                (x, y),
                (1.0 - share) * pi,
                self._edges[row] * layout.scale,
                has_mark=frame.shows_marks,
            )

    def _draw_hand(
        self, surface: pygame.Surface, pose: tuple[float, float, float], side: float
    ) -> None:
        """Draw the hand that holds the tower, on the side (1: right) that is not struck."""
        grip, geometry = self._model.grip, self._model.geometry
        outer = side * (0.5 * geometry.inner_width + geometry.wall_thickness)
        # Loose fingers stand off the wood; a pressing hand lies closer and leans on it.
        is_loose = grip.name == "loose"
        back = outer + side * (0.02 if is_loose else 0.015)
        tips = outer - side * (0.003 if is_loose else geometry.wall_thickness + 0.004)
        y = grip.height
        skin = (palette.SKIN, palette.SKIN_EDGE)
        arm = ((back + side * 0.012, y - 0.002), (back + side * 0.17, y - 0.006), 0.0115)
        self._draw_capsule(surface, arm, _UPRIGHT, *skin)
        sleeve = ((back + side * 0.085, y - 0.004), (back + side * 0.4, y - 0.014), 0.0155)
        self._draw_capsule(surface, sleeve, _UPRIGHT, palette.SLEEVE, palette.SLEEVE_EDGE)
        self._draw_capsule(surface, ((back, y + 0.009), (back, y - 0.011), 0.0145), pose, *skin)
        for k, share in enumerate((0.75, 1.0, 0.95, 0.7)):
            height = y + (1.5 - k) * 1.9 * _FINGER
            finger = ((back, height), (back + share * (tips - back), height), _FINGER)
            self._draw_capsule(surface, finger, pose, *skin)
        if grip.name == "pressed":
            length = 0.03 * self._layout.scale
            for shift in (0.022, 0.042):
                x, top = self._layout.to_screen(outer + side * shift, y + 0.058)
                arrow(surface, (x, top), (x, top + length), palette.ALARM, 2.6 * self._line)

    def _draw_cover(
        self, surface: pygame.Surface, pose: tuple[float, float, float], cover: float
    ) -> None:
        """Draw the hand over the open top."""
        geometry = self._model.geometry
        reach = cover * 0.5 * geometry.inner_width
        radius = min(0.0065, reach)
        y = geometry.height + radius
        skin = (palette.SKIN, palette.SKIN_EDGE)
        back = ((-reach + radius, y + 0.009), (reach - radius, y + 0.009), 1.1 * radius)
        self._draw_capsule(surface, back, pose, *skin)
        count = max(round(2.0 * reach / 0.0145), 1)
        width = 2.0 * reach / count
        for k in range(count):
            left = -reach + k * width
            finger = ((left + 0.44 * width, y), (left + 0.56 * width, y), min(radius, 0.44 * width))
            self._draw_capsule(surface, finger, pose, *skin)

    def _draw_capsule(
        self,
        surface: pygame.Surface,
        shape: tuple[_Point, _Point, float],
        pose: tuple[float, float, float],
        fill: Color,
        edge: Color,
    ) -> None:
        """Draw a line (m) with round ends, and its edge inside it."""
        start, end, radius = shape
        a, b = self._screen([start, end], pose)
        pixels = radius * self._layout.scale
        steps = 6 + round(pixels / 4)
        polygon(surface, capsule(a, b, pixels, steps), edge)
        polygon(surface, capsule(a, b, max(pixels - self._line, 0.5), steps), fill)

    def _draw_hammer(self, surface: pygame.Surface, blow: Blow) -> None:
        """Draw the hammer, which turns about the hand at the end of its handle."""
        geometry = self._model.geometry
        side = -1.0 if blow.side == "left" else 1.0
        wall = side * (0.5 * geometry.inner_width + geometry.wall_thickness)
        up = -1.0 if blow.height > 0.45 * geometry.height else 1.0
        pivot = (wall + side * (0.5 * _HEAD_LENGTH), blow.height + up * _HANDLE_LENGTH)
        turn = up * side * blow.gap / _HANDLE_LENGTH
        pose = (pivot[0], pivot[1], turn)
        hx, hy = 0.5 * _HEAD_LENGTH, 0.5 * _HEAD_HEIGHT
        end = -up * _HANDLE_LENGTH
        handle = ((0.0, 0.01 * up), (0.0, end), _HANDLE_RADIUS)
        head = [(-hx, end - hy), (hx, end - hy), (hx, end + hy), (-hx, end + hy)]
        bands = [
            [(a * hx, end - hy), (b * hx, end - hy), (b * hx, end + hy), (a * hx, end + hy)]
            for a, b in ((-1.0, -0.72), (0.72, 1.0))
        ]
        edge = palette.HAMMER_EDGE
        self._draw_capsule(surface, handle, pose, palette.HANDLE, edge)
        outline = self._screen(head, pose)
        polygon(surface, outline, palette.HAMMER_HEAD)
        for band in bands:
            polygon(surface, self._screen(band, pose), palette.HAMMER_BAND)
        for a, b in pairwise([*outline, outline[0]]):
            line(surface, a, b, edge, self._line)
        for k in range(4):
            height = up * (k - 1.0) * 1.6 * _FINGER
            knuckle = ((-0.007, height), (0.007, height), 0.85 * _FINGER)
            self._draw_capsule(surface, knuckle, pose, palette.SKIN, palette.SKIN_EDGE)
        if blow.spark > 0.0:
            self._draw_spark(surface, (wall, blow.height), side, blow.spark)

    def _draw_spark(
        self, surface: pygame.Surface, at: _Point, side: float, freshness: float
    ) -> None:
        x, y = self._layout.to_screen(*at)
        unit = self._layout.unit
        for k in range(7):
            turn = pi * (k / 6 - 0.5)
            dx, dy = side * cos(turn), sin(turn)
            near, far = (10 + 14 * (1 - freshness)) * unit, (16 + 26 * (1 - freshness)) * unit
            line(
                surface,
                (x + near * dx, y + near * dy),
                (x + far * dx, y + far * dy),
                palette.SPARK,
                3.0 * unit * freshness + 1.0,
            )

    def _draw_forces(self, surface: pygame.Surface, frame: Frame) -> None:
        """Draw each contact force as a line from middle to middle, thicker for a larger one."""
        contacts = frame.moment.contacts
        if contacts is None:
            return
        poses = frame.moment.poses
        to_screen, unit = self._layout.to_screen, self._layout.unit
        sizes = np.hypot(contacts.forces[:, 0], contacts.forces[:, 1])
        order = np.argsort(sizes)
        points = contacts.points.tolist()
        for k in order.tolist():
            a, b = int(contacts.a[k]), int(contacts.b[k])
            ends = [
                to_screen(*(points[k] if row < 0 else poses[row, :2].tolist())) for row in (a, b)
            ]
            width = min(2.3 * sqrt(sizes[k] / _FORCE_UNIT), 12.0) * unit
            if width > 0.4 and all(x == x for x, _ in ends):
                line(surface, ends[0], ends[1], palette.FORCE, width)

    def _draw_velocities(self, surface: pygame.Surface, frame: Frame) -> None:
        velocities = frame.moment.velocities
        if velocities is None:
            return
        to_screen = self._layout.to_screen
        for (x, y, _), (u, v) in zip(frame.moment.poses.tolist(), velocities.tolist(), strict=True):
            if x == x and u == u and hypot(u, v) > _SLOWEST_ARROW:
                end = to_screen(x + _VELOCITY_SCALE * u, y + _VELOCITY_SCALE * v)
                arrow(surface, to_screen(x, y), end, palette.VELOCITY, 1.6 * self._line)

    def _draw_heat(self, surface: pygame.Surface, frame: Frame) -> None:
        """Lay the density of the last hits over the inside."""
        heat = frame.heat
        assert heat is not None  # noqa: S101 - the caller looked
        layout, geometry = self._layout, self._model.geometry
        left, top = layout.to_screen(-0.5 * geometry.inner_width, geometry.height)
        if self._heat is None or self._heat[0] is not heat:
            size = (round(geometry.inner_width * layout.scale), round(layout.base - top))
            self._heat = (heat, pygame.transform.smoothscale(_heat_image(heat), size))
        surface.blit(self._heat[1], (round(left), round(top)))


def _heat_image(heat: np.ndarray) -> pygame.Surface:
    share = np.sqrt(heat[::-1])[:, :, None]
    low, high = np.array(palette.HEAT_LOW), np.array(palette.HEAT_HIGH)
    image = np.empty((*heat.shape, 4), dtype=np.uint8)
    image[:, :, :3] = low + share * (high - low)
    image[:, :, 3] = 225 * np.minimum(0.35 + share[:, :, 0], 1.0)
    rows, columns = heat.shape
    return pygame.image.frombuffer(image.tobytes(), (columns, rows), "RGBA")


def _edges(model: TowerModel) -> list[float]:
    """Edge of each boulder (m), by number."""
    return [2.0 * (abs(grain.vertices[0][0]) + grain.radius) for _, grain in model.all_boulders]
