"""The odds as a picture, with matplotlib, which is imported when one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocktower.odds._advice import Advice

__all__ = ["plot_advice"]

_STOP, _GO, _BROKEN, _WOOD, _INK = "#1f4e79", "#c8452f", "#d9b38c", "#b58e5f", "#3a3a3a"


def plot_advice(advice: Advice) -> Figure:
    """Draw stopping against going on by hit, the next hit, and where stopping at a total leads."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.6), layout="constrained")
    by_hit, next_hit, policies = figure.subplots(1, 3, width_ratios=(1.25, 1, 1.25))
    _by_hit(by_hit, advice)
    _next_hit(next_hit, advice)
    _policies(policies, advice)
    for axes in (by_hit, next_hit, policies):
        axes.spines[["top", "right"]].set_visible(False)
        axes.title.set(fontsize=10)
    return figure


def _by_hit(axes: Axes, advice: Advice) -> None:
    hits = np.array([row.hit for row in advice.by_hit])
    stop = np.array([row.stop for row in advice.by_hit])
    go = np.array([row.go for row in advice.by_hit])
    broken = 100 * np.array([row.over for row in advice.by_hit])
    behind = axes.twinx()
    behind.bar(hits, broken, width=0.7, color=_BROKEN, alpha=0.45, label="color limit broken, %")
    behind.set_ylim(0, 100)
    behind.set_ylabel("color limit broken by then, %", color="#8a6a48")
    behind.spines[["top"]].set_visible(False)
    axes.plot(hits, stop, "o-", color=_STOP, label="stop after this hit")
    axes.plot(hits, go, "s--", color=_GO, label="go on, then do the best")
    axes.set_zorder(behind.get_zorder() + 1)
    axes.patch.set_visible(False)
    axes.set_xticks(hits)
    axes.set(
        title="Stopping against going on\n(if all strike on to there, limit unbroken)",
        xlabel="hits used",
        ylabel="points for who has the hammer",
    )
    axes.legend(fontsize=8, loc="best", frameon=False)


def _next_hit(axes: Axes, advice: Advice) -> None:
    from matplotlib.ticker import MaxNLocator

    totals = np.array(advice.next_hit.totals)
    most = max(int(np.flatnonzero(totals > 0.003).max()), 5)
    bars = axes.bar(range(most + 1), 100 * totals[: most + 1], color=_WOOD, width=0.8)
    bars[0].set_color("#9a9a9a")
    now = advice.situation.out.total
    for treasure in advice.situation.treasures:
        if now < treasure.value <= now + most:
            axes.axvline(treasure.value - now - 0.5, color=_INK, lw=1, ls=":")
            axes.annotate(
                f"{treasure.value} ", (treasure.value - now - 0.5, 1.0), ha="right", va="top",
                xycoords=("data", "axes fraction"), fontsize=8,
            )  # fmt: skip
    axes.set(
        title=f"The next hit\n(breaks the color limit: {advice.next_hit.broken.value:.0%})",
        xlabel="boulders (0: an empty hit)",
        ylabel="chance, %",
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _policies(axes: Axes, advice: Advice) -> None:
    from matplotlib.ticker import MaxNLocator

    least = np.array([policy.least for policy in advice.policies])
    low, lower, middle, upper, high = np.array([p.quantiles for p in advice.policies]).T
    if len(least) == 1:  # a single column is drawn with some width
        least = least + np.array([-0.5, 0.5])
        low, lower, middle, upper, high = (
            np.repeat(q, 2) for q in (low, lower, middle, upper, high)
        )
    axes.fill_between(least, low, high, color=_WOOD, alpha=0.25, lw=0, label="90 % of turns")
    axes.fill_between(least, lower, upper, color=_WOOD, alpha=0.5, lw=0, label="half of them")
    axes.plot(least, middle, color=_INK, lw=1.5, label="median")
    for treasure in advice.situation.treasures:
        axes.axhline(treasure.value, color=_STOP, lw=0.8, ls=":")
    behind = axes.twinx()
    broken = np.array([100 * policy.broken.value for policy in advice.policies])
    behind.plot(least, np.resize(broken, len(least)), color=_GO, lw=1.5)
    behind.set_ylim(0, 100)
    behind.set_ylabel("color limit broken, %", color=_GO)
    behind.spines[["top"]].set_visible(False)
    axes.set(
        title="Stop at n: where it ends\n(dotted: the treasures)",
        xlabel="strike until n boulders are out",
        ylabel="boulders out at the end",
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(fontsize=8, loc="upper left", frameon=False)
