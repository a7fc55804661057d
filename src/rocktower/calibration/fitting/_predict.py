"""What the network foretells of a protocol, and how unusual a record is among that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rocktower.calibration.fitting._history import SIDES, History

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocktower.calibration._record import Record
    from rocktower.calibration.fitting._network import HitNetwork
    from rocktower.calibration.fitting._protocol import Protocol

    Rows = NDArray[np.float64]

__all__ = ["Check", "Seen", "check", "play_protocol"]

IMPOSSIBLE = 0.005
"""A statistic that is less likely than this, both tails together, was not foretold."""

_LARGE = 6


def play_protocol(
    network: HitNetwork,
    protocol: Protocol,
    setups: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Play a protocol n times side by side with the network; colors are left out.

    Parameters
    ----------
    setups
        Coordinates of the `Setup` of each condition, shape (n, conditions, 5).

    Returns
    -------
    array
        Boulders that come out, shape (n, hits), in the protocol's order.
    """
    n = len(setups)
    totals = np.zeros((n, protocol.hits), dtype=np.int64)
    hit = 0
    for filling in protocol.fillings:
        whole = 0.0
        history = History.filled(np.zeros(n))
        for step in filling:
            if step.filling is not None:
                whole = float(sum(step.filling))
                history = History.filled(np.full(n, whole))
            else:
                outside = whole - history.left
                wanted = step.put_in
                if isinstance(wanted, str):
                    returned = outside
                else:
                    number = wanted if isinstance(wanted, int) else sum(wanted)
                    returned = np.minimum(float(number), outside)
                if step.new_turn:
                    history = history.new_turn(returned)
                elif np.any(returned):
                    history = history.put_in(returned)
            left = history.left.astype(np.int64)
            features = history.features(SIDES[step.side])
            out = network.draw(features, setups[:, step.condition], left, rng)
            totals[:, hit] = np.where(left > 0, out, 0)
            history = history.after(totals[:, hit].astype(float))
            hit += 1
    return totals


@dataclass(frozen=True, slots=True)
class Seen:
    """A record, or replays of its protocol, as far as it was written down.

    Parameters
    ----------
    totals, most
        Shape (n, rows): boulders of each row that counts, at least and at most; NaN where nothing
        is known.
    hits
        Shape (rows,): hits of each row.
    turn
        Shape (rows,): number of its turn.
    """

    totals: Rows
    most: Rows
    hits: NDArray[np.int64]
    turn: NDArray[np.int64]

    @classmethod
    def of_record(cls, record: Record) -> Seen:
        """Take what was written down; nothing is known of flagged rows, nor of bounds like 0+."""
        situations = record.situations
        turns: dict[tuple[int, int], int] = {}
        bounds = np.array([(s.out_total.low, s.out_total.high) for s in situations], dtype=float)
        for number, s in enumerate(situations):
            says_nothing = s.out_total.low == 0 and s.out_total.high == s.before.inside_total.high
            if s.row.flag is not None or (says_nothing and not s.out_total.is_known):
                bounds[number] = np.nan
        return cls(
            bounds[None, :, 0],
            bounds[None, :, 1],
            np.array([s.row.hits for s in situations]),
            np.array(
                [turns.setdefault((s.row.filling, s.row.turn), len(turns)) for s in situations]
            ),
        )

    def replayed(self, totals: NDArray[np.int64]) -> Seen:
        """Show replays, shape (n, hits), as the record shows its own hits."""
        starts = np.concatenate([[0], np.cumsum(self.hits)[:-1]])
        rows = np.add.reduceat(totals, starts, axis=1).astype(float)
        rows[:, np.isnan(self.totals[0])] = np.nan
        return Seen(rows, rows, self.hits, self.turn)

    @property
    def fine(self) -> Rows:
        """Boulders, at least, of the rows that are single hits and count, shape (n, k)."""
        return self.totals[:, (self.hits == 1) & ~np.isnan(self.totals[0])]


def _empty_share(seen: Seen) -> Rows:
    return np.asarray((seen.fine == 0).mean(axis=1))


def _mean(seen: Seen) -> Rows:
    known = ~np.isnan(seen.totals[0])
    return np.asarray(seen.totals[:, known].sum(axis=1) / max(seen.hits[known].sum(), 1))


def _large(seen: Seen) -> Rows:
    return np.asarray((seen.fine >= _LARGE).mean(axis=1))


