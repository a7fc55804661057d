"""The state of chance at a Treasure Mountain table: plain values and look-ups."""

from typing import Any, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from rocktower.chance import Bag, Deck
from rocktower.errors import RocktowerError
from rocktower.games.treasure_mountain._events import Fight
from rocktower.games.treasure_mountain._fight import FightResult
from rocktower.games.treasure_mountain._game_data import Card, Dragon, GameData
from rocktower.games.treasure_mountain._row import Row


class Decision(Struct, frozen=True):
    """What chance has to decide, for whom or for which row."""

    what: Literal["order", "fill", "axes", "peek", "aggression", "attack", "black", "dragon"]
    player: int = 0
    row: str = ""
    count: int = 1


class Anger(Struct, frozen=True):
    """An aggression roll in progress; ``die`` lies open while its player may re-roll it."""

    player: int
    temple: int | None
    threshold: int
    die: int | None = None
    is_rerolled: bool = False


class Attack(Struct, frozen=True):
    """A dragon attack in progress: the dice by player, and what the players put in."""

    trigger: int
    temple: int | None
    dice: dict[int, int] = {}
    is_rerolled: bool = False
    fight: Fight | None = None


class State(Struct, frozen=True, kw_only=True):
    """The state of the chance in a game; a fresh one awaits its start.

    Parameters
    ----------
    data
        The components.
    players
        Names, as they were given.
    is_rahdo
        Whether the Rahdo variant is played.
    ranking
        Player indices in turn order, in groups of those who are tied; after set-up each group
        is one player.
    rolls
        The turn-order rolls of the first group that is tied.
    bag
        The axe bag.
    hands
        The axes of each player, by value.
    dragon
        Steps of the dragon from the zero space.
    dragons
        The dragon stack: a deck a level, the level on top first.
    scouts
        Who has peeked at the top dragon tile.
    awarded
        The dragon tiles of each player.
    boxed
        The dragon tiles that nobody was awarded.
    rows
        The rows of open cards, by name.
    mines
        The mine tiles that each player bought.
    captured
        The dwarves of each player in the capture box.
    anger, attack
        The aggression roll and the attack in progress.
    last_fight
        How the last attack ended.
    pending
        What chance has to decide, the next first.
    """

    data: GameData
    players: tuple[str, ...] = ()
    is_rahdo: bool = False
    ranking: tuple[tuple[int, ...], ...] = ()
    rolls: tuple[tuple[int, int], ...] = ()
    bag: Bag[int] = Bag((), ())
    hands: tuple[tuple[int, ...], ...] = ()
    dragon: int = 0
    dragons: tuple[Deck[Dragon], ...] = ()
    scouts: frozenset[int] = frozenset()
    awarded: tuple[tuple[Dragon, ...], ...] = ()
    boxed: tuple[Dragon, ...] = ()
    rows: dict[str, Row] = {}
    mines: tuple[tuple[Card, ...], ...] = ()
    captured: tuple[tuple[int, ...], ...] = ()
    anger: Anger | None = None
    attack: Attack | None = None
    last_fight: FightResult | None = None
    pending: tuple[Decision, ...] = ()

    @property
    def order(self) -> tuple[int, ...]:
        """Player indices in turn order."""
        return tuple(i for group in self.ranking for i in group)

    @property
    def dragon_deck(self) -> int | None:
        """Index of the deck on top of the dragon stack; None if the stack is empty."""
        return next((i for i, deck in enumerate(self.dragons) if len(deck)), None)

    def player(self, name: str) -> int:
        """Find a player by name; raise `RocktowerError` if nobody is called that."""
        if name not in self.players:
            raise RocktowerError(f"no player {name!r}: {', '.join(self.players)} play")
        return self.players.index(name)

    def row(self, name: str) -> Row:
        """Find a row by name; raise `RocktowerError` if there is none of that name."""
        if name not in self.rows:
            raise RocktowerError(f"no row {name!r}: one of {', '.join(self.rows)} is expected")
        return self.rows[name]

    def fills(self, rows: dict[str, Row]) -> tuple[Decision, ...]:
        """List a fill for every empty place; those that no card is left for lapse."""
        return tuple(
            Decision("fill", row=name)
            for name, row in rows.items()
            for _ in range(row.slots - len(row.cards))
        )

    def with_dragon(self, dragon: Dragon, *, drawn: bool) -> Self:
        """Give the table after the top dragon tile was drawn, or else peeked at."""
        i = self.top_deck()
        deck = self.dragons[i].drawn(dragon) if drawn else self.dragons[i].peeked(dragon)
        return replace(self, dragons=(*self.dragons[:i], deck, *self.dragons[i + 1 :]))

    def top_deck(self) -> int:
        """Give `dragon_deck` where the rules have made sure that there is one."""
        assert self.dragon_deck is not None  # noqa: S101 - a dragon is on the stack
        return self.dragon_deck


def changed(
    hands: tuple[tuple[Any, ...], ...], i: int, things: tuple[Any, ...], *, remove: bool = False
) -> tuple[tuple[Any, ...], ...]:
    """Add things to one of several hands, or remove them from it."""
    hand = [*hands[i], *(() if remove else things)]
    if remove:
        for thing in things:
            hand.remove(thing)
    return (*hands[:i], tuple(hand), *hands[i + 1 :])
