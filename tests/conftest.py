"""Fixtures and settings that all tests share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

from rocktower import TowerModel, TowerState

# Machines are shared: a slow example is no failure.
settings.register_profile("rocktower", deadline=None)
settings.load_profile("rocktower")


@pytest.fixture(scope="session")
def model() -> TowerModel:
    return TowerModel.load()


@pytest.fixture(scope="session")
def full(model: TowerModel) -> TowerState:
    """One full tower."""
    return model.fill(np.random.default_rng(1))
