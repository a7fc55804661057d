"""The advice: the probabilities that matter, and whether to strike or to stop."""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS
from rocktower.odds._follow import follow, running, stop_at
from rocktower.odds._paths import sample_paths, towers_of
from rocktower.odds._stopping import plan
from rocktower.statistics import Interval, mean, share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocktower.emulator import Emulator
    from rocktower.odds._paths import Paths
    from rocktower.odds._situation import Situation
    from rocktower.odds._stopping import Plan

__all__ = ["Advice", "ByHit", "Choice", "NextHit", "StopAt", "advise"]

Word = Literal["strike", "stop"]

_NOTHING = 1e-4  # points: the plan is reckoned in single precision


@dataclass(frozen=True, slots=True)
class NextHit:
    """The next hit.

    Attributes
    ----------
    totals
        The chance of 0, 1, ... 44 boulders.
    empty
        The chance of an empty hit.
    broken
        The chance that it breaks the color limit.
    reaches
        For each treasure, the chance that it is in reach after this hit.
    """

    totals: tuple[float, ...]
    empty: float
    broken: Interval
    reaches: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class StopAt:
    """What comes of striking until at least `least` boulders are out, whoever strikes.

    Attributes
    ----------
    total
        The boulders out at the end.
    quantiles
        Their 5 %, 25 %, 50 %, 75 % and 95 % quantiles.
    broken
        The chance that the color limit is broken.
    reaches
        For each treasure, the chance that its value is reached with the limit unbroken.
    """

    least: int
    total: Interval
    quantiles: tuple[int, ...]
    broken: Interval
    reaches: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a decision is worth: points of mine, of the other's, and what is weighed.

    `worth` is the points of who has the hammer, less the rivalry times those of the other one.
    """

    mine: Interval
    other: Interval
    worth: Interval


@dataclass(frozen=True, slots=True)
class ByHit:
    """After hit `hit`, if all strike on to there: stopping then against going on.

    Attributes
    ----------
    over
        The share of turns in which the limit was broken before.
    stop, go
        What either is worth to who has the hammer, over the other turns; NaN where nothing is
        left to decide.
    """

    hit: int
    over: float
    stop: float
    go: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known about a situation before the decision.

    Attributes
    ----------
    best
        What is best for who has the hammer; "stop" if it makes no difference.
    strike, stop
        What both are worth; None for stopping before the first hit, which is not allowed (B4).
    margin
        How much better striking is than stopping (below 0: worse), for who has the hammer; None
        before the first hit.
    sure
        The chance that `best` is best, given the emulator and the plan; 0.5 if it makes no
        difference.
    paths
        How many turns were drawn from the emulator.
    """

    situation: Situation
    best: Word
    strike: Choice
    stop: Choice | None
    margin: Interval | None
    sure: float
    next_hit: NextHit
    broken_by_end: Interval
    policies: tuple[StopAt, ...]
    by_hit: tuple[ByHit, ...]
    paths: int

    @property
    def is_tie(self) -> bool:
        """Whether striking and stopping are worth the same in the turns that were drawn."""
        return self.margin is not None and _is_nothing(self.margin)


def advise(
    situation: Situation, emulator: Emulator, rng: np.random.Generator, *, paths: int = 4000
) -> Advice:
    """Find out what is best, to strike or to stop.

    Dynamic programming on the emulator's chances makes a plan for both of the crew. What the plan
    is worth is then told from turns that the emulator plays with all of its memory: so the plan
    may be a little short of the best, but what is said of it holds.

    The other is taken to follow the plan too: to know the same, to go for points (less the
    rivalry times mine), to collect what is best for that, and to share gifts as
    `Payoffs.over_angry` says.

    Parameters
    ----------
    situation
        Where the hammering stands.
    emulator
        What stands for the tower.
    rng
        For the turns that are drawn.
    paths
        How many turns to draw; the advice takes longer and is surer with more.

    Raises
    ------
    RocktowerError
        If the hit limit is reached.
    """
    if not situation.hits_left:
        raise RocktowerError(
            f"hits {situation.hits}: the hit limit {situation.limit} is reached, nothing is left "
            "to decide"
        )
    drawn = sample_paths(emulator, towers_of(situation, paths), situation.hits_left, rng)
    hits = drawn.hits
    made = plan(situation, drawn.pooled(situation.out))
    strike = follow(made, hits, strike=True)
    stop = follow(made, hits, strike=False) if situation.hits else None
    margin = None
    if stop is not None:
        margin = mean(_weigh(situation, strike) - _weigh(situation, stop))
    better = margin is None or (margin.value > 0 and not _is_nothing(margin))
    best: Word = "strike" if better else "stop"
    totals, excess = running(situation.out, situation.limit, hits)
    return Advice(
        situation,
        best,
        _choice(situation, strike),
        None if stop is None else _choice(situation, stop),
        margin,
        _sureness(margin),
        _next_hit(situation, drawn),
        share(int(excess.any(axis=1).sum()), paths),
        _policies(situation, totals, excess),
        _by_hit(made, hits, excess),
        paths,
    )


