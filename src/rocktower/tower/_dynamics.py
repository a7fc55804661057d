"""Filling, striking, dropping in: pure functions from state to state.

Each builds a scene from the state, runs it until everything is at rest, reads it out and
throws it away. Nothing but positions survives, so saving, undoing, branching and continuing
in another process are exact.
"""

from __future__ import annotations

from collections import deque
from math import cos, inf, sin
from typing import TYPE_CHECKING

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.tower._motion import TowerMotion, blow_impulse
from rocktower.tower._scene import Contacts, Scene
from rocktower.tower._state import Boulder, Hit, Outcome, StrikeResult, TowerState, Trace
from rocktower.tower._walls import tower_walls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from rocktower.tower._model import TowerModel
    from rocktower.tower._strike import Strike

__all__ = ["drop_in", "fill", "resting_contacts", "strike"]

_LOOK_INTERVAL = 0.0125  # s between two looks at the boulders
_REST_SPEED = 5e-3  # m/s, of a boulder's centre plus of its rim
_REST_LOOKS = 2  # looks in a row: a boulder at the top of its flight is slow only once
_TIME_LIMIT = 4.0  # s, of one settling; a pile that has not come to rest by then is reported
_MAX_ROUNDS = 20  # of dropping in what fell out
_DROP_INTERVAL = 0.025  # s between two boulders that are dropped in
_DROP_SPEED = 0.3  # m/s, downwards, as a boulder passes the rim
_DROP_LIMIT = 60.0  # s, of waiting for the rim to be free
_WALL_ADVANCE = 0.1  # edges that a wall may move in one step
_SMALLEST_STEP = 0.02  # of the model's time step, however fast something moves
_BOULDER_ADVANCE = 0.5  # edges that a boulder may: less than what would take it through a plank


