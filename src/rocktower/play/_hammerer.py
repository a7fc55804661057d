"""Decisions around the tower, by the odds: whether to hammer, strike, give, and what to take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocktower.games.trollfjord import (
    Action,
    Announce,
    Clear,
    Collect,
    Give,
    Hammer,
    Join,
    Pass,
    State,
    Stop,
    Strike,
    hit_limit,
    phases,
)
from rocktower.odds import ME, OTHER, Mode, Payoffs
from rocktower.play._outlook import ends_of, hammering, impatience, rivalry, situation_of
from rocktower.play._prospects import remembered_plan
from rocktower.play._value import value

if TYPE_CHECKING:
    from rocktower.odds import Situation

__all__ = ["hammer"]


def hammer(state: State, player: int) -> Action | None:
    """Decide what belongs to hammering; None in any other phase."""
    match state.phase:
        case phases.Announcing():
            return _announce(state, player)
        case phases.Joining(_, fortress):
            return Join() if _joining(state, player, fortress) else Pass()
        case phases.Deciding(_, fortress, comrade):
            worth = _worth(state, player, fortress, comrade, first=True)
            return Hammer() if worth > -impatience(state) else Pass()
        case phases.Striking():
            return Strike() if _strikes(state, player) else Stop()
        case phases.Appeasing():
            return _appease(state, player)
        case phases.Collecting():
            return _collect(state, player)
        case phases.Clearing():
            return _clear(state, player)
    return None


def _announce(state: State, player: int) -> Action:
    options = [a for a in state.legal_actions() if isinstance(a, Announce)]
    index = state.table.board.fortress_index
    worths = [hammering(state, player, index[option.fortress]) for option in options]
    best = max(range(len(options)), key=worths.__getitem__)
    return options[best] if worths[best] > -impatience(state) else Pass()


def _worth(state: State, player: int, fortress: int, other: int | None, *, first: bool) -> float:
    """Give what hammering is worth to a player's lead, by the plan for both."""
    crew = [player] if other is None else [player, other]
    limit = hit_limit(state, crew, fortress)
    situation = situation_of(state, player, fortress, other, limit, first=first)
    mine, others = remembered_plan(situation).value
    return float(mine - situation.rivalry * others)


def _joining(state: State, player: int, fortress: int) -> bool:
    """Say whether to be the comrade: better than to let the other hammer alone, if he would."""
    turn, share = state.turn, rivalry(state)
    mine = _worth(state, player, fortress, turn, first=False)
    alone = max(_worth(state, turn, fortress, None, first=True), 0.0)
    return mine > -share * alone


def _now(state: State, player: int) -> tuple[Situation, Mode]:
    """Give the plan's situation of the hammering now going on, and the mode that it is in."""
    now = state.hammering
    others = [other for other in now.crew if other != player]
    other = others[0] if others else None
    situation = situation_of(state, player, now.fortress, other, now.limit)
    if other is None:
        return situation, Mode(ME, both=False)
    return situation, Mode(ME if now.crew[0] == player else OTHER, both=True)


def _strikes(state: State, player: int) -> bool:
    now = state.hammering
    if not now.hits:
        return True
    situation, mode = _now(state, player)
    made = remembered_plan(situation)
    return bool(made.strikes[now.hits][(made.modes.index(mode), *now.out)])


def _appease(state: State, player: int) -> Action:
    """Give the cheapest gifts, own and other's, if the treasures are worth it to the giver."""
    now, phase = state.hammering, state.phase
    assert isinstance(phase, phases.Appeasing)  # noqa: S101 - only then is it asked
    situation, mode = _now(state, player)
    payoffs, total = Payoffs(situation), now.out.total
    if mode.both:
        mine, others = payoffs.over[mode.hammerer, total]
        gain = mine - situation.empty_handed[ME]
        gain -= situation.rivalry * (others - situation.empty_handed[OTHER])
    else:
        gain = payoffs.collect(ME)[total] - situation.empty_handed[ME]
    missing = now.out.excess(now.limit) - len(phase.offered)
    left = {
        p: [gift for gift in state.gifts[p] if (p, gift) not in phase.offered] for p in now.crew
    }
    # After the other has passed, what is missing is mine to give.
    pool = [
        (gift, p != player, p)
        for p in now.crew
        if p == player or not phase.passed
        for gift in left[p]
    ]
    share = [gift for gift, _, p in sorted(pool)[:missing] if p == player]
    if share and gain > sum(share) and len(pool) >= missing:
        return Give(share[0])
    return Pass()


def _collect(state: State, player: int) -> Action:
    """Take what is best for the lead, with what it leaves to the other."""
    now, share = state.hammering, rivalry(state)
    around = state.table.board.surrounding[now.fortress]
    mine = ends_of(state, player, now.fortress).collected
    others = [
        ends_of(state, other, now.fortress).collected for other in now.crew if other != player
    ]
    index = state.table.board.region_index
    total = now.out.total

    def worth(action: Action) -> float:
        assert isinstance(action, Collect)  # noqa: S101 - nothing else is legal
        place = around.index(index[action.region])
        left = [
            gain
            for collected in others
            for i, gain in enumerate(collected)
            if i != place and gain is not None and state.treasures[around[i]] <= total
        ]
        return (mine[place] or 0.0) - share * max(left, default=0.0)

    return max(state.legal_actions(), key=worth)


def _clear(state: State, player: int) -> Action:
    actions = [action for action in state.legal_actions() if isinstance(action, Clear)]
    worths = value().of([state.apply(action) for action in actions], player)
    return actions[int(np.argmax(worths))]
