# %% [markdown]
# # A tour of the tower
#
# The Rock Tower of *Trollfjord* is a wooden box with several levels inside. One strikes its sides,
# and now and then boulders roll out at the bottom. This notebook looks into the simulated one: what
# is in it, what a blow does, how much chance there is, and what is known of the wooden one at all.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

from rocktower import Strike, Striker, TowerModel
from rocktower.statistics import mean, share
from rocktower.viewer import Session, picture

SHORT = bool(os.environ.get("ROCKTOWER_SHORT_NOTEBOOKS"))  # a few strikes, as the tests run it
TURNS = 4 if SHORT else 60

# %% [markdown]
# ## What is in it
#
# A tower model is data: each number with a unit, and with where it comes from. The maker of the
# game has published how many boulders there are, and no dimension.

# %%
model = TowerModel.load()
provenance = [source.provenance for source in model.sources.values()]
for kind in ("published", "inferred", "assumed"):
    print(f"{kind:10} {provenance.count(kind):3} numbers")
print()
for name in ("boulders.colors.red", "boulders.edge", "body.mass", "geometry.outlet_width"):
    source = model.sources[name]
    print(f"{name}: {source.provenance}, {source.reason}")

# %% [markdown]
# ## One strike, frame by frame
#
# A strike is a side, a speed and a height. The tower jumps aside, the pile loosens, and what
# bridged the outlet may break. Here are the five hits before it and four moments after the sixth.

# %%
session = Session(model, seed=11, limit=9)
for _ in range(5):
    session.skip()
    session.strike()
    session.finish(session.job.run())
session.skip()
session.strike()
session.finish(session.job.run())
moments = (0.0, 0.06, 0.18, 0.45)
frames = []
for moment in moments:
    session.player.time = moment
    frames.append(np.asarray(picture(session.frame())))
width = frames[0].shape[1]
figure, panels = plt.subplots(1, 4, figsize=(12, 6.4), layout="constrained")
for axes, frame, moment in zip(panels, frames, moments, strict=True):
    axes.imshow(frame[:, round(0.2 * width) : round(0.53 * width)])
    axes.set_title(f"{1000 * moment:.0f} ms after the blow", fontsize=10)
    axes.set_axis_off()

# %% [markdown]
# ## The same blow, and the same blow again
#
# A strike is a pure function of the tower's state, the strike and a seed. The same three give the
# same hit, to the last bit. Another filling, or a slightly harder blow, gives another.

# %%
state = model.fill(np.random.default_rng(1))
blow = Strike("left", 2.0, 0.15)
again = [len(model.strike(state, blow, np.random.default_rng(7)).hit) for _ in range(3)]
print("the same tower, blow and seed:", again)
harder = [
    len(model.strike(state, Strike("left", 2.0 + 0.01 * k, 0.15), np.random.default_rng(7)).hit)
    for k in range(6)
]
print("the same tower, 1 cm/s faster each time:", harder)

# %% [markdown]
# ## How hard should one strike?
#
# Fresh full towers, one blow each. Harder is more, but the spread at one speed is as large as the
# difference between speeds: that is what makes the tower a game.

# %%
speeds = (0.8, 1.5, 2.5) if SHORT else (0.4, 0.8, 1.2, 1.6, 2.0, 2.5, 3.0, 4.0)
counts = np.zeros((len(speeds), TURNS), dtype=int)
for turn in range(TURNS):
    full = model.fill(np.random.default_rng((turn, 0)))
    for k, speed in enumerate(speeds):
        blow = Strike("left", speed, 0.15)
        counts[k, turn] = len(model.strike(full, blow, np.random.default_rng((turn, 1))).hit)

average = [mean(row) for row in counts]
empty = [share(int((row == 0).sum()), TURNS) for row in counts]
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
rng = np.random.default_rng(0)
for speed, row in zip(speeds, counts, strict=True):
    left.plot(speed + rng.normal(0, 0.03, TURNS), row, ".", ms=5, color="#b58e5f", alpha=0.45)
value, low, high = np.array([(a.value, a.low, a.high) for a in average]).T
left.errorbar(speeds, value, [value - low, high - value], fmt="o-", color="#1f4e79", capsize=3)
left.set(xlabel="speed of the hammer, m/s", ylabel="boulders of the first hit", ylim=(-0.5, None))
left.set_title(f"dots: {TURNS} towers each; blue: mean, 95 %", fontsize=10)
value, low, high = np.array([(a.value, a.low, a.high) for a in empty]).T
error = np.maximum([value - low, high - value], 0.0)
right.errorbar(speeds, value, error, fmt="o-", color="#c8452f", capsize=3)
right.set(xlabel="speed of the hammer, m/s", ylabel="share of empty hits", ylim=(0, 1))
right.set_title("empty first hits, 95 %", fontsize=10)
for axes in (left, right):
    axes.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# ## A turn of nine hits
#
# The rules allow nine hits at most. A normal striker strikes a full tower nine times; every column
# is a turn, and the color says how many boulders a hit brought (white: none).

# %%
striker = Striker.named("normal")
turns = np.zeros((9, TURNS), dtype=int)
for turn in range(TURNS):
    rng = np.random.default_rng((turn, 2))
    state = model.fill(rng)
    for hit in range(9):
        result = model.strike(state, striker.draw(rng, model.geometry.height), rng)
        state = result.state
        turns[hit, turn] = len(result.hit)
order = np.argsort(turns.sum(axis=0))
figure, (above, below) = plt.subplots(
    2, 1, figsize=(11, 5), height_ratios=(1, 1.4), sharex=True, layout="constrained"
)
above.bar(range(TURNS), turns.sum(axis=0)[order], color="#b58e5f", width=0.85)
for treasure in (10, 28):
    above.axhline(treasure, color="#3a3a3a", lw=0.8)
above.set(ylabel="boulders in nine hits", yticks=(0, 10, 20, 28, 40))
above.set_title("lines: the cheapest and the dearest treasure", fontsize=10)
above.spines[["top", "right"]].set_visible(False)
shown = below.imshow(
    np.where(turns[:, order] == 0, np.nan, turns[:, order]), aspect="auto", cmap="YlOrBr"
)
below.set(xlabel="turn, by what it brought", ylabel="hit", yticks=range(9))
below.set_yticklabels(range(1, 10))
figure.colorbar(shown, ax=below, label="boulders")
print(f"boulders a hit: {turns.mean():.2f}; empty hits: {(turns == 0).mean():.0%}")

# %% [markdown]
# What this shows is the simulated tower, tuned to behave as the rulebook's examples imply. To make
# it behave like yours, write down what your tower does, and go on with the second notebook.
