"""What is written beside and over the stage: counts, hits, history, settings, events, help."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from rocktower.tower import COLORS
from rocktower.viewer import _palette as palette
from rocktower.viewer._boulders import Boulders
from rocktower.viewer._shapes import card

if TYPE_CHECKING:
    from rocktower.viewer._frame import Banner, Blow, HitLine, Panel
    from rocktower.viewer._layout import Layout
    from rocktower.viewer._text import Text

__all__ = ["PanelPainter", "draw_aim", "draw_banner", "draw_help", "draw_prompt"]

_MARGIN = 16
_PAD = 14
_ROW = 31
_LINE = 27


class PanelPainter:
    """Draws panels, and the settings on the stage, in one layout.

    Parameters
    ----------
    layout, text
        Where everything is, and what writes.
    """

    def __init__(self, layout: Layout, text: Text) -> None:
        self.layout, self.text = layout, text
        self.px = layout.px
        x, _, width, height = layout.panel
        self.left = x + self.px(_MARGIN)
        self.width = width - 2 * self.px(_MARGIN)
        self.bottom = height - self.px(_MARGIN)
        self.boulders = Boulders(0.06)
        self.pips: dict[tuple[int, bool | None], pygame.Surface] = {}

    def draw(self, surface: pygame.Surface, panel: Panel) -> None:
        """Draw a panel."""
        self.surface, self.panel = surface, panel
        px = self.px
        pygame.draw.rect(self.surface, palette.PANEL, self.layout.panel)
        x, _, _, height = self.layout.panel
        pygame.draw.rect(self.surface, palette.RULE, (x, 0, px(1), height))
        y = px(30)
        self.write(self.panel.title, (self.left, y), 22, palette.INK, bold=True, width=self.width)
        y += px(27)
        self.write(self.panel.subtitle, (self.left, y), 14, palette.FAINT_INK, width=self.width)
        y = self.draw_counts(y + px(20))
        y = self.draw_hits(y + px(12))
        footer = px(20) * len(self.panel.footer)
        self.draw_history(y + px(12), self.bottom - footer - px(10))
        y = self.bottom - footer + px(8)
        for line in self.panel.footer:
            self.write(line, (self.left, y), 13, palette.FAINT_INK, width=self.width)
            y += px(20)
        self.draw_chips()

    def write(
        self,
        words: str,
        position: tuple[float, float],
        size: int,
        color: palette.Color,
        *,
        bold: bool = False,
        align: float = 0.0,
        width: int | None = None,
    ) -> int:
        return self.text.write(
            self.surface, words, position, self.px(size), color,
            bold=bold, align=align, width=width,
        )  # fmt: skip

    def card(self, y: int, height: int, heading: str, detail: str = "") -> int:
        """Draw an empty card with a heading; return where its content begins."""
        px = self.px
        border = (self.left - px(1), y - px(1), self.width + 2 * px(1), height + 2 * px(1))
        card(self.surface, border, palette.RULE, px(9))
        card(self.surface, (self.left, y, self.width, height), palette.CARD, px(8))
        row = y + px(20)
        self.write(heading, (self.left + px(_PAD), row), 14, palette.INK, bold=True)
        right = self.left + self.width - px(_PAD)
        self.write(detail, (right, row), 13, palette.FAINT_INK, align=1.0)
        return row + px(16)

    def boulder(self, color: str, x: float, y: float, edge: int) -> None:
        self.boulders.draw(
            self.surface, color, (x, y), 0.0, self.px(edge), has_mark=self.panel.shows_marks
        )

    def draw_counts(self, y: int) -> int:
        px, panel = self.px, self.panel
        height = px(42 + 4 * _ROW)
        limit = "" if panel.limit is None else f"color limit {panel.limit}"
        row = self.card(y, height, f"Boulders out: {sum(panel.counts)}", limit) + px(12)
        left, right = self.left + px(_PAD), self.left + self.width - px(_PAD)
        for color, count in zip(COLORS, panel.counts, strict=True):
            limited = panel.limit is not None and color != "white"
            over = limited and panel.limit is not None and count > panel.limit
            ink = palette.ALARM if over else palette.INK
            self.boulder(color, left + px(11), row, 22)
            self.write(color, (left + px(32), row), 15, ink, bold=over)
            words = f"{count} / {panel.limit}" if limited else f"{count}"
            self.write(words, (right, row), 15, ink, bold=True, align=1.0)
            self.draw_bar(left + px(100), right - px(64), row, count, color, limited=limited)
            row += px(_ROW)
        return y + height

    def draw_bar(
        self, left: int, right: int, row: int, count: int, color: str, *, limited: bool
    ) -> None:
        """Draw a row of cells, one a boulder; those beyond the limit in the color of alarm."""
        px = self.px
        cells = 11
        pitch = (right - left) / cells
        face = palette.BOULDER[color][0]
        limit = self.panel.limit if limited and self.panel.limit is not None else cells
        for k in range(cells):
            cell = pygame.Rect(
                round(left + k * pitch), row - px(6), max(round(pitch) - px(3), 2), px(12)
            )
            if k < count:
                pygame.draw.rect(
                    self.surface, palette.ALARM if k >= limit else palette.BOULDER_EDGE, cell
                )
                pygame.draw.rect(self.surface, face, cell.inflate(-2 * px(1.2), -2 * px(1.2)))
            elif k < limit:
                pygame.draw.rect(self.surface, palette.TRACK, cell)
        if limited and limit < cells:
            x = round(left + limit * pitch) - px(2)
            pygame.draw.rect(self.surface, palette.INK, (x, row - px(9), px(2), px(18)))

    def draw_hits(self, y: int) -> int:
        px, panel = self.px, self.panel
        height = px(74)
        total = len(panel.hits)
        detail = f"{total}" if panel.limit is None else f"{total} / {panel.limit}"
        limit = "" if panel.limit is None else f"hit limit {panel.limit}"
        row = self.card(y, height, f"Hits: {detail}", limit) + px(14)
        places = max(panel.limit or 0, total)
        pitch = min(px(34), (self.width - 2 * px(_PAD)) / max(places, 1))
        radius = min(px(11), round(0.42 * pitch))
        for k in range(places):
            center = (self.left + px(_PAD) + (k + 0.5) * pitch, row)
            self.draw_pip(center, radius, is_empty=panel.hits[k] if k < total else None)
        return y + height

    def draw_pip(self, center: tuple[float, float], radius: int, *, is_empty: bool | None) -> None:
        """Draw a hit: a full disc, an empty one struck through, or a place for one to come."""
        pip = self.pips.get((radius, is_empty))
        if pip is None:
            pip = self.pips[(radius, is_empty)] = self.make_pip(radius, is_empty=is_empty)
        half = 0.5 * pip.get_width()
        self.surface.blit(pip, (round(center[0] - half), round(center[1] - half)))

    def make_pip(self, radius: int, *, is_empty: bool | None) -> pygame.Surface:
        fine = 4
        size = 2 * radius + 2
        large = pygame.Surface((size * fine, size * fine), pygame.SRCALPHA, 32)
        ink = palette.TRACK if is_empty is None else palette.INK
        large.fill((*ink, 0))
        middle = (size * fine // 2, size * fine // 2)
        width = 0 if is_empty is False else self.px(2) * fine
        pygame.draw.circle(large, ink, middle, radius * fine, width)
        if is_empty:
            reach = 0.62 * radius * fine
            start = (middle[0] - reach, middle[1] + reach)
            end = (middle[0] + reach, middle[1] - reach)
            pygame.draw.line(large, ink, start, end, self.px(2) * fine)
        return pygame.transform.smoothscale(large, (size, size))

    def draw_history(self, top: int, bottom: int) -> None:
        px = self.px
        places = (bottom - top - px(46)) // px(2 * _LINE - 8)
        if places < 1:
            return
        row = self.card(top, bottom - top, "Last hits") + px(8)
        if not self.panel.history:
            self.write("none yet", (self.left + px(_PAD), row), 14, palette.FAINT_INK)
        for hit in self.panel.history[:places]:
            self.draw_line(hit, row)
            row += px(2 * _LINE - 8)

    def draw_line(self, hit: HitLine, row: int) -> None:
        px = self.px
        left, right = self.left + px(_PAD), self.left + self.width - px(_PAD)
        used = self.write(f"{hit.number}", (left, row), 14, palette.INK, bold=True)
        used = max(used, px(14)) + px(8)
        self.write(hit.strike, (left + used, row), 13, palette.FAINT_INK, width=right - left - used)
        if hit.is_diverged:
            self.write("DIVERGED", (right, row), 13, palette.ALARM, bold=True, align=1.0)
        row += px(21)
        if not hit.colors:
            self.write("empty hit", (left + used, row), 14, palette.INK, bold=True)
            return
        pitch = min(px(19), (right - left - used) / len(hit.colors))
        for k, color in enumerate(hit.colors):
            self.boulder(color, left + used + (k + 0.5) * pitch, row, 15)

    def draw_chips(self) -> None:
        px = self.px
        y = px(24)
        for name, value in self.panel.chips:
            x = px(18)
            x += self.write(name, (x, y), 13, palette.FAINT_INK) + px(7)
            self.write(value, (x, y), 13, palette.INK, bold=True)
            y += px(21)


def draw_aim(surface: pygame.Surface, layout: Layout, text: Text, blow: Blow) -> None:
    """Label where the hammer strikes, and how fast."""
    px = layout.px
    side = -1.0 if blow.side == "left" else 1.0
    outer = 0.5 * layout.geometry.inner_width + layout.geometry.wall_thickness
    x, y = layout.to_screen(side * outer, blow.height)
    far = x + side * px(196)
    pygame.draw.line(surface, palette.FAINT_INK, (x, y), (far, y), px(1))
    align = 1.0 if side < 0 else 0.0
    start = far + side * px(8)
    speed = f"{blow.speed:.2f} m/s"
    text.write(surface, speed, (start, y - px(10)), px(16), palette.INK, bold=True, align=align)
    height = f"{1000 * blow.height:.0f} mm up"
    text.write(surface, height, (start, y + px(10)), px(13), palette.FAINT_INK, align=align)


def draw_banner(surface: pygame.Surface, layout: Layout, text: Text, banner: Banner) -> None:
    """Draw an event on a band across the top of the tower."""
    px = layout.px
    is_alarm = banner.kind == "alarm"
    paper = palette.ALARM if is_alarm else palette.QUIET
    room = layout.stage[2] - px(40)

    def fitting(line: str, size: int, *, bold: bool) -> pygame.Surface:
        made = text.make(line, size, palette.ON_ALARM, bold=bold)
        if made.get_width() <= room - 2 * px(24):
            return made
        smaller = size * (room - 2 * px(24)) // made.get_width()
        return text.make(line, smaller, palette.ON_ALARM, bold=bold)

    head = fitting(banner.text, px(25), bold=True)
    detail = fitting(banner.detail, px(14), bold=False) if banner.detail else None
    width = max(head.get_width(), detail.get_width() if detail else 0) + 2 * px(24)
    height = px(76 if detail else 52)
    left = round(layout.center - 0.5 * width)
    top = px(96)  # where the tower is seldom filled
    card(surface, (left, top, width, height), paper, px(12))
    center = layout.center
    surface.blit(
        head, (round(center - 0.5 * head.get_width()), top + px(26) - head.get_height() // 2)
    )
    if detail:
        y = top + px(55) - detail.get_height() // 2
        surface.blit(detail, (round(center - 0.5 * detail.get_width()), y))


def draw_prompt(surface: pygame.Surface, layout: Layout, text: Text, prompt: str) -> None:
    """Draw a line that is being typed, in the middle of the stage."""
    px = layout.px
    width, height = px(520), px(64)
    left = round(layout.center - 0.5 * width)
    top = round(0.4 * layout.size[1])
    card(
        surface, (left - px(2), top - px(2), width + px(4), height + px(4)), palette.ACCENT, px(12)
    )
    card(surface, (left, top, width, height), palette.CARD, px(11))
    text.write(surface, prompt, (left + px(22), top + 0.5 * height), px(21), palette.INK, bold=True)


def draw_help(
    surface: pygame.Surface, layout: Layout, text: Text, lines: tuple[tuple[str, str], ...]
) -> None:
    """Draw all keys over everything, in two columns."""
    px = layout.px
    width, height = layout.size
    card_width, row = min(px(1080), width - px(20)), px(25)
    half = (len(lines) + 1) // 2
    card_height = min(px(104) + half * row, height - px(10))
    left, top = (width - card_width) // 2, (height - card_height) // 2
    card(
        surface,
        (left - px(2), top - px(2), card_width + 2 * px(2), card_height + 2 * px(2)),
        palette.QUIET,
        px(14),
    )
    card(surface, (left, top, card_width, card_height), palette.CARD, px(13))
    text.write(surface, "Keys", (left + px(28), top + px(34)), px(22), palette.INK, bold=True)
    text.write(
        surface, "any key closes this", (left + card_width - px(28), top + px(34)), px(14),
        palette.FAINT_INK, align=1.0,
    )  # fmt: skip
    for k, (key, meaning) in enumerate(lines):
        column, place = divmod(k, half)
        x = left + px(28) + column * (card_width - px(28)) // 2
        y = top + px(76) + place * row
        text.write(surface, key, (x, y), px(14), palette.ACCENT, bold=True)
        text.write(
            surface, meaning, (x + px(152), y), px(14), palette.INK, width=card_width // 2 - px(190)
        )
