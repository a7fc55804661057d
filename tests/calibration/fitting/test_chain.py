"""The chain against posteriors that are known, the prior it starts from, and what is made of it."""

from __future__ import annotations

import numpy as np
import pytest

from rocktower.calibration.fitting import Prior, record_protocol
from rocktower.calibration.fitting._chain import sample_chain
from rocktower.calibration.fitting._design import Design
from rocktower.calibration.fitting._predict import Seen, check
from rocktower.calibration.fitting._sbc import POWERS, SbcResults, judge
from rocktower.errors import RocktowerError
from tests.calibration.fitting.helpers import few, record_of, row

MEAN = np.array([1.0, -2.0])
SPREAD = np.array([[1.0, 0.8], [0.8, 1.0]])


def gaussian(points):
    apart = points - MEAN
    return -0.5 * np.einsum("ni,ij,nj->n", apart, np.linalg.inv(SPREAD), apart)


def candidates(seed=0):
    return np.random.default_rng(seed).uniform(-6.0, 6.0, (300, 2))


def test_a_known_posterior_is_found():
    chain = sample_chain(gaussian, candidates(), seed=1, most_steps=2000)
    # Worth so many draws, the mean is this sure; five deviations: a false alarm in 1.7 million.
    error = 1.0 / np.sqrt(chain.effective)
    assert np.abs(chain.draws.mean(axis=0) - MEAN).max() < 5.0 * error
    assert np.corrcoef(chain.draws.T)[0, 1] == pytest.approx(0.8, abs=0.1)
    assert chain.draws.std(axis=0) == pytest.approx(1.0, abs=0.15)
    assert chain.is_good
    assert 0.1 < chain.acceptance < 0.9


def test_the_same_seed_gives_the_same_draws():
    one, two = (sample_chain(gaussian, candidates(), seed=4, most_steps=250) for _ in range(2))
    assert (one.draws == two.draws).all()
    other = sample_chain(gaussian, candidates(), seed=5, most_steps=250)
    assert (one.draws != other.draws).any()


def test_a_chain_that_is_too_short_says_so():
    far = np.random.default_rng(0).uniform(-1.0, 1.0, (300, 2)) * 1e-3 + 50.0
    assert not sample_chain(gaussian, far, seed=1, most_steps=20).is_good


def test_nothing_possible_is_an_error():
    with pytest.raises(RocktowerError, match="no setup that the prior allows"):
        sample_chain(lambda points: np.full(len(points), -np.inf), candidates(), seed=1)


def design_of(*rows):
    return Design(record_protocol(record_of(*rows)), Prior.load())


def test_the_prior_draws_what_it_allows():
    design = design_of(
        row(1, 1, 3, added="all", striker="A", drop="20"),
        row(1, 2, 3, striker="A", drop="80"),
        row(1, 3, 3, striker="B", strength="firm"),
    )
    assert design.names[-1] == "speed of B, firm"
    drawn = design.sample_prior(4000, np.random.default_rng(1))
    assert np.isfinite(design.log_prior(drawn)).all()
    # A drop from 20 cm gives 1.98 m/s, within 10 %.
    assert drawn[:, 3].mean() == pytest.approx(np.log(1.98), abs=0.02)
    assert drawn[:, 3].std() == pytest.approx(0.1, abs=0.01)
    assert drawn[:, 5].mean() == pytest.approx(np.log(1.4), abs=0.05)
    speeds = design.setups(drawn)[:, :, 3]
    assert speeds[:, 1] - speeds[:, 0] == pytest.approx(np.log(2.0))
    outside = drawn[0].copy()
    outside[0] = 0.0
    assert design.log_prior(outside)[0] == -np.inf


def test_grips_are_levels_about_the_fitted_one():
    design = design_of(
        row(1, 1, 3, added="all", held="loose"), row(1, 2, 3, held="held"),
        row(1, 3, 3, held="pressed"), row(1, 4, 3),
    )  # fmt: skip
    vector = np.array([[-1.0, -3.7, 1.4, 0.5, 0.2]])
    assert design.setups(vector)[0, :, 2].tolist() == pytest.approx([0.4, 1.4, 2.0, 1.4])


def test_statistics_are_those_of_the_rows_that_are_known():
    record = record_of(
        row(1, 1, 4, added="all"), row(1, 2, 0), row(1, 3, 0), row(1, 4, 9, hits=2),
        row(2, 6, 1, added="all", flag="miss"), row(2, 7, 2),
    )  # fmt: skip
    seen = Seen.of_record(record)
    assert seen.fine.tolist() == [[4.0, 0.0, 0.0, 2.0]]
    replays = np.random.default_rng(1).integers(0, 6, (200, 7))
    checks = {c.name: c for c in check(seen, replays)}
    assert checks["share of empty hits"].observed == 0.5
    assert checks["boulders a hit"].observed == pytest.approx(15 / 6)
    assert seen.replayed(replays).totals[0, 3] == replays[0, 3:5].sum()
    apart = {c.name: c.observed for c in check(seen, replays, held_out=True)}
    assert apart["longest run of empty hits"] == 2.0
    assert apart["largest hit"] == 4.0


def test_an_unusual_record_is_unusual():
    replays = np.random.default_rng(1).integers(0, 4, (500, 5))
    odd = {c.name: c.p for c in check(Seen.of_record(few(8, 9, 7, 8, 9)), replays)}
    assert odd["boulders a hit"] < 0.005
    usual = {c.name: c.p for c in check(Seen.of_record(few(0, 3, 1, 2, 2)), replays)}
    assert min(usual.values()) > 0.05


@pytest.mark.parametrize(("width", "good"), [(1.0, True), (0.4, False)])
def test_intervals_that_are_too_narrow_are_found(width, good):
    """A posterior that is right holds 90 % in 90 %; a narrow one does not."""
    design, rng = design_of(row(1, 1, 3, added="all")), np.random.default_rng(2)
    scale = design.sample_prior(1000, rng).std(axis=0)
    runs = []
    for _ in range(200):
        truth = rng.normal(0.0, 0.3, 5) * scale
        mean = truth + rng.normal(0.0, 0.3, 5) * scale
        draws = mean + width * rng.normal(0.0, 0.3, (300, 5)) * scale
        runs.append(judge(design, truth, dict.fromkeys(POWERS, draws), 1.0, rng))
    summary = SbcResults(tuple(runs)).summary
    held = [p["coverage"]["90%"][0] for p in summary["parameters"]]
    assert (min(held) > 0.8) is good
    assert (summary["tarp_area"] > -0.03) is good
