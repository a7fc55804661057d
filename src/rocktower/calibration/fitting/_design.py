"""What is fitted to a record: the tower's numbers and the speeds of its people."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocktower.calibration.fitting._prior import to_values
from rocktower.tower import GRIPS, Setup

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.calibration.fitting._prior import Prior
    from rocktower.calibration.fitting._protocol import Group, Protocol

__all__ = ["Design"]

_GRAVITY = 9.81  # m/s^2
_GRIP, _SPEED = Setup.names().index("grip"), Setup.names().index("speed")
_FIXED = len(Setup.names())
_BEYOND = 0.5  # log units that another striker's median speed may lie outside the prior of speed


@dataclass(frozen=True, slots=True)
class Design:
    """The vector of what is fitted, d numbers, and what is thought of it beforehand.

    First come the coordinates of the `Setup` of the first group of strikes, then for each further
    group the logarithm of its median speed over the first one's.
    """

    protocol: Protocol
    prior: Prior

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the d numbers."""
        return (*Setup.names(), *(f"speed of {group}" for group in self.protocol.groups[1:]))

    @property
    def size(self) -> int:
        """How many numbers, d."""
        return _FIXED + len(self.protocol.groups) - 1

    def setups(self, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the coordinates of the `Setup` of each condition, shape (n, conditions, 5)."""
        given = np.atleast_2d(vectors)
        conditions = self.protocol.conditions
        made = np.repeat(given[:, None, :_FIXED], len(conditions), axis=1)
        for number, condition in enumerate(conditions):
            level = GRIPS.index(condition.held or "held") - GRIPS.index("held")
            made[:, number, _GRIP] = np.clip(made[:, number, _GRIP] + level, 0.0, len(GRIPS) - 1.0)
            if condition.group:
                made[:, number, _SPEED] += given[:, _FIXED + condition.group - 1]
            made[:, number, _SPEED] += condition.boost
        return made

    def values(self, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values of the `Setup` of each condition, shape (n, conditions, 5)."""
        return to_values(self.setups(vectors))

    def shown(self, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the d numbers in units for people: values, and median speeds in m/s."""
        given = np.atleast_2d(vectors)
        speeds = np.exp(given[:, _FIXED:] + given[:, _SPEED, None])
        return np.concatenate([to_values(given[:, :_FIXED]), speeds], axis=1)

    def log_prior(self, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the prior density but for a constant, shape (n,)."""
        given = np.atleast_2d(vectors)
        low, high = np.array(self.prior.low), np.array(self.prior.high)
        possible = ((given[:, :_FIXED] >= low) & (given[:, :_FIXED] <= high)).all(axis=1)
        density = np.zeros(len(given))
        for number, (mean, deviation, is_absolute) in enumerate(self._speeds()):
            value = given[:, _SPEED] if number == 0 else given[:, _FIXED + number - 1]
            absolute = value if number == 0 else value + given[:, _SPEED]
            possible &= absolute >= low[_SPEED] - _BEYOND * (number > 0)
            possible &= absolute <= high[_SPEED] + _BEYOND * (number > 0)
            if np.isfinite(deviation):
                density -= 0.5 * (((absolute if is_absolute else value) - mean) / deviation) ** 2
        return np.where(possible, density, -np.inf)

    def sample_prior(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw from the prior, shape (n, d)."""
        low, high = np.array(self.prior.low), np.array(self.prior.high)
        kept: list[NDArray[np.float64]] = []
        while sum(map(len, kept)) < n:
            drawn = np.empty((4 * n, self.size))
            drawn[:, :_FIXED] = rng.uniform(low, high, (4 * n, _FIXED))
            for number, (mean, deviation, is_absolute) in enumerate(self._speeds()):
                if not np.isfinite(deviation):
                    continue
                score = rng.normal(mean, deviation, 4 * n)
                if number == 0:
                    drawn[:, _SPEED] = score
                else:
                    base = drawn[:, _SPEED] if is_absolute else 0.0
                    drawn[:, _FIXED + number - 1] = score - base
            kept.append(drawn[np.isfinite(self.log_prior(drawn))])
        return np.concatenate(kept)[:n]

    def _speeds(self) -> list[tuple[float, float, bool]]:
        """For each group: mean, deviation, and whether of its speed or of that over the first's."""
        first = self.protocol.groups[0]
        made = []
        for number, group in enumerate(self.protocol.groups):
            if group.drop_cm is not None:
                made.append((self._pendulum(group), self.prior.drop_spread, True))
            elif number == 0:
                made.append((0.0, np.inf, True))
            else:
                mean, variance = self.prior.strength(group.strength)
                if first.drop_cm is None:
                    mean_0, variance_0 = self.prior.strength(first.strength)
                    mean, variance = mean - mean_0, variance + variance_0
                people = 2.0 if group.striker != first.striker else 0.0
                variance += people * self.prior.striker_spread**2
                made.append((mean, sqrt(max(variance, 1e-4)), False))
        return made

    @staticmethod
    def _pendulum(group: Group) -> float:
        height = (group.drop_cm or 1.0) / 100.0
        return log(sqrt(2.0 * _GRAVITY * height))
