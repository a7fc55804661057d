"""Samples hits: how many boulders come out, then which."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.emulator._layers import (
    BOULDERS,
    CLASSES,
    Layers,
    class_chances,
    spread_out,
    tail_table,
)
from rocktower.emulator._memory import MEMORY_FEATURES, memory_features, next_memories
from rocktower.emulator._towers import EmulatedTowers
from rocktower.errors import RocktowerError
from rocktower.files import replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

__all__ = ["FRESH_GROUPS", "Emulator", "cell_features", "fresh_groups"]

_FORMAT = "rocktower-emulator/1"
_SHIPPED = "default.npz"
_FEW = 30  # hits of towers about as full: with fewer, the physics is to answer

FRESH_GROUPS = np.array([0.0, 0.2, 0.5, 0.8])
"""Shares that stand for a tower's share of boulders dropped in before this turn."""


def fresh_groups() -> NDArray[np.int64]:
    """Return the group of so many boulders of which so many are fresh, shape (45, 45)."""
    left, fresh = np.indices((BOULDERS + 1, BOULDERS + 1))
    share = fresh / np.maximum(left, 1)
    return np.where(fresh > 0, 1 + (share > 0.35) + (share > 0.65), 0)


def cell_features() -> NDArray[np.float64]:
    """Return what the networks are shown of each cell, shape (memories, groups, 45, features)."""
    memory = memory_features()
    shape = len(memory), len(FRESH_GROUPS), BOULDERS + 1
    columns = [np.broadcast_to(column[:, None, None], shape) for column in memory.T]
    columns.append(np.broadcast_to(FRESH_GROUPS[:, None], shape))
    columns.append(np.broadcast_to(np.arange(BOULDERS + 1) / BOULDERS, shape))
    return np.stack(columns, axis=-1)


