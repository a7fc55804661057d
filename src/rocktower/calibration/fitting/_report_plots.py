"""The pictures of a fit's report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocktower.calibration.fitting._fit import Fit
    from rocktower.calibration.fitting._predict import Check

__all__ = ["plot_checks", "plot_data", "plot_pairs", "plot_parameters"]

_PRIOR, _POSTERIOR, _RECORD = "#b9b9b9", "#1f4e79", "#c8452f"
_SHORT = {
    "friction": ("friction", 1.0),
    "outlet_width": ("outlet, mm", 1000.0),
    "grip": ("grip level", 1.0),
    "speed": ("speed, m/s", 1.0),
    "speed_spread": ("speed spread, %", 100.0),
}


def _short(name: str) -> tuple[str, float]:
    literal = name.replace("$", r"\$")  # in somebody's name it begins no formula
    return _SHORT.get(name, (f"{literal}, m/s", 1.0))


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _bare(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)


def plot_parameters(fit: Fit) -> Figure:
    """Draw prior (grey) and posterior (blue) of each number, and of speed over friction."""
    prior, posterior = fit.design.shown(fit.prior_draws), fit.design.shown(fit.chain.draws)
    columns = [
        (*_short(name), prior[:, k], posterior[:, k], fit.parameters[k].is_identified)
        for k, name in enumerate(fit.design.names)
    ]
    ratio = fit.parameters[-1]
    columns.append(
        ("speed / friction, m/s", 1.0, prior[:, 3] / prior[:, 0],
         posterior[:, 3] / posterior[:, 0], ratio.is_identified)
    )  # fmt: skip
    rows = -(-len(columns) // 3)
    figure = _figure(10, 2.4 * rows)
    panels = figure.subplots(rows, 3, squeeze=False).flat
    for axes, (label, factor, before, after, identified) in zip(panels, columns, strict=False):
        low, high = np.quantile(before * factor, (0.002, 0.998))
        edges = np.linspace(low, high, 30)
        axes.hist(before * factor, edges, density=True, color=_PRIOR, label="prior")
        axes.hist(
            after * factor, edges, density=True, histtype="step", lw=2, color=_POSTERIOR,
            label="posterior",
        )  # fmt: skip
        axes.set(xlabel=label, yticks=[], title="" if identified else "not identified")
        axes.title.set(fontsize=9, color=_RECORD)
        _bare(axes)
    figure.axes[0].legend(fontsize=8, frameon=False)
    for axes in figure.axes[len(columns) :]:
        axes.set_axis_off()
    return figure


def plot_pairs(fit: Fit) -> Figure:
    """Draw pairs of the first striker's numbers; speed against friction large."""
    shown = fit.design.shown(fit.chain.draws)
    prior = fit.design.shown(fit.prior_draws)
    names = fit.design.names[:5]
    figure = _figure(12, 6.8)
    left, right = figure.subfigures(1, 2, width_ratios=(1.0, 1.5), squeeze=False).flat
    axes = left.subplots()
    axes.plot(prior[:1000, 0], prior[:1000, 3], ".", ms=2, color=_PRIOR, label="prior")
    axes.plot(shown[:, 0], shown[:, 3], ".", ms=3, color=_POSTERIOR, alpha=0.5, label="posterior")
    low, high = np.quantile(shown[:, 0], (0.01, 0.99))
    line = np.linspace(low, high, 20)
    axes.plot(
        line, fit.parameters[-1].mean * line, "--", color=_RECORD, label="same speed / friction"
    )
    axes.set(xlabel="friction", ylabel="median speed, m/s", title="The ridge")
    axes.set(ylim=(0, 1.05 * prior[:, 3].max()))
    axes.legend(fontsize=8, markerscale=4.0)
    _bare(axes)
    grid = right.subplots(4, 4, squeeze=False)
    for row in range(4):
        for column in range(4):
            panel = grid[row, column]
            if column > row:
                panel.set_axis_off()
                continue
            (x_name, x), (y_name, y) = _short(names[column]), _short(names[row + 1])
            panel.plot(
                shown[:, column] * x, shown[:, row + 1] * y, ".", ms=1, color=_POSTERIOR, alpha=0.4
            )
            panel.tick_params(labelsize=7)
            if row == 3:
                panel.set_xlabel(x_name, fontsize=9)
            if column == 0:
                panel.set_ylabel(y_name, fontsize=9)
    return figure


