"""Is a posterior of ours the right one? Against exact posteriors of a small chain.

    python -m venv sbi && sbi/bin/pip install -e . torch==2.13.0 sbi==0.27.0
    python -m venv pyabc && pyabc/bin/pip install -e . pyabc==0.13.0
    python calibration/studies/exact_chain/study.py --sbi sbi/bin/python --pyabc pyabc/bin/python

with a build of torch for the CPU, from wherever it is at hand. The chain (chain.py) makes records
of 100 hits; its own likelihood gives their exact posteriors. Each method may simulate 25,000 hits,
and is judged by C2ST: how often a classifier tells its 1,000 draws from 1,000 exact ones, 0.5 for
the same, 1 for never alike. Ours is the code of the fit itself: the network of one hit, its
training, likelihood and chain. Writes results.csv and c2st.png here; draws are kept in --folder, so
that methods may also be run one by one with --only.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
from scipy.stats import multivariate_t

sys.path.insert(0, str(Path(__file__).parent))

from chain import DESIGN, RECORD, SUMS, Exact, play, play_fillings, sums_of

from rocktower.calibration.fitting import HitNetwork, Likelihood, NetworkHit, made_up_record
from rocktower.calibration.fitting._chain import Chain, sample_chain
from rocktower.calibration.fitting._fit import BUDGETS, log_density
from rocktower.calibration.fitting._opinion import second_opinion
from rocktower.calibration.fitting._rounds import Round, _proposals, train_on
from rocktower.statistics import mean

HERE = Path(__file__).parent
HITS = 25_000  # simulated, for each method
GAME = RECORD.hits / len(SUMS)  # mean hits of a filling
STEPS = 1500  # of our chains, as in the quick budget
DRAWS = 10_000  # of each stage of the exact posterior
EMPTY = 0.05, 0.8  # share of empty hits of the records that are looked at


def verify(rng: np.random.Generator, games: int = 50_000) -> None:
    """The exact likelihood of short sequences against how often they happen."""
    vector = np.array([[np.log(0.4), np.log(0.022), 1.0, 0.0, 0.3]])
    total = play(np.repeat(vector, games, axis=0), rng, 0).total.reshape(games, -1)
    for sequence in ([0, 0, 0, 0], [0, 0, 1, 0], [2, 0, 0, 1], [0, 1, 0, 0, 0, 0, 0]):
        hits = np.array(sequence)
        left = 44 - (np.cumsum(hits) - hits)
        left[6:] = 44  # a new turn
        often = (total[:, : len(hits)] == hits).all(axis=1).mean()
        exact = float(np.exp(Exact(hits, left)(vector))[0])
        error = np.sqrt(exact * (1.0 - exact) / games)
        print(f"{sequence}: {often:.5f} of the games, exactly {exact:.5f}")
        assert abs(often - exact) < 5.0 * error


def make(count: int, hits: int, seed: int) -> dict[str, np.ndarray]:
    """Draw owners from the prior, play their records, and sample the exact posteriors twice."""
    rng = np.random.default_rng(seed)
    verify(rng)
    truths, totals, lefts = [], [], []
    while len(truths) < count:
        truth = DESIGN.sample_prior(1, rng)
        games = play(truth, rng)
        if EMPTY[0] <= (games.total == 0).mean() <= EMPTY[1]:
            truths.append(truth[0])
            totals.append(games.total)
            lefts.append(games.left)
    exact, again = [], []
    for number, (total, left) in enumerate(zip(totals, lefts, strict=True)):
        draws, worth = exact_draws(Exact(total, left), rng)
        print(f"exact {number}: worth {worth:.0f} draws", flush=True)
        exact.append(draws[:1000])
        again.append(draws[1000:])
    vectors = DESIGN.sample_prior(hits // RECORD.hits, rng)
    return {
        "hits": np.array(hits), "truth": np.array(truths),
        "total": np.array(totals), "exact": np.array(exact),
        "again": np.array(again), "low": np.array(DESIGN.prior.low),
        "high": np.array(DESIGN.prior.high), "vectors": vectors,
        "sums": sums_of(play(vectors, rng)),
        "observed": np.array([records_sums(a, b) for a, b in zip(totals, lefts, strict=True)]),
    }  # fmt: skip


def exact_draws(likelihood: Exact, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Draw 2,000 times from the exact posterior, by importance sampling in two stages.

    Proposals come from the prior, then nine in ten from a t distribution about what was found.
    """
    low, high = np.array(DESIGN.prior.low), np.array(DESIGN.prior.high)
    points = rng.uniform(low, high, (DRAWS, 5))
    weight = in_parts(likelihood, points)
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    middle = weight @ points
    spread = np.cov(points.T, aweights=weight)
    law = multivariate_t(middle, 1.3 * spread, df=5)
    drawn = law.rvs(DRAWS, random_state=rng)
    from_prior = rng.random(DRAWS) < 0.1
    drawn[from_prior] = rng.uniform(low, high, (int(from_prior.sum()), 5))
    drawn = drawn[((drawn >= low) & (drawn <= high)).all(axis=1)]
    density = 0.9 * law.pdf(drawn) + 0.1 / np.prod(high - low)
    log = in_parts(likelihood, drawn) - np.log(density)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    return drawn[rng.choice(len(drawn), 2000, p=weight)], 1.0 / float((weight**2).sum())


