"""Simulated fillings under a protocol, as rows that a network is trained on."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.calibration.fitting._history import SIDES, History
from rocktower.calibration.fitting._prior import to_coordinates
from rocktower.calibration.fitting._protocol import Protocol, generic_filling
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import COLORS, Boulders
from rocktower.randomness import Purpose, stream
from rocktower.sampling import run_tasks, software
from rocktower.tower import Setup, TowerModel, TowerState, check_filled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from numpy.typing import NDArray

    from rocktower.calibration.fitting._protocol import Step
    from rocktower.tower import Boulder

__all__ = ["GameSet", "Games", "play_games", "simulate_filling"]

_FORMAT = "rocktower-games/1"
_GAMES_A_TASK = 12  # a few seconds of work


@dataclass(frozen=True, slots=True)
class Games:
    """What was seen in simulated games, a row a hit, n in all.

    Parameters
    ----------
    game
        Shape (n,): number of the game. Games are independent, hits of one game are not.
    features
        Shape (n, f), see `History.features`.
    parameters
        Shape (n, 5): coordinates of the `Setup`; the speed is that of this very strike, and the
        spread is that of the striker.
    left, total
        Shape (n,): boulders in the tower before, and that came out.
    added, inside, out
        Shape (n, 4), by color: dropped in before this hit; in the tower before it, these
        included; came out.
    """

    game: NDArray[np.int64]
    features: NDArray[np.float64]
    parameters: NDArray[np.float64]
    left: NDArray[np.int64]
    total: NDArray[np.int64]
    added: NDArray[np.int64]
    inside: NDArray[np.int64]
    out: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.total)

    @classmethod
    def joined(cls, parts: Sequence[Games]) -> Games:
        """Put games together."""
        return cls(*(np.concatenate([getattr(p, name) for p in parts]) for name in cls.__slots__))

    def where(self, chosen: NDArray[np.bool_]) -> Games:
        """Return some of the rows."""
        return Games(*(getattr(self, name)[chosen] for name in self.__slots__))

    def encode(self) -> bytes:
        """Write as NPZ: equal games give equal bytes."""
        content = io.BytesIO()
        np.savez(content, **{name: getattr(self, name) for name in self.__slots__})
        return content.getvalue()

    @classmethod
    def decode(cls, content: bytes) -> Games:
        """Read what `encode` has written."""
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            return cls(*(file[name] for name in cls.__slots__))


class _Rows:
    """Collects the rows of one game."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._rows: list[tuple[Any, ...]] = []

    def add(self, *row: Any) -> None:
        self._rows.append((self._number, *row))

    def games(self) -> Games:
        columns = zip(*self._rows, strict=True)
        return Games(*(np.array(column) for column in columns))


def simulate_filling(
    base: TowerModel,
    setups: Sequence[Setup],
    steps: Sequence[Step],
    rng: np.random.Generator,
    number: int = 0,
) -> Games:
    """Fill a tower and strike it as the steps say.

    Parameters
    ----------
    setups
        One for each condition that the steps refer to; they differ in speed and grip only.
    rng
        Of all that is random.

    Raises
    ------
    RocktowerError
        If the tower does not hold what is filled in.
    """
    towers = [setup.tower(base) for setup in setups]
    strikers = [setup.striker() for setup in setups]
    rows = _Rows(number)
    state = _begin(towers[0], steps[0], rng)
    history = History.filled(float(len(state.inside)))
    pool = set(state.inside)  # all that is in the game
    for step in steps:
        tower, striker = towers[step.condition], strikers[step.condition]
        added = Boulders(0, 0, 0, 0)
        if step.filling is None:
            chosen = _chosen(state, pool, step.put_in, rng)
            if chosen:
                before = len(state.inside)
                state = tower.drop_in(state, chosen, rng)
                added = _count(b for b in chosen if b in set(state.inside))
                history = _refilled(history, len(state.inside) - before, new=step.new_turn)
            elif step.new_turn:
                history = history.new_turn(0.0)
        else:
            added = _count(state.inside)
        inside = _count(state.inside)
        strike = striker.draw(rng, tower.geometry.height, step.side)  # type: ignore[arg-type] # checked
        result = tower.strike(state, strike, rng)
        state, out = result.state, result.hit.boulders
        coordinates = to_coordinates(setups[step.condition].values)
        coordinates[3] = np.log(max(strike.speed, 1e-3))
        rows.add(
                history.features(SIDES[strike.side])[0], coordinates, sum(inside), len(out),
                tuple(added), tuple(inside), tuple(_count(out)),
            )  # fmt: skip
        history = history.after(float(len(out)))
    return rows.games()


