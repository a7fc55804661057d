"""Do the intervals of a fit hold the truth as often as they say, and how wide should they be?

    python calibration/studies/coverage/study.py --owners 200 --jobs 2 --seed 1 --write
    python calibration/studies/coverage/study.py --owners 40 --hits 300 --jobs 2 --seed 2 --write
    python calibration/studies/coverage/study.py --quick --seed 1

Owners are drawn from the prior, the simulated tower makes their hits (--source physics) or the
shipped network does (--source network), and the quick budget fits them. Writes here
SOURCE_HITS.csv (a row for each owner and number), SOURCE_HITS_summary.json and SOURCE_HITS.png:
rank histograms, TARP, and coverage against the power of the likelihood. That power makes the
coverage of these owners right by itself, so SOURCE_HITS_crossed.csv says what it is worth for
others: each half of the owners is judged at the power that the other half asks for. Beside it
stands how many of these truths the prior's own intervals hold: owners drawn from it should be in
them as often as they say, so this tells how uneven these owners happen to be. --write puts the
measured power into the package, where every fit of such a record takes it from. Owners are kept in
--folder: the same command goes on.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from owners import fit_owners, parser_of, write_rows

from rocktower.calibration.fitting import (
    SbcResults,
    SbcRuns,
    decode_measured,
    encode_measured,
    label_of,
    measured,
    record_protocol,
    sbc_table,
)
from rocktower.calibration.fitting._design import Design
from rocktower.calibration.fitting._sbc import POWERS, power_of

HERE = Path(__file__).parent
PRIOR_DRAWS = 20_000
PACKAGED = HERE.parents[2] / "src/rocktower/calibration/fitting/data/widening.toml"
BLUE, RED, WOOD = "#1f4e79", "#c8452f", "#b58e5f"


def main() -> None:
    parser = parser_of(__doc__, owners=200, quick=20, seed=1, here=HERE)
    parser.add_argument("--hits", type=int, default=100)
    parser.add_argument("--source", choices=("physics", "network"), default="physics")
    parser.add_argument("--write", action="store_true", help="the measured power, into the package")
    options = parser.parse_args()
    if options.write and options.source != "physics":
        parser.error("--write needs --source physics: the network cannot judge itself")
    runs, results = fit_owners(options, options.hits, options.source)
    stem = HERE / f"{options.source}_{options.hits}"
    Path(f"{stem}.csv").write_text(sbc_table(results), encoding="utf-8")
    about = {"hits": options.hits, "seed": options.seed, "network": runs.network.hash,
             "power": runs.power}  # fmt: skip
    text = json.dumps({**about, **results.summary}, indent=1) + "\n"
    Path(f"{stem}_summary.json").write_text(text, encoding="utf-8")
    crossed = crossed_table(runs, results)
    write_rows(Path(f"{stem}_crossed.csv"), crossed)
    what = f"{options.hits} hits of the {'simulated tower' if runs.physics else 'network'} each"
    plot(results, Path(f"{stem}.png"), what, runs.power)
    print("\n".join(results.lines()))
    for row in crossed:
        print(*row.values(), sep=", ")
    if options.write:
        command = (
            f"python calibration/studies/coverage/study.py --owners {options.owners} "
            f"--hits {options.hits} --seed {options.seed} --write"
        )
        one = measured(runs, results, command=command, date=datetime.now(UTC).date().isoformat())
        known = decode_measured(PACKAGED.read_text("utf-8"))
        kept = [
            old for old in known
            if old.network == one.network and (old.budget, old.hits) != (one.budget, one.hits)
        ]  # fmt: skip
        PACKAGED.write_text(encode_measured((*kept, one)), encoding="utf-8")
        print(f"{PACKAGED}: power {one.power}")


def crossed_table(runs: SbcRuns, results: SbcResults) -> list[dict[str, object]]:
    """Shares of truths in intervals at the power of other owners, and in those of the prior."""
    design = Design(record_protocol(runs.task.record), runs.task.prior)
    prior = design.sample_prior(PRIOR_DRAWS, np.random.default_rng(0))
    truth = results.column("truth")
    of_prior = judged(results, np.array([(prior < one).mean(axis=0) for one in truth]))
    return [
        {"name": name, "interval": level, "owners": len(truth), "held": f"{held:.3f}",
         "low_95": f"{low:.3f}", "high_95": f"{high:.3f}",
         "held_by_prior": f"{of_prior[name, level][0]:.3f}"}
        for (name, level), (held, low, high) in judged(results, cross_fitted(results)).items()
    ]  # fmt: skip


def cross_fitted(results: SbcResults) -> np.ndarray:
    """Return ranks, each half of the owners at the power that the other half asks for."""
    by_power = results.column("ranks")  # (owners, powers, numbers)
    ranks = np.empty((by_power.shape[0], by_power.shape[2]))
    for first in (0, 1):
        other = np.abs(by_power[1 - first :: 2] - 0.5) <= 0.45
        power = power_of(other.mean(axis=(0, 2)))
        place = np.searchsorted(POWERS, power, "right").clip(1, len(POWERS) - 1)
        low, high = POWERS[place - 1], POWERS[place]
        weight = (power - low) / (high - low)
        mine = by_power[first::2]
        ranks[first::2] = (1.0 - weight) * mine[:, place - 1] + weight * mine[:, place]
    return ranks


def judged(results: SbcResults, ranks: np.ndarray) -> dict[tuple[str, str], list[float]]:
    """Return the share of truths in each number's intervals, with its interval, by these ranks."""
    runs = [{**run, "rank": rank.tolist()} for run, rank in zip(results.runs, ranks, strict=True)]
    return {
        (one["name"], level): share
        for one in SbcResults(runs).summary["parameters"]
        for level, share in one["coverage"].items()
    }


