"""Grains at rest touch where their outlines say."""

from __future__ import annotations

import pytest

from rocktower.tower import TowerModel
from rocktower.tower._scene import Contact, Grain, Scene, Wall

SOLVER = TowerModel.load().solver
SIZE = 12e-3  # m
DISC = Grain((), 0.5 * SIZE, 1e-3)
HALF = 0.5 * SIZE - 1e-3
SQUARE = Grain(((-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)), 1e-3, 1e-3)
FLOORS = {
    "box": Wall(((-0.1, -0.02), (0.1, -0.02), (0.1, 0.0), (-0.1, 0.0))),
    "plank": Wall(((-0.1, -3e-3), (0.1, -3e-3)), 3e-3),
}


@pytest.mark.parametrize("grain", [DISC, SQUARE], ids=["discs", "squares"])
@pytest.mark.parametrize("floor", FLOORS)
def test_a_stack_is_as_high_as_its_grains(grain, floor):
    """Half the slop on each side makes up for the slop that contacts at rest keep."""
    contact = Contact(0.5, 0.0)
    scene = Scene([FLOORS[floor]], contact, contact, SOLVER)
    for number in range(3):
        scene.add(grain, (0.0, (number + 0.5) * SIZE))
    scene.step(round(0.5 / SOLVER.time_step))
    heights = scene.read()[:, 1]
    for number, height in enumerate(heights):
        # Each contact below may keep a tenth of the slop more, under the weight of three grains.
        assert abs(height - (number + 0.5) * SIZE) < 0.1 * (number + 1) * SOLVER.slop
    scene.close()
