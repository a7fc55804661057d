"""Makes an emulator from beginning to end: simulates games, learns from them, writes the file."""

from __future__ import annotations

from shutil import rmtree
from typing import TYPE_CHECKING

from rocktower.emulator._emulator import Emulator
from rocktower.emulator._games import SimulatedGames, simulate_games
from rocktower.emulator._learning import Situations, learn
from rocktower.errors import RocktowerError
from rocktower.files import check_new_file
from rocktower.sampling import check_same, needs, parts_folder, read_fingerprint, read_parts

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from pathlib import Path

__all__ = ["begun_seed", "emulate"]


def begun_seed(out: Path) -> int | None:
    """Return the seed of an emulator that was begun in this file; None if none was."""
    if out.exists():
        return int(Emulator.load(out).note["seed"])
    known = read_fingerprint(parts_folder(out))
    return None if known is None else int(known["seed"])


def emulate(
    games: SimulatedGames,
    turns: int,
    out: Path,
    executor: Executor,
    *,
    resume: bool = False,
    progress: Callable[[int, int, float | None], None] | None = None,
) -> Emulator:
    """Simulate games of at least so many turns, train an emulator and write its file.

    Until the file is complete the games are in the folder ``OUT.parts``.

    Parameters
    ----------
    resume
        Go on with what was begun; a file that is complete is left as it is.

    Raises
    ------
    RocktowerError
        If the file cannot be written or, without `resume`, was begun before; if other games were
        begun there; if a task fails; if scikit-learn is not installed.
    """
    needs("sklearn", "calibrate")
    parts, note = parts_folder(out), {**games.fingerprint(), "turns": turns}
    if resume and out.exists():
        made = Emulator.load(out)
        check_same({k: made.note.get(k) for k in note}, note, str(out))
        return made
    check_new_file(out)
    if parts.exists() and not resume:
        raise RocktowerError(
            f"{out}: was begun before; go on with --resume, or remove the folder {parts}"
        )
    shards = simulate_games(games, games.tasks_of_turns(turns), parts, executor, progress)
    emulator = learn(Situations.of(read_parts(shards)), seed=games.seed, note=note)
    emulator.save(out)
    rmtree(parts, ignore_errors=True)
    return emulator
