"""The secret of a tower: committed to before the first strike, revealed when the tower is closed.

A secret is a seed, short enough to be typed, and a salt of 256 bits. Every event of a tower draws
from a stream of its own, whose key is an HMAC of the event: who learned everything about the
random numbers of one event would know nothing about those of the next.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocktower.randomness import check_seed, new_seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocktower.randomness import Purpose

__all__ = ["Secret", "commitment"]

_SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Secret:
    """What decides everything that a tower does.

    Parameters
    ----------
    seed
        0 to 2^63 - 1.
    salt
        32 bytes as hexadecimal digits.
    is_reproducible
        Whether the seed alone decides, and the salt only hides it: then whoever chose the seed
        can compute every hit in advance.
    """

    seed: int
    salt: str
    is_reproducible: bool = False

    @classmethod
    def draw(cls, seed: int | None = None, *, is_reproducible: bool = False) -> Secret:
        """Draw a secret from the operating system's entropy, around a seed if one is given.

        Raises
        ------
        RocktowerError
            If the seed is out of range.
        """
        seed = new_seed() if seed is None else check_seed(seed)
        return cls(seed, secrets.token_hex(_SALT_BYTES), is_reproducible)

    def rng(self, purpose: Purpose, n: int) -> np.random.Generator:
        """Return the generator of event `n` for one purpose; all streams are independent.

        `rocktower.randomness.stream` serves runs whose seed is known to all. Its seeds are too
        short to withstand someone who tries them all, which is what the salt is for.
        """
        salt = "" if self.is_reproducible else self.salt
        key = hashlib.sha256(f"rocktower-secret/1\n{self.seed}\n{salt}".encode()).digest()
        digest = hmac.digest(key, f"{purpose.name}/{n}".encode(), "sha256")
        return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest, "big")))


def commitment(secret: Secret, tower: str, model: str, boulders: Mapping[str, int]) -> str:
    """Return the SHA-256 by which a server is bound to a secret before anything is known.

    Parameters
    ----------
    tower
        The tower's id.
    model
        The text of its model, which is thereby fixed as well.
    boulders
        What is dropped in at first, by color.
    """
    lines = (
        "rocktower-commitment/1",
        tower,
        hashlib.sha256(model.encode()).hexdigest(),
        json.dumps(dict(boulders), sort_keys=True),
        str(secret.seed),
        secret.salt,
        "reproducible" if secret.is_reproducible else "salted",
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
