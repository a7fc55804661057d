"""What must hold after every event of any game, over thousands of random games."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from msgspec.structs import replace

from rocktower.chance import Bag
from rocktower.games.trollfjord import (
    ALL_BOULDERS,
    CHANCE,
    State,
    TowerHit,
    new_game,
    parse_action,
    phases,
    position_from_json,
    position_to_json,
    ranking,
    score,
)
from tests.games.trollfjord.helpers import answer, eager_choice, play, position

TREASURES = Counter(
    [v for v in range(10, 15) for _ in "ab"]
    + [v for v in range(15, 19) for _ in "abc"]
    + [v for v in range(19, 29) for _ in "ab"]
)
SUM = sum(TREASURES.elements())


def check_change(before: State, state: State) -> None:
    """Check conservation after an event; what is the same object has been checked before."""
    if state.trolls is not before.trolls:
        for trolls in state.trolls:
            assert min(trolls) >= 0
            assert sum(trolls) <= 10
    if state.treasures is not before.treasures:
        treasures = sum(state.treasures) + sum(k * n for k, n in state.supply)
        treasures += sum(map(sum, state.belts)) + sum(map(sum, state.bags))
        assert treasures == SUM == 788
    if state.gifts is not before.gifts:
        for gifts in state.gifts:
            assert set(gifts) <= {4, 8, 16}
    if state.lords is not before.lords:
        assert len(set(state.lords)) == len(state.lords)
    if state.hammering is not before.hammering:
        inside = ALL_BOULDERS.minus(state.hammering.out)
        assert min(inside) >= 0
        assert sum(inside) + state.hammering.out.total == 44


def check_fully(state: State) -> None:
    """Check what takes longer: each treasure, the crowns, the points, the text."""
    here = Counter(value for value in state.treasures if value)
    here.update(state.supply.things())
    for player in range(state.table.players):
        here.update((*state.belts[player], *state.bags[player]))
    assert here == TREASURES
    assert here.total() == 42
    for space, holder in enumerate(state.crowns):
        values = [belt[space] for belt in state.belts if len(belt) > space]
        assert (holder is None) == (not values)
        if holder is not None:
            assert state.belts[holder][space] == max(values)
    totals = [score(state, player).total for player in range(state.table.players)]
    crowns = sum(holder is not None for holder in state.crowns)
    collected = sum(map(sum, state.belts)) + sum(map(sum, state.bags))
    assert sum(totals) == collected + sum(map(sum, state.gifts)) + 6 * crowns
    assert totals[ranking(state)[0]] == max(totals) if state.lords else True
    assert str(state)
    for action in state.legal_actions():
        assert parse_action(str(action)) == action


def play_and_check(players: int, seed: int, games: int) -> Counter[str]:
    """Play random games and check every position; count the phases that were checked fully."""
    rng = np.random.default_rng(seed)
    seen: Counter[str] = Counter()
    events = 0
    for _ in range(games):
        state = new_game(players, numbers="shuffled")
        while not state.is_over:
            if state.actor == CHANCE:
                value = answer(state, rng)
                request = state.request
                if isinstance(request, TowerHit):
                    assert request.parse(request.format(value)) == value
            else:
                assert state.legal_actions()
                value = eager_choice(state, rng)
            before, state = state, state.apply(value)
            check_change(before, state)
            assert position_from_json(position_to_json(state)) == state
            events += 1
            if events % 100 == 0:
                seen[type(state.phase).__name__] += 1
                check_fully(state)
        assert not state.legal_actions()
        assert state.actor is None
        assert all(state.lying) or not any(state.treasures)
        check_fully(state)
    return seen


def test_thousands_of_random_games() -> None:
    chunks = [(p, seed, 50) for p, n in ((2, 400), (3, 800), (4, 800)) for seed in range(n // 50)]
    # Millions of positions: on all cores, in processes of their own.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        seen = sum(pool.map(play_and_check, *zip(*chunks, strict=True)), Counter[str]())
    assert len(seen) >= 12, "the games must lead through nearly every phase"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_about_every_position_of_some_games(players: int) -> None:
    rng = np.random.default_rng(100 + players)
    for _ in range(3):
        state = new_game(players, numbers="shuffled")
        while not state.is_over:
            check_fully(state)
            chance = state.actor == CHANCE
            state = state.apply(answer(state, rng) if chance else eager_choice(state, rng))


def test_a_state_is_never_changed():
    rng = np.random.default_rng(5)
    state = new_game(3)
    while not state.is_over:
        before = position_to_json(state)
        chance = state.actor == CHANCE
        after = state.apply(answer(state, rng) if chance else eager_choice(state, rng))
        assert position_to_json(state) == before
        state = after


def test_the_game_ends_without_treasures():
    """Nobody can fill a "+" space then; the rulebook is silent."""
    board = {0: {"forest1": 1, "tundra1": 1}}
    state = position(lords=(1, 3), turn=0, phase=phases.Announcing(0), trolls=board)
    spent = Bag(state.supply.kinds, (0,) * len(state.supply.kinds))
    assert play(replace(state, treasures=(0,) * 12, supply=spent), "pass").is_over
    assert not play(state, "pass").is_over
