"""Optimal stopping: against the rules of the game played out, and against drawn turns."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from msgspec.structs import replace

from rocktower.games.trollfjord import ALL_BOULDERS, CHANCE, Boulders, State, TowerHit, new_game
from rocktower.games.trollfjord import phases as ph
from rocktower.odds import ME, OTHER, HitChances, Payoffs, Situation, Treasure, follow, plan
from tests.odds.helpers import alone, even_chances, even_turns, pair

FEW = np.array([0.3, 0.3, 0.4])  # at most two boulders a hit, so that all can be tried


def game(situation: Situation, regions: tuple[int, ...]) -> State:
    """Set the rules' table as a situation says: player 0 is me, whose turn it is."""
    state = new_game(2, walkways=range(1, 11))
    state = state.apply((10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)).apply(("white", "orange"))
    trolls = [[0] * 12, [0] * 12]
    treasures = list(state.treasures)
    for region, treasure in zip(regions, situation.treasures, strict=True):
        treasures[region] = treasure.value
        for player in (ME, OTHER):
            trolls[player][region] = int(treasure.worth[player] is not None)
    crew = (situation.hammerer, 1 - situation.hammerer) if situation.comrade else (ME,)
    return replace(
        state,
        turn=0,
        treasures=tuple(treasures),
        trolls=tuple(map(tuple, trolls)),
        gifts=situation.gifts,
        hammering=ph.Hammering(3, situation.limit, crew, hits=situation.hits, out=situation.out),
        phase=ph.Striking(crew[0]),
    )


def solve(state: State, rivalry: float) -> np.ndarray:
    """Try everything that the rules allow until all have stopped: what both collect, less gifts.

    The hammerer goes for his points less the rivalry times the other's, who hammers alone for his
    points.
    """
    if not state.hammering.crew:
        return np.zeros(2)
    if state.actor == CHANCE:
        request = state.request
        assert isinstance(request, TowerHit)
        answers = hits_of(request.inside)
        return sum(p * solve(state.apply(hit), rivalry) for hit, p in answers.items())
    player = state.actor
    assert isinstance(player, int)
    mind = rivalry if len(state.hammering.crew) == 2 else 0.0
    best = None
    for action in state.legal_actions():
        after = state.apply(action)
        gained = np.array([points(after, p) - points(state, p) for p in (0, 1)], dtype=float)
        worth = solve(after, rivalry) + gained
        wish = worth[player] - mind * worth[1 - player]
        if best is None or wish > best[0] + 1e-12:
            best = wish, worth
    return best[1]


def points(state: State, player: int) -> int:
    return sum(state.belts[player]) + sum(state.bags[player]) + sum(state.gifts[player])


def hits_of(inside: Boulders) -> dict[Boulders, float]:
    """Give each hit's chance: a count of `FEW`, colors drawn evenly."""
    chances = {}
    for hit in product(range(len(FEW)), repeat=4):
        if sum(hit) < len(FEW):
            ways = np.prod([comb(n, k) for n, k in zip(inside, hit, strict=True)])
            chances[Boulders(*hit)] = FEW[sum(hit)] * ways / comb(inside.total, sum(hit))
    return chances


@pytest.mark.parametrize("hammerer", [ME, OTHER])
@pytest.mark.parametrize("rivalry", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("worths", [((9, 9), (None, 10), (11, None)), ((9, 9), (10, 10), (11, 11))])
def test_the_plan_for_two_is_what_the_rules_give(hammerer, rivalry, worths):
    situation = Situation(
        limit=4,
        treasures=tuple(Treasure(v, w) for v, w in zip((9, 10, 11), worths, strict=True)),
        hits=2,
        out=Boulders(4, 2, 2, 1),
        comrade=True,
        hammerer=hammerer,
        rivalry=rivalry,
    )
    made = plan(situation, HitChances.even(FEW, 2))
    expected = solve(game(situation, _around()), rivalry)
    assert made.value == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("gifts", [(), (4,), (4, 8, 16)])
def test_the_plan_for_one_is_what_the_rules_give(gifts):
    situation = Situation(
        limit=4,
        treasures=(Treasure(9, (9, None)), Treasure(11, (11, None)), Treasure(13, (None, None))),
        hits=2,
        out=Boulders(4, 4, 1, 1),
        gifts=(gifts, ()),
    )
    made = plan(situation, HitChances.even(FEW, 2))
    assert made.value == pytest.approx(solve(game(situation, _around()), 0.0), abs=1e-4)


def _around() -> tuple[int, ...]:
    """Give the regions around fortress 3."""
    return new_game(2).table.board.surrounding[3]


@pytest.mark.parametrize(
    "situation",
    [
        pair(),
        pair(limit=3, gifts=((), ()), empty_handed=(-3.0, -4.0)),
        pair(hits=3, out=Boulders(4, 3, 2, 1), hammerer=OTHER, empty_handed=(-3.0, 0.0)),
        alone(),
        alone(hits=2, out=Boulders(4, 1, 1, 1), empty_handed=(-5.0, 0.0)),
    ],
)
def test_turns_that_follow_the_plan_bring_what_it_says(situation):
    """The mean of drawn turns lies within 5.3 of its standard errors: false alarms 1e-6 in all."""
    made, turns = plan(situation, even_chances()), even_turns(situation, 3000)
    for strike, expected in ((True, made.value_of_going_on), (False, made.value_of_stopping)):
        if strike or situation.hits:
            brought = follow(made, turns, strike=strike)
            error = brought.std(axis=0) / np.sqrt(len(turns)) + 1e-6
            assert (np.abs(brought.mean(axis=0) - expected) < 5.3 * error).all()


def test_a_plan_is_no_worse_than_stopping_at_any_total():
    situation = alone(limit=5)
    made, turns = plan(situation, even_chances()), even_turns(situation, 3000)
    best = follow(made, turns)[:, ME]
    payoffs = Payoffs(situation)
    from rocktower.odds import running, stop_at

    totals, excess = running(situation.out, situation.limit, turns)
    for least in range(5, 16):
        end = stop_at(least, totals, excess)
        ends = np.where(
            excess[end] > 0,
            payoffs.angry(ME)[totals[end], excess[end]],
            payoffs.collect(ME)[totals[end]],
        )
        gain = best - ends
        assert gain.mean() > -5.3 * gain.std() / np.sqrt(len(gain))


def test_the_first_hit_is_no_decision():
    made = plan(pair(), even_chances())
    assert made.strikes[0][0, 0, 0, 0, 0]
    assert made.value == pytest.approx(made.value_of_going_on)


def test_nothing_is_left_when_the_hit_limit_is_reached():
    situation = pair(hits=6, out=Boulders(4, 4, 4, 0))
    made = plan(situation, even_chances())
    assert made.value == pytest.approx([9.0, 12.0])
    assert not made.strikes[0].any()


def test_chances_of_more_than_is_inside_count_for_all_that_is():
    chances = even_chances(1).counts[0]
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert chances[ALL_BOULDERS.total - 2].tolist() == pytest.approx([0.15, 0.2, 0.65, 0, 0, 0])
