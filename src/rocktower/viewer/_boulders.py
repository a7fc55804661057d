"""Boulders as sprites: drawn large once for a size, a turn and a color, then only copied."""

from __future__ import annotations

from collections import OrderedDict
from math import ceil, cos, pi, sin
from typing import TYPE_CHECKING

import pygame

from rocktower.viewer._palette import BOULDER, BOULDER_EDGE, MARK, dimmed

if TYPE_CHECKING:
    from rocktower.viewer._palette import Color

__all__ = ["Boulders"]

_FINE = 4  # sprites are drawn this many times larger
_SHIFTS = 2  # places within a pixel, each way
_MOST = 20_000  # sprites that are kept


class Boulders:
    """Draws boulders: a cache of sprites.

    Parameters
    ----------
    roundness
        Radius of a boulder's edges as a share of its edge.
    """

    def __init__(self, roundness: float) -> None:
        self._roundness = max(roundness, 0.04)
        self._sprites: OrderedDict[tuple[str, int, int, int, int, bool, bool], pygame.Surface] = (
            OrderedDict()
        )

    def draw(
        self,
        surface: pygame.Surface,
        color: str,
        position: tuple[float, float],
        angle: float,
        edge: float,
        *,
        has_mark: bool,
        is_dim: bool = False,
    ) -> None:
        """Draw a boulder with its middle at a position (px), turned by an angle (rad)."""
        halves = max(round(2.0 * edge), 6)
        # As fine as shifts a corner by less than half a pixel; a quarter turn changes nothing.
        turns = max(round(0.5 * pi * edge), 8)
        turn = round(angle / (0.5 * pi) * turns) % turns
        size = ceil(0.5 * halves * 1.42) + 4
        x, y = position[0] - 0.5 * size, position[1] - 0.5 * size
        left, top = int(x // 1), int(y // 1)
        shift_x, shift_y = int((x - left) * _SHIFTS), int((y - top) * _SHIFTS)
        key = (color, halves, turn, shift_x, shift_y, has_mark, is_dim)
        sprite = self._sprites.get(key)
        if sprite is None:
            shift = ((shift_x + 0.5) / _SHIFTS, (shift_y + 0.5) / _SHIFTS)
            sprite = self._make(
                color, 0.5 * halves, 0.5 * pi * turn / turns, shift, size,
                has_mark=has_mark, is_dim=is_dim,
            )  # fmt: skip
            self._sprites[key] = sprite
            if len(self._sprites) > _MOST:
                self._sprites.popitem(last=False)
        surface.blit(sprite, (left, top))

    def _make(
        self,
        color: str,
        edge: float,
        angle: float,
        shift: tuple[float, float],
        size: int,
        *,
        has_mark: bool,
        is_dim: bool,
    ) -> pygame.Surface:
        face, mark = BOULDER[color]
        if is_dim:
            face, mark = dimmed(face), dimmed(mark)
        large = pygame.Surface((size * _FINE, size * _FINE), pygame.SRCALPHA, 32)
        large.fill((*BOULDER_EDGE, 0))  # so that the rim fades into its own color
        middle = tuple((0.5 * size + s) * _FINE for s in shift)
        rim = max(0.055 * edge, 0.9)
        for half, radius, paint in (
            (0.5 * edge, self._roundness * edge, BOULDER_EDGE),
            (0.5 * edge - rim, max(self._roundness * edge - rim, 0.04 * edge), face),
        ):
            points = _rounded_square(half * _FINE, radius * _FINE)
            pygame.draw.polygon(large, paint, _turned(points, -angle, middle))
        if has_mark:
            _draw_mark(large, MARK[color], mark, middle, 0.5 * edge * _FINE, -angle)
        return pygame.transform.smoothscale(large, (size, size))


def _rounded_square(half: float, radius: float) -> list[tuple[float, float]]:
    inner = half - radius
    points = []
    for corner in range(4):
        cx = inner if corner in (0, 3) else -inner
        cy = inner if corner in (0, 1) else -inner
        for k in range(5):
            turn = 0.5 * pi * (corner + k / 4)
            points.append((cx + radius * cos(turn), cy + radius * sin(turn)))
    return points


def _turned(
    points: list[tuple[float, float]], angle: float, middle: tuple[float, ...]
) -> list[tuple[float, float]]:
    c, s = cos(angle), sin(angle)
    return [(middle[0] + c * x - s * y, middle[1] + s * x + c * y) for x, y in points]


def _draw_mark(
    surface: pygame.Surface,
    mark: str,
    color: Color,
    middle: tuple[float, ...],
    half: float,
    angle: float,
) -> None:
    center = (round(middle[0]), round(middle[1]))
    if mark == "disc":
        pygame.draw.circle(surface, color, center, round(0.42 * half))
    elif mark == "ring":
        pygame.draw.circle(surface, color, center, round(0.55 * half), max(round(0.2 * half), 1))
    elif mark == "diamond":
        reach = 0.58 * half
        points = [(reach, 0.0), (0.0, reach), (-reach, 0.0), (0.0, -reach)]
        pygame.draw.polygon(surface, color, _turned(points, angle, middle))
    else:
        long, thick = 0.6 * half, 0.17 * half
        for arm in ((long, thick), (thick, long)):
            points = [(sx * arm[0], sy * arm[1]) for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
            pygame.draw.polygon(surface, color, _turned(points, angle, middle))
