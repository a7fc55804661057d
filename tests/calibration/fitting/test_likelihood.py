"""The likelihood against sums that are written out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rocktower.calibration.fitting import (
    History,
    HitNetwork,
    Likelihood,
    NetworkHit,
    network_for,
)
from tests.calibration.fitting.helpers import Binomial, few, record_of, row

LAW = Binomial()
SETUPS = np.array([[[-1.0, -3.7, 1.0, speed, 0.2]] for speed in (0.2, 0.9)])


def likelihoods(record, one_hit=LAW, setups=SETUPS):
    return np.exp(Likelihood(record)(one_hit, setups))


def written_out(totals, speed, left=44):
    value = 1.0
    for total in totals:
        value *= LAW.one(left, total, speed)
        left -= total
    return value


def test_hits_that_are_known_multiply():
    assert likelihoods(few(2, 0, 3)) == pytest.approx(
        [written_out((2, 0, 3), speed) for speed in (0.2, 0.9)]
    )


def test_what_goes_back_in_counts():
    found = likelihoods(few(4, 5, 1, turns=(3,)))[0]
    assert found == pytest.approx(written_out((4, 5), 0.2) * LAW.one(44, 1, 0.2))


@pytest.mark.parametrize("total", [0, 3, 7])
def test_a_row_of_several_hits_is_the_sum_over_them(total):
    coarse = record_of(row(1, 1, 2, added="all"), row(1, 2, total, hits=3))
    paths = [t for t in product(range(6), repeat=3) if sum(t) == total]
    assert likelihoods(coarse)[1] == pytest.approx(sum(likelihoods(few(2, *t))[1] for t in paths))


def test_bounds_are_summed_up_as_far_as_they_reach():
    """Two hits of at least three together; then one of two from a tower that is not known."""
    record = record_of(row(1, 1, "3+", hits=2, added="all"), row(1, 3, 2))
    paths = [t for t in product(range(6), repeat=2) if sum(t) >= 3]
    expected = sum(written_out((*t, 2), 0.2) for t in paths)
    assert likelihoods(record)[0] == pytest.approx(expected)


def test_a_long_stretch_of_bounds_is_the_sum_over_all():
    """Far below what a number can hold; against a filter over boulders left that is written out."""
    rows = [row(1, 1, "1+", added="all")]
    for hit in range(2, 181):
        turn, begins = divmod(hit - 1, 5)
        added = "3" if begins == 0 and hit > 21 else ""
        rows.append(row(1 + turn, hit, "0+" if hit % 3 else "1+", added=added))
    for speed, found in zip((0.2, 0.9), Likelihood(record_of(*rows))(LAW, SETUPS), strict=True):
        now, log = np.eye(45)[44], 0.0
        for hit in range(1, 181):
            if hit > 21 and hit % 5 == 1:
                now = np.concatenate([np.zeros(3), now[:-3]])
            after = np.zeros(45)
            for left in range(45):
                for total in range(0 if hit > 1 and hit % 3 else 1, min(left, 5) + 1):
                    after[left - total] += now[left] * LAW.one(left, total, speed)
            log += np.log(after.sum())
            now = after / after.sum()
        assert log < np.log(1e-12)
        assert found == pytest.approx(log)


def test_several_unknown_hits_of_the_network_are_the_sum_over_them(network):
    """Against every way in which three hits can make a total, one after the other."""
    setups = np.array([[[-0.9, -3.7, 1.0, 0.3, 0.2]]])
    coarse = record_of(row(1, 1, 7, added="all"), row(1, 2, 4, hits=3), row(2, 5, 2, added="all"))
    expected = 0.0
    first = History.filled(np.array([44.0])).after(7.0)
    for totals in product(range(5), repeat=3):
        if sum(totals) != 4:
            continue
        chance, out = 1.0, 0
        for number, total in enumerate(totals):
            history = first.after(float(out), number) if number else first
            chance *= network.totals(history.features(), setups[0], [37 - out])[0, total]
            out += total
        expected += chance
    ends = [
        network.totals(history.features(), setups[0], [44])[0, total]
        for history, total in (
            (History.filled(np.array([44.0])), 7),
            (first.after(4.0, 3).new_turn(11.0), 2),
        )
    ]
    found = likelihoods(coarse, NetworkHit(network), setups)[0]
    assert found == pytest.approx(expected * ends[0] * ends[1], rel=1e-4)


def test_rows_at_the_end_that_say_nothing_take_no_part():
    record = record_of(row(1, 1, "2+", added="all"), row(1, 2, "0+", hits=30), row(1, 32, "0+"))
    (stretch,) = Likelihood(record).stretches
    assert len(stretch.rows) == 1
    assert not Likelihood(record_of(row(1, 1, "0+", added="all", hits=20))).stretches


def test_the_unknown_ends_where_all_goes_back_in():
    record = record_of(row(1, 1, "0+", added="all"), row(2, 2, 4, added="all"))
    assert likelihoods(record)[0] == pytest.approx(LAW.one(44, 4, 0.2))


def test_a_flagged_row_is_followed_but_does_not_count():
    record = record_of(row(1, 1, 3, added="all", flag="spill"), row(1, 2, 2))
    assert likelihoods(record)[0] == pytest.approx(LAW.one(41, 2, 0.2))


def test_strikers_have_their_own_speeds():
    record = record_of(row(1, 1, 3, added="all", striker="A"), row(1, 2, 2, striker="B"))
    setups = np.concatenate([SETUPS[:1], SETUPS[1:]], axis=1)  # A slow, B fast
    found = likelihoods(record, setups=setups)[0]
    assert found == pytest.approx(LAW.one(44, 3, 0.2) * LAW.one(41, 2, 0.9))


@pytest.fixture(scope="module")
def network(model) -> HitNetwork:
    shipped = network_for(model)
    assert shipped is not None
    return shipped


def test_the_network_agrees_with_its_own_chances(network):
    """The fast way through the classes is the slow way through all totals."""

    class Slow:
        def chances(self, *arguments):
            return NetworkHit(network).chances(*arguments)

    record, setups = few(3, 0, 25, 1), np.array([[[-0.9, -3.7, 1.0, 0.7, 0.2]]])
    fast = likelihoods(record, NetworkHit(network), setups)
    assert fast == pytest.approx(likelihoods(record, Slow(), setups), rel=1e-5)
    assert fast[0] > 0.0


def test_a_coarse_row_of_one_hit_is_a_fine_one(network):
    setups = np.array([[[-0.9, -3.7, 1.0, 0.7, 0.2]]])
    bounded = record_of(row(1, 1, "0+", added="all"))
    assert likelihoods(bounded, NetworkHit(network), setups)[0] == pytest.approx(1.0, rel=1e-5)
