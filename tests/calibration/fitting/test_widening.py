"""How much wider intervals are made: what was measured, where it is used, how it is measured."""

from __future__ import annotations

import numpy as np
import pytest

from rocktower.calibration.fitting import (
    Likelihood,
    Measured,
    NetworkHit,
    Prior,
    Widening,
    decode_measured,
    encode_measured,
    network_for,
    record_protocol,
)
from rocktower.calibration.fitting._design import Design
from rocktower.calibration.fitting._fit import log_density
from rocktower.calibration.fitting._sbc import POWERS, SbcResults, _resampled, judge
from rocktower.errors import RocktowerError
from tests.calibration.fitting.helpers import few

HUNDRED = Measured(
    "quick", "abc", 100, 200, 0.7, 0.6, 0.8, 0.8, 0.9, "inferred", "a test", "pytest", "2026-11-30"
)
MANY = Measured(
    "quick", "abc", 400, 200, 0.5, 0.4, 0.6, 0.7, 0.9, "inferred", "a test", "pytest", "2026-11-30"
)


def test_the_packaged_file_suits_the_shipped_network(model):
    """Whoever trains a new network measures its widening again, or has none."""
    from importlib.resources import files

    text = files("rocktower.calibration.fitting").joinpath("data/widening.toml").read_text("utf-8")
    network = network_for(model)
    assert network is not None
    for one in decode_measured(text):
        assert one.network == network.hash


def test_what_is_written_is_read():
    text = encode_measured((HUNDRED, MANY))
    assert decode_measured(text) == (HUNDRED, MANY)
    assert decode_measured("") == ()
    with pytest.raises(RocktowerError, match=r"w.toml: .*unknown field `width`"):
        decode_measured(text.replace("power", "width"), "w.toml")
    with pytest.raises(RocktowerError, match=r"power 1.7, .* must be 0 < low_95 <= power"):
        decode_measured(text.replace("power = 0.7", "power = 1.7"))
    with pytest.raises(RocktowerError, match=r"Invalid enum value 'huge' - at `.*budget`"):
        decode_measured(text.replace("quick", "huge"))
    with pytest.raises(RocktowerError, match=r"hits 0: records have one at least"):
        decode_measured(text.replace("hits = 100", "hits = 0"))


@pytest.mark.parametrize(
    ("budget", "network", "hits", "power"),
    [
        ("quick", "abc", 30, 0.7),
        ("quick", "abc", 190, 0.7),
        ("quick", "abc", 210, 0.5),  # nearer to 400 than to 100 as a ratio
        ("quick", "another", 100, 1.0),
        ("quick", None, 100, 1.0),
        ("normal", "abc", 100, 1.0),
    ],
)
def test_the_nearest_measurement_of_such_fits_counts(budget, network, hits, power):
    found = Widening.of(budget, network, hits, (HUNDRED, MANY))
    assert found.power == power
    told = found.told(hits)
    assert ("not widened" in told) is (power == 1.0)
    if power == 0.7:
        assert "200 simulated owners of 100 hits each held 80 % of the truths" in told
        assert "power 0.70 (0.60 to 0.80), as here, 90 %" in told
        assert ("For a record as long as this one (30) it was not measured" in told) is (hits == 30)


def test_the_power_flattens_the_likelihood_alone(model):
    record, network = few(3, 0, 2, 4), network_for(model)
    design = Design(record_protocol(record), Prior.load())
    points = design.sample_prior(50, np.random.default_rng(1))
    likelihood, hit = Likelihood(record), NetworkHit(network)
    log = likelihood(hit, design.setups(points))
    found = log_density(design, likelihood, hit, 0.6)(points)
    assert found == pytest.approx(design.log_prior(points) + 0.6 * log, rel=1e-5)


def test_a_flat_chain_is_weighted_up():
    """Draws with half of the likelihood, weighted, are as wide as those with all of it."""
    rng = np.random.default_rng(1)
    draws = rng.normal(0.0, np.sqrt(2.0), (20_000, 1))
    again = _resampled(draws, 0.5 * (-0.5 * draws[:, 0] ** 2), rng)
    assert again.std() == pytest.approx(1.0, abs=0.03)
    assert again.mean() == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize("honest", [1.0, 0.7, 0.5])
def test_the_power_that_holds_the_truth_is_found(honest):
    """Posteriors whose likelihood is to be raised to a power that is known."""
    design = Design(record_protocol(few(3, 1)), Prior.load())
    rng = np.random.default_rng(5)
    scale = design.sample_prior(1000, rng).std(axis=0)
    runs = []
    for _ in range(400):
        truth = rng.normal(size=5) * scale
        # Right with the power `honest`, hence too narrow with 1.
        mean = truth + rng.normal(0.0, 0.1, 5) * scale
        draws = {
            power: mean + rng.normal(0.0, 0.1 * np.sqrt(honest / power), (400, 5)) * scale
            for power in POWERS
        }
        runs.append(judge(design, truth, draws, 1.0, rng))
    found = SbcResults(tuple(runs)).summary["widening"]
    assert found["low_95"] - 0.05 <= honest <= found["high_95"] + 0.05
    assert found["power"] == pytest.approx(honest, abs=0.1)
