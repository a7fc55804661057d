"""Trollhalla: every die roll and bag draw, with exact odds.

A table takes events; chance answers what they leave open.

>>> from rocktower.chance import Sampled
>>> from rocktower.randomness import stream
>>> from rocktower.games.trollhalla import Roll, Start, Table, default_board, play
>>> table, _ = play(Table(board=default_board()), Start(("Anna", "Bea")), Sampled(stream(1)))
>>> len(table.bag), [len(tiles) for tiles in table.islands]
(29, [5, 0, 5, 0, 5, 0, 5])
>>> table, steps = play(table, Roll(), Sampled(stream(1, 1)))
>>> steps[0].label, steps[0].text
('ship die', 'yellow')
"""

from rocktower.games._log import play
from rocktower.games.trollhalla._board import Board, default_board, read_board
from rocktower.games.trollhalla._events import (
    CHIEF,
    Event,
    Kick,
    Maelstrom,
    Refill,
    Roll,
    Sail,
    Share,
    Start,
)
from rocktower.games.trollhalla._odds import Landing, end_odds
from rocktower.games.trollhalla._table import Table
from rocktower.games.trollhalla._view import view

__all__ = [
    "CHIEF",
    "Board",
    "Event",
    "Kick",
    "Landing",
    "Maelstrom",
    "Refill",
    "Roll",
    "Sail",
    "Share",
    "Start",
    "Table",
    "default_board",
    "end_odds",
    "play",
    "read_board",
    "view",
]