def plot_data(fit: Fit) -> Figure:
    """Draw the hits in their order, and how many have so many boulders, with what is foretold."""
    from rocktower.calibration.fitting._predict import Seen

    seen = Seen.of_record(fit.task.record)
    figure = _figure(10, 3.2)
    order, counts = figure.subplots(1, 2, width_ratios=(1.5, 1.0))
    totals = seen.totals[0] / seen.hits
    place = np.cumsum(seen.hits) - 0.5 * seen.hits
    order.bar(place, totals, width=0.9 * seen.hits, color="#b58e5f")
    more, empty = seen.most[0] > seen.totals[0], seen.most[0] == 0.0
    for marked, marker, color, label in (
        (more, "^", _POSTERIOR, "or more"), (empty, "v", _RECORD, "empty"),
    ):  # fmt: skip
        if marked.any():
            order.plot(
                place[marked], totals[marked], marker, color=color, ms=4, clip_on=False, zorder=3,
                label=label,
            )  # fmt: skip
    starts = np.flatnonzero(np.diff(seen.turn) > 0)
    for edge in np.cumsum(seen.hits)[starts]:
        order.axvline(edge, color="#cccccc", lw=0.6, zorder=0)
    order.set(xlabel="hit (lines: turns)", ylabel="boulders a hit")
    if more.any() or empty.any():
        order.legend(fontsize=8, frameon=False)
    known = (seen.hits == 1) & (seen.totals[0] == seen.most[0])
    if known.any():
        fine, replays = seen.totals[:, known], fit.replays.totals[:, known]
        each = np.arange(int(max(fine.max(), np.quantile(replays, 0.995))) + 1)
        observed = [(fine == k).sum() for k in each]
        foretold = np.array([(replays == k).sum(axis=1) for k in each])
        low, middle, high = np.quantile(foretold, (0.025, 0.5, 0.975), axis=1)
        counts.bar(each, observed, color="#b58e5f", label="record")
        errors: Any = np.array([middle - low, high - middle])
        counts.errorbar(
            each, middle, errors, fmt="o", ms=3, capsize=2, color=_POSTERIOR,
            label="foretold, 95 %",
        )  # fmt: skip
        counts.xaxis.get_major_locator().set_params(integer=True)
        counts.legend(fontsize=8, frameon=False)
    counts.set(xlabel="boulders of a hit", ylabel="hits")
    for axes in (order, counts):
        _bare(axes)
    return figure


def plot_checks(checks: Sequence[Check]) -> Figure:
    """Draw where the record lies among replays, a panel for each statistic."""
    columns = 3
    rows = max(1, -(-len(checks) // columns))
    figure = _figure(10, 2.2 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for axes, one in zip(panels, checks, strict=False):
        low = min(float(one.replays.min()), one.observed)
        high = max(float(one.replays.max()), one.observed_to)
        axes.hist(one.replays, np.linspace(low, high + 1e-9, 26), color=_PRIOR)
        axes.axvspan(one.observed, one.observed_to, color=_RECORD, alpha=0.3)
        for end in {one.observed, one.observed_to}:
            axes.axvline(end, color=_RECORD, lw=2)
        axes.set(yticks=[], xlabel=one.name)
        axes.xaxis.label.set_size(8)
        axes.set_title(f"p = {one.p:.2f}", fontsize=8)
        _bare(axes)
    for axes in figure.axes[len(checks) :]:
        axes.set_axis_off()
    return figure
