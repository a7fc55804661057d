"""Make the network that is shipped: simulated games over the whole prior, then training.

    python calibration/network/train_network.py --games 2000 --seed 1 --jobs 2

writes src/rocktower/calibration/fitting/data/default_network.npz, and held-out scores into
this folder's scores.csv. The games are kept in --games-folder until they are complete: the same
command goes on with them. About 0.3 s a game on one processor, then a minute or two of training.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from rocktower import TowerModel
from rocktower.calibration.fitting._games import GameSet, play_games
from rocktower.calibration.fitting._prior import Prior, to_values
from rocktower.sampling import local_executor

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "src/rocktower/calibration/fitting/data/default_network.npz"


def prior_values(prior: Prior, games: int, seed: int) -> np.ndarray:
    """Sobol points over the prior, shape (games, 1, 5)."""
    from scipy.stats import qmc

    points = qmc.Sobol(5, seed=seed).random(1 << (games - 1).bit_length())[:games]
    low, high = np.array(prior.low), np.array(prior.high)
    return to_values(low + points * (high - low))[:, None, :]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--games-folder", type=Path, default=HERE / "games")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    prior = Prior.load()
    games = GameSet(
        TowerModel.load(), None, prior_values(prior, options.games, options.seed), options.seed
    )

    def progress(done: int, total: int, left: float | None) -> None:
        if done % 10 == 0:
            print(f"{done} of {total} tasks, {left or 0:.0f} s left", flush=True)

    with local_executor(options.jobs) as executor:
        rows = play_games(games, options.games_folder, executor, progress)
    print(f"{len(rows)} hits")


if __name__ == "__main__":
    main()
