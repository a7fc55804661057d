"""What is fitted to a record: the tower's numbers and the speeds of its people."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocktower.calibration.fitting._prior import to_values
from rocktower.errors import RocktowerError
from rocktower.tower import GRIPS, Setup

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.calibration.fitting._prior import Prior
    from rocktower.calibration.fitting._protocol import Group, Protocol

__all__ = ["Design"]

_GRAVITY = 9.81  # m/s^2
_GRIP, _SPEED = Setup.names().index("grip"), Setup.names().index("speed")
_FIXED = len(Setup.names())
_BEYOND = 0.5  # log units that another striker's, or a falling hammer's, may be outside the prior


@dataclass(frozen=True, slots=True)
class _Speed:
    """What is thought of the logarithm of a group's median speed.

    Parameters
    ----------
    mean, deviation
        Of a normal distribution; evenly between the bounds if the deviation is infinite.
    about
        The group over whose speed it is taken; None for the speed itself.
    low, high
        Bounds of the speed itself.
    """

    mean: float
    deviation: float
    about: int | None
    low: float
    high: float


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
        rest = np.arange(_FIXED) != _SPEED
        inside = (given[:, :_FIXED] >= low) & (given[:, :_FIXED] <= high)
        possible = inside[:, rest].all(axis=1)
        density = np.zeros(len(given))
        later = given[:, _SPEED, None] + given[:, _FIXED:]
        speeds = np.concatenate([given[:, _SPEED, None], later], axis=1)
        for number, law in enumerate(self._speeds()):
            speed = speeds[:, number]
            possible &= (speed >= law.low) & (speed <= law.high)
            if np.isfinite(law.deviation):
                value = speed if law.about is None else speed - speeds[:, law.about]
                density -= 0.5 * ((value - law.mean) / law.deviation) ** 2
        return np.where(possible, density, -np.inf)

    def sample_prior(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw from the prior, shape (n, d).

        Raises
        ------
        RocktowerError
            If a hammer that falls from a recorded height is slower or faster than the prior allows.
        """
        low, high = np.array(self.prior.low), np.array(self.prior.high)
        laws = self._speeds()
        kept: list[NDArray[np.float64]] = []
        while sum(map(len, kept)) < n:
            drawn = np.empty((4 * n, self.size))
            drawn[:, :_FIXED] = rng.uniform(low, high, (4 * n, _FIXED))
            speeds = np.empty((4 * n, len(laws)))
            for number, law in enumerate(laws):
                if np.isfinite(law.deviation):
                    base = 0.0 if law.about is None else speeds[:, law.about]
                    speeds[:, number] = base + rng.normal(law.mean, law.deviation, 4 * n)
                elif number:
                    speeds[:, number] = rng.uniform(law.low, law.high, 4 * n)
                else:
                    speeds[:, 0] = drawn[:, _SPEED]
            drawn[:, _SPEED] = speeds[:, 0]
            drawn[:, _FIXED:] = speeds[:, 1:] - speeds[:, :1]
            kept.append(drawn[np.isfinite(self.log_prior(drawn))])
        return np.concatenate(kept)[:n]

    def _speeds(self) -> list[_Speed]:
        """Return what is thought of each group's speed.

        The first group without a drop may have any speed of the prior; others without one are
        compared with it.
        """
        low, high = self.prior.low[_SPEED], self.prior.high[_SPEED]
        wide = low - _BEYOND, high + _BEYOND
        groups = self.protocol.groups
        scale = next((k for k, group in enumerate(groups) if group.drop_cm is None), 0)
        made = []
        for number, group in enumerate(groups):
            if group.drop_cm is not None:
                mean = self._pendulum(group)
                if not wide[0] <= mean <= wide[1]:
                    raise RocktowerError(
                        f"drop_cm {group.drop_cm:g}: the hammer falls with {exp(mean):.2g} m/s, "
                        f"far outside the prior's {exp(low):.2g} to {exp(high):.2g} m/s; check "
                        "the height, or give another --prior"
                    )
                made.append(_Speed(mean, self.prior.drop_spread, None, *wide))
            elif number == scale:
                made.append(_Speed(0.0, np.inf, None, low, high))
            else:
                mean, variance = self.prior.strength(group.strength)
                mean_0, variance_0 = self.prior.strength(groups[scale].strength)
                people = 2.0 if group.striker != groups[scale].striker else 0.0
                variance += variance_0 + people * self.prior.striker_spread**2
                deviation = sqrt(max(variance, 1e-4))
                made.append(_Speed(mean - mean_0, deviation, scale, *wide))
        return made

    @staticmethod
    def _pendulum(group: Group) -> float:
        height = (group.drop_cm or 1.0) / 100.0
        return log(sqrt(2.0 * _GRAVITY * height))
