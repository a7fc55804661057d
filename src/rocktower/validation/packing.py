"""How densely grains pack, and how much of their weight the walls carry."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocktower.statistics import Interval, difference, mean
from rocktower.tower._scene import GRAVITY
from rocktower.validation._silo import Bed, Silo
from rocktower.validation._study import Check, Findings, Lab, Study
from rocktower.validation._units import D, disc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

__all__ = ["STUDY", "covered_share"]

_COLUMN = 5.0  # d wide
_SUNK = 0.01  # d
_HEIGHTS = (1, 2, 3, 4, 6)  # column widths
_PER_AREA = 1.05  # grains per d^2 at a packing of 0.82


def covered_share(
    centers: np.ndarray, x: tuple[float, float], y: tuple[float, float], points: int = 200
) -> float:
    """Return the share of a window that discs of diameter d cover; all lengths in d."""
    grid_x, grid_y = np.meshgrid(np.linspace(*x, points), np.linspace(*y, points))
    covered = np.zeros(grid_x.shape, dtype=bool)
    for cx, cy in centers:
        covered |= (grid_x - cx) ** 2 + (grid_y - cy) ** 2 < 0.25
    return float(covered.mean())


def _packing(silo: Silo, rng: np.random.Generator) -> float:
    """Packing away from walls, floor and surface."""
    bed = Bed(silo, rng)
    centers = bed.scene.read()[:, :2] / D
    half = 0.5 * silo.width - 2.0
    top = float(np.quantile(centers[:, 1], 0.95)) - 2.0
    return covered_share(centers, (-half, half), (2.0, top))


def _carried(silo: Silo, rng: np.random.Generator) -> tuple[float, float]:
    """Return the force on the floor, and on floor and walls together, over the weight.

    The floor sinks a little before, as in experiments: Janssen's law is of friction that points up.
    """
    bed = Bed(silo, rng)
    bed.sink(_SUNK)
    contacts = bed.scene.contacts()
    wall = (contacts.a < 0) | (contacts.b < 0)
    floor = wall & (contacts.points[:, 1] < 0.1 * D)
    # The force on a grain points up, whichever of the two bodies the grain is.
    sign = np.where(contacts.a < 0, -1.0, 1.0)
    up = sign * contacts.forces[:, 1]
    weight = silo.grains * disc().mass * GRAVITY
    return abs(float(up[floor].sum())) / weight, abs(float(up[wall].sum())) / weight


def run(lab: Lab) -> Findings:
    """Measure packing in a wide silo and wall screening in a narrow column."""
    packing = mean(lab.trials(partial(_packing, Silo(3.0)), lab.size(24, 2), "packing"))
    checks = [
        Check(
            "packing of discs, 20 d wide",
            packing,
            "0.80 to 0.86 (gravity-deposited discs; hexagonal 0.907)",
            "published",
            "0.80 to 0.86",
            0.80 <= packing.value <= 0.86,
        )
    ]
    found: dict[int, Interval] = {}
    totals: list[float] = []
    for height in _HEIGHTS[:: 2 if lab.quick else 1]:
        grains = round(_PER_AREA * _COLUMN * _COLUMN * height)
        silo = Silo(_COLUMN, width=_COLUMN, grains=grains, filling="gentle")
        pairs = lab.trials(partial(_carried, silo), lab.size(24, 2), f"column, {height} widths")
        found[height] = mean([floor for floor, _ in pairs])
        totals += [total for _, total in pairs]
    total = mean(totals)
    high, low = max(found), min(found)
    fall = difference(found[low], found[high])
    checks += [
        Check(
            "floor and walls together over the weight",
            total,
            "1 (balance of forces)",
            "computed",
            "within 0.02",
            abs(total.value - 1.0) < 0.02,
        ),
        *(
            Check(
                f"force on the floor over the weight, column {height} widths high",
                value,
                "under 1 (Janssen)",
                "computed",
                "under 0.9",
                value.value < 0.9,
            )
            for height, value in found.items()
            if height > 3
        ),
        Check(
            f"the same, {low} minus {high} widths high",
            fall,
            "positive (Janssen)",
            "computed",
            "over 0 by 3 sigma",
            fall.value > 3.0 * fall.error,
        ),
    ]
    rows = [
        {"height_widths": height, **value.row("floor_force")} for height, value in found.items()
    ]
    return Findings(checks, {"walls": rows}, {"walls": partial(_plot, found)})


def _plot(found: Mapping[int, Interval]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axis = figure.subplots()
    heights = np.linspace(0.3, 6.5, 100)
    for k, style in ((0.4, "k:"), (1.0, "k--")):
        # Slab balance: a column of height h loses weight to its walls over W / (2 mu K).
        length = 1.0 / (2.0 * 0.5 * k)
        screened = length / heights * (1.0 - np.exp(-heights / length))
        axis.plot(heights, screened, style, label=f"Janssen, K = {k:g}")
    values = list(found.values())
    error = [[v.value - v.low for v in values], [v.high - v.value for v in values]]
    axis.errorbar(list(found), [v.value for v in values], error, fmt="o", capsize=3, label="here")
    axis.set(
        xlabel="height over width", ylabel="force on the floor over the weight", ylim=(0, 1.25)
    )
    axis.legend()
    return figure


STUDY = Study("packing", "How dense is a bed, and do walls carry it?", run)