def _begin(tower: TowerModel, step: Step, rng: np.random.Generator) -> TowerState:
    """Fill an empty tower with the boulders of a filling."""
    if step.filling is None:
        raise RocktowerError("the first step of a filling must say what is filled in")
    boulders = tuple(boulder for boulder, _ in tower.all_boulders)
    chosen: list[Boulder] = []
    for color, count in zip(COLORS, step.filling, strict=True):
        of_color = [boulder for boulder in boulders if boulder.color == color]
        if count > len(of_color):
            raise RocktowerError(
                f"the filling has {count} {color} boulders, the tower model {len(of_color)}"
            )
        chosen += [of_color[i] for i in rng.permutation(len(of_color))[:count].tolist()]
    empty = TowerState(boulders, np.full((len(boulders), 3), np.nan))
    state = tower.drop_in(empty, sorted(chosen), rng)
    check_filled(state, len(chosen))
    return state


def _chosen(
    state: TowerState, pool: set[Boulder], put_in: str | int | Boulders, rng: np.random.Generator
) -> list[Boulder]:
    """Choose what goes in: no more than is outside, as a simulated tower has its own hits."""
    outside = [boulder for boulder in state.outside if boulder in pool]
    if put_in == "all":
        return outside
    shuffled = [outside[i] for i in rng.permutation(len(outside)).tolist()]
    if isinstance(put_in, int):
        return shuffled[:put_in]
    assert not isinstance(put_in, str)  # noqa: S101 - "all" is the only word
    wanted = dict(zip(COLORS, put_in, strict=True))
    chosen = []
    for boulder in shuffled:
        if wanted[boulder.color] > 0:
            wanted[boulder.color] -= 1
            chosen.append(boulder)
    return chosen


def _refilled(history: History, returned: int, *, new: bool) -> History:
    return history.new_turn(float(returned)) if new else history.put_in(float(returned))


def _count(boulders: Any) -> Boulders:
    colors = [boulder.color for boulder in boulders]
    return Boulders(*(colors.count(color) for color in COLORS))


@dataclass(frozen=True, slots=True)
class GameSet:
    """Games to simulate: one filling for each row of values.

    Parameters
    ----------
    base
        The tower, of which friction, outlet and grip are replaced.
    protocol
        Whose fillings are struck in turn; None for a generic one, drawn for each game.
    values
        Shape (n, conditions, 5): the `Setup` of each condition, for each game.
    seed, round
        Of all that is random.
    """

    base: TowerModel
    protocol: Protocol | None
    values: NDArray[np.float64]
    seed: int
    round: int = 0

    @property
    def tasks(self) -> range:
        """The numbers of the tasks."""
        return range(ceil(len(self.values) / _GAMES_A_TASK))

    def games(self, task: int) -> Iterator[Games]:
        """Yield the games of one task."""
        first = task * _GAMES_A_TASK
        for number in range(first, min(first + _GAMES_A_TASK, len(self.values))):
            rng = stream(self.seed, Purpose.GAMES, self.round, number)
            if self.protocol is None:
                steps = generic_filling(rng)
            else:
                steps = self.protocol.fillings[number % len(self.protocol.fillings)]
            setups = [Setup.of(values) for values in self.values[number]]
            yield simulate_filling(self.base, setups, steps, rng, number)

    def fingerprint(self) -> dict[str, Any]:
        """Return all that the rows depend on, by name."""
        import hashlib

        return {
            "format": _FORMAT,
            "seed": self.seed,
            "round": self.round,
            "games": len(self.values),
            "tower_hash": self.base.hash,
            "values": hashlib.sha256(np.ascontiguousarray(self.values).tobytes()).hexdigest()[:16],
            "protocol": hashlib.sha256(repr(self.protocol).encode()).hexdigest()[:16],
            **software(),
        }


def play_games(games: GameSet, folder: Path, executor: Executor, progress: Any = None) -> Games:
    """Simulate games in numbered tasks, each kept in the folder as soon as it is done.

    Raises
    ------
    RocktowerError
        If other games were begun in the folder, or a task fails.
    """
    task = partial(_task, games)
    shards = run_tasks(task, games.tasks, games.fingerprint(), folder, executor, progress)
    return Games.joined([Games.decode(shard.read_bytes()) for shard in shards])


def _task(games: GameSet, task: int) -> bytes:
    return Games.joined(list(games.games(task))).encode()
