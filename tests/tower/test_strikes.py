"""Strikes, strikers and grips as values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower import Grip, RocktowerError, Strike, Striker, TowerModel, TowerState


@pytest.mark.parametrize("side", ["front", "back"])
def test_front_and_back_are_never_struck(side: str) -> None:
    with pytest.raises(RocktowerError, match="never hit the front or back"):
        Strike(side, 1.0, 0.1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("strike", "says"),
    [
        (("top", 1.0, 0.1), "left or right"),
        (("left", -1.0, 0.1), "speed -1"),
        (("left", float("nan"), 0.1), "speed nan"),
        (("left", float("inf"), 0.1), "speed inf"),
        (("left", 50.0, 0.1), "0 to 20"),
        (("left", 1.0, 0.0), "height 0"),
        (("left", 1.0, float("nan")), "height nan"),
    ],
)
def test_impossible_strikes_say_why(strike, says: str) -> None:
    with pytest.raises(RocktowerError, match=says):
        Strike(*strike)


def test_a_strike_above_the_tower_is_refused(model: TowerModel, full: TowerState) -> None:
    with pytest.raises(RocktowerError, match="above the tower"):
        model.strike(full, Strike("left", 1.0, model.geometry.height + 0.01))


@given(st.integers(0, 2**63 - 1), st.sampled_from(Striker.names()))
def test_every_striker_strikes_the_tower(seed: int, name: str) -> None:
    strike = Striker.named(name).draw(np.random.default_rng(seed), 0.25)
    assert strike.side in ("left", "right")
    assert 0.025 <= strike.height <= 0.25 * 0.95
    assert 0.0 < strike.speed <= 20.0


def test_choosing_a_side_leaves_the_rest_of_the_draw_alone() -> None:
    normal = Striker.named("normal")
    free = normal.draw(np.random.default_rng(3), 0.25)
    for side in ("left", "right"):
        chosen = normal.draw(np.random.default_rng(3), 0.25, side)
        assert (chosen.speed, chosen.height) == (free.speed, free.height)
        assert chosen.side == side


def test_strikers_have_the_speeds_that_their_names_promise() -> None:
    """Median speed within five standard errors (false alarms: under 1e-6)."""
    for name in Striker.names():
        striker = Striker.named(name)
        rng = np.random.default_rng(11)
        speeds = np.log([striker.draw(rng, 0.25).speed for _ in range(2000)])
        error = speeds.std() / np.sqrt(len(speeds))
        assert abs(speeds.mean() - np.log(striker.speed)) < 5 * error
    assert (
        Striker.named("gentle").speed < Striker.named("normal").speed < Striker.named("firm").speed
    )


def test_unknown_people_are_named_with_the_known_ones() -> None:
    with pytest.raises(RocktowerError, match="choose gentle, normal, firm"):
        Striker.named("troll")
    with pytest.raises(RocktowerError, match="choose loose, held, pressed"):
        Grip.named("troll")
