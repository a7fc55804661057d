"""Clogging of a vertical pipe between two and three grains wide."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocktower.statistics import Interval, exact, share
from rocktower.validation._references import reference
from rocktower.validation._silo import Silo, first_avalanche
from rocktower.validation._study import Check, Findings, Lab, Study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

__all__ = ["STUDY", "steepest_fall"]

_GRAINS = 30


def steepest_fall(widths: list[float], shares: list[float], span: float) -> float:
    """Return the middle of the stretch of that span over which the shares fall most."""
    falls = [
        (shares[i] - shares[j], 0.5 * (widths[i] + widths[j]))
        for i in range(len(widths))
        for j in range(i + 1, len(widths))
        if widths[j] - widths[i] <= span + 1e-9
    ]
    return max(falls)[1]


def run(lab: Lab) -> Findings:
    """Measure how often a pipe of discs clogs, against its width."""
    step = 0.1 if lab.quick else 0.025
    widths = [round(w, 3) for w in np.arange(2.1, 2.9501, step).tolist()]
    found: dict[float, Interval] = {}
    for width in widths:
        silo = Silo(width, width=width, grains=_GRAINS, filling="gentle")
        out = lab.trials(partial(first_avalanche, silo, _GRAINS), lab.size(100, 4), f"pipe {width}")
        found[width] = share(sum(d.clogged for d in out), len(out))
    expected = reference("pipe_drop")
    high = [w for w in widths if w >= 2.5]
    place = steepest_fall(high, [found[w].value for w in high], 0.1)
    check = Check(
        "pipe width at the steepest fall of the clogging probability, 2.5 to 2.95 d",
        exact(place, sum(v.n for v in found.values())),
        f"2.73 ({expected.title})",
        expected.provenance,
        "2.65 to 2.80",
        2.65 <= place <= 2.80,
    )
    rows = [{"width_d": width, **value.row("clogged")} for width, value in found.items()]
    return Findings([check], {"pipe": rows}, {"pipe": partial(_plot, found)})


def _plot(found: Mapping[float, Interval]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4), layout="constrained")
    axis = figure.subplots()
    values = list(found.values())
    error = [[v.value - v.low for v in values], [v.high - v.value for v in values]]
    axis.errorbar(list(found), [v.value for v in values], error, fmt="o-", ms=4, capsize=2)
    axis.axvspan(2.65, 2.80, color="#dddddd", label="published drop, near 2.73 d")
    axis.set(xlabel="width of the pipe (d)", ylabel="share that clogs", ylim=(-0.02, 1.02))
    axis.legend()
    return figure


STUDY = Study("pipe", "Does a pipe of three grains clog less from 2.73 d on?", run)
