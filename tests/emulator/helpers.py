"""Towers without physics, whose laws are known, and emulators that learned them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from rocktower.emulator import Emulator, Situations, learn
from rocktower.sampling import HitTable
from tests.sampling.towers import Inside, any_of, filling

NOTE = {"tower_hash": "0123456789abcdef"}
MOST = 6  # boulders of a hit, each number as likely as the other


def deepest(_inside: Inside, _rng: np.random.Generator) -> int:
    """What went in first comes out first."""
    return 0


def situations(pick: Callable[..., int], games: int, seed: int) -> Situations:
    rng = np.random.default_rng(seed)
    rows = [row for n in range(1, games + 1) for row in filling(rng, n, pick=pick, most=MOST)]
    return Situations.of(HitTable.from_rows(rows))


@cache
def learned(way: str = "any") -> Emulator:
    """From 60 games of 15 hits."""
    pick = {"any": any_of, "deepest": deepest}[way]
    return learn(situations(pick, 60, 5), seed=1, note=NOTE, networks=1)
