"""`rocktower odds`: exact answers about the dice, bags and decks of the games without a tower."""

from __future__ import annotations

import click

from rocktower.cli.odds_treasure_mountain import treasure_mountain
from rocktower.cli.odds_trollhalla import trollhalla

__all__ = ["odds"]


@click.group()
def odds() -> None:
    """Answer questions about chance exactly: nothing here is simulated."""


odds.add_command(trollhalla)
odds.add_command(treasure_mountain)
