"""The second opinion against a law of one hit whose posterior is known."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest

from rocktower.calibration.fitting import Likelihood, Prior, made_up_record, record_protocol
from rocktower.calibration.fitting._chain import sample_chain
from rocktower.calibration.fitting._design import Design
from rocktower.calibration.fitting._fit import log_density
from rocktower.calibration.fitting._games import Games
from rocktower.calibration.fitting._opinion import AGREE, FillingSums, second_opinion
from rocktower.calibration.fitting._rounds import Round
from tests.calibration.fitting.helpers import record_of, row

MOST = 8
TURNS, HITS, FILLINGS = 3, 5, 6
WAYS = np.array([[comb(n, k) for k in range(MOST + 1)] for n in range(MOST + 1)], dtype=float)


def evening():
    """Six fillings of three turns; the other striker has the second turn."""
    lines = []
    for filling in range(1, FILLINGS + 1):
        for hit in range(TURNS * HITS):
            turn = hit // HITS + 1
            added = "all" if hit % HITS == 0 else ""
            striker = "Bo" if turn == 2 else "Anna"
            lines.append(row(turn, hit + 1, 0, added=added, striker=striker, filling=filling))
    return record_of(*lines)


def chance(setups):
    """Each of at most eight boulders leaves alone, by speed, friction and outlet."""
    score = 1.5 * setups[..., 3] - setups[..., 0] + 3.0 * (setups[..., 1] + 3.7) - 2.5
    return 1.0 / (1.0 + np.exp(-score))


class Law:
    def chances(self, features, left, condition, setups):
        p = chance(setups)[:, condition, None]
        most, k = np.minimum(left, MOST)[:, None], np.arange(MOST + 1)
        found = np.zeros((len(setups), len(left), 45))
        found[..., : MOST + 1] = WAYS[most, k] * p**k * (1.0 - p) ** np.maximum(most - k, 0)
        return found


def play(design, vectors, fillings, rng):
    """Boulders of each game, hit by hit, shape (n, hits), and what was left before."""
    setups = design.setups(vectors)
    totals = np.zeros((len(vectors), TURNS * HITS), dtype=int)
    left = totals.copy()
    for hit in range(TURNS * HITS):
        before = left[:, hit - 1] - totals[:, hit - 1] if hit % HITS else 44
        left[:, hit] = before
        condition = np.array([design.protocol.fillings[f][hit].condition for f in fillings])
        p = chance(setups[np.arange(len(vectors)), condition])
        totals[:, hit] = rng.binomial(np.minimum(left[:, hit], MOST), p)
    return totals, left


def games_of(totals, left):
    n = totals.size
    none = np.zeros((n, 4), dtype=int)
    game = np.repeat(np.arange(len(totals)), totals.shape[1])
    return Games(
        game, np.zeros((n, 1)), np.zeros((n, 5)), left.ravel(), totals.ravel(), none, none, none
    )


@pytest.fixture(scope="module")
def known():
    """A record, the posterior that the law itself gives, and rounds of the law's games."""
    rng = np.random.default_rng(3)
    empty = evening()
    design = Design(record_protocol(empty), Prior.load())
    truth = np.array([[-1.1, -3.65, 1.0, 0.9, 0.2, 0.3]])
    fillings = np.arange(FILLINGS)
    totals, left = play(design, np.repeat(truth, FILLINGS, axis=0), fillings, rng)
    record = made_up_record(empty, totals.ravel(), "made up")
    candidates = design.sample_prior(400, rng)
    exact = sample_chain(
        log_density(design, Likelihood(record), Law()), candidates, seed=1, most_steps=500
    )
    vectors = exact.draws[rng.integers(len(exact.draws), size=3000)]  # a normal budget's worth
    vectors = vectors + rng.normal(0.0, 0.5, vectors.shape) * exact.draws.std(axis=0)
    vectors = vectors[np.isfinite(design.log_prior(vectors))]
    played = play(design, vectors, np.arange(len(vectors)) % FILLINGS, rng)
    return record, design, exact, [Round(vectors, games_of(*played))], (totals, left)


