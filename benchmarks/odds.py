"""How long the advice on a hammering situation takes, in seconds of processor time.

python benchmarks/odds.py
"""

from __future__ import annotations

from statistics import median
from time import perf_counter, process_time

import numpy as np

from rocktower.emulator import Emulator
from rocktower.games.trollfjord import Boulders
from rocktower.odds import Situation, Treasure, advise

GIFTS = (4, 8, 16)
EACH = tuple(Treasure(value, (float(value), float(value))) for value in (15, 18, 22))
SITUATIONS = {
    "alone, limit 5, before the first hit": Situation(5, EACH, gifts=(GIFTS, ())),
    "two, limit 7, four hits used": Situation(
        7, EACH, hits=4, out=Boulders(4, 3, 3, 3), comrade=True, gifts=(GIFTS, GIFTS), rivalry=0.5
    ),
    "two, limit 9, before the first hit": Situation(
        9, EACH, comrade=True, gifts=(GIFTS, GIFTS), rivalry=0.5
    ),
}


def main() -> None:
    """Advise a few times each."""
    start = process_time()
    emulator = Emulator.load()
    print(f"start-up: the emulator is read in {process_time() - start:.3f} s")
    for name, situation in SITUATIONS.items():
        busy, wall = [], []
        for seed in range(5):
            began, at = process_time(), perf_counter()
            advise(situation, emulator, np.random.default_rng(seed))
            busy.append(process_time() - began)
            wall.append(perf_counter() - at)
        print(
            f"{name:<38} first {busy[0]:.3f}, median {median(busy):.3f}, longest {max(busy):.3f} s "
            f"(wall clock {median(wall):.3f} s)"
        )


if __name__ == "__main__":
    main()
