"""Learns an emulator from simulated games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.emulator._cells import cell_features, cells_of
from rocktower.emulator._drawing import WHOLE
from rocktower.emulator._emulator import Emulator
from rocktower.emulator._layers import (
    BOULDERS,
    CLASSES,
    Layers,
    class_chances,
    fit_tail,
    hold_out,
    train_layers,
)
from rocktower.emulator._memory import NEW_TURN, next_memories
from rocktower.emulator._order import fit_order
from rocktower.emulator._towers import LAYERS, EmulatedTowers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.sampling import HitTable

    Array = NDArray[np.float32]

__all__ = ["Situations", "learn", "log_loss"]

_NETWORKS = 5
_SHIFTS = 20


@dataclass(frozen=True, slots=True)
class Situations:
    """Hits of simulated games, each with the tower before it as an emulator sees it, n in all.

    Parameters
    ----------
    game
        Shape (n,): number of the game.
    towers
        n towers, before the hit.
    total
        Shape (n,): boulders that came out.
    below, layer, later
        For each boulder that came out, m in all, in their order: how many boulders lay up to each
        layer's top, shape (m, 4), which layer it came from, and whether it was not the first
        one of its hit, shape (m,).
    """

    game: NDArray[np.int64]
    towers: EmulatedTowers
    total: NDArray[np.int64]
    below: NDArray[np.int64]
    layer: NDArray[np.int64]
    later: NDArray[np.bool_]

    @classmethod
    def of(cls, table: HitTable) -> Situations:
        """Follow the towers of a table of hits."""
        n = len(table.turn)
        layers = np.zeros((n, LAYERS, 4), dtype=np.uint8)
        memory = np.full(n, NEW_TURN, dtype=np.int16)
        total = table.out.sum(axis=1)
        below, came_from = [], []
        now = np.zeros((LAYERS, 4), dtype=np.int64)
        for row in range(n):
            if table.hit[row] > 1:
                memory[row] = next_memories()[memory[row - 1], total[row - 1]]
            elif table.turn[row] == 1:
                now = np.zeros((LAYERS, 4), dtype=np.int64)
                now[-1] = table.added[row]
            else:
                now = np.vstack([now[0] + now[1], now[2:], table.added[row]])
            layers[row] = now
            for color, age in zip(table.order[row], table.ages[row], strict=True):
                layer = LAYERS - 1 - min(age, LAYERS - 1)
                below.append(now.sum(axis=1).cumsum())
                came_from.append(layer)
                now[layer, color] -= 1
        return cls(
            table.unit,
            EmulatedTowers(layers, memory),
            total,
            np.array(below, dtype=np.int64).reshape(-1, LAYERS),
            np.array(came_from, dtype=np.int64),
            np.concatenate([np.arange(count) > 0 for count in total]),
        )


def learn(
    situations: Situations, *, seed: int, note: dict[str, Any], networks: int = _NETWORKS
) -> Emulator:
    """Train an emulator.

    Parameters
    ----------
    note
        What the games were simulated with, among it ``tower_hash``.

    Raises
    ------
    RocktowerError
        If scikit-learn is not installed.
    """
    inputs, left = cell_features(), situations.towers.left
    cells = cells_of(situations.towers, left)
    mean, scale = inputs[cells].mean(axis=0), np.maximum(inputs[cells].std(axis=0), 1e-6)
    scaled = ((inputs - mean) / scale).astype(np.float32)
    layers = []
    for number in range(networks):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        apart = hold_out(situations.game, rng)
        trained = train_layers(
            scaled[cells], left, situations.total, apart, seed=int(rng.integers(2**31))
        )
        layers.append(_leveled(trained, scaled, cells, situations.total))
    return Emulator(
        _whole(_in_cells(tuple(layers), scaled)),
        fit_tail(situations.total),
        _rounded(fit_order(situations.below, situations.layer, situations.later)),
        _seen(left),
        {"seed": seed, "hits": len(left), **note},
    )


def _in_cells(networks: tuple[Layers, ...], scaled: Array) -> Array:
    """Ask networks for the chances in each cell, shape (cells, 21)."""
    inside = np.arange(len(scaled)) % (BOULDERS + 1)
    return class_chances(networks, [net.first(scaled) for net in networks], inside)


def _leveled(
    network: Layers, scaled: Array, cells: NDArray[np.int64], total: NDArray[np.int64]
) -> Layers:
    """Shift the last biases until the network foretells each class as often as it was seen.

    Training in small batches stops somewhere near that: an empty hit more or less in a hundred.
    """
    seen = np.bincount(np.minimum(total, CLASSES - 1), minlength=CLASSES) + 0.5
    hits = np.bincount(cells, minlength=len(scaled))
    for _ in range(_SHIFTS):
        told = hits @ _in_cells((network,), scaled).astype(float) + 0.5
        last = (network.biases[-1] + np.log(seen / told)).astype(np.float32)
        network = Layers(network.weights, (*network.biases[:-1], last))
    return network


def _whole(chances: NDArray[np.float32]) -> NDArray[np.int32]:
    """Round rows of chances to whole numbers with the sum `WHOLE`: the largest one gives way."""
    shares = chances / chances.sum(axis=1, keepdims=True)
    whole: NDArray[np.int32] = np.rint(shares * WHOLE).astype(np.int32)
    rows = np.arange(len(whole))
    whole[rows, whole.argmax(axis=1)] += WHOLE - whole.sum(axis=1, dtype=np.int32)
    return whole


def _rounded(order: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.rint(order * WHOLE).astype(np.int32))


def _seen(left: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count towers that hold as much, or one boulder more or less."""
    counts = np.bincount(left, minlength=BOULDERS + 1)
    return np.asarray(np.convolve(counts, np.ones(3, dtype=np.int64), "same"))


def log_loss(emulator: Emulator, situations: Situations) -> float:
    """Return the mean of minus the log-probability of how many came out, nats a hit."""
    chance = emulator.totals(situations.towers)
    chosen = chance[np.arange(len(chance)), situations.total]
    return float(-np.log(np.maximum(chosen, 1e-30)).mean())
