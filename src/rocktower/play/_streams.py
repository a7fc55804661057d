"""One stream of random numbers an event.

A game that was resumed draws as if it had never stopped, and an undo changes nothing but what
was undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.randomness import stream

if TYPE_CHECKING:
    import numpy as np

__all__ = ["FILL", "chance_stream", "player_stream"]

_CHANCE, _PLAYER, FILL = 0, 1, 2


def chance_stream(seed: int, n: int) -> np.random.Generator:
    """Give the generator for an answer of chance, which is event `n` of the game."""
    return stream(seed, _CHANCE, n)


def player_stream(seed: int, n: int) -> np.random.Generator:
    """Give the generator for a player's decision, which is event `n` of the game."""
    return stream(seed, _PLAYER, n)
