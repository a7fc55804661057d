"""What moves the silo's clogging: shape, friction, solver, filling, height, engine."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rocktower.statistics import Interval, difference, share
from rocktower.tower._scene import Contact
from rocktower.validation._box_scene import BoxScene, second_engine_is_installed
from rocktower.validation._references import reference
from rocktower.validation._silo import Bed, Silo, first_avalanche
from rocktower.validation._study import Check, Findings, Lab, Study
from rocktower.validation._units import SHAPES, T0, tower_solver
from rocktower.validation.silo import clogged_before

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from matplotlib.figure import Figure

__all__ = ["FILLING", "FRICTION", "SHAPE", "SOLVER"]

_LIMIT = 50
_OUTLET = 4.0


def _j50(lab: Lab, silos: Mapping[str, Silo], sizes: Mapping[str, int]) -> dict[str, Interval]:
    """Measure J_50 of each silo; all start from the same random numbers."""
    return {
        name: clogged_before(
            lab.trials(partial(first_avalanche, silo, _LIMIT), sizes[name], name), _LIMIT
        )
        for name, silo in silos.items()
    }


def _table(found: Mapping[str, Interval], silos: Mapping[str, Silo]) -> list[dict[str, Any]]:
    return [
        {
            "setting": name,
            "outlet_d": silos[name].outlet,
            "grains": silos[name].grains,
            "time_step_t0": f"{silos[name].solver.time_step / T0:.4f}",
            "iterations": silos[name].solver.iterations,
            **value.row("J_50"),
        }
        for name, value in found.items()
    ]


def _plot(found: Mapping[str, Interval], references: Mapping[str, float], title: str) -> Figure:
    from matplotlib.figure import Figure

    names = list(found)[::-1]
    figure = Figure(figsize=(6.5, 1.2 + 0.35 * len(names)), layout="constrained")
    axis = figure.subplots()
    for row, name in enumerate(names):
        value = found[name]
        error = [[value.value - value.low], [value.high - value.value]]
        axis.errorbar([value.value], [row], xerr=error, fmt="o", color="C0", capsize=3)
        if name in references:
            axis.plot(references[name], row, "D", mfc="none", color="black")
    axis.set(xlabel="J_50 (95 % interval; diamond: reference)", xlim=(-0.02, 1.02), title=title)
    axis.set_yticks(range(len(names)), names)
    return figure


# --- shape ----------------------------------------------------------------------------------


def shape(lab: Lab) -> Findings:
    """Compare regular polygons of equal area at an outlet of 5 d."""
    expected = reference("j50_shapes")
    some = ("disc", "square", "heptagon") if lab.quick else tuple(SHAPES)
    silos = {name: Silo(5.0, name) for name in some}
    found = _j50(lab, silos, dict.fromkeys(silos, lab.size(100, 2)))
    checks = [
        Check(
            f"J_50 of {name}s at 5 d, refilled",
            value,
            f"{expected.values[name]:g} ({expected.title})",
            expected.provenance,
            "within 0.15 (interval meets it)",
            value.low <= expected.values[name] + 0.15
            and value.high >= expected.values[name] - 0.15,
        )
        for name, value in found.items()
    ]
    groups = [("disc",), ("heptagon",), ("triangle", "pentagon", "hexagon"), ("square",)]
    for lower, upper in pairwise(groups):
        pairs = [(a, b) for a in lower for b in upper if a in found and b in found]
        if pairs:
            closest = min(
                (difference(found[b], found[a]) for a, b in pairs), key=lambda gap: gap.value
            )
            checks.append(
                Check(
                    f"J_50, {'/'.join(upper)} minus {'/'.join(lower)}: smallest",
                    closest,
                    "positive (order of the shapes, Goldberg 2018)",
                    "published",
                    "not below 0 by more than its interval",
                    closest.high > 0.0,
                )
            )
    return Findings(
        checks,
        {"shapes": _table(found, silos)},
        {"shapes": partial(_plot, found, expected.values, "Outlet of 5 d, refilled")},
    )


# --- friction -------------------------------------------------------------------------------


def friction(lab: Lab) -> Findings:
    """Take friction away, halve it, raise it; make the grains bounce."""
    contacts = {
        "friction 0": Contact(0.0, 0.05),
        "friction 0.2": Contact(0.2, 0.05),
        "friction 0.5": Contact(0.5, 0.05),
    }
    if not lab.quick:
        contacts |= {"friction 0.8": Contact(0.8, 0.05), "restitution 0.5": Contact(0.5, 0.5)}
    silos = {name: Silo(_OUTLET, contact=contact) for name, contact in contacts.items()}
    sizes = dict.fromkeys(silos, lab.size(200, 2)) | {"friction 0.5": lab.size(600, 4)}
    found = _j50(lab, silos, sizes)
    base = found["friction 0.5"]
    none, less = found["friction 0"], difference(base, found["friction 0.2"])
    checks = [
        Check(
            "J_50 at 4 d without friction",
            none,
            "drastically lower (Goldberg 2018); 0 of 200 in an earlier run",
            "published",
            "under 0.05",
            none.value < 0.05,
        ),
        Check(
            "J_50 at 4 d, friction 0.5 minus 0.2",
            less,
            "0.20 in an earlier run",
            "computed",
            "over 0 by 3 sigma",
            less.value > 3.0 * less.error,
        ),
    ]
    if "restitution 0.5" in found:
        change = difference(found["restitution 0.5"], base)
        checks.append(
            Check(
                "J_50 at 4 d, restitution 0.5 minus 0.05",
                change,
                "-0.02 in an earlier run",
                "computed",
                "within 0.10",
                abs(change.value) < 0.10,
            )
        )
    references = {"friction 0.5": reference("j50_global").at(4.0)[0]}
    return Findings(
        checks,
        {"friction": _table(found, silos)},
        {"friction": partial(_plot, found, references, "Outlet of 4 d, discs, refilled")},
    )


# --- solver ---------------------------------------------------------------------------------


def solver(lab: Lab) -> Findings:
    """Double the iterations and halve the time step: a physical answer stays."""
    tower = tower_solver()
    half = replace(tower, time_step=0.5 * tower.time_step)
    both = "iterations doubled and step halved"
    solvers = {"tower": tower, both: replace(half, iterations=2 * tower.iterations)}
    if not lab.quick:
        solvers |= {
            "10 iterations": replace(tower, iterations=10),
            "step halved": half,
            "iterations doubled": replace(tower, iterations=2 * tower.iterations),
        }
    silos = {name: Silo(_OUTLET, solver=settings) for name, settings in solvers.items()}
    sizes = dict.fromkeys(silos, lab.size(100, 2)) | {
        "tower": lab.size(600, 4),
        both: lab.size(600, 2),
    }
    found = _j50(lab, silos, sizes)
    change = difference(found[both], found["tower"])
    check = Check(
        f"J_50 at 4 d, {both} minus the tower's",
        change,
        "0: otherwise the answer is numerical",
        "computed",
        "within 0.08",
        abs(change.value) < 0.08,
    )
    references = {"tower": reference("j50_global").at(4.0)[0]}
    return Findings(
        [check],
        {"solver": _table(found, silos)},
        {"solver": partial(_plot, found, references, "Outlet of 4 d, discs, refilled")},
    )


# --- filling, clog criterion, height, engine ------------------------------------------------


def _stays(silo: Silo, rng: np.random.Generator) -> tuple[bool, bool]:
    """Return whether a silo clogs, and whether the clog is still there 157 t0 later."""
    bed = Bed(silo, rng)
    bed.open()
    if not bed.discharge(_LIMIT).clogged:
        return False, False
    bed.run(157.0)
    return True, bed.discharge(1).grains == 0


def filling(lab: Lab) -> Findings:
    """Change one thing at a time that could explain a J_50 below the published one."""
    base = Silo(_OUTLET)
    silos = {"base: 400 grains, loose": base, "rain": replace(base, filling="rain")}
    sizes = {"base: 400 grains, loose": lab.size(600, 4), "rain": lab.size(100, 2)}
    if not lab.quick:
        silos |= {
            "tapped 20 times": replace(base, filling="tapped"),
            "800 grains": replace(base, grains=800),
        }
        sizes |= {"tapped 20 times": lab.size(30, 2), "800 grains": lab.size(100, 2)}
    if second_engine_is_installed():
        silos["Box2D v3"] = replace(base, make_scene=BoxScene)
        sizes["Box2D v3"] = lab.size(300, 2)
        if not lab.quick:
            silos["Box2D v3, 2000 grains"] = replace(base, grains=2000, make_scene=BoxScene)
            sizes["Box2D v3, 2000 grains"] = lab.size(100, 2)
    found = _j50(lab, silos, sizes)
    start = found["base: 400 grains, loose"]
    findings = Findings(tables={"filling": _table(found, silos)})
    if "800 grains" in found:
        taller = difference(found["800 grains"], start)
        findings.checks.append(
            Check(
                "J_50 at 4 d, bed of 800 grains minus 400",
                taller,
                "0 (Janssen: a wall carries what is above)",
                "computed",
                "interval contains 0",
                taller.low <= 0.0 <= taller.high,
            )
        )
    waited = lab.trials(partial(_stays, Silo(3.0)), lab.size(30, 2), "clog criterion")
    clogs = sum(clogged for clogged, _ in waited)
    if clogs:
        stayed = share(sum(still for _, still in waited), clogs)
        findings.checks.append(
            Check(
                "share of clogs at 3 d that still hold 157 t0 later",
                stayed,
                "1: Goldberg 2018 waits that long, here 2 t0 of stillness",
                "published",
                "all of them",
                stayed.value == 1.0,
            )
        )
    references = {"base: 400 grains, loose": reference("j50_global").at(4.0)[0]}
    findings.figures["filling"] = partial(
        _plot, found, references, "Outlet of 4 d, discs, refilled: one factor at a time"
    )
    return findings


SHAPE = Study("shapes", "Do polygons clog in the published order?", shape)
FRICTION = Study("friction", "Does friction make the clogs, and restitution not?", friction)
SOLVER = Study("solver", "Is the clogging converged at the tower's settings?", solver)
FILLING = Study("filling", "What moves J_50: filling, clog criterion, height, engine?", filling)
