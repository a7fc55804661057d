"""What people may see of a Trollhalla table, as plain values for JSON and for the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocktower.games._data import EVERYBODY

if TYPE_CHECKING:
    from rocktower.games.trollhalla._table import Table


def view(table: Table, viewer: str | None = None) -> dict[str, Any]:
    """Show the table to a viewer.

    Trollhalla's chance has no secrets: boats, islands and the Chief's plunder lie open, and the
    players may reach into the bag and count at any time (End of Game). So the full view, the
    public view and every player's view are one, and the viewer is only checked.

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
    if viewer is not None and viewer != EVERYBODY:
        table.player(viewer)
    names = table.players
    return {
        "players": list(names),
        "turn": table.turn,
        "active": None if table.active is None else names[table.active],
        "next": None if table.first is None else names[(table.first + table.turn) % len(names)],
        "rolled": table.rolled,
        "refill_due": table.origin,
        "is_over": table.is_over,
        "ships": dict(table.ships),
        "islands": [list(tiles) for tiles in table.islands],
        "bag": dict(table.bag),
        "boats": {name: list(boat) for name, boat in zip(names, table.boats, strict=True)},
        "kicks": dict(zip(names, table.kicks, strict=True)),
        "chief": list(table.chief),
        "weather": list(table.weather),
    }
