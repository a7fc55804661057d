"""Node counts of small trees, as data: decisions, answers of chance, ends of the game.

A count that differs names the first action beneath which the tree has changed. Write the counts
of all positions again, after a change of the rules that is meant, with

    python -m tests.games.trollfjord.test_nodes
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    CHANCE,
    Boulders,
    TowerHit,
    parse_action,
    position_from_json,
)

CASES = sorted((Path(__file__).parent / "nodes").glob("*.json"))

# The tree cannot hold all that chance may say: a hit is one of these (as far as the tower holds
# it), and every other answer is the first thing in the bag.
HITS = tuple(Boulders(*hit) for hit in ((0, 0, 0, 0), (1, 0, 0, 2), (3, 3, 3, 3)))


def answers(request: Any) -> list[Any]:
    if not isinstance(request, TowerHit):
        return [tuple(request.bag.things()[: request.draws])]
    possible = []
    for hit in HITS:
        try:
            request.check(hit)
        except RocktowerError:
            continue
        possible.append(hit)
    return possible


def count(state, depth: int) -> tuple[int, int, int]:
    """Count decisions, answers of chance and ends down to a depth."""
    if state.is_over:
        return 0, 0, 1
    if depth == 0:
        return 0, 0, 0
    if state.actor == CHANCE:
        kind, options = 1, answers(state.request)
    else:
        kind, options = 0, state.legal_actions()
    total = [0, 0, 0]
    total[kind] = len(options)
    for option in options:
        for i, n in enumerate(count(state.apply(option), depth - 1)):
            total[i] += n
    return total[0], total[1], total[2]


def by_first_action(state, depth: int) -> dict[str, list[int]]:
    return {
        str(action): list(count(state.apply(action), depth - 1)) for action in state.legal_actions()
    }


def recount(case: dict[str, Any]) -> dict[str, Any]:
    state = position_from_json(json.dumps(case["position"]))
    first = by_first_action(state, case["depth"])
    total = [len(first), 0, 0]
    for counts in first.values():
        total = [a + b for a, b in zip(total, counts, strict=True)]
    return case | {"counts": total, "first": first}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_node_counts(path):
    case = json.loads(path.read_text())
    now = recount(case)
    wrong = [
        f"{action}: {case['first'].get(action)} -> {now['first'].get(action)}"
        for action in case["first"] | now["first"]
        if case["first"].get(action) != now["first"].get(action)
    ]
    assert not wrong, f"{path.name}, [decisions, chance, ends] by first action: {'; '.join(wrong)}"
    assert case["counts"] == now["counts"]


def test_there_are_node_counts_for_every_part_of_a_turn():
    assert {path.stem for path in CASES} == {
        "appeasing", "first_turn", "hammering", "joining", "last_turn", "tailwind",
    }  # fmt: skip


def test_a_count_by_hand():
    """Two strikes: strike, three hits, strike or stop after each (the third ends it)."""
    case = json.loads((Path(__file__).parent / "nodes" / "hammering.json").read_text())
    state = position_from_json(json.dumps(case["position"]))
    state = state.apply(parse_action("hammer"))
    assert count(state, 1) == (1, 0, 0)
    assert count(state, 2) == (1, 3, 0)
    # After an empty hit and after r1 w2: strike or stop. After r3 b3 y3 w3, beyond the limit of
    # 2 by three: a gift of three, or none.
    assert count(state, 3) == (1 + 2 + 2 + 4, 3, 0)


if __name__ == "__main__":
    for case_path in CASES:
        data = recount(json.loads(case_path.read_text()))
        case_path.write_text(json.dumps(data, indent=1) + "\n")
        print(case_path.name, data["depth"], data["counts"])
