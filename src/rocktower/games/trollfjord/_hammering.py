"""B3 and B4: limits, hits, empty hits, the angry mountain spirit and his gifts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rocktower.games.trollfjord import _collecting
from rocktower.games.trollfjord._actions import Action, Give, Pass, Stop, Strike
from rocktower.games.trollfjord._requests import ALL_BOULDERS, Boulders, TowerHit
from rocktower.games.trollfjord._tuples import with_item
from rocktower.games.trollfjord.phases import Appeasing, Falling, Hammering, Striking

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State

__all__ = ["begin", "fall", "gifts", "give", "hit_request", "strike", "strikes", "trolls_at"]

MOST_HITS = 9

_FIRST = (Strike(),)
_LATER = (Strike(), Stop())


def trolls_at(state: State, player: int, fortress: int) -> int:
    """Count a player's trolls in the three regions around a fortress (B3)."""
    a, b, c = state.table.board.surrounding[fortress]
    trolls = state.trolls[player]
    return trolls[a] + trolls[b] + trolls[c]


def begin(state: State, fortress: int, crew: tuple[int, ...]) -> State:
    """Begin to hammer: the trolls of all who hammer make the limit, at most 9 (B3)."""
    limit = min(MOST_HITS, sum(trolls_at(state, player, fortress) for player in crew))
    return replace(state, hammering=Hammering(fortress, limit, crew), phase=Striking(crew[0]))


def strikes(state: State, _phase: Striking) -> tuple[Action, ...]:
    """List: strike or stop. Who decided to hammer stops after a hit, not before the first."""
    return _LATER if state.hammering.hits else _FIRST


def strike(state: State, _phase: Striking, action: Action) -> State:
    """Strike: chance says what falls. Or stop: collect, and the comrade may go on."""
    if isinstance(action, Strike):
        return replace(state, phase=Falling(action))
    return _collecting.stop(state)


def hit_request(state: State, phase: Falling) -> TowerHit:
    """Ask the tower, as full as it is now."""
    return TowerHit(ALL_BOULDERS.minus(state.hammering.out), phase.strike)


def fall(state: State, _phase: Falling, hit: Boulders) -> State:
    """Count a hit. An empty one swaps the roles, be it the last one allowed (B4)."""
    before = state.hammering
    crew = before.crew if hit.total else before.crew[::-1]
    now = replace(before, hits=before.hits + 1, out=before.out.plus(hit), crew=crew)
    state = replace(state, hammering=now, phase=Striking(crew[0]))
    if now.out.excess(now.limit):
        return _appease(state)
    return _collecting.stop(state) if now.is_over else state


def _appease(state: State) -> State:
    """Ask the angry spirit's victims for gifts, if they have enough of them (B3)."""
    hammering = state.hammering
    available = sum(len(state.gifts[player]) for player in hammering.crew)
    if available < hammering.out.excess(hammering.limit):
        return _leave_angry(state)
    giver = next(player for player in hammering.crew if state.gifts[player])
    return replace(state, phase=Appeasing(giver))


def _leave_angry(state: State) -> State:
    return _collecting.stop(replace(state, hammering=replace(state.hammering, angry=True)))


def gifts(state: State, phase: Appeasing) -> tuple[Action, ...]:
    """List the gifts that a player has not offered yet; one may pass."""
    return (*(Give(value) for value in _left(state, phase, phase.player)), Pass())


def give(state: State, phase: Appeasing, action: Action) -> State:
    """Offer a gift or pass; the offers are given once they suffice, or not at all.

    Hammerer and comrade "decide together": each may add to the other's offer until both pass.
    """
    player = phase.player
    if isinstance(action, Give):
        phase = Appeasing(player, (*phase.offered, (player, action.value)))
        if len(phase.offered) == state.hammering.out.excess(state.hammering.limit):
            return _flip(state, phase)
        if _left(state, phase, player):
            return replace(state, phase=phase)
    others = [p for p in state.hammering.crew if p != player and _left(state, phase, p)]
    if phase.passed or not others:
        return _leave_angry(state)
    passed = isinstance(action, Pass)
    return replace(state, phase=Appeasing(others[0], phase.offered, passed=passed))


def _left(state: State, phase: Appeasing, player: int) -> list[int]:
    return [value for value in state.gifts[player] if (player, value) not in phase.offered]


def _flip(state: State, phase: Appeasing) -> State:
    """Flip the offered gifts; the appeased spirit lets the crew collect."""
    unflipped = state.gifts
    for player in state.hammering.crew:
        unflipped = with_item(unflipped, player, tuple(_left(state, phase, player)))
    return _collecting.stop(replace(state, gifts=unflipped))
