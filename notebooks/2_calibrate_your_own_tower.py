# %% [markdown]
# # Calibrate your own tower
#
# Write down what falls out of your wooden tower (`rocktower record` helps, or a sheet of paper:
# `docs/recording.md`), and find the simulated towers that could have made these hits. Set `HITS` to
# your file. As it stands, it is the evening of an owner who does not exist, so that the truth is
# known.

# %%
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

from rocktower import TowerModel
from rocktower.calibration import read_record
from rocktower.calibration.fitting import (
    Prior,
    Task,
    label_of,
    network_for,
    plain_words,
    write_results,
)
from rocktower.tower import FittedTower

SHORT = bool(os.environ.get("ROCKTOWER_SHORT_NOTEBOOKS"))  # fewer games at the end, for the tests
ROOT = Path(__file__).parents[1] if "__file__" in globals() else Path.cwd().parent
HITS = ROOT / "calibration/data/synthetic_1_game_evening.csv"
TRUTH = {"friction": 0.30, "outlet_width": 0.025, "speed": 1.8, "speed_spread": 0.20}
BUDGET = "quick"  # nothing is simulated; "normal" takes minutes, and is what to trust
SEED = 1

# %% [markdown]
# ## The hits

# %%
record = read_record(HITS)
print(f"{record.name}: {record.hits} hits")
out = np.array([s.out_total.low for s in record.situations if s.out_total.is_known])
turn = [(s.row.filling, s.row.turn) for s in record.situations if s.out_total.is_known]
figure, axes = plt.subplots(figsize=(11, 2.8), layout="constrained")
axes.bar(range(len(out)), out, color="#b58e5f")
axes.plot(np.flatnonzero(out == 0), np.zeros((out == 0).sum()), "v", color="#c8452f", ms=4)
for place in [k for k in range(1, len(turn)) if turn[k] != turn[k - 1]]:
    axes.axvline(place - 0.5, color="#cccccc", lw=0.7, zorder=0)
axes.set(xlabel="hit (lines: turns, red: empty)", ylabel="boulders")
axes.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# ## The fit
#
# The same as `rocktower calibrate HITS`. It first asks whether the model can make such hits at all;
# if not, it stops with an error, and says which statistic gave it away.

# %%
base = TowerModel.load()
task = Task(record, base, Prior.load(), BUDGET, SEED)
with TemporaryDirectory() as parts:
    fit = task.run(Path(parts), network_for(base), tell=print)
print()
for line in (*plain_words(fit), *fit.trouble):
    print(line)

# %% [markdown]
# ## What was learned, and what was not
#
# Gray is what was thought before, blue what the hits leave possible, the line the truth (which is
# known only because this owner was made up). A number whose blue is as wide as its gray was not
# learned.

# %%
names = fit.design.names
before, after = fit.design.shown(fit.prior_draws), fit.design.shown(fit.chain.draws)
figure, panels = plt.subplots(1, len(names), figsize=(2.5 * len(names), 2.9), layout="constrained")
for k, (axes, name) in enumerate(zip(panels, names, strict=True)):
    label, unit, factor = label_of(name)
    edges = np.linspace(*np.quantile(before[:, k], (0.0, 1.0)) * factor, 28)
    axes.hist(before[:, k] * factor, edges, density=True, color="#d3d3d3")
    axes.hist(after[:, k] * factor, edges, density=True, color="#1f4e79", alpha=0.75)
    if name in TRUTH:
        axes.axvline(TRUTH[name] * factor, color="#c8452f", lw=2)
    axes.set(xlabel=label.split(" (")[0] + ("," + unit if unit else ""), yticks=[])
    axes.set_title("" if fit.parameters[k].is_identified else "not identified", fontsize=9)
    axes.spines[["top", "right", "left"]].set_visible(False)

# %% [markdown]
# ## The ridge
#
# A weak blow and a sticky tower look nearly the same in counts, so speed and friction are known
# together better than alone. Strikes from a marked height (`drop_cm`) tell them apart.

# %%
figure, axes = plt.subplots(figsize=(5.6, 4.2), layout="constrained")
friction, speed = names.index("friction"), names.index("speed")
axes.plot(before[:1500, friction], before[:1500, speed], ".", ms=2, color="#c9c9c9", label="before")
axes.plot(after[:, friction], after[:, speed], ".", ms=3, color="#1f4e79", label="after")
axes.plot(TRUTH["friction"], TRUTH["speed"], "*", ms=16, color="#c8452f", label="truth")
axes.set(xlabel="friction", ylabel="median speed of the hammer, m/s")
axes.legend(loc="lower right", markerscale=1.0)
axes.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# ## Does it foretell what it did not aim at?
#
# Replays of your own evening with towers from the posterior (gray), and your evening (red). A small
# p is a warning: the model misses something about your tower.

# %%
checks = fit.held_out
figure, panels = plt.subplots(
    1, len(checks), figsize=(2.6 * len(checks), 2.7), layout="constrained"
)
for axes, check in zip(panels, checks, strict=True):
    axes.hist(check.replays, 24, color="#c9c9c9")
    axes.axvline(check.observed, color="#c8452f", lw=2)
    words = check.name.split(", ")[0].replace("boulders of the first", "boulders, first")
    axes.set(yticks=[], xlabel=words)
    axes.set_title(f"p = {check.p:.2f}", fontsize=9)
    axes.xaxis.label.set_size(8)
    axes.spines[["top", "right", "left"]].set_visible(False)

# %% [markdown]
# ## Towers to play with
#
# The folder of a fit holds a tower for each draw. A game with `--tower FOLDER` takes one of them,
# so that play carries what is not known. Here are turns of six hits at towers drawn from the fit.

# %%
TOWERS = 3 if SHORT else 30
with TemporaryDirectory() as place:
    write_results(fit, Path(place), seconds=0.0)
    fitted = FittedTower.load(Path(place))
sums = np.zeros((TOWERS, 6), dtype=int)
for number in range(TOWERS):
    rng = np.random.default_rng((SEED, number))
    tower, striker = fitted.draw(rng)
    state = tower.fill(rng)
    for hit in range(6):
        result = tower.strike(state, striker.draw(rng, tower.geometry.height), rng)
        state = result.state
        sums[number, hit] = len(result.hit)
figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
axes.plot(range(1, 7), sums.cumsum(axis=1).T, color="#1f4e79", alpha=0.25)
axes.plot(range(1, 7), sums.cumsum(axis=1).mean(axis=0), "o-", color="#1f4e79", lw=2)
mine = [out[[t == one for t in turn]] for one in dict.fromkeys(turn)]
for hits in mine:
    axes.plot(range(1, min(len(hits), 6) + 1), hits.cumsum()[:6], color="#c8452f", alpha=0.45, lw=1)
axes.set(xlabel="hit of the turn", ylabel="boulders so far")
axes.set_title("blue: towers of the fit, from full; red: your turns", fontsize=10)
axes.spines[["top", "right"]].set_visible(False)
