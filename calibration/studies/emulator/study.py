"""Train the shipped emulator, and see how far its games can be told from the physics'.

    python calibration/studies/emulator/simulate.py --folder FOLDER --rounds 30
    python calibration/studies/emulator/study.py --folder FOLDER --train

writes src/rocktower/emulator/data/default.npz and, into this folder, the results and their
pictures. Without --train the shipped emulator is judged as it is.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from simulate import game_set

from rocktower.emulator import Emulator, SimulatedGames, Situations, learn, log_loss
from rocktower.emulator._drawing import WHOLE, bounds
from rocktower.emulator._memory import memory_features
from rocktower.games.trollfjord import ALL_BOULDERS
from rocktower.randomness import Purpose, stream
from rocktower.sampling import HitTable, read_parts
from rocktower.statistics import share

HERE = Path(__file__).parent
SHIPPED = HERE.parents[2] / "src/rocktower/emulator/data/default.npz"
TURNS, HITS = 3, 9
SEED = 104  # of the emulated games
NOTHING = -1  # out of a hit that was not struck


@dataclass(frozen=True)
class GameTable:
    """n games: `out` of shape (n, turns, hits, 4), NOTHING where there was no hit."""

    out: np.ndarray
    fresh: np.ndarray  # (n, turns): boulders out that were dropped in just before the turn

    def __len__(self) -> int:
        return len(self.out)

    @property
    def struck(self) -> np.ndarray:
        return self.out[..., 0] != NOTHING

    @property
    def totals(self) -> np.ndarray:
        return np.where(self.struck, self.out.sum(-1), NOTHING)

    @property
    def by_turn(self) -> np.ndarray:
        """Boulders by turn and color, shape (n, turns, 4)."""
        return np.where(self.struck[..., None], self.out, 0).sum(2)


def simulated(table: HitTable) -> GameTable:
    games = int(table.unit.max()) + 1
    out = np.full((games, TURNS, HITS, 4), NOTHING)
    out[table.unit, table.turn - 1, table.hit - 1] = table.out
    fresh = np.zeros((games, TURNS), dtype=int)
    for unit, turn, ages in zip(table.unit, table.turn, table.ages, strict=True):
        fresh[unit, turn - 1] += sum(age == 0 for age in ages)
    return GameTable(out, fresh)


def emulated(emulator: Emulator, plan: SimulatedGames, games: int) -> GameTable:
    """Games under the same plan, of another seed, all side by side."""
    hits = np.array(
        [[turn.hits for turn in plan.planned(number + 1)[1]] for number in range(games)]
    )
    out = np.full((games, TURNS, HITS, 4), NOTHING)
    fresh = np.zeros((games, TURNS), dtype=int)
    towers = emulator.filled(np.tile(ALL_BOULDERS, (games, 1)))
    rng = stream(plan.seed, Purpose.CHANCE)
    for turn in range(TURNS):
        if turn:
            towers = towers.new_turn(np.array(ALL_BOULDERS) - towers.inside)
        for hit in range(HITS):
            left = towers.left
            now = np.flatnonzero((hits[:, turn] > hit) & ((left > 0) | (hit == 0)))
            some, after = emulator.strike(towers.take(now), rng)
            out[now, turn, hit] = some
            fresh[now, turn] += towers.layers[now, -1].sum(1, dtype=int) - after.layers[:, -1].sum(
                1, dtype=int
            )
            towers.layers[now], towers.memory[now] = after.layers, after.memory
    return GameTable(out, fresh)


def features(games: GameTable) -> tuple[np.ndarray, list[str]]:
    """All that one could see of a game at the table: hits, sums, empties, colors, carry-over."""
    columns: dict[str, np.ndarray] = {}
    totals, by_turn, struck = games.totals, games.by_turn, games.struck
    for turn in range(TURNS):
        told = f"turn {turn + 1}"
        line = totals[:, turn]
        for hit in range(HITS):
            columns[f"{told} hit {hit + 1}"] = line[:, hit]
            columns[f"{told} after hit {hit + 1}"] = np.maximum(line[:, : hit + 1], 0).sum(1)
            for color in range(4):
                columns[f"{told} hit {hit + 1} color {color}"] = games.out[:, turn, hit, color]
        empty = line == 0
        columns[f"{told} empties"] = empty.sum(1)
        columns[f"{told} double empties"] = (empty[:, 1:] & empty[:, :-1]).sum(1)
        columns[f"{told} squares"] = (np.maximum(line, 0) ** 2).sum(1)
        columns[f"{told} hits"] = struck[:, turn].sum(1)
        columns[f"{told} most of a color"] = by_turn[:, turn].max(1)
        columns[f"{told} spread of colors"] = by_turn[:, turn].var(1)
        columns[f"{told} squares of colors"] = (np.maximum(games.out[:, turn], 0) ** 2).sum((1, 2))
        for color in range(4):
            columns[f"{told} color {color}"] = by_turn[:, turn, color]
        if turn:
            here, last = by_turn[:, turn], by_turn[:, turn - 1]
            columns[f"{told} like the one before"] = (here * last).sum(1)
            shares = here / np.maximum(here.sum(1, keepdims=True), 1)
            columns[f"{told} share like the one before"] = (shares * last).sum(1)
        if turn == 2:
            columns[f"{told} like the first"] = (by_turn[:, 2] * by_turn[:, 0]).sum(1)
    columns["sum"] = by_turn.sum((1, 2))
    columns["empties"] = (totals == 0).sum((1, 2))
    return np.stack(list(columns.values()), axis=1).astype(float), list(columns)


def told_apart(a: GameTable, b: GameTable, seed: int) -> dict[str, float]:
    """Cross-validated accuracy of classifiers that are to tell games of a from those of b."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x = np.concatenate([features(a)[0], features(b)[0]])
    y = np.repeat([0, 1], [len(a), len(b)])
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    trees = HistGradientBoostingClassifier(
        max_iter=100, learning_rate=0.05, max_leaf_nodes=15, random_state=seed
    )
    network = make_pipeline(
        StandardScaler(),
        MLPClassifier((64,), alpha=1.0, early_stopping=True, max_iter=100, random_state=seed),
    )
    return {
        "boosted trees": float(cross_val_score(trees, x, y, cv=folds).mean()),
        "network": float(cross_val_score(network, x, y, cv=folds).mean()),
    }


