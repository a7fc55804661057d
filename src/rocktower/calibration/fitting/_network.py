"""The network of one hit: how many boulders come out, given what the table sees and the setup.

It knows the speed of the very strike. That of a person is not known, so a person's hit is a
mixture over the speeds that this person strikes with, which Gauss-Hermite points sum up.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.calibration.fitting._history import FEATURES
from rocktower.emulator import CLASSES, Layers, class_chances, spread_out, tail_table
from rocktower.errors import RocktowerError
from rocktower.files import decode_arrays, replace_file
from rocktower.tower import Setup

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float32]

__all__ = [
    "INPUTS",
    "NODE_SHARES",
    "STRIKE_COLUMNS",
    "HitNetwork",
    "strike_coordinates",
]

FORMAT = "rocktower-hit-network/1"
INPUTS = ("friction", "outlet_width", "grip", "speed")
"""The coordinates that the network is shown; a strike of known speed has no spread."""

STRIKE_COLUMNS = [Setup.names().index(name) for name in INPUTS]
"""Where they stand among the coordinates of a `Setup`."""

_SPREAD = Setup.names().index("speed_spread")
_SPEED = Setup.names().index("speed")
_NODES, NODE_SHARES = np.polynomial.hermite_e.hermegauss(5)
NODE_SHARES = NODE_SHARES / NODE_SHARES.sum()
"""How much each Gauss-Hermite point counts."""


def strike_coordinates(coordinates: ArrayLike) -> NDArray[np.float64]:
    """Turn coordinates of a `Setup`, shape (..., 5), into inputs of strikes, shape (..., q, 4).

    The speeds are those of q Gauss-Hermite points of the striker's log-normal distribution.
    """
    given = np.asarray(coordinates, dtype=float)
    sigma = np.sqrt(np.log1p(given[..., _SPREAD] ** 2))
    inputs = np.repeat(given[..., None, STRIKE_COLUMNS], len(_NODES), axis=-2)
    inputs[..., INPUTS.index("speed")] = given[..., _SPEED, None] + sigma[..., None] * _NODES
    return inputs


@dataclass(frozen=True)
class HitNetwork:
    """p(boulders that come out | what the table sees, the setup): the mean of a few networks.

    Parameters
    ----------
    layers
        The networks.
    mean, scale
        Of features and inputs, shape (f + 4,).
    tail
        Of hits of 20 or more boulders, the chance that there is one more: a geometric law.
    color_weight
        Of boulders dropped in last, see `rocktower.calibration.fitting._colors`.
    note
        What it was made with: JSON values.
    """

    layers: tuple[Layers, ...]
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    tail: float
    color_weight: float
    note: dict[str, Any] = field(default_factory=dict)

    def seen(self, features: ArrayLike) -> list[Array]:
        """Return each network's first layer for what the table sees, shape (n, hidden)."""
        k = len(FEATURES)
        scaled = ((np.asarray(features) - self.mean[:k]) / self.scale[:k]).astype(np.float32)
        return [scaled @ net.weights[0][:k] + net.biases[0] for net in self.layers]

    def set_up(self, inputs: ArrayLike) -> list[Array]:
        """Return each network's first layer for inputs of strikes, shape (..., hidden)."""
        k = len(FEATURES)
        scaled = ((np.asarray(inputs) - self.mean[k:]) / self.scale[k:]).astype(np.float32)
        return [scaled @ net.weights[0][k:] for net in self.layers]

    def classes(self, first: list[Array], left: ArrayLike) -> Array:
        """Return the chance of each class, shape (..., 21), from summed first layers (..., hidden).

        Parameters
        ----------
        left
            Boulders in the tower, of a shape that suits the first layers' without the last axis.
        """
        return class_chances(self.layers, first, left)

    @cached_property
    def hash(self) -> str:
        """Content hash: 16 hexadecimal digits."""
        return hashlib.sha256(self.encode()).hexdigest()[:16]

    @cached_property
    def _tails(self) -> NDArray[np.float64]:
        return tail_table(self.tail)

    def spread_out(self, classes: ArrayLike, left: ArrayLike) -> NDArray[np.float64]:
        """Turn chances of classes, shape (..., 21), into those of 0 to 44 boulders, (..., 45)."""
        return spread_out(classes, left, self._tails)

    def of_class(
        self, classes: NDArray[Any], left: NDArray[np.int64], total: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the chance of so many boulders, shape (..., n), from classes (..., n, 21)."""
        rows, kind = np.arange(len(total)), np.minimum(total, CLASSES - 1)
        chance = classes[..., rows, kind].astype(float)
        above = total >= CLASSES - 1
        factor = np.ones(len(total))
        factor[above] = self._tails[left[above], total[above] - CLASSES + 1]
        return np.asarray(chance * factor)

    def totals(
        self, features: ArrayLike, coordinates: ArrayLike, left: ArrayLike
    ) -> NDArray[np.float64]:
        """Return the chances of 0 to 44 boulders for a person's hits, shape (n, 45).

        Parameters
        ----------
        features
            Shape (n, f), see `History.features`.
        coordinates
            Of the `Setup`, shape (n, 5).
        left
            Boulders in the tower, shape (n,).
        """
        inside = np.asarray(left, dtype=int)
        seen, set_up = self.seen(features), self.set_up(strike_coordinates(coordinates))
        first = [a[:, None, :] + b for a, b in zip(seen, set_up, strict=True)]
        chance = self.classes(first, inside[:, None])
        return self.spread_out(np.einsum("nqc,q->nc", chance, NODE_SHARES), inside)

    def draw(
        self,
        features: ArrayLike,
        coordinates: ArrayLike,
        left: ArrayLike,
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Draw how many boulders come out, for n hits side by side; see `totals`."""
        chance = self.totals(features, coordinates, left).cumsum(axis=1)
        picked = rng.random(len(chance)) * chance[:, -1]
        return np.asarray((chance <= picked[:, None]).sum(axis=1))

    def encode(self) -> bytes:
        """Write as NPZ."""
        arrays: dict[str, Any] = {
            "format": np.array(FORMAT),
            "note": np.array(json.dumps(self.note, sort_keys=True)),
            "mean": self.mean,
            "scale": self.scale,
            "tail": np.array(self.tail),
            "color_weight": np.array(self.color_weight),
            "networks": np.array(len(self.layers)),
        }
        for i, net in enumerate(self.layers):
            for k, (weight, bias) in enumerate(zip(net.weights, net.biases, strict=True)):
                arrays |= {f"weight_{i}_{k}": weight, f"bias_{i}_{k}": bias}
        content = io.BytesIO()
        np.savez_compressed(content, **arrays)
        return content.getvalue()

    @classmethod
    def decode(cls, content: bytes, name: str) -> HitNetwork:
        """Read what `encode` has written; `name` (a file name) stands before every error.

        Raises
        ------
        RocktowerError
            If it is no network, or one of another format.
        """
        arrays = decode_arrays(content, name, "a network", FORMAT)
        try:
            layers = []
            for i in range(int(arrays["networks"])):
                depth = sum(key.startswith(f"weight_{i}_") for key in arrays)
                layers.append(
                    Layers(
                        tuple(arrays[f"weight_{i}_{k}"] for k in range(depth)),
                        tuple(arrays[f"bias_{i}_{k}"] for k in range(depth)),
                    )
                )
            network = cls(
                tuple(layers),
                arrays["mean"],
                arrays["scale"],
                float(arrays["tail"]),
                float(arrays["color_weight"]),
                json.loads(str(arrays["note"])),
            )
        except (KeyError, ValueError, TypeError) as error:
            raise RocktowerError(f"{name}: a damaged network: {error}") from None
        expected = len(FEATURES) + len(INPUTS)
        if not layers or any(
            net.weights[0].shape[0] != expected or net.weights[-1].shape[1] != CLASSES
            for net in layers
        ):
            raise RocktowerError(f"{name}: a damaged network: its inputs or outputs do not fit")
        return network

    def save(self, path: Path) -> None:
        """Write the file whole."""
        replace_file(path, self.encode())

    @classmethod
    def load(cls, path: Path) -> HitNetwork:
        """Read a file; see `decode`."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise RocktowerError(f"{path}: cannot be read: {error.strerror or error}") from None
        return cls.decode(content, str(path))
