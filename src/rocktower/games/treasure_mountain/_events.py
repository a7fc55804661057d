"""What happens at a Treasure Mountain table, as far as chance is touched by it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rocktower.games._data import Count, Name

Space = Literal["hoard", "wagon", "scout", "tribute"]
Slot = Annotated[int, Meta(ge=1)]


class Start(Struct, frozen=True, forbid_unknown_fields=True, tag="start", omit_defaults=True):
    """Set up the game (Game Setup).

    Parameters
    ----------
    players
        2 to 4 names.
    order
        The turn order; rolled for if it is empty (Game Setup 5).
    rahdo
        Whether the Rahdo variant is played (Appendix 4).
    """

    players: tuple[str, ...]
    order: tuple[Name, ...] = ()
    rahdo: bool = False


class _Anger(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What the aggression roll at the end of a placement needs to know.

    Parameters
    ----------
    player
        Who placed the dwarf.
    temple
        Whose dwarf stands in the Temple, if any.
    dragon_song
        Whether the owner of Dragon Song occupies the Treasure Hoard.
    """

    player: Name
    temple: Name | None = None
    dragon_song: bool = False


class Aggression(_Anger, frozen=True, tag="aggression", kw_only=True):
    """A dwarf is placed and the dragon angered: Treasure Hoard, Supply Wagon, or a declined action.

    Parameters
    ----------
    space
        Where the dwarf was placed; on ``scout`` and ``tribute`` the action was declined.
    """

    space: Space


class Scout(_Anger, frozen=True, tag="scout", kw_only=True):
    """Draw an axe, peek at the top dragon tile, then roll for aggression."""


class Tribute(_Anger, frozen=True, tag="tribute", kw_only=True):
    """Remove open cards, refill, then roll for aggression.

    Parameters
    ----------
    removals
        Pairs of row and slot; slot 1 is the far right. Two at most.
    diplomats
        Whether the player owns Diplomats: three at most.
    """

    removals: Annotated[tuple[tuple[Name, Slot], ...], Meta(max_length=3)]
    diplomats: bool = False


class Reroll(Struct, frozen=True, forbid_unknown_fields=True, tag="reroll"):
    """The Temple's right: a player rolls their own die again and takes what falls."""

    player: Name


class Keep(Struct, frozen=True, forbid_unknown_fields=True, tag="keep"):
    """The player in the Temple lets their aggression roll stand."""


class Fight(Struct, frozen=True, forbid_unknown_fields=True, tag="fight", omit_defaults=True):
    """Spend axes, reveal the dragon tile, resolve the fight, award the tile (steps 2 to 5).

    Parameters
    ----------
    axes
        The values of the axes that each player spends; who spends none may be left out.
    gold, gems
        What each player owns, to work out losses; who is left out gets a fraction instead.
    stone_beards
        Who owns Stone Beards.
    """

    axes: dict[Name, tuple[Slot, ...]] = {}
    gold: dict[Name, Count] = {}
    gems: dict[Name, Count] = {}
    stone_beards: tuple[Name, ...] = ()


class DrawAxes(Struct, frozen=True, forbid_unknown_fields=True, tag="axes"):
    """Draw axes at the Forge (1, or 2 with Smithy) or the Trading Post (up to 3)."""

    player: Name
    count: Annotated[int, Meta(ge=1, le=3)]


class Take(Struct, frozen=True, forbid_unknown_fields=True, tag="take"):
    """Buy a mine tile, fill a market contract, or claim an achievement; the row is refilled.

    Parameters
    ----------
    row
        ``mine``, ``achievements``, or the gem of a market row.
    slot
        1 is the far right (in the market: the space with the coins).
    """

    player: Name
    row: Name
    slot: Slot


class Tavern(Struct, frozen=True, forbid_unknown_fields=True, tag="tavern"):
    """Phase 2: the dwarves in the tavern, top to bottom, set the turn order."""

    dwarves: tuple[Name, ...]


class Reset(Struct, frozen=True, forbid_unknown_fields=True, tag="reset"):
    """Phase 3: reset the Tunnel, seed the market, reset the Dwarf King, free the dwarves."""


Event = (
    Start | Aggression | Scout | Tribute | Reroll | Keep | Fight | DrawAxes | Take | Tavern | Reset
)
