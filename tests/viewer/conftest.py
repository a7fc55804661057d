"""Nothing here needs a display."""

from __future__ import annotations

import os

import pytest

from rocktower import TowerModel

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from rocktower.viewer import Session


@pytest.fixture
def session(model: TowerModel) -> Session:
    """A tower that was not struck yet."""
    return Session(model, 7, "normal", 4)