def in_parts(likelihood: Exact, vectors: np.ndarray) -> np.ndarray:
    parts = np.array_split(vectors, max(1, len(vectors) // 500))
    return np.concatenate([likelihood(part) for part in parts])


def records_sums(total: np.ndarray, left: np.ndarray) -> np.ndarray:
    parts = np.split(np.arange(len(total)), np.cumsum([len(of.first) for of in SUMS])[:-1])
    return np.sum(
        [of.of_hits(total[None, p] * 1.0, left[None, p] * 1.0, 1)[0]
         for of, p in zip(SUMS, parts, strict=True)], axis=0,
    )  # fmt: skip


def posterior(total: np.ndarray, network: HitNetwork, seed: int) -> Chain:
    """The posterior of a fit: its likelihood of the record, and its chain."""
    likelihood = Likelihood(made_up_record(RECORD, total, "a record of the chain"))
    candidates = DESIGN.sample_prior(600, np.random.default_rng(seed))
    density = log_density(DESIGN, likelihood, NetworkHit(network))
    return sample_chain(density, candidates, seed=seed, most_steps=STEPS)


def round_of(vectors: np.ndarray, rng: np.random.Generator) -> Round:
    return Round(vectors, play_fillings(vectors, rng))


def ours_at_once(data: dict[str, np.ndarray], seed: int) -> tuple[dict[str, np.ndarray], float]:
    """One network over the whole prior for all records."""
    from scipy.stats import qmc

    begin, rng = process_time(), np.random.default_rng(seed)
    games = int(data["hits"] / GAME)
    points = qmc.Sobol(5, seed=seed).random(1 << (games - 1).bit_length())[:games]
    vectors = data["low"] + points * (data["high"] - data["low"])
    network = train_on([round_of(vectors, rng)], None, seed=seed, note={})
    draws = [posterior(total, network, k).draws for k, total in enumerate(data["total"])]
    return {"draws": np.array(draws)}, process_time() - begin


def ours_in_rounds(data: dict[str, np.ndarray], seed: int) -> tuple[dict[str, np.ndarray], float]:
    """As --budget normal does without a shipped network: rounds for each record."""
    begin, draws, others = process_time(), [], []
    for number, total in enumerate(data["total"]):
        rng = np.random.default_rng((seed, number))
        rounds: list[Round] = []
        chain: Chain | None = None
        for share in np.array(BUDGETS["normal"]) / sum(BUDGETS["normal"]):
            vectors = _proposals(DESIGN, chain, int(share * data["hits"] / GAME), rng)
            rounds.append(round_of(vectors, rng))
            network = train_on(rounds, None, seed=seed, note={})
            chain = posterior(total, network, number)
        assert chain is not None
        draws.append(chain.draws)
        record = made_up_record(RECORD, total, "a record of the chain")
        opinion = second_opinion(record, DESIGN, rounds, chain, seed=number)
        others.append(chain.draws * np.nan if opinion is None else opinion.draws)
        print(f"ours in rounds: {number}", flush=True)
    return {"draws": np.array(draws), "opinion": np.array(others)}, process_time() - begin


def c2st(one: np.ndarray, other: np.ndarray) -> float:
    """Accuracy of a classifier with five-fold cross-validation, as in sbibm."""
    from sklearn.model_selection import KFold, cross_val_score
    from sklearn.neural_network import MLPClassifier

    center, scale = other.mean(axis=0), other.std(axis=0)
    x = (np.concatenate([one, other]) - center) / scale
    y = np.repeat([0, 1], [len(one), len(other)])
    width = 10 * x.shape[1]
    classifier = MLPClassifier((width, width), max_iter=1000, solver="adam", random_state=1)
    folds = KFold(5, shuffle=True, random_state=1)
    return float(cross_val_score(classifier, x, y, cv=folds, scoring="accuracy").mean())


def judge(data: dict[str, np.ndarray], folder: Path) -> list[dict[str, object]]:
    """C2ST, distance of means, ratio of deviations and coverage of each method."""
    methods = {"exact, again": (data["again"], 0.0)}
    for name, key in (
        ("ours, in rounds", "rounds"), ("ours, at once", "once"), ("sbi NPE", "npe"),
        ("pyABC SMC", "smc"),
    ):  # fmt: skip
        if (path := folder / f"{key}.npz").exists():
            with np.load(path) as file:
                methods[name] = file["draws"], float(file["seconds"])
                if "opinion" in file:
                    methods["second opinion of ours"] = file["opinion"], float("nan")
    rows = []
    for name, (draws, seconds) in methods.items():
        exact, truth = data["exact"], data["truth"]
        count = len(draws)
        deviation = exact.std(axis=1)
        off = np.abs(draws.mean(axis=1) - exact.mean(axis=1)) / deviation
        ranks = (draws < truth[:, None]).mean(axis=1)
        scores = [c2st(draws[k], exact[k]) for k in range(count)]
        interval = mean(scores)
        rows.append(
            {
                "method": name, "records": count,
                "simulated_hits": int(data["hits"]) if seconds else 0,
                "c2st": f"{interval.value:.3f}", "c2st_low_95": f"{interval.low:.3f}",
                "c2st_high_95": f"{interval.high:.3f}",
                "mean_off_in_deviations": f"{off.mean():.2f}",
                "deviation_over_exact": f"{(draws.std(axis=1) / deviation).mean():.2f}",
                "truths_in_90_interval": f"{(np.abs(ranks - 0.5) <= 0.45).mean():.2f}",
                "cpu_seconds": f"{seconds:.0f}", "c2st_each": " ".join(f"{s:.3f}" for s in scores),
            }
        )  # fmt: skip
        print(rows[-1], flush=True)
    return rows


def plot(rows: list[dict[str, object]], folder: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 0.5 * len(rows) + 1.2), layout="constrained")
    axes = figure.subplots()
    for place, row in enumerate(reversed(rows)):
        each = [float(score) for score in str(row["c2st_each"]).split()]
        mine = "ours" in str(row["method"])
        color = "#1f4e79" if mine else "#b58e5f"
        axes.plot(each, [place] * len(each), "o", ms=4, color=color, alpha=0.45)
        axes.plot([float(str(row["c2st"]))], [place], "|", ms=18, mew=2.5, color=color)
    axes.set_yticks(range(len(rows)), [str(row["method"]) for row in reversed(rows)])
    axes.axvline(0.5, color="#999999", lw=0.8)
    axes.axvline(0.72, color="#c8452f", lw=1.2, ls="--", label="aim for ours: 0.72")
    axes.set(xlim=(0.48, 1.0), xlabel="C2ST against the exact posterior (0.5: the same); bar: mean")
    simulated = max(int(str(row["simulated_hits"])) for row in rows)
    axes.set_title(f"Records of 100 hits of a chain, {simulated:,} simulated hits", fontsize=10)
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(folder / "c2st.png", dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=8)
    parser.add_argument("--hits", type=int, default=HITS, help="simulated, for each method")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE, help="of results.csv and c2st.png")
    parser.add_argument("--sbi", metavar="PYTHON", help="of an environment that has sbi")
    parser.add_argument("--pyabc", metavar="PYTHON", help="of an environment that has pyabc")
    parser.add_argument("--only", choices=("make", "once", "rounds", "npe", "smc", "judge"))
    parser.add_argument("--folder", type=Path, default=HERE / "runs")
    options = parser.parse_args()
    for folder in (options.folder, options.out):
        folder.mkdir(parents=True, exist_ok=True)
    made = options.folder / "data.npz"
    if options.only in (None, "make"):
        np.savez(made, **make(options.records, options.hits, options.seed))
    with np.load(made) as file:
        data = {key: file[key] for key in file.files}
    methods: dict[str, Callable[..., tuple[dict[str, np.ndarray], float]]] = {
        "once": ours_at_once, "rounds": ours_in_rounds,
    }  # fmt: skip
    for key, method in methods.items():
        if options.only in (None, key):
            found, seconds = method(data, options.seed)
            np.savez(options.folder / f"{key}.npz", seconds=seconds, **found)
    for key, python in (("npe", options.sbi), ("smc", options.pyabc)):
        if python and options.only in (None, key):
            script = str(HERE / f"{key}.py")
            subprocess.run([python, script, str(options.folder), str(options.seed)], check=True)
    if options.only in (None, "judge"):
        rows = judge(data, options.folder)
        with (options.out / "results.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        plot(rows, options.out)


if __name__ == "__main__":
    main()
