"""C. Collect treasure: who collects what, crowns, clearing regions, new treasures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rocktower.chance import DrawFromBag
from rocktower.games.trollfjord._actions import Action, Clear, Collect
from rocktower.games.trollfjord._tuples import with_item
from rocktower.games.trollfjord._turns import end_turn
from rocktower.games.trollfjord.phases import Clearing, Collecting, Dealing, Seating, Striking

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State

__all__ = ["bare_regions", "clear", "clears", "collect", "collects", "deal", "deal_request", "stop"]


def stop(state: State) -> State:
    """Let the hammerer stop: he collects at once, or leaves empty-handed (C1)."""
    player = state.hammering.crew[0]
    if _allowed(state, player):
        return replace(state, phase=Collecting(player))
    empty_handed = (*state.hammering.empty_handed, player)
    return _leave(replace(state, hammering=replace(state.hammering, empty_handed=empty_handed)))


def _allowed(state: State, player: int) -> list[int]:
    """List the regions whose treasure the mountain spirit lets a player collect (C1)."""
    hammering = state.hammering
    if hammering.angry:
        return []
    total, trolls = hammering.out.total, state.trolls[player]
    return [
        region
        for region in state.table.board.surrounding[hammering.fortress]
        if 0 < state.treasures[region] <= total and trolls[region]
    ]


def collects(state: State, phase: Collecting) -> tuple[Action, ...]:
    """List the allowed treasures: one of them must be collected."""
    options = state.table.board.collects
    return tuple(options[region] for region in _allowed(state, phase.player))


def collect(state: State, phase: Collecting, action: Action) -> State:
    """Take the treasure, perhaps a crown, and the trolls out of that region (C1 to C3)."""
    assert isinstance(action, Collect)  # noqa: S101 - apply() has checked that it is legal
    player = phase.player
    region = state.table.board.region_index[action.region]
    value = state.treasures[region]
    state = replace(state, treasures=with_item(state.treasures, region, 0))
    state = (
        _put_on_belt(state, value) if player == state.turn else _put_in_bag(state, player, value)
    )
    return _leave(_clear(state, player, region))


def _put_on_belt(state: State, value: int) -> State:
    """Put a treasure on the leftmost free belt space, with a crown if it is the best (C2).

    Of equal values the later one holds the crown. The "+" space has none.
    """
    player, space = state.turn, len(state.belts[state.turn])
    crowns = state.crowns
    if space < len(crowns):
        holder = crowns[space]
        if holder is None or value >= state.belts[holder][space]:
            crowns = with_item(crowns, space, player)
    belt = (*state.belts[player], value)
    return replace(state, belts=with_item(state.belts, player, belt), crowns=crowns)


def _put_in_bag(state: State, player: int, value: int) -> State:
    """Put a treasure that was won on an opponent's turn in the patched bag (C1)."""
    return replace(state, bags=with_item(state.bags, player, (*state.bags[player], value)))


def _leave(state: State) -> State:
    """Let the hammerer go: the comrade may keep hammering or, if it is over, collects (B4)."""
    hammering = replace(state.hammering, crew=state.hammering.crew[1:])
    state = replace(state, hammering=hammering)
    if not hammering.crew:
        return _clear_next(state)
    if hammering.is_over:
        return stop(state)
    return replace(state, phase=Striking(hammering.crew[0]))


def _clear_next(state: State) -> State:
    """Let those who collected nothing clear a region, the player of this turn first (C3)."""
    waiting = state.hammering.empty_handed
    if not waiting:
        return _refill(state)
    player = state.turn if state.turn in waiting else waiting[0]
    return replace(state, phase=Clearing(player))


def clears(state: State, phase: Clearing) -> tuple[Action, ...]:
    """List the regions of this fortress that hold a troll of the player's."""
    options, trolls = state.table.board.clears, state.trolls[phase.player]
    around = state.table.board.surrounding[state.hammering.fortress]
    return tuple(options[region] for region in around if trolls[region])


def clear(state: State, phase: Clearing, action: Action) -> State:
    """Take the trolls back; then the other one clears, and new treasures come."""
    assert isinstance(action, Clear)  # noqa: S101 - apply() has checked that it is legal
    region = state.table.board.region_index[action.region]
    waiting = tuple(p for p in state.hammering.empty_handed if p != phase.player)
    state = replace(state, hammering=replace(state.hammering, empty_handed=waiting))
    return _clear_next(_clear(state, phase.player, region))


def _clear(state: State, player: int, region: int) -> State:
    trolls = with_item(state.trolls[player], region, 0)
    return replace(state, trolls=with_item(state.trolls, player, trolls))


def bare_regions(state: State) -> list[int]:
    """List the regions that get a treasure, as long as the supply lasts."""
    bare = [region for region, value in enumerate(state.treasures) if not value]
    return bare[: len(state.supply)]


def _refill(state: State) -> State:
    return replace(state, phase=Dealing()) if bare_regions(state) else end_turn(state)


def deal_request(state: State, _phase: Dealing) -> DrawFromBag[int]:
    """Ask for a treasure from the supply for each region without one."""
    bare = bare_regions(state)
    names = [state.table.board.regions[region].name for region in bare]
    what = "treasures for " + ", ".join(names) if state.turns else "treasures for all regions"
    return DrawFromBag(state.supply, len(bare), what)


def deal(state: State, _phase: Dealing, answer: tuple[int, ...]) -> State:
    """Lay the treasures out; the turn ends, or the game is prepared further."""
    treasures = state.treasures
    for region, value in zip(bare_regions(state), answer, strict=True):
        treasures = with_item(treasures, region, value)
    state = replace(state, treasures=treasures, supply=state.supply.take(answer))
    return end_turn(state) if state.turns else replace(state, phase=Seating())
