"""Smooth shapes on a surface, from what pygame offers: filled polygons and smooth lines."""

from __future__ import annotations

from functools import cache
from math import hypot
from typing import TYPE_CHECKING

import pygame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocktower.viewer._palette import Color

__all__ = ["arrow", "card", "line", "polygon"]

_CLOSED = True


def polygon(
    surface: pygame.Surface,
    points: Sequence[tuple[float, float]],
    fill: Color,
    edge: Color | None = None,
    width: float = 1.0,
) -> None:
    """Fill a polygon with a smooth border, and draw its edge `width` px wide."""
    pygame.draw.polygon(surface, fill, points)
    if edge is None:
        pygame.draw.aalines(surface, fill, _CLOSED, points)
        return
    if width <= 1.5:
        pygame.draw.aalines(surface, edge, _CLOSED, points)
        return
    for start, end in zip(points, [*points[1:], points[0]], strict=True):
        line(surface, start, end, edge, width)


def line(
    surface: pygame.Surface,
    start: tuple[float, float],
    end: tuple[float, float],
    color: Color,
    width: float,
) -> None:
    """Draw a smooth line of any width (px)."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if width <= 1.2 or length == 0.0:
        pygame.draw.aaline(surface, color, start, end)
        return
    nx, ny = -0.5 * (width - 0.5) * dy / length, 0.5 * (width - 0.5) * dx / length
    corners = [
        (start[0] + nx, start[1] + ny),
        (end[0] + nx, end[1] + ny),
        (end[0] - nx, end[1] - ny),
        (start[0] - nx, start[1] - ny),
    ]
    pygame.draw.polygon(surface, color, corners)
    pygame.draw.aalines(surface, color, _CLOSED, corners)


def arrow(
    surface: pygame.Surface,
    start: tuple[float, float],
    end: tuple[float, float],
    color: Color,
    width: float,
) -> None:
    """Draw an arrow from start to end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if length < 1.0:
        return
    ux, uy = dx / length, dy / length
    head = min(3.0 * width + 2.0, length)
    neck = (end[0] - head * ux, end[1] - head * uy)
    line(surface, start, neck, color, width)
    side = 0.5 * head
    polygon(
        surface,
        [
            end,
            (neck[0] - side * uy, neck[1] + side * ux),
            (neck[0] + side * uy, neck[1] - side * ux),
        ],
        color,
    )


def card(
    surface: pygame.Surface, rect: tuple[int, int, int, int], color: Color, radius: int
) -> None:
    """Fill a rectangle with round corners, smoothly."""
    x, y, width, height = rect
    disc = _disc(color, radius)
    for cx, ox in ((x, 0), (x + width - radius, radius)):
        for cy, oy in ((y, 0), (y + height - radius, radius)):
            surface.blit(disc, (cx, cy), (ox, oy, radius, radius))
    pygame.draw.rect(surface, color, (x + radius, y, width - 2 * radius, height))
    pygame.draw.rect(surface, color, (x, y + radius, width, height - 2 * radius))


@cache
def _disc(color: Color, radius: int) -> pygame.Surface:
    large = pygame.Surface((radius * 8, radius * 8), pygame.SRCALPHA, 32)
    large.fill((*color, 0))
    pygame.draw.circle(large, color, (radius * 4, radius * 4), radius * 4)
    return pygame.transform.smoothscale(large, (radius * 2, radius * 2))
