"""Preparation: what chance decides before the first turn."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from rocktower.chance import Bag, DrawFromBag
from rocktower.games._data import Block, read_toml
from rocktower.games.trollfjord._table import PLAYER_COLORS
from rocktower.games.trollfjord._turns import next_turn
from rocktower.games.trollfjord.phases import Dealing, Laying

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State
    from rocktower.games.trollfjord.phases import Numbering, Seating

__all__ = [
    "all_treasures",
    "lay",
    "laying_request",
    "number",
    "numbering_request",
    "seat",
    "seating_request",
]

_NUMBERS = Bag.of({1: 2, 2: 2, 3: 2})
_WALKWAYS = Bag.of(range(1, 11))


class _Row(Block, frozen=True):
    values: tuple[int, ...]
    count: int


class _Treasures(Struct):
    treasures: tuple[_Row, ...]


@cache
def all_treasures() -> Bag[int]:
    """Give the 42 treasures by value, as the data file lists them."""
    text = files(__package__).joinpath("data/treasures.toml").read_text(encoding="utf-8")
    rows = read_toml(text, _Treasures, "treasures.toml").treasures
    return Bag.of({value: row.count for row in rows for value in row.values})


def numbering_request(_state: State, _phase: Numbering) -> DrawFromBag[int]:
    """Ask for the numbers on the fortress spaces, in their order (Preparation 2)."""
    return DrawFromBag(_NUMBERS, 6, "fortress numbers")


def number(state: State, _phase: Numbering, answer: tuple[int, ...]) -> State:
    """Place the fortress numbers."""
    return prepare(replace(state, table=replace(state.table, numbers=answer)))


def laying_request(_state: State, _phase: Laying) -> DrawFromBag[int]:
    """Ask for the order of the walkways, clockwise from the starting plank (Preparation 3)."""
    return DrawFromBag(_WALKWAYS, 10, "walkways")


def lay(state: State, _phase: Laying, answer: tuple[int, ...]) -> State:
    """Lay the walkways."""
    return prepare(replace(state, table=replace(state.table, walkways=answer)))


def prepare(state: State) -> State:
    """Find what chance is asked next: the walkways may be given, as the numbers may."""
    return replace(state, phase=Dealing() if state.table.walkways else Laying())


def seating_request(state: State, _phase: Seating) -> DrawFromBag[str]:
    """Ask for the lords on spaces 1, 2, ... of the starting plank (Preparation 9)."""
    colors = PLAYER_COLORS[: state.table.players]
    return DrawFromBag(Bag.of(colors), len(colors), "lords on the plank")


def seat(state: State, _phase: Seating, answer: tuple[str, ...]) -> State:
    """Line the lords up. Space 1 is next to the walkway, so the last space is farthest back."""
    colors = PLAYER_COLORS[: state.table.players]
    return next_turn(replace(state, lords=tuple(-1 - answer.index(color) for color in colors)))
