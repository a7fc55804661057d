# %% [markdown]
# # What the numbers say about the game
#
# Limits, colors, memory: what a hammerer would like to know. The answers come from the small
# network that was taught by the simulated tower, so that many thousand turns take seconds.
# They are about the *simulated* tower; its dimensions are assumed (see the first notebook).

# %%
import os
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np

from rocktower import Striker, TowerModel
from rocktower.calibration.fitting import (
    History,
    color_weights,
    draw_colors,
    fresh_after,
    network_for,
    to_coordinates,
)
from rocktower.games.trollfjord import ALL_BOULDERS

SHORT = bool(os.environ.get("ROCKTOWER_SHORT_NOTEBOOKS"))  # fewer turns, for the tests
TURNS = 400 if SHORT else 8000
MOST_HITS = 9

model, normal = TowerModel.load(), Striker.named("normal")
network = network_for(model)
setup = to_coordinates(
    [model.boulder_contact.friction, model.geometry.outlet_width, 1.0, normal.speed,
     normal.speed_spread]
)  # fmt: skip
print(f"a normal striker: {normal.speed} m/s, spread {normal.speed_spread:.0%}; {TURNS} turns")


# %% [markdown]
# ## Two turns of nine hits, thousands side by side
#
# In the first turn the tower was just filled. Before the second one all that came out goes back in,
# as in the game: those boulders lie on top, and leave later.


# %%
def hammer(history, inside, fresh, rng):
    """Nine hits: how many are left before each, and what comes out by color."""
    left, out = [], []
    for _ in range(MOST_HITS):
        boulders = history.left.astype(int)
        shown = history.features()
        total = np.where(
            boulders > 0, network.draw(shown, np.tile(setup, (TURNS, 1)), boulders, rng), 0
        )
        weights = color_weights(inside, fresh, network.color_weight)
        colors = draw_colors(total, inside, weights, rng)
        fresh = fresh_after(inside, fresh, colors, network.color_weight)
        inside = inside - colors
        history = history.after(total)
        left.append(boulders)
        out.append(colors)
    return history, inside, np.array(left), np.array(out)


rng = np.random.default_rng(1)
full = np.tile(np.array(ALL_BOULDERS, dtype=float), (TURNS, 1))
history, inside, left, out = hammer(
    History.filled(np.full(TURNS, 44.0)), full, np.zeros_like(full), rng
)
dropped = full - inside
second = hammer(history.new_turn(dropped.sum(axis=1)), full, dropped, rng)
total = out.sum(axis=2)
print(f"boulders a hit: {total.mean():.2f}; empty hits: {(total == 0).mean():.0%}")

# %% [markdown]
# ## Is the next hit empty?
#
# A full tower holds its boulders better than a half empty one: the pile presses on itself. Whether
# the hit before was empty hardly matters: a tower that gave nothing owes nothing, nor is it jammed
# for long.

# %%
before, now, inside_now = total[:-1].ravel(), total[1:].ravel(), left[1:].ravel()
edges = np.array([0, 8, 14, 20, 26, 32, 38, 45])
middles = 0.5 * (edges[:-1] + edges[1:] - 1)
figure, (first, last) = plt.subplots(1, 2, figsize=(11, 3.9), layout="constrained")
for chosen, color, label in (
    (before == 0, "#c8452f", "after an empty hit"),
    (before > 0, "#1f4e79", "after another"),
):
    for axes, value in ((first, now == 0), (last, now)):
        rows = [(value[chosen & (inside_now >= a) & (inside_now < b)]) for a, b in pairwise(edges)]
        known = [k for k, row in enumerate(rows) if len(row) >= 20]
        mean = np.array([rows[k].mean() for k in known])
        error = np.array([1.96 * rows[k].std() / np.sqrt(len(rows[k])) for k in known])
        axes.errorbar(middles[known], mean, error, fmt="o-", color=color, capsize=3, label=label)
