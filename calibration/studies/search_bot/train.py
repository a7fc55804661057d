"""Learn what a position is worth from games of bots with each other.

python calibration/studies/search_bot/train.py --games 1600 --keep greedy.npz --out value.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from rocktower.games.trollfjord import State, new_game, phases
from rocktower.play import load_bot
from rocktower.play._bots import Bot
from rocktower.play._rollout import play_on
from rocktower.play._value import features, lead


class Restless:
    """A bot for each seat, which now and then does anything: so more of the game is seen."""

    def __init__(self, bots: list[Bot], share: float) -> None:
        self._bots, self._share = bots, share

    def decide(self, state, actions, rng):
        if rng.random() < self._share:
            return actions[int(rng.random() * len(actions))]
        return self._bots[state.actor].decide(state, actions, rng)


def play(bots: list[Bot], share: float, players: int, seed: int) -> tuple[list[list[float]], list[float]]:
    """Play a game; return what was seen before each move, and the lead that was yet to come."""
    rng = np.random.default_rng(seed)
    bot = Restless([bots[int(rng.integers(len(bots)))] for _ in range(players)], share)
    seen: list[State] = []

    def watch(state: State) -> None:
        if isinstance(state.phase, phases.Moving):
            seen.append(state)

    end = play_on(new_game(players, numbers="shuffled"), bot, rng, watch=watch)
    rows, leads = [], []
    for state in seen:
        for player in range(players):
            rows.append(features(state, player))
            leads.append(lead(end, player) - lead(state, player))
    return rows, leads


def main() -> None:
    """Play, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", default="greedy", help="any of them on each seat")
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--share", type=float, default=0.1, help="of decisions made at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, nargs="*", default=[], help="games played before")
    parser.add_argument("--keep", type=Path, help="keep the games for --data")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    bots = [load_bot(name) for name in options.bots.split(",")]
    x, y, game = [], [], []
    for number in range(options.games):
        rows, leads = play(bots, options.share, (2, 2, 3, 4)[number % 4], 1_000_000 * options.seed + number)
        x += rows
        y += leads
        game += [number] * len(rows)
    inputs, target, games = np.array(x, dtype=np.float32), np.array(y), np.array(game)
    if options.keep:
        np.savez_compressed(options.keep, inputs=inputs, target=target, game=games)
    for path in options.data:
        more = np.load(path)
        inputs = np.concatenate([inputs.reshape(-1, more["inputs"].shape[1]), more["inputs"]])
        target = np.concatenate([target, more["target"]])
        games = np.concatenate([games, more["game"] + 1 + games.max(initial=0)])
    fit(inputs, target, games, options.out)


def fit(inputs: np.ndarray, target: np.ndarray, games: np.ndarray, out: Path) -> None:
    """Fit the network; a tenth of the games tells when to stop and how good it is."""
    from sklearn.neural_network import MLPRegressor

    held = games % 10 == 0
    mean, scale = inputs[~held].mean(axis=0), inputs[~held].std(axis=0) + 1e-6
    z = (inputs - mean) / scale
    net = MLPRegressor(
        hidden_layer_sizes=(32,), activation="tanh", alpha=3e-3, learning_rate_init=1e-3,
        batch_size=256, random_state=1,
    )  # fmt: skip
    spread = target[~held].std()
    best, kept, since = np.inf, None, 0
    for _ in range(60):
        net.partial_fit(z[~held], target[~held] / spread)
        error = float(np.mean((net.predict(z[held]) * spread - target[held]) ** 2))
        if error < best:
            best, since = error, 0
            kept = [a.copy() for a in (*net.coefs_, *net.intercepts_)]
        else:
            since += 1
            if since > 5:
                break
    hidden, last, bias, last_bias = kept
    np.savez_compressed(
        out,
        hidden=hidden / scale[:, None],
        hidden_bias=bias - (mean / scale) @ hidden,
        out=last[:, 0] * spread,
        out_bias=last_bias[0] * spread,
    )
    still = target[held] - target[held].mean()
    print(
        f"{len(target)} positions; of the variance {1 - best / np.mean(still**2):.3f} is told, "
        f"root mean square error {best**0.5:.2f} points"
    )


if __name__ == "__main__":
    main()
