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
    # A height is chosen freely, so it says nothing of what a hand calls firm.
    firm = drawn[:, 5] + drawn[:, 3]
    assert firm.min() > np.log(0.6)
    assert firm.max() < np.log(4.0)
    assert firm.mean() == pytest.approx(np.log(0.6 * 4.0) / 2, abs=0.05)
    speeds = design.setups(drawn)[:, :, 3]
    assert speeds[:, 1] - speeds[:, 0] == pytest.approx(np.log(2.0))
    outside = drawn[0].copy()
    outside[0] = 0.0
    assert design.log_prior(outside)[0] == -np.inf


DROPS = (
    row(1, 1, 3, added="all", striker="A", drop="20"), row(1, 2, 3, striker="B", strength="firm"),
    row(1, 3, 3, striker="B", strength="gentle"), row(1, 4, 3, striker="A", strength="normal"),
)  # fmt: skip
HANDS = (
    row(1, 1, 3, added="all", striker="A", strength="firm"), row(1, 2, 3, striker="B"),
    row(1, 3, 3, striker="B", drop="5"), row(1, 4, 3, striker="A", strength="gentle"),
)  # fmt: skip


@pytest.mark.parametrize("rows", [DROPS, HANDS])
def test_the_prior_s_density_is_that_of_its_draws(rows):
    """Against even draws from a box that are weighted with the density."""
    design, rng = design_of(*rows), np.random.default_rng(4)
    drawn = design.sample_prior(40_000, rng)
    margin = 0.05 * np.ptp(drawn, axis=0)
    box = rng.uniform(drawn.min(axis=0) - margin, drawn.max(axis=0) + margin, (400_000, 8))
    # All that does not concern the speeds is even, and drawn alike: it cancels out.
    density = np.exp(design.log_prior(np.concatenate([drawn[:1, :3].repeat(len(box), 0),
        box[:, 3:4], drawn[:1, 4:5].repeat(len(box), 0), box[:, 5:]], axis=1)))  # fmt: skip
    weight = density / density.sum()
    worth = 1.0 / (weight**2).sum()
    assert worth > 1000
    for column in (3, 5, 6, 7):
        for value in np.quantile(drawn[:, column], (0.05, 0.2, 0.5, 0.8, 0.95)):
            share = (drawn[:, column] < value).mean()
            expected = (weight * (box[:, column] < value)).sum()
            error = np.sqrt(share * (1.0 - share) * (1.0 / len(drawn) + 1.0 / worth))
            assert abs(share - expected) < 6.0 * error  # 40 comparisons: 1e-7 together
    speeds = drawn[:, [3, 5, 6, 7]] + [[0.0, 1.0, 1.0, 1.0]] * drawn[:, 3:4]
    for one, other in ((0, 1), (1, 2), (2, 3)):
        both = (box[:, 3] + (one > 0) * box[:, 4 + one], box[:, 3] + box[:, 4 + other])
        less = speeds[:, one] < speeds[:, other]
        expected = (weight * (both[0] < both[1])).sum()
        assert abs(less.mean() - expected) < 6.0 * np.sqrt(0.25 / len(drawn) + 0.25 / worth)


def test_what_words_mean_is_taken_from_the_first_hand():
    """Also where a hammer was dropped before: the same person strikes firm 1.4 times as hard."""
    drawn = design_of(*DROPS).sample_prior(4000, np.random.default_rng(1))
    ratio = drawn[:, 6] - drawn[:, 5]  # gentle over firm, both of B
    assert ratio.std() == pytest.approx(np.hypot(0.3, 0.2), abs=0.06)  # a little is cut off
    assert ratio.mean() < -0.5


def test_a_height_beyond_the_prior_is_named():
    for drop, told in (("0.3", "0.24 m/s"), ("0.01", "0.044 m/s")):
        design = design_of(row(1, 1, 3, added="all", drop=drop))
        with pytest.raises(
            RocktowerError, match=rf"drop_cm {drop}.* {told}, far outside .* 0.6 to 4"
        ):
            design.sample_prior(10, np.random.default_rng(1))


def test_a_height_a_little_beyond_the_prior_is_followed():
    design = design_of(row(1, 1, 3, added="all", drop="150"))
    drawn = design.sample_prior(2000, np.random.default_rng(1))
    assert np.exp(drawn[:, 3]).mean() == pytest.approx(np.sqrt(2 * 9.81 * 1.5), rel=0.03)


def test_an_interruption_is_quiet(capsys):
    """And reaches the caller."""

    def interrupted(points):
        if len(points) < 300:  # when the walkers walk
            raise KeyboardInterrupt
        return gaussian(points)

    with pytest.raises(KeyboardInterrupt):
        sample_chain(interrupted, candidates(), seed=1)
    assert capsys.readouterr() == ("", "")


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


def test_bounds_are_held_against_replays_at_both_ends():
    """Who notes only that something fell out does not strike an impossible tower."""
    replays = np.random.default_rng(1).integers(0, 6, (500, 6))
    seen = Seen.of_record(record_of(
        row(1, 1, "1+", added="all"), row(1, 2, 0), row(1, 3, "1+"), row(1, 4, "2+"),
        row(1, 5, "0+"), row(1, 6, "1+"),
    ))  # fmt: skip
    checks = {c.name: c for c in check(seen, replays)}
    assert (
        checks["share of empty hits"].observed == checks["share of empty hits"].observed_to == 0.2
    )
    assert checks["boulders a hit"].observed == 1.0
    assert checks["boulders a hit"].observed_to > 30.0
    assert checks["boulders a hit"].seen.startswith("1 to 3")
    assert min(c.p for c in checks.values()) > 0.05
    empty = Seen.of_record(record_of(row(1, 1, 0, added="all"), row(1, 2, 0), row(1, 3, "9+")))
    odd = {c.name: c.p for c in check(empty, replays[:, :3])}
    assert odd["boulders a hit"] > 0.05
    assert odd["share of hits with 6 boulders or more"] < 0.005


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
