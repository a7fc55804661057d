"""Fixtures and settings that all tests share."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import settings

from rocktower import TowerModel, TowerState

if TYPE_CHECKING:
    from collections.abc import Callable

# Machines are shared: a slow example is no failure.
settings.register_profile("rocktower", deadline=None)
settings.load_profile("rocktower")


@pytest.fixture(scope="session")
def model() -> TowerModel:
    return TowerModel.load()


@pytest.fixture(scope="session")
def filled(model: TowerModel) -> Callable[[int], TowerState]:
    """Give a function from a seed to a full tower, which fills each one only once."""
    return cache(lambda seed: model.fill(np.random.default_rng(seed)))


@pytest.fixture(scope="session")
def full(filled: Callable[[int], TowerState]) -> TowerState:
    """One full tower."""
    return filled(1)