class _Run:
    """A scene in motion: the boulders of a state inside the walls of a model."""

    def __init__(
        self,
        model: TowerModel,
        state: TowerState,
        cover: float,
        make_scene: Callable[..., Scene],
    ) -> None:
        boulders = tuple(boulder for boulder, _ in model.all_boulders)
        if state.boulders != boulders:  # both in the order of their numbers
            raise RocktowerError("this state belongs to a tower with other boulders")
        geometry = model.geometry
        self.model = model
        self.state = state
        self.cover = cover
        self.make_scene = make_scene
        self.scene = make_scene(
            tower_walls(geometry, cover), model.boulder_contact, model.wall_contact, model.solver
        )
        self._grains = [grain for _, grain in model.all_boulders]
        self.row: list[int] = np.flatnonzero(state.is_inside).tolist()  # by number in the scene
        if self.row:
            self.scene.add_pile([self._grains[row] for row in self.row], state.poses[self.row])
            self.scene.warm_up()
        self.time = 0.0
        self.came_out: list[int] = []  # rows, in order
        self.jumped: list[int] = []
        self._top = geometry.height
        self._half_width = 0.5 * geometry.inner_width
        self._half_edge = 0.5 * model.boulders.edge
        self._out_below = (
            geometry.floor_height - geometry.plank_thickness - 0.5 * model.boulders.edge
        )
        self._calm_looks = 0
        self._fastest = 0.0

    def add(
        self,
        row: int,
        position: tuple[float, float],
        angle: float,
        velocity: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.scene.add(self._grains[row], position, angle, velocity)
        self.row.append(row)

    def local(self, grains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Poses in the tower's own frame, shape (n, 3), from what the scene reads."""
        x, y, angle = self.scene.walls_pose
        poses = grains[:, :3] - (x, y, angle)
        if angle != 0.0:
            dx, dy = poses[:, 0].copy(), poses[:, 1].copy()
            c, s = cos(angle), sin(angle)
            poses[:, 0], poses[:, 1] = c * dx + s * dy, c * dy - s * dx
        return poses

    def look(self) -> NDArray[np.float64]:
        """Take away what has left the tower, and see whether the rest is calm."""
        grains = self.scene.read()
        x0, y0, angle = self.scene.walls_pose
        y = grains[:, 1] - y0
        if angle != 0.0:
            y = cos(angle) * y - sin(angle) * (grains[:, 0] - x0)
        speed = np.hypot(grains[:, 3], grains[:, 4]) + np.abs(grains[:, 5]) * self._half_edge
        # A removed grain is NaN, which fmin and fmax pass over.
        self._fastest = fastest = float(np.fmax.reduce(speed, initial=0.0))
        lowest, highest = np.fmin.reduce(y, initial=inf), np.fmax.reduce(y, initial=-inf)
        if lowest < self._out_below or highest > self._top:
            gone = self._take_away(self.local(grains))
            fastest = float(np.fmax.reduce(speed[~gone], initial=0.0))
        self._calm_looks = 0 if fastest > _REST_SPEED else self._calm_looks + 1
        return grains

    def _take_away(self, poses: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Take away what is out of the outlet or over the rim; return which grains that was."""
        x, y = poses[:, 0], poses[:, 1]
        out = y < self._out_below
        over = (y > self._top) & (np.abs(x) > self._half_width)
        # Between two looks, the one that has fallen farther was first.
        for number in sorted(np.flatnonzero(out).tolist(), key=lambda n: (y[n], n)):
            self.scene.remove(number)
            self.came_out.append(self.row[number])
        for number in np.flatnonzero(over).tolist():
            self.scene.remove(number)
            self.jumped.append(self.row[number])
        return out | over

    def choose_time_step(self, wall_speed: float) -> None:
        """Use the model's time step, or a smaller one while something moves too fast for it."""
        edge, longest = self.model.boulders.edge, self.model.solver.time_step
        step = min(
            longest,
            _WALL_ADVANCE * edge / max(wall_speed, 1e-9),
            _BOULDER_ADVANCE * edge / max(self._fastest, 1e-9),
        )
        self.scene.set_time_step(max(step, _SMALLEST_STEP * longest))

    @property
    def is_calm(self) -> bool:
        return not self.row or self._calm_looks >= _REST_LOOKS

    def advance(self, motion: TowerMotion | None = None) -> None:
        """Run until the next look, with walls that stand still or move."""
        scene = self.scene
        steps = max(1, round(_LOOK_INTERVAL / scene.time_step))
        if motion is None or motion.at_rest:
            scene.step(steps)
        else:
            scene.step_moving(motion.advance(scene.time_step, steps))
            if motion.at_rest:
                scene.fix_walls()
        self.time += steps * scene.time_step

    def contacts(self) -> Contacts:
        """Return the contact forces of the last step, by row of the state."""
        found = self.scene.contacts()
        rows = np.array([*self.row, -1])  # the walls, -1, stay what they are
        return Contacts(rows[found.a], rows[found.b], found.points, found.forces)

    def end(self) -> TowerState:
        """Close the scene and return the state; what has left the tower is outside."""
        poses = np.full((len(self.state.boulders), 3), np.nan)
        poses[self.row] = self.local(self.scene.read())
        self.scene.close()
        return TowerState(self.state.boulders, poses)


def fill(
    model: TowerModel, rng: np.random.Generator, make_scene: Callable[..., Scene] = Scene
) -> TowerState:
    """See `TowerModel.fill`; another engine's scene may be given instead of the tower's own."""
    boulders = tuple(boulder for boulder, _ in model.all_boulders)
    empty = TowerState(boulders, np.full((len(boulders), 3), np.nan))
    return drop_in(model, empty, boulders, rng, make_scene)


def drop_in(
    model: TowerModel,
    state: TowerState,
    boulders: Iterable[Boulder],
    rng: np.random.Generator,
    make_scene: Callable[..., Scene] = Scene,
) -> TowerState:
    """See `TowerModel.drop_in`."""
    rows = {boulder: row for row, boulder in enumerate(state.boulders)}
    dropped = list(boulders)
    outside = set(state.outside)
    for boulder in dropped:
        if boulder not in outside:
            raise RocktowerError(
                f"{boulder.color} boulder {boulder.id} is not outside the tower: "
                "only what came out can be dropped in"
            )
        outside.discard(boulder)
    waiting = [rows[boulder] for boulder in dropped]
    for _ in range(_MAX_ROUNDS):
        if not waiting:
            break
        rng.shuffle(waiting)
        run = _Run(model, state, 0.0, make_scene)
        waiting = _rain(run, waiting, rng)
        run = _stand_alone(run)
        waiting = [*run.came_out, *run.jumped, *waiting]
        state = run.end()
    return state


def _stand_alone(run: _Run) -> _Run:
    """Rebuild a pile from its positions and let it find its rest once more.

    The force network of a pile depends on its history; what is rebuilt from positions finds
    another one, and an arch that only its history held lets go. So every state that is handed
    out has been rebuilt once: the next rebuild, before the next strike, then finds a pile that
    stands without a history.
    """
    again = _Run(run.model, run.end(), run.cover, run.make_scene)
    again.came_out, again.jumped = run.came_out, run.jumped
    again.look()
    while not again.is_calm and again.time < _TIME_LIMIT:
        again.advance()
        again.look()
        again.choose_time_step(0.0)
    return again


def _rain(run: _Run, rows: Sequence[int], rng: np.random.Generator) -> list[int]:
    """Drop boulders through the top one by one; return the rows that found no room."""
    geometry, edge = run.model.geometry, run.model.boulders.largest_edge
    rim = geometry.height + edge
    reach = max(0.5 * geometry.inner_width - 0.75 * edge, 0.0)
    queue = deque(rows)
    next_drop = settling_since = 0.0
    while run.time < _DROP_LIMIT:
        grains = run.look()
        if queue and run.time >= next_drop:
            x = rng.uniform(-reach, reach)
            near = np.hypot(grains[:, 0] - x, grains[:, 1] - rim) < 1.5 * edge
            if not near.any():
                run.add(
                    queue.popleft(), (x, rim), rng.uniform(0.0, 2.0 * np.pi), (0.0, -_DROP_SPEED)
                )
                next_drop = run.time + _DROP_INTERVAL
                settling_since = run.time
        if (not queue and run.is_calm) or run.time - settling_since > _TIME_LIMIT:
            break
        run.choose_time_step(0.0)
        run.advance()
    return list(queue)


def strike(
    model: TowerModel,
    state: TowerState,
    strike: Strike,
    rng: np.random.Generator | None,
    *,
    trace: bool = False,
    contacts: bool = True,
    make_scene: Callable[..., Scene] = Scene,
) -> StrikeResult:
    """See `TowerModel.strike`."""
    model.check_strike(strike)
    run = _Run(model, state, model.cover, make_scene)
    impulse = blow_impulse(model.body, model.hammer, strike.speed, strike.height)
    motion = TowerMotion(
        model.body,
        model.grip,
        impulse if strike.side == "left" else -impulse,
        strike.height,
        model.hammer.contact_time,
    )
    run.choose_time_step(motion.blow_speed(model.geometry.height))
    frames = _Frames(run, motion, contacts=contacts) if trace else None
    while run.time < _TIME_LIMIT:
        run.advance(motion)
        grains = run.look()
        if frames:
            frames.take(grains)
        run.choose_time_step(motion.speed_at(model.geometry.height))
        if run.is_calm and motion.at_rest:
            break
    settled, duration = run.is_calm and motion.at_rest, run.time
    shown = frames.trace() if frames else None
    run = _stand_alone(run)
    settled = settled and run.is_calm
    after = run.end()
    boulders = state.boulders
    jumped = tuple(boulders[row] for row in run.jumped)
    if jumped:
        rng = rng or np.random.default_rng(0)
        after = drop_in(model, after, jumped, rng, make_scene)
    return StrikeResult(
        after,
        Hit(tuple(boulders[row] for row in run.came_out)),
        jumped,
        Outcome.AT_REST if settled else Outcome.NOT_SETTLED,
        duration,
        shown,
    )


def resting_contacts(model: TowerModel, state: TowerState) -> Contacts:
    """See `TowerModel.resting_contacts`."""
    run = _Run(model, state, model.cover, Scene)
    contacts = run.contacts()
    run.end()
    return contacts


class _Frames:
    """Collects the frames of a strike, one at each look."""

    def __init__(self, run: _Run, motion: TowerMotion, *, contacts: bool) -> None:
        self._run, self._motion, self._has_contacts = run, motion, contacts
        self._times: list[float] = []
        self._tower: list[tuple[float, float, float]] = []
        self._boulders: list[NDArray[np.float64]] = []
        self._contacts: list[Contacts] = []
        self.take(run.scene.read())

    def take(self, grains: NDArray[np.float64]) -> None:
        frame = np.full((len(self._run.state.boulders), 3), np.nan)
        frame[self._run.row] = grains[:, :3]
        self._times.append(self._run.time)
        self._tower.append(self._motion.pose)
        if self._has_contacts:
            self._contacts.append(self._with_those_asleep(self._run.contacts()))
        self._boulders.append(frame)

    def _with_those_asleep(self, now: Contacts) -> Contacts:
        """Add the contacts of boulders that have fallen asleep, which the engine leaves out."""
        asleep = np.ones(len(self._run.state.boulders) + 1, dtype=np.bool_)  # as are the walls, -1
        asleep[self._run.row] = self._run.scene.asleep
        if not self._contacts or not asleep[:-1].any():
            return now
        last = self._contacts[-1]
        kept = asleep[last.a] & asleep[last.b]
        return Contacts(
            np.concatenate((now.a, last.a[kept])),
            np.concatenate((now.b, last.b[kept])),
            np.concatenate((now.points, last.points[kept])),
            np.concatenate((now.forces, last.forces[kept])),
        )

    def trace(self) -> Trace:
        """Return all frames; the last one shows how it ended, without what has left."""
        for frames in (self._times, self._tower, self._boulders, self._contacts):
            del frames[-1:]
        self.take(self._run.scene.read())
        return Trace(
            np.array(self._times),
            np.array(self._tower),
            np.array(self._boulders),
            tuple(self._contacts),
        )
