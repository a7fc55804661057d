"""The default tower in a second engine, struck by the same strikes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.statistics import mean, ratio
from rocktower.tower import Outcome, Striker, TowerModel, _dynamics
from rocktower.tower._scene import Scene
from rocktower.validation._box_scene import BoxScene, second_engine_is_installed
from rocktower.validation._study import Check, Findings, Lab, Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = ["STUDY"]

_HITS = 7
_ENGINES: dict[str, tuple[Callable[..., Any], float]] = {
    "pymunk": (Scene, 1.0),
    "Box2D v3": (BoxScene, 1.0),
    "Box2D v3, half the step": (BoxScene, 0.5),
}


def _turn(rng: np.random.Generator) -> dict[str, list[tuple[int, bool, float]]]:
    """Fill and strike in every engine; boulders, whether at rest, and CPU s of each strike."""
    model, striker = TowerModel.load(), Striker.named("normal")
    blows = [striker.draw(rng, model.geometry.height) for _ in range(_HITS)]
    seed = int(rng.integers(2**32))
    rows: dict[str, list[tuple[int, bool, float]]] = {}
    for name, (make_scene, factor) in _ENGINES.items():
        step = factor * model.solver.time_step
        tower = replace(model, solver=replace(model.solver, time_step=step))
        own = np.random.default_rng(seed)
        state = _dynamics.fill(tower, own, make_scene)
        rows[name] = []
        for blow in blows:
            start = process_time()
            result = _dynamics.strike(tower, state, blow, own, make_scene=make_scene)
            spent = process_time() - start
            state = result.state
            rows[name].append((len(result.hit), result.outcome is Outcome.AT_REST, spent))
    return rows


def run(lab: Lab) -> Findings:
    """Compare the engines: boulders a hit, empty hits, CPU."""
    if not second_engine_is_installed():
        raise RocktowerError("the second engine is not installed: pip install 'rocktower[engines]'")
    turns = lab.trials(partial(_turn), lab.size(300, 2), "second engine")
    counts = {
        name: np.array([[row[0] for row in turn[name]] for turn in turns]) for name in _ENGINES
    }
    rows: list[dict[str, Any]] = []
    for name, hits in counts.items():
        spent = np.array([[row[2] for row in turn[name]] for turn in turns])
        rest = np.array([[row[1] for row in turn[name]] for turn in turns])
        rows += [
            {"engine": name, "what": what, **mean(values).row("value"), "strikes": hits.size}
            for what, values in (
                ("boulders a hit", hits.mean(axis=1)),
                ("share of empty hits", (hits == 0).mean(axis=1)),
                ("share of hits with 10 or more", (hits >= 10).mean(axis=1)),
                ("CPU of a strike, ms", 1000.0 * spent.mean(axis=1)),
                ("share of strikes that came to rest", rest.mean(axis=1)),
            )
        ]
    checks = []
    for name in list(_ENGINES)[1:]:
        boulders = ratio(counts[name].mean(axis=1), counts["pymunk"].mean(axis=1))
        empty = mean((counts[name] == 0).mean(axis=1) - (counts["pymunk"] == 0).mean(axis=1))
        checks += [
            Check(
                f"boulders a hit, {name} over pymunk",
                boulders,
                "1 (same tower, same strikes)",
                "computed",
                "0.75 to 1.33",
                0.75 <= boulders.value <= 1.33,
            ),
            Check(
                f"share of empty hits, {name} minus pymunk",
                empty,
                "0 (same tower, same strikes)",
                "computed",
                "within 0.10",
                abs(empty.value) < 0.10,
            ),
        ]
    return Findings(checks, {"second_engine": rows}, {"second_engine": partial(_plot, counts)})


def _plot(counts: dict[str, NDArray[np.int64]]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    top = 12
    for k, (name, hits) in enumerate(counts.items()):
        shares = np.bincount(np.minimum(hits, top).ravel(), minlength=top + 1) / hits.size
        left.bar(np.arange(top + 1) + 0.27 * (k - 1), shares, 0.27, label=name)
        error = 1.96 * hits.std(axis=0, ddof=1) / len(hits) ** 0.5
        right.errorbar(
            np.arange(_HITS) + 1 + 0.08 * (k - 1),
            hits.mean(axis=0),
            error,
            fmt="o-",
            ms=3,
            capsize=2,
        )
    left.set(xlabel=f"boulders a hit ({top}: or more)", ylabel="share of hits")
    left.legend(fontsize=8)
    right.set(xlabel="number of the hit", ylabel="mean boulders (95 %)", ylim=(0, None))
    return figure


STUDY = Study("second_engine", "Does another engine give the same hits?", run)
