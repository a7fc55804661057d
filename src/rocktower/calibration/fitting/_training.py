"""Trains the network of one hit on simulated games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.calibration.fitting._colors import (
    color_log_probability,
    color_weights,
    fresh_after,
)
from rocktower.calibration.fitting._history import FEATURES, SIDES
from rocktower.calibration.fitting._network import STRIKE_COLUMNS, HitNetwork
from rocktower.emulator import fit_tail, hold_out, train_layers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.calibration.fitting._games import Games

__all__ = ["Scores", "log_loss", "score", "train"]

_NETWORKS = 3
# Weights that are learned at one rate keep its noise: of hits kept apart the chance to be empty was
# then off by 0.005, and after a slow end by 0.001, at 0.0014 nats a hit less.
_LAST_RATE = 1e-4
_SIDE_UNKNOWN = 1.0 / 3.0  # of the hits: what a record without sides is like
_SIDE, _LATER = FEATURES.index("side"), FEATURES.index("later turn")


@dataclass(frozen=True, slots=True)
class Scores:
    """How well games that were not trained on are foretold, in nats a hit.

    Parameters
    ----------
    hits
        How many.
    network
        Log loss of the network, which knows the speed of each strike.
    constant
        Log loss of one distribution for all hits: what there is to explain.
    colors, colors_exchangeable
        Log loss of the colors given the total, with memory and without.
    later, later_exchangeable
        The same, for hits in later turns, where the memory can show; NaN if there are none.
    """

    hits: int
    network: float
    constant: float
    colors: float
    colors_exchangeable: float
    later: float
    later_exchangeable: float


def log_loss(network: HitNetwork, games: Games) -> float:
    """Return the mean of minus the log-probability of the totals, nats a hit."""
    chance = _chances(network, games)
    return float(-np.log(np.maximum(chance, 1e-30)).mean())


def _chances(network: HitNetwork, games: Games) -> NDArray[np.float64]:
    seen, set_up = network.seen(games.features), network.set_up(_inputs(games))
    first = [a + b for a, b in zip(seen, set_up, strict=True)]
    classes = network.classes(first, games.left)
    return network.of_class(classes, games.left, games.total)


def train(
    games: Games, *, seed: int, start: HitNetwork | None = None, note: dict[str, Any] | None = None
) -> HitNetwork:
    """Train networks on games, from scratch or going on from others.

    Each one stops when the log loss of the games held out for it has not improved for a while,
    and keeps the weights that were best. What it starts from counts, too, so that going on never
    makes the held-out games less likely.

    Raises
    ------
    RocktowerError
        If scikit-learn is not installed.
    """
    features = games.features.copy()
    hidden = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_NETWORKS,)))
    features[hidden.random(len(features)) < _SIDE_UNKNOWN, _SIDE] = SIDES[None]
    inputs = np.concatenate([features, _inputs(games)], axis=1)
    if start is None:
        mean, scale = inputs.mean(axis=0), np.maximum(inputs.std(axis=0), 1e-6)
    else:
        mean, scale = start.mean, start.scale
    scaled = ((inputs - mean) / scale).astype(np.float32)
    tail = fit_tail(games.total) if start is None else start.tail
    weight = color_weight(games) if start is None else start.color_weight
    count = _NETWORKS if start is None else len(start.layers)
    layers = []
    for number in range(count):
        begun = None if start is None else start.layers[number]
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        held_out = hold_out(games.game, rng)
        learn = partial(train_layers, scaled, games.left, games.total, held_out)
        learned = learn(seed=int(rng.integers(2**31)), start=begun)
        layers.append(learn(seed=int(rng.integers(2**31)), start=learned, rate=_LAST_RATE))
    return HitNetwork(tuple(layers), mean, scale, tail, weight, dict(note or {}))


def _inputs(games: Games) -> NDArray[np.float64]:
    return games.parameters[:, STRIKE_COLUMNS]


def _fresh(games: Games, weight: float) -> NDArray[np.float64]:
    """Follow how many of each color were dropped in last, shape (n, 4)."""
    fresh = np.zeros((len(games), 4))
    now = np.zeros((1, 4))
    for row in range(len(games)):
        inside = games.inside[row : row + 1].astype(float)
        if row == 0 or games.game[row] != games.game[row - 1]:
            now = np.zeros((1, 4))
        elif games.added[row].any():
            now = games.added[row : row + 1].astype(float)
        fresh[row] = now[0]
        now = fresh_after(inside, now, games.out[row : row + 1].astype(float), weight)
    return fresh


def _color_scores(games: Games, weight: float) -> NDArray[np.float64]:
    weights = color_weights(games.inside.astype(float), _fresh(games, weight), weight)
    return color_log_probability(games.out, games.inside, weights)


def color_weight(games: Games) -> float:
    """Fit the weight of boulders dropped in last, by maximum likelihood.

    It comes from the games of all setups; its dependence on them is left out.
    """
    from scipy.optimize import minimize_scalar

    later = games.features[:, _LATER] > 0.0
    if not later.any():
        return 1.0

    def loss(log_weight: float) -> float:
        return float(-_color_scores(games, float(np.exp(log_weight))).sum())

    found = minimize_scalar(loss, bounds=(-5.0, 1.0), method="bounded", options={"xatol": 0.02})
    return float(np.exp(found.x))


def score(network: HitNetwork, games: Games, trained_on: Games) -> Scores:
    """Score a network on games that it was not trained on."""
    counts = np.bincount(trained_on.total, minlength=games.total.max() + 1) + 0.5
    counts = counts / counts.sum()
    later = games.features[:, _LATER] > 0.0
    memory, plain = _color_scores(games, network.color_weight), _color_scores(games, 1.0)
    return Scores(
        len(games),
        log_loss(network, games),
        float(-np.log(counts[games.total]).mean()),
        float(-memory.mean()),
        float(-plain.mean()),
        float(-memory[later].mean()) if later.any() else nan,
        float(-plain[later].mean()) if later.any() else nan,
    )
