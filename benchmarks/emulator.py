"""What a hit costs, by source: python benchmarks/emulator.py [--turns 20].

Turns of six hits from a full tower, as a game asks for them, one by one from each source; then the
emulator with many towers side by side. All figures are CPU time of one run, because machines are
shared.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

from rocktower.emulator import Emulator
from rocktower.games.trollfjord import ALL_BOULDERS, Header, Replay, TowerHit, default_board
from rocktower.play import Tower, make_tower

HITS = 6


def tower(source: str) -> Tower:
    header = Header(
        format="rocktower-log",
        version=1,
        game="trollfjord",
        players=("greedy", "greedy"),
        board=default_board(),
        numbers="shuffled",
        walkways="shuffled",
        source=source,
        seed=1,
        versions={},
    )
    return make_tower(Replay(header), ask=input, notify=sys.stderr.write)


def play_turns(source: Tower, turns: int, rng: np.random.Generator) -> None:
    for _ in range(turns):
        inside = ALL_BOULDERS
        for _ in range(HITS):
            inside = inside.minus(source.hit(TowerHit(inside), rng))


def seconds(work: Callable[..., None], *arguments: object) -> float:
    """CPU seconds; once before, so that tables are loaded."""
    work(*arguments)
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def side_by_side(emulator: Emulator, towers: int, repeats: int, rng: np.random.Generator) -> None:
    full = emulator.filled([ALL_BOULDERS]).repeat(towers)
    for _ in range(repeats):
        now = full
        for _ in range(HITS):
            _, now = emulator.strike(now, rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=20, help="of the physics; others make more")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    rows: list[tuple[str, int, float]] = []
    for source, times in (("physics", 1), ("emulator", 50), ("bag", 200)):
        turns = options.turns * times
        cost = seconds(play_turns, tower(source), turns, rng)
        rows.append((f"{source}, one by one", turns * HITS, cost))
    emulator = Emulator.load()
    for towers in (1, 100, 10_000, 100_000):
        repeats = min(50 * options.turns, max(1, 300_000 // towers))
        cost = seconds(side_by_side, emulator, towers, repeats, rng)
        rows.append((f"Emulator.strike, {towers} side by side", towers * repeats * HITS, cost))
    physics = rows[0][2] / rows[0][1]
    print(f"{'':32}{'hits':>10}{'us a hit':>12}{'hits a second':>16}{'times physics':>16}")
    for name, hits, cost in rows:
        each = cost / hits
        print(f"{name:32}{hits:10}{each * 1e6:12.2f}{1 / each:16,.0f}{physics / each:16,.0f}")


if __name__ == "__main__":
    main()
