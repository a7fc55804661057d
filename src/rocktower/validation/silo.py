"""Clogging of a flat-bottomed silo of discs, refilled and re-struck."""

from __future__ import annotations

from functools import partial
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.statistics import Interval, difference, exact, ratio, share
from rocktower.validation._curves import crossing, geometric_tail, line
from rocktower.validation._references import reference
from rocktower.validation._silo import Discharge, Silo, first_avalanche, later_avalanches
from rocktower.validation._study import Check, Findings, Lab, Study

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

__all__ = ["STUDY", "clogged_before"]

_LONGEST = 400  # grains, where an avalanche is cut off
_SHORTER = 150  # grains, the same from 4 d on, where most avalanches are longer still
_TAIL = 10  # grains; shorter avalanches have their own law
_PER_FILLING = 12  # avalanches of one filling


def clogged_before(discharges: Sequence[Discharge], grains: int) -> Interval:
    """Return the share of avalanches that clogged before that many grains had left."""
    return share(sum(d.clogged and d.grains < grains for d in discharges), len(discharges))


def refilled(lab: Lab, findings: Findings) -> dict[float, list[Discharge]]:
    """Measure J_50 and J_44 against the outlet, with a new filling for every trial."""
    sizes = {4.0: lab.size(600, 4)}
    if not lab.quick:
        sizes |= dict.fromkeys((3.0, 3.5, 4.5, 5.0), lab.size(300, 4))
    else:
        sizes |= {3.0: 4, 5.0: 4}
    found = {
        outlet: lab.trials(
            partial(first_avalanche, Silo(outlet), 50), sizes[outlet], f"refilled, {outlet:g} d"
        )
        for outlet in sorted(sizes)
    }
    envelope, earlier = reference("j44_envelope"), reference("j50_earlier")
    rows: list[dict[str, Any]] = []
    for outlet, discharges in found.items():
        j50, j44 = clogged_before(discharges, 50), clogged_before(discharges, 44)
        low, high = envelope.at(outlet)
        rows.append({"outlet_d": outlet, "what": "J_50", **j50.row("value")})
        rows.append({"outlet_d": outlet, "what": "J_44", **j44.row("value")})
        findings.checks.append(
            Check(
                f"J_44 at {outlet:g} d, refilled",
                j44,
                f"{low:g} to {high:g} ({envelope.title})",
                envelope.provenance,
                "95 % interval meets the envelope",
                j44.high >= low and j44.low <= high,
            )
        )
        if any(point[0] == outlet for point in earlier.points):
            low, high = earlier.at(outlet)
            findings.checks.append(
                Check(
                    f"J_50 at {outlet:g} d, refilled",
                    j50,
                    f"{low:g} to {high:g} ({earlier.title})",
                    earlier.provenance,
                    "95 % interval meets the window",
                    j50.high >= low and j50.low <= high,
                )
            )
    findings.tables["refilled"] = rows
    _curve(lab, findings, found)
    return found


def _curve(lab: Lab, findings: Findings, found: Mapping[float, list[Discharge]]) -> None:
    """Check where J_50 falls through one half, and how steeply."""
    outlets = list(found)
    counts = [sum(d.clogged and d.grains < 50 for d in found[o]) for o in outlets]
    trials = [len(found[o]) for o in outlets]
    rng = np.random.default_rng(lab.seed)

    def shape(drawn: Sequence[int]) -> tuple[float, float]:
        at = {q: crossing(outlets, drawn, trials, q) for q in (0.9, 0.5, 0.1)}
        return at[0.5], at[0.1] - at[0.9]

    drawn = [
        shape([int(rng.binomial(m, c / m)) for c, m in zip(counts, trials, strict=True)])
        for _ in range(500)
    ]
    spread = np.nanquantile(np.array(drawn), [0.025, 0.975], axis=0)
    middle, width = shape(counts)
    for k, (value, low, high, what, source) in enumerate(
        (
            (middle, 3.1, 4.4, "outlet where J_50 = 0.5 (d), refilled", "3.22 to 4.28"),
            (width, 1.0, 1.8, "outlet from J_50 = 0.9 to 0.1 (d), refilled", "1.1 to 1.6"),
        )
    ):
        findings.checks.append(
            Check(
                what,
                Interval(value, float(spread[0, k]), float(spread[1, k]), sum(trials)),
                f"{source} (six studies, see j44_envelope)",
                "digitised",
                f"{low:g} to {high:g}",
                low <= value <= high,
            )
        )


def _cut(outlet: float) -> int:
    return _LONGEST if outlet < 4.0 else _SHORTER


