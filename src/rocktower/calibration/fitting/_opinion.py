"""A second opinion on the same hits: a synthetic likelihood, emulated from the rounds' games.

The fit multiplies the chances of single hits, as if a hit depended on nothing but what the table
sees. This one takes every filling as a whole, so that what the packing remembers from hit to hit
is in it. Sums over the hits of a filling (boulders, empty hits, and so on) are projected on a few
statistics; how their mean and their covariance depend on these is learned from the
simulated games, by polynomials, and the record's own sums are taken to be normally distributed
about that (Wood 2010, Nature 466, 1102; Meeds and Welling 2014, arXiv 1401.2838). No network takes
part.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rocktower.calibration.fitting._chain import sample_chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocktower.calibration._record import Record
    from rocktower.calibration.fitting._chain import Chain
    from rocktower.calibration.fitting._design import Design
    from rocktower.calibration.fitting._rounds import Round

    Reals = NDArray[np.float64]

__all__ = ["AGREE", "Emulator", "FillingSums", "second_opinion"]

AGREE = 0.5
"""Posterior deviations that the two means of a number may lie apart."""

_LEVELS = (0, 12, 23, 34, 45)  # boulders left, a quarter of the tower each
_FEW, _LARGE = 2, 6
_WIDER = 0.5  # of the posterior's range, on each side: where games count and the opinion looks
_GAMES_A_TERM = 5
_LEAST = 1e-9  # of the largest variance: less is none
_ABOVE_NOISE = 1.2  # of what noise alone gives the strongest direction
_STEPS = 1000
_CANDIDATES = 400


@dataclass(frozen=True, slots=True)
class FillingSums:
    """What is summed up over a filling's rows; rows that the record does not know do not count.

    Parameters
    ----------
    first, hits
        Shape (rows,): number of the first hit of each row, and how many it has.
    counts, single, level
        Shape (rows,): whether its boulders are known; are those of one hit; and so is what was
        in the tower before.
    begins
        Shape (rows,): whether a turn begins.
    condition
        Shape (rows,).
    """

    first: NDArray[np.int64]
    hits: NDArray[np.int64]
    counts: NDArray[np.bool_]
    single: NDArray[np.bool_]
    level: NDArray[np.bool_]
    begins: NDArray[np.bool_]
    condition: NDArray[np.int64]

    @classmethod
    def of_record(cls, record: Record, design: Design) -> tuple[list[FillingSums], Reals]:
        """Take a record apart: what is summed up in each filling, and the sums of all of them."""
        fillings: list[list[int]] = []
        for number, situation in enumerate(record.situations):
            if situation.row.hit == 1:
                fillings.append([])
            fillings[-1].append(number)
        made, sums = [], []
        for steps, rows in zip(design.protocol.fillings, fillings, strict=True):
            here = [record.situations[number] for number in rows]
            hits = np.array([s.row.hits for s in here])
            first = np.cumsum(hits) - hits
            counts = np.array([s.out_total.is_known and s.row.flag is None for s in here])
            single = counts & (hits == 1)
            inside = [s.before.inside_total for s in here]
            sums_of = cls(
                first, hits, counts, single,
                single & np.array([amount.is_known for amount in inside]),
                np.array([s.turn_hits == 0 for s in here]),
                np.array([steps[k].condition for k in first.tolist()]),
            )  # fmt: skip
            out = np.array([s.out_total.low for s in here], dtype=float)
            left = np.array([amount.low for amount in inside], dtype=float)
            made.append(sums_of)
            sums.append(sums_of.sums(out[None], left[None], len(design.protocol.conditions))[0])
        return made, np.sum(sums, axis=0)

    def of_hits(self, totals: Reals, left: Reals, conditions: int) -> Reals:
        """Sum up n simulated games of this filling, hit by hit, shapes (n, hits): (n, p)."""
        return self.sums(
            np.add.reduceat(totals, self.first, axis=1), left[:, self.first], conditions
        )

    def sums(self, out: Reals, left: Reals, conditions: int) -> Reals:
        """Sum up n fillings that are given row by row, shapes (n, rows); return shape (n, p)."""
        counts, single, level = (a[None] for a in (self.counts, self.single, self.level))
        empty = single & (out == 0)
        again = empty[:, 1:] & empty[:, :-1] & ~self.begins[None, 1:]
        chosen = [
            *((counts & (self.condition == c)) * out for c in range(conditions)),
            *(empty & (self.condition == c) for c in range(conditions)),
            *(
                part
                for low, high in pairwise(_LEVELS)
                for inside in (level & (left >= low) & (left < high),)
                for part in (inside * out, inside & (out == 0))
            ),
            single & (out > 0) & (out <= _FEW),
            single & (out >= _LARGE),
            (single & self.begins) * out,
            again,
        ]
        return np.stack([part.sum(axis=1, dtype=float) for part in chosen], axis=1)


@dataclass(frozen=True, slots=True)
class Emulator:
    """How the sums of a record are distributed, as a function of what is fitted.

    Only as many directions among the numbers count as the games can tell from noise: slopes that
    are nothing but noise would pull the posterior along where the hits say nothing.

    Parameters
    ----------
    projection
        Shape (p, r): from sums to one statistic for each direction.
    center, directions
        Shapes (d,) and (d, r): from the numbers to coordinates along the directions.
    degree
        Of the polynomials of the mean: 1 or 2.
    fillings
        How many the record has.
    mean
        Shape (fillings + terms, r).
    unsure
        Shape (fillings + terms, fillings + terms): covariance of the coefficients of the mean, for
        a residual variance of 1.
    log_variance
        Shape (r + 1, r): of a filling's residuals.
    """

    projection: Reals
    center: Reals
    directions: Reals
    degree: int
    fillings: int
    mean: Reals
    unsure: Reals
    log_variance: Reals

    @classmethod
    def learned(
        cls, vectors: Reals, filling: NDArray[np.int64], sums: Reals, fillings: int
    ) -> Emulator | None:
        """Learn from n games; None if they are too few, or tell nothing.

        Parameters
        ----------
        vectors
            Shape (n, d).
        filling
            Shape (n,): which filling each game has struck. Each one has its own constant; how it
            depends on the numbers is averaged over the fillings, which is all that their sum needs.
        sums
            Shape (n, p).
        """
        n, size = vectors.shape
        if n < _GAMES_A_TERM * (fillings + size):
            return None
        center = vectors.mean(axis=0)
        evened = _whitener(np.cov(vectors.T))  # in which a slope's error is the same everywhere
        own = (filling[:, None] == np.arange(fillings)).astype(float)
        inputs = np.concatenate([own, (vectors - center) @ evened], axis=1)
        slopes, residuals = _least_squares(inputs, sums)
        independent = _whitener(np.cov(residuals.T))
        left, strength, right = np.linalg.svd(slopes[fillings:] @ independent, full_matrices=False)
        noise = (np.sqrt(evened.shape[1]) + np.sqrt(independent.shape[1])) / np.sqrt(n)
        told = strength > _ABOVE_NOISE * noise
        if not told.any():
            return None
        # Along each direction, the linear statistic that says most about it.
        projection, directions = independent @ right[told].T, evened @ left[:, told]
        along = (vectors - center) @ directions
        terms = _polynomials(along, 2).shape[1]
        degree = 2 if n >= _GAMES_A_TERM * (fillings + terms) else 1
        inputs = np.concatenate([own, _polynomials(along, degree)], axis=1)
        mean, residuals = _least_squares(inputs, sums @ projection)
        free = n / max(n - inputs.shape[1], 1)
        log_variance = _log_linear(_with_constant(along), free * residuals**2)
        return cls(
            projection, center, directions, degree, fillings, mean,
            np.linalg.pinv(inputs.T @ inputs), log_variance,
        )  # fmt: skip

    def log_likelihood(self, vectors: Reals, sums: Reals) -> Reals:
        """Return that of a record's sums, shape (p,), for n vectors, but for a constant: (n,)."""
        along = (np.atleast_2d(vectors) - self.center) @ self.directions
        terms = self.fillings * _polynomials(along, self.degree)
        inputs = np.concatenate([np.ones((len(along), self.fillings)), terms], axis=1)
        off = sums @ self.projection - inputs @ self.mean
        chance = self.fillings * np.exp(_with_constant(along) @ self.log_variance)
        learned = np.einsum("ni,ij,nj->n", inputs, self.unsure, inputs)
        variance = chance + learned[:, None]
        return np.asarray(-0.5 * (off**2 / variance + np.log(variance)).sum(axis=1))


