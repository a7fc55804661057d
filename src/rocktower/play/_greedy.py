"""The greedy bot: looks one decision ahead, and guesses what the tower will give."""

from __future__ import annotations

from functools import cache
from math import exp
from typing import TYPE_CHECKING

from rocktower.games.trollfjord import (
    Action,
    Announce,
    Clear,
    Collect,
    Give,
    Hammer,
    Join,
    Move,
    Pass,
    Place,
    State,
    Stop,
    Strike,
    Wander,
    phases,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

__all__ = ["GreedyBot"]

# Boulders a hit: the rulebook's example turn has 22 in seven hits.
YIELD = 3.1
# What a treasure on the belt is worth beyond its points: it brings the next one nearer.
PROGRESS = 6.0
# What a space costs that the lord moves on: others get more turns.
SPACE_COST = 0.15
# What a troll on the board is worth, wherever it stands; less, and nobody would place a first one.
TROLL = 0.5
# What it costs to clear a region, which hammering always ends with.
CLEARING = 4.0
TROLLS = 10


class GreedyBot:
    """Places where a treasure is in reach, strikes while the next treasure beats the risk."""

    def decide(self, state: State, actions: Sequence[Action], _rng: np.random.Generator) -> Action:
        """Choose the action with the best guess; of equals the first."""
        player = state.actor
        assert isinstance(player, int)  # noqa: S101 - a bot is asked for a player
        return max(actions, key=lambda action: _worth(state, player, action))


def _worth(state: State, player: int, action: Action) -> float:
    """Guess what an action is worth, in points, compared with the other legal ones."""
    match action:
        case Move():
            after = state.apply(action)
            distance = after.lords[player] - max(state.lords[player], -1)
            return _best_standing(after, player) - SPACE_COST * distance
        case Place() | Wander():
            return _standing(state.apply(action), player)
        case Announce(fortress):
            index = state.table.board.fortress_index[fortress]
            return _catch(state, player, index, _limit(state, [player], index)) - _clearing(
                state, player
            )
        case Join() | Hammer():
            return _worth_hammering(state, player)
        case Strike():
            return _worth_striking(state, player)
        case Stop():
            return _in_reach(state, player, state.hammering.out.total)
        case Give(value):
            return _worth_giving(state, player) - value
        case Collect(region):
            index = state.table.board.region_index[region]
            return state.treasures[index] - 0.3 * state.trolls[player][index]
        case Clear(region):
            return -state.trolls[player][state.table.board.region_index[region]]
        case Pass():
            moving = any(isinstance(other, Place | Wander) for other in state.legal_actions())
            return _standing(state, player) if moving else 0.0


def _standing(state: State, player: int) -> float:
    """Guess how well the trolls stand for the next hammering."""
    numbers = state.table.fortresses_by_belt[min(len(state.belts[player]), 3)]
    catches = sorted(
        _catch(state, player, fortress, _limit(state, [player], fortress))
        * (1.0 if _regions(state, player, fortress) > 1 else 0.5)
        for fortress in numbers
    )
    return catches[-1] + 0.2 * catches[-2] + TROLL * sum(state.trolls[player])


def _best_standing(state: State, player: int) -> float:
    """Guess how well the trolls stand after the best placing or wanders that are due."""
    best = _standing(state, player)
    while state.actor == player:
        options = [a for a in state.legal_actions() if isinstance(a, Place | Wander)]
        if not options:
            break
        value, state = max(
            ((_standing(after, player), after) for after in map(state.apply, options)),
            key=lambda pair: pair[0],
        )
        best = max(best, value)
    return best


def _regions(state: State, player: int, fortress: int) -> int:
    """Count the regions at a fortress where a player has trolls."""
    trolls = state.trolls[player]
    return sum(trolls[region] > 0 for region in state.table.board.surrounding[fortress])


def _limit(state: State, crew: Sequence[int], fortress: int) -> int:
    """Give the hit and color limit of a crew at a fortress."""
    around = state.table.board.surrounding[fortress]
    return min(9, sum(state.trolls[player][region] for player in crew for region in around))


def _catch(state: State, player: int, fortress: int, limit: int) -> float:
    """Guess the value of the treasure that a crew with this limit gets a player."""
    trolls = state.trolls[player]
    return max(
        (
            state.treasures[region] * _chance_of(state.treasures[region], limit)
            for region in state.table.board.surrounding[fortress]
            if trolls[region]
        ),
        default=0.0,
    )


@cache
def _chance_of(value: int, limit: int) -> float:
    """Guess how likely hammering with a limit reaches a treasure before the spirit is angry.

    The color limit binds about when the hit limit does, at three boulders a troll.
    """
    return 1 / (1 + exp((value - YIELD * limit + 1.5) / 2)) if value and limit else 0.0


def _worth_hammering(state: State, player: int) -> float:
    """Guess what hammering at the announced fortress brings, less the trolls it costs."""
    match state.phase:
        case phases.Joining(_, fortress):
            crew = [state.turn, player]
        case phases.Deciding(_, fortress, comrade):
            crew = [player] if comrade is None else [player, comrade]
        case _:
            return 0.0
    catch = _catch(state, player, fortress, _limit(state, crew, fortress))
    return catch + (PROGRESS / 2 if player == state.turn else 0.0) - _clearing(state, player)


def _clearing(state: State, player: int) -> float:
    """Guess what clearing costs: nothing when all trolls are out, and stand in the wrong place."""
    return CLEARING if sum(state.trolls[player]) < TROLLS else 0.0


def _in_reach(state: State, player: int, total: int) -> float:
    """Give the best treasure that a player could collect with so many boulders."""
    trolls = state.trolls[player]
    values = [
        state.treasures[region]
        for region in state.table.board.surrounding[state.hammering.fortress]
        if trolls[region] and 0 < state.treasures[region] <= total
    ]
    progress = PROGRESS if player == state.turn else 0.0
    return max(values) + progress if values else 0.0


def _worth_striking(state: State, player: int) -> float:
    """Weigh a better treasure, one or two hits ahead, against an angry mountain spirit."""
    now = state.hammering
    total, expected = now.out.total, YIELD * min(now.limit - now.hits, 2)
    safe = _in_reach(state, player, total)
    best = safe
    for more in range(1, 15):
        reached = _poisson_tail(more, expected)
        better = _in_reach(state, player, total + more)
        best = max(best, reached * better + (1 - reached) * safe)
    calm = 1.0
    for out in now.out[:3]:
        share = (11 - out) / (44 - total)
        calm *= 1 - _poisson_tail(now.limit - out + 1, YIELD * share)
    appeased = max(safe - 6, 0.0) if state.gifts[player] else 0.0
    # Who has nothing in reach has nothing to lose by a further hit.
    return calm * best + (1 - calm) * appeased + (0.0 if safe else 0.1)


@cache
def _poisson_tail(least: int, mean: float) -> float:
    """Give the probability of at least so many, of a Poisson distribution."""
    term = below = exp(-mean)
    if least <= 0:
        return 1.0
    for n in range(1, least):
        term *= mean / n
        below += term
    return 1 - below


def _worth_giving(state: State, player: int) -> float:
    """Give what the treasure is worth that gifts would save, a gift's share of it."""
    now = state.hammering
    offered = len(state.phase.offered) if isinstance(state.phase, phases.Appeasing) else 0
    missing = now.out.excess(now.limit) - offered
    return _in_reach(state, player, now.out.total) / missing
