"""Whether a position can stand on a table: what rules out nonsense from outside."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import _collecting, _hammering, _joining, _moving, phases
from rocktower.games.trollfjord._board import WANDER
from rocktower.games.trollfjord._requests import ALL_BOULDERS, COLORS
from rocktower.games.trollfjord._scoring import GIFTS
from rocktower.games.trollfjord._setup import all_treasures
from rocktower.games.trollfjord._turns import PLUS
from rocktower.games.trollfjord.phases import NO_HAMMERING

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State

__all__ = ["check_state"]

_PREPARING = (phases.Numbering, phases.Laying, phases.Dealing, phases.Seating)
_HAMMERING = (
    phases.Striking,
    phases.Falling,
    phases.Appeasing,
    phases.Collecting,
    phases.Clearing,
    phases.Dealing,
)


def check_state(state: State) -> None:
    """Raise `RocktowerError` unless nothing is missing or in two places, and the phase fits.

    A position that passes can be played on. Whether some game leads to it isn't asked.
    """
    if state.table.players not in (2, 3, 4):
        raise RocktowerError(f"{state.table.players} players: Trollfjord is for 2 to 4")
    _require(0 <= state.turn < state.table.players, f"turn: there is no player {state.turn}")
    _require(state.turns >= 0, f"turns: {state.turns} is below 0")
    _check_things(state)
    if state.turns == 0:
        _check_preparing(state)
        return
    _check_crowns(state)
    _check_lords(state)
    if isinstance(state.phase, phases.Over):
        over = all(state.lying) or not any(state.treasures)
        _require(over, "phase: the game is not over while a lord stands and a treasure is left")
        _require(state.hammering == NO_HAMMERING, "hammering: none when the game is over")
        return
    _require(not state.lying[state.turn], f"turn: player {state.turn} has had the last turn")
    for player, belt in enumerate(state.belts):
        done = state.lying[player] or (player == state.turn and not _belt_needed(state))
        _require(done or len(belt) < PLUS, f'player {player}: the "+" space ends the turns')
    hammers = isinstance(state.phase, _HAMMERING)
    _require(hammers or state.hammering == NO_HAMMERING, "hammering: none in this phase")
    if hammers:
        _check_hammering(state)
    else:
        _check_decision(state)


def _require(condition: object, message: str) -> None:
    if not condition:
        raise RocktowerError(message)


def _belt_needed(state: State) -> bool:
    """Whether the player whose turn it is may still put a treasure on the belt."""
    return not isinstance(state.phase, _HAMMERING) or state.turn in state.hammering.crew


def _check_things(state: State) -> None:
    """Check that trolls, gifts and treasures are all there, and once only."""
    for player in range(state.table.players):
        trolls = state.trolls[player]
        _require(min(trolls) >= 0, f"player {player}: trolls below 0 in a region")
        on_board = sum(trolls)
        _require(on_board <= _moving.TROLLS, f"player {player}: {on_board} trolls, of 10")
        gifts = state.gifts[player]
        in_order = gifts == tuple(gift for gift in GIFTS if gift in gifts)
        _require(in_order, f"player {player}: gifts {list(gifts)}, of {list(GIFTS)}")
        _require(
            len(state.belts[player]) <= PLUS, f"player {player}: over four treasures on the belt"
        )
    treasures = Counter(state.supply.things())
    treasures.update(value for value in state.treasures if value)
    for player in range(state.table.players):
        treasures.update((*state.belts[player], *state.bags[player]))
    known = dict(all_treasures())
    for value in sorted(treasures.keys() | known.keys()):
        here, there = treasures[value], known.get(value, 0)
        _require(here == there, f"{here} treasures of value {value}: there are {there}")


def _check_preparing(state: State) -> None:
    """Check that before the first turn only chance has had a say."""
    phase, table = state.phase, state.table
    _require(isinstance(phase, _PREPARING), "phase: before the first turn chance is asked")
    untouched = (
        not state.lords
        and not any(state.lying)
        and not any(map(sum, state.trolls))
        and set(state.gifts) == {GIFTS}
        and not any(state.belts)
        and not any(state.bags)
        and state.crowns == (None, None, None)
        and state.turn == 0
        and state.hammering == NO_HAMMERING
    )
    _require(untouched, "before the first turn no player has done anything")
    dealt = all(state.treasures) if isinstance(phase, phases.Seating) else not any(state.treasures)
    _require(dealt, "treasures: all regions have one when lords are seated, none before")
    numbered = not isinstance(phase, phases.Numbering)
    _require(bool(table.numbers) == numbered, "numbers: six, once they are placed")
    laid = isinstance(phase, phases.Dealing | phases.Seating)
    _require(
        bool(table.walkways) == laid or isinstance(phase, phases.Numbering),
        "walkways: ten, once they are laid",
    )


def _check_crowns(state: State) -> None:
    for space, holder in enumerate(state.crowns):
        values = {p: belt[space] for p, belt in enumerate(state.belts) if len(belt) > space}
        best = [p for p, value in values.items() if value == max(values.values())]
        _require(
            holder in best if best else holder is None,
            f"crowns: the crown of {space + 1} goes to the best treasure there",
        )


def _check_lords(state: State) -> None:
    table, lords = state.table, state.lords
    _require(table.numbers and table.walkways, "numbers and walkways: placed before the first turn")
    _require(len(set(lords)) == table.players, "lord: each has a space of its own")
    _require(min(lords) >= -table.players, "lord: below the last space of the plank")
    _require(max(lords) - min(lords) < len(table.spaces), "lord: more than a circuit ahead")
    _require(max(lords) < 1_000_000, "lord: no game goes round that often")
    for player, lies in enumerate(state.lying):
        _require(
            not lies or not any(state.trolls[player]),
            f"player {player}: the lord lies, trolls stand",
        )


def _check_decision(state: State) -> None:
    """Check a phase of sections A, B1 and B2."""
    phase, turn = state.phase, state.turn
    standing = [lord for lord, lies in zip(state.lords, state.lying, strict=True) if not lies]
    match phase:
        case phases.Moving(player):
            first = state.lords[turn] == min(standing)
            _require(player == turn and first, "phase: the standing lord farthest back moves")
            return
        case phases.Placing(player, count) | phases.Wandering(player, count):
            _require(0 <= player < state.table.players, f"phase: there is no player {player}")
            ahead = state.lords[player] > state.lords[turn] and not state.lying[player]
            _require(player == turn or ahead, "phase: tailwind is for lords ahead")
            _require(1 <= count <= (_moving.REACH if player == turn else 1), "phase: 1 to 3 trolls")
            wanders = state.table.space(state.lords[player]) == WANDER
            fits = wanders == isinstance(phase, phases.Wandering)
            on_board = sum(state.trolls[player])
            able = on_board if wanders else on_board < _moving.TROLLS
            _require(fits and able, "phase: the player cannot do that on this space")
        case phases.Announcing(player):
            _require(player == turn and _joining.fortresses(state, turn), "phase: none to announce")
        case phases.Joining(player, fortress):
            _check_announced(state, fortress)
            others = _joining.comrades(state, fortress)
            _require(player in others, f"phase: player {player} cannot be a comrade")
        case phases.Deciding(player, fortress, comrade):
            _check_announced(state, fortress)
            others = _joining.comrades(state, fortress)
            fits = player == turn and (comrade is None or comrade in others)
            _require(fits, "phase: not the player's turn, or no possible comrade")
        case _:
            raise RocktowerError("phase: chance prepares the game before the first turn")
    _require(state.lords[turn] >= 0, "lord: on the plank after its move")


def _check_announced(state: State, fortress: int) -> None:
    allowed = fortress in _joining.fortresses(state, state.turn)
    _require(allowed, f"phase: fortress {fortress} is not allowed")


def _check_hammering(state: State) -> None:
    """Check a phase of sections B3, B4 and C."""
    phase, now, table = state.phase, state.hammering, state.table
    _require(0 <= now.fortress < len(table.board.fortresses), "hammering: no such fortress")
    _require(2 <= now.limit <= _hammering.MOST_HITS, "hammering: the limit is 2 to 9")
    _require(0 <= now.hits <= now.limit, "hammering: hits are 0 up to the limit")
    for color, n, most in zip(COLORS, now.out, ALL_BOULDERS, strict=True):
        _require(0 <= n <= most, f"hammering: {n} {color} boulders out, of {most}")
    _require(now.hits or not now.out.total, "hammering: boulders out before the first hit")
    involved = (*now.crew, *now.empty_handed)
    _require(
        len(set(involved)) == len(involved) <= 2 and set(involved) <= set(range(table.players)),
        "hammering: crew and empty_handed are at most two distinct players",
    )
    for player in involved:
        _require(
            not state.lying[player] and _joining.stands_at(state, player, now.fortress),
            f"hammering: player {player} has no trolls there",
        )
    _require(not now.angry or now.out.excess(now.limit), "hammering: angry without an excess")
    _require(state.lords[state.turn] >= 0, "lord: on the plank after its move")
    actor = getattr(phase, "player", None)
    first = now.crew[0] if now.crew else None
    match phase:
        case phases.Striking():
            fits = actor is not None and actor == first and not now.is_over
        case phases.Falling():
            fits = first is not None and not now.is_over
        case phases.Appeasing():
            fits = not now.angry and _offers_fit(state, phase)
        case phases.Collecting():
            fits = actor == first and bool(_collecting.collects(state, phase))
        case phases.Clearing():
            waiting = now.empty_handed
            due = state.turn if state.turn in waiting else next(iter(waiting), None)
            fits = first is None and actor is not None and actor == due
        case _:  # Dealing
            fits = not involved and bool(_collecting.bare_regions(state))
    _require(fits, f"phase: it does not fit the hammering: {now}")


def _offers_fit(state: State, phase: phases.Appeasing) -> bool:
    now = state.hammering
    own = all(p in now.crew and value in state.gifts[p] for p, value in phase.offered)
    needed = now.out.excess(now.limit)
    return (
        own
        and len(set(phase.offered)) == len(phase.offered) < needed
        and needed <= sum(len(state.gifts[player]) for player in now.crew)
        and phase.player in now.crew
        and len(_hammering.gifts(state, phase)) > 1
    )
