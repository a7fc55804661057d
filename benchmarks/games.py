"""Random games of Trollfjord a second, if asked beside catanatron's, in one run.

    python benchmarks/games.py
    python benchmarks/games.py --catanatron    # installs it in a temporary environment

A decision is a call of a player with the legal actions. Catanatron asks its players also where
one action is legal, so decisions with a real choice are given apart.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from statistics import median

import numpy as np

from rocktower.games.trollfjord import CHANCE, TowerHit, new_game
from rocktower.play import BagTower

ROUNDS = 5
CATANATRON = "catanatron==3.2.1"
CATANATRON_GAMES = """
import json, random, sys, time
from catanatron import Color, Game, RandomPlayer
decisions = choices = games = 0
class Player(RandomPlayer):
    def decide(self, game, playable_actions):
        global decisions, choices
        actions = list(playable_actions)
        decisions += 1
        choices += len(actions) > 1
        return random.choice(actions)
begin = time.perf_counter()
while time.perf_counter() - begin < float(sys.argv[1]):
    Game([Player(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]).play()
    games += 1
seconds = time.perf_counter() - begin
print(json.dumps([games / seconds, decisions / seconds, choices / seconds]))
"""


def trollfjord(players: int, seconds: float, rng: np.random.Generator) -> list[float]:
    """Play random games with the bag; give games, decisions and choices a second."""
    tower, draw = BagTower(), rng.random
    decisions = choices = games = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        state = new_game(players)
        while (actor := state.actor) is not None:
            if actor == CHANCE:
                request = state.request
                hit = isinstance(request, TowerHit)
                state = state.apply(tower.hit(request, rng) if hit else request.sample(rng))
            else:
                actions = state.legal_actions()
                decisions += 1
                choices += len(actions) > 1
                state = state.apply(actions[int(draw() * len(actions))])
        games += 1
    spent = time.perf_counter() - begin
    return [games / spent, decisions / spent, choices / spent]


def install_catanatron(folder: str) -> str:
    """Install catanatron in an environment of its own; give its Python."""
    venv.create(folder, with_pip=True)
    python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", CATANATRON], check=True)
    return python


def catanatron(python: str, seconds: float) -> list[float]:
    """Play catanatron's random games for four; give the same numbers."""
    command = [python, "-c", CATANATRON_GAMES, str(seconds)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    numbers: list[float] = json.loads(run.stdout)
    return numbers


def main() -> None:
    """Measure in rounds, one after the other, and give medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--catanatron", action="store_true", help="measure catanatron, too")
    parser.add_argument("--seconds", type=float, default=4.0, help="for each measurement")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    rows: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        python = install_catanatron(folder) if options.catanatron else None
        for _ in range(ROUNDS):
            for players in (2, 3, 4):
                name = f"trollfjord, {players} players"
                rows.setdefault(name, []).append(trollfjord(players, options.seconds, rng))
            if python:
                rows.setdefault(CATANATRON, []).append(catanatron(python, options.seconds))
    print(f"seed {options.seed}, median of {ROUNDS} rounds of {options.seconds:g} s")
    print(f"{'':24}{'games/s':>10}{'decisions/s':>14}{'choices/s':>12}")
    medians = {
        name: [median(column) for column in zip(*rounds, strict=True)]
        for name, rounds in rows.items()
    }
    for name, (games, decisions, choices) in medians.items():
        print(f"{name:24}{games:10.1f}{decisions:14.0f}{choices:12.0f}")
    if python:
        ratios = [
            [a / b for a, b in zip(ours[1:], theirs[1:], strict=True)]
            for ours, theirs in zip(rows["trollfjord, 4 players"], rows[CATANATRON], strict=True)
        ]
        decisions, choices = (median(column) for column in zip(*ratios, strict=True))
        print(f"ratio for 4 players: {decisions:.1f} of decisions, {choices:.1f} of choices")


if __name__ == "__main__":
    main()
