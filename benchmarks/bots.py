"""How often the greedy bot wins against random ones, with 95 % Wilson intervals.

python benchmarks/bots.py
python benchmarks/bots.py --source physics --games 100
"""

from __future__ import annotations

import argparse
import sys
from statistics import mean

from scipy.stats import binomtest

from rocktower.games.trollfjord import Header, Replay, default_board, ranking, score
from rocktower.play import Match, load_bot, make_tower


def play(players: list[str], source: str, seed: int) -> Match:
    """Play one game."""
    replay = Replay(
        Header(
            format="rocktower-log",
            version=1,
            game="trollfjord",
            players=tuple(players),
            board=default_board(),
            numbers="shuffled",
            walkways="shuffled",
            source=source,
            seed=seed,
            versions={},
        )
    )
    tower = make_tower(replay, ask=input, notify=sys.stderr.write)
    match = Match(replay, [load_bot(name) for name in players], tower)
    match.play()
    return match


def main() -> None:
    """Play games with the greedy bot in each seat in turn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400, help="for each number of players")
    parser.add_argument("--source", choices=("bag", "emulator", "physics"), default="bag")
    options = parser.parse_args()
    print(f"{'players':>8}{'games':>7}{'greedy wins':>13}{'95 % interval':>19}", end="")
    print(f"{'points':>8}{'others':>8}{'turns':>7}")
    for players in (2, 3, 4):
        wins, points, others, turns = 0, [], [], []
        for seed in range(options.games):
            seat = seed % players
            names = ["greedy" if player == seat else "random" for player in range(players)]
            state = play(names, options.source, seed).state
            wins += ranking(state)[0] == seat
            turns.append(state.turns)
            for player in range(players):
                (points if player == seat else others).append(score(state, player).total)
        interval = binomtest(wins, options.games).proportion_ci(method="wilson")
        print(f"{players:8}{options.games:7}{wins / options.games:13.1%}", end="")
        print(f"   {interval.low:7.1%} - {interval.high:6.1%}", end="")
        print(f"{mean(points):8.1f}{mean(others):8.1f}{mean(turns):7.1f}")


if __name__ == "__main__":
    main()
