"""What an emulator remembers of a turn: one of some hundred states, and how a hit changes it.

A hit depends on how many hits the turn has had and on what came out of the last ones; the study
in calibration/studies/emulator shows how little is left to see in games that are sampled so.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator._layers import BOULDERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MEMORY_FEATURES", "NEW_TURN", "memory_features", "next_memories"]

MEMORY_FEATURES = (
    "hits of this turn", "first hit of the turn", "hit before", "hit before that",
    "empty hits in a row",
)  # fmt: skip
"""What the columns of `memory_features` hold."""

NEW_TURN = 0
"""Number of the state with which a turn begins."""

_MOST_HITS, _MOST_BEFORE, _MOST_EMPTIES = 4, 8, 3
_BEFORE_THAT = np.array([0, 1, 1, 4, 4, 4, 8, 8, 8])
"""What is remembered of the hit before the last one."""

_Memory = tuple[int, int, int, int]
"""Hits of this turn, boulders of the last two hits, empty hits in a row; up to the most above."""


def _after(memory: _Memory, out: int) -> _Memory:
    hits, before, _, empties = memory
    return (
        min(hits + 1, _MOST_HITS),
        min(out, _MOST_BEFORE),
        int(_BEFORE_THAT[before]),
        0 if out else min(empties + 1, _MOST_EMPTIES),
    )


@cache
def _memories() -> tuple[_Memory, ...]:
    """List all states: whatever can follow a new turn."""
    found = [(0, 0, 0, 0)]
    for memory in found:  # grows meanwhile
        for out in range(_MOST_BEFORE + 1):
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
    """Return what a network is shown of each state, shape (states, number of features)."""
    hits, before, before_that, empties = np.array(_memories(), dtype=float).T
    return np.stack(
        [np.log1p(hits), hits == 0.0, np.log1p(before), np.log1p(before_that), empties], axis=1
    )
