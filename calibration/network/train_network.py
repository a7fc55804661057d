"""Make the network that is shipped: simulated games over the whole prior, then training.

    python calibration/network/train_network.py --games 5120 --seed 1 --jobs 2

writes src/rocktower/calibration/fitting/data/default_network.npz, and held-out scores into
this folder's scores.csv. The games are kept in --games-folder: the same command goes on with them.
About a second a game on one processor, then three minutes of training.

A tenth of the games is kept apart for the scores; the shipped network is then trained on all.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import asdict
from pathlib import Path

import numpy as np

from rocktower import TowerModel
from rocktower.calibration.fitting._fit import same_towers
from rocktower.calibration.fitting._games import GameSet, play_games
from rocktower.calibration.fitting._history import SIDES, History
from rocktower.calibration.fitting._network import HitNetwork
from rocktower.calibration.fitting._prior import Prior, to_coordinates, to_values
from rocktower.calibration.fitting._training import score, train
from rocktower.randomness import Purpose, stream
from rocktower.sampling import local_executor, software
from rocktower.tower import Setup

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "src/rocktower/calibration/fitting/data/default_network.npz"


def prior_values(prior: Prior, games: int, seed: int) -> np.ndarray:
    """Sobol points over the prior, shape (games, 1, 5)."""
    from scipy.stats import qmc

    points = qmc.Sobol(5, seed=seed).random(1 << (games - 1).bit_length())[:games]
    low, high = np.array(prior.low), np.array(prior.high)
    return to_values(low + points * (high - low))[:, None, :]


def game_set(games: int, seed: int) -> GameSet:
    """Generic fillings of the packaged tower, one for each point of the packaged prior."""
    return GameSet(TowerModel.load(), None, prior_values(Prior.load(), games, seed), seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=5120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first-hits", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--games-folder", type=Path, default=HERE / "games")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    games = game_set(options.games, options.seed)

    def progress(done: int, total: int, left: float | None) -> None:
        if done % 10 == 0:
            print(f"{done} of {total} tasks, {left or 0:.0f} s left", flush=True)

    with local_executor(options.jobs) as executor:
        rows = play_games(games, options.games_folder, executor, progress)
    rows = rows.where(rows.left > 0)  # an empty tower teaches nothing
    test = rows.game % 10 == 3
    kept, apart = rows.where(~test), rows.where(test)
    note = {
        "tower_hash": same_towers(games.base),
        "prior_hash": Prior.load().hash,
        "games": options.games,
        "hits": len(rows),
        "seed": options.seed,
        **software(),
    }
    few = rows.where(~test & (rows.game % 2 == 0))
    scores = [
        {"trained_on": name, "hits_trained_on": len(some), **asdict(score(network, apart, kept))}
        for name, some in (("half of the games", few), ("nine tenths of the games", kept))
        for network in (train(some, seed=options.seed),)
    ]
    network = train(rows, seed=options.seed, note=note)
    network.save(options.out)
    scores.append(first_hits(network, games.base, options.first_hits, options.seed))
    columns = list(dict.fromkeys(key for line in scores for key in line))
    with (HERE / "scores.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {k: f"{v:.4f}" if isinstance(v, float) else v for k, v in line.items()}
            for line in scores
        )
    print((HERE / "scores.csv").read_text("utf-8"))
    print(f"{options.out}: {len(rows)} hits, color weight {network.color_weight:.3f}")


def first_hits(network: HitNetwork, base: TowerModel, count: int, seed: int) -> dict[str, object]:
    """The physics' own entropy at one point, beside the network's log loss there.

    Fresh full towers, one strike each from the left at one speed: what the network cannot know is
    the packing and the height of the blow. The entropy is that of the observed shares with the
    Miller-Madow correction.
    """
    setup = Setup(0.4, 0.025, 1.0, 2.0, 0.0)
    tower, striker, totals = setup.tower(base), setup.striker(), []
    for number in range(count):
        rng = stream(seed, Purpose.GAMES, 1_000_000, number)
        strike = striker.draw(rng, tower.geometry.height, "left")
        totals.append(len(tower.strike(tower.fill(rng), strike, rng).hit))
    counts = np.bincount(totals)
    shares = counts[counts > 0] / count
    entropy = float(-(shares * np.log(shares)).sum() + (len(shares) - 1) / (2 * count))
    features = History.filled(44.0).features(SIDES["left"])
    chance = network.totals(features, to_coordinates(setup.values)[None], np.array([44]))[0]
    return {
        "trained_on": "all games; scored on first hits of the default tower at 2 m/s",
        "hits": count,
        "network": float(-np.log(chance[totals]).mean()),
        "physics_entropy": entropy,
    }


if __name__ == "__main__":
    main()
