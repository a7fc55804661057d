"""What stays the same from the first turn on: players, board, fortress numbers, walkway."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord._actions import Announce

if TYPE_CHECKING:
    from rocktower.games.trollfjord._board import Board

__all__ = ["PLAYER_COLORS", "Table", "fortress_numbers", "walkway_order"]

PLAYER_COLORS = ("white", "orange", "brown", "black")


class Table(Struct, frozen=True, dict=True):
    """The table that a game is played on.

    Attributes
    ----------
    board
        The board.
    players
        How many play, 2 to 4. They are numbered from 0 and go by `PLAYER_COLORS`.
    numbers
        The number (1 to 3) on each fortress space; empty before they are placed.
    walkways
        The walkways, numbered from 1, in clockwise order from the starting plank; empty before
        they are laid.
    """

    board: Board
    players: int
    numbers: tuple[int, ...] = ()
    walkways: tuple[int, ...] = ()

    @cached_property
    def spaces(self) -> tuple[str, ...]:
        """The circuit of spaces, clockwise: a landscape to place in, or ``"wander"``."""
        ways = self.board.walkways
        return tuple(space for way in self.walkways for space in ways[way - 1].spaces)

    @cached_property
    def announcements(self) -> tuple[Announce, ...]:
        """The announcing of each fortress."""
        return tuple(Announce(fortress.name) for fortress in self.board.fortresses)

    @cached_property
    def fortresses_by_belt(self) -> tuple[tuple[int, ...], ...]:
        """The fortresses that hammer slate 1 allows for each leftmost empty belt space (B1)."""
        one, two, three = (
            tuple(f for f, number in enumerate(self.numbers) if number == wanted)
            for wanted in (1, 2, 3)
        )
        return one, two, three, tuple(range(len(self.numbers)))

    def space(self, position: int) -> str:
        """Give what a lord stands on: a landscape, "wander" or, below 0, the starting plank."""
        return self.spaces[position % len(self.spaces)] if position >= 0 else "plank"


def fortress_numbers(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Give the numbers back if they can stand on the six fortresses, else raise."""
    if sorted(numbers) != [1, 1, 2, 2, 3, 3]:
        raise RocktowerError(f"fortress numbers {list(numbers)}: six, two each of 1, 2 and 3")
    return numbers


def walkway_order(walkways: tuple[int, ...]) -> tuple[int, ...]:
    """Give the order back if each of the ten walkways is in it once, else raise."""
    if sorted(walkways) != list(range(1, 11)):
        raise RocktowerError(f"walkways {list(walkways)}: each of 1 to 10 once")
    return walkways