def run_lengths(totals: np.ndarray) -> np.ndarray:
    """The longest row of empty hits in each turn."""
    longest = np.zeros(totals.shape[:2], dtype=int)
    now = np.zeros_like(longest)
    for hit in range(HITS):
        now = np.where(totals[:, :, hit] == 0, now + 1, 0)
        longest = np.maximum(longest, now)
    return longest.ravel()


def first_empty(totals: np.ndarray) -> np.ndarray:
    """Hits up to the first empty one of each turn; HITS if there is none."""
    empty = totals == 0
    return np.where(empty.any(2), empty.argmax(2), HITS).ravel()


STATISTICS: dict[str, Callable[[GameTable], np.ndarray]] = {
    "boulders of a hit": lambda g: g.totals[g.struck],
    "boulders of a turn": lambda g: g.by_turn.sum(2).ravel(),
    "boulders of a game": lambda g: g.by_turn.sum((1, 2)),
    "empty hits of a game": lambda g: (g.totals == 0).sum((1, 2)),
    "longest row of empty hits of a turn": lambda g: run_lengths(g.totals),
    "hits before the first empty one of a turn": lambda g: first_empty(g.totals),
    "most boulders of one color of a turn": lambda g: g.by_turn.max(2).ravel(),
    "colors of a hit": lambda g: (g.out[g.struck] > 0).sum(1),
    "most of one color in a hit": lambda g: g.out[g.struck].max(1),
    "boulders just dropped in that come out, second turn": lambda g: g.fresh[:, 1],
    "boulders just dropped in that come out, third turn": lambda g: g.fresh[:, 2],
    "second turn's colors like the first's": lambda g: (g.by_turn[:, 1] * g.by_turn[:, 0]).sum(1),
    "third turn's colors like the second's": lambda g: (g.by_turn[:, 2] * g.by_turn[:, 1]).sum(1),
}
"""What players feel: name -> a number for each game, turn or hit."""


