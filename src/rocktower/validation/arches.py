"""How many grains bridge the outlet in a clog."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocktower.statistics import Interval, mean
from rocktower.validation._arch import arch_grains
from rocktower.validation._references import reference
from rocktower.validation._silo import Bed, Silo
from rocktower.validation._study import Check, Findings, Lab, Study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

__all__ = ["STUDY"]

_LIMIT = 200  # grains; half of the bed
_TOLERANCE = 0.6  # grains: what counts as a grain that the arch stands on differs


def _size(silo: Silo, rng: np.random.Generator) -> int:
    """Return the number of grains in the arch of the first clog; 0 if there was none."""
    bed = Bed(silo, rng)
    bed.open()
    return len(arch_grains(bed.scene, silo.outlet)) if bed.discharge(_LIMIT).clogged else 0


def run(lab: Lab) -> Findings:
    """Measure the size of the arch against the outlet."""
    expected = reference("arch_size")
    outlets = (2.18, 3.12) if lab.quick else (2.18, 2.68, 3.12, 3.61, 4.21, 4.70)
    found: dict[float, Interval] = {}
    for outlet in outlets:
        sizes = np.array(
            lab.trials(
                partial(_size, Silo(outlet)),
                lab.size(150 if outlet > 4.5 else 100, 3),
                f"arch, {outlet:g} d",
            )
        )
        found[outlet] = mean(sizes[sizes > 0])
    checks = [
        Check(
            f"grains in the arch at {outlet:g} d",
            value,
            f"{expected.at(outlet)[0]:g} ({expected.title})",
            expected.provenance,
            f"within {_TOLERANCE:g}",
            abs(value.value - expected.at(outlet)[0]) <= _TOLERANCE,
        )
        for outlet, value in found.items()
    ]
    rows = [{"outlet_d": outlet, **value.row("grains")} for outlet, value in found.items()]
    return Findings(checks, {"arch_size": rows}, {"arch_size": partial(_plot, found)})


def _plot(found: Mapping[float, Interval]) -> Figure:
    from matplotlib.figure import Figure

    expected = reference("arch_size")
    figure = Figure(figsize=(6, 4), layout="constrained")
    axis = figure.subplots()
    x, y = np.array(expected.points).T
    axis.plot(x, y, "ks", mfc="none", label=expected.title)
    axis.fill_between(x, y - _TOLERANCE, y + _TOLERANCE, color="#dddddd")
    values = list(found.values())
    error = [[v.value - v.low for v in values], [v.high - v.value for v in values]]
    axis.errorbar(list(found), [v.value for v in values], error, fmt="o", capsize=3, label="here")
    axis.set(xlabel="outlet D (d)", ylabel="grains that bridge the outlet")
    axis.legend()
    return figure


STUDY = Study("arches", "Are arches as long as in the experiment?", run)
