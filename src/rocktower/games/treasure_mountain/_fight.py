"""How a dragon attack ends: who is safe, who loses what, who gets the tile."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from rocktower.games.treasure_mountain._game_data import Dragon


class Fate(Struct, frozen=True):
    """What an attack does to a player.

    Parameters
    ----------
    player
        The player.
    die, axes, total
        The die as it lay, the values of the axes spent, and their sum: the defensive strength.
    is_safe
        Whether the total reaches the dragon's strength.
    fraction
        Which part of the dragon's treasure is lost, rounded up.
    lost
        How much that is; None if nobody said what the player owns.
    captured
        The number of the dwarf in the capture box; None if none was taken.
    """

    player: str
    die: int
    axes: tuple[int, ...]
    total: int
    is_safe: bool
    fraction: Literal["nothing", "half", "a quarter"]
    lost: int | None
    captured: int | None


class FightResult(Struct, frozen=True):
    """An attack that is over: the dragon, everybody's fate, and who was awarded the tile."""

    dragon: Dragon
    fates: tuple[Fate, ...]
    awarded: str | None


def loss(amount: int, *, stone_beards: bool = False) -> int:
    """Work out what a loser gives up: half, or a quarter with Stone Beards, rounded up.

    >>> loss(7), loss(7, stone_beards=True)
    (4, 2)
    """
    return -(-amount // (4 if stone_beards else 2))


def resolve(
    dragon: Dragon,
    dice: Mapping[str, int],
    axes: Mapping[str, Sequence[int]],
    *,
    free_dwarf: Mapping[str, int | None],
    owned: Mapping[str, int],
    stone_beards: Collection[str] = (),
) -> FightResult:
    """Resolve the fight and award the tile (Dragon Attack Resolution 4 and 5).

    Parameters
    ----------
    dragon
        The revealed tile.
    dice
        The die of every player, in turn order, which breaks ties for the award.
    axes
        The values of the axes spent by player.
    free_dwarf
        The highest dwarf of each player that is not captured yet; None if all are.
    owned
        How much of the dragon's treasure each player owns, as far as somebody said.
    stone_beards
        Who owns Stone Beards.
    """
    fates, best, awarded = [], 0, None
    for name, die in dice.items():
        total = die + sum(axes.get(name, ()))
        is_safe = total >= dragon.strength
        beards = name in stone_beards
        fates.append(
            Fate(
                name,
                die,
                tuple(axes.get(name, ())),
                total,
                is_safe,
                fraction="nothing" if is_safe else "a quarter" if beards else "half",
                lost=0
                if is_safe
                else loss(owned[name], stone_beards=beards)
                if name in owned
                else None,
                captured=None if is_safe or beards else free_dwarf[name],
            )
        )
        if is_safe and total > best:
            best, awarded = total, name
    return FightResult(dragon, tuple(fates), awarded)
