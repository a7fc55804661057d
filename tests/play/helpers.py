"""A match for the tests, without a terminal."""

from __future__ import annotations

from typing import Any

from rocktower.games.trollfjord import Header, Replay, default_board
from rocktower.play import BagTower, Match, load_bot


def header(*players: str, seed: int = 1, source: str = "bag") -> Header:
    return Header(
        format="rocktower-log",
        version=1,
        game="trollfjord",
        players=players,
        board=default_board(),
        numbers="shuffled",
        walkways="shuffled",
        source=source,
        seed=seed,
        versions={},
    )


def match(*players: str, seed: int = 1, **more: Any) -> Match:
    replay = Replay(header(*players, seed=seed))
    return Match(replay, [load_bot(name) for name in players], BagTower(), **more)
