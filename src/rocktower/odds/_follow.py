"""What a plan, or a simple rule, brings on given hits: many turns side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.odds._stopping import Plan

__all__ = ["follow", "running", "stop_at"]


def follow(
    plan: Plan, hits: NDArray[np.int64], *, strike: bool | None = None
) -> NDArray[np.float64]:
    """Let a crew do what a plan says.

    Parameters
    ----------
    plan
        For both of the crew.
    hits
        The hits that the tower would give from now on, shape (n, hits left, color).
    strike
        Whether the hammerer strikes first of all, or stops; None for what the plan says.

    Returns
    -------
    NDArray
        The points of both, shape (n, 2).
    """
    n, left = hits.shape[:2]
    points = np.zeros((n, 2))
    mode = np.zeros(n, dtype=np.int64)
    playing = np.arange(n)
    out = np.tile(np.array(plan.situation.out), (n, 1))
    swapped = np.array(plan.swapped())
    after = _modes_after_stopping(plan)
    hammerer = np.array([mode.hammerer for mode in plan.modes])
    pair = np.array([mode.both for mode in plan.modes])
    _, excess = running(plan.situation.out, plan.situation.limit, hits)
    for hit in range(left + 1):
        here = (mode[playing], *plan.place(out[playing]))
        ends = (excess[playing, hit] > 0) | (hit == left)
        goes = plan.strikes[hit][here] if strike is None or hit else np.full(n, strike)
        points[playing[ends]] += _at(plan.worth[hit], here)[ends]
        stops = ~ends & ~goes
        alone = stops & ~pair[here[0]]
        points[playing[alone]] += _at(plan.stop[hit], here)[alone]
        first = stops & pair[here[0]]
        if first.any():
            who, at = playing[first], hammerer[here[0][first]]
            points[who, at] += _at(plan.stop[hit], here)[first, at]
            mode[who] = after[here[0][first], plan.takes[hit][here][first]]
            there = (mode[who], *plan.place(out[who]))
            ends[first] = ~plan.strikes[hit][there]
            points[who[ends[first]]] += _at(plan.stop[hit], there)[ends[first]]
        playing = playing[~(ends | alone)]
        if hit == left or not len(playing):
            break
        empty = hits[playing, hit].sum(axis=1) == 0
        mode[playing[empty]] = swapped[mode[playing[empty]]]
        out[playing] += hits[playing, hit]
    return points


def _at(values: NDArray[np.float32], here: tuple[NDArray[np.int64], ...]) -> NDArray[np.float64]:
    """Look both players' values up, shape (n, 2)."""
    mode, *out = here
    players = np.moveaxis(values, 1, -1)
    return np.asarray(players[(mode, *out)], dtype=float)


def _modes_after_stopping(plan: Plan) -> NDArray[np.int64]:
    """Give the mode after the first of two has stopped, by mode and what he took."""
    takes = range(len(plan.situation.treasures) + 1)  # the last one is `ALL`, index -1
    return np.array(
        [
            [
                plan.left_alone(i, take if take < len(takes) - 1 else -1) if mode.both else i
                for take in takes
            ]
            for i, mode in enumerate(plan.modes)
        ]
    )


def running(
    out: tuple[int, ...], limit: int, hits: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give what is out before each hit and after the last one, if all strike on to the end.

    Returns
    -------
    tuple
        Boulders out, and how many of them are beyond the color limit, each of shape
        (n, hits + 1).
    """
    n, left = hits.shape[:2]
    totals = np.empty((n, left + 1), dtype=np.int64)
    excess = np.zeros((n, left + 1), dtype=np.int64)
    state = np.tile(np.array(out), (n, 1))
    for hit in range(left + 1):
        red, blue, yellow, white = state.T
        totals[:, hit] = red + blue + yellow + white
        for color in (red, blue, yellow):
            excess[:, hit] += np.maximum(color - limit, 0)
        if hit < left:
            state += hits[:, hit]
    return totals, excess


def stop_at(
    least: int, totals: NDArray[np.int64], excess: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Strike until at least so many boulders are out, or no hit is allowed any more.

    Takes what `running` gives. Returns an index into it: the turns, and for each the hit after
    which it ended.
    """
    ends = (totals >= least) | (excess > 0)
    ends[:, -1] = True
    return np.arange(len(totals)), ends.argmax(axis=1)
