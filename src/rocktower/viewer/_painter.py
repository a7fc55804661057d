"""From a frame to pixels: the one way in which anything here is drawn."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

import pygame

from rocktower.viewer import _palette as palette
from rocktower.viewer._layout import Layout
from rocktower.viewer._panel import PanelPainter, draw_aim, draw_banner, draw_help, draw_prompt
from rocktower.viewer._section import Section
from rocktower.viewer._text import Text

if TYPE_CHECKING:
    from rocktower.tower import TowerModel
    from rocktower.viewer._frame import Frame, Panel

__all__ = ["Painter", "draw"]

# The library that makes glyphs takes one thread at a time, and movies are saved by another one.
_DRAWING = Lock()


class Painter:
    """Draws frames, and keeps what the next frame can use again: text, sprites, the background."""

    def __init__(self) -> None:
        self._text = Text()
        self._key: tuple[tuple[int, int], TowerModel, bool] | None = None
        self._layout: Layout | None = None
        self._section: Section | None = None
        self._panel: PanelPainter | None = None
        self._room: pygame.Surface | None = None
        self._background: tuple[Panel | None, pygame.Surface] | None = None

    def layout(self, size: tuple[int, int], frame: Frame) -> Layout:
        """Return where a frame's things are on a surface of that size."""
        key = (size, frame.model, frame.panel is not None)
        if key != self._key or self._layout is None:
            self._key = key
            self._layout = Layout(size, frame.model, has_panel=frame.panel is not None)
            self._section = Section(frame.model, self._layout)
            self._panel = PanelPainter(self._layout, self._text)
            self._room = self._background = None
        return self._layout

    def draw(self, surface: pygame.Surface, frame: Frame) -> None:
        """Draw a frame over the whole surface."""
        with _DRAWING:
            self._draw(surface, frame)

    def _draw(self, surface: pygame.Surface, frame: Frame) -> None:
        layout = self.layout(surface.get_size(), frame)
        assert self._section is not None  # noqa: S101 - made with the layout
        if self._background is None or self._background[0] != frame.panel:
            if self._room is None:
                self._room = pygame.Surface(surface.get_size(), 0, surface)
                _draw_room(self._room, layout)
            background = self._room.copy()
            if frame.panel is not None and self._panel is not None:
                self._panel.draw(background, frame.panel)
            self._background = (frame.panel, background)
        surface.blit(self._background[1], (0, 0))
        surface.set_clip(pygame.Rect(layout.stage))
        self._section.draw(surface, frame)
        surface.set_clip(None)
        if frame.blow is not None and frame.blow.is_aim:
            draw_aim(surface, layout, self._text, frame.blow)
        if frame.banner is not None:
            draw_banner(surface, layout, self._text, frame.banner)
        if frame.prompt is not None:
            draw_prompt(surface, layout, self._text, frame.prompt)
        if frame.help:
            draw_help(surface, layout, self._text, frame.help)


def draw(frame: Frame, surface: pygame.Surface) -> None:
    """Draw one frame on a surface; who draws many keeps a `Painter`."""
    Painter().draw(surface, frame)


def _draw_room(surface: pygame.Surface, layout: Layout) -> None:
    """Draw the wall behind, the table, and the tower's shadow on it."""
    width, height = surface.get_size()
    surface.fill(palette.STAGE)
    top = layout.table_top
    pygame.draw.rect(surface, palette.TABLE, (0, top, width, height - top))
    pygame.draw.rect(surface, palette.TABLE_EDGE, (0, top, width, layout.px(2)))
    outer = (
        (0.5 * layout.geometry.inner_width + layout.geometry.wall_thickness) * layout.scale * 1.12
    )
    shadow = pygame.Rect(0, 0, round(2 * outer), layout.px(20))
    shadow.center = (round(layout.center), layout.base)
    fine = pygame.Surface((4 * shadow.width, 4 * shadow.height), pygame.SRCALPHA, 32)
    fine.fill((*palette.SHADOW, 0))
    pygame.draw.ellipse(fine, palette.SHADOW, fine.get_rect())
    surface.blit(pygame.transform.smoothscale(fine, shadow.size), shadow)