def split(games: GameTable, parts: int) -> list[GameTable]:
    return [GameTable(games.out[k::parts], games.fresh[k::parts]) for k in range(parts)]


def two_sample(a: np.ndarray, b: np.ndarray) -> float:
    """p of the Kolmogorov-Smirnov test; with ties, as here, it is on the safe side."""
    from scipy.stats import ks_2samp

    return float(ks_2samp(a, b).pvalue)


def memory_row(name: str, games: GameTable) -> dict[str, object]:
    """How often boulders just dropped in come out in the second turn, and how often others do."""
    put_back = games.by_turn[:, 0].sum(1)
    out, fresh = games.by_turn[:, 1].sum(1), games.fresh[:, 1]
    n_fresh, n_other = put_back.sum(), (44 - put_back).sum()
    row: dict[str, object] = {"games": name}
    for what, k, n in (("fresh", fresh.sum(), n_fresh), ("others", (out - fresh).sum(), n_other)):
        out_of = share(int(k), int(n))
        row |= {f"{what}_out": k / n, f"{what}_low": out_of.low, f"{what}_high": out_of.high}
    return row


def reference_loss(train: Situations, test: Situations) -> dict[str, float]:
    """Log loss of other learners on the hits apart, nats a hit."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    def loss(chance: np.ndarray) -> float:
        return float(-np.log(chance[np.arange(len(chance)), test.total]).mean())

    width = int(max(train.total.max(), test.total.max())) + 1
    counts = np.bincount(train.total, minlength=width) + 0.5
    by_left = np.full((45, width), 0.5)
    np.add.at(by_left, (train.towers.left, train.total), 1.0)
    pooled = np.array(
        [
            (by_left * np.exp(-0.5 * ((np.arange(45) - left) / 2.0) ** 2)[:, None]).sum(0)
            for left in range(45)
        ]
    )
    pooled /= pooled.sum(1, keepdims=True)
    # Classes that are never seen would break the trees' probabilities: large hits are one class.
    most = 12
    trees = HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=200, random_state=1
    ).fit(raw(train), np.minimum(train.total, most))
    chance = np.full((len(test.total), width), 1e-9)
    known = trees.predict_proba(raw(test))
    chance[:, :most] = known[:, :most]
    above = counts[most:] / counts[most:].sum()
    chance[:, most:] = known[:, most:] * above
    return {
        "one distribution for all hits": loss(np.tile(counts / counts.sum(), (len(test.total), 1))),
        "by boulders left alone": loss(pooled[test.towers.left]),
        "boosted trees": loss(chance),
    }


def raw(situations: Situations) -> np.ndarray:
    seen = memory_features()[situations.towers.memory]
    return np.concatenate([seen, situations.towers.layers.sum(2), situations.towers.inside], axis=1)


def order_rows(emulator: Emulator, train: Situations, test: Situations) -> list[dict[str, object]]:
    """Log loss of the layer that a boulder comes from, where there are several, nats a boulder."""

    def loss(chance: np.ndarray, some: Situations) -> float:
        chosen = chance[np.arange(len(chance)), some.layer]
        several = (np.diff(some.below, axis=1, prepend=0) > 0).sum(1) > 1
        return float(-np.log(np.maximum(chosen, 1e-12))[several].mean())

    def weighted(weights: tuple[float, ...], some: Situations) -> np.ndarray:
        mass = np.diff(some.below, axis=1, prepend=0) * np.array(weights)
        return mass / mass.sum(1, keepdims=True)

    grid = np.exp(np.linspace(-4.0, 0.5, 91))
    best = float(min(grid, key=lambda weight: loss(weighted((1, 1, 1, weight), train), train)))
    ends = np.where(
        test.later,
        bounds(emulator.order.reshape(-1), test.below.T, later=True),
        bounds(emulator.order.reshape(-1), test.below.T, later=False),
    )
    by_depth = np.diff(ends, axis=0, prepend=0, append=WHOLE).T / WHOLE
    return [
        {"model": "each boulder alike", "log_loss": loss(weighted((1, 1, 1, 1), test), test)},
        {
            "model": f"boulders just dropped in weigh {best:.2f}",
            "log_loss": loss(weighted((1, 1, 1, best), test), test),
        },
        {"model": "by depth (emulator)", "log_loss": loss(by_depth, test)},
    ]


def calibration_rows(emulator: Emulator, test: Situations) -> list[dict[str, object]]:
    """P(empty) as foretold and as it was, by deciles of the foretold."""
    told, empty = emulator.totals(test.towers)[:, 0], test.total == 0
    rows = []
    for group in np.array_split(np.argsort(told, kind="stable"), 10):
        was = share(int(empty[group].sum()), len(group))
        rows.append(
            {
                "hits": len(group), "told": told[group].mean(), "was": empty[group].mean(),
                "low": was.low, "high": was.high,
            }
        )  # fmt: skip
    return rows


def write(name: str, rows: list[dict[str, object]]) -> None:
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()} for row in rows
        )
    print(name, (HERE / name).read_text("utf-8"), sep="\n")


def joined(a: Situations, b: Situations) -> Situations:
    from rocktower.emulator import EmulatedTowers

    return Situations(
        np.concatenate([a.game, b.game + a.game.max() + 1]),
        EmulatedTowers(
            np.concatenate([a.towers.layers, b.towers.layers]),
            np.concatenate([a.towers.memory, b.towers.memory]),
        ),
        np.concatenate([a.total, b.total]),
        np.concatenate([a.below, b.below]),
        np.concatenate([a.layer, b.layer]),
        np.concatenate([a.later, b.later]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--train", action="store_true")
    options = parser.parse_args()
    tables = {
        name: read_parts(sorted((options.folder / name).glob("*.shard")))
        for name in ("apart", "control", "varied")
    }
    seen = {name: Situations.of(table) for name, table in tables.items()}
    train = joined(seen["control"], seen["varied"])
    if options.train:
        note = {**game_set("varied").fingerprint(), "plan": "game and varied"}
        learn(train, seed=1, note=note).save(SHIPPED)
    emulator = Emulator.load(SHIPPED)
    apart, control = simulated(tables["apart"]), simulated(tables["control"])
    plan = game_set("apart")
    made = emulated(emulator, SimulatedGames(plan.model, plan.striker, "game", SEED), len(apart))
    numbers: dict[str, object] = {
        "emulator": emulator.hash,
        "tower_hash": emulator.tower_hash,
        "hits_trained_on": len(train.total),
        "games_apart": len(apart),
        "games_control": len(control),
        "hits_apart": len(seen["apart"].total),
    }
    (HERE / "summary.json").write_text(json.dumps(numbers, indent=1) + "\n")
    print(numbers)
    losses = {"emulator": log_loss(emulator, seen["apart"]), **reference_loss(train, seen["apart"])}
    write("log_loss.csv", [{"model": k, "nats_a_hit": v} for k, v in losses.items()])
    write("order.csv", order_rows(emulator, train, seen["apart"]))
    write("empty.csv", calibration_rows(emulator, seen["apart"]))
    named = {"physics": apart, "physics, control": control, "emulator": made}
    write("memory.csv", [memory_row(name, table) for name, table in named.items()])
    write(
        "statistics.csv",
        [
            {
                "statistic": name,
                **{who: float(statistic(table).mean()) for who, table in named.items()},
                # Games are independent of each other; their turns and hits are not.
                "error_of_physics": float(
                    np.std([statistic(part).mean() for part in split(apart, 20)], ddof=1) / 20**0.5
                ),
                "p_emulator": two_sample(statistic(apart), statistic(made)),
                "p_control": two_sample(statistic(apart), statistic(control)),
            }
            for name, statistic in STATISTICS.items()
        ],
    )
    rows: list[dict[str, object]] = []
    for seed in range(3):
        for name, other in (("emulator", made), ("physics, control", control)):
            accuracy = told_apart(apart, other, seed)
            rows.append(
                {"against": name, "seed": seed, "games": len(apart) + len(other), **accuracy}
            )
    write("told_apart.csv", rows)


if __name__ == "__main__":
    main()
