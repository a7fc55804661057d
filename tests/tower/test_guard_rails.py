"""Whatever one does to a tower, nothing is lost, nothing passes a wall, nothing hangs."""

from __future__ import annotations

import gc
import resource
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocktower import Outcome, Strike, TowerModel, TowerState
from rocktower.tower import COLORS
from rocktower.tower._dynamics import _Run
from rocktower.tower._scene import Scene

DEFAULT = TowerModel.load()
LARGEST = DEFAULT.boulders.largest_edge


def colors(count: int) -> tuple[tuple[str, int], ...]:
    shares = [count // 4 + (k < count % 4) for k in range(4)]
    return tuple((c, n) for c, n in zip(COLORS, shares, strict=True) if n)


def with_boulders(count: int, model: TowerModel = DEFAULT) -> TowerModel:
    return replace(model, boulders=replace(model.boulders, colors=colors(count)))


def with_geometry(**changes: object) -> TowerModel:
    return replace(DEFAULT, geometry=replace(DEFAULT.geometry, **changes))  # type: ignore[arg-type]


ODD = {
    "default": DEFAULT,
    "narrow outlet": with_geometry(outlet_width=LARGEST * 1.02),
    "one boulder": with_boulders(1),
    "a hundred boulders": with_boulders(100),
    "no levels": with_geometry(levels=()),
    "no levels, no floor": with_geometry(levels=(), outlet_width=DEFAULT.geometry.inner_width),
    "narrow tower": replace(
        with_geometry(inner_width=LARGEST * 1.3, outlet_width=LARGEST * 1.1, levels=()),
        boulders=replace(DEFAULT.boulders, colors=colors(8)),
    ),
    "slippery": replace(
        DEFAULT,
        boulder_contact=replace(DEFAULT.boulder_contact, friction=0.0),
        wall_contact=replace(DEFAULT.wall_contact, friction=0.0),
    ),
    "bouncy": replace(
        DEFAULT,
        boulder_contact=replace(DEFAULT.boulder_contact, restitution=0.9),
        wall_contact=replace(DEFAULT.wall_contact, restitution=0.9),
    ),
}


def check(model: TowerModel, state: TowerState) -> None:
    """No boulder is lost, beyond a wall, or nowhere."""
    assert len(state.inside) + len(state.outside) == len(state.boulders)
    inside = state.poses[state.is_inside]
    assert np.isfinite(inside).all()
    geometry = model.geometry
    half = 0.5 * geometry.inner_width
    below_rim = inside[inside[:, 1] < geometry.height]
    # A centre that is nearer to the wall than the smallest half edge would be inside the wall.
    assert (np.abs(below_rim[:, 0]) < half - 0.3 * model.boulders.edge).all()
    # In the floor beside the outlet?
    low = inside[inside[:, 1] < geometry.floor_height - geometry.plank_thickness]
    assert (np.abs(low[:, 0]) < 0.5 * geometry.outlet_width).all()


@cache
def filled(name: str, seed: int) -> TowerState:
    return ODD[name].fill(np.random.default_rng(seed))


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("speed", [1.5, 20.0])
def test_nothing_is_lost_in_odd_towers(name: str, speed: float) -> None:
    model = ODD[name].held("loose" if speed > 10 else "held")
    for seed in range(2):
        rng = np.random.default_rng([seed, 1])
        state = filled(name, seed)
        check(model, state)
        for number in range(3):
            strike = Strike(
                "left" if number % 2 else "right",
                speed,
                model.geometry.height * (0.2 + 0.3 * number),
            )
            inside = len(state.inside)
            result = model.strike(state, strike, rng)
            check(model, result.state)
            assert isinstance(result.outcome, Outcome)
            assert result.duration < 4.1
            out = {b.id for b in result.hit.boulders}
            assert len(out) == len(result.hit)
            assert not out & {b.id for b in result.state.inside}
            # What jumped out and would not stay when dropped back in is outside as well.
            lost = inside - len(result.hit) - len(result.state.inside)
            assert 0 <= lost <= len(result.jumped) * inside
            state = result.state


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    speed=st.floats(0.0, 20.0),
    height=st.floats(0.01, 0.25),
    side=st.sampled_from(["left", "right"]),
    grip=st.sampled_from(["loose", "held", "pressed"]),
    cover=st.floats(0.0, 1.0),
)
def test_any_strike_keeps_every_boulder(seed, speed, height, side, grip, cover) -> None:
    model = DEFAULT.held(grip, cover)
    rng = np.random.default_rng(seed)
    result = model.strike(model.fill(rng), Strike(side, speed, height), rng)
    check(model, result.state)
    assert len(result.state.inside) + len(result.hit) == 44


def test_an_unfillable_tower_says_so_in_its_state() -> None:
    state = ODD["no levels, no floor"].fill(np.random.default_rng(0))
    assert len(state.outside) == 44


def resident() -> float:
    """Memory of this process now, kB; its largest so far where the system tells no more."""
    gc.collect()
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize() / 1024
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (1024 if sys.platform == "darwin" else 1)


def test_ten_thousand_strikes_do_not_grow_the_memory() -> None:
    model = with_boulders(2)
    state = model.fill(np.random.default_rng(0))
    rng = np.random.default_rng(1)

    def strike(times: int) -> None:
        nonlocal state
        for _ in range(times):
            result = model.strike(state, Strike("left", 0.3, 0.1))
            state = model.drop_in(result.state, result.state.outside, rng)

    strike(1_000)
    before = resident()
    strike(9_000)
    assert resident() - before < 8_000


def test_building_and_reading_a_full_tower_keeps_no_memory() -> None:
    """The engine's buffer of what it reads out is never freed, so there may be one only."""
    state = DEFAULT.fill(np.random.default_rng(0))
    calm = replace(DEFAULT, solver=replace(DEFAULT.solver, warm_up_steps=0))

    def build(times: int) -> None:
        for _ in range(times):
            _Run(calm, state, 0.0, Scene).end()

    build(300)
    before = resident()
    build(3_000)  # a buffer each would be 10 MB
    assert resident() - before < 3_000
