"""The network of one hit: its file, its legality, its draws, its colors, its training."""

from __future__ import annotations

import io
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from rocktower.calibration.fitting import (
    History,
    HitNetwork,
    color_weights,
    draw_colors,
    network_for,
)
from rocktower.calibration.fitting import fresh_after as follow_fresh
from rocktower.calibration.fitting._colors import color_log_probability
from rocktower.calibration.fitting._games import Games
from rocktower.calibration.fitting._training import color_weight, log_loss, score, train
from rocktower.errors import RocktowerError

FALSE_ALARM = 1e-6
SETUP = np.array([[-0.9, -3.7, 1.0, 0.7, 0.2]])


@pytest.fixture(scope="module")
def network(model) -> HitNetwork:
    shipped = network_for(model)
    assert shipped is not None
    return shipped


def chances(network, left):
    features = History.filled(np.array(left, dtype=float)).features()
    return network.totals(features, np.repeat(SETUP, len(left), axis=0), np.array(left))


def test_no_hit_has_more_boulders_than_are_inside(network):
    left = np.arange(1, 45)
    found = chances(network, left)
    assert found.sum(axis=1) == pytest.approx(1.0)
    assert not found[np.arange(45)[None, :] > left[:, None]].any()
    assert (found[:, 0] > 0).all()


def test_the_shipped_network_knows_what_a_strike_does(network):
    """Harder strikes give more, and a full tower is rarely empty-handed."""
    soft, hard = SETUP.copy(), SETUP.copy()
    soft[0, 3], hard[0, 3] = np.log(0.6), np.log(3.5)
    features = History.filled(44.0).features()
    mean = [(network.totals(features, s, [44])[0] * np.arange(45)).sum() for s in (soft, hard)]
    assert mean[0] < 1.0 < 4.0 < mean[1]


def test_draws_follow_the_chances(network):
    n, left = 20_000, 30
    features = np.repeat(History.filled(float(left)).features(), n, axis=0)
    rng = np.random.default_rng(5)
    drawn = network.draw(features, np.repeat(SETUP, n, axis=0), np.full(n, left), rng)
    chance = chances(network, [left])[0]
    expected = chance / chance.sum() * n  # single precision adds up to 1 but nearly
    often = expected > 10
    observed = np.bincount(drawn, minlength=45)
    cells = [*observed[often], observed[~often].sum()]
    wanted = [*expected[often], expected[~often].sum()]
    assert chisquare(cells, wanted).pvalue > FALSE_ALARM


def test_the_file_holds_all_of_it(network, tmp_path):
    network.save(tmp_path / "net.npz")
    again = HitNetwork.load(tmp_path / "net.npz")
    assert again.note == network.note
    assert (chances(again, [44, 3]) == chances(network, [44, 3])).all()
    assert again.encode() == network.encode()


def test_another_file_is_refused(network, tmp_path):
    with pytest.raises(RocktowerError, match="cannot be read"):
        HitNetwork.load(tmp_path / "none.npz")
    with pytest.raises(RocktowerError, match="not a network"):
        HitNetwork.decode(b"no zip", "x.npz")
    content = io.BytesIO()
    np.savez(content, format=np.array("rocktower-hit-network/2"))
    with pytest.raises(RocktowerError, match=r"x.npz: format 'rocktower-hit-network/2'; this"):
        HitNetwork.decode(content.getvalue(), "x.npz")
    content = io.BytesIO()
    np.savez(content, format=np.array("rocktower-hit-network/1"))
    with pytest.raises(RocktowerError, match="damaged"):
        HitNetwork.decode(content.getvalue(), "x.npz")
    content = io.BytesIO()
    np.savez(content, format=np.array([{}], dtype=object))  # a pickle
    with pytest.raises(RocktowerError, match="not a network"):
        HitNetwork.decode(content.getvalue(), "x.npz")


def test_another_tower_has_no_shipped_network(model):
    from dataclasses import replace

    wider = replace(model, geometry=replace(model.geometry, inner_width=0.1))
    assert network_for(wider) is None
    wide_outlet = replace(model, geometry=replace(model.geometry, outlet_width=0.03))
    assert network_for(wide_outlet) is not None  # the outlet is fitted


