"""Seeds and streams: every random number comes from a seed that is printed and stored."""

from __future__ import annotations

import secrets
from enum import IntEnum

import numpy as np

from rocktower.errors import RocktowerError

__all__ = ["Purpose", "check_seed", "new_seed", "stream"]

_LARGEST = 2**63 - 1


class Purpose(IntEnum):
    """What a stream of random numbers is for; streams of one seed are independent."""

    FILL = 0
    STRIKER = 1
    DROP_IN = 2
    CHANCE = 3
    PLAYER = 4
    GAMES = 5
    FIT = 6
    TOWER = 7


def new_seed() -> int:
    """Return a seed from the operating system's entropy, short enough to be typed: 48 bits."""
    return secrets.randbits(48)


def check_seed(seed: int) -> int:
    """Return the seed, or raise `RocktowerError` if it is not within 0 and 2^63 - 1."""
    if not 0 <= seed <= _LARGEST:
        raise RocktowerError(f"seed {seed}: give a whole number from 0 to {_LARGEST}")
    return seed


def stream(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of one purpose: the same seed and key always give the same stream.

    What keys its streams by the number of the event draws alike whether it ran in one go or was
    resumed.

    Parameters
    ----------
    seed
        0 to 2^63 - 1.
    key
        What the stream is for, each number 0 or more.

    Raises
    ------
    RocktowerError
        If the seed is out of range.
    """
    return np.random.default_rng(np.random.SeedSequence(check_seed(seed), spawn_key=key))
