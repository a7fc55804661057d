"""`rocktower odds`: exact ones for dice, bags and decks, the emulator's for the tower."""

from __future__ import annotations

import click

from rocktower.cli.odds_treasure_mountain import treasure_mountain
from rocktower.cli.odds_trollfjord import trollfjord
from rocktower.cli.odds_trollhalla import trollhalla

__all__ = ["odds"]


@click.group()
def odds() -> None:
    """Answer questions about chance: exactly, and for the tower by its emulator."""


odds.add_command(trollfjord)
odds.add_command(trollhalla)
odds.add_command(treasure_mountain)
