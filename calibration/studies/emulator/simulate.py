"""Simulate the games that the shipped emulator is trained on and judged by.

    python calibration/studies/emulator/simulate.py --folder games --rounds 30

makes, in rounds, 100 games of each of three sets: "apart" (never trained on), "control" (the same
kind of games from another seed) and, half as many, "varied". The same command goes on with what is
in the folder, and a higher number of rounds adds to it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rocktower.emulator import GamePlan, SimulatedGames, simulate_games
from rocktower.sampling import local_executor
from rocktower.tower import choose_tower

SETS: dict[str, tuple[GamePlan, int, int]] = {
    "apart": ("game", 101, 100),
    "control": ("game", 102, 100),
    "varied": ("varied", 103, 50),
}
"""Name -> plan, seed, games in a round."""


def game_set(name: str) -> SimulatedGames:
    """The tower and striker that a game has when nothing else is asked for."""
    plan, seed, _ = SETS[name]
    model, striker = choose_tower(None, seed)
    return SimulatedGames(model, striker, plan, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with local_executor(options.jobs) as executor:
        for number in range(1, options.rounds + 1):
            for name in options.sets:
                folder, games = options.folder / name, SETS[name][2]
                chosen = game_set(name)
                simulate_games(chosen, chosen.tasks(number * games), folder, executor)
            print(f"round {number} of {options.rounds}", flush=True)


if __name__ == "__main__":
    main()
