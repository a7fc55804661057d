"""A scene of walls and grains: the one place that knows the rigid-body engine.

Everything outside speaks SI. The engine computes in millimetres, where its one absolute
length, the collision slop, is easy to place between rounding and a grain.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import pymunk
import pymunk.batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["GRAVITY", "Contact", "Contacts", "Grain", "Scene", "Solver", "Wall"]

GRAVITY = 9.81  # m/s^2

_MM = 1000.0  # engine lengths per metre
_SLEEP_AFTER = 0.05  # s
_SLEEP_SPEED = 3e-3  # m/s
_MOTION_FIELDS = (
    pymunk.batch.BodyFields.POSITION
    | pymunk.batch.BodyFields.ANGLE
    | pymunk.batch.BodyFields.VELOCITY
    | pymunk.batch.BodyFields.ANGULAR_VELOCITY
)
_BODY_FIELDS = pymunk.batch.BodyFields.BODY_ID | _MOTION_FIELDS
_TO_ENGINE = np.array([_MM, _MM, 1.0, _MM, _MM, 1.0])
_TO_SI = 1.0 / _TO_ENGINE
_ARBITER_FIELDS = (
    pymunk.batch.ArbiterFields.BODY_A_ID
    | pymunk.batch.ArbiterFields.BODY_B_ID
    | pymunk.batch.ArbiterFields.TOTAL_IMPULSE
    | pymunk.batch.ArbiterFields.POINT_A_1
)


@dataclass(frozen=True, slots=True)
class Contact:
    """How two surfaces meet: Coulomb friction and Newton's restitution, both of the *pair*."""

    friction: float
    restitution: float


@dataclass(frozen=True, slots=True)
class Solver:
    """Numerical settings of the contact solver.

    Parameters
    ----------
    time_step
        Seconds.
    iterations
        Sweeps of the sequential-impulse solver per step. Too few lose arches that friction
        holds (Unger et al., PRE 65, 061305: an unconverged solver acts like elasticity).
    slop
        Overlap that is left alone, m; a few thousandths of a grain. Contacts that rest keep it, so
        shapes are larger by half of it: then grains at rest touch where they should, and an arch
        is as flat as it is drawn.
    overlap_removed
        Share of the remaining overlap that a step removes, 0 to 1. Grains that flow overlap more
        the slower this is, as if they were smaller, and clog less.
    warm_up_steps, warm_up_iterations
        A scene built from positions has no contact impulses yet; a few steps of many
        iterations find them before the pile can sag.
    """

    time_step: float
    iterations: int
    slop: float = 4e-5
    overlap_removed: float = 0.2
    warm_up_steps: int = 3
    warm_up_iterations: int = 400


@dataclass(frozen=True, slots=True)
class Wall:
    """A convex piece of wall, m: one to many vertices, rounded by `radius`.

    Two vertices make a plank of thickness ``2 * radius``.
    """

    vertices: tuple[tuple[float, float], ...]
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Grain:
    """A movable convex body.

    Parameters
    ----------
    vertices
        Corners around the centre of mass, m; empty for a disc.
    radius
        Radius of a disc, or by how much a polygon's edges are rounded outwards, m.
    mass
        kg. The moment of inertia follows from the outline.
    """

    vertices: tuple[tuple[float, float], ...]
    radius: float
    mass: float


@dataclass(frozen=True, slots=True)
class Contacts:
    """All contacts of the last step: where they act (m) and how hard (N, vector on grain a)."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    points: NDArray[np.float64]
    forces: NDArray[np.float64]


# A tower is built anew, of the same grains, twice a strike, and to make a grain's body takes about
# as long as to step it thirty times. So what a closed scene leaves is used again. That leaves no
# trace: what follows is the same to the last bit as with new bodies.
_Piece = tuple[pymunk.Body, pymunk.Shape]
_used: defaultdict[tuple[Grain, Contact, float], list[_Piece]] = defaultdict(list)
_MOST_USED = 2_000  # kinds of grains; models without end must not fill the memory


def _take_grain(grain: Grain, contact: Contact, margin: float) -> _Piece:
    """Return a grain's body and shape, used or new, at rest."""
    used = _used.get((grain, contact, margin))
    return used.pop() if used else _make_grain(grain, contact, margin)


def _make_grain(grain: Grain, contact: Contact, margin: float) -> _Piece:
    corners, radius = [(x * _MM, y * _MM) for x, y in grain.vertices], grain.radius * _MM
    if corners:
        moment = pymunk.moment_for_poly(grain.mass, corners, radius=radius)
    else:
        moment = pymunk.moment_for_circle(grain.mass, 0.0, radius)
    body = pymunk.Body(grain.mass, moment)
    shape = _make_shape(body, corners, radius + margin * _MM)
    shape.friction, shape.elasticity = _roots(contact)
    return body, shape


