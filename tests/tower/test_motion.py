"""The tower as a body, against exact mechanics."""

from __future__ import annotations

from dataclasses import replace
from math import exp, pi, sqrt

import pytest

from rocktower.tower import Body, Grip, Hammer
from rocktower.tower._motion import TowerMotion, blow_impulse
from rocktower.tower._scene import GRAVITY

BODY = Body(0.5, 0.14, 0.004, 0.09, 0.35)
HAMMER = Hammer(0.09, 0.5, 0.0005)
FREE = Grip("free", 0.06, 0.0, 0.0, 0.0, 0.0, 0.0)
# So heavy a turn that the tower cannot tilt: what is left is sliding.
STIFF = replace(BODY, moment_of_inertia=1e6)


def run(motion: TowerMotion, until: float, step: float = 1e-4) -> None:
    while motion.time < until - 1e-12:
        motion.advance(step)


def test_blow_at_the_center_is_a_collision_of_two_masses() -> None:
    impulse = blow_impulse(BODY, HAMMER, 2.0, BODY.center_height)
    assert impulse == pytest.approx(1.5 * 2.0 / (1 / 0.09 + 1 / 0.5))
    # Energy of the pair falls by the restitution, squared, in the centre-of-mass frame.
    hammer_after = 2.0 - impulse / 0.09
    tower_after = impulse / 0.5
    assert tower_after - hammer_after == pytest.approx(0.5 * 2.0)


def test_blow_off_the_center_gives_less_impulse() -> None:
    center = blow_impulse(BODY, HAMMER, 2.0, 0.14)
    assert blow_impulse(BODY, HAMMER, 2.0, 0.24) < center
    assert blow_impulse(BODY, HAMMER, 2.0, 0.04) == pytest.approx(
        blow_impulse(BODY, HAMMER, 2.0, 0.24)
    )


@pytest.mark.parametrize("pressing", [0.0, 5.0, 60.0])
def test_sliding_stops_at_the_coulomb_distance(pressing: float) -> None:
    """v^2 / (2 a) with a = friction * (m g + pressing force) / m."""
    motion = TowerMotion(STIFF, replace(FREE, pressing_force=pressing), 0.2, 0.14, 0.0)
    run(motion, 1.0)
    speed = 0.2 / 0.5
    deceleration = 0.35 * (0.5 * GRAVITY + pressing) / 0.5
    assert motion.x_rate == 0.0
    assert motion.x == pytest.approx(speed**2 / (2 * deceleration), rel=0.01)


def test_a_hand_on_ice_is_a_damped_oscillator() -> None:
    ice = replace(STIFF, base_friction=0.0)
    grip = replace(FREE, stiffness=400.0, damping=4.0)
    motion = TowerMotion(ice, grip, 0.2, 0.14, 0.0)
    omega = sqrt(400.0 / 0.5)
    zeta = 4.0 / (2 * sqrt(400.0 * 0.5))
    damped = omega * sqrt(1 - zeta**2)
    run(motion, pi / damped / 2)  # a quarter of a period
    assert motion.x == pytest.approx(0.4 / damped * exp(-zeta * omega * motion.time), rel=0.01)


def test_rocking_lasts_as_long_as_its_moment_needs() -> None:
    """A tower that only tilts, struck by a pure turn, comes back after 2 omega / alpha."""
    body = replace(BODY, base_friction=1e3)  # does not slide
    motion = TowerMotion(body, FREE, 1e-9, 0.14, 0.0)
    motion.advance(1e-4)
    motion.tilt_rate = rate = 0.3
    motion.tilt = 1e-9
    inertia = body.moment_of_inertia + body.mass * body.center_height**2
    alpha = 0.5 * body.base_width * body.mass * GRAVITY / inertia
    start = motion.time
    while motion.tilt > 0.0:
        motion.advance(1e-4)
    # The weight's moment shrinks a little as the tower tilts, which the formula leaves out.
    assert motion.time - start == pytest.approx(2 * rate / alpha, rel=0.03)
    assert abs(motion.tilt_rate) == pytest.approx(rate * body.landing_restitution, rel=0.05)


def test_pressing_absorbs_the_blow() -> None:
    reach = {}
    for pressing in (5.0, 60.0):
        motion = TowerMotion(BODY, replace(FREE, pressing_force=pressing), 0.17, 0.2, 0.0)
        far = 0.0
        while not motion.at_rest or motion.time == 0.0:
            motion.advance(1e-4)
            far = max(far, abs(motion.x + 0.25 * motion.tilt))
        reach[pressing] = far
    assert reach[60.0] < 0.5 * reach[5.0]


@pytest.mark.parametrize("duration", [0.0, 3e-4, 1e-3])
def test_the_blow_gives_its_impulse_whatever_its_duration(duration: float) -> None:
    ice = replace(STIFF, base_friction=0.0)
    motion = TowerMotion(ice, FREE, 0.2, 0.14, duration)
    run(motion, 0.01, 2.5e-3)
    assert motion.x_rate == pytest.approx(0.4, rel=1e-6)


@pytest.mark.parametrize("grip", Grip.names())
def test_halving_the_step_does_not_change_the_motion(grip: str) -> None:
    ends = []
    for step in (2e-3, 1e-3, 1e-4):
        motion = TowerMotion(BODY, Grip.named(grip), 0.17, 0.18, 5e-4)
        far = 0.0
        while motion.time < 0.4 - 1e-9:
            motion.advance(step)
            far = max(far, abs(motion.tilt))
        ends.append((motion.x, far))
    for end in ends[:2]:
        assert end[0] == pytest.approx(ends[2][0], abs=3e-4)
        assert end[1] == pytest.approx(ends[2][1], abs=2e-3)


def test_every_blow_comes_to_rest() -> None:
    for grip in Grip.names():
        for speed in (0.0, 0.3, 3.0, 20.0):
            impulse = blow_impulse(BODY, HAMMER, speed, 0.25)
            motion = TowerMotion(BODY, Grip.named(grip), impulse, 0.25, 5e-4)
            run(motion, 4.0, 2e-3)
            assert motion.at_rest, (grip, speed)
