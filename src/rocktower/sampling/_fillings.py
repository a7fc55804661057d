"""Samples hits: towers are filled, struck turn after turn, and filled again from what came out."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.randomness import Purpose, check_seed, stream
from rocktower.sampling._rows import HitRow, by_color, to_csv
from rocktower.tower import Outcome, Striker, TowerModel, TowerState, check_filled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocktower.tower import Boulder

__all__ = [
    "Sample",
    "Turn",
    "check_software",
    "hammer_filling",
    "hammer_turns",
    "sample_task",
    "software",
]

_LARGEST_TASK = 4  # fillings: a few seconds of work
_FEWEST_TASKS = 16  # if there are so many fillings: work for several workers


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn to come.

    Parameters
    ----------
    hits
        How many; the turn ends sooner if the tower is empty.
    put_back
        How much of what is outside is dropped in before it, 0 to 1; the first turn of a filling
        begins with the filling instead.
    """

    hits: int
    put_back: float = 1.0


def hammer_filling(
    model: TowerModel, striker: Striker, *, seed: int, filling: int, turns: int, hits: int
) -> Iterator[HitRow]:
    """Fill a tower, strike it for some turns of so many hits, and yield the hits.

    After each turn, what came out is dropped in. Every random number comes from the seed and the
    numbers of filling, turn and hit: two models with one seed are struck alike.

    Raises
    ------
    RocktowerError
        If the tower does not hold its boulders.
    """
    return hammer_turns(model, striker, [Turn(hits)] * turns, seed=seed, filling=filling)


def hammer_turns(
    model: TowerModel,
    striker: Striker,
    turns: Sequence[Turn],
    *,
    seed: int,
    filling: int,
    boulders: int | None = None,
) -> Iterator[HitRow]:
    """Fill a tower and strike it for turns of different lengths; see `hammer_filling`.

    Parameters
    ----------
    boulders
        How many it is filled with, drawn from all; all of them if None.

    Raises
    ------
    RocktowerError
        If the tower does not hold its boulders.
    """
    rng = stream(seed, Purpose.FILL, filling)
    if boulders is None:
        state = model.fill(rng)
        check_filled(state)
    else:
        every = tuple(boulder for boulder, _ in model.all_boulders)
        empty = TowerState(every, np.full((len(every), 3), np.nan))
        state = model.drop_in(empty, _some(every, boulders, rng), rng)
        check_filled(state, boulders)
    added: tuple[Boulder, ...] = state.inside
    pool = set(added)  # all that is in the game
    dropped_in: dict[Boulder, int] = {}  # boulder -> the turn before which it was
    for turn, plan in enumerate(turns, 1):
        if turn > 1:
            outside = tuple(boulder for boulder in state.outside if boulder in pool)
            if plan.put_back < 1.0:
                chance = stream(seed, Purpose.CHANCE, filling, turn)
                outside = _some(outside, round(plan.put_back * len(outside)), chance)
            state = model.drop_in(state, outside, stream(seed, Purpose.DROP_IN, filling, turn))
            inside = set(state.inside)
            added = tuple(boulder for boulder in outside if boulder in inside)
        dropped_in |= dict.fromkeys(added, turn)
        for hit in range(1, plan.hits + 1):
            left = len(state.inside)
            if left == 0 and hit > 1:
                break
            key = filling, turn, hit
            strike = striker.draw(stream(seed, Purpose.STRIKER, *key), model.geometry.height)
            result = model.strike(state, strike, stream(seed, Purpose.DROP_IN, *key))
            state, out = result.state, result.hit.boulders
            yield HitRow(
                seed,
                *key,
                strike.side,
                strike.speed,
                strike.height,
                by_color(boulder.color for boulder in (added if hit == 1 else ())),
                left,
                tuple(boulder.color for boulder in out),
                tuple(turn - dropped_in[boulder] for boulder in out),
                by_color(boulder.color for boulder in result.jumped),
                result.outcome is Outcome.AT_REST,
            )


def _some(boulders: Sequence[Boulder], count: int, rng: np.random.Generator) -> tuple[Boulder, ...]:
    """Draw some of the boulders, in the order that they have."""
    return tuple(boulders[i] for i in sorted(rng.permutation(len(boulders))[:count].tolist()))


@dataclass(frozen=True, slots=True)
class Sample:
    """What is to be sampled: `turns` turns of `hits` hits, `turns_per_filling` in each filling.

    Raises
    ------
    RocktowerError
        If a number is less than 1, or the seed is out of range.
    """

    model: TowerModel
    striker: Striker
    seed: int
    turns: int
    hits: int
    turns_per_filling: int

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for name in ("turns", "hits", "turns_per_filling"):
            if getattr(self, name) < 1:
                raise RocktowerError(f"{name} {getattr(self, name)}: give 1 or more")

    @property
    def fillings(self) -> int:
        """How many times a tower is filled; the last filling may have fewer turns."""
        return ceil(self.turns / self.turns_per_filling)

    @property
    def fillings_per_task(self) -> int:
        """How many fillings one task has: a function of their number, not of the workers'."""
        return min(_LARGEST_TASK, ceil(self.fillings / _FEWEST_TASKS))

    @property
    def tasks(self) -> range:
        """The numbers of the tasks."""
        return range(ceil(self.fillings / self.fillings_per_task))

    def rows(self, task: int) -> Iterator[HitRow]:
        """Yield the hits of one task."""
        first = task * self.fillings_per_task + 1
        last = min(first + self.fillings_per_task - 1, self.fillings)
        for filling in range(first, last + 1):
            yield from hammer_filling(
                self.model,
                self.striker,
                seed=self.seed,
                filling=filling,
                turns=min(
                    self.turns_per_filling, self.turns - (filling - 1) * self.turns_per_filling
                ),
                hits=self.hits,
            )

    def fingerprint(self) -> dict[str, Any]:
        """Return all that the rows depend on, by name."""
        return {
            "format": "rocktower-hits/1",
            "seed": self.seed,
            "turns": self.turns,
            "hits": self.hits,
            "turns_per_filling": self.turns_per_filling,
            "tower": self.model.name,
            "tower_hash": self.model.hash,
            "grip": self.model.grip.name,
            "cover": self.model.cover,
            **{
                "striker" if name == "name" else f"striker_{name}": value
                for name, value in asdict(self.striker).items()
            },
            **software(),
        }


def software() -> dict[str, str]:
    """Return what the same strike gives the same result with, to the last bit."""
    used = {name: version(name) for name in ("rocktower", "numpy", "pymunk")}
    return used | {"platform": f"{platform.system()} {platform.machine()}"}


def check_software(expected: dict[str, str]) -> None:
    """Raise `RocktowerError` if this worker's software is not what is expected."""
    if different := {name for name, value in software().items() if expected[name] != value}:
        name = min(different)
        raise RocktowerError(
            f"this worker has {name} {software()[name]}, not {expected[name]}: "
            "its hits would differ"
        )


def sample_task(sample: Sample, expected: dict[str, str], task: int) -> bytes:
    """Return the shard of one task: its hits as lines of CSV.

    Raises
    ------
    RocktowerError
        If this worker's software is not what is expected, or the tower does not hold its boulders.
    """
    check_software(expected)
    return to_csv(sample.rows(task)).encode()
