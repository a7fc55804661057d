"""Silos, their arches and the laboratory."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from rocktower.tower._scene import Contacts
from rocktower.validation import Lab
from rocktower.validation._arch import shortest_chain
from rocktower.validation._references import reference
from rocktower.validation._silo import Bed, Silo, first_avalanche, later_avalanches
from rocktower.validation._units import SHAPES, D, polygon
from rocktower.validation.packing import covered_share
from rocktower.validation.pipe import steepest_fall

SMALL = {"width": 8.0, "grains": 60}


@pytest.mark.parametrize("shape", [s for s in SHAPES if s != "disc"])
def test_polygons_have_the_area_of_the_disc(shape: str) -> None:
    x, y = np.array(polygon(SHAPES[shape]).vertices).T
    area = 0.5 * abs(x @ np.roll(y, 1) - y @ np.roll(x, 1))
    assert area == pytest.approx(np.pi / 4 * D**2)


def test_a_small_outlet_clogs_and_a_large_one_empties() -> None:
    for seed in range(3):
        narrow = first_avalanche(Silo(1.3, **SMALL), 30, np.random.default_rng(seed))
        assert narrow.clogged
        assert narrow.grains < 5
        wide = first_avalanche(Silo(7.5, **SMALL), 30, np.random.default_rng(seed))
        assert not wide.clogged
        assert wide.grains >= 30


@pytest.mark.parametrize("filling", ["loose", "rain", "gentle", "tapped"])
def test_every_filling_comes_to_rest_inside(filling: str) -> None:
    bed = Bed(Silo(2.0, filling=filling, width=8.0, grains=30), np.random.default_rng(0))
    grains = bed.scene.read()
    assert grains.shape == (30, 6)
    assert (grains[:, 1] > 0.3 * D).all()
    assert (np.abs(grains[:, 0]) < 4.0 * D).all()
    assert np.hypot(grains[:, 3], grains[:, 4]).max() < 1e-2


def test_a_broken_arch_lets_more_grains_out() -> None:
    found = later_avalanches(Silo(2.5, **SMALL), 4, 200, np.random.default_rng(1))
    assert len(found) == 4
    assert all(d.clogged for d in found)
    assert sum(d.grains for d in found) > 0


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    trial = partial(first_avalanche, Silo(3.0, **SMALL), 30)
    with Lab(seed=4) as lab:
        one = lab.trials(trial, 4, "one")
        assert lab.trials(trial, 2, "again") == one[:2]
    with Lab(seed=4, jobs=2) as lab:
        assert lab.trials(trial, 4, "two") == one
    with Lab(seed=5) as lab:
        assert lab.trials(trial, 4, "other") != one


def test_the_shortest_chain_bridges_the_outlet() -> None:
    """Grains 0-1-2 form an arch; 3 and 4 a longer way over it; 5 lies on the sill alone."""
    pairs = [(0, -1), (0, 1), (1, 2), (2, -1), (0, 3), (3, 4), (4, 2), (5, -1)]
    points = np.zeros((len(pairs), 2))
    points[0], points[3], points[7] = (-D, 0.0), (D, 0.0), (-5 * D, 0.0)
    a, b = np.array(pairs).T
    contacts = Contacts(a, b, points, np.ones((len(pairs), 2)))
    pressing = np.ones(len(pairs), dtype=bool)
    heights = np.array([0.5, 1.0, 0.5, 1.5, 1.5, 0.5]) * D
    assert shortest_chain(contacts, pressing, heights) == [0, 1, 2]
    pressing[1] = False
    assert shortest_chain(contacts, pressing, heights) == [0, 3, 4, 2]
    pressing[4] = False
    assert shortest_chain(contacts, pressing, heights) == []


def test_a_square_lattice_of_discs_covers_what_it_should() -> None:
    centers = np.array([(i, j) for i in range(-2, 8) for j in range(-2, 8)], dtype=float)
    covered = covered_share(centers, (0.0, 5.0), (0.0, 5.0), points=401)
    assert covered == pytest.approx(np.pi / 4, abs=0.01)


def test_the_steepest_fall_is_located() -> None:
    assert steepest_fall([2.5, 2.6, 2.7, 2.8], [0.9, 1.0, 0.2, 0.1], 0.1) == pytest.approx(2.65)


def test_every_reference_says_where_it_comes_from() -> None:
    for name in ("j50_global", "j44_envelope", "arch_size", "pipe_drop", "j50_shapes"):
        found = reference(name)
        assert found.provenance in ("published", "digitised", "computed")
        assert found.source
        assert found.points or found.values
    assert reference("j50_global").at(4.0) == (0.718,)
