"""A game of Trollfjord at one moment: who acts, what is allowed, what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    _collecting,
    _hammering,
    _joining,
    _moving,
    _setup,
    _text,
    phases,
)
from rocktower.games.trollfjord._actions import Action, Strike
from rocktower.games.trollfjord._board import Board, default_board
from rocktower.games.trollfjord._scoring import GIFTS
from rocktower.games.trollfjord._table import Table, fortress_numbers, walkway_order
from rocktower.games.trollfjord.phases import NO_HAMMERING, Hammering, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocktower.chance import Bag, Request

__all__ = ["CHANCE", "State", "new_game"]

CHANCE: Literal["chance"] = "chance"
_PLAIN_STRIKE = Strike()


class State(Struct, frozen=True):
    """A position. It never changes: `apply` gives the next one.

    Positions are plain values. Players, regions and fortresses are numbered from 0 in the order
    of the table and the board; tuples with an item a player or a region are in that order.

    Attributes
    ----------
    table
        Players, board, fortress numbers, walkway.
    lords
        Where each troll lord is: 0 and up on the walkway, counted on past a full circuit, below
        0 on the starting plank (-1 next to the walkway). Empty before the lords are seated.
    lying
        Whose lord lies on its side: they have had their last turn, and everybody else's next is.
    trolls
        For each player the trolls in each region.
    gifts
        For each player the gifts that are not flipped.
    belts
        For each player the treasures on the belt spaces I, II, III, +.
    bags
        For each player the treasures in the patched bag.
    crowns
        Who holds the crown of I, II and III.
    treasures
        The treasure in each region, 0 for none.
    supply
        The treasures face down.
    turn
        Whose turn it is, whoever acts now.
    turns
        How many turns have begun; 0 while the game is prepared.
    hammering
        What is known about the hammering of this turn.
    phase
        What happens next.
    """

    table: Table
    lords: tuple[int, ...]
    lying: tuple[bool, ...]
    trolls: tuple[tuple[int, ...], ...]
    gifts: tuple[tuple[int, ...], ...]
    belts: tuple[tuple[int, ...], ...]
    bags: tuple[tuple[int, ...], ...]
    crowns: tuple[int | None, ...]
    treasures: tuple[int, ...]
    supply: Bag[int]
    turn: int
    turns: int
    hammering: Hammering
    phase: Phase

    @property
    def actor(self) -> int | Literal["chance"] | None:
        """Who acts: a player's number, `CHANCE`, or None when the game is over."""
        rule = _RULES[type(self.phase)]
        if rule.request is not None:
            return CHANCE
        return getattr(self.phase, "player", None)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return type(self.phase) is phases.Over

    @property
    def request(self) -> Request[Any]:
        """What chance is asked; raise `RocktowerError` if it isn't chance's move."""
        rule = _RULES[type(self.phase)]
        if rule.request is None:
            raise RocktowerError(f"chance is not asked now: {self.prompt}")
        return rule.request(self, self.phase)

    @property
    def prompt(self) -> str:
        """What the actor is asked to do, as short text."""
        return _text.prompt(self)

    def legal_actions(self) -> tuple[Action, ...]:
        """List what the acting player may do, in a fixed order; empty if no player acts.

        A strike is listed plain; with side, speed and height it is as legal.
        """
        return _RULES[type(self.phase)].legal(self, self.phase)

    def apply(self, action: Any) -> State:
        """Give the position after a player's action, or after an answer of chance.

        Raises
        ------
        RocktowerError
            If the action is not legal, or chance cannot give the answer.
        """
        rule = _RULES[type(self.phase)]
        if rule.request is not None:
            rule.request(self, self.phase).check(action)
        else:
            plain = _PLAIN_STRIKE if type(action) is Strike else action
            if plain not in rule.legal(self, self.phase):
                raise RocktowerError(_text.refusal(self, action))
        return rule.apply(self, self.phase, action)

    def __str__(self) -> str:
        return _text.board(self)


class _Rule(NamedTuple):
    """How a phase goes on: by a player's action out of `legal`, or by chance's answer."""

    apply: Callable[[State, Any, Any], State]
    legal: Callable[[State, Any], tuple[Action, ...]] = lambda _state, _phase: ()
    request: Callable[[State, Any], Request[Any]] | None = None


# The whole game: which rules belong to which phase.
_RULES: dict[type, _Rule] = {
    phases.Numbering: _Rule(_setup.number, request=_setup.numbering_request),
    phases.Laying: _Rule(_setup.lay, request=_setup.laying_request),
    phases.Dealing: _Rule(_collecting.deal, request=_collecting.deal_request),
    phases.Seating: _Rule(_setup.seat, request=_setup.seating_request),
    phases.Moving: _Rule(_moving.move, _moving.moves),
    phases.Placing: _Rule(_moving.place, _moving.places),
    phases.Wandering: _Rule(_moving.wander, _moving.wanders),
    phases.Announcing: _Rule(_joining.announce, _joining.announcements),
    phases.Joining: _Rule(_joining.join, _joining.joinings),
    phases.Deciding: _Rule(_joining.decide, _joining.decisions),
    phases.Striking: _Rule(_hammering.strike, _hammering.strikes),
    phases.Falling: _Rule(_hammering.fall, request=_hammering.hit_request),
    phases.Appeasing: _Rule(_hammering.give, _hammering.gifts),
    phases.Collecting: _Rule(_collecting.collect, _collecting.collects),
    phases.Clearing: _Rule(_collecting.clear, _collecting.clears),
    phases.Over: _Rule(lambda state, _phase, _action: state),  # nothing is legal here
}


def new_game(
    players: int,
    *,
    board: Board | None = None,
    numbers: Sequence[int] | Literal["printed", "shuffled"] = "printed",
    walkways: Sequence[int] | Literal["shuffled"] = "shuffled",
) -> State:
    """Set a game up to the point where chance is asked for the first time.

    Parameters
    ----------
    players
        How many play, 2 to 4.
    board
        The board; None for the inferred one of the package.
    numbers
        The number on each fortress space in the board's order; "printed" for the board's own
        ones, "shuffled" to ask chance.
    walkways
        The walkways, numbered from 1, clockwise from the starting plank; "shuffled" to ask
        chance.

    Raises
    ------
    RocktowerError
        If players, numbers or walkways are out of range.

    Examples
    --------
    >>> state = new_game(2)
    >>> state.actor, str(state.request)
    ('chance', 'walkways: 10 in order (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)')
    """
    if players not in (2, 3, 4):
        raise RocktowerError(f"{players} players: Trollfjord is for 2 to 4")
    board = board or default_board()
    if numbers == "printed":
        numbers = [fortress.number for fortress in board.fortresses]
    table = Table(
        board,
        players,
        numbers=() if numbers == "shuffled" else fortress_numbers(tuple(numbers)),
        walkways=() if walkways == "shuffled" else walkway_order(tuple(walkways)),
    )
    regions = len(board.regions)
    state = State(
        table=table,
        lords=(),
        lying=(False,) * players,
        trolls=((0,) * regions,) * players,
        gifts=(GIFTS,) * players,
        belts=((),) * players,
        bags=((),) * players,
        crowns=(None, None, None),
        treasures=(0,) * regions,
        supply=_setup.all_treasures(),
        turn=0,
        turns=0,
        hammering=NO_HAMMERING,
        phase=phases.Numbering(),
    )
    return _setup.prepare(state) if table.numbers else state
