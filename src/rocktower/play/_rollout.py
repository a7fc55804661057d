"""A game played on in the mind: chance drawn afresh, the tower from prepared turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.games.trollfjord import CHANCE, Boulders, TowerHit
from rocktower.play._prospects import prospects

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from rocktower.games.trollfjord import State
    from rocktower.play._bots import Bot

__all__ = ["play_on"]


def play_on(
    state: State,
    bot: Bot,
    rng: np.random.Generator,
    until: Callable[[State], bool] = lambda _state: False,
    *,
    watch: Callable[[State], None] = lambda _state: None,
) -> State:
    """Play until the game is over, or `until` says so; `watch` sees every position before.

    The hits of a turn are those of one of the prepared turns, chosen by `rng`.
    """
    turns = prospects().hits
    turn, number = 0, -1
    while not state.is_over and not until(state):
        watch(state)
        if state.actor != CHANCE:
            state = state.apply(bot.decide(state, state.legal_actions(), rng))
            continue
        request = state.request
        if isinstance(request, TowerHit):
            if number != state.turns:
                turn, number = int(rng.integers(len(turns))), state.turns
            fell = turns[turn, state.hammering.hits].tolist()
            state = state.apply(Boulders(*map(min, fell, request.inside)))
        else:
            state = state.apply(request.sample(rng))  # type: ignore[attr-defined]  # not a tower's
    return state
