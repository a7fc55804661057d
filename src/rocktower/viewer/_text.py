"""Text: the fonts, and every piece of text as a surface that is made once."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pygame
import pygame.font

__all__ = ["Text"]

_SMOOTH = True
_MOST = 600  # pieces of text that are kept


class Text:
    """Writes on surfaces."""

    def __init__(self) -> None:
        pygame.font.init()
        self._fonts: dict[tuple[int, bool], pygame.font.Font] = {}
        self._made: dict[tuple[str, int, tuple[int, int, int], bool], pygame.Surface] = {}

    def make(
        self, text: str, size: int, color: tuple[int, int, int], *, bold: bool = False
    ) -> pygame.Surface:
        """Return a text as a surface; `size` is the height of a line, px."""
        key = (text, size, color, bold)
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= _MOST:
                self._made.clear()
            made = self._made[key] = self._font(size, bold=bold).render(text, _SMOOTH, color)
        return made

    def write(
        self,
        surface: pygame.Surface,
        text: str,
        position: tuple[float, float],
        size: int,
        color: tuple[int, int, int],
        *,
        bold: bool = False,
        align: float = 0.0,
        width: int | None = None,
    ) -> int:
        """Write a line, its middle at the height of `position`; return its width.

        `align` is 0 for text that begins there, 0.5 for centered, 1 for text that ends there.
        What is wider than `width` ends in an ellipsis.
        """
        made = self.make(text, size, color, bold=bold)
        if width is not None and made.get_width() > width:
            short = text
            while short and made.get_width() > width:
                short = short[:-1]
                made = self._font(size, bold=bold).render(short.rstrip() + "…", _SMOOTH, color)
            self._made[(text, size, color, bold)] = made
        x = position[0] - align * made.get_width()
        surface.blit(made, (round(x), round(position[1] - 0.5 * made.get_height())))
        return int(made.get_width())

    def _font(self, size: int, *, bold: bool) -> pygame.font.Font:
        key = (size, bold)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(_file(bold=bold), max(size, 6))
        return self._fonts[key]


def _file(*, bold: bool) -> str | None:
    """Return DejaVu Sans, which comes with matplotlib; None stands for pygame's own font."""
    spec = find_spec("matplotlib")  # finds it without importing it
    if spec is None or spec.origin is None:
        return None
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    path = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / name
    return str(path) if path.is_file() else None
