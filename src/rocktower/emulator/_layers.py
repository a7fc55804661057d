"""Small networks that say how likely each number of boulders is, and how they are trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.games.trollfjord import ALL_BOULDERS
from rocktower.sampling import needs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float32]

__all__ = [
    "BOULDERS",
    "CLASSES",
    "Layers",
    "class_chances",
    "fit_tail",
    "hold_out",
    "spread_out",
    "tail_table",
    "train_layers",
]

BOULDERS = sum(ALL_BOULDERS)
CLASSES = 21
"""Hits of 0, 1, ... 19 boulders, and of 20 or more."""

_HIDDEN = (32, 32)
_DECAY = 7.0  # of the weights, over the number of hits
_BATCH = 128
_RATE, _FINE_RATE = 2e-3, 5e-4  # of learning, from scratch and going on
_MOST_EPOCHS = 120
_PATIENCE = 10
_HELD_OUT = 0.1  # of the games, for each network another part, to stop in time


@dataclass(frozen=True, slots=True)
class Layers:
    """One network: tanh layers of weights (inputs, outputs) and biases (outputs,)."""

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]

    def first(self, scaled: ArrayLike) -> Array:
        """Return the first layer for inputs of mean 0 and scale 1, shape (..., hidden)."""
        return np.asarray(np.asarray(scaled, dtype=np.float32) @ self.weights[0] + self.biases[0])


def class_chances(networks: tuple[Layers, ...], first: list[Array], left: ArrayLike) -> Array:
    """Return the chance of each class, the mean of the networks', shape (..., 21).

    Parameters
    ----------
    first
        Each network's first layer, shape (..., hidden).
    left
        Boulders in the tower, of a shape that suits the first layers' without the last axis.
    """
    possible = np.asarray(left)[..., None] >= np.arange(CLASSES)
    mean: Any = 0.0
    for layer, net in zip(first, networks, strict=True):
        value = np.tanh(layer)
        for weight, bias in zip(net.weights[1:-1], net.biases[1:-1], strict=True):
            value = np.tanh(value @ weight + bias)
        value = value @ net.weights[-1] + net.biases[-1]
        value = np.exp(value - value.max(axis=-1, keepdims=True))
        value = np.where(possible, value + np.float32(1e-9), np.float32(0.0))
        mean = mean + value / value.sum(axis=-1, keepdims=True)
    return np.asarray(mean / np.float32(len(networks)))


def fit_tail(total: NDArray[np.int64]) -> float:
    """Fit the geometric law of what is 20 or more, by its mean; at least one such hit is added."""
    above = total[total >= CLASSES - 1] - (CLASSES - 1)
    mean = (above.sum() + 2.0) / (len(above) + 1.0)
    return float(mean / (1.0 + mean))


def tail_table(tail: float) -> NDArray[np.float64]:
    """Return the chance of 20, 21, ... of so many boulders, given 20 or more: shape (45, 25).

    Parameters
    ----------
    tail
        The chance that there is one more: a geometric law.
    """
    chance = tail ** np.arange(BOULDERS - CLASSES + 2.0)
    table = np.zeros((BOULDERS + 1, len(chance)))
    for left in range(CLASSES - 1, BOULDERS + 1):
        possible = chance[: left - CLASSES + 2]
        table[left, : len(possible)] = possible / possible.sum()
    return table


def spread_out(
    classes: ArrayLike, left: ArrayLike, tails: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Turn chances of classes, shape (..., 21), into those of 0 to 44 boulders, (..., 45)."""
    given = np.asarray(classes, dtype=float)
    above = tails[np.broadcast_to(np.asarray(left, dtype=int), given.shape[:-1])]
    return np.concatenate([given[..., :-1], given[..., -1:] * above], axis=-1)


def hold_out(game: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Choose whole games, as hits of one game depend on each other."""
    games = np.unique(game)
    chosen = rng.permutation(games)[: max(1, round(_HELD_OUT * len(games)))]
    return np.isin(game, chosen)


def train_layers(
    scaled: Array,
    left: NDArray[np.int64],
    total: NDArray[np.int64],
    held_out: NDArray[np.bool_],
    *,
    seed: int,
    start: Layers | None = None,
    rate: float | None = None,
) -> Layers:
    """Train one network, from scratch or going on from another.

    It stops when the log loss of the hits held out has not improved for a while, and keeps the
    weights that were best. What it starts from counts, too, so that going on never makes the
    held-out hits less likely.

    Parameters
    ----------
    scaled
        Inputs of mean 0 and scale 1, shape (n, inputs).
    left, total
        Boulders in the tower, and that came out, shape (n,).
    held_out
        Which hits are not trained on, shape (n,).
    rate
        Of learning; if None, the usual one from scratch, and a quarter of it going on.

    Raises
    ------
    RocktowerError
        If scikit-learn is not installed.
    """
    needs("sklearn", "calibrate")
    from sklearn.neural_network import MLPClassifier

    kind = np.minimum(total, CLASSES - 1)
    x, y = scaled[~held_out], kind[~held_out]
    hidden = _HIDDEN if start is None else tuple(w.shape[1] for w in start.weights[:-1])
    if rate is None:
        rate = _RATE if start is None else _FINE_RATE
    model = MLPClassifier(
        hidden,
        activation="tanh",
        # scikit-learn divides by the size of the batch, so that the sum over an epoch is this:
        alpha=_DECAY * min(_BATCH, len(x)) / len(x),
        batch_size=min(_BATCH, len(x)),
        learning_rate_init=rate,
        random_state=seed,
    )
    few = slice(0, model.batch_size)
    model.partial_fit(x[few], y[few], classes=np.arange(CLASSES))  # makes the arrays
    if start is not None:
        for ours, theirs in zip(model.coefs_, start.weights, strict=True):
            ours[...] = theirs
        for ours, theirs in zip(model.intercepts_, start.biases, strict=True):
            ours[...] = theirs
    best, since, kept = np.inf, 0, _layers(model)
    for epoch in range(_MOST_EPOCHS + 1):
        if epoch:
            model.partial_fit(x, y)
        now = _layers(model)
        chance = class_chances((now,), [now.first(scaled[held_out])], left[held_out])
        loss = float(-np.log(chance[np.arange(len(chance)), kind[held_out]] + 1e-30).mean())
        if loss < best - 1e-4:
            best, since, kept = loss, 0, now
        else:
            since += 1
            if since > _PATIENCE:
                break
    return kept


def _layers(model: Any) -> Layers:
    return Layers(
        tuple(weight.astype(np.float32) for weight in model.coefs_),
        tuple(bias.astype(np.float32) for bias in model.intercepts_),
    )
