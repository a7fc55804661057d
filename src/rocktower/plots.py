"""Plots of many hits with matplotlib, which is imported when one is drawn."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from rocktower.colors import BOULDER_COLORS
from rocktower.sampling import SIZES, size_name
from rocktower.tower import COLORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocktower.sampling import HitGroup, Memory, Summary
    from rocktower.statistics import Interval

__all__ = ["plot_summary"]

_WOOD = "#b58e5f"
_EMPTY, _OLD, _NEW, _INK = "#9a9a9a", "#1f4e79", "#c8452f", "#3a3a3a"


def plot_summary(summary: Summary, title: str) -> Figure:
    """Draw boulders a hit, empty hits, colors and memory.

    Error bars, bands and the small numbers are 95 % intervals.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 11), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(2.0, 1.0), squeeze=False).flat
    panels = above.subplots(2, 3)
    _sizes(panels[0, 0], summary.total)
    _groups(panels[0, 1], summary.by_hit, "hit of the turn")
    _groups(panels[0, 2], summary.by_left[::-1], "boulders left")
    panels[0, 2].tick_params(axis="x", rotation=45)
    _colors(panels[1, 0], summary)
    if summary.memory:
        _memory(panels[1, 1], summary.memory)
        _ages(panels[1, 2], summary.memory)
    else:
        for axes in panels[1, 1:]:
            axes.set_axis_off()
    for axes in panels.flat:
        axes.spines[["top", "right"]].set_visible(False)
    widths = len(summary.by_hit) + 2, len(summary.by_left) + 2
    maps = below.subplots(1, 2, width_ratios=widths)
    _distributions(maps[0], summary.by_hit, "hit of the turn")
    _distributions(maps[1], summary.by_left[::-1], "boulders left")
    for axes in (*panels.flat, *maps):
        axes.title.set(fontsize=10)
    figure.suptitle(title, fontsize=11)
    return figure


def _percent(intervals: Sequence[Interval]) -> tuple[np.ndarray, np.ndarray]:
    return _errors(intervals, 100.0)


def _errors(intervals: Sequence[Interval], scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Return values, shape (n,), and how far their ends are below and above, shape (2, n)."""
    value, low, high = scale * np.array([(i.value, i.low, i.high) for i in intervals]).T
    return value, np.maximum(np.nan_to_num([value - low, high - value]), 0.0)


def _sizes(axes: Axes, total: HitGroup) -> None:
    value, error = _percent(total.sizes)
    bars = axes.bar([size_name(size) for size in SIZES], value, color=_WOOD, width=0.8)
    bars[0].set_color(_EMPTY)
    axes.errorbar(range(len(value)), value, error, fmt="none", ecolor=_INK, capsize=3)
    axes.set(
        title=f"All {total.hits:,} hits: {total.mean.value:.2f} boulders a hit",
        xlabel="boulders (0: an empty hit)",
        ylabel="share of hits, %",
    )


def _groups(axes: Axes, groups: Sequence[HitGroup], label: str) -> None:
    names, places = [group.name for group in groups], np.arange(len(groups))
    mean, error = _errors([group.mean for group in groups])
    line = axes.errorbar(places, mean, error, fmt="o-", color=_OLD, capsize=3, ms=4)
    axes.set_xticks(places, names)
    axes.set(
        xlabel=label,
        title=f"Boulders a hit and empty hits, by {label.split(' before', maxsplit=1)[0]}",
    )
    axes.set_ylabel("boulders a hit", color=_OLD)
    axes.set_ylim(0, 1.25 * float((mean + error[1]).max()) + 0.01)
    other = axes.twinx()
    empty, error = _percent([group.empty for group in groups])
    bars = other.bar(
        places, empty, yerr=error, color=_EMPTY, ecolor="#777777", alpha=0.45, capsize=2
    )
    other.set_ylabel("empty hits, %", color="#666666")
    telling = [group.hits >= 30 for group in groups]
    other.set_ylim(0, max(2.5 * float(empty[telling if any(telling) else slice(None)].max()), 1.0))
    other.spines[["top"]].set_visible(False)
    axes.set_zorder(other.get_zorder() + 1)
    axes.patch.set_visible(False)
    axes.legend([line, bars], ["boulders", "empty"], fontsize=8, loc="upper right", ncols=2)


def _distributions(axes: Axes, groups: Sequence[HitGroup], label: str) -> None:
    shares = np.array([[100.0 * share.value for share in group.sizes] for group in groups]).T
    axes.imshow(shares, cmap="YlOrBr", vmin=0.0, vmax=70.0, aspect="auto", origin="lower")
    for x, group in enumerate(groups):
        for y, share in enumerate(group.sizes):
            low, high = 100.0 * share.low, 100.0 * share.high
            axes.text(x, y, f"{100 * share.value:.0f}", ha="center", va="bottom", fontsize=8)
            axes.text(x, y, f"{low:.0f}-{high:.0f}", ha="center", va="top", fontsize=6)
    axes.set_xticks(range(len(groups)), [group.name for group in groups], fontsize=8)
    axes.set_yticks(range(len(SIZES)), [size_name(size) for size in SIZES])
    axes.set(title=f"Share of hits (%) by {label}", xlabel=label, ylabel="boulders")


def _colors(axes: Axes, summary: Summary) -> None:
    colors = summary.colors
    value, error = _percent(colors.shares)
    axes.bar(
        COLORS, value, yerr=error, capsize=4, ecolor=_INK, edgecolor=_INK,
        color=[BOULDER_COLORS[color] for color in COLORS],
    )  # fmt: skip
    for place, share in enumerate(colors.expected):
        axes.plot([place - 0.45, place + 0.45], [100 * share] * 2, "--", color=_INK, lw=1)
    test = "" if isnan(colors.p_value) else f" (p = {colors.p_value:.2f})"
    axes.set(
        title=f"Colors of what came out{test}",
        xlabel="dashed: their share in the tower",
        ylabel="share of boulders, %",
    )


def _memory(axes: Axes, memory: Memory) -> None:
    hits = np.arange(1, len(memory.new_by_hit) + 1)
    for intervals, name, color in (
        (memory.old_by_hit, "inside for longer", _OLD),
        (memory.new_by_hit, "just dropped in", _NEW),
    ):
        value, error = _percent(intervals)
        axes.plot(hits, value, "o-", color=color, label=name, ms=4)
        axes.fill_between(hits, value - error[0], value + error[1], color=color, alpha=0.2, lw=0)
    axes.legend(fontsize=8, loc="upper left", frameon=False)
    axes.set_xticks(hits)
    axes.set(
        title="Memory: who has left the tower",
        xlabel="hits of the turn",
        ylabel="share of the boulders, %",
        ylim=(0, None),
    )


def _ages(axes: Axes, memory: Memory) -> None:
    value, error = _percent(memory.by_age)
    bars = axes.bar(range(len(value)), value, yerr=error, capsize=4, color=_OLD, ecolor=_INK)
    bars[0].set_color(_NEW)
    axes.set_xticks(range(len(value)))
    axes.set(
        title="Memory: share that leaves in a turn",
        xlabel="turns since it was dropped in (0: just before)",
        ylabel="share of the boulders, %",
    )
