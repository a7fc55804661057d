"""Ratings from rankings: how strong players are, on the scale of Elo, with intervals."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

from rocktower.statistics import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["ratings"]

_ELO = 400.0 / log(10.0)  # points of Elo for a factor e in the odds of winning
_SPREAD = 400.0 / _ELO  # of the strengths before any game: see `ratings`
_Z = 1.959964


def ratings(rankings: Sequence[Sequence[str]]) -> dict[str, Interval]:
    """Rate players by the rankings of games for two or more of them.

    The model is Plackett's and Luce's: who comes first is drawn with odds that go by the
    players' strengths, who comes second from the rest, and so on. For games of two it is that of
    Bradley and Terry. Strengths are fitted by maximum likelihood with one mild prior, normal
    with a standard deviation of 400 points, without which a player who never lost would have an
    infinite rating. A difference of 400 points means odds of 10 to 1 in a game of two.

    Parameters
    ----------
    rankings
        Of each game the names, the winner first. A name may appear twice.

    Returns
    -------
    dict
        By name the rating, their mean being 1000, with its 95 % interval (from the curvature of
        the likelihood).

    Examples
    --------
    >>> rated = ratings([("a", "b")] * 30 + [("b", "a")] * 10)
    >>> round(rated["a"].value - rated["b"].value) in range(170, 191)  # 3 to 1: 191 without prior
    True
    """
    names = sorted({name for ranking in rankings for name in ranking})
    index = {name: i for i, name in enumerate(names)}
    games = [np.array([index[name] for name in ranking]) for ranking in rankings]
    strength = np.zeros(len(names))
    for _ in range(100):
        slope, curvature = _derivatives(strength, games)
        step = np.linalg.solve(curvature, slope)
        strength += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    # The mean is fixed, so what varies is a strength less the mean.
    centered = np.eye(len(names)) - 1.0 / len(names)
    _, curvature = _derivatives(strength, games)
    spread = np.sqrt(np.diag(centered @ np.linalg.inv(curvature) @ centered))
    value = 1000.0 + _ELO * (strength - strength.mean())
    return {
        name: Interval(
            float(value[i]),
            float(value[i] - _Z * _ELO * spread[i]),
            float(value[i] + _Z * _ELO * spread[i]),
            sum(int((game == i).sum()) for game in games),
        )
        for name, i in index.items()
    }


def _derivatives(
    strength: NDArray[np.float64], games: Sequence[NDArray[np.int64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the slope of the log-likelihood, and its curvature with the sign turned."""
    slope = -strength / _SPREAD**2
    curvature = np.eye(len(strength)) / _SPREAD**2
    for game in games:
        for place in range(len(game) - 1):
            left = game[place:]
            chance = np.zeros(len(strength))
            np.add.at(chance, left, np.exp(strength[left]))
            chance /= chance.sum()
            slope[left[0]] += 1.0
            slope -= chance
            curvature += np.diag(chance) - np.outer(chance, chance)
    return slope, curvature
