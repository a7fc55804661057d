"""Simulation-based calibration: whether intervals hold the truth as often as they say.

The chain is run with a flattened likelihood and weighted up to any power, so that one run also says
how wide intervals would have to be (see `Widening`).
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.calibration.fitting._chain import sample_chain
from rocktower.calibration.fitting._design import Design
from rocktower.calibration.fitting._fit import log_density
from rocktower.calibration.fitting._games import Games, simulate_filling
from rocktower.calibration.fitting._likelihood import Likelihood, NetworkHit
from rocktower.calibration.fitting._predict import play_protocol
from rocktower.calibration.fitting._protocol import record_protocol
from rocktower.calibration.fitting._replay import made_up_record
from rocktower.calibration.fitting._widening import Measured
from rocktower.randomness import Purpose, stream
from rocktower.sampling import run_tasks
from rocktower.statistics import share
from rocktower.tower import Setup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from numpy.typing import NDArray

    from rocktower.calibration.fitting._fit import Task
    from rocktower.calibration.fitting._network import HitNetwork

__all__ = ["POWERS", "SbcResults", "SbcRuns", "judge", "measured", "run_sbc", "sbc_table"]

_STEPS = 1000
_CANDIDATES = 400
_LEVELS = (0.5, 0.9)
_BINS = 10  # of the rank histograms
POWERS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Of the likelihood; chains are run with the first one, the flattest."""