def _weigh(situation: Situation, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give what points are worth to who has the hammer, shape (n,)."""
    mine, other = situation.hammerer, 1 - situation.hammerer
    return np.asarray(points[..., mine] - situation.rivalry * points[..., other])


def _choice(situation: Situation, points: NDArray[np.float64]) -> Choice:
    return Choice(mean(points[:, 0]), mean(points[:, 1]), mean(_weigh(situation, points)))


def _is_nothing(margin: Interval) -> bool:
    return max(abs(margin.low), abs(margin.high)) < _NOTHING


def _sureness(margin: Interval | None) -> float:
    if margin is None:
        return 1.0
    if _is_nothing(margin):
        return 0.5
    if not margin.error:
        return 1.0
    return 0.5 * (1.0 + erf(abs(margin.value) / margin.error / sqrt(2.0)))


def _next_hit(situation: Situation, drawn: Paths) -> NextHit:
    n, first = len(drawn.hits), drawn.hits[:, 0]
    after = first + np.array(situation.out)
    totals = drawn.chances[:, 0].mean(axis=0)
    return NextHit(
        tuple(map(float, totals)),
        float(totals[0]),
        share(int((after[:, :3].max(axis=1) > situation.limit).sum()), n),
        tuple(share(int((after.sum(axis=1) >= t.value).sum()), n) for t in situation.treasures),
    )


def _policies(
    situation: Situation, totals: NDArray[np.int64], excess: NDArray[np.int64]
) -> tuple[StopAt, ...]:
    """Try every total at which one could mean to stop, as long as it makes a difference."""
    now, n = situation.out.total, len(totals)
    far = totals[stop_at(ALL_BOULDERS.total, totals, excess)]
    result: list[StopAt] = []
    before = np.zeros(n, dtype=np.int64)
    for least in range(now + 1, int(np.quantile(far, 0.9)) + 1):
        end = stop_at(least, totals, excess)
        if result and (end[1] == before).all():
            break
        before = end[1]
        total, broken = totals[end], excess[end] > 0
        result.append(
            StopAt(
                least,
                mean(total),
                tuple(int(q) for q in np.quantile(total, (0.05, 0.25, 0.5, 0.75, 0.95))),
                share(int(broken.sum()), n),
                tuple(
                    share(int(((total >= treasure.value) & ~broken).sum()), n)
                    for treasure in situation.treasures
                ),
            )
        )
    return tuple(result)


def _by_hit(made: Plan, hits: NDArray[np.int64], excess: NDArray[np.int64]) -> tuple[ByHit, ...]:
    """Follow the turns that go on to the end, and compare stopping with going on at each hit."""
    situation, n = made.situation, len(hits)
    mode, out = np.zeros(n, dtype=np.int64), np.tile(np.array(situation.out), (n, 1))
    swapped = np.array(made.swapped())
    hammerer = np.array([mode.hammerer for mode in made.modes])
    result = []
    for hit in range(situation.hits_left + 1):
        calm = ~excess[:, : hit + 1].any(axis=1)
        here = (mode[calm], *made.place(out[calm]))
        pair = np.arange(len(mode[calm])), hammerer[mode[calm]]
        values = []
        for table in (made.stop[hit], made.go[hit]):
            both = np.moveaxis(table, 1, -1)[here]
            own, other = both[pair], both[pair[0], 1 - pair[1]]
            values.append(own - situation.rivalry * other)
        stop, go = (float(v.mean()) if len(v) else np.nan for v in values)
        number = situation.hits + hit
        result.append(ByHit(number, float(1 - calm.mean()), stop if number else np.nan, go))
        if hit < situation.hits_left:
            empty = hits[:, hit].sum(axis=1) == 0
            mode = np.where(empty, swapped[mode], mode)
            out = out + hits[:, hit]
    return tuple(result)
