"""Frames in, pixels out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest

from rocktower.viewer import Banner, Moment, Painter, draw
from rocktower.viewer import _palette as palette
from rocktower.viewer._layout import Layout
from tests.viewer.helpers import press, strike, watch

SIZES = [(1280, 720), (2560, 1440), (900, 1200), (640, 360)]


def drawn(frame, size=(1280, 720)) -> pygame.Surface:
    surface = pygame.Surface(size, 0, 32)
    draw(frame, surface)
    return surface


def pixels(frame, size=(1280, 720)) -> np.ndarray:
    return pygame.surfarray.array3d(drawn(frame, size)).astype(int)


@pytest.mark.parametrize("size", SIZES)
def test_every_boulder_is_where_it_is_and_has_its_color(session, size) -> None:
    frame = replace(session.frame(), shows_marks=False, blow=None)
    surface = drawn(frame, size)
    layout = Layout(size, frame.model)
    hand = frame.model.grip.height + 0.03
    for boulder, (x, y, _) in zip(session.state.boulders, session.state.poses, strict=True):
        if y > hand:
            px, py = layout.to_screen(x, y)
            assert surface.get_at((round(px), round(py)))[:3] == palette.BOULDER[boulder.color][0]


def test_marks_tell_the_colors_apart_without_any_color(session) -> None:
    """Each color's boulder, in gray, differs from the three others by its mark."""
    from rocktower.viewer._boulders import Boulders

    faces = {}
    for color in palette.BOULDER:
        surface = pygame.Surface((60, 60), 0, 32)
        Boulders(0.05).draw(surface, color, (30, 30), 0.4, 40, has_mark=True)
        gray = pygame.surfarray.array3d(surface).astype(float).mean(axis=2)
        face = gray[30 - 16, 30]
        faces[color] = np.abs(gray[18:43, 18:43] - face) > 40  # the mark's shape
    names = list(faces)
    for k, one in enumerate(names):
        assert faces[one].any()
        for other in names[k + 1 :]:
            assert (faces[one] != faces[other]).mean() > 0.05, (one, other)


def test_walls_levels_and_outlet(session) -> None:
    frame = replace(session.frame(), blow=None)
    surface, geometry = drawn(frame), session.model.geometry
    layout = Layout((1280, 720), session.model)

    def at(x: float, y: float) -> tuple[int, ...]:
        px, py = layout.to_screen(x, y)
        return tuple(surface.get_at((round(px), round(py))))[:3]

    middle = 0.5 * (geometry.inner_width + geometry.wall_thickness)
    for side in (-1, 1):
        assert at(side * middle, 0.2) == palette.WOOD
        assert at(side * (0.5 * geometry.outlet_width + 0.004), geometry.floor_height - 0.002) == (
            palette.WOOD
        )
    assert at(0.0, geometry.floor_height - 0.002) in (palette.INSIDE, palette.CHAMBER)
    for level in geometry.levels:
        x, y = geometry.level_edge(level)
        assert at(x, y) == palette.WOOD


def test_the_tower_moves_with_its_pose(session) -> None:
    frame = replace(session.frame(), blow=None)
    still = pixels(frame)
    moved = pixels(replace(frame, moment=Moment((0.004, 0.0, -0.03), frame.moment.poses)))
    differs = (still != moved).any(axis=2)
    layout = Layout((1280, 720), frame.model)
    assert differs[:, : layout.table_top].sum() > 5_000
    assert not differs[layout.panel[0] :].any()


def test_the_hammer_is_on_its_side(session) -> None:
    for key, columns in (("left", slice(0, 330)), ("right", slice(580, 900))):
        press(session, key)
        head = (pixels(session.frame())[columns] == palette.HAMMER_HEAD).all(axis=2)
        assert head.sum() > 500