def plot(results: SbcResults, path: Path, what: str, power: float) -> None:
    from matplotlib.figure import Figure
    from scipy.stats import binom

    summary, count = results.summary, len(results.runs)
    figure = Figure(figsize=(10, 6.2), layout="constrained")
    grid = figure.add_gridspec(2, 6)
    for k, one in enumerate(summary["parameters"][:5]):
        axes = figure.add_subplot(grid[0, k])
        bins = len(one["ranks"])
        low, high = binom.ppf((0.005, 0.995), count, 1.0 / bins)
        axes.axhspan(low, high, color="#e4e4e4")
        axes.bar((np.arange(bins) + 0.5) / bins, one["ranks"], 0.9 / bins, color=BLUE)
        axes.set_title(label_of(one["name"])[0].split(" (")[0], fontsize=8)
        axes.set(xlabel="rank of the truth", xticks=(0, 0.5, 1))
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=7)
        axes.xaxis.label.set_size(7)
    share = np.sort(np.array([run["tarp"] for run in results.runs]))
    axes = figure.add_subplot(grid[1, :3])
    levels = np.linspace(0.0, 1.0, 101)
    band = binom.ppf(np.array([[0.025], [0.975]]), count, levels) / count
    axes.fill_between(levels, *band, color="#e4e4e4", label="95 % if right, at each place")
    axes.plot(levels, np.searchsorted(share, levels, "right") / count, color=BLUE, lw=1.8)
    axes.plot((0, 1), (0, 1), color="#888888", lw=0.8)
    axes.set(xlabel="share of draws nearer to a random point than the truth", ylabel="owners")
    axes.set_title(f"TARP, all numbers together: p {summary['tarp_p']:.2f}", fontsize=9)
    axes.legend(frameon=False, fontsize=8)
    axes = figure.add_subplot(grid[1, 3:])
    wide = summary["widening"]
    powers = [float(key) for key in wide["coverage"]]
    axes.plot(powers, list(wide["coverage"].values()), "o-", color=BLUE)
    axes.axhline(0.9, color="#888888", lw=0.8)
    axes.axvspan(wide["low_95"], wide["high_95"], color=WOOD, alpha=0.25)
    axes.axvline(wide["power"], color=RED, lw=1.5)
    axes.set(xlabel="power of the likelihood", ylabel="truths in 90 % intervals", ylim=(0.5, 1.0))
    axes.set_title(
        f"0.90 with the power {wide['power']:.2f} ({wide['low_95']:.2f} to {wide['high_95']:.2f})",
        fontsize=9,
    )
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    title = f"{count} owners, {what}; ranks with the power {power:.2f}, grey: 99 % if right"
    figure.suptitle(title, fontsize=10)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
