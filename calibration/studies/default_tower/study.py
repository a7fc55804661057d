"""Does the default tower behave as the rules imply, and is its answer numerically converged?

    python calibration/studies/default_tower/study.py [--turns 2000] [--jobs 2] [--only NAME]

writes its results as CSV and a plot beside this file. Parts: behavior, still, memory,
convergence.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rocktower import Strike, Striker, TowerModel
from rocktower.randomness import Purpose, stream
from rocktower.statistics import Interval, mean, share
from rocktower.tower import COLORS

HERE = Path(__file__).parent
HITS = 7
MODEL = TowerModel.load()


def strikes(striker: Striker, turn: int, hits: int) -> list[Strike]:
    """The strikes of a turn: the same for every tower and grip."""
    height = MODEL.geometry.height
    return [striker.draw(stream(turn, Purpose.STRIKER, k), height) for k in range(hits)]


def hammer(model: TowerModel, state: Any, blows: Iterable[Strike]) -> tuple[Any, list[list[int]]]:
    """Strike after strike; return the last state and the boulders out, by hit."""
    out = []
    for blow in blows:
        result = model.strike(state, blow)
        state = result.state
        out.append([b.id for b in result.hit.boulders])
    return state, out


# --- behavior -------------------------------------------------------------------------------

CONDITIONS = {
    "normal, held": ("normal", 1.0, "held", 9),
    "gentle, held": ("gentle", 1.0, "held", HITS),
    "normal, pressed": ("normal", 1.0, "pressed", HITS),
    "normal, loose": ("normal", 1.0, "loose", HITS),
    "firm, held": ("firm", 1.0, "held", HITS),
    "firm at twice the speed, held": ("firm", 2.0, "held", HITS),
}


def behavior_turn(turn: int) -> dict[str, list[list[int]]]:
    full = MODEL.fill(stream(turn, Purpose.FILL, 0))
    rows = {}
    for name, (striker, factor, grip, hits) in CONDITIONS.items():
        person = Striker.named(striker)
        blows = strikes(replace(person, speed=person.speed * factor), turn, hits)
        rows[name] = hammer(MODEL.held(grip), full, blows)[1]
    return rows


def behavior(turns: int, run: Callable[..., list[Any]]) -> None:
    rows = run(behavior_turn, turns, "behavior")
    table, by_hit, sizes = [], [], {}
    for name in CONDITIONS:
        counts = np.array([[len(hit) for hit in row[name]] for row in rows])
        sizes[name] = counts
        first = counts[:, :HITS]
        table.append(
            {
                "condition": name,
                "turns": turns,
                "hits_per_turn": HITS,
                **interval("mean_boulders", mean(first.mean(axis=1))),
                **interval("share_empty", mean((first == 0).mean(axis=1))),
                **interval("share_10_or_more", mean((first >= 10).mean(axis=1))),
            }
        )
        by_hit += [
            {
                "condition": name,
                "hit": k + 1,
                "boulders": size,
                "hits": int((counts[:, k] == size).sum()),
                "of": turns,
            }
            for k in range(counts.shape[1])
            for size in range(int(counts.max()) + 1)
        ]
    save("behavior.csv", table)
    save("boulders_by_hit.csv", by_hit)
    save(
        "ratios.csv",
        [
            ratio("pressed / held, same strikes", sizes["normal, pressed"], sizes["normal, held"]),
            ratio("loose / held, same strikes", sizes["normal, loose"], sizes["normal, held"]),
            ratio(
                "firm at twice the speed / firm",
                sizes["firm at twice the speed, held"],
                sizes["firm, held"],
            ),
        ],
    )
    colors(rows)
    plot(sizes["normal, held"])


def ratio(name: str, above: np.ndarray, below: np.ndarray) -> dict[str, Any]:
    """Ratio of mean boulders a hit, with an interval from resampling whole turns."""
    above, below = above[:, :HITS].mean(axis=1), below[:, :HITS].mean(axis=1)
    rng = np.random.default_rng(0)
    picks = rng.integers(0, len(above), (2000, len(above)))
    low, high = np.quantile(above[picks].mean(axis=1) / below[picks].mean(axis=1), [0.025, 0.975])
    return {
        "ratio": name,
        "turns": len(above),
        "value": f"{above.mean() / below.mean():.4f}",
        "low_95": f"{low:.4f}",
        "high_95": f"{high:.4f}",
    }


def colors(rows: list[dict[str, list[list[int]]]]) -> None:
    """Each color as often as the others: first out of a turn, and among the first ten."""
    from scipy.stats import chisquare

    color = [boulder.color for boulder, _ in MODEL.all_boulders]
    orders = [[b for hit in row["normal, held"] for b in hit] for row in rows]
    table = []
    for what, count in (("first boulder of a turn", 1), ("last of the first ten", 10)):
        seen = [color[order[count - 1]] for order in orders if len(order) >= count]
        observed = [seen.count(c) for c in COLORS]
        table.append(
            {
                "what": what,
                "turns": len(seen),
                **dict(zip(COLORS, observed, strict=True)),
                "p_value": f"{chisquare(observed).pvalue:.3f}",
            }
        )
    save("colors.csv", table)


def plot(counts: np.ndarray) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        3, 3, figsize=(9, 7), sharex=True, sharey=True, layout="constrained"
    )
    top = 16
    for k, axis in enumerate(axes.flat):
        share = np.bincount(np.minimum(counts[:, k], top), minlength=top + 1) / len(counts)
        bars = axis.bar(np.arange(top + 1), share, color="#8a6d4b", width=0.85)
        bars[0].set_color("#b8b8b8")
        axis.axvline(counts[:, k].mean(), color="#1f4e79", lw=1.5)
        axis.set_title(
            f"hit {k + 1}: mean {counts[:, k].mean():.2f}, empty {share[0]:.2f}", fontsize=9
        )
    figure.supxlabel(f"boulders a hit ({top}: or more); the line is the mean")
    figure.supylabel("share of hits")
    figure.suptitle(
        f"Default tower, normal striker, held, from a full tower, {len(counts)} turns", fontsize=11
    )
    figure.savefig(HERE / "boulders_by_hit.png", dpi=110)


# --- still ----------------------------------------------------------------------------------


def still_turn(turn: int) -> tuple[int, int]:
    """Boulders that leave when a tower is rebuilt and run to rest without a blow."""
    state = MODEL.fill(stream(turn, Purpose.FILL, 0))
    nothing = Strike("left", 0.0, 0.5 * MODEL.geometry.height)
    full = len(MODEL.strike(state, nothing).hit)
    struck, _ = hammer(MODEL, state, strikes(Striker.named("normal"), turn, 3))
    return full, len(MODEL.strike(struck, nothing).hit)


def still(turns: int, run: Callable[..., list[Any]]) -> None:
    rows = np.array(run(still_turn, turns, "still"))
    save(
        "still.csv",
        [
            {
                "pile": name,
                "piles": turns,
                "let_a_boulder_out": int((rows[:, k] > 0).sum()),
                **interval("share", share(int((rows[:, k] > 0).sum()), turns)),
            }
            for k, name in enumerate(("full", "after three hits"))
        ],
    )


# --- memory ---------------------------------------------------------------------------------


def memory_turn(turn: int) -> tuple[float, float, float, float] | None:
    """Seven hits, what came out goes back in, seven more: who comes out?"""
    normal = Striker.named("normal")
    state = MODEL.fill(stream(turn, Purpose.FILL, 0))
    state, _ = hammer(MODEL, state, strikes(normal, turn, HITS))
    dropped = list(state.outside)
    state = MODEL.drop_in(state, dropped, stream(turn, Purpose.DROP_IN, 0))
    state, again = hammer(MODEL, state, strikes(normal, turn + 10**6, HITS))
    order = [b for hit in again for b in hit]
    new = {b.id for b in dropped}
    if not new or len(new) == 44 or not order:
        return None
    share_new = sum(b in new for b in order) / len(new)
    share_old = sum(b not in new for b in order) / (44 - len(new))
    # Rank in the order of leaving, 0 first to 1 last; what stays inside counts as last.
    rank = {b: i / 43 for i, b in enumerate(order)}
    late = (len(order) + 43) / 2 / 43
    ranks = np.array([rank.get(b, late) for b in range(44)])
    is_new = np.array([b in new for b in range(44)])
    return share_new, share_old, ranks[is_new].mean(), ranks[~is_new].mean()


def memory(turns: int, run: Callable[..., list[Any]]) -> None:
    rows = np.array([row for row in run(memory_turn, turns, "memory") if row])
    save(
        "memory.csv",
        [
            {"what": what, "turns": len(rows), **interval("value", mean(values))}
            for what, values in (
                ("share of the boulders just dropped in that leave in the next 7 hits", rows[:, 0]),
                ("share of the other boulders", rows[:, 1]),
                ("difference of the shares", rows[:, 0] - rows[:, 1]),
                (
                    "difference of the mean ranks of leaving (positive: later)",
                    rows[:, 2] - rows[:, 3],
                ),
            )
        ],
    )


# --- convergence ----------------------------------------------------------------------------

_DT, _IT = MODEL.solver.time_step, MODEL.solver.iterations
SETTINGS = {
    "working": (_DT, _IT),
    "half the step": (_DT / 2, _IT),
    "twice the iterations": (_DT, _IT * 2),
    "both": (_DT / 2, _IT * 2),
}


def convergence_turn(turn: int) -> list[list[int]]:
    rows = []
    for step, iterations in SETTINGS.values():
        model = replace(MODEL, solver=replace(MODEL.solver, time_step=step, iterations=iterations))
        full = model.fill(stream(turn, Purpose.FILL, 0))
        out = hammer(model, full, strikes(Striker.named("normal"), turn, HITS))[1]
        rows.append([len(hit) for hit in out])
    return rows


def convergence(turns: int, run: Callable[..., list[Any]]) -> None:
    rows = np.array(run(convergence_turn, turns, "convergence"))
    table = []
    for k, (name, (step, iterations)) in enumerate(SETTINGS.items()):
        counts = rows[:, k]
        table.append(
            {
                "setting": name,
                "time_step_ms": f"{step * 1000:.3f}",
                "iterations": iterations,
                "strikes": counts.size,
                **interval("mean_boulders", mean(counts.mean(axis=1))),
                **interval("share_empty", mean((counts == 0).mean(axis=1))),
                **interval("mean_minus_working", mean((counts - rows[:, 0]).mean(axis=1))),
                "mean_over_working": f"{counts.mean() / rows[:, 0].mean():.3f}",
            }
        )
    save("convergence.csv", table)


# --- shared ---------------------------------------------------------------------------------


def interval(name: str, value: Interval) -> dict[str, str]:
    return {
        name: f"{value.value:.4f}",
        f"{name}_low_95": f"{value.low:.4f}",
        f"{name}_high_95": f"{value.high:.4f}",
    }


def save(name: str, rows: list[dict[str, Any]]) -> None:
    with (HERE / name).open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    print(f"--- {name}")
    if len(rows) < 20:
        for row in rows:
            print("  ", ", ".join(f"{k} {v}" for k, v in row.items()))
    sys.stdout.flush()


PARTS: dict[str, tuple[Callable[..., None], float]] = {
    "behavior": (behavior, 1.0),
    "still": (still, 0.5),
    "memory": (memory, 0.4),
    "convergence": (convergence, 0.25),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=2000, help="turns of the behavior part")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=PARTS)
    arguments = parser.parse_args()
    from rich.progress import Progress

    with ProcessPoolExecutor(arguments.jobs) as pool, Progress(transient=True) as progress:

        def run(task: Callable[[int], Any], turns: int, name: str) -> list[Any]:
            bar = progress.add_task(name, total=turns)
            rows = []
            for row in pool.map(task, range(turns), chunksize=4):
                rows.append(row)
                progress.advance(bar)
            return rows

        for name, (part, share) in PARTS.items():
            if arguments.only in (None, name):
                part(max(2, int(arguments.turns * share)), run)


if __name__ == "__main__":
    main()
