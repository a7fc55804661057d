"""Optimal stopping by dynamic programming, backwards from the last hit that is allowed.

What falls does not depend on who strikes, only on what is out. So a crew's decisions are when to
stop, and what to collect then. A *mode* says who is left: both, with one of them hammering, or
one alone, with the other's treasure gone. In every mode the hammerer does what is best for
himself, knowing what follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocktower.games.trollfjord import ALL_BOULDERS
from rocktower.odds._payoffs import ALL, Payoffs
from rocktower.odds._situation import ME, OTHER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.odds._chances import HitChances
    from rocktower.odds._situation import Situation

    _Array = NDArray[np.float32]

__all__ = ["Mode", "Plan", "plan"]


@dataclass(frozen=True, slots=True)
class Mode:
    """Who is left: `both`, or the hammerer alone after the other took a treasure (or `ALL`)."""

    hammerer: int
    both: bool
    taken: int = ALL


@dataclass(frozen=True, eq=False)
class Plan:
    """What to do at every hit, and what it is worth.

    States are the boulders out by color, from those of the situation on, up to so many that no
    gift helps any more: see `place`. Hits are counted from the situation's, 0 being now. Values
    are in points, shape (mode, player, *grid).

    Attributes
    ----------
    modes
        The modes that can occur, the situation's own one first.
    stop, go
        For each hit what stopping is worth there, and striking at least once more.
    worth
        For each hit what the state is worth: the better of both, or what the end brings.
    strikes
        For each hit whether to strike, shape (mode, *grid).
    takes
        For each hit what the first one collects who stops, by mode and state (`ALL`: nothing).
    """

    situation: Situation
    modes: tuple[Mode, ...]
    stop: tuple[_Array, ...]
    go: tuple[_Array, ...]
    worth: tuple[_Array, ...]
    strikes: tuple[NDArray[np.bool_], ...]
    takes: tuple[NDArray[np.int8], ...]

    def place(self, out: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """Find where states are on the grid, from boulders out, shape (n, 4)."""
        last = np.array(self.strikes[0].shape[1:]) - 1
        return tuple(np.minimum(out - np.array(self.situation.out), last).T)

    def swapped(self) -> list[int]:
        """Give the mode that an empty hit leads to, for each mode (B4)."""
        return [
            self.modes.index(Mode(1 - mode.hammerer, both=True)) if mode.both else i
            for i, mode in enumerate(self.modes)
        ]

    def left_alone(self, mode: int, taken: int) -> int:
        """Give the mode that follows when the hammerer of two stops and takes a treasure."""
        other = 1 - self.modes[mode].hammerer
        left = Mode(other, both=False, taken=taken)
        # What the other could not collect anyway is not missed.
        return self.modes.index(left if left in self.modes else Mode(other, both=False))

    @property
    def value_of_stopping(self) -> NDArray[np.float64]:
        """What stopping now is worth to both, shape (2,)."""
        return np.asarray(self.stop[0][(0, slice(None), 0, 0, 0, 0)])

    @property
    def value_of_going_on(self) -> NDArray[np.float64]:
        """What striking now, and doing the best from then on, is worth to both, shape (2,)."""
        return np.asarray(self.go[0][(0, slice(None), 0, 0, 0, 0)])

    @property
    def value(self) -> NDArray[np.float64]:
        """What the situation is worth to both, shape (2,)."""
        return np.asarray(self.worth[0][(0, slice(None), 0, 0, 0, 0)])


def plan(situation: Situation, chances: HitChances) -> Plan:
    """Find the best decision at every hit to come.

    Parameters
    ----------
    situation
        Where the hammering stands.
    chances
        For at least as many hits as are left.
    """
    work = _Work(situation)
    last = situation.hits_left
    stop, takes = work.stopping(None)
    worth = np.where(work.exceeded, work.angry, stop)
    stops, goes, worths = [stop], [np.full_like(stop, np.nan)], [worth]
    strikes, all_takes = [np.zeros((len(work.modes), *work.shape), dtype=bool)], [takes]
    for hit in reversed(range(last)):
        go = work.after_a_hit(worth, chances.counts[hit], chances.weights[hit])
        stop, takes = work.stopping(go if situation.hits + hit else None)
        # Who decided to hammer stops after a hit, not before the first (B4).
        better = work.better(go, stop) if situation.hits + hit else np.ones_like(strikes[0])
        worth = np.where(better[:, None], go, stop)
        worth = np.where(work.exceeded, work.angry, worth)
        stops.insert(0, stop)
        goes.insert(0, go)
        worths.insert(0, worth)
        strikes.insert(0, better & ~work.exceeded)
        all_takes.insert(0, takes)
    return Plan(
        situation,
        work.modes,
        stop=tuple(stops),
        go=tuple(goes),
        worth=tuple(worths),
        strikes=tuple(strikes),
        takes=tuple(all_takes),
    )


class _Work:
    """The grid of states, and one step backwards on it."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.payoffs = Payoffs(situation)
        self.modes = _modes(situation)
        top = _tops(situation)
        out = np.indices([last + 1 - n for n, last in zip(situation.out, top, strict=True)])
        out = out + np.reshape(situation.out, (4, 1, 1, 1, 1))
        self.shape = out.shape[1:]
        self._steps = [int(np.prod(self.shape[color + 1 :])) for color in range(4)]
        # A color at its top is drawn no more: where it isn't used up, that changes nothing.
        inside = np.reshape(ALL_BOULDERS, (4, 1, 1, 1, 1)) - out
        inside = np.where(out < np.reshape(top, (4, 1, 1, 1, 1)), inside, 0)
        self.inside = inside.astype(np.float32)
        self.total = out.sum(axis=0)
        excess = np.maximum(out[:3] - situation.limit, 0).sum(axis=0)
        self.exceeded = excess > 0
        self.angry = np.zeros((len(self.modes), 2, *self.shape), dtype=np.float32)
        for i, mode in enumerate(self.modes):
            if mode.both:
                pair = self.payoffs.over_angry[mode.hammerer][self.total, excess]
                self.angry[i] = np.moveaxis(pair, -1, 0)
            else:
                alone = self.payoffs.angry(mode.hammerer, mode.taken)
                self.angry[i, mode.hammerer] = alone[self.total, excess]
        # The values that are not always 0: who has left gets nothing more.
        self._rows = [
            2 * i + player
            for i, mode in enumerate(self.modes)
            for player in (ME, OTHER)
            if mode.both or player == mode.hammerer
        ]
        swapped = [
            mode if not mode.both else Mode(1 - mode.hammerer, both=True) for mode in self.modes
        ]
        self._swapped = [self.modes.index(mode) for mode in swapped]

    def after_a_hit(
        self, worth: _Array, counts: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> _Array:
        """Give what a hit is worth before it falls, given what the states after it are worth.

        The boulders of a hit are drawn one by one, each with its color's weight. An empty hit
        swaps the roles.
        """
        # Single precision, some millionths of a point, takes half the time.
        chance = counts.T.astype(np.float32)[:, self.total.reshape(-1)]
        pull = self.inside.reshape(4, -1) * weights[:, None].astype(np.float32)
        pull /= np.maximum(pull.sum(axis=0), 1e-12)
        flat = worth.reshape(2 * len(self.modes), -1)
        empty = worth[self._swapped].reshape(flat.shape)
        result = np.zeros_like(flat)
        drawn, further, part = np.empty((3, flat.shape[1]), dtype=np.float32)
        for row in self._rows:  # one by one, which fits into a processor's cache
            np.multiply(chance[0], empty[row], out=result[row])
            drawn[:] = flat[row]
            for share in chance[1:]:
                self._draw_one(drawn, pull, further, part)
                drawn, further = further, drawn
                result[row] += np.multiply(share, drawn, out=part)
        return result.reshape(worth.shape)

    def _draw_one(self, values: _Array, pull: _Array, result: _Array, part: _Array) -> None:
        """Find what states are worth before one more boulder falls.

        The state with one more boulder of a color is a fixed step further on. At the end of its
        axis that step leads astray, but there no boulder of the color is left to be drawn.
        """
        result[:] = 0.0
        for color, step in enumerate(self._steps):
            if step < len(values):
                result[:-step] += np.multiply(pull[color, :-step], values[step:], out=part[:-step])

    def stopping(self, go: _Array | None) -> tuple[_Array, NDArray[np.int8]]:
        """Give what stopping is worth and what is taken then; without `go` it is over."""
        worth = np.zeros((len(self.modes), 2, *self.shape), dtype=np.float32)
        takes = np.full((len(self.modes), *self.shape), ALL, dtype=np.int8)
        left: dict[tuple[int, int], _Array] = {}
        for i, mode in enumerate(self.modes):
            if mode.both:
                continue
            player = mode.hammerer
            worth[i, player] = self.payoffs.collect(player, mode.taken)[self.total]
            going = worth[i, player] if go is None else go[i, player]
            left[player, mode.taken] = np.maximum(worth[i, player], going)
        for i, mode in enumerate(self.modes):
            if mode.both:
                worth[i], takes[i] = self._first_stops(mode.hammerer, left)
        return worth, takes

    def _first_stops(
        self, first: int, left: dict[tuple[int, int], _Array]
    ) -> tuple[_Array, NDArray[np.int8]]:
        """Let the hammerer of two stop: he collects, and the other is left alone."""
        other, rivalry = 1 - first, self.situation.rivalry
        reach, value = self.payoffs.reach(first)[self.total], self.payoffs.worth(first)
        worth = np.empty((2, *self.shape), dtype=np.float32)
        worth[first] = self.situation.empty_handed[first]
        worth[other] = left[other, ALL]
        takes = np.full(self.shape, ALL, dtype=np.int8)
        best = np.full(self.shape, -np.inf, dtype=np.float32)
        for taken in range(len(value)):
            rest = left.get((other, taken), left[other, ALL])
            wish = value[taken] - rivalry * rest
            better = reach[..., taken] & (wish > best)
            best = np.where(better, wish, best)
            worth[first] = np.where(better, value[taken], worth[first])
            worth[other] = np.where(better, rest, worth[other])
            takes[better] = taken
        return worth, takes

    def better(self, go: _Array, stop: _Array) -> NDArray[np.bool_]:
        """Say where it is better to strike, for who has the hammer."""
        result = np.empty((len(self.modes), *self.shape), dtype=bool)
        for i, mode in enumerate(self.modes):
            mine, other = mode.hammerer, 1 - mode.hammerer
            gain = go[i] - stop[i]
            result[i] = gain[mine] - self.situation.rivalry * gain[other] > 0
        return result


def _tops(situation: Situation) -> tuple[int, ...]:
    """Give the most boulders of each color that a plan needs to tell apart.

    So many beyond the limit that no gifts suffice are as bad as more of them.
    """
    most = situation.limit + sum(map(len, situation.gifts)) + 1
    red, blue, yellow, white = ALL_BOULDERS
    return min(red, most), min(blue, most), min(yellow, most), white


def _modes(situation: Situation) -> tuple[Mode, ...]:
    """List the modes that can follow, the situation's own first."""
    if not situation.comrade:
        return (Mode(situation.hammerer, both=False),)
    first = situation.hammerer
    modes = [Mode(first, both=True), Mode(1 - first, both=True)]
    for player in (ME, OTHER):
        modes.append(Mode(player, both=False))
        modes += [
            Mode(player, both=False, taken=i)
            for i, treasure in enumerate(situation.treasures)
            if None not in treasure.worth
        ]
    return tuple(modes)
