"""Why does a stronger blow release more? Levels and walls that go on moving, one at a time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.statistics import Interval, mean
from rocktower.tower import Grip, Strike, TowerModel
from rocktower.validation._study import Check, Findings, Lab, Study
from rocktower.validation._units import T0
from rocktower.validation.strikes import (
    full_tower,
    plain_hopper,
    quotient,
    strike_until_released,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocktower.tower import Side

__all__ = ["STUDY"]

_WEAK, _STRONG = 1.0, 2.0  # m/s, of the hammer
_STILL = 0.01  # m/s: walls slower than that, at half height, stand still


def _towers() -> dict[str, TowerModel]:
    """Return the plain hopper and the default tower, each in both hands."""
    return {
        f"{name}, {grip}": replace(model, grip=Grip.named(grip))
        for name, model in (("plain hopper", plain_hopper()), ("default tower", TowerModel.load()))
        for grip in ("pressed", "held")
    }


def _release(model: TowerModel, rng: np.random.Generator) -> tuple[int, int]:
    """Strike a filling weakly until it releases, and the same filling strongly."""
    full = full_tower(model, rng)
    side: Side = "left" if rng.random() < 0.5 else "right"
    weak, strong = (strike_until_released(model, full, v, side)[1] for v in (_WEAK, _STRONG))
    return weak, strong


def _moving_time(model: TowerModel, rng: np.random.Generator) -> float:
    """Return for how long the walls move after a strong blow, t0."""
    height = 0.5 * model.geometry.height
    strike = Strike("left", _STRONG, height)
    trace = model.strike(full_tower(model, rng), strike, trace=True).trace
    assert trace is not None  # noqa: S101 - it was asked for
    at_half_height = trace.tower[:, 0] - height * trace.tower[:, 2]
    speed = np.abs(np.diff(at_half_height)) / np.diff(trace.times)
    moving = np.flatnonzero(speed > _STILL)
    return float(trace.times[moving[-1] + 1] / T0) if len(moving) else 0.0


def run(lab: Lab) -> Findings:
    """Compare what successful strikes release at two strengths, with and without each cause."""
    rows: list[dict[str, Any]] = []
    quotients = {}
    for name, model in _towers().items():
        pairs = lab.trials(partial(_release, model), lab.size(200, 3), name)
        motion = mean(lab.trials(partial(_moving_time, model), lab.size(20, 2), f"{name}: walls"))
        weak, strong = (_of_successes([pair[k] for pair in pairs]) for k in (0, 1))
        quotients[name] = quotient(strong, weak)
        rows += [
            {"tower": name, "what": what, **value.row("value")}
            for what, value in (
                (f"boulders of a success at {_WEAK:g} m/s", weak),
                (f"boulders of a success at {_STRONG:g} m/s", strong),
                ("quotient", quotients[name]),
                ("the walls move for (t0)", motion),
            )
        ]
    still = quotients["plain hopper, pressed"]
    check = Check(
        f"plain hopper whose walls stop at once: boulders of a successful strike, at {_STRONG:g} "
        f"over {_WEAK:g} m/s",
        still,
        "1: vibration breaks arches, it does not prevent them (Mankoc 2009)",
        "published",
        "0.75 to 1.25",
        0.75 <= still.value <= 1.25,
    )
    return Findings([check], {"releases": rows}, {"releases": partial(_plot, quotients)})


def _of_successes(released: Sequence[int]) -> Interval:
    return mean([count for count in released if count] or [float("nan")])


def _plot(quotients: dict[str, Interval]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 2.6), layout="constrained")
    axis = figure.subplots()
    axis.axvspan(0.75, 1.25, color="#dddddd", label="within 25 %")
    axis.axvline(1.0, color="#888888", lw=1)
    values = list(quotients.values())
    error = [[v.value - v.low for v in values], [v.high - v.value for v in values]]
    axis.errorbar([v.value for v in values], list(quotients), xerr=error, fmt="o", capsize=3)
    axis.set(xlabel=f"boulders of a successful strike, at {_STRONG:g} over {_WEAK:g} m/s")
    axis.margins(y=0.2)
    axis.invert_yaxis()
    axis.legend(fontsize=8, loc="lower left")
    return figure


STUDY = Study("strength", "Why does a stronger blow release more?", run)