def restruck(lab: Lab, findings: Findings) -> dict[float, list[list[Discharge]]]:
    """Measure avalanches that start from a broken arch: their mean and their tail."""
    fillings = {2.0: lab.size(10, 1), 2.5: lab.size(10, 2), 3.0: lab.size(12, 2)}
    if not lab.quick:
        fillings |= {3.5: lab.size(30, 2), 4.0: lab.size(150, 2)}
    count = 4 if lab.quick else _PER_FILLING
    found = {
        outlet: lab.trials(
            partial(later_avalanches, Silo(outlet), count, _cut(outlet)),
            fillings[outlet],
            f"re-struck, {outlet:g} d",
        )
        for outlet in sorted(fillings)
    }
    rows: list[dict[str, Any]] = []
    means: list[Interval] = []
    for outlet, chains in found.items():
        # Cut-off avalanches count as grains without a clog.
        value = ratio(
            [sum(d.grains for d in chain) for chain in chains],
            [sum(d.clogged for d in chain) for chain in chains],
        )
        means.append(value)
        flat = [d for chain in chains for d in chain]
        rows += [
            {
                "outlet_d": outlet,
                "what": "mean avalanche",
                **value.row("value"),
                "avalanches": len(flat),
            },
            {
                "outlet_d": outlet,
                "what": "J_50",
                **clogged_before(flat, 50).row("value"),
                "avalanches": len(flat),
            },
        ]
    findings.tables["restruck"] = rows
    outlets = list(found)
    _, rise, r_squared = line([o**2 for o in outlets], [log(m.value + 1.0) for m in means])
    findings.checks += [
        Check(
            f"slope of ln(<s> + 1) against (D/d)^2, re-struck, 2 to {outlets[-1]:g} d",
            exact(rise, len(outlets)),
            "0.26 to 0.38 (five studies)",
            "digitised",
            "0.22 to 0.42",
            0.22 <= rise <= 0.42,
        ),
        Check(
            "R^2 of that line",
            exact(r_squared, len(outlets)),
            "linear (Thomas & Durian 2015)",
            "published",
            "over 0.97",
            r_squared > 0.97,
        ),
    ]
    for outlet in (o for o in outlets if 3.0 <= o < 4.0):
        sizes = [d.grains for chain in found[outlet] for d in chain if d.clogged]
        if sum(grains >= _TAIL for grains in sizes) < 5:
            continue
        p_value, average, n = geometric_tail(sizes, _TAIL, np.random.default_rng(lab.seed))
        findings.checks.append(
            Check(
                f"geometric tail from s = {_TAIL} at {outlet:g} d, re-struck: p (mean excess "
                f"{average:.0f})",
                exact(p_value, n),
                "exponential tail (all sources)",
                "published",
                "bootstrap p > 0.01",
                p_value > 0.01,
            )
        )
    return found


def run(lab: Lab) -> Findings:
    """Run the silo of discs, refilled and re-struck, and compare the two."""
    findings = Findings()
    first = refilled(lab, findings)
    later = restruck(lab, findings)
    outlet = 3.0 if lab.quick else 4.0
    fresh = clogged_before(first[outlet], 50)
    broken = clogged_before([d for chain in later[outlet] for d in chain], 50)
    gap = difference(fresh, broken)
    findings.checks.append(
        Check(
            f"J_50 at {outlet:g} d, refilled minus re-struck",
            gap,
            "0.24 at 4 d (0.718 - 0.479, Goldberg 2018)",
            "digitised",
            "over 0.05, and over 0 by 3 sigma",
            gap.value > 0.05 and gap.value > 3.0 * gap.error,
        )
    )
    findings.figures["silo_j50"] = partial(_plot_j, first, later)
    findings.figures["silo_mean"] = partial(_plot_mean, later)
    findings.figures["silo_tail"] = partial(_plot_tail, later)
    return findings


def _plot_j(
    first: Mapping[float, list[Discharge]], later: Mapping[float, list[list[Discharge]]]
) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    axis = figure.subplots()
    envelope = np.array(reference("j44_envelope").points)
    axis.fill_between(
        *envelope.T, color="#dddddd", label="J_44, " + reference("j44_envelope").title
    )
    for name, style in (("j50_global", "k--"), ("j50_local", "k:")):
        axis.plot(*np.array(reference(name).points).T, style, label=reference(name).title)
    flat = {o: [d for chain in chains for d in chain] for o, chains in later.items()}
    for label, found, color in (("here, refilled", first, "C0"), ("here, re-struck", flat, "C1")):
        _bars(axis, found, color, label)
    axis.set(xlabel="outlet D (d)", ylabel="J_50: clogs before 50 grains have left", xlim=(1.9, 6))
    axis.legend(fontsize=8)
    return figure


def _bars(axis: Any, found: Mapping[float, Sequence[Discharge]], color: str, label: str) -> None:
    values = [clogged_before(discharges, 50) for discharges in found.values()]
    middle = np.array([v.value for v in values])
    error = np.abs(np.array([[v.low, v.high] for v in values]).T - middle)
    axis.errorbar(list(found), middle, error, fmt="o", ms=4, capsize=3, color=color, label=label)


def _plot_mean(later: Mapping[float, list[list[Discharge]]]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    axis = figure.subplots()
    for name, marker in (("mean_janda", "s"), ("mean_to", "^"), ("mean_goldberg", "v")):
        x, y = np.array(reference(name).points).T
        axis.semilogy(x**2, y + 1, marker, mfc="none", color="0.4", label=reference(name).title)
    x_here = [outlet**2 for outlet in later]
    y_here = [
        1
        + sum(d.grains for c in chains for d in c)
        / max(1, sum(d.clogged for c in chains for d in c))
        for chains in later.values()
    ]
    axis.semilogy(x_here, y_here, "o-", color="C1", label="here, re-struck")
    axis.set(xlabel="(D/d)$^2$", ylabel="mean avalanche + 1", xlim=(2, 26), ylim=(1, 1e4))
    axis.legend(fontsize=8)
    return figure


def _plot_tail(later: Mapping[float, list[list[Discharge]]]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    axis = figure.subplots()
    for outlet, chains in later.items():
        sizes = np.sort([d.grains for chain in chains for d in chain if d.clogged])
        if not sizes.size:
            continue
        above = 1.0 - np.arange(len(sizes)) / len(sizes)
        axis.semilogy(sizes, above, drawstyle="steps-pre", label=f"D = {outlet:g} d")
    axis.axvline(10, color="0.6", lw=0.8)
    axis.set(xlabel="avalanche s", ylabel="share of avalanches of at least s", xlim=(0, 400))
    axis.legend(fontsize=8, title="re-struck; a line is a geometric law")
    return figure


STUDY = Study("silo", "Does a silo of discs clog as often as the published ones?", run)
