"""What a frame costs: python benchmarks/draw.py [--strikes 6].

CPU time of one process, because machines are shared. Drawn is what the window draws, on surfaces in
memory: a full tower of 44 boulders that is struck, boulders moving, every frame another one. The
ratio beside each figure is its share of a frame at 60 frames a second.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import tracemalloc

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from rocktower import TowerModel
from rocktower.viewer import Painter, Session

SIZES = ((1280, 720), (2560, 1440))
STEP = 1 / 60
FRAME = 1000 / 60  # ms


def frames(strikes: int, *overlays: str) -> list:
    """Frames of strikes, each at a full tower, as the window would draw them."""
    session = Session(TowerModel.load(), 7)
    for key in overlays:
        session.key(key)
    made = []
    for _ in range(strikes):
        session.key("space")
        session.finish(session.job.run())
        while session.is_playing:
            made.append(session.frame())
            session.advance(STEP)
        session.key("u")  # 44 boulders again, but another blow
        session.key("up")
    return made


def cost(painter: Painter, surface: pygame.Surface, drawn: list) -> list[float]:
    """CPU milliseconds of each frame."""
    costs = []
    for frame in drawn:
        start = time.process_time()
        painter.draw(surface, frame)
        costs.append(1000 * (time.process_time() - start))
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strikes", type=int, default=6)
    strikes = parser.parse_args().strikes
    for label, overlays in (("plain", ()), ("forces and velocities", ("o", "v"))):
        drawn = frames(strikes, *overlays)
        for size in SIZES:
            painter, surface = Painter(), pygame.Surface(size, 0, 32)
            first = cost(painter, surface, drawn)  # sprites are made as they are needed
            again = cost(painter, surface, drawn)  # and kept
            for name, costs in (("first time", first), ("again", again)):
                mean, worst = statistics.fmean(costs), sorted(costs)[int(0.99 * len(costs))]
                print(
                    f"{size[0]} x {size[1]}, {label}, {name}: {mean:.2f} ms a frame "
                    f"({mean / FRAME:.2f} of a frame at 60/s), 99 % below {worst:.2f} ms"
                )
    drawn = frames(1)
    painter, surface = Painter(), pygame.Surface(SIZES[0], 0, 32)
    cost(painter, surface, drawn)
    tracemalloc.start()
    cost(painter, surface, drawn)
    kept = tracemalloc.get_traced_memory()[0]
    print(f"memory that {len(drawn)} frames, drawn again, keep: {kept} bytes")
    tracemalloc.stop()
    session = Session(TowerModel.load(), 7)
    session.key("space")
    session.finish(session.job.run())
    count = 500
    start = time.process_time()
    for _ in range(count):
        session.frame()
    print(f"making a frame: {1000 * (time.process_time() - start) / count:.3f} ms")


if __name__ == "__main__":
    main()
