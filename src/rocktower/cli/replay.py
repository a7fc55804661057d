"""``rocktower replay``: check a log, event by event."""

from __future__ import annotations

from pathlib import Path

import click

from rocktower.cli._common import json_option, note, print_json
from rocktower.cli._trollfjord_terminal import Terminal
from rocktower.cli._trollfjord_view import final, result
from rocktower.play import read_log_file

__all__ = ["replay"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--events", is_flag=True, help="List all events that were not taken back.")
@json_option
def replay(*, file: Path, events: bool, as_json: bool) -> None:
    """Check a game's log move by move, and show where the game stands.

    No source of chance is needed: the log holds what chance said. The first line that is
    malformed or against the rules is named, with exit status 2.
    """
    game, torn = read_log_file(file)
    if torn:
        note(torn)
    terminal = Terminal(to_stderr=as_json)
    if events:
        for before, event in game.steps:
            terminal.on_event(before, event)
    if as_json:
        print_json(result(game, file))
        return
    terminal.say(f"{game.state}\n")
    if game.has_ended:
        terminal.show(final(game.state, game.header.players))
    terminal.say(f"{file}: {game.count} events, all within the rules")
