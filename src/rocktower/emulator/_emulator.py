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

from rocktower.emulator._cells import FRESH_GROUPS, cells_of
from rocktower.emulator._drawing import WHOLE, bounds, pick, take_out
from rocktower.emulator._layers import BOULDERS, CLASSES, spread_out, tail_table
from rocktower.emulator._memory import next_memories
from rocktower.emulator._order import ORDER_SHAPE
from rocktower.emulator._towers import EmulatedTowers
from rocktower.errors import RocktowerError
from rocktower.files import decode_arrays, replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Emulator"]

_FORMAT = "rocktower-emulator/1"
_SHIPPED = "default.npz"
_FEW = 30  # hits of towers about as full: with fewer, the physics is to answer
_COLUMNS = 32  # of the cumulated chances: a power of two, for halving


@dataclass(frozen=True, eq=False)
class Emulator:
    """The hits of one tower in the hand of one striker, learned from simulated games.

    How many boulders come out depends on how many are inside, how many of them were dropped in
    before this turn, and the hits of the turn so far. Which ones depends on when they were
    dropped in: of those that were dropped in together, each is as likely as the other.

    Parameters
    ----------
    chances
        Shape (cells, 21), whole numbers out of `WHOLE`: how likely hits of 0, 1, ... 19 and of 20
        or more boulders are in each cell (see `cells_of`).
    tail
        Of hits of 20 or more boulders, the chance that there is one more.
    order
        Of shape `ORDER_SHAPE`, out of `WHOLE`: the chance that a boulder comes from below a
        boundary between layers, if it comes from below the upper layer's top.
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

    chances: NDArray[np.int32]
    tail: float
    order: NDArray[np.int32]
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
        parts = (self.chances, np.float64(self.tail), self.order, self.seen)
        content = hashlib.sha256(json.dumps(self.note, sort_keys=True).encode())
        for part in parts:
            content.update(part.astype(part.dtype.newbyteorder("<")).tobytes())
        return content.hexdigest()[:16]

    def require(self, tower_hash: str) -> None:
        """Raise `RocktowerError` if it stands for another tower."""
        if tower_hash != self.tower_hash:
            raise RocktowerError(
                f"the emulator {self.hash} stands for tower model {self.tower_hash}, not for "
                f"{tower_hash}: make one by rocktower emulate --tower FILE --out FILE"
            )

    @cached_property
    def _cumulated(self) -> NDArray[np.int32]:
        """Shape (cells * 32,): in each cell, the chance of so many boulders or fewer."""
        table = np.full((len(self.chances), _COLUMNS), WHOLE, dtype=np.int32)
        table[:, :CLASSES] = self.chances.cumsum(axis=1)
        return table.ravel()

    @cached_property
    def _tails(self) -> NDArray[np.float64]:
        return tail_table(self.tail)

    def totals(self, towers: EmulatedTowers) -> NDArray[np.float64]:
        """Return the chance of 0 to 44 boulders at the next hit, shape (n, 45)."""
        left = towers.left
        return spread_out(self.chances[cells_of(towers, left)] / WHOLE, left, self._tails)

    def knows(self, towers: EmulatedTowers) -> NDArray[np.bool_]:
        """Say of each tower whether it was trained on towers about as full, shape (n,)."""
        return np.asarray(self.seen[towers.left] >= _FEW)

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
        layers = take_out(towers.layers, total, self.order, rng)
        out = (towers.layers - layers).sum(axis=1, dtype=np.int64)
        return out, EmulatedTowers(layers, next_memories()[towers.memory, total])

    def _draw_totals(self, towers: EmulatedTowers, rng: np.random.Generator) -> NDArray[np.int64]:
        left = towers.left
        picked = pick(len(towers), rng)
        first = cells_of(towers, left) * _COLUMNS
        at = first.copy()
        step = _COLUMNS // 2
        while step:
            at += step * (self._cumulated[at + (step - 1)] <= picked)
            step //= 2
        total = at - first
        for row in np.flatnonzero(total == CLASSES - 1).tolist():  # one in many thousands
            tail = self._tails[left[row]].cumsum()
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
        for color in range(4):
            for taken in range(int(wanted[:, color].max(initial=0))):
                sizes = layers.sum(axis=2, dtype=np.int64).T
                ends = bounds(self.order.reshape(-1), sizes.cumsum(axis=0), later=True)
                # A boulder of a layer has its share of the layer's chance, which may be 0.
                chance = np.diff(ends, axis=0, prepend=0, append=WHOLE) + 1.0
                weight = (layers[:, :, color].T * chance / np.maximum(sizes, 1)).cumsum(axis=0)
                layer = (weight <= rng.random(len(towers)) * weight[-1]).sum(axis=0)
                now = np.flatnonzero(wanted[:, color] > taken)
                layers[now, layer[now], color] -= 1
        return EmulatedTowers(layers, next_memories()[towers.memory, wanted.sum(axis=1)])

    def encode(self) -> bytes:
        """Write as NPZ."""
        content = io.BytesIO()
        np.savez_compressed(
            content,
            format=np.array(_FORMAT),
            note=np.array(json.dumps(self.note, sort_keys=True)),
            chances=self.chances,
            tail=np.array(self.tail),
            order=self.order,
            seen=self.seen,
        )
        return content.getvalue()

    @classmethod
    def decode(cls, content: bytes, name: str) -> Emulator:
        """Read what `encode` has written; `name` (a file name) stands before every error.

        Raises
        ------
        RocktowerError
            If it is no emulator, or one of another format.
        """
        arrays = decode_arrays(content, name, "an emulator", _FORMAT)
        try:
            emulator = cls(
                arrays["chances"],
                float(arrays["tail"]),
                arrays["order"],
                arrays["seen"],
                json.loads(str(arrays["note"])),
            )
        except (KeyError, ValueError, TypeError) as error:
            raise RocktowerError(f"{name}: a damaged emulator: {error}") from None
        cells = len(next_memories()) * len(FRESH_GROUPS) * (BOULDERS + 1)
        if (
            emulator.chances.shape != (cells, CLASSES)
            or emulator.order.shape != ORDER_SHAPE
            or emulator.seen.shape != (BOULDERS + 1,)
            or "tower_hash" not in emulator.note
            or (emulator.chances < 0).any()
            or (emulator.chances.sum(axis=1) != WHOLE).any()
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