first.set(xlabel="boulders left", ylabel="share of empty hits", ylim=(0, 1))
last.set(xlabel="boulders left", ylabel="boulders of the next hit", ylim=(0, None))
first.legend(frameon=False)
first.set_title("bars: 95 %", fontsize=10)
for axes in (first, last):
    axes.invert_xaxis()
    axes.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# ## Which treasure can I get?
#
# With so many trolls around the fortress one may strike so often (at most nine times), and no more
# boulders than that of one color may come out, but for white ones: else the mountain spirit is
# angry, and wants gifts. One strikes until there are enough boulders for the treasure. Left: the
# chance to bring it home without any gift. Right: what spoils it, for seven trolls.

# %%
values = np.arange(10, 29)
sums, by_color = total.cumsum(axis=0), out.cumsum(axis=0)


def outcome(limit, value):
    """Shares of turns: got it, angry spirit, out of hits."""
    reached = sums[:limit] >= value
    angry = (by_color[:limit, :, :3] > limit).any(axis=2)
    ever = reached.any(axis=0)
    when = np.where(ever, reached.argmax(axis=0), limit)
    spoiled = np.where(angry.any(axis=0), angry.argmax(axis=0), limit) <= np.minimum(
        when, limit - 1
    )
    return np.mean(ever & ~spoiled), np.mean(spoiled), np.mean(~ever & ~spoiled)


figure, (chances, spoils) = plt.subplots(1, 2, figsize=(11.5, 4.2), layout="constrained")
for limit, color in zip(range(4, 10), plt.cm.viridis(np.linspace(0.0, 0.9, 6)), strict=True):
    shares = [outcome(limit, value)[0] for value in values]
    chances.plot(values, shares, "o-", ms=3, color=color, label=f"{limit} trolls")
chances.set(xlabel="value of the treasure", ylabel="chance to get it without gifts", ylim=(0, 1))
chances.legend(frameon=False, fontsize=8)
chances.set_title("trolls: hits allowed, and boulders of a color", fontsize=10)
got, angry, short = np.array([outcome(7, value) for value in values]).T
spoils.stackplot(
    values, got, angry, short, labels=("got it", "angry: too many of a color", "out of hits"),
    colors=("#7a9e6e", "#c8452f", "#c9c9c9"),
)  # fmt: skip
spoils.set(xlabel="value of the treasure", ylabel="share of turns", ylim=(0, 1), xlim=(10, 28))
spoils.legend(fontsize=8, loc="lower left")
spoils.set_title("seven trolls", fontsize=10)
for axes in (chances, spoils):
    axes.set_xticks(range(10, 29, 3))
chances.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# ## What goes in last comes out late
#
# In the second turn, boulders that were dropped in before it leave less often than those that have
# been inside for longer. Whoever saw many reds fall and go back in need not fear red so much.

# %%
red = 0
put_back = dropped[:, red] / np.maximum(dropped.sum(axis=1), 1.0)
came = second[3][:3].sum(axis=0)
some = (came.sum(axis=1) > 0) & (dropped.sum(axis=1) >= 8)
share_red = came[some, red] / came[some].sum(axis=1)
bins = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.6])
place = np.digitize(put_back[some], bins) - 1
figure, axes = plt.subplots(figsize=(6.4, 3.9), layout="constrained")
known = [k for k in range(len(bins) - 1) if (place == k).sum() >= 20]
mean = [share_red[place == k].mean() for k in known]
error = [1.96 * share_red[place == k].std() / np.sqrt((place == k).sum()) for k in known]
axes.errorbar(
    [put_back[some][place == k].mean() for k in known], mean, error, fmt="o-", color="#c8452f",
    capsize=3, label="this tower",
)  # fmt: skip
axes.axhline(0.25, color="#888888", lw=0.8, label="if all boulders were alike")
axes.set(
    xlabel="share of red among what was dropped in", ylabel="share of red in the next three hits",
    ylim=(0.1, 0.4),
)  # fmt: skip
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# How well the network knows the simulated tower stands in `docs/calibration.md`. To ask the same of
# your own tower, take setups from the folder of a fit: `posterior.npz` has a thousand of them.
