"""How likely a record is under a network of one hit: the product over what was written down.

A hit of which all is known counts by its own probability. Where a number is not known (a row of
several hits, a bound, boulders inside that are not certain), all that is possible is summed up:
a recursion over hits whose state is the number of boulders left. Within such a row the network is
shown the row's average so far as the hits before, as the path itself is not known.

Colors say nothing here: given the totals, their law is taken to be the same for all setups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocktower.calibration.fitting._history import FEATURES, SIDES, History
from rocktower.calibration.fitting._network import NODE_SHARES, strike_coordinates
from rocktower.calibration.fitting._protocol import record_protocol
from rocktower.emulator import BOULDERS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocktower.calibration._contents import Situation
    from rocktower.calibration._record import Record
    from rocktower.calibration._rows import Amount
    from rocktower.calibration.fitting._network import HitNetwork

__all__ = ["Likelihood", "NetworkHit", "OneHit"]

_AT_ONCE = 4_000  # setups times hits: little memory, and twice as fast as 60,000
_LEAST = 1e-12  # of the chance of a hit: no row alone rules a setup out


class OneHit(Protocol):
    """What foretells one hit: a network, or in a test something simpler."""

    def chances(
        self,
        features: NDArray[np.float64],
        left: NDArray[np.int64],
        condition: NDArray[np.int64],
        setups: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return the chances of 0 to 44 boulders, shape (w, n, 45).

        Parameters
        ----------
        features
            Shape (n, f), see `History.features`.
        left, condition
            Shape (n,): boulders left, and which setup is meant.
        setups
            Coordinates, shape (w, conditions, 5).
        """
        ...


