"""A row of open cards beside their deck: the mine tiles, the achievements, a gem's contracts."""

from collections.abc import Collection
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from rocktower.chance import Deck
from rocktower.errors import RocktowerError
from rocktower.games.treasure_mountain._game_data import Card


class Row(Struct, frozen=True):
    """Open cards, which slide to the right when one leaves, and the deck that refills them.

    Parameters
    ----------
    deck
        The cards face down, and the discard pile.
    slots
        How many cards may lie open.
    cards
        The open cards from the far right (slot 1, the oldest) to the left.
    coins
        The gold coins on each open card; they slide along with it.
    """

    deck: Deck[Card]
    slots: int
    cards: tuple[Card, ...] = ()
    coins: tuple[int, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether a place is empty and a card is left for it."""
        return len(self.cards) < self.slots and not self.deck.is_spent

    def require(self, slot: int) -> None:
        """Raise `RocktowerError` if no card lies in a slot, counted from 1."""
        if not 1 <= slot <= len(self.cards):
            raise RocktowerError(f"no card in slot {slot}: 1 to {len(self.cards)} hold one")

    def without(self, slots: Collection[int], *, discard: bool = True) -> Self:
        """Take open cards away at once and slide the others; coins on them leave, too."""
        for slot in slots:
            self.require(slot)
        kept = [i for i in range(len(self.cards)) if i + 1 not in slots]
        gone = [card for i, card in enumerate(self.cards) if i + 1 in slots]
        return replace(
            self,
            deck=self.deck.discarded(gone) if discard else self.deck,
            cards=tuple(self.cards[i] for i in kept),
            coins=tuple(self.coins[i] for i in kept),
        )

    def filled(self, card: Card) -> Self:
        """Turn up the top card of the deck in the leftmost place."""
        return replace(
            self, deck=self.deck.drawn(card), cards=(*self.cards, card), coins=(*self.coins, 0)
        )

    def seeded(self) -> Self:
        """Lay a gold coin on the card in slot 1 (Phase 3, Seed the Market)."""
        return replace(self, coins=tuple(n + (i == 0) for i, n in enumerate(self.coins)))
