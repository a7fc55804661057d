"""What happens at a Trollhalla table, as far as chance is touched by it."""

from typing import Annotated

from msgspec import Meta, Struct

from rocktower.games._data import Count, Name
from rocktower.games.trollhalla._board import SEATS

CHIEF = "chief"


class Start(Struct, frozen=True, forbid_unknown_fields=True, tag="start", omit_defaults=True):
    """Set up the game (Setting Up Trollhalla).

    Parameters
    ----------
    players
        2 to 4 names, clockwise.
    first
        Who starts; chance picks if it is None (the text: whoever grunts best).
    ships
        Island by ship; the board's start if None.
    random_ships
        Chance picks among all legal placements instead.
    weather
        Weather Tiles variant: the symbols of the sea spaces in order, as the players agreed.
    random_weather
        Weather Tiles variant: chance lays the tiles.
    """

    players: tuple[str, ...]
    first: Name | None = None
    ships: dict[Name, Count] | None = None
    random_ships: bool = False
    weather: tuple[Name, ...] = ()
    random_weather: bool = False


class Roll(Struct, frozen=True, forbid_unknown_fields=True, tag="roll"):
    """Roll the ship die: action C, once in every turn. It begins the next player's turn."""


class Maelstrom(Struct, frozen=True, forbid_unknown_fields=True, tag="maelstrom"):
    """Exchange two sea spaces and their weather tiles, before the roll (Rule Variant: Maelstrom).

    Parameters
    ----------
    a, b
        Sea spaces, counted from 1.
    """

    a: Annotated[int, Meta(ge=1)]
    b: Annotated[int, Meta(ge=1)]


class Sail(Struct, frozen=True, forbid_unknown_fields=True, tag="sail"):
    """The rolled ship sails and its trolls plunder (To SAIL, steps 1 to 3).

    Parameters
    ----------
    island
        Where it lands.
    seats
        Whose troll sits in each seat, *west to east*: a player or ``chief``.
    """

    island: Count
    seats: Annotated[tuple[Name, ...], Meta(min_length=SEATS, max_length=SEATS)]


class Kick(Struct, frozen=True, forbid_unknown_fields=True, tag="kick"):
    """A billy goat kicks a tile out of a private boat, back into the bag (step 3)."""

    player: Name
    tile: Name


class Share(Struct, frozen=True, forbid_unknown_fields=True, tag="share"):
    """The Chief shares: each player in turn takes a tile, the rest returns (step 5).

    Parameters
    ----------
    takes
        Pairs of player and tile, in the order of choice; who declines is left out.
    """

    takes: tuple[tuple[Name, Name], ...] = ()


class Refill(Struct, frozen=True, forbid_unknown_fields=True, tag="refill"):
    """Refill the island that the ship has left, or end the game (step 6)."""


Event = Start | Roll | Maelstrom | Sail | Kick | Share | Refill
