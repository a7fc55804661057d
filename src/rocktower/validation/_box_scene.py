"""The same scene in a second engine, Box2D v3, which solves contacts in another way.

Where the tower's own engine sweeps velocity impulses over rigid contacts, Box2D v3 takes
short substeps with stiff springs. `BoxScene` answers the calls that towers and silos make of
a `Scene`, so that the engine is the only thing that differs.
"""

from __future__ import annotations

from functools import cache
from math import atan2, cos, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.tower._scene import GRAVITY, Contact, Grain, Solver, Wall

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["BoxScene", "second_engine_is_installed"]

_LENGTH_UNIT = 0.012  # m; the engine's tolerances are fractions of it
_SUBSTEPS = 4
_PUSH_SPEED = 5.0  # m/s, at most, to end an overlap


@cache
def _engine() -> Any:
    try:
        import pyb2d3
    except ImportError:
        raise RocktowerError(
            "the second engine is not installed: pip install 'rocktower[engines]'"
        ) from None
    # One global of the engine, to be set before anything else.
    pyb2d3.set_length_units_per_meter(_LENGTH_UNIT)
    return pyb2d3


def second_engine_is_installed() -> bool:
    """Whether Box2D v3 can be imported."""
    from importlib.util import find_spec

    return find_spec("pyb2d3") is not None


class BoxScene:
    """Walls and grains in Box2D v3; see `rocktower.tower._scene.Scene` for what they mean.

    Of the solver settings only the time step is used: each step is four substeps, with
    contact springs at a quarter of their rate.
    """

    def __init__(
        self,
        walls: Iterable[Wall],
        grain_contact: Contact,
        wall_contact: Contact,
        solver: Solver,
        gravity: float = GRAVITY,
    ) -> None:
        box = self._box = _engine()
        self.time_step = solver.time_step
        self._world = box.World(gravity=(0.0, -gravity))
        self._world.restitution_threshold = 0.05
        self._set_stiffness()
        self._grain = self._material(grain_contact.friction, grain_contact.restitution)
        # The engine takes the root of the product of the frictions, and the larger restitution.
        share = wall_contact.friction**2 / max(grain_contact.friction, 1e-6)
        self._wall = self._material(share, wall_contact.restitution)
        # A shape cannot be taken off a body, so each piece is a body of its own, at the origin.
        self._pieces: dict[int, Any] = {}
        for wall in walls:
            self.add_wall(wall)
        self._bodies: list[Any] = []
        self._alive: list[int] = []
        self._group = box.Bodies()
        self._changed = False

    def _material(self, friction: float, restitution: float) -> Any:
        return self._box.surface_material(friction=friction, restitution=restitution)

    def _set_stiffness(self) -> None:
        rate = 0.25 * _SUBSTEPS / self.time_step
        self._world.set_contact_tuning(rate, 10.0, _PUSH_SPEED)

    def _add_shape(
        self,
        body: Any,
        vertices: tuple[tuple[float, float], ...],
        radius: float,
        material: Any,
        density: float,
    ) -> Any:
        box = self._box
        geometry: Any
        if not vertices:
            geometry = box.circle(center=(0.0, 0.0), radius=radius)
        elif len(vertices) == 2:
            geometry = box.capsule(vertices[0], vertices[1], radius)
        else:
            points = np.array(vertices, dtype=np.float32)
            geometry = box.polygon(points=points, radius=radius)
        definition = box.shape_def(density=density, material=material)
        return body.create_shape(definition, geometry)

    def set_time_step(self, time_step: float) -> None:
        """See `Scene.set_time_step`."""
        if time_step != self.time_step:
            self.time_step = time_step
            self._set_stiffness()

    def add(
        self,
        grain: Grain,
        position: tuple[float, float],
        angle: float = 0.0,
        velocity: tuple[float, float] = (0.0, 0.0),
    ) -> int:
        """See `Scene.add`."""
        rotation = self._box.Rot()
        rotation.c, rotation.s = cos(angle), sin(angle)  # its own sine is good to 1e-3 only
        body = self._world.create_dynamic_body(
            position=position,
            rotation=rotation,
            linear_velocity=velocity,
            enable_sleep=False,
        )
        self._add_shape(body, grain.vertices, grain.radius, self._grain, 1.0)
        mass = body.mass_data
        scale = grain.mass / mass.mass
        mass.rotational_inertia *= scale
        mass.mass = grain.mass
        body.mass_data = mass
        self._bodies.append(body)
        self._changed = True
        return len(self._bodies) - 1

    def add_pile(self, grains: Sequence[Grain], poses: NDArray[np.float64]) -> None:
        """See `Scene.add_pile`."""
        for grain, (x, y, angle) in zip(grains, poses.tolist(), strict=True):
            self.add(grain, (x, y), angle)

    def add_wall(self, wall: Wall) -> int:
        """See `Scene.add_wall`."""
        body = self._world.create_kinematic_body(position=(0.0, 0.0))
        self._add_shape(body, wall.vertices, wall.radius, self._wall, 0.0)
        number = max(self._pieces, default=-1) + 1
        self._pieces[number] = body
        return number

    def remove_wall(self, number: int) -> None:
        """See `Scene.remove_wall`."""
        self._pieces.pop(number).destroy()

    def remove(self, number: int) -> None:
        """See `Scene.remove`."""
        if self._bodies[number] is not None:
            self._bodies[number].destroy()
            self._bodies[number] = None
            self._changed = True

    def close(self) -> None:
        """Do nothing: this engine's bodies serve once."""

    def warm_up(self) -> None:
        """Let the springs take the load of a pile that was built from resting positions."""

    def move_walls(self, velocity: tuple[float, float], angular_velocity: float) -> None:
        """See `Scene.move_walls`."""
        for piece in self._pieces.values():
            piece.linear_velocity = velocity
            piece.angular_velocity = angular_velocity

    def fix_walls(self) -> None:
        """See `Scene.fix_walls`; grains do not sleep here."""
        self.move_walls((0.0, 0.0), 0.0)

    def step(self, count: int = 1) -> None:
        """See `Scene.step`."""
        for _ in range(count):
            self._world.step(self.time_step, _SUBSTEPS)

    def step_moving(self, velocities: Iterable[tuple[float, float, float]]) -> None:
        """See `Scene.step_moving`."""
        for x, y, turn in velocities:
            self.move_walls((x, y), turn)
            self.step()

    @property
    def walls_pose(self) -> tuple[float, float, float]:
        """See `Scene.walls_pose`."""
        pose = self._box.Bodies()
        pose.append(next(iter(self._pieces.values())))
        x, y = pose.get_positions()[0].tolist()
        c, s = pose.get_rotations()[0].tolist()
        return x, y, atan2(s, c)

    def read(self) -> NDArray[np.float64]:
        """See `Scene.read`."""
        if self._changed:
            self._alive = [n for n, body in enumerate(self._bodies) if body is not None]
            self._group = self._box.Bodies()
            for number in self._alive:
                self._group.append(self._bodies[number])
            self._changed = False
        grains = np.full((len(self._bodies), 6), np.nan)
        if self._alive:
            turned = self._group.get_rotations()
            rows = grains[self._alive]
            rows[:, :2] = self._group.get_positions()
            # The engine's own angle is good to 1e-3 only.
            rows[:, 2] = np.arctan2(turned[:, 1], turned[:, 0])
            rows[:, 3:5] = self._group.get_linear_velocities()
            rows[:, 5] = self._group.get_angular_velocities()
            grains[self._alive] = rows
        return grains