def _spread(seen: Seen) -> Rows:
    return np.asarray(seen.fine.std(axis=1))


def _first(seen: Seen) -> Rows:
    """Mean of the first hits of the turns; 0 if none is known."""
    first = np.concatenate([[True], np.diff(seen.turn) > 0])
    chosen = seen.totals[:, first & (seen.hits == 1) & ~np.isnan(seen.totals[0])]
    return np.asarray(chosen.sum(axis=1) / chosen.shape[1]) if chosen.size else chosen.sum(axis=1)


def _largest(seen: Seen) -> Rows:
    return np.asarray(seen.fine.max(axis=1))


def _longest_run(seen: Seen) -> Rows:
    longest = run = np.zeros(len(seen.fine))
    for column in (seen.fine == 0).T:
        run = np.where(column, run + 1.0, 0.0)
        longest = np.maximum(longest, run)
    return longest


def _empty_after_empty(seen: Seen) -> Rows:
    """Share of empty hits after an empty one, less that after another."""
    empty = seen.fine == 0
    before, now = empty[:, :-1], empty[:, 1:]
    after_empty = (before & now).sum(axis=1) / np.maximum(before.sum(axis=1), 1)
    after_other = (~before & now).sum(axis=1) / np.maximum((~before).sum(axis=1), 1)
    return np.asarray(after_empty - after_other)


def _turn_spread(seen: Seen) -> Rows:
    # In a fixed order, and only turns that are known as a whole.
    sums = np.array(
        [seen.totals[:, seen.turn == turn].sum(axis=1) for turn in np.unique(seen.turn)]
    )
    known = sums[~np.isnan(sums).any(axis=1)]
    return np.asarray(known.std(axis=0)) if len(known) else np.zeros(len(seen.totals))


_GATE: dict[str, Callable[[Seen], Rows]] = {
    "share of empty hits": _empty_share,
    "boulders a hit": _mean,
    f"share of hits with {_LARGE} boulders or more": _large,
    "spread of boulders a hit": _spread,
}
_HELD_OUT: dict[str, Callable[[Seen], Rows]] = {
    "boulders of the first hits of turns": _first,
    "largest hit": _largest,
    "longest run of empty hits": _longest_run,
    "share of empty hits after an empty one, less that after others": _empty_after_empty,
    "spread of boulders a turn": _turn_spread,
}


@dataclass(frozen=True, slots=True)
class Check:
    """A statistic of the record among those of replays.

    Parameters
    ----------
    observed, observed_to
        Different if the record has bounds such as ``5+``: with each of them at its least and at
        its most.
    p
        Both tails together: near 0 if the record is unusual, wherever between the two it is.
    replays
        The statistic of each replay, shape (n,).
    """

    name: str
    observed: float
    observed_to: float
    p: float
    replays: Rows

    @property
    def bounds(self) -> tuple[float, float]:
        """Central 95 % of the replays."""
        low, high = np.quantile(self.replays, (0.025, 0.975))
        return float(low), float(high)

    @property
    def seen(self) -> str:
        """What the record has, as text."""
        low, high = f"{self.observed:.3g}", f"{self.observed_to:.3g}"
        return low if low == high else f"{low} to {high}"


def check(seen: Seen, replays: NDArray[np.int64], *, held_out: bool = False) -> tuple[Check, ...]:
    """Compare a record with replays of its protocol, shape (n, hits).

    Parameters
    ----------
    held_out
        Whether the statistics are those that a fit does not aim at.
    """
    shown = seen.replayed(replays)
    checks = []
    for name, statistic in (_HELD_OUT if held_out else _GATE).items():
        if seen.fine.shape[1] < 2 and statistic is not _mean:
            continue
        ends = float(statistic(seen)[0]), float(statistic(replace(seen, totals=seen.most))[0])
        low, high, drawn = min(ends), max(ends), statistic(shown)
        if np.ptp(drawn) == 0.0 and low <= drawn[0] <= high:
            continue  # with these rows it cannot be anything else
        above = (1 + (drawn >= low - 1e-9).sum()) / (1 + len(drawn))
        below = (1 + (drawn <= high + 1e-9).sum()) / (1 + len(drawn))
        checks.append(Check(name, low, high, float(min(1.0, 2.0 * min(above, below))), drawn))
    return tuple(checks)
