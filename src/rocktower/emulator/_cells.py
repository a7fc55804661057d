"""The cells of an emulator's table: what the number of boulders that come out depends on."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator._layers import BOULDERS
from rocktower.emulator._memory import memory_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.emulator._towers import EmulatedTowers

__all__ = ["FRESH_BOUNDS", "FRESH_GROUPS", "cell_features", "cells_of", "fresh_groups"]

FRESH_GROUPS = (0.0, 0.2, 0.5, 0.8, 1.0)
"""Shares that stand for a tower's share of boulders dropped in before this turn: all of them are,
in the first turn of a filling."""

FRESH_BOUNDS = (0.0, 0.35, 0.65, 0.999)
"""Above each of these shares, the next group begins."""


@cache
def fresh_groups() -> NDArray[np.int64]:
    """Return the group of so many boulders of which so many are fresh, shape (45, 45)."""
    left, fresh = np.indices((BOULDERS + 1, BOULDERS + 1))
    share = fresh / np.maximum(left, 1)
    return np.asarray(sum((share > bound).astype(np.int64) for bound in FRESH_BOUNDS))


def cells_of(towers: EmulatedTowers, left: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cell of each tower, shape (n,): memory, group of fresh boulders, boulders left.

    Parameters
    ----------
    left
        What ``towers.left`` gives.
    """
    fresh = towers.layers[:, -1].sum(axis=1, dtype=np.int64)
    group = towers.memory * len(FRESH_GROUPS) + fresh_groups()[left, fresh]
    return np.asarray(group * (BOULDERS + 1) + left)


def cell_features() -> NDArray[np.float64]:
    """Return what the networks are shown of each cell, shape (cells, features)."""
    memory = memory_features()
    shape = len(memory), len(FRESH_GROUPS), BOULDERS + 1
    share = np.array(FRESH_GROUPS)[:, None]
    first_turn = share == FRESH_GROUPS[-1]
    columns = [np.broadcast_to(column[:, None, None], shape) for column in memory.T]
    columns += [np.broadcast_to(share, shape), np.broadcast_to(first_turn, shape)]
    # The first hit of a filling is a smaller one than other first hits.
    columns.append(np.broadcast_to(first_turn * memory[:, 0, None, None], shape))
    left = np.arange(BOULDERS + 1) / BOULDERS
    columns += [np.broadcast_to(left, shape), np.broadcast_to(np.exp(-6.0 * left), shape)]
    return np.stack(columns, axis=-1).reshape(-1, len(columns))
