"""Simulation-based calibration: whether intervals hold the truth as often as they say."""

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

__all__ = ["SbcResults", "SbcRuns", "judge", "run_sbc", "sbc_table", "tarp_area"]

_STEPS = 1000
_CANDIDATES = 400
_LEVELS = (0.5, 0.9)
_BINS = 10  # of the rank histograms


@dataclass(frozen=True, slots=True)
class SbcRuns:
    """Made-up records of a task's protocol, and their fits, by number.

    Parameters
    ----------
    physics
        Whether the hits are simulated. If the network makes them itself, likelihood, prior and
        sampling are judged, but not the network.
    """

    task: Task
    network: HitNetwork
    physics: bool = False

    def run(self, number: int) -> bytes:
        """Make up one record from a draw of the prior, fit it, and return ranks as JSON."""
        rng = stream(self.task.seed, Purpose.FIT, 100, number)
        design = Design(record_protocol(self.task.record), self.task.prior)
        truth = design.sample_prior(1, rng)
        totals = self._totals(design, truth, rng)
        record = made_up_record(self.task.record, totals, f"made-up record {number}")
        density = log_density(design, Likelihood(record), NetworkHit(self.network))
        chain = sample_chain(
            density, design.sample_prior(_CANDIDATES, rng), seed=int(rng.integers(2**31)),
            most_steps=_STEPS,
        )  # fmt: skip
        return json.dumps(judge(design, truth[0], chain.draws, rng)).encode()

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


def judge(
    design: Design, truth: NDArray[np.float64], draws: NDArray[np.float64],
    rng: np.random.Generator,
) -> dict[str, Any]:  # fmt: skip
    """Compare a truth, shape (d,), with draws from a posterior, shape (n, d), as JSON values.

    Returns
    -------
    dict
        For each number: truth, mean and deviation in coordinates, and rank of the truth from
        0 to 1; and `tarp`, the share of draws nearer to a random point than the truth is.
    """
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
        return {"runs": count, "parameters": parameters, "tarp_area": tarp_area(tarp)}

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
        lines.append(f"TARP, all numbers together: area {summary['tarp_area']:+.3f} (0 is good)")
        return lines


def tarp_area(shares: NDArray[np.float64]) -> float:
    """Return the area between expected coverage and credibility: negative if too narrow.

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
    writer.writerow(
        ("run", "name", "truth", "mean", "deviation", "prior_deviation", "rank", "tarp")
    )
    for number, run in enumerate(results.runs):
        for k, name in enumerate(run["names"]):
            values = [run[c][k] for c in ("truth", "mean", "deviation", "prior_deviation", "rank")]
            writer.writerow((number, name, *(f"{v:.5g}" for v in values), f"{run['tarp']:.5g}"))
    return text.getvalue()