@dataclass(frozen=True, slots=True)
class NetworkHit:
    """A network as `OneHit`."""

    network: HitNetwork

    def chances(
        self,
        features: NDArray[np.float64],
        left: NDArray[np.int64],
        condition: NDArray[np.int64],
        setups: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """See `OneHit`."""
        return self.network.spread_out(self.classes(features, left, condition, setups), left)

    def classes(
        self,
        features: NDArray[np.float64],
        left: NDArray[np.int64],
        condition: NDArray[np.int64],
        setups: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return the chances of the network's classes, shape (w, n, 21)."""
        seen = self.network.seen(features)
        set_up = self.network.set_up(strike_coordinates(setups))  # (w, conditions, q, hidden)
        block = max(1, _AT_ONCE // len(setups))
        parts = []
        for begin in range(0, len(left), block):
            part = slice(begin, begin + block)
            first = [
                a[None, part, None, :] + b[:, condition[part]]
                for a, b in zip(seen, set_up, strict=True)
            ]
            chance = self.network.classes(first, left[None, part, None])
            parts.append(np.einsum("wnqc,q->wnc", chance, NODE_SHARES.astype(np.float32)))
        return np.concatenate(parts, axis=1)


@dataclass(frozen=True, slots=True)
class _Hits:
    """Hits of which all is known."""

    features: NDArray[np.float64]
    left: NDArray[np.int64]
    condition: NDArray[np.int64]
    total: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a stretch in which something is not known.

    Parameters
    ----------
    hits
        For each hit of the row: start and current boulders left, shape (m,) each, and features.
    out, after
        Bounds of what came out, and of what is inside afterwards.
    returned
        Boulders put in before.
    """

    hits: tuple[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]], ...]
    condition: int
    out: Amount
    after: Amount
    returned: int

    @property
    def says_nothing(self) -> bool:
        """Whether anything may have come out: unless others follow, its chance is 1."""
        return self.out.low == 0 and self.out.high >= int(self.hits[0][0].max())


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Rows in whose course the number of boulders left is not known."""

    before: Amount
    rows: tuple[_Row, ...]


class Likelihood:
    """The log-likelihood of a record, as a function of what is fitted.

    Flagged rows are followed but do not count.
    """

    def __init__(self, record: Record) -> None:
        compiled = _Compiler(record)
        self.protocol = compiled.protocol
        self.hits = compiled.hits()
        self.stretches = tuple(compiled.stretches)

    @property
    def known_hits(self) -> int:
        """How many hits count by their own probability."""
        return len(self.hits.total)

    def __call__(self, one_hit: OneHit, setups: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the log-likelihood of each of w setups, shape (w,).

        Parameters
        ----------
        setups
            Coordinates for each condition, shape (w, conditions, 5).
        """
        log = np.zeros(len(setups))
        hits = self.hits
        if len(hits.total):
            if isinstance(one_hit, NetworkHit):  # the few chances that count, not all
                classes = one_hit.classes(hits.features, hits.left, hits.condition, setups)
                chance = one_hit.network.of_class(classes, hits.left, hits.total)
            else:
                chances = one_hit.chances(hits.features, hits.left, hits.condition, setups)
                chance = chances[:, np.arange(len(hits.total)), hits.total]
            log += np.log(np.maximum(chance, _LEAST)).sum(axis=1)
        for stretch in self.stretches:
            log += _forward(stretch, one_hit, setups)
        return log


def _forward(
    stretch: _Stretch, one_hit: OneHit, setups: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum over all that is possible in a stretch: the logarithm, shape (w,)."""
    w = len(setups)
    log = np.zeros(w)
    now = np.zeros((w, BOULDERS + 1))
    span = stretch.before.high - stretch.before.low + 1
    now[:, stretch.before.low : stretch.before.high + 1] = 1.0 / span
    for row in stretch.rows:
        shifted = np.zeros_like(now)
        shifted[:, row.returned :] = now[:, : BOULDERS + 1 - row.returned]
        paths = np.zeros((w, BOULDERS + 1, BOULDERS + 1))  # (start of the row, now)
        diagonal = np.arange(BOULDERS + 1)
        paths[:, diagonal, diagonal] = shifted
        for start, left, features in row.hits:
            chance = one_hit.chances(features, left, np.full(len(left), row.condition), setups)
            following = np.zeros_like(paths)
            for m, (s, here) in enumerate(zip(start.tolist(), left.tolist(), strict=True)):
                most = min(here, row.out.high - (s - here))
                reached = slice(here - most, here + 1)
                following[:, s, reached] += paths[:, s, here, None] * chance[:, m, most::-1]
            paths = following
        out = diagonal[:, None] - diagonal[None, :]
        allowed = (out >= row.out.low) & (out <= row.out.high)
        allowed &= (diagonal >= row.after.low) & (diagonal <= row.after.high)
        now = np.where(allowed, paths, 0.0).sum(axis=1)
        chance = now.sum(axis=1)
        log += np.log(np.maximum(chance, _LEAST))
        now /= np.where(chance > 0.0, chance, 1.0)[:, None]  # many rows' product would vanish
    return log


class _Compiler:
    """Walks through a record once, and sorts hits and stretches."""

    def __init__(self, record: Record) -> None:
        self.protocol = record_protocol(record)
        self.stretches: list[_Stretch] = []
        self._fine: list[tuple[NDArray[np.float64], int, int, int]] = []
        self._open: tuple[Amount, list[_Row]] | None = None
        self._history = History.filled(0.0)
        starts = {}
        step = 0
        flat = [s for filling in self.protocol.fillings for s in filling]
        for number, situation in enumerate(record.situations):
            starts[number] = flat[step].condition
            step += situation.row.hits
        for number, situation in enumerate(record.situations):
            self._take(situation, starts[number])
        self._close()

    def hits(self) -> _Hits:
        if not self._fine:
            none = np.zeros(0, dtype=np.int64)
            return _Hits(np.zeros((0, len(FEATURES))), none, none, none)
        features, left, condition, total = zip(*self._fine, strict=True)
        return _Hits(np.concatenate(features), np.array(left), np.array(condition), np.array(total))

    def _take(self, s: Situation, condition: int) -> None:
        row = s.row
        inside = s.before.inside_total
        middle = 0.5 * (inside.low + inside.high)
        if row.hit == 1:
            self._close()
            self._history = History.filled(middle)
        elif s.turn_hits == 0:
            returned = 0.5 * (s.returned_total.low + s.returned_total.high)
            self._history = self._history.new_turn(returned)
        self._history = _with_left(self._history, middle)
        if inside.is_known:
            self._close()  # what was unknown is summed up: nothing depends on it any more
        side = SIDES[row.side]
        flagged = row.flag is not None
        if flagged:
            self._close()
        elif inside.is_known and row.hits == 1 and s.out_total.is_known:
            if inside.low:
                features = self._history.features(side)
                self._fine.append((features, inside.low, condition, s.out_total.low))
        else:
            if self._open is None or not s.returned_total.is_known:
                self._close()
                self._open = inside, []
                returned = 0
            else:
                returned = s.returned_total.low
            self._open[1].append(self._row(s, condition, side, returned))
        out = 0.5 * (s.out_total.low + s.out_total.high)
        self._history = self._history.after(min(out, middle), row.hits)

    def _row(self, s: Situation, condition: int, side: float, returned: int) -> _Row:
        inside, out = s.before.inside_total, s.out_total
        hits = []
        for j in range(s.row.hits):
            pairs = [
                (start, left)
                for start in range(inside.low, inside.high + 1)
                for left in range(max(0, start - out.high) if j else start, start + 1)
            ]
            start, left = np.array(pairs).T
            history = _repeat(self._history, start)
            if j:
                history = history.after(start - left, j)
            hits.append((start, left, history.features(side)))
        return _Row(tuple(hits), condition, out, s.after.inside_total, returned)

    def _close(self) -> None:
        if self._open is not None:
            before, rows = self._open
            while rows and rows[-1].says_nothing:
                rows.pop()
            if rows:
                self.stretches.append(_Stretch(before, tuple(rows)))
            self._open = None


def _with_left(history: History, left: ArrayLike) -> History:
    return _repeat(history, np.atleast_1d(np.asarray(left, dtype=float)))


def _repeat(history: History, left: NDArray[np.generic]) -> History:
    """Repeat a filling's history (of one) beside each other, with so many boulders left."""
    fields = [np.repeat(getattr(history, name), len(left)) for name in History.__slots__]
    return History(np.asarray(left, dtype=float), *fields[1:])
