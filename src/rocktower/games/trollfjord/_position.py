"""A position as JSON, there and back."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from rocktower.chance import Bag
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord._board import Board, check_board, default_board
from rocktower.games.trollfjord._check import check_state
from rocktower.games.trollfjord._setup import all_treasures
from rocktower.games.trollfjord._state import State
from rocktower.games.trollfjord._table import Table, fortress_numbers, walkway_order
from rocktower.games.trollfjord.phases import NO_HAMMERING, Hammering, Phase

__all__ = ["position_from_json", "position_to_json"]


class _Player(Struct, forbid_unknown_fields=True):
    lord: int | None
    lying: bool
    trolls: dict[str, int]
    gifts: tuple[int, ...]
    belt: tuple[int, ...]
    bag: tuple[int, ...]


class _Position(Struct, forbid_unknown_fields=True):
    format: Literal["rocktower-position"]
    version: Literal[1]
    game: Literal["trollfjord"]
    board: Board
    numbers: tuple[int, ...]
    walkways: tuple[int, ...]
    players: tuple[_Player, ...]
    crowns: tuple[int | None, int | None, int | None]
    treasures: dict[str, int]
    supply: tuple[int, ...]
    turn: int
    turns: int
    hammering: Hammering | None
    phase: Phase


def position_to_json(state: State) -> str:
    """Write a position as one line of JSON that `position_from_json` reads back exactly."""
    names = [region.name for region in state.table.board.regions]

    def by_region(items: tuple[int, ...]) -> dict[str, int]:
        return {name: n for name, n in zip(names, items, strict=True) if n}

    players = tuple(
        _Player(
            lord=state.lords[i] if state.lords else None,
            lying=state.lying[i],
            trolls=by_region(state.trolls[i]),
            gifts=state.gifts[i],
            belt=state.belts[i],
            bag=state.bags[i],
        )
        for i in range(state.table.players)
    )
    one, two, three = state.crowns
    position = _Position(
        format="rocktower-position",
        version=1,
        game="trollfjord",
        board=state.table.board,
        numbers=state.table.numbers,
        walkways=state.table.walkways,
        players=players,
        crowns=(one, two, three),
        treasures=by_region(state.treasures),
        supply=tuple(state.supply.things()),
        turn=state.turn,
        turns=state.turns,
        hammering=None if state.hammering == NO_HAMMERING else state.hammering,
        phase=state.phase,
    )
    return msgspec.json.encode(position).decode()


def position_from_json(text: str | bytes) -> State:
    """Read a position.

    Raises
    ------
    RocktowerError
        If the text is no JSON of a position, or the position cannot occur in a game; the
        message names the place and what would be right there.
    """
    try:
        position = msgspec.json.decode(text, type=_Position)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RocktowerError(f"position: {error}") from None
    board = default_board()
    if position.board != board:
        board = position.board
        check_board(board)
    try:
        state = _to_state(position, board)
        check_state(state)
    except RocktowerError as error:
        raise RocktowerError(f"position: {error}") from None
    return state


def _to_state(position: _Position, board: Board) -> State:
    players = position.players
    lords = tuple(player.lord for player in players if player.lord is not None)
    if lords and len(lords) < len(players):
        raise RocktowerError("lord: either every troll lord has a position, or none")
    supply = all_treasures()
    return State(
        table=Table(
            board,
            len(players),
            numbers=position.numbers and fortress_numbers(position.numbers),
            walkways=position.walkways and walkway_order(position.walkways),
        ),
        lords=lords,
        lying=tuple(player.lying for player in players),
        trolls=tuple(_items(board, "trolls", player.trolls) for player in players),
        gifts=tuple(player.gifts for player in players),
        belts=tuple(player.belt for player in players),
        bags=tuple(player.bag for player in players),
        crowns=position.crowns,
        treasures=_items(board, "treasures", position.treasures),
        supply=Bag(supply.kinds, tuple(map(position.supply.count, supply.kinds))),
        turn=position.turn,
        turns=position.turns,
        hammering=NO_HAMMERING if position.hammering is None else position.hammering,
        phase=position.phase,
    )


def _items(board: Board, what: str, by_region: dict[str, int]) -> tuple[int, ...]:
    for name in by_region:
        if name not in board.region_index:
            raise RocktowerError(f"{what}: {name!r} is no region of the board")
    return tuple(by_region.get(region.name, 0) for region in board.regions)
