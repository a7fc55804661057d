"""What a strike costs: python benchmarks/strikes.py [--turns 30].

All figures are CPU time of one run, because machines are shared; only the gain from a second
process is wall time, which needs an idle machine.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pymunk

from rocktower import Striker, TowerModel
from rocktower.randomness import Purpose, stream
from rocktower.tower._dynamics import _Run
from rocktower.tower._scene import Scene

HITS = 9
MODEL = TowerModel.load()


def turn(number: int) -> list[tuple[float, float]]:
    """Nine hits from a full tower: CPU seconds and simulated seconds of each."""
    state = MODEL.fill(stream(number, Purpose.FILL, 0))
    normal, rng = Striker.named("normal"), stream(number, Purpose.STRIKER, 0)
    rows = []
    for _ in range(HITS):
        strike = normal.draw(rng, MODEL.geometry.height)
        start = time.process_time()
        result = MODEL.strike(state, strike)
        rows.append((time.process_time() - start, result.duration))
        state = result.state
    return rows


def share_in_solver(turns: int) -> float:
    """Share of a strike's CPU time that is spent inside the engine's step."""
    inside = total = 0.0
    step = pymunk.Space.step

    def timed(space: pymunk.Space, dt: float) -> None:
        nonlocal inside
        start = time.perf_counter()
        step(space, dt)
        inside += time.perf_counter() - start

    pymunk.Space.step = timed  # type: ignore[method-assign]
    try:
        for number in range(turns):
            before = inside
            state = MODEL.fill(stream(number, Purpose.FILL, 0))
            inside = before  # filling does not count
            normal, rng = Striker.named("normal"), stream(number, Purpose.STRIKER, 0)
            start = time.perf_counter()
            for _ in range(HITS):
                state = MODEL.strike(state, normal.draw(rng, MODEL.geometry.height)).state
            total += time.perf_counter() - start
        return inside / total
    finally:
        pymunk.Space.step = step  # type: ignore[method-assign]


def rebuild(piles: int) -> float:
    """CPU milliseconds to build a full tower from its state, warm-up included."""
    state = MODEL.fill(stream(0, Purpose.FILL, 0))
    start = time.process_time()
    for _ in range(piles):
        _Run(MODEL, state, MODEL.cover, Scene).end()
    return (time.process_time() - start) / piles * 1000


def throughput(turns: int, processes: int) -> float:
    """Strikes a second of wall time."""
    with ProcessPoolExecutor(processes) as pool:
        list(pool.map(turn, range(processes)))  # the workers are up and have imported all
        start = time.perf_counter()
        list(pool.map(turn, range(turns)))
        return turns * HITS / (time.perf_counter() - start)


def import_cost() -> float:
    """CPU seconds of `import rocktower` beyond an empty interpreter: median of five."""

    def cost(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return float(np.median([cost("import rocktower") - cost("pass") for _ in range(5)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=30)
    turns = parser.parse_args().turns
    rows = np.array([row for number in range(turns) for row in turn(number)])
    cpu, simulated = rows[:, 0], rows[:, 1]
    print(
        f"strikes                            {len(cpu)} ({turns} turns of {HITS} from a full tower)"
    )
    print(f"CPU a strike, median               {np.median(cpu) * 1000:.1f} ms")
    print(f"CPU a strike, 90 %                 {np.quantile(cpu, 0.9) * 1000:.1f} ms")
    print(f"strikes a CPU second               {1 / cpu.mean():.1f}")
    print(f"simulated seconds a CPU second     {simulated.sum() / cpu.sum():.1f}")
    print(f"share inside the engine's step     {share_in_solver(turns):.2f} (goal 0.80)")
    print(f"rebuild and warm-up, full tower    {rebuild(50):.2f} ms, twice a strike")
    one, two = throughput(turns, 1), throughput(turns, 2)
    print(f"strikes a second, one process      {one:.1f}")
    print(f"strikes a second, two processes    {two:.1f}, {two / one:.2f} times as many (goal 1.7)")
    print(f"import rocktower                   {import_cost():.2f} s of CPU (goal 0.25)")


if __name__ == "__main__":
    main()
