"""The final count and the King of the Trolls (End of Game and Victory)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from rocktower.games.trollfjord._state import State

__all__ = ["CROWN", "GIFTS", "Score", "ranking", "score"]

GIFTS = (4, 8, 16)
CROWN = 6


class Score(Struct, frozen=True):
    """A player's points: treasures on belt and in the patched bag, unflipped gifts, crowns."""

    treasures: int
    gifts: int
    crowns: int

    @property
    def total(self) -> int:
        """The sum of the three."""
        return self.treasures + self.gifts + self.crowns


def score(state: State, player: int) -> Score:
    """Count a player's points as if the game ended now."""
    return Score(
        treasures=sum(state.belts[player]) + sum(state.bags[player]),
        gifts=sum(state.gifts[player]),
        crowns=CROWN * state.crowns.count(player),
    )


def ranking(state: State) -> tuple[int, ...]:
    """Line the players up, the King of the Trolls first.

    Of players with equal points the one whose lord is farther back on the walkway comes first.
    """
    return tuple(
        sorted(
            range(state.table.players),
            key=lambda player: (-score(state, player).total, state.lords[player]),
        )
    )