def _roots(contact: Contact) -> tuple[float, float]:
    """Friction and restitution of one of two alike shapes that meet so.

    The engine multiplies the two shapes' values, so a pair value needs its root. A frictionless
    grain may still meet a rough wall, so the roots stay above zero.
    """
    return max(sqrt(contact.friction), 1e-6), max(sqrt(contact.restitution), 1e-6)


def _make_shape(
    body: pymunk.Body, corners: Sequence[tuple[float, float]], radius: float
) -> pymunk.Shape:
    if not corners:
        return pymunk.Circle(body, radius)
    if len(corners) == 2:
        return pymunk.Segment(body, corners[0], corners[1], radius)
    return pymunk.Poly(body, corners, radius=radius)


class _Local(threading.local):
    def __init__(self) -> None:
        self.buffer = pymunk.batch.Buffer()


_local = _Local()  # one buffer a thread, because the engine never frees a buffer's memory


class Scene:
    """Walls and grains in one space, stepped with a constant time step.

    The walls are one kinematic body: they move exactly as they are told and feel nothing.
    Grains are numbered in the order in which they are added. The outcome depends on that
    order (the solver sweeps contacts one after another), so callers keep it fixed.

    Parameters
    ----------
    walls
        The pieces of the wall, in the walls' own frame.
    grain_contact, wall_contact
        Pair values for grain on grain and grain on wall.
    solver
        Numerical settings.
    gravity
        m/s^2, downwards.
    """

    def __init__(
        self,
        walls: Iterable[Wall],
        grain_contact: Contact,
        wall_contact: Contact,
        solver: Solver,
        gravity: float = GRAVITY,
    ) -> None:
        self._solver = solver
        self._margin = 0.5 * solver.slop
        self.time_step = solver.time_step
        space = self._space = pymunk.Space()
        space.gravity = (0.0, -gravity * _MM)
        space.iterations = solver.iterations
        space.collision_slop = solver.slop * _MM
        self._set_bias()
        self._grain_contact = grain_contact
        self._wall_contact = wall_contact
        self._walls = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        space.add(self._walls)
        self._pieces: dict[int, pymunk.Shape] = {}
        for wall in walls:
            self.add_wall(wall)
        self._grains: list[tuple[Grain, _Piece] | None] = []
        self._index: dict[int, int] = {self._walls.id: -1}
        self._ids = b""
        self._rows = np.array([], dtype=np.intp)

    def _set_bias(self) -> None:
        # The engine's knob is the share of overlap left after one second.
        left = (1.0 - self._solver.overlap_removed) ** (1.0 / self.time_step)
        self._space.collision_bias = max(left, 1e-300)  # very small steps: not down to zero

    def set_time_step(self, time_step: float) -> None:
        """Use another time step (s) from now on, with the same overlap removed per step."""
        if time_step != self.time_step:
            self.time_step = time_step
            self._set_bias()

    def add(
        self,
        grain: Grain,
        position: tuple[float, float],
        angle: float = 0.0,
        velocity: tuple[float, float] = (0.0, 0.0),
    ) -> int:
        """Put a grain at a place (m, rad) with a velocity (m/s); return its number."""
        body, shape = _take_grain(grain, self._grain_contact, self._margin)
        # Placed before it joins the space: the bounding-box tree must not see it move.
        body.position = (position[0] * _MM, position[1] * _MM)
        body.angle = angle
        body.velocity = (velocity[0] * _MM, velocity[1] * _MM)
        self._space.add(body, shape)
        number = self._index[body.id] = len(self._grains)
        self._grains.append((grain, (body, shape)))
        return number

    def add_pile(self, grains: Sequence[Grain], poses: NDArray[np.float64]) -> None:
        """Put grains at rest into a scene that has none, at poses of shape (n, 3), in m and rad."""
        contact, margin = self._grain_contact, self._margin
        pieces = [_take_grain(grain, contact, margin) for grain in grains]
        self._space.add(*(body for body, _ in pieces))
        # Written into what the engine reads out, in its order: the walls are its first body.
        buffer = _local.buffer
        buffer.clear()
        pymunk.batch.get_space_bodies(self._space, _MOTION_FIELDS, buffer)
        rows = np.frombuffer(buffer.float_buf()).reshape(-1, 6)[1:]
        rows[:] = 0.0
        rows[:, :3] = poses * _TO_ENGINE[:3]
        pymunk.batch.set_space_bodies(self._space, _MOTION_FIELDS, buffer)
        self._space.add(*(shape for _, shape in pieces))
        self._grains = list(zip(grains, pieces, strict=True))
        self._index |= {body.id: number for number, (body, _) in enumerate(pieces)}

    def add_wall(self, wall: Wall, contact: Contact | None = None) -> int:
        """Add a piece of wall, with a contact of its own if given; return its number."""
        contact = contact or self._wall_contact
        corners = [(x * _MM, y * _MM) for x, y in wall.vertices]
        piece = _make_shape(self._walls, corners, (wall.radius + self._margin) * _MM)
        friction, restitution = _roots(self._grain_contact)
        piece.friction = contact.friction / friction
        piece.elasticity = contact.restitution / restitution
        self._space.add(piece)
        number = len(self._pieces)
        self._pieces[number] = piece
        return number

    def remove_wall(self, number: int) -> None:
        """Take a piece of wall away."""
        self._space.remove(self._pieces[number])

    def remove(self, number: int) -> None:
        """Take a grain out of the scene; its number is not used again."""
        taken = self._grains[number]
        if taken is None:
            return
        grain, piece = taken
        body, shape = piece
        self._grains[number] = None
        del self._index[body.id]
        self._space.remove(shape, body)
        body.angular_velocity = 0.0
        pymunk.Body.update_position(body, 0.0)  # it forgets how it was being pushed apart
        if len(_used) > _MOST_USED:
            _used.clear()
        _used[grain, self._grain_contact, self._margin].append(piece)

    def close(self) -> None:
        """Take all grains out, so that the next scene can use what they are made of."""
        for number in range(len(self._grains)):
            self.remove(number)

    def warm_up(self) -> None:
        """Find the contact impulses of a pile that was built from resting positions."""
        self._space.iterations = self._solver.warm_up_iterations
        for _ in range(self._solver.warm_up_steps):
            self._space.step(self.time_step)
        self._space.iterations = self._solver.iterations

    def move_walls(self, velocity: tuple[float, float], angular_velocity: float) -> None:
        """Set the walls' velocity (m/s) and angular velocity (rad/s) for the next steps."""
        self._walls.velocity = (velocity[0] * _MM, velocity[1] * _MM)
        self._walls.angular_velocity = angular_velocity

    def fix_walls(self) -> None:
        """Let the walls stand still for good, so that groups of grains at rest cost nothing."""
        self.move_walls((0.0, 0.0), 0.0)
        # Grains cannot fall asleep on a kinematic body, only on a static one.
        self._walls.body_type = pymunk.Body.STATIC
        self._space.sleep_time_threshold = _SLEEP_AFTER
        self._space.idle_speed_threshold = _SLEEP_SPEED * _MM

    def step(self, count: int = 1) -> None:
        """Advance by `count` time steps."""
        step, dt = self._space.step, self.time_step
        for _ in range(count):
            step(dt)

    def step_moving(self, velocities: Iterable[tuple[float, float, float]]) -> None:
        """Advance by one time step for each velocity of the walls: x, y (m/s), angle (rad/s)."""
        step, dt = self._space.step, self.time_step
        for x, y, turn in velocities:
            self.move_walls((x, y), turn)
            step(dt)

    @property
    def walls_pose(self) -> tuple[float, float, float]:
        """Where the walls are: x and y in m, angle in rad."""
        x, y = self._walls.position
        return x / _MM, y / _MM, self._walls.angle

    def read(self) -> NDArray[np.float64]:
        """Read all grains.

        Returns
        -------
        array of shape (n, 6)
            x, y (m), angle (rad), their rates (m/s, rad/s), by grain number; NaN for
            grains that were removed.
        """
        buffer = _local.buffer
        buffer.clear()
        pymunk.batch.get_space_bodies(self._space, _BODY_FIELDS, buffer)
        ids = bytes(buffer.int_buf())
        if ids != self._ids:  # the engine's order changes when something leaves or falls asleep
            rows = [self._index[i] for i in np.frombuffer(ids, dtype=np.int64).tolist()]
            self._ids, self._rows = ids, np.array(rows)
        grains = np.empty((len(self._grains) + 1, 6))
        grains.fill(np.nan)
        grains[self._rows] = np.frombuffer(buffer.float_buf()).reshape(-1, 6)
        grains *= _TO_SI
        return grains[:-1]  # the walls, numbered -1, are in the last row

    @property
    def asleep(self) -> list[bool]:
        """Whether each grain rests and is no longer simulated, by number; removed ones do not."""
        return [made is not None and made[1][0].is_sleeping for made in self._grains]

    def contacts(self) -> Contacts:
        """Read the last step's contacts between what is awake; grain numbers, -1 for the walls."""
        buffer = _local.buffer
        buffer.clear()
        pymunk.batch.get_space_arbiters(self._space, _ARBITER_FIELDS, buffer)
        values = np.frombuffer(buffer.float_buf()).reshape(-1, 4)
        index = self._index
        numbers = [index[i] for i in np.frombuffer(buffer.int_buf(), dtype=np.int64).tolist()]
        ends = np.array(numbers, dtype=np.int64).reshape(-1, 2)
        return Contacts(
            ends[:, 0], ends[:, 1], values[:, 2:] / _MM, values[:, :2] / _MM / self.time_step
        )