_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class SbcRuns:
    """Made-up records of a task's protocol, and their fits, by number.

    Parameters
    ----------
    physics
        Whether the hits are simulated. If the network makes them itself, likelihood, prior and
        sampling are judged, but not the network.
    power
        Of the likelihood, 0.4 to 1: that of the fits which are judged.
    """

    task: Task
    network: HitNetwork
    physics: bool = False
    power: float = 1.0

    def run(self, number: int) -> bytes:
        """Make up one record from a draw of the prior, fit it, and return ranks as JSON."""
        rng = stream(self.task.seed, Purpose.FIT, 100, number)
        design = Design(record_protocol(self.task.record), self.task.prior)
        truth = design.sample_prior(1, rng)
        totals = self._totals(design, truth, rng)
        record = made_up_record(self.task.record, totals, f"made-up record {number}")
        density = log_density(design, Likelihood(record), NetworkHit(self.network), POWERS[0])
        chain = sample_chain(
            density, design.sample_prior(_CANDIDATES, rng), seed=int(rng.integers(2**31)),
            most_steps=_STEPS,
        )  # fmt: skip
        likelihood = (chain.log_density - design.log_prior(chain.draws)) / POWERS[0]
        draws = {
            power: _resampled(chain.draws, (power - POWERS[0]) * likelihood, rng)
            for power in dict.fromkeys((*POWERS, self.power))
        }
        return json.dumps(judge(design, truth[0], draws, self.power, rng)).encode()

    def _totals(
        self, design: Design, truth: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        if not self.physics:
            return np.asarray(
                play_protocol(self.network, design.protocol, design.setups(truth), rng)[0]
            )
        setups = [Setup.of(values) for values in design.values(truth)[0].tolist()]
        games = [
            simulate_filling(self.task.base, setups, steps, rng)
            for steps in design.protocol.fillings
        ]
        return np.asarray(Games.joined(games).total)


def _resampled(
    draws: NDArray[np.float64], log_weight: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw as many again, each as often as its weight says but for rounding."""
    share = np.exp(log_weight - log_weight.max()).cumsum()
    places = (np.arange(len(draws)) + rng.random()) / len(draws) * share[-1]
    return np.asarray(draws[np.minimum(np.searchsorted(share, places), len(draws) - 1)])


def judge(
    design: Design, truth: NDArray[np.float64], by_power: Mapping[float, NDArray[np.float64]],
    power: float, rng: np.random.Generator,
) -> dict[str, Any]:  # fmt: skip
    """Compare a truth, shape (d,), with draws from a posterior, shape (n, d), as JSON values.

    Parameters
    ----------
    by_power
        Draws with each of `POWERS`, and with that of the fit that is judged.

    Returns
    -------
    dict
        For each number: truth, mean and deviation in coordinates, and rank of the truth from
        0 to 1; `tarp`, the share of draws nearer to a random point than the truth is; and
        `ranks` with each of `POWERS`.
    """
    draws = by_power[power]
    prior = design.sample_prior(1000, rng)
    scale = prior.std(axis=0)
    point = prior[0]
    near = (((draws - point) / scale) ** 2).sum(axis=1)
    true = float((((truth - point) / scale) ** 2).sum())
    return {
        "names": list(design.names),
        "truth": truth.tolist(),
        "mean": draws.mean(axis=0).tolist(),
        "deviation": draws.std(axis=0).tolist(),
        "prior_deviation": scale.tolist(),
        "rank": ((draws < truth).mean(axis=0)).tolist(),
        "tarp": float((near < true).mean()),
        "ranks": [(by_power[flat] < truth).mean(axis=0).tolist() for flat in POWERS],
    }


def run_sbc(
    runs: SbcRuns,
    count: int,
    fingerprint: Mapping[str, Any],
    folder: Path,
    executor: Executor,
    progress: Any = None,
) -> SbcResults:
    """Make up and fit so many records; see `run_tasks` for folder and progress."""
    shards = run_tasks(partial(_run, runs), range(count), fingerprint, folder, executor, progress)
    return SbcResults(tuple(json.loads(shard.read_bytes()) for shard in shards))


def measured(runs: SbcRuns, results: SbcResults, *, command: str, date: str) -> Measured:
    """Return the power with which such fits hold the truth, from hits of the simulated tower.

    Parameters
    ----------
    command, date
        With which it was measured, and the day in ISO form.
    """
    widening = results.summary["widening"]
    held = np.array(list(widening["coverage"].values()))
    before, after = np.interp((1.0, widening["power"]), POWERS, held).tolist()
    return Measured(
        budget="quick",
        network=runs.network.hash,
        hits=runs.task.record.hits,
        owners=len(results.runs),
        power=widening["power"],
        low_95=round(widening["low_95"], 3),
        high_95=round(widening["high_95"], 3),
        coverage_before=round(before, 3),
        coverage_after=round(after, 3),
        provenance="inferred",
        reason="from hits of the simulated tower, by owners who were drawn from the prior",
        command=command,
        date=date,
    )


def _run(runs: SbcRuns, number: int) -> bytes:
    return runs.run(number)


@dataclass(frozen=True, slots=True)
class SbcResults:
    """What `judge` has said of each run."""

    runs: Sequence[dict[str, Any]]

    def column(self, key: str) -> NDArray[np.float64]:
        """Return a quantity of all runs, shape (runs, d)."""
        return np.array([run[key] for run in self.runs])

    @property
    def summary(self) -> dict[str, Any]:
        """Coverage, rank histogram and recovery of each number, as JSON values."""
        ranks, names = self.column("rank"), self.runs[0]["names"]
        truth, mean = self.column("truth"), self.column("mean")
        scale, deviation = self.column("prior_deviation"), self.column("deviation")
        count = len(ranks)
        parameters = []
        for k, name in enumerate(names):
            held = {}
            for level in _LEVELS:
                inside = int((np.abs(ranks[:, k] - 0.5) <= 0.5 * level).sum())
                interval = share(inside, count)
                held[f"{level:.0%}"] = [interval.value, interval.low, interval.high]
            histogram = np.histogram(ranks[:, k], _BINS, (0.0, 1.0))[0]
            parameters.append(
                {
                    "name": name,
                    "coverage": held,
                    "ranks": histogram.tolist(),
                    "error_over_prior": float(
                        np.sqrt((((mean - truth)[:, k] / scale[:, k]) ** 2).mean())
                    ),
                    "deviation_over_prior": float((deviation[:, k] / scale[:, k]).mean()),
                }
            )
        tarp = np.array([run["tarp"] for run in self.runs])
        return {
            "runs": count,
            "parameters": parameters,
            "tarp_area": tarp_area(tarp),
            "tarp_p": _uniform_p(tarp),
            "widening": self._widening(),
        }

    def _widening(self) -> dict[str, Any]:
        """Return the power with which 90 % intervals hold 90 % of the truths, all together."""
        # (runs, powers): share of a run's numbers that lie in their intervals
        inside = (np.abs(self.column("ranks") - 0.5) <= 0.45).mean(axis=2)
        rng = np.random.default_rng(0)
        picks = rng.integers(len(inside), size=(_RESAMPLES, len(inside)))
        drawn = [power_of(held) for held in inside[picks].mean(axis=1)]
        low, high = np.quantile(drawn, (0.025, 0.975))
        power = power_of(inside.mean(axis=0))
        return {
            "power": power,
            "low_95": min(float(low), power),
            "high_95": max(float(high), power),
            "coverage": dict(zip(map(str, POWERS), inside.mean(axis=0).tolist(), strict=True)),
        }

    def lines(self) -> list[str]:
        """Say it for people."""
        summary = self.summary
        lines = [f"{summary['runs']} made-up records of this protocol, from the prior:"]
        for p in summary["parameters"]:
            told = ", ".join(
                f"{level} intervals hold {value:.2f} ({low:.2f} to {high:.2f})"
                for level, (value, low, high) in p["coverage"].items()
            )
            lines.append(
                f"{p['name']}: {told}; error {p['error_over_prior']:.2f} and deviation "
                f"{p['deviation_over_prior']:.2f} of the prior's"
            )
        lines.append(
            f"TARP, all numbers together: area {summary['tarp_area']:+.3f} (0 is good), "
            f"p {summary['tarp_p']:.2g}"
        )
        wide = summary["widening"]
        lines.append(
            f"90 % intervals hold {wide['coverage']['1.0']:.2f} of all numbers; they would hold "
            f"0.90 with the likelihood to the power {wide['power']:.2f} ({wide['low_95']:.2f} to "
            f"{wide['high_95']:.2f})"
        )
        return lines


def power_of(held: NDArray[np.float64], level: float = 0.9) -> float:
    """Return the largest power whose intervals hold enough, from shares at each of `POWERS`.

    The flattest one if none does.

    >>> power_of(np.array([0.99, 0.98, 0.96, 0.92, 0.88, 0.84, 0.8]))
    0.75
    >>> power_of(np.full(7, 0.95)), power_of(np.full(7, 0.5))
    (1.0, 0.4)
    """
    enough = np.flatnonzero(held >= level - 1e-12)
    if not len(enough):
        return POWERS[0]
    last = int(enough[-1])
    if last == len(POWERS) - 1:
        return POWERS[-1]
    part = (held[last] - level) / (held[last] - held[last + 1])
    return round(float(POWERS[last] + part * (POWERS[last + 1] - POWERS[last])), 3)


def _uniform_p(shares: NDArray[np.float64]) -> float:
    """Return the probability that uniform shares are as uneven as these (Kolmogorov-Smirnov)."""
    from scipy.stats import kstest

    return float(kstest(shares, "uniform").pvalue)


def tarp_area(shares: NDArray[np.float64]) -> float:
    """Return the area between expected coverage and credibility: negative if too narrow.

    Tests of Accuracy with Random Points: Lemos et al. 2023, Proc. ICML, arXiv 2302.03026. If the
    posterior is right, the share of draws nearer to a random point than the truth is uniform.

    >>> abs(tarp_area(np.linspace(0.0, 1.0, 101))) < 0.01
    True
    >>> tarp_area(np.array([0.01, 0.02, 0.98, 0.99])) < 0.0
    True
    """
    # Around the middle a posterior that is too narrow has too few shares: judge both halves.
    levels = np.linspace(0.0, 1.0, 101)
    expected = (shares[None, :] <= levels[:, None]).mean(axis=1)
    sign = np.where(levels < 0.5, -1.0, 1.0)
    return float(((expected - levels) * sign).mean())


def sbc_table(results: SbcResults) -> str:
    """Write a row for each run and number, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = ("truth", "mean", "deviation", "prior_deviation", "rank")
    powers = tuple(f"rank_{power}" for power in POWERS)
    writer.writerow(("run", "name", *columns, "tarp", *powers))
    for number, run in enumerate(results.runs):
        for k, name in enumerate(run["names"]):
            values = [*(run[c][k] for c in columns), run["tarp"], *(r[k] for r in run["ranks"])]
            writer.writerow((number, name, *(f"{v:.5g}" for v in values)))
    return text.getvalue()
