"""Positions and games for the tests, in the rulebook's cast of players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rocktower.games.trollfjord import (
    CHANCE,
    Boulders,
    Pass,
    State,
    Stop,
    TowerHit,
    new_game,
    parse_action,
    phases,
    position_from_json,
    position_to_json,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

SIGRUN, SVEN, ASTRID, OLAF = 0, 1, 2, 3  # white, orange, brown, black

# With the walkways in their own order, even spaces are placement spaces and odd ones wander
# spaces: 0 mountain, 2 fjord, 4 glacier, 6 fjord, 8 swamp, 10 mountain, 12 tundra, 14 mountain,
# 16 glacier, 18 swamp, 20 forest, 22 mountain, 24 mountain, 26 tundra, 28 forest.


def position(
    *,
    lords: tuple[int, ...] = (0, 2, 4, 6),
    trolls: Mapping[int, Mapping[str, int]] | None = None,
    belts: Mapping[int, tuple[int, ...]] | None = None,
    gifts: Mapping[int, tuple[int, ...]] | None = None,
    treasures: Mapping[str, int] | None = None,
    crowns: tuple[int | None, ...] = (None, None, None),
    numbers: tuple[int, ...] = (1, 2, 3, 3, 1, 2),
    lying: tuple[int, ...] = (),
    turn: int | None = None,
    phase: phases.Phase | None = None,
    **more: Any,
) -> State:
    """Build a position that a player begins the turn in (or any phase), and have it checked.

    Regions without a given treasure get the lowest ones left.
    """
    state = new_game(len(lords), numbers=numbers, walkways=range(1, 11))
    regions, index = state.table.board.regions, state.table.board.region_index
    belts, given = dict(belts or {}), dict(treasures or {})
    supply = state.supply.take([*given.values(), *(v for belt in belts.values() for v in belt)])
    shown = [0] * len(regions)
    for name, value in given.items():
        shown[index[name]] = value
    for i, value in enumerate(shown):
        if not value:
            shown[i] = supply.things()[0]
            supply = supply.take([shown[i]])
    players = range(len(lords))
    standing = [player for player in players if player not in lying]
    first = min(standing, key=lambda player: lords[player]) if turn is None else turn
    board = [[0] * len(regions) for _ in players]
    for player, where in (trolls or {}).items():
        for name, n in where.items():
            board[player][index[name]] = n
    state = replace(
        state,
        lords=lords,
        lying=tuple(player in lying for player in players),
        trolls=tuple(map(tuple, board)),
        belts=tuple(belts.get(player, ()) for player in players),
        gifts=tuple((gifts or {}).get(player, (4, 8, 16)) for player in players),
        crowns=crowns,
        treasures=tuple(shown),
        supply=supply,
        turn=first,
        turns=20,
        phase=phases.Moving(first) if phase is None else phase,
        **more,
    )
    return position_from_json(position_to_json(state))


def play(state: State, *texts: str) -> State:
    """Apply actions and answers of chance by their text."""
    for text in texts:
        if state.actor == CHANCE:
            state = state.apply(state.request.parse(text))
        else:
            state = state.apply(parse_action(text))
    return state


def legal(state: State) -> list[str]:
    """List the legal actions as text."""
    return [str(action) for action in state.legal_actions()]


def answer(state: State, rng: np.random.Generator) -> Any:
    """Answer chance, with a generous tower: many boulders, half of them white.

    Random players seldom gather many trolls; with such a tower they come to an end soon, and
    still meet empty hits, both limits and the angry mountain spirit.
    """
    request: Any = state.request
    if not isinstance(request, TowerHit):
        return request.sample(rng)
    inside, out = list(request.inside), [0, 0, 0, 0]
    for _ in range(int(rng.random() * 10)):
        color = 3 if rng.random() < 0.5 else int(rng.random() * 3)
        if inside[color]:
            inside[color] -= 1
            out[color] += 1
    return Boulders(*out)


def eager_choice(state: State, rng: np.random.Generator) -> Any:
    """Choose at random, but seldom forgo hammering or stop it: games come to an end soon."""
    actions = state.legal_actions()
    if isinstance(actions[-1], Pass | Stop) and len(actions) > 1 and rng.random() < 0.8:
        actions = actions[:-1]
    return actions[int(rng.random() * len(actions))]
