"""Draws which boulders come out of many towers side by side, fast.

The four colors of a layer are four bytes, hence one word: a multiplication adds them up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator._order import ORDER_SHAPE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint32]
    Numbers = NDArray[np.int64]

__all__ = ["WHOLE", "bounds", "pick", "take_out"]

_BITS = 16
WHOLE = 1 << _BITS
"""Chances are whole numbers out of so many, so that they are the same in every language."""

_LATER = ORDER_SHAPE[2] * ORDER_SHAPE[3]
_BOUNDARY = np.arange(ORDER_SHAPE[0])[:, None] * (2 * _LATER)
_WORD = np.dtype("<u4")
_SUMS = np.uint32(0x01010101)  # times a word: byte k of the product is the sum of bytes 0 to k
_BYTE, _LAST = np.uint32(0xFF), np.uint32(24)
_SHIFTS = np.array([[0], [8], [16]], dtype=np.uint32)
_ONE = np.array([1 << 8 * color for color in range(4)], dtype=np.uint32)


def pick(count: int, rng: np.random.Generator) -> Numbers:
    """Draw whole numbers from 0 to `WHOLE` - 1."""
    return np.asarray((rng.random(count) * WHOLE).astype(np.int64))


def take_out(
    layers: NDArray[np.uint8], total: Numbers, order: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Take boulders out of each tower, one after the other: first the layer, then the color.

    Parameters
    ----------
    layers
        As in `EmulatedTowers`, shape (n, 4, 4).
    total
        How many come out of each, shape (n,).
    order
        As in `Emulator`.

    Returns
    -------
    ndarray
        Layers afterwards.
    """
    after = layers.copy()  # contiguous
    words = after.view(_WORD).reshape(len(after), layers.shape[1])
    flat = words.reshape(-1)
    active = np.flatnonzero(total)
    # Boulders up to each layer, a row a layer, of the towers that are active; all, in the last.
    heights = ((words[active] * _SUMS) >> _LAST).cumsum(axis=1, dtype=np.int64).T.copy()
    ends, taken = order.reshape(-1), 0
    while active.size:
        depth = pick(len(active), rng)
        above = depth >= bounds(ends, heights, later=taken > 0)
        chosen = active * len(heights) + above.sum(axis=0)
        flat[chosen] -= _ONE[_color(flat[chosen], rng)]
        heights[:-1] -= ~above
        heights[-1] -= 1
        taken += 1
        still = total[active] > taken
        active, heights = active[still], heights[:, still]
    return after


def bounds(order: NDArray[np.int32], heights: Numbers, *, later: bool) -> Numbers:
    """Return the chance that a boulder comes from below each layer's top but the last, (3, n).

    Parameters
    ----------
    order
        As in `Emulator`, flattened.
    heights
        Shape (4, n): boulders up to each layer's top.
    later
        Whether it is not the first boulder of its hit.
    """
    at = _BOUNDARY + heights[1:] * ORDER_SHAPE[3] + heights[:-1]
    chance: Numbers = order[at + _LATER if later else at].astype(np.int64)
    for layer in range(len(chance) - 2, -1, -1):
        chance[layer] = (chance[layer] * chance[layer + 1]) >> _BITS
    return chance


def _color(word: Words, rng: np.random.Generator) -> Numbers:
    """Draw a color from each word of counts, each boulder as likely as the other."""
    sums = word * _SUMS
    picked = (rng.random(len(word)) * (sums >> _LAST)).astype(np.uint32)
    return np.asarray((picked >= ((sums >> _SHIFTS) & _BYTE)).sum(axis=0))
