"""The exact cases, and the solver at the tower's settings against them."""

from __future__ import annotations

from math import acos, cos, sin, sqrt, tan

import pytest

from rocktower.validation._units import tower_solver
from rocktower.validation.contacts import (
    arch_threshold,
    bounces,
    holds,
    incline,
    measured_threshold,
)


@pytest.mark.parametrize("width", [2.1, 2.5, 2.9])
@pytest.mark.parametrize("load", [0.0, 1.0, 20.0])
def test_the_arch_formula_balances_forces_and_torques(width: float, load: float) -> None:
    """Solve the outer disc's balance for the friction, step by step."""
    angle = acos(0.5 * (width - 1.0))
    friction = arch_threshold(width, load)
    # Contact force on the outer disc: normal n towards it, and friction t = mu n down on it.
    # No torque on a disc: the wall's friction is as large as the contact's.
    wall = 1.0 + 0.5 * (1.0 + load)  # one wall carries half of all weight
    tangential = wall
    normal = tangential / friction
    # The middle disc: both contacts carry its weight and load, and friction pulls it down.
    carried = 2.0 * (normal * sin(angle) - tangential * cos(angle))
    assert carried == pytest.approx(1.0 + load)


def test_the_arch_formula_has_its_limits() -> None:
    width = 1.0 + sqrt(3.0)  # bonds at 30 degrees
    assert arch_threshold(width, 0.0) == pytest.approx(1.5 / (1.0 + 1.5 * sqrt(3.0)))
    assert arch_threshold(2.5, 1e9) == pytest.approx(tan(acos(0.75) / 2.0))


@pytest.mark.parametrize("load", [0.0, 20.0])
@pytest.mark.parametrize("width", [2.25, 2.45, 2.65, 2.85])
def test_the_solver_finds_the_arch_threshold_within_three_percent(
    width: float, load: float
) -> None:
    assert measured_threshold(width, load, tower_solver()) == pytest.approx(1.0, abs=0.03)


def test_an_arch_needs_friction() -> None:
    assert not holds(2.5, 0.0, 0.0, tower_solver())
    assert holds(2.5, 0.0, 1.0, tower_solver())


def test_blocks_slide_and_discs_bounce_as_they_should() -> None:
    for check in incline(tower_solver()) + bounces(tower_solver()):
        assert check.passed, check