def test_colors_with_one_weight_are_drawn_evenly():
    inside = np.array([[3, 2, 4, 1]])
    for out in product(range(4), range(3), range(5), range(2)):
        ways = np.prod([comb(n, k) for n, k in zip(inside[0], out, strict=True)])
        found = color_log_probability(np.array([out]), inside, np.ones((1, 4)))
        assert np.exp(found[0]) == pytest.approx(ways / comb(10, sum(out)))


def test_colors_are_drawn_as_likely_as_they_are():
    n, weights = 20_000, np.array([[1.0, 0.2, 0.5, 1.0]])
    inside = np.array([[3, 2, 4, 1]])
    drawn = draw_colors(
        np.full(n, 3), np.repeat(inside, n, axis=0), np.repeat(weights, n, axis=0),
        np.random.default_rng(3),
    )  # fmt: skip
    assert (drawn.sum(axis=1) == 3).all()
    kinds, counts = np.unique(drawn, axis=0, return_counts=True)
    size = len(kinds)
    chance = np.exp(
        color_log_probability(kinds, np.repeat(inside, size, axis=0),
                              np.repeat(weights, size, axis=0))
    )  # fmt: skip
    assert chance.sum() == pytest.approx(1.0)
    assert chisquare(counts, chance / chance.sum() * n).pvalue > FALSE_ALARM


def test_what_went_in_last_stays_longer():
    inside, fresh = np.array([[4.0, 4.0, 0.0, 0.0]]), np.array([[4.0, 0.0, 0.0, 0.0]])
    assert color_weights(inside, fresh, 0.25).tolist() == [[0.25, 1.0, 1.0, 1.0]]
    mixed = np.array([[8.0, 0.0, 0.0, 0.0]])
    left = follow_fresh(mixed, fresh, np.array([[4.0, 0.0, 0.0, 0.0]]), 0.2)
    assert 3.0 < left[0, 0] < 4.0


def made_up(rng, games=300, hits=8) -> Games:
    """Games of a law that is known: the faster the strike, the more comes out."""
    parts = []
    for game in range(games):
        setup = np.array([rng.uniform(-1.6, -0.4), -3.7, rng.uniform(0, 2), 0.0, 0.2])
        history, rows = History.filled(44.0), []
        for _ in range(hits):
            speed = rng.normal(0.5, 0.5)
            left = int(history.left[0])
            total = int(rng.binomial(min(left, 8), 1.0 / (1.0 + np.exp(1.0 - 2.0 * speed))))
            out = np.array([total, 0, 0, 0])
            rows.append((history.features(1.0)[0], [*setup[:3], speed, 0.2], left, total, out))
            history = history.after(float(total))
        features, parameters, left, total, out = map(np.array, zip(*rows, strict=True))
        inside = np.stack([left, 0 * left, 0 * left, 0 * left], axis=1)
        parts.append(
            Games(np.full(hits, game), features, parameters, left, total, 0 * inside,
                  np.minimum(inside, 11), np.minimum(out, 11))
        )  # fmt: skip
    return Games.joined(parts)


def test_training_learns_and_going_on_does_no_harm():
    rng = np.random.default_rng(1)
    games, apart = made_up(rng), made_up(rng, 60)
    network = train(games, seed=1)
    scores = score(network, apart, games)
    speed = apart.parameters[:, 3]
    p, most = 1.0 / (1.0 + np.exp(1.0 - 2.0 * speed)), np.minimum(apart.left, 8)
    ways = np.array([comb(int(m), int(k)) for m, k in zip(most, apart.total, strict=True)])
    law = float(-np.log(ways * p**apart.total * (1 - p) ** (most - apart.total)).mean())
    assert law < scores.network < law + 0.15 < scores.constant
    assert train(games, seed=1).encode() == network.encode()
    further = train(made_up(rng, 60), seed=2, start=network)
    assert log_loss(further, apart) < scores.network + 0.05
    assert color_weight(games) == 1.0  # no later turns: nothing to learn it from
