"""Learn what a position is worth from games of bots with each other.

See README.md for the commands.
"""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

import numpy as np

from rocktower.games.trollfjord import State, new_game, phases
from rocktower.play import load_bot, read_log_file
from rocktower.play._bots import Bot
from rocktower.play._rollout import play_on
from rocktower.play._value import features, lead

FAR = 0.6  # of what is learned, how much goes on to the turns after the next


class Restless:
    """A bot for each seat, which now and then does anything: so more of the game is seen."""

    def __init__(self, bots: list[Bot], share: float) -> None:
        self._bots, self._share = bots, share

    def decide(self, state, actions, rng):
        if rng.random() < self._share:
            return actions[int(rng.random() * len(actions))]
        return self._bots[state.actor].decide(state, actions, rng)


def play(
    bots: list[Bot], share: float, players: int, seed: int
) -> tuple[list[list[float]], list[float]]:
    """Play a game; return what was seen before each move, and the lead that was yet to come."""
    rng = np.random.default_rng(seed)
    bot = Restless([bots[int(rng.integers(len(bots)))] for _ in range(players)], share)
    seen: list[State] = []

    def watch(state: State) -> None:
        if isinstance(state.phase, phases.Moving):
            seen.append(state)

    end = play_on(new_game(players, numbers="shuffled"), bot, rng, watch=watch)
    return described(seen, end)


def main() -> None:
    """Play, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", default="greedy", help="any of them on each seat")
    parser.add_argument("--games", type=int, default=0, help="to play now")
    parser.add_argument("--share", type=float, default=0.1, help="of decisions made at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--logs", type=Path, help="instead, the positions of games in this folder")
    parser.add_argument("--keep", type=Path, help="write the positions to this file, fit nothing")
    parser.add_argument("--data", type=Path, nargs="*", default=[], help="positions kept before")
    parser.add_argument("--best", type=Path, nargs="*", default=[], help="these count three times")
    parser.add_argument("--out", type=Path, help="fit to all data, and write the network")
    options = parser.parse_args()
    if options.keep:
        games = played(options) if options.logs is None else logged(options.logs)
        x, y = zip(*games, strict=True)
        np.savez_compressed(
            options.keep,
            inputs=np.array(list(chain.from_iterable(x)), dtype=np.float32),
            target=np.array(list(chain.from_iterable(y))),
            game=np.repeat(np.arange(len(x)), list(map(len, x))),
        )
    if options.out:
        fit(read(options.data + options.best), len(options.data), options.out)


def played(options: argparse.Namespace) -> list[tuple[list[list[float]], list[float]]]:
    """Play games for two, two, three and four in turn."""
    bots = [load_bot(name) for name in options.bots.split(",")]
    return [
        play(bots, options.share, (2, 2, 3, 4)[game % 4], 1_000_000 * options.seed + game)
        for game in range(options.games)
    ]


def logged(folder: Path) -> list[tuple[list[list[float]], list[float]]]:
    """Read the games of a tournament."""
    games = []
    for path in sorted(folder.glob("*.jsonl")):
        replay, _ = read_log_file(path)
        moving = [s for s, _ in replay.steps if isinstance(s.phase, phases.Moving)]
        games.append(described(moving, replay.state))
    return games


def described(seen: list[State], end: State) -> tuple[list[list[float]], list[float]]:
    """Describe positions as each player saw them, with the lead that was yet to come."""
    rows, leads = [], []
    for state in seen:
        for player in range(state.table.players):
            rows.append(features(state, player))
            leads.append(lead(end, player) - lead(state, player))
    return rows, leads


def read(paths: list[Path]) -> list[dict[str, np.ndarray]]:
    """Read kept positions."""
    return [dict(np.load(path)) for path in paths]


def fit(data: list[dict[str, np.ndarray]], once: int, out: Path) -> None:
    """Fit networks and write their mean as one; a twentieth of the games tells how good it is.

    The first `once` of the data count once, the others three times.

    Half of the networks learn the leads at the end of the games. The others learn from leads a
    turn later and from what the networks before say of that later position (temporal differences,
    with a weight of `FAR` on what follows after): that has far less luck in it, and more of the
    networks' own mistakes. Their mean is better than either.
    """
    from sklearn.neural_network import MLPRegressor

    inputs = np.concatenate([part["inputs"] for part in data])
    target = np.concatenate([part["target"] for part in data])
    first = np.cumsum([0, *(part["game"].max() + 1 for part in data)])
    games = np.concatenate([part["game"] + n for part, n in zip(data, first[:-1], strict=True)])
    held = games % 20 == 0
    rows = np.flatnonzero(~held)
    rows = np.concatenate([rows, *[rows[games[rows] >= first[once]]] * 2])
    mean, scale = inputs[rows].mean(axis=0), inputs[rows].std(axis=0) + 1e-6
    z = ((inputs - mean) / scale).astype(np.float32)
    later = next_rows(inputs, games)
    told: np.ndarray | None = None
    kept, said = [], []
    for networks in (4, 2, 4):
        y = target if told is None else look_ahead(target, told, later)
        spread = y[rows].std()
        nets = []
        for seed in range(networks):
            net = MLPRegressor(
                hidden_layer_sizes=(24,), activation="tanh", alpha=3e-3, learning_rate_init=1e-3,
                batch_size=256, random_state=seed,
            )  # fmt: skip
            for _ in range(6):
                net.partial_fit(z[rows], y[rows] / spread)
            nets.append((net, spread))
        told = np.mean([net.predict(z) for net, _ in nets], axis=0) * spread
        if networks == 4:
            kept += nets
            said.append(told)
        _tell("so far", np.mean(said, axis=0), target, held, spread)
    np.savez_compressed(
        out,
        hidden=np.concatenate([net.coefs_[0] for net, _ in kept], axis=1) / scale[:, None],
        hidden_bias=np.concatenate(
            [net.intercepts_[0] - (mean / scale) @ net.coefs_[0] for net, _ in kept]
        ),
        out=np.concatenate([net.coefs_[1][:, 0] * spread for net, spread in kept]) / len(kept),
        out_bias=np.mean([net.intercepts_[1][0] * spread for net, spread in kept]),
    )


def _tell(name: str, told: np.ndarray, target: np.ndarray, held: np.ndarray, spread: float) -> None:
    error = float(np.mean((told - target)[held] ** 2))
    print(
        f"{name}: {len(target)} positions; of the variance of the lead to come "
        f"{1 - error / target[held].var():.3f} is told; learned with a standard deviation of "
        f"{spread:.1f} points",
        flush=True,
    )


def next_rows(inputs: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Find for each row the same player's one a turn later; -1 for the last of a game."""
    players = np.where(inputs[:, -1] > 0, 4, np.where(inputs[:, -2] > 0, 3, 2))
    later = np.arange(len(inputs)) + players
    inside = later < len(inputs)
    inside[inside] = games[later[inside]] == games[inside]
    return np.where(inside, later, -1)


def look_ahead(target: np.ndarray, told: np.ndarray, later: np.ndarray) -> np.ndarray:
    """Give what to learn: what a turn brings, and what is said of the position after it."""
    y = np.empty(len(target))
    for row in reversed(range(len(target))):
        then = later[row]
        y[row] = target[row]
        if then >= 0:
            y[row] += FAR * y[then] + (1 - FAR) * told[then] - target[then]
    return y


if __name__ == "__main__":
    main()