def _with_constant(along: Reals) -> Reals:
    return np.concatenate([np.ones((len(along), 1)), along], axis=1)


def _whitener(covariance: Reals) -> Reals:
    """Return what makes values independent with variance 1, shape (k, at most k).

    What does not vary, or only as a sum of the others, drops out.
    """
    size, axes = np.linalg.eigh(np.atleast_2d(covariance))
    varies = size > _LEAST * max(size.max(), _LEAST)
    return np.asarray(axes[:, varies] / np.sqrt(size[varies]))


def _polynomials(scaled: Reals, degree: int) -> Reals:
    """Return the terms of a polynomial without its constant, shape (n, terms)."""
    size = scaled.shape[1]
    terms = [scaled]
    if degree == 2:
        row, column = np.triu_indices(size)
        terms.append(scaled[:, row] * scaled[:, column] - (row == column))
    return np.concatenate(terms, axis=1)


def _least_squares(inputs: Reals, outputs: Reals) -> tuple[Reals, Reals]:
    """Return coefficients and residuals."""
    found = np.asarray(np.linalg.lstsq(inputs, outputs, rcond=None)[0], dtype=float)
    return found, outputs - inputs @ found


def _log_linear(inputs: Reals, squares: Reals) -> Reals:
    """Fit the logarithm of the mean of squares, by gamma regression: shape (inputs, outputs)."""
    found = np.zeros((inputs.shape[1], squares.shape[1]))
    found[0] = np.log(squares.mean(axis=0))
    for _ in range(25):
        now = inputs @ found
        step = np.linalg.lstsq(inputs, squares * np.exp(-now) - 1.0, rcond=None)[0]
        found = found + np.clip(step, -0.5, 0.5)
    return found


