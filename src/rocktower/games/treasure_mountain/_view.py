"""What people may see of a Treasure Mountain table, as plain values for JSON and for the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from rocktower.games._data import EVERYBODY

if TYPE_CHECKING:
    from rocktower.games.treasure_mountain._state import State


def view(table: State, viewer: str | None = None) -> dict[str, Any]:
    """Show the table to a viewer.

    Everybody sees how many axes a player holds and which level the top dragon tile has. Only the
    owner sees what the axes are worth (Forge), and only who scouted knows the dragon (Scout).

    Parameters
    ----------
    table
        The table.
    viewer
        A player's name, ``"all"`` for the full view, None for the public view.

    Raises
    ------
    RocktowerError
        If nobody is called that.
    """
    names = table.players
    if viewer is None:
        eyes: set[int] = set()
    else:
        eyes = set(range(len(names))) if viewer == EVERYBODY else {table.player(viewer)}
    attack = table.attack
    anger = table.anger
    return {
        "players": list(names),
        "order": [names[i] for i in table.order],
        "rahdo": table.is_rahdo,
        "dragon": table.dragon,
        "head": table.data.dragon_track.steps,
        "dragon_tile": _dragon_tile(table, knows=viewer == EVERYBODY or bool(eyes & table.scouts)),
        "axe_bag": dict(table.bag) if viewer == EVERYBODY else len(table.bag),
        "axes": {
            name: list(hand) if i in eyes else len(hand)
            for i, (name, hand) in enumerate(zip(names, table.hands, strict=True))
        },
        "dragons": {
            name: [str(tile) for tile in tiles]
            for name, tiles in zip(names, table.awarded, strict=True)
        },
        "boxed": [str(tile) for tile in table.boxed],
        "captured": dict(zip(names, map(list, table.captured), strict=True)),
        "rows": {
            name: {
                "cards": [str(card) for card in row.cards],
                "coins": list(row.coins),
                "deck": len(row.deck),
                "discard": [str(card) for card in row.deck.discard],
            }
            for name, row in table.rows.items()
        },
        "mines": {
            name: [str(tile) for tile in mine]
            for name, mine in zip(names, table.mines, strict=True)
        },
        "aggression": None if anger is None else {"player": names[anger.player], "die": anger.die},
        "attack": None
        if attack is None
        else {
            "trigger": names[attack.trigger],
            "dice": {names[i]: die for i, die in attack.dice.items()},
        },
        "last_fight": msgspec.to_builtins(table.last_fight),
    }


def _dragon_tile(table: State, *, knows: bool) -> dict[str, Any] | None:
    """Show the top dragon tile: its back, and its front to who knows it."""
    if table.dragon_deck is None:
        return None
    deck = table.dragons[table.dragon_deck]
    level = list(table.data.dragons.levels)[table.dragon_deck]
    return {
        "level": level,
        "range": list(table.data.dragons.levels[level].range),
        "left": sum(map(len, table.dragons)),
        "scouts": [table.players[i] for i in sorted(table.scouts)],
        "front": str(deck.known[0]) if knows and deck.known else None,
    }
