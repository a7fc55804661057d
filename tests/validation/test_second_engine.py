"""The second engine's scene answers as the first one's."""

from __future__ import annotations

import numpy as np
import pytest

from rocktower import Strike, TowerModel
from rocktower.tower import Contact, Solver, _dynamics
from rocktower.tower._scene import Scene, Wall

pytest.importorskip("pyb2d3")

from rocktower.validation._box_scene import BoxScene
from rocktower.validation._silo import Silo, first_avalanche
from rocktower.validation._units import SPEED, T0, D, disc, polygon

FLOOR = Wall(((-0.5, -0.05), (0.5, -0.05), (0.5, 0.0), (-0.5, 0.0)))


def scenes(contact: Contact) -> list[Scene]:
    solver = Solver(time_step=5e-4, iterations=40)
    return [make([FLOOR], contact, contact, solver) for make in (Scene, BoxScene)]


def test_grains_fall_slide_and_rest_alike() -> None:
    read = []
    for scene in scenes(Contact(0.4, 0.0)):
        scene.add(disc(), (0.0, 5 * D), 0.3, (SPEED, 0.0))
        scene.add(polygon(4), (0.1, 0.54 * D), np.pi / 4, (4 * SPEED, 0.0))
        scene.step(round(2 * T0 / scene.time_step))
        flying = scene.read()[0]
        scene.step(round(18 * T0 / scene.time_step))
        read.append((flying, scene.read()[1]))
    (flying, slid), (flying_box, slid_box) = read
    np.testing.assert_allclose(flying_box, flying, rtol=0.01, atol=1e-5)
    # Coulomb: v^2 / (2 mu g) = 20 d.
    assert slid[0] - 0.1 == pytest.approx(20 * D, rel=0.05)
    assert slid_box[0] - 0.1 == pytest.approx(20 * D, rel=0.05)
    assert abs(slid_box[3]) < 1e-3


def test_pieces_of_wall_and_grains_can_be_taken_away() -> None:
    for scene in scenes(Contact(0.4, 0.0)):
        plug = scene.add_wall(Wall(((0.0, 0.1), (0.05, 0.1), (0.05, 0.11), (0.0, 0.11))))
        first = scene.add(disc(), (0.02, 0.117))
        second = scene.add(disc(), (-0.1, 0.5 * D))
        scene.step(50)
        assert scene.read()[first, 1] > 0.11
        scene.remove_wall(plug)
        scene.remove(second)
        scene.step(100)
        assert scene.read()[first, 1] < 0.11
        assert np.isnan(scene.read()[second]).all()


def test_moving_walls_carry_what_stands_on_them() -> None:
    for scene in scenes(Contact(0.4, 0.0)):
        scene.add(polygon(4), (0.0, 0.443 * D), np.pi / 4)
        scene.move_walls((0.01, 0.0), 0.1)
        scene.step(400)
        x, y, angle = scene.walls_pose
        assert (x, y, angle) == pytest.approx((0.002, 0.0, 0.02), abs=1e-5)
        assert scene.read()[0, 0] == pytest.approx(0.002, abs=5e-4)
        scene.move_walls((0.0, 0.0), 0.0)
        scene.fix_walls()


def test_the_tower_and_the_silo_run_in_the_second_engine() -> None:
    model = TowerModel.load()
    state = _dynamics.fill(model, np.random.default_rng(0), BoxScene)
    assert len(state.inside) == 44
    quiet = _dynamics.strike(model, state, Strike("left", 0.0, 0.1), None, make_scene=BoxScene)
    assert quiet.hit.is_empty
    out = 0
    for side in ("left", "right", "left", "right"):
        result = _dynamics.strike(model, state, Strike(side, 2.5, 0.18), None, make_scene=BoxScene)  # type: ignore[arg-type]
        state = result.state
        out += len(result.hit)
    assert out > 0
    assert len(state.inside) == 44 - out
    narrow = Silo(1.3, width=8.0, grains=40, make_scene=BoxScene)
    assert first_avalanche(narrow, 30, np.random.default_rng(0)).clogged
