"""A strike as a film: the frames of its trace, continuous in time. No clock, no drawing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from math import exp, pi, sin
from typing import TYPE_CHECKING

import numpy as np

from rocktower.viewer._frame import Blow, Moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocktower.tower import Contacts, Strike, StrikeResult, TowerModel

__all__ = ["RATES", "Player", "Recording", "wound_up"]

RATES = (1.0, 0.5, 0.25, 0.1)
"""Speeds of playback: real time, and slow motion."""

_SETTLE = 0.3  # s, from the last frame of the trace to the state that the next strike starts from
_FLIGHT = 0.4  # s, of a boulder from the outlet to its place on the table
_SPARK = 0.09  # s
_LONGEST_SWING = 0.5  # s
_STILL = (0.0, 0.0, 0.0)


def wound_up(speed: float) -> float:
    """Return how far the hammer is swung back (m) for a speed (m/s): farther for faster."""
    return 0.02 + 0.03 * min(speed, 4.0)


@dataclass(frozen=True, eq=False)
class Recording:
    """A strike that can be looked at at any time between `start` and `end`, s after the blow.

    Attributes
    ----------
    strike
        What the hammer did; None if only its result is known.
    times, tower, poses, contacts
        Frames as in a `Trace`: shapes (f,), (f, 3), (f, n, 3), and f contacts (or none).
    rest, rest_contacts
        Shape (n, 3): where everything came to rest; and what holds it there, if known.
    out
        The rows of the boulders that came out, in order, and when each did (s).
    """

    strike: Strike | None
    times: Sequence[float]
    tower: NDArray[np.float64]
    poses: NDArray[np.float64]
    contacts: tuple[Contacts, ...]
    rest: NDArray[np.float64]
    rest_contacts: Contacts | None
    out: tuple[tuple[int, float], ...]

    @classmethod
    def of(cls, model: TowerModel, strike: Strike, result: StrikeResult) -> Recording:
        """Record a strike from its result, which must have a trace."""
        trace = result.trace
        assert trace is not None  # noqa: S101 - whoever records asks for the trace
        rows = {boulder: row for row, boulder in enumerate(result.state.boulders)}
        there = ~np.isnan(trace.boulders[:, :, 0])
        last = len(trace.times) - 1 - np.argmax(there[::-1], axis=0)
        out = tuple(
            (row, float(trace.times[min(last[row] + 1, len(trace.times) - 1)]))
            for row in (rows[boulder] for boulder in result.hit.boulders)
        )
        return cls(
            strike,
            trace.times.tolist(),
            trace.tower,
            trace.boulders,
            trace.contacts,
            np.asarray(result.state.poses),
            model.resting_contacts(result.state),
            out,
        )

    @classmethod
    def unseen(cls, rows: Sequence[int], boulders: int) -> Recording:
        """Record a hit of which nothing but the result is known: there is no motion to show."""
        nowhere = np.full((1, boulders, 3), np.nan)
        out = tuple((row, 0.08 * place) for place, row in enumerate(rows))
        return cls(None, [0.0], np.zeros((1, 3)), nowhere, (), nowhere[0], None, out)

    @property
    def start(self) -> float:
        """When the hammer begins to swing; below 0."""
        return -self._swing

    @property
    def end(self) -> float:
        """When the last boulder lies on the table and all is at rest."""
        return max([self.times[-1] + _SETTLE, *(t + _FLIGHT for _, t in self.out)])

    @property
    def _swing(self) -> float:
        """Duration of the swing (s): a quarter of a harmonic motion that lands at full speed."""
        if self.strike is None:
            return 0.0
        speed = self.strike.speed
        return min(0.5 * pi * wound_up(speed) / max(speed, 1e-3), _LONGEST_SWING)

    def out_at(self, time: float) -> tuple[int, ...]:
        """Rows of the boulders that have come out by a time, in order."""
        return tuple(row for row, t in self.out if t <= time)

    def at(self, time: float) -> Moment:
        """Return the tower at a time, between the frames as well."""
        flying = {
            row: (time - t) / _FLIGHT for row, t in self.out if t <= time and time - t < _FLIGHT
        }
        if time >= self.times[-1]:
            return self._settling(time, flying)
        if time <= self.times[0]:
            contacts = self.contacts[0] if self.contacts else None
            return Moment(_STILL, self.poses[0], contacts=contacts)
        k = bisect_right(self.times, time) - 1
        span = self.times[k + 1] - self.times[k]
        share = (time - self.times[k]) / span
        here, after = self.poses[k], self.poses[k + 1]
        step = after - here
        leaving = np.isnan(step[:, 0])
        if leaving.any():
            # What leaves between two frames goes on as it went.
            gone_by = here - self.poses[max(k - 1, 0)]
            step[leaving] = np.where(np.isnan(gone_by[leaving]), 0.0, gone_by[leaving])
        x, y, angle = (self.tower[k] + share * (self.tower[k + 1] - self.tower[k])).tolist()
        contacts = self.contacts[k + (share > 0.5)] if self.contacts else None
        return Moment((x, y, angle), here + share * step, step[:, :2] / span, contacts, flying)

    def _settling(self, time: float, flying: dict[int, float]) -> Moment:
        """Ease from the last frame to the state at rest, the tower back in its place."""
        if time >= self.times[-1] + _SETTLE:
            return Moment(_STILL, self.rest, contacts=self.rest_contacts, flying=flying)
        share = (time - self.times[-1]) / _SETTLE
        share *= share * (3.0 - 2.0 * share)
        # What jumped out of the top is not in the last frame: it appears where it came to lie.
        last = np.where(np.isnan(self.poses[-1]), self.rest, self.poses[-1])
        x, y, angle = ((1.0 - share) * self.tower[-1]).tolist()
        contacts = self.contacts[-1] if self.contacts and share < 0.5 else self.rest_contacts
        return Moment((x, y, angle), last + share * (self.rest - last), None, contacts, flying)

    def blow_at(self, time: float) -> Blow | None:
        """Return where the hammer is at a time."""
        if self.strike is None:
            return None
        speed, reach = self.strike.speed, wound_up(self.strike.speed)
        if time < 0.0:
            gap = reach * sin(min(0.5 * pi * -time / self._swing, 0.5 * pi))
        else:
            gap = 0.6 * reach * (1.0 - exp(-time / 0.12))
        spark = max(1.0 - time / _SPARK, 0.0) if time >= 0.0 else 0.0
        return Blow(self.strike.side, self.strike.height, speed, gap, spark)


class Player:
    """Where in a recording one is, and how fast it goes on."""

    def __init__(self, recording: Recording, rate: float = 1.0, *, at_end: bool = False) -> None:
        self.recording = recording
        self.rate = rate
        self.is_paused = False
        self.time = recording.end if at_end else recording.start

    @property
    def is_over(self) -> bool:
        """Whether the end is reached."""
        return self.time >= self.recording.end

    def advance(self, seconds: float) -> None:
        """Go on by a time that has passed on the wall, at the rate of this player."""
        if not self.is_paused:
            self.time = min(self.time + self.rate * seconds, self.recording.end)

    def step(self, count: int) -> None:
        """Pause, and go one frame of the trace forward (1) or back (-1)."""
        self.is_paused = True
        recording = self.recording
        stops = [recording.start, *recording.times, recording.end]
        if count > 0:
            place = bisect_right(stops, self.time + 1e-9)
        else:
            place = bisect_left(stops, self.time - 1e-9) - 1
        self.time = stops[min(max(place, 0), len(stops) - 1)]

    def restart(self) -> None:
        """Go back to the swing of the hammer."""
        self.time, self.is_paused = self.recording.start, False

    def finish(self) -> None:
        """Go to the end."""
        self.time, self.is_paused = self.recording.end, False
