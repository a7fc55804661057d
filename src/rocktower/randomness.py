"""Seeds and streams: every random number comes from a seed that is printed and stored."""

from __future__ import annotations

import secrets
from enum import IntEnum

import numpy as np

from rocktower.errors import RocktowerError

__all__ = ["Purpose", "check_seed", "new_seed", "stream"]

_LARGEST = 2**64 - 1


class Purpose(IntEnum):
    """What a stream of random numbers is for; streams of one seed are independent."""

    FILL = 0
    STRIKER = 1
    DROP_IN = 2


def new_seed() -> int:
    """Return a seed from the operating system's entropy, short enough to be typed: 48 bits."""
    return secrets.randbits(48)


def check_seed(seed: int) -> int:
    """Return the seed, or raise `RocktowerError` if it is not within 0 and 2^64 - 1."""
    if not 0 <= seed <= _LARGEST:
        raise RocktowerError(f"seed {seed}: give a whole number from 0 to {_LARGEST}")
    return seed


def stream(seed: int, purpose: Purpose, number: int = 0) -> np.random.Generator:
    """Return the generator for one purpose and event number; the same for any history."""
    return np.random.Generator(
        np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, number)))
    )
