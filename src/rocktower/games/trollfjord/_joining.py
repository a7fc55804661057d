"""B1 and B2: choosing a fortress, alone or with a comrade, and deciding to hammer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rocktower.games.trollfjord import _hammering
from rocktower.games.trollfjord._actions import Action, Announce, Hammer, Join, Pass
from rocktower.games.trollfjord._turns import end_turn
from rocktower.games.trollfjord.phases import Announcing, Deciding, Joining

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State

__all__ = [
    "announce",
    "announcements",
    "begin",
    "comrades",
    "decide",
    "decisions",
    "fortresses",
    "join",
    "joinings",
]

_JOININGS = (Join(), Pass())
_DECISIONS = (Hammer(), Pass())


def stands_at(state: State, player: int, fortress: int) -> bool:
    """Whether a player complies with hammer slate 2: trolls in two regions or more (B1)."""
    a, b, c = state.table.board.surrounding[fortress]
    trolls = state.trolls[player]
    return (trolls[a] > 0) + (trolls[b] > 0) + (trolls[c] > 0) >= 2


def fortresses(state: State, player: int) -> list[int]:
    """List the fortresses that both hammer slates allow a player (B1)."""
    allowed = state.table.fortresses_by_belt[len(state.belts[player])]
    return [fortress for fortress in allowed if stands_at(state, player, fortress)]


def comrades(state: State, fortress: int) -> list[int]:
    """List the opponents who may be the comrade, in the order in which they are asked (B2).

    Most trolls at the fortress first; of equals, the one whose lord is farthest back.
    """
    able = [
        (-_hammering.trolls_at(state, player, fortress), state.lords[player], player)
        for player in range(state.table.players)
        if player != state.turn and stands_at(state, player, fortress)
    ]
    return [player for _, _, player in sorted(able)]


def begin(state: State) -> State:
    """Begin section B; without a fortress to hammer at, the turn ends."""
    if fortresses(state, state.turn):
        return replace(state, phase=Announcing(state.turn))
    return end_turn(state)


def announcements(state: State, phase: Announcing) -> tuple[Action, ...]:
    """List the fortresses that can be announced; hammering can be forgone."""
    options = state.table.announcements
    return (*(options[f] for f in fortresses(state, phase.player)), Pass())


def announce(state: State, phase: Announcing, action: Action) -> State:
    """Ask the first possible comrade, or end the turn."""
    if not isinstance(action, Announce):
        return end_turn(state)
    fortress = state.table.board.fortress_index[action.fortress]
    return _ask(state, fortress, comrades(state, fortress))


def joinings(_state: State, _phase: Joining) -> tuple[Action, ...]:
    """List what a possible comrade can say: his word holds."""
    return _JOININGS


def join(state: State, phase: Joining, action: Action) -> State:
    """Make the opponent the comrade, or ask the next one."""
    if isinstance(action, Join):
        return replace(state, phase=Deciding(state.turn, phase.fortress, phase.player))
    able = comrades(state, phase.fortress)
    return _ask(state, phase.fortress, able[able.index(phase.player) + 1 :])


def _ask(state: State, fortress: int, able: list[int]) -> State:
    if able:
        return replace(state, phase=Joining(able[0], fortress))
    return replace(state, phase=Deciding(state.turn, fortress, None))


def decisions(_state: State, _phase: Deciding) -> tuple[Action, ...]:
    """List: hammer (with the comrade, if there is one) or not at all."""
    return _DECISIONS


def decide(state: State, phase: Deciding, action: Action) -> State:
    """Begin to hammer, or end the turn."""
    if not isinstance(action, Hammer):
        return end_turn(state)
    crew = (phase.player,) if phase.comrade is None else (phase.player, phase.comrade)
    return _hammering.begin(state, phase.fortress, crew)
