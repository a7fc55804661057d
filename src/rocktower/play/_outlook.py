"""What may come of a turn: hammering weighed by its odds, every ending by its value.

All values are in points of a player's lead: his points less the mean of the others' at the end
of the game (`Value`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rocktower.games.trollfjord import (
    ALL_BOULDERS,
    Announce,
    Clear,
    Collect,
    comrades,
    hit_limit,
    phases,
    trolls_at,
)
from rocktower.odds import Payoffs, Situation, Treasure
from rocktower.play._prospects import alone_ends, pair_ends, prospects
from rocktower.play._value import value

if TYPE_CHECKING:
    from rocktower.games.trollfjord import State

__all__ = [
    "Ends",
    "ends_of",
    "hammering",
    "impatience",
    "outlook",
    "rivalry",
    "situation_of",
]

_MOST_HITS = 9
# Turns of each player after which not to hammer begins to cost something, and how much a turn.
# The rules let a leader wait for ever; games among people, and most of bots, end far sooner.
_PATIENCE, _HURRY = 20, 0.5


@dataclass(frozen=True, slots=True)
class Ends:
    """What the ends of hammering at a fortress are worth to a player, against not hammering.

    Attributes
    ----------
    collected
        For each region around the fortress what its treasure brings, with all that follows from
        it; None without trolls there.
    nothing
        What leaving empty-handed costs: the trolls of a region, the least valuable ones.
    """

    collected: tuple[float | None, ...]
    nothing: float


def rivalry(state: State) -> float:
    """Give what a point of one other player's costs in lead: the mean of the others counts."""
    return 1.0 / (state.table.players - 1)


def impatience(state: State) -> float:
    """Give what it costs not to hammer: nothing at first, more and more in a game that drags on."""
    return _HURRY * max(0, state.turns - _PATIENCE * state.table.players)


def ends_of(state: State, player: int, fortress: int, before: float | None = None) -> Ends:
    """Weigh what hammering at a fortress can end with; `before` is the position's own value."""
    around = state.table.board.surrounding[fortress]
    mine = [region for region in around if state.trolls[player][region]]
    collecting = [region for region in mine if state.treasures[region]]
    states = [] if before is not None else [state]
    states += [collected(state, player, fortress, region) for region in collecting]
    states += [cleared(state, player, fortress, region) for region in mine]
    after = [float(lead) for lead in value().of(states, player)]
    if before is None:
        before, *after = after
    gained = dict(zip(collecting, (lead - before for lead in after), strict=False))
    return Ends(
        tuple(gained.get(region) for region in around),
        max(after[len(collecting) :], default=before) - before,
    )


def collected(state: State, player: int, fortress: int, region: int) -> State:
    """Give the position after a player has collected a region's treasure, and nobody else."""
    done = phases.Hammering(fortress, _MOST_HITS, (player,), hits=_MOST_HITS, out=ALL_BOULDERS)
    asked = replace(state, hammering=done, phase=phases.Collecting(player))
    return asked.apply(Collect(state.table.board.regions[region].name))


def cleared(state: State, player: int, fortress: int, region: int) -> State:
    """Give the position after a player has cleared a region, empty-handed."""
    done = phases.Hammering(fortress, _MOST_HITS, (), hits=_MOST_HITS, empty_handed=(player,))
    asked = replace(state, hammering=done, phase=phases.Clearing(player))
    return asked.apply(Clear(state.table.board.regions[region].name))


def situation_of(
    state: State,
    player: int,
    fortress: int,
    other: int | None,
    limit: int,
    *,
    first: bool = True,
    mine: Ends | None = None,
) -> Situation:
    """Give the hammering of a player, and perhaps of another one, before its first hit.

    Parameters
    ----------
    first
        Whether the player, who is `ME` in the situation, has the hammer.
    mine
        What the ends are worth to the player, if that was found before.
    """
    mine = mine or ends_of(state, player, fortress)
    if other is None:
        others, gifts = Ends((None,) * 3, 0.0), tuple[int, ...]()
    else:
        others, gifts = ends_of(state, other, fortress), state.gifts[other]
    around = state.table.board.surrounding[fortress]
    return Situation(
        limit=limit,
        treasures=tuple(
            Treasure(state.treasures[region], (own, foreign))
            for region, own, foreign in zip(around, mine.collected, others.collected, strict=True)
            if state.treasures[region]
        ),
        gifts=(state.gifts[player], gifts),
        comrade=other is not None,
        hammerer=0 if first else 1,
        rivalry=rivalry(state),
        empty_handed=(mine.nothing, others.nothing),
    )


def hammering(state: State, player: int, fortress: int, before: float | None = None) -> float:
    """Guess what hammering at a fortress is worth to the player whose turn it is.

    A total to stop at, the best one, stands for the decisions to come. Who may be the comrade
    joins if that is better for him than to let the player hammer alone.
    """
    alone = hit_limit(state, [player], fortress)
    own = ends_of(state, player, fortress, before)
    payoffs = Payoffs(situation_of(state, player, fortress, None, alone, mine=own))
    best, _ = prospects().value(alone, alone_ends(payoffs, 0))
    share = rivalry(state)
    for other in comrades(state, fortress):
        together = hit_limit(state, [player, other], fortress)
        pair_of = situation_of(state, player, fortress, other, together, mine=own)
        ends = pair_ends(Payoffs(pair_of), 0)
        mine, others = ends[..., 0], ends[..., 1]
        pair, number = prospects().value(together, mine - share * others)
        joining = prospects().worth_of(together, number, others - share * mine)
        if joining > -share * max(best, 0.0):
            return pair
    return best


def outlook(state: State, player: int, before: float) -> float:
    """Give what a position is worth to a player who has moved; `before` is it without hammering."""
    worths = [hammering(state, player, fortress, before) for fortress in _fortresses(state, player)]
    return before + max([-impatience(state), *worths])


def _fortresses(state: State, player: int) -> list[int]:
    """List the fortresses that a player may announce."""
    allowed = state.table.fortresses_by_belt[len(state.belts[player])]
    asked = replace(state, phase=phases.Announcing(player))
    announced = {a.fortress for a in asked.legal_actions() if isinstance(a, Announce)}
    names = state.table.board.fortresses
    return [
        fortress
        for fortress in allowed
        if names[fortress].name in announced and trolls_at(state, player, fortress) > 1
    ]
