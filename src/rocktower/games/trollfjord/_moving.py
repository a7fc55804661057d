"""A. Move trolls: the lord's move, placing and wandering, tailwind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rocktower.games.trollfjord import _joining
from rocktower.games.trollfjord._actions import Action, Kind, Move, Pass, Place, Wander
from rocktower.games.trollfjord._board import WANDER
from rocktower.games.trollfjord._tuples import with_item
from rocktower.games.trollfjord.phases import Placing, Wandering

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State
    from rocktower.games.trollfjord.phases import Moving

__all__ = ["destination", "move", "moves", "place", "places", "wander", "wanders"]

TROLLS = 10
REACH = 3  # a lord moves to the first, second or third free space of a kind

_KINDS: tuple[Kind, ...] = ("placement", "wander")
_MOVES: tuple[Action, ...] = tuple(Move(k, n) for k in _KINDS for n in range(1, REACH + 1))
_PASS = (Pass(),)


def destination(state: State, player: int, kind: Kind, count: int) -> int:
    """Find the position of the next free space of a kind, the second or the third (A1).

    Spaces of the other kind and occupied ones do not count; a lying lord occupies its space.
    """
    spaces, lords = state.table.spaces, state.lords
    position = max(lords[player], -1)
    wanted = kind == WANDER
    while count:
        position += 1
        if (spaces[position % len(spaces)] == WANDER) is wanted and position not in lords:
            count -= 1
    return position


def moves(_state: State, _phase: Moving) -> tuple[Action, ...]:
    """List the lord's moves: there are always six."""
    return _MOVES


def move(state: State, phase: Moving, action: Action) -> State:
    """Move the lord; then its player may place or wander as often as spaces were counted."""
    assert isinstance(action, Move)  # noqa: S101 - apply() has checked that it is legal
    position = destination(state, phase.player, action.kind, action.count)
    state = replace(state, lords=with_item(state.lords, phase.player, position))
    return _ask(state, phase.player, action.count)


def places(state: State, phase: Placing) -> tuple[Action, ...]:
    """List the placings: one to `most` trolls in one region of the landscape, or none."""
    landscape = state.table.space(state.lords[phase.player])
    most = min(phase.most, TROLLS - sum(state.trolls[phase.player]))
    return state.table.board.places[landscape, most] + _PASS


def place(state: State, phase: Placing, action: Action) -> State:
    """Place the trolls; then tailwind reaches the next lord."""
    if isinstance(action, Place):
        region = state.table.board.region_index[action.region]
        state = _add_trolls(state, phase.player, {region: action.count})
    return _tailwind(state, phase.player)


def wanders(state: State, phase: Wandering) -> tuple[Action, ...]:
    """List the wanders: each troll into each adjoining region, or no further one."""
    options = state.table.board.wanders
    actions: tuple[Action, ...] = ()
    for region, n in enumerate(state.trolls[phase.player]):
        if n:
            actions += options[region]
    return actions + _PASS


def wander(state: State, phase: Wandering, action: Action) -> State:
    """Move one troll; another wander may follow, or tailwind reaches the next lord."""
    if isinstance(action, Wander):
        index = state.table.board.region_index
        state = _add_trolls(state, phase.player, {index[action.start]: -1, index[action.end]: 1})
        if phase.left > 1:
            return replace(state, phase=Wandering(phase.player, phase.left - 1))
    return _tailwind(state, phase.player)


def _add_trolls(state: State, player: int, change: dict[int, int]) -> State:
    mine = list(state.trolls[player])
    for region, n in change.items():
        mine[region] += n
    return replace(state, trolls=with_item(state.trolls, player, tuple(mine)))


def _ask(state: State, player: int, most: int) -> State:
    """Let a player place or wander, if there is a troll to do it with."""
    on_board = sum(state.trolls[player])
    if state.table.space(state.lords[player]) == WANDER:
        if on_board:
            return replace(state, phase=Wandering(player, most))
    elif on_board < TROLLS:
        return replace(state, phase=Placing(player, most))
    return _tailwind(state, player)


def _tailwind(state: State, player: int) -> State:
    """Give the next lord ahead its tailwind; after the farthest one, hammering is due (A3).

    Finished players, whose lords lie, receive none.
    """
    lords = state.lords
    ahead = [
        (lord, other)
        for other, lord in enumerate(lords)
        if lord > lords[player] and not state.lying[other]
    ]
    if not ahead:
        return _joining.begin(state)
    return _ask(state, min(ahead)[1], 1)
