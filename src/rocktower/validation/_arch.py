"""Which grains hold a clog: the shortest chain of pressing contacts over the outlet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocktower.validation._units import D

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.tower._scene import Contacts, Scene

__all__ = ["arch_grains", "shortest_chain"]

_LOW = 0.1  # d: a wall contact below this height is one with the sill, not with a side wall


def arch_grains(scene: Scene, outlet: float) -> list[int]:
    """Return the grains that bridge an outlet (d wide), from left to right.

    The grains that the chain stands on, which lie on the sill beside the outlet, are not
    counted; one that hangs on the sill's edge is. Empty if no chain spans the outlet.
    """
    contacts = scene.contacts()
    pressing = np.hypot(*contacts.forces.T) > 0.0
    grains = scene.read()
    chain = shortest_chain(contacts, pressing, grains[:, 1])
    for end in (0, -1):
        if len(chain) > 1 and abs(grains[chain[end], 0]) > 0.5 * outlet * D:
            del chain[end]
    return chain


def shortest_chain(
    contacts: Contacts, pressing: NDArray[np.bool_], heights: NDArray[np.float64]
) -> list[int]:
    """Return the chain with the fewest grains from the left sill to the right one.

    Of two chains with as many grains, the lower one.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    a, b = contacts.a[pressing], contacts.b[pressing]
    points = contacts.points[pressing]
    wall = (a < 0) | (b < 0)
    low = points[:, 1] < _LOW * D
    grain = np.maximum(a, b)
    left = np.unique(grain[wall & low & (points[:, 0] < 0.0)])
    right = np.unique(grain[wall & low & (points[:, 0] > 0.0)])
    both = np.intersect1d(left, right)
    if both.size:
        return [int(both[0])]
    if not left.size or not right.size:
        return []
    n = len(heights)
    i, j = a[~wall], b[~wall]
    # A height of 1000 d costs as much as a grain more: it only breaks ties.
    tie = 1e-3 / D
    forth = 1.0 + tie * np.maximum(heights[j], 0.0)
    back = 1.0 + tie * np.maximum(heights[i], 0.0)
    graph = csr_array((np.r_[forth, back], (np.r_[i, j], np.r_[j, i])), shape=(n, n))
    cost, before, _ = dijkstra(graph, indices=left, min_only=True, return_predecessors=True)
    end = int(right[np.argmin(cost[right])])
    if not np.isfinite(cost[end]):
        return []
    chain = [end]
    while before[chain[-1]] >= 0:
        chain.append(int(before[chain[-1]]))
    return chain[::-1]
