"""What an emulator remembers of a turn: one of a few states, and how a hit changes it.

A hit depends, a little, on what came out of the two hits before it; the study in
calibration/studies/emulator shows how little is left to see in games that are sampled so.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator._layers import BOULDERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NEW_TURN", "memory_features", "next_memories"]

NEW_TURN = 0
"""Number of the state with which a turn begins."""

_BEFORE = np.repeat([0, 1, 2, 3, 5, 8], [1, 1, 1, 2, 3, BOULDERS - 7])
"""What is remembered of a hit of 0 to 44 boulders."""

_BEFORE_THAT = np.repeat([0, 1, 4], [1, 3, BOULDERS - 3])
"""What is remembered of it after another hit."""

_NONE = -1
_Memory = tuple[int, int]
"""Boulders of the last hit and of the one before it, in this turn."""


def _after(memory: _Memory, out: int) -> _Memory:
    before = memory[0]
    return int(_BEFORE[out]), _NONE if before == _NONE else int(_BEFORE_THAT[before])


@cache
def _memories() -> tuple[_Memory, ...]:
    """List all states: whatever can follow a new turn."""
    found = [(_NONE, _NONE)]
    for memory in found:  # grows meanwhile
        for out in range(BOULDERS + 1):
            if (after := _after(memory, out)) not in found:
                found.append(after)
    return tuple(found)


@cache
def next_memories() -> NDArray[np.int16]:
    """Return the state after a hit of 0 to 44 boulders, shape (states, 45)."""
    number = {memory: i for i, memory in enumerate(_memories())}
    return np.array(
        [[number[_after(memory, out)] for out in range(BOULDERS + 1)] for memory in number],
        dtype=np.int16,
    )


def memory_features() -> NDArray[np.float64]:
    """Return what a network is shown of each state, shape (states, 5)."""
    before, before_that = np.array(_memories(), dtype=float).T
    return np.stack(
        [
            before == _NONE,
            before_that == _NONE,
            np.log1p(np.maximum(before, 0.0)),
            np.log1p(np.maximum(before_that, 0.0)),
            (before == 0.0) + 1.0 * ((before == 0.0) & (before_that == 0.0)),
        ],
        axis=1,
    )
