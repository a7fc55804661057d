"""A flat-bottomed silo of grains: filled, opened, clogged, and opened again.

Heights are measured from the sill. Lengths in the parameters are in grain diameters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.tower._scene import Contact, Scene, Solver, Wall
from rocktower.validation._arch import arch_grains
from rocktower.validation._units import CONTACT, SHAPES, SPEED, T0, D, polygon, tower_solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["Bed", "Discharge", "Silo", "first_avalanche", "later_avalanches"]

_LOOK = 0.35  # t0 between two looks
_STILL = 0.01  # sqrt(g d): slower than this is still
_STILL_FOR = 2.0  # t0 of stillness that make a clog; see the clog criterion in the filling study
_SETTLING = 400.0  # t0, the longest wait for stillness
_SPACING = 1.25  # d between grains that are let fall; wide enough for any shape at any angle
_GONE = -1.0  # d: a grain lower than this has passed the outlet
_ADVANCE = 0.5  # d that a grain may move in a step


@dataclass(frozen=True, slots=True)
class Silo:
    """A silo and how it is filled.

    Parameters
    ----------
    outlet, width
        d.
    grains
        How many.
    shape
        One of `SHAPES`.
    filling
        ``"loose"``: grains on a jittered grid fall at once; ``"rain"``: they fall row after
        row with a speed of 5 sqrt(g d); ``"tapped"``: loose, then the silo is shaken sideways;
        ``"gentle"``: grains are laid on the surface one by one, at random places.
    make_scene
        Builds the scene: another engine takes the same arguments as `Scene`.
    """

    outlet: float
    shape: str = "disc"
    width: float = 20.0
    grains: int = 400
    contact: Contact = CONTACT
    solver: Solver = field(default_factory=tower_solver)
    filling: str = "loose"
    make_scene: Callable[..., Any] = Scene


@dataclass(frozen=True, slots=True)
class Discharge:
    """Grains that left, and whether the rest then stood still (or the limit came first)."""

    grains: int
    clogged: bool


class Bed:
    """The grains of a silo, settled on the closed outlet."""

    def __init__(self, silo: Silo, rng: np.random.Generator) -> None:
        self.silo = silo
        self._rng = rng
        self._grain = polygon(SHAPES[silo.shape])
        half, hole, far = 0.5 * silo.width * D, 0.5 * silo.outlet * D, 1000 * D
        deep, out = -2.0 * D, half + 3.0 * D
        walls = [
            Wall(((s * half, deep), (s * out, deep), (s * out, far), (s * half, far)))
            for s in (-1.0, 1.0)
        ]
        if hole < half:
            walls += [
                Wall(((s * hole, 0.0), (s * half, 0.0), (s * half, deep), (s * hole, deep)))
                for s in (-1.0, 1.0)
            ]
        self.scene: Scene = silo.make_scene(walls, silo.contact, silo.contact, silo.solver)
        self._plug = self._put_plug(0.0)
        self._steps = max(1, round(_LOOK * T0 / silo.solver.time_step))
        self.time = 0.0
        self._fill()

    def _put_plug(self, height: float) -> int:
        half, deep = 0.5 * self.silo.outlet * D, (height - 2.0) * D
        return self.scene.add_wall(
            Wall(((-half, height * D), (half, height * D), (half, deep), (-half, deep)))
        )

    def _fill(self) -> None:
        silo, rng = self.silo, self._rng
        if silo.filling == "gentle":
            reach = 0.5 * silo.width - 0.6
            for _ in range(silo.grains):
                self.drop(rng.uniform(-reach, reach), self._surface() + 1.2, 0.0)
                self.run(1.0)
            self.settle()
            return
        columns = int((silo.width - 0.3) / _SPACING)
        rows = -(-silo.grains // columns)
        cells = rng.permutation(rows * columns)[: silo.grains]
        if silo.filling == "rain":
            cells = np.sort(cells)  # row by row, from the bottom
        jitter = rng.uniform(-0.5, 0.5, (silo.grains, 2)) * (_SPACING - 1.2)
        x = (cells % columns + 0.5 - 0.5 * columns) * _SPACING + jitter[:, 0]
        y = 1.0 + cells // columns * _SPACING + jitter[:, 1]
        if silo.filling == "rain":
            for row in range(rows):
                here = cells // columns == row
                rim = self._surface() + 3.0
                for x_d in x[here].tolist():
                    self.drop(x_d, rim, 5.0)
                self.run(2.0)
        else:
            for x_d, y_d in zip(x.tolist(), y.tolist(), strict=True):
                self.drop(x_d, y_d, 0.0)
        self.settle()
        if silo.filling == "tapped":
            self._tap(20)

    def _tap(self, count: int) -> None:
        for _ in range(count):
            for speed in (1.0, -1.0):
                self.scene.move_walls((speed * SPEED, 0.0), 0.0)
                self.run(0.3)
            self.scene.move_walls((0.0, 0.0), 0.0)
            self.settle()

    def _surface(self) -> float:
        heights = self.scene.read()[:, 1]
        return float(np.nanmax(heights, initial=0.0)) / D

    def drop(self, x: float, y: float, speed: float) -> None:
        """Add a grain at x, y (d) at a random angle, falling with `speed` (sqrt(g d))."""
        angle = self._rng.uniform(0.0, 2.0 * np.pi)
        self.scene.add(self._grain, (x * D, y * D), angle, (0.0, -speed * SPEED))

    def run(self, duration: float) -> None:
        """Run for a time (t0)."""
        end = self.time + duration
        while self.time < end:
            self._look()

    def _look(self) -> tuple[NDArray[np.float64], float]:
        """Run until the next look; return what is read, and the highest speed (sqrt(g d))."""
        self.scene.step(self._steps)
        self.time += self._steps * self.scene.time_step / T0
        grains = self.scene.read()
        speed = np.hypot(grains[:, 3], grains[:, 4]) + 0.5 * D * np.abs(grains[:, 5])
        fastest = float(np.nanmax(speed, initial=0.0))
        # As in the tower: a smaller step while something is too fast for it.
        step = self.silo.solver.time_step
        self.scene.set_time_step(min(step, _ADVANCE * D / max(fastest, 1e-9)))
        self._steps = max(1, round(_LOOK * T0 / self.scene.time_step))
        return grains, fastest / SPEED

    def settle(self) -> bool:
        """Run until everything is still; return whether it became so."""
        start, still = self.time, 0.0
        while self.time - start < _SETTLING:
            before = self.time
            _, fastest = self._look()
            still = still + self.time - before if fastest < _STILL else 0.0
            if still >= _STILL_FOR:
                return True
        return False

    def open(self) -> None:
        """Take the plug out of the outlet."""
        self.scene.remove_wall(self._plug)

    def sink(self, depth: float) -> None:
        """Lower the plug by a depth (d) and let the grains follow.

        If it is all of the floor, walls then carry as much as their friction allows: at rest
        after filling, friction may point either way.
        """
        self.scene.remove_wall(self._plug)
        self._plug = self._put_plug(-depth)
        self.settle()

    def discharge(self, limit: int, *, refill: bool = False) -> Discharge:
        """Let grains leave until a clog, or until `limit` grains have left.

        Parameters
        ----------
        refill
            Drop what leaves back in at the top.
        """
        passed, still, start = 0, 0.0, self.time
        while passed < limit and self.time - start < _SETTLING + limit:
            before = self.time
            grains, fastest = self._look()
            gone = np.flatnonzero(grains[:, 1] < _GONE * D)
            for number in gone.tolist():
                self.scene.remove(number)
            passed += len(gone)
            if refill:
                self.put_on_top(len(gone))
            still = still + self.time - before if fastest < _STILL and not len(gone) else 0.0
            if still >= _STILL_FOR:
                return Discharge(passed, clogged=True)
        return Discharge(passed, clogged=False)

    def put_on_top(self, count: int) -> None:
        """Drop grains onto the surface at random places."""
        if not count:
            return
        columns = int((self.silo.width - 0.3) / _SPACING)
        rim = self._surface() + 1.5
        for k, column in enumerate(
            self._rng.permutation(count + columns - count % columns)[:count]
        ):
            x = (column % columns + 0.5 - 0.5 * columns) * _SPACING
            self.drop(x, rim + k // columns * _SPACING, 0.0)

    def break_arch(self) -> int:
        """Take the grains of the arch out and put them on top; return how many."""
        arch = arch_grains(self.scene, self.silo.outlet)
        for number in arch:
            self.scene.remove(number)
        self.put_on_top(len(arch))
        return len(arch)


def first_avalanche(silo: Silo, limit: int, rng: np.random.Generator) -> Discharge:
    """Fill a silo, open it, and let at most `limit` grains leave: the refilled case."""
    bed = Bed(silo, rng)
    bed.open()
    return bed.discharge(limit)


def later_avalanches(
    silo: Silo, count: int, limit: int, rng: np.random.Generator
) -> list[Discharge]:
    """Break arch after arch of one filling, which is kept full: the re-struck case.

    The first avalanche, from the fresh filling, is left out.
    """
    bed = Bed(silo, rng)
    bed.open()
    last = bed.discharge(limit, refill=True)
    found: list[Discharge] = []
    # Where the flow was cut off there is no arch to break, and the series ends.
    while last.clogged and len(found) < count and bed.break_arch():
        last = bed.discharge(limit, refill=True)
        found.append(last)
    return found