def test_a_record_is_summed_up_as_games_are(known):
    record, design, _, _, (totals, left) = known
    fillings, sums = FillingSums.of_record(record, design)
    again = [
        of.of_hits(totals[k : k + 1].astype(float), left[k : k + 1].astype(float), 2)[0]
        for k, of in enumerate(fillings)
    ]
    assert np.sum(again, axis=0) == pytest.approx(sums)
    assert sums[:2].sum() == totals.sum()  # by condition
    assert sums[2:4].sum() == (totals == 0).sum()
    assert sums[4:12:2].sum() == totals.sum()  # by boulders left


def test_what_is_not_known_is_not_summed_up():
    record = record_of(
        row(1, 1, "2+", added="all"), row(1, 2, 6, hits=3), row(1, 5, 7, flag="miss"),
        row(2, 6, 3, added="all"), row(2, 7, 0),
    )  # fmt: skip
    design = Design(record_protocol(record), Prior.load())
    fillings, sums = FillingSums.of_record(record, design)
    totals = np.array([[40, 1, 2, 3, 7, 3, 0]], dtype=float)
    left = np.array([[44, 4, 3, 1, 40, 44, 41]], dtype=float)
    assert fillings[0].of_hits(totals, left, 1)[0] == pytest.approx(sums)
    assert sums[0] == 9.0  # 6 by three hits, then 3 and 0
    assert sums[1] == 1.0


def test_it_agrees_where_the_fit_is_right(known):
    record, design, exact, rounds, _ = known
    opinion = second_opinion(record, design, rounds, exact, seed=2)
    deviation = exact.draws.std(axis=0)
    apart = (opinion.draws.mean(axis=0) - exact.draws.mean(axis=0)) / deviation
    assert np.abs(apart).max() < AGREE
    # It says as much of the speeds as the law itself does, but for what sums lose.
    assert opinion.draws.std(axis=0) == pytest.approx(deviation, rel=0.35)
    again = second_opinion(record, design, rounds, exact, seed=2)
    assert (again.draws == opinion.draws).all()


def test_it_disagrees_where_the_fit_is_wrong(known):
    """A fit that is off by two deviations of the speed of the second striker."""
    record, design, exact, rounds, _ = known
    wrong = exact.draws.copy()
    deviation = wrong.std(axis=0)
    wrong[:, 5] += 2.0 * deviation[5]
    opinion = second_opinion(record, design, rounds, replace(exact, draws=wrong), seed=2)
    apart = (opinion.draws.mean(axis=0) - wrong.mean(axis=0)) / deviation
    assert apart[5] < -1.5


def test_without_games_there_is_none(known):
    record, design, exact, rounds, _ = known
    assert second_opinion(record, design, [], exact, seed=1) is None
    part = rounds[0]
    few = Round(part.vectors[:40], part.games.where(part.games.game < 40))
    assert second_opinion(record, design, [few], exact, seed=1) is None


def test_rows_that_tell_little_still_give_an_opinion(known):
    """Of a record in which only turns were counted, sums tell fewer things than there are."""
    _, design, exact, rounds, (totals, _) = known
    lines = [
        row(turn, 1 + (turn - 1) * HITS, int(of[(turn - 1) * HITS : turn * HITS].sum()), hits=HITS,
            added="all", filling=filling, striker="Bo" if turn == 2 else "Anna")
        for filling, of in enumerate(totals, 1)
        for turn in range(1, TURNS + 1)
    ]  # fmt: skip
    record = record_of(*lines)
    assert len(record_protocol(record).fillings) == FILLINGS
    opinion = second_opinion(record, design, rounds, exact, seed=2)
    assert np.isfinite(opinion.draws).all()
    apart = (opinion.draws.mean(axis=0) - exact.draws.mean(axis=0)) / exact.draws.std(axis=0)
    assert np.abs(apart).max() < 1.5
    assert (opinion.draws.std(axis=0) < 2.5 * exact.draws.std(axis=0)).all()
