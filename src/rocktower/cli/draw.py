"""`rocktower draw`: a companion for the tables of the games without a tower."""

from __future__ import annotations

import click

from rocktower.cli.draw_treasure_mountain import treasure_mountain
from rocktower.cli.draw_trollhalla import trollhalla

__all__ = ["draw"]


@click.group()
def draw() -> None:
    """Roll the dice and draw from the bags and decks of a game, all evening long.

    Every event is a line of a log file, which is all that is kept: stop whenever you like, and
    the next command goes on from there.
    """


draw.add_command(trollhalla)
draw.add_command(treasure_mountain)
