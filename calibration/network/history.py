"""Would a longer memory of the game foretell the next hit better?

    python calibration/network/history.py --games 5120 --seed 1 --jobs 2

The packing remembers what has been struck. The network is shown some of it (`History`): two hits,
empties in a row, boulders dropped in last. Here it is shown more, and must foretell games kept
apart. Writes history.csv: log loss in nats a hit, and how much lower it is than without, with an
interval from whole games. The games are those of train_network.py, and are taken from its folder.
About two minutes of one processor for each line.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from train_network import HERE, game_set

from rocktower.calibration.fitting._games import Games, play_games
from rocktower.calibration.fitting._history import FEATURES
from rocktower.calibration.fitting._network import STRIKE_COLUMNS
from rocktower.emulator import CLASSES, class_chances, hold_out, train_layers
from rocktower.sampling import local_executor
from rocktower.statistics import ratio

NETWORKS = 3
LONGER = {
    "nothing more": (),
    "the hit before those two": ("third",),
    "mean of the last turn": ("last turn",),
    "mean and number of all hits of the filling": ("mean", "hits"),
    "all of it, and the share of empty hits": ("third", "last turn", "mean", "hits", "empty"),
}
"""What the network is shown beside its own features."""


def longer_history(games: Games) -> dict[str, np.ndarray]:
    """Follow each game: what came before a hit in its filling, each of shape (n,)."""
    found = {name: np.zeros(len(games)) for name in ("third", "last turn", "mean", "hits", "empty")}
    first = FEATURES.index("first hit of the turn")
    before: list[int] = []
    turn: list[int] = []
    last_turn = 0.0
    for row in range(len(games)):
        if row == 0 or games.game[row] != games.game[row - 1]:
            before, turn, last_turn = [], [], 0.0
        elif games.features[row, first]:
            last_turn, turn = float(np.mean(turn)), []
        found["last turn"][row] = last_turn
        if before:
            found["mean"][row] = np.log1p(before).mean()
            found["hits"][row] = np.sqrt(len(before))
            found["empty"][row] = np.mean(np.array(before) == 0)
        if len(before) >= 3:
            found["third"][row] = np.log1p(before[-3])
        before.append(int(games.total[row]))
        turn.append(int(games.total[row]))
    return found


def losses(games: Games, more: np.ndarray, apart: np.ndarray, seed: int) -> np.ndarray:
    """Train without the games kept apart, and return minus the log-probability of their hits."""
    inputs = np.column_stack([games.features, games.parameters[:, STRIKE_COLUMNS], more])
    kept = ~apart
    scaled = (inputs - inputs[kept].mean(axis=0)) / inputs[kept].std(axis=0)
    scaled = scaled.astype(np.float32)
    networks = []
    for number in range(NETWORKS):
        rng = np.random.default_rng((seed, number))
        held_out = hold_out(games.game[kept], rng)
        networks.append(
            train_layers(
                scaled[kept], games.left[kept], games.total[kept], held_out,
                seed=int(rng.integers(2**31)),
            )
        )  # fmt: skip
    first = [network.first(scaled[apart]) for network in networks]
    chance = class_chances(tuple(networks), first, games.left[apart])
    kind = np.minimum(games.total[apart], CLASSES - 1)
    return np.asarray(-np.log(chance[np.arange(len(kind)), kind] + 1e-30))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=5120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--games-folder", type=Path, default=HERE / "games")
    options = parser.parse_args()
    with local_executor(options.jobs) as executor:
        games = play_games(game_set(options.games, options.seed), options.games_folder, executor)
    history = longer_history(games)
    some = games.left > 0  # an empty tower teaches nothing
    games, history = games.where(some), {name: column[some] for name, column in history.items()}
    apart = games.game % 10 == 3
    _, place = np.unique(games.game[apart], return_inverse=True)
    rows: list[dict[str, object]] = []
    plain = np.zeros(apart.sum())
    for name, columns in LONGER.items():
        more = np.column_stack([np.zeros((len(games), 0)), *(history[key] for key in columns)])
        loss = losses(games, more, apart, options.seed)
        if not columns:
            plain = loss
        # Games are independent, hits of one game are not.
        gain = ratio(np.bincount(place, plain - loss), np.bincount(place))
        rows.append(
            {"shown": name, "hits_trained_on": int((~apart).sum()), "hits": len(loss),
             "log_loss": f"{loss.mean():.4f}", "lower_by": f"{gain.value:.4f}",
             "low_95": f"{gain.low:.4f}", "high_95": f"{gain.high:.4f}"}
        )  # fmt: skip
        print(rows[-1], flush=True)
    with (HERE / "history.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
