"""Draw emulator.png from the study's results: python calibration/studies/emulator/picture.py."""

from __future__ import annotations

import csv
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).parent


def rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main() -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    told = rows("told_apart.csv")
    for place, name in enumerate(("emulator", "physics, control")):
        for shift, learner in ((-0.12, "boosted trees"), (0.12, "network")):
            values = [float(row[learner]) for row in told if row["against"] == name]
            color = "C0" if learner == "boosted trees" else "C1"
            label = learner if place == 0 else None
            left.plot([place + shift] * len(values), values, "o", color=color, label=label)
    left.axhline(0.5, color="0.7", lw=1)
    left.axhline(0.53, color="0.7", lw=1, ls="--")
    left.set(
        xticks=[0, 1],
        xticklabels=["emulator", "physics again"],
        xlim=(-0.6, 1.6),
        ylim=(0.45, 0.56),
        ylabel="games told from the physics' (accuracy)",
    )
    left.legend()
    empty = rows("empty.csv")
    told_, was = ([float(row[name]) for row in empty] for name in ("told", "was"))
    errors = [
        [w - float(row["low"]) for w, row in zip(was, empty, strict=True)],
        [float(row["high"]) - w for w, row in zip(was, empty, strict=True)],
    ]
    middle.errorbar(told_, was, errors, fmt="o", capsize=2)
    ends = min(told_ + was) - 0.02, max(told_ + was) + 0.03
    middle.plot(ends, ends, color="0.7", lw=1)
    middle.set(xlabel="P(empty hit), emulator", ylabel="share of empty hits, physics")
    memory = rows("memory.csv")
    for place, row in enumerate(memory):
        for what, color, label in (
            ("fresh", "C2", "just dropped in"),
            ("others", "C3", "inside for longer"),
        ):
            value = float(row[f"{what}_out"])
            ends_ = [[value - float(row[f"{what}_low"])], [float(row[f"{what}_high"]) - value]]
            right.errorbar(
                [place], [value], ends_, fmt="o", color=color, capsize=3,
                label=label if place == 0 else None,
            )  # fmt: skip
    right.set(
        xticks=range(len(memory)),
        xticklabels=["physics", "physics again", "emulator"],
        xlim=(-0.6, 2.6),
        ylim=(0, None),
        ylabel="share that comes out in the second turn",
    )
    right.legend()
    figure.savefig(HERE / "emulator.png", dpi=110)


if __name__ == "__main__":
    main()
