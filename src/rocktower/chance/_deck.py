"""A deck: cards face down, a discard pile, a reshuffle when the deck is empty, a peek."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from rocktower.chance._bag import Bag
from rocktower.chance._words import list_words, read_word
from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import numpy as np

T = TypeVar("T", bound="Hashable")


@dataclass(frozen=True, slots=True)
class Deck(Generic[T]):
    """Cards in an order that is decided card by card, when somebody first sees one.

    Nobody at the table can tell this from a shuffle beforehand: every next card is drawn evenly
    from the cards whose place nobody has seen. In exchange, a person with real cards can answer
    for a deck (they do not know its order either), and no state holds a secret that no player
    knows. A card that was peeked at keeps its place, and so does a deck stacked on purpose
    (``known``).

    Parameters
    ----------
    unseen
        The cards whose order is open.
    known
        The cards on top whose order was seen, the topmost first; the unseen lie beneath.
    discard
        The discard pile, in the order in which it grew.

    Examples
    --------
    >>> deck = Deck.of(["a", "a", "b"]).drawn("a").discarded(["a"])
    >>> deck.pmf()
    {'a': 0.5, 'b': 0.5}
    >>> deck.peeked("b").pmf()
    {'b': 1.0}
    """

    unseen: Bag[T]
    known: tuple[T, ...] = ()
    discard: tuple[T, ...] = ()

    @classmethod
    def of(cls, cards: Iterable[T]) -> Deck[T]:
        """Shuffle cards into a deck; raise `RocktowerError` if two kinds read the same."""
        return cls(Bag.of(cards))

    def __len__(self) -> int:
        return len(self.known) + len(self.unseen)

    @property
    def is_spent(self) -> bool:
        """Whether nothing can be drawn: neither a card face down nor a discard is left."""
        return not len(self) and not self.discard

    def _filled(self) -> Deck[T]:
        """Shuffle the discard pile into a deck that is empty."""
        if len(self) or not self.discard:
            return self
        return Deck(self.unseen.put(self.discard))

    def pmf(self) -> dict[T, float]:
        """Give the exact probability of every card to lie on top (after a reshuffle if due)."""
        deck = self._filled()
        if deck.known:
            return {deck.known[0]: 1.0}
        return {card: n / len(deck.unseen) for card, n in deck.unseen if n}

    def peeked(self, card: T) -> Deck[T]:
        """Give the deck after its top card was seen, and put back where it was."""
        deck = self.drawn(card)
        return replace(deck, known=(card, *deck.known))

    def drawn(self, card: T) -> Deck[T]:
        """Give the deck without its top card; raise `RocktowerError` if it cannot be that card."""
        deck = self._filled()
        if card not in deck.pmf():
            raise RocktowerError(f"the top card cannot be {card}")
        if deck.known:
            return replace(deck, known=deck.known[1:])
        return replace(deck, unseen=deck.unseen.take([card]))

    def discarded(self, cards: Iterable[T]) -> Deck[T]:
        """Give the deck with cards on its discard pile; they must have come from this deck."""
        cards = tuple(cards)
        self.unseen.put(cards)  # a strange card is an error now, not at the reshuffle
        return replace(self, discard=self.discard + cards)


@dataclass(frozen=True, slots=True)
class TopCard(Generic[T]):
    """Chance is asked which card lies on top of a deck, to draw it or to peek at it.

    Parameters
    ----------
    deck
        The deck as it is now; a reshuffle that is due happens first.
    label
        What the card is for, as the person who is asked reads it.

    Raises
    ------
    RocktowerError
        If neither a card nor a discard is left.
    """

    deck: Deck[T]
    label: str = "deck"

    def __post_init__(self) -> None:
        if self.deck.is_spent:
            raise RocktowerError(f"{self.label}: no card is left, and none to reshuffle")

    def __str__(self) -> str:
        return f"{self.label} ({list_words(self.pmf())})"

    def pmf(self) -> dict[T, float]:
        """Give the exact probability of every answer."""
        return self.deck.pmf()

    def sample(self, rng: np.random.Generator) -> T:
        """Turn the top card up."""
        deck = self.deck._filled()
        if deck.known:
            return deck.known[0]
        cards = deck.unseen.things()
        return cards[int(rng.integers(len(cards)))]

    def check(self, answer: T) -> None:
        """Raise `RocktowerError` if this card cannot lie on top."""
        if answer not in self.pmf():
            raise RocktowerError(f"{self.label}: the top card cannot be {answer}")

    def format(self, answer: T) -> str:
        """Write the card as text."""
        return str(answer)

    def parse(self, text: str) -> T:
        """Read a card, or the beginning of one; raise `RocktowerError` if there is none."""
        try:
            return read_word(text, self.pmf())
        except RocktowerError as error:
            raise RocktowerError(f"{self.label}: {error}") from None
