"""Simulated games that an emulator learns from, or is judged by."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from rocktower.randomness import Purpose, check_seed, stream
from rocktower.sampling import (
    Turn,
    check_software,
    hammer_turns,
    run_tasks,
    software,
    to_csv,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from pathlib import Path

    import numpy as np

    from rocktower.sampling import HitRow
    from rocktower.tower import Striker, TowerModel

__all__ = ["GamePlan", "SimulatedGames", "simulate_games"]

GamePlan = Literal["game", "varied"]
"""How fillings are struck: see `SimulatedGames`."""

_FORMAT = "rocktower-emulator-games/1"
_GAMES_A_TASK = 10  # a few seconds of work
_MOST_HITS = 9  # of a turn, by the rules
_LONG_TURN = 30  # hits, which leave little in the tower


@dataclass(frozen=True, slots=True)
class SimulatedGames:
    """Fillings of a tower that a striker strikes for some turns.

    Parameters
    ----------
    model, striker
        The tower as it is held, and who strikes it.
    plan
        ``"game"``: a full tower, three turns of 1 to 9 hits, before each of which all that came
        out is put back, as in a game. ``"varied"`` goes to the edges of what can be asked: half of
        the fillings are long games (2 to 10 such turns), a quarter are struck until little is
        left, a quarter begin with fewer boulders; of the last two some put back only a part.
    seed
        Of all that is random.
    """

    model: TowerModel
    striker: Striker
    plan: GamePlan
    seed: int

    def __post_init__(self) -> None:
        check_seed(self.seed)

    @staticmethod
    def tasks(games: int) -> range:
        """Return the numbers of the tasks of so many games, rounded up to whole tasks."""
        return range(ceil(games / _GAMES_A_TASK))

    def tasks_of_turns(self, turns: int) -> range:
        """Return the numbers of the tasks of so many turns, rounded up to whole tasks."""
        task = planned = 0
        while planned < turns:
            planned += sum(len(self.planned(filling)[1]) for filling in _fillings(task))
            task += 1
        return range(task)

    def planned(self, filling: int) -> tuple[int | None, list[Turn]]:
        """Return with how many boulders a filling begins (None: all), and its turns."""
        rng = stream(self.seed, Purpose.GAMES, filling)
        return _game(rng) if self.plan == "game" else _varied(rng)

    def rows(self, task: int) -> Iterator[HitRow]:
        """Yield the hits of one task."""
        for filling in _fillings(task):
            boulders, turns = self.planned(filling)
            yield from hammer_turns(
                self.model,
                self.striker,
                turns,
                seed=self.seed,
                filling=filling,
                boulders=boulders,
            )

    def fingerprint(self) -> dict[str, Any]:
        """Return all that the hits depend on, by name."""
        return {
            "format": _FORMAT,
            "seed": self.seed,
            "plan": self.plan,
            "tower": self.model.name,
            "tower_hash": self.model.hash,
            "grip": self.model.grip.name,
            "cover": self.model.cover,
            "striker": asdict(self.striker),
            **software(),
        }


def _fillings(task: int) -> range:
    return range(task * _GAMES_A_TASK + 1, (task + 1) * _GAMES_A_TASK + 1)


def _game(rng: np.random.Generator) -> tuple[int | None, list[Turn]]:
    return None, [_turn(rng) for _ in range(3)]


def _varied(rng: np.random.Generator) -> tuple[int | None, list[Turn]]:
    way = int(rng.integers(4))
    if way < 2:
        return None, [_turn(rng) for _ in range(int(rng.integers(2, 11)))]
    if way == 2:
        return None, [Turn(_LONG_TURN), _turn(rng, _share(rng)), Turn(_LONG_TURN, _share(rng))]
    return int(rng.integers(4, 44)), [_turn(rng, _share(rng)) for _ in range(4)]


def _turn(rng: np.random.Generator, put_back: float = 1.0) -> Turn:
    return Turn(int(rng.integers(1, _MOST_HITS + 1)), put_back)


def _share(rng: np.random.Generator) -> float:
    """Draw how much is put back: all of it half of the time."""
    return 1.0 if rng.random() < 0.5 else float(rng.random())


def simulate_games(
    games: SimulatedGames,
    tasks: range,
    folder: Path,
    executor: Executor,
    progress: Callable[[int, int, float | None], None] | None = None,
) -> list[Path]:
    """Simulate the games of some tasks, or those of them that are missing.

    Returns
    -------
    list
        The files of the tasks, which hold lines of CSV: hits as `rocktower.sampling` has them.

    Raises
    ------
    RocktowerError
        If other games were begun in the folder, or a task fails.
    """
    task = partial(_task, games, software())
    return run_tasks(task, tasks, games.fingerprint(), folder, executor, progress)


def _task(games: SimulatedGames, expected: dict[str, str], task: int) -> bytes:
    check_software(expected)
    return to_csv(games.rows(task)).encode()