def second_opinion(
    record: Record, design: Design, rounds: Sequence[Round], chain: Chain, *, seed: int
) -> Chain | None:
    """Fit the same hits in the other way, from the games that the fit has simulated.

    Games far from the fit's own posterior do not count, and the opinion looks no further: within
    half of its range beyond it on each side.

    Returns
    -------
    Chain or None
        None if the rounds have too few games for that, or none.
    """
    if not rounds:
        return None
    fillings, observed = FillingSums.of_record(record, design)
    conditions = len(design.protocol.conditions)
    ends = np.quantile(chain.draws, (0.005, 0.995), axis=0)
    low, high = ends[0] - _WIDER * np.ptp(ends, axis=0), ends[1] + _WIDER * np.ptp(ends, axis=0)
    vectors, filling, sums = [], [], []
    for part in rounds:
        struck = np.arange(len(part.vectors)) % len(fillings)
        near = ((part.vectors >= low) & (part.vectors <= high)).all(axis=1)
        for number, sums_of in enumerate(fillings):
            chosen = np.flatnonzero(near & (struck == number))
            if not len(chosen):
                continue
            rows = np.flatnonzero(np.isin(part.games.game, chosen))
            shape = len(chosen), len(design.protocol.fillings[number])
            totals = part.games.total[rows].reshape(shape).astype(float)
            left = part.games.left[rows].reshape(shape).astype(float)
            vectors.append(part.vectors[chosen])
            filling.append(np.full(len(chosen), number))
            sums.append(sums_of.of_hits(totals, left, conditions))
    if not vectors:
        return None
    together = np.concatenate(vectors)
    emulator = Emulator.learned(
        together, np.concatenate(filling), np.concatenate(sums), len(fillings)
    )
    if emulator is None:
        return None

    def density(points: Reals) -> Reals:
        log = design.log_prior(points)
        possible = np.isfinite(log) & ((points >= low) & (points <= high)).all(axis=1)
        log[~possible] = -np.inf
        if possible.any():
            log[possible] += emulator.log_likelihood(points[possible], observed)
        return log

    candidates = together[:: max(1, len(together) // _CANDIDATES)]
    return sample_chain(density, candidates, seed=seed, most_steps=_STEPS)