def test_what_came_out_lies_on_the_table_in_order(session) -> None:
    for _ in range(4):
        strike(session)
    frame = replace(session.frame(), shows_marks=False)
    surface = drawn(frame)
    layout = Layout((1280, 720), frame.model)
    slots = layout.table_slots(tuple(len(hit) for hit in frame.table))
    rows = [row for hit in frame.table for row in hit]
    assert len(rows) == len(slots) > 3
    for row, (x, y) in zip(rows, slots, strict=True):
        assert y > layout.base
        assert surface.get_at((round(x), round(y)))[:3] == palette.BOULDER[frame.colors[row]][0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("groups", [(44,), (17, 0, 5, 22), (1,) * 44, ()])
def test_all_boulders_find_a_place_on_the_table(session, size, groups) -> None:
    layout = Layout(size, session.model)
    edge = session.model.boulders.largest_edge
    slots = layout.table_slots(groups)
    assert len(slots) == sum(groups)
    assert len(set(slots)) == len(slots)
    half = 0.5 * edge * layout.scale
    for x, y in slots:
        assert half <= x <= layout.stage[2] - half
        assert layout.base < y < size[1]


def test_overlays_change_the_tower_and_nothing_else(session) -> None:
    press(session, "3", "space")
    session.advance(0.2)
    plain = pixels(session.frame())
    for key in ("o", "v", "b"):
        press(session, key)
        shown = pixels(replace(session.frame(), panel=session.frame().panel))
        differs = (plain != shown).any(axis=2)
        assert differs[350:560].sum() > 2_000
        assert not differs[600:850, 100:].any()
        press(session, key)
    press(session, "o")
    assert (pixels(session.frame()) == palette.FORCE).all(axis=2).sum() > 300


def test_banner_prompt_and_help_are_drawn_over_it(session) -> None:
    frame = session.frame()
    layout = Layout((1280, 720), frame.model)
    alarmed = pixels(replace(frame, banner=Banner("DIVERGED", "why", "alarm")))
    assert (alarmed[: layout.stage[2]] == palette.ALARM).all(axis=2).sum() > 5_000
    press(session, "t", "4", "2")
    assert (pixels(session.frame()) == palette.CARD).all(axis=2)[200:700, 285:345].mean() > 0.7
    press(session, "escape", "h")
    assert (pixels(session.frame()) == palette.CARD).all(axis=2).mean() > 0.35


def test_a_painter_draws_alike_whatever_it_drew_before(session) -> None:
    painter, surface = Painter(), pygame.Surface((1280, 720), 0, 32)
    press(session, "space")
    for _ in range(20):
        session.advance(0.02)
        painter.draw(surface, session.frame())
    press(session, "g", "o")
    frame = session.frame()
    painter.draw(surface, frame)
    assert (pygame.surfarray.array3d(surface) == pixels(frame)).all()
    other = pygame.Surface((800, 600), 0, 32)
    painter.draw(other, frame)
    assert (pygame.surfarray.array3d(other) == pixels(frame, (800, 600))).all()


def test_nothing_is_made_anew_by_the_next_frame(session, monkeypatch) -> None:
    """A frame that was drawn before is drawn again from what is kept: no new surface."""
    painter, surface = Painter(), pygame.Surface((1280, 720), 0, 32)
    press(session, "space", "o")
    watch(session, 0.2)
    frame = session.frame()
    painter.draw(surface, frame)

    def forbidden(*_args: object, **_more: object) -> None:
        pytest.fail("a surface was made for a frame that was drawn before")

    monkeypatch.setattr("pygame.Surface", forbidden)
    monkeypatch.setattr("pygame.font.Font", forbidden)
    monkeypatch.setattr("pygame.transform.smoothscale", forbidden)
    painter.draw(surface, frame)


@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440)])
def test_positions_are_found_again_and_only_beside_the_tower(session, size) -> None:
    layout = Layout(size, session.model)
    for side, sign in (("left", -1), ("right", 1)):
        px, py = layout.to_screen(sign * 0.1, 0.2)
        found = layout.aim_at((round(px), round(py)))
        assert found is not None
        assert found[0] == side
        assert found[1] == pytest.approx(0.2, abs=1.5 / layout.scale)
        assert found[2] == pytest.approx(0.1 - 0.052, abs=1.5 / layout.scale)
    for spot in ((0.0, 0.2), (0.1, 0.5), (0.1, -0.01)):
        px, py = layout.to_screen(*spot)
        assert layout.aim_at((round(px), round(py))) is None
    assert layout.aim_at((size[0] - 5, size[1] // 2)) is None


def test_a_picture_without_a_panel_is_the_tower_alone(session) -> None:
    frame = replace(session.frame(), panel=None, blow=None)
    image = pixels(frame, (300, 720))
    assert (image == palette.WOOD).all(axis=2).sum() > 5_000
    assert not (image == palette.PANEL).all(axis=2).any()
