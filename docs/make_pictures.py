"""Draw the pictures of the documents: python docs/make_pictures.py."""

from pathlib import Path

import matplotlib.pyplot as plt

from rocktower import RockTower
from rocktower.plots import plot_tower

figure = plt.figure(figsize=(10, 7), layout="constrained")
axes = figure.subplots(1, 3, sharey=True)
tower = RockTower(seed=11)
plot_tower(tower.model, tower.state, ax=axes[0]).set_title("filled")
first = tower.strike("left")
plot_tower(tower.model, tower.state, ax=axes[1]).set_title(f"1 hit from the left\n{first}")
out = len(first)
for side in ("right", "left", "right", "left", "right", "left"):
    out += len(tower.strike(side))
plot_tower(tower.model, tower.state, ax=axes[2]).set_title(f"after 7 hits\n{out} boulders in all")
for ax in axes[1:]:
    ax.set_ylabel("")
figure.savefig(Path(__file__).parent / "tower.png", dpi=80)
