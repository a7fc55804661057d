"""The tower as a rigid body: what a blow, a hand and a table make of its motion.

Two degrees of freedom: the base slides by x and the tower tilts by theta about its base
(positive: the top goes right). The blow is an impulse. The hand is a spring and a damper at
the height where it holds, and one against tilting. The table resists by Coulomb friction and,
because a tower can only tilt over the edge of its base, by the weight's moment about that
edge (a rocking block, Housner, Bull. Seismol. Soc. Am. 53, 403, 1963). Pressing down raises
both limits, which is how pressing absorbs a blow.

Two simplifications: the boulders feel the moving walls and do not push back (all of them together
weigh about a tenth of the tower), and the inertia leaves out that tilting over an edge also lifts
the tower (a fifth of its moment of inertia for the default tower).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import TYPE_CHECKING

from rocktower.tower._scene import GRAVITY

if TYPE_CHECKING:
    from rocktower.tower._model import Body, Hammer
    from rocktower.tower._strike import Grip

__all__ = ["TowerMotion", "blow_impulse"]

_REST_SPEED = 1e-3  # m/s at the base, and of the tilt at one metre
_SUBSTEPS = 2
_SWEEPS = 4  # to settle the two dry contacts, which the mass matrix couples


def blow_impulse(body: Body, hammer: Hammer, speed: float, height: float) -> float:
    """Return the impulse (N s) of a hammer of `speed` (m/s) that strikes at `height` (m).

    Newton's restitution between the hammer and the tower's effective mass at that height,
    ``1/m + (h - c)^2 / I`` inverted: away from the centre of mass the tower yields by turning.
    """
    arm = height - body.center_height
    inverse_mass = 1.0 / body.mass + arm * arm / body.moment_of_inertia
    return (1.0 + hammer.restitution) * speed / (1.0 / hammer.mass + inverse_mass)


@dataclass(slots=True)
class TowerMotion:
    """The tower's motion after a blow, advanced step by step.

    Parameters
    ----------
    body, grip
        What moves and how it is held.
    impulse
        N s, positive to the right, at `height` (m).
    duration
        Contact time of the blow, s; the force is half a sine wave. 0 makes it impulsive.
    """

    body: Body
    grip: Grip
    impulse: float
    height: float
    duration: float
    time: float = 0.0
    x: float = 0.0
    tilt: float = 0.0
    x_rate: float = 0.0
    tilt_rate: float = 0.0
    _inverse_mass: tuple[float, float, float] = field(init=False, repr=False)
    _weight: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # The inverse of the mass matrix [[m, m c], [m c, I + m c^2]].
        mass, center = self.body.mass, self.body.center_height
        inertia = self.body.moment_of_inertia
        self._inverse_mass = (
            1.0 / mass + center * center / inertia, -center / inertia, 1.0 / inertia
        )  # fmt: skip
        self._weight = mass * GRAVITY + self.grip.pressing_force  # N, on the table

    @property
    def pose(self) -> tuple[float, float, float]:
        """Base position x, y (m) and the walls' angle (rad, counter-clockwise)."""
        # Tilting about an edge lifts the middle of the base by half its width times the tilt.
        return self.x, 0.5 * self.body.base_width * abs(sin(self.tilt)), -self.tilt

    @property
    def at_rest(self) -> bool:
        """Whether the blow is over and the tower stands still."""
        return (
            self.time > 0.0
            and self.time >= self.duration
            and self.tilt == 0.0
            and abs(self.x_rate) < _REST_SPEED
            and abs(self.tilt_rate) < _REST_SPEED
        )

    def speed_at(self, height: float) -> float:
        """Return an upper bound of the walls' speed (m/s) up to a height (m)."""
        return abs(self.x_rate) + abs(self.tilt_rate) * height

    def blow_speed(self, height: float) -> float:
        """Return the same bound for the moment after the blow, were nothing to resist it."""
        turn = self.impulse * (self.height - self.body.center_height) / self.body.moment_of_inertia
        slide = self.impulse / self.body.mass - turn * self.body.center_height
        return abs(slide) + abs(turn) * height

    def advance(self, time_step: float, count: int = 1) -> list[tuple[float, float, float]]:
        """Advance by `count` steps of `time_step` (s).

        Returns
        -------
        list
            For each step the mean velocity over it, x and y (m/s), and angular velocity (rad/s).
        """
        rate, substep = 1.0 / time_step, time_step / _SUBSTEPS
        velocities = []
        x, y, angle = self.pose
        for _ in range(count):
            for _ in range(_SUBSTEPS):
                self._substep(substep)
            x1, y1, angle1 = self.pose
            velocities.append(((x1 - x) * rate, (y1 - y) * rate, (angle1 - angle) * rate))
            x, y, angle = x1, y1, angle1
        return velocities

    def _blow(self, start: float, end: float) -> float:
        """Impulse given between two times, of which the first lies within the contact."""
        if self.duration == 0.0:
            return self.impulse if start == 0.0 else 0.0
        phase = pi / self.duration
        share = cos(min(start, self.duration) * phase) - cos(min(end, self.duration) * phase)
        return 0.5 * self.impulse * share

    def _substep(self, dt: float) -> None:
        body, grip = self.body, self.grip
        mass, center, inertia = body.mass, body.center_height, body.moment_of_inertia
        inv_xx, inv_xt, inv_tt = self._inverse_mass
        x, tilt, x_rate, tilt_rate = self.x, self.tilt, self.x_rate, self.tilt_rate
        reach = grip.height

        # Smooth forces as impulses over the substep.
        hand = -dt * (
            grip.stiffness * (x + reach * tilt) + grip.damping * (x_rate + reach * tilt_rate)
        )
        blow = self._blow(self.time, self.time + dt) if self.time <= self.duration else 0.0
        push = hand + blow
        turn = (
            hand * reach
            + blow * self.height
            - dt * (grip.rocking_stiffness * tilt + grip.rocking_damping * tilt_rate)
            + dt * mass * GRAVITY * center * tilt
        )
        x_rate = x_rate + inv_xx * push + inv_xt * turn
        tilt_rate = tilt_rate + inv_xt * push + inv_tt * turn

        # The table: friction at the base, and the moment about the edge. Both are dry: they
        # stop a motion if they can, and otherwise oppose it at their limit.
        load = self._weight * dt
        slip_limit, seat_limit = body.base_friction * load, 0.5 * body.base_width * load
        self.time += dt
        if tilt == 0.0:
            # Standing flat: the impulses that stop both motions are the momenta, reversed.
            momentum = mass * (x_rate + center * tilt_rate)
            if abs(momentum) <= slip_limit and (
                abs(center * momentum + inertia * tilt_rate) <= seat_limit
            ):
                self.x_rate = self.tilt_rate = 0.0
                return
            friction = seat = 0.0
            for _ in range(_SWEEPS):
                old = friction
                friction = _clip(friction - x_rate / inv_xx, slip_limit)
                x_rate += inv_xx * (friction - old)
                tilt_rate += inv_xt * (friction - old)
                old = seat
                seat = _clip(seat - tilt_rate / inv_tt, seat_limit)
                x_rate += inv_xt * (seat - old)
                tilt_rate += inv_tt * (seat - old)
        else:
            seat = -seat_limit if tilt > 0.0 else seat_limit
            x_rate += inv_xt * seat
            tilt_rate += inv_tt * seat
            friction = _clip(-x_rate / inv_xx, slip_limit)
            x_rate += inv_xx * friction
            tilt_rate += inv_xt * friction

        self.x = x + x_rate * dt
        self.tilt = tilt + tilt_rate * dt
        if tilt * self.tilt < 0.0:
            # The base comes down flat and the other edge strikes the table.
            self.tilt = 0.0
            tilt_rate *= body.landing_restitution
        self.x_rate = x_rate
        self.tilt_rate = tilt_rate


def _clip(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)
