"""Whose turn it is, and when the game ends (Overview; End of Game)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rocktower.games.trollfjord._tuples import with_item
from rocktower.games.trollfjord.phases import NO_HAMMERING, Moving, Over

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State

__all__ = ["end_turn", "next_turn"]

PLUS = 4  # treasures on a belt whose "+" space is filled


def end_turn(state: State) -> State:
    """End the turn: the boulders go back, and on a last turn the lord lies down.

    The first treasure on a "+" space makes this turn, and the next one of everybody else, the
    last one.
    """
    player = state.turn
    state = replace(state, hammering=NO_HAMMERING)
    if any(state.lying) or len(state.belts[player]) == PLUS:
        none = (0,) * len(state.table.board.regions)
        lying = tuple(lies or other == player for other, lies in enumerate(state.lying))
        state = replace(state, lying=lying, trolls=with_item(state.trolls, player, none))
    return next_turn(state)


def next_turn(state: State) -> State:
    """Begin the turn of the standing lord farthest back; without one the game is over.

    It is over as well when no treasure is left: the rulebook does not say what happens then,
    and nobody could fill a "+" space any more.
    """
    standing = [
        (lord, player)
        for player, (lord, lies) in enumerate(zip(state.lords, state.lying, strict=True))
        if not lies
    ]
    if not standing or not any(state.treasures):
        return replace(state, phase=Over())
    player = min(standing)[1]
    return replace(state, turn=player, turns=state.turns + 1, phase=Moving(player))
