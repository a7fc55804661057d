"""Situations and turns for the tests of the odds."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocktower.games.trollfjord import ALL_BOULDERS, Boulders
from rocktower.odds import HitChances, Situation, Treasure

COUNTS = np.array([0.15, 0.2, 0.2, 0.2, 0.15, 0.1])
GIFTS = (4, 8, 16)


def pair(**more: Any) -> Situation:
    """Two in the crew, three treasures, one of which both could collect."""
    given: dict[str, Any] = {
        "limit": 6,
        "treasures": (
            Treasure(9, (9.0, 9.0)),
            Treasure(12, (None, 12.0)),
            Treasure(15, (15.0, None)),
        ),
        "comrade": True,
        "gifts": (GIFTS, (4, 8)),
        "rivalry": 0.5,
    }
    return Situation(**(given | more))


def alone(**more: Any) -> Situation:
    """One in the crew."""
    given: dict[str, Any] = {
        "limit": 4,
        "treasures": (Treasure(8, (8.0, None)), Treasure(12, (12.0, None))),
        "gifts": ((4, 8), ()),
    }
    return Situation(**(given | more))


def example_turn() -> Situation:
    """The rulebook's example turn before Sigrun's decision, as she sees it.

    The rulebook gives 17 boulders in five hits, 7 of them red, then an empty hit; how they were
    spread is made up. Both have trolls in the swamp (15); the mountain (18) is Astrid's, the
    glacier (22) Sigrun's. Four players are at the table.
    """
    return Situation(
        limit=7,
        treasures=(
            Treasure(15, (15.0, 15.0)),
            Treasure(18, (None, 18.0)),
            Treasure(22, (22.0, None)),
        ),
        hits=6,
        out=Boulders(7, 4, 3, 3),
        totals=(4, 3, 4, 2, 4, 0),
        gifts=(GIFTS, GIFTS),
        comrade=True,
        rivalry=1 / 3,
    )


def even_chances(hits: int = 9) -> HitChances:
    return HitChances.even(COUNTS, hits)


def even_turns(situation: Situation, n: int, seed: int = 1) -> np.ndarray:
    """Draw turns from the null model, shape (n, hits left, 4)."""
    rng = np.random.default_rng(seed)
    hits = np.zeros((n, situation.hits_left, 4), dtype=np.int64)
    for turn in hits:
        inside = np.array(ALL_BOULDERS) - situation.out
        for hit in turn:
            count = min(int(rng.choice(len(COUNTS), p=COUNTS)), int(inside.sum()))
            hit[:] = rng.multivariate_hypergeometric(inside, count)
            inside -= hit
    return hits