@dataclass(frozen=True)
class Emulator:
    """The hits of one tower in the hand of one striker, learned from simulated games.

    How many boulders come out depends on how many are inside, how many of them were dropped in
    before this turn, and the hits of the turn so far. Which ones depends on when they were
    dropped in: of those that were dropped in together, each is as likely as the other.

    Parameters
    ----------
    networks
        Say how likely each number of boulders is; the mean of them counts.
    mean, scale
        Of their inputs, shape (inputs,).
    tail
        Of hits of 20 or more boulders, the chance that there is one more.
    order
        Shape (45, 45): ``order[left, k]`` is the chance that the next boulder that comes out is
        one of the k that lie deepest.
    seen
        Shape (45,): hits of towers about as full that it was trained on (one boulder more or less).
    note
        What it was made with: JSON values, among them ``tower_hash``.

    Examples
    --------
    >>> import numpy as np
    >>> emulator = Emulator.load()
    >>> towers = emulator.filled([[11, 11, 11, 11]]).repeat(1000)
    >>> out, towers = emulator.strike(towers, np.random.default_rng(7))
    >>> out.shape, bool((towers.left + out.sum(axis=1) == 44).all())
    ((1000, 4), True)
    """

    networks: tuple[Layers, ...]
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    tail: float
    order: NDArray[np.float64]
    seen: NDArray[np.int64]
    note: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def filled(inside: ArrayLike) -> EmulatedTowers:
        """Begin fillings: see `EmulatedTowers.filled`."""
        return EmulatedTowers.filled(inside)

    @property
    def tower_hash(self) -> str:
        """The hash of the tower model that it stands for."""
        return str(self.note["tower_hash"])

    @cached_property
    def hash(self) -> str:
        """Content hash: 16 hexadecimal digits."""
        return hashlib.sha256(self.encode()).hexdigest()[:16]

    def require(self, tower_hash: str) -> None:
        """Raise `RocktowerError` if it stands for another tower."""
        if tower_hash != self.tower_hash:
            raise RocktowerError(
                f"the emulator {self.hash} stands for tower model {self.tower_hash}, not for "
                f"{tower_hash}: make one by rocktower emulate --tower FILE --out FILE"
            )

    @cached_property
    def _classes(self) -> NDArray[np.float32]:
        """Shape (cells, 21): the chance of each class in each cell."""
        features = cell_features()
        scaled = (features.reshape(-1, features.shape[-1]) - self.mean) / self.scale
        left = np.arange(len(scaled)) % (BOULDERS + 1)
        return class_chances(self.networks, [net.first(scaled) for net in self.networks], left)

    @cached_property
    def _tails(self) -> NDArray[np.float64]:
        return tail_table(self.tail)

    @cached_property
    def _alias(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Walker's alias table of each cell, shape (cells, 21)."""
        return _alias_table(self._classes)

    def _cells(self, towers: EmulatedTowers) -> NDArray[np.int64]:
        left = towers.left
        group = fresh_groups()[left, towers.layers[:, -1].sum(axis=1)]
        cells = (towers.memory * len(FRESH_GROUPS) + group) * (BOULDERS + 1) + left
        return np.asarray(cells)

    def totals(self, towers: EmulatedTowers) -> NDArray[np.float64]:
        """Return the chance of 0 to 44 boulders at the next hit, shape (n, 45)."""
        chance = self._classes[self._cells(towers)].astype(float)
        chance /= chance.sum(axis=1, keepdims=True)
        return spread_out(chance, towers.left, self._tails)

    def knows(self, towers: EmulatedTowers) -> NDArray[np.bool_]:
        """Say of each tower whether it was trained on towers about as full, shape (n,)."""
        return self.seen[towers.left] >= _FEW

    def strike(
        self, towers: EmulatedTowers, rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], EmulatedTowers]:
        """Strike each tower once.

        Returns
        -------
        tuple
            Boulders by color that came out, shape (n, 4), and the towers after it.
        """
        total = self._draw_totals(towers, rng)
        layers = _take_out(towers.layers, total, self.order, rng)
        out = (towers.layers - layers).sum(axis=1, dtype=np.int64)
        memory = next_memories()[towers.memory, total]
        return out, EmulatedTowers(layers, memory)

    def _draw_totals(self, towers: EmulatedTowers, rng: np.random.Generator) -> NDArray[np.int64]:
        threshold, alias = self._alias
        cells = self._cells(towers)
        picked = rng.random(len(towers)) * CLASSES
        column = picked.astype(np.int64)
        total = np.where(
            picked - column < threshold[cells, column], column, alias[cells, column]
        ).astype(np.int64)
        for row in np.flatnonzero(total == CLASSES - 1).tolist():  # few in a thousand
            tail = self._tails[towers.left[row]].cumsum()
            total[row] += int((tail <= rng.random() * tail[-1]).sum())
        return total

    def observe(
        self, towers: EmulatedTowers, out: ArrayLike, rng: np.random.Generator
    ) -> EmulatedTowers:
        """Let boulders come out whose colors are known: a hit that somebody else made.

        Parameters
        ----------
        out
            Shape (n, 4): boulders by color.
        rng
            When each of them was dropped in is drawn.

        Raises
        ------
        RocktowerError
            If more come out than are inside.
        """
        wanted = np.asarray(out, dtype=np.int64)
        if wanted.shape != (len(towers), 4) or (wanted < 0).any():
            raise RocktowerError(f"out of shape {wanted.shape}: give ({len(towers)}, 4) counts")
        if (wanted > towers.inside).any():
            raise RocktowerError("out: more boulders came out than are inside")
        layers = towers.layers.copy()
        rows = np.arange(len(towers))
        for color in range(4):
            for taken in range(int(wanted[:, color].max(initial=0))):
                heights = layers.sum(axis=2, dtype=np.int64).cumsum(axis=1)
                bounds = self.order[heights[:, -1:], heights]
                each = np.diff(bounds, axis=1, prepend=0.0) / np.maximum(
                    np.diff(heights, axis=1, prepend=0), 1
                )
                weight = (layers[:, :, color] * (each + 1e-12)).cumsum(axis=1)
                layer = (weight <= rng.random((len(towers), 1)) * weight[:, -1:]).sum(axis=1)
                active = wanted[:, color] > taken
                layers[rows[active], layer[active], color] -= 1
        memory = next_memories()[towers.memory, wanted.sum(axis=1)]
        return EmulatedTowers(layers, memory)

    def encode(self) -> bytes:
        """Write as NPZ."""
        arrays: dict[str, Any] = {
            "format": np.array(_FORMAT),
            "note": np.array(json.dumps(self.note, sort_keys=True)),
            "mean": self.mean,
            "scale": self.scale,
            "tail": np.array(self.tail),
            "order": self.order,
            "seen": self.seen,
            "networks": np.array(len(self.networks)),
        }
        for i, net in enumerate(self.networks):
            for k, (weight, bias) in enumerate(zip(net.weights, net.biases, strict=True)):
                arrays |= {f"weight_{i}_{k}": weight, f"bias_{i}_{k}": bias}
        content = io.BytesIO()
        np.savez_compressed(content, **arrays)
        return content.getvalue()

    @classmethod
    def decode(cls, content: bytes, name: str) -> Emulator:
        """Read what `encode` has written; `name` (a file name) stands before every error.

        Raises
        ------
        RocktowerError
            If it is no emulator, or one of another format.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                arrays = {key: file[key] for key in file.files}
        except Exception as error:
            raise RocktowerError(f"{name}: not an emulator (NPZ): {error}") from None
        if (found := str(arrays.get("format", "none"))) != _FORMAT:
            raise RocktowerError(f"{name}: format {found!r}; this version reads {_FORMAT!r}")
        try:
            networks = []
            for i in range(int(arrays["networks"])):
                depth = sum(key.startswith(f"weight_{i}_") for key in arrays)
                networks.append(
                    Layers(
                        tuple(arrays[f"weight_{i}_{k}"] for k in range(depth)),
                        tuple(arrays[f"bias_{i}_{k}"] for k in range(depth)),
                    )
                )
            emulator = cls(
                tuple(networks),
                arrays["mean"],
                arrays["scale"],
                float(arrays["tail"]),
                arrays["order"],
                arrays["seen"],
                json.loads(str(arrays["note"])),
            )
        except (KeyError, ValueError, TypeError) as error:
            raise RocktowerError(f"{name}: a damaged emulator: {error}") from None
        inputs = len(MEMORY_FEATURES) + 2
        if (
            not networks
            or emulator.order.shape != (BOULDERS + 1, BOULDERS + 1)
            or emulator.seen.shape != (BOULDERS + 1,)
            or "tower_hash" not in emulator.note
            or any(net.weights[0].shape[0] != inputs for net in networks)
            or any(net.weights[-1].shape[1] != CLASSES for net in networks)
        ):
            raise RocktowerError(f"{name}: a damaged emulator: its parts do not fit")
        return emulator

    def save(self, path: Path) -> None:
        """Write the file whole."""
        replace_file(path, self.encode())

    @classmethod
    def load(cls, path: Path | None = None) -> Emulator:
        """Read a file, or the shipped one, which stands for the default tower; see `decode`."""
        if path is None:
            resource = files(__package__).joinpath("data", _SHIPPED)
            return cls.decode(resource.read_bytes(), _SHIPPED)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise RocktowerError(f"{path}: cannot be read: {error.strerror or error}") from None
        return cls.decode(content, str(path))


def _take_out(
    layers: NDArray[np.uint8],
    total: NDArray[np.int64],
    order: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Take so many boulders out of each tower, one after the other: the layer, then the color."""
    after = layers.copy()
    flat = after.reshape(len(after) * layers.shape[1], layers.shape[2])
    active, taken = np.flatnonzero(total), 0
    while active.size:
        heights = after[active].sum(axis=2, dtype=np.int64).cumsum(axis=1)
        bounds = order[heights[:, -1:], heights[:, :-1]]
        layer = (rng.random((len(active), 1)) >= bounds).sum(axis=1)
        row = active * layers.shape[1] + layer
        colors = flat[row].cumsum(axis=1, dtype=np.uint8)
        picked = rng.random(len(active)) * colors[:, -1]
        color = (picked[:, None] >= colors[:, :-1]).sum(axis=1)
        flat[row, color] -= 1
        taken += 1
        active = active[total[active] > taken]
    return after


def _alias_table(
    chance: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Make Walker's alias tables, one a row, side by side."""
    rows, n = np.arange(len(chance)), chance.shape[1]
    rest = chance / chance.sum(axis=1, keepdims=True) * n
    open_ = np.ones(rest.shape, dtype=bool)
    threshold = np.ones(rest.shape, dtype=np.float32)
    alias = np.tile(np.arange(n, dtype=np.uint8), (len(rows), 1))
    for _ in range(n - 1):
        small = np.where(open_, rest, np.inf).argmin(axis=1)
        large = np.where(open_, rest, -np.inf).argmax(axis=1)
        share = np.minimum(rest[rows, small], 1.0)
        threshold[rows, small], alias[rows, small] = share, large
        open_[rows, small] = False
        rest[rows, large] -= 1.0 - share
    return threshold, alias
