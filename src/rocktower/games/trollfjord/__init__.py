"""Trollfjord, 2 to 4 players: the rules, fed with hits by whatever plays the tower.

A game is five lines, with any source of hits:

>>> import numpy as np
>>> from rocktower.chance import Sampled
>>> rng = np.random.default_rng(1)
>>> state = new_game(2)
>>> while state.actor == CHANCE:  # the preparation: chance deals
...     state = state.apply(Sampled(rng).answer(state.request))
>>> state.prompt
'white moves the troll lord'
>>> [str(action) for action in state.legal_actions()][:2]
['move placement 1', 'move placement 2']
>>> state.apply(parse_action("move placement 2")).actor == state.actor
True
"""

from rocktower.games.trollfjord import phases
from rocktower.games.trollfjord._actions import (
    Action,
    Announce,
    Clear,
    Collect,
    Give,
    Hammer,
    Join,
    Move,
    Pass,
    Place,
    Stop,
    Strike,
    Wander,
    parse_action,
)
from rocktower.games.trollfjord._board import Board, default_board, load_board
from rocktower.games.trollfjord._hammering import hit_limit, trolls_at
from rocktower.games.trollfjord._joining import comrades
from rocktower.games.trollfjord._log import (
    Acted,
    Answered,
    Ended,
    Event,
    Header,
    Replay,
    Undone,
    decode_event,
    decode_header,
    encode,
    outcome,
    read_log,
    request_name,
)
from rocktower.games.trollfjord._moving import TROLLS
from rocktower.games.trollfjord._position import position_from_json, position_to_json
from rocktower.games.trollfjord._requests import (
    ALL_BOULDERS,
    COLORS,
    NO_BOULDERS,
    Boulders,
    TowerHit,
)
from rocktower.games.trollfjord._scoring import GIFTS, Score, ranking, score
from rocktower.games.trollfjord._state import CHANCE, State, new_game
from rocktower.games.trollfjord._table import PLAYER_COLORS
from rocktower.games.trollfjord._text import fortress_name

__all__ = [
    "ALL_BOULDERS",
    "CHANCE",
    "COLORS",
    "GIFTS",
    "NO_BOULDERS",
    "PLAYER_COLORS",
    "TROLLS",
    "Acted",
    "Action",
    "Announce",
    "Answered",
    "Board",
    "Boulders",
    "Clear",
    "Collect",
    "Ended",
    "Event",
    "Give",
    "Hammer",
    "Header",
    "Join",
    "Move",
    "Pass",
    "Place",
    "Replay",
    "Score",
    "State",
    "Stop",
    "Strike",
    "TowerHit",
    "Undone",
    "Wander",
    "comrades",
    "decode_event",
    "decode_header",
    "default_board",
    "encode",
    "fortress_name",
    "hit_limit",
    "load_board",
    "new_game",
    "outcome",
    "parse_action",
    "phases",
    "position_from_json",
    "position_to_json",
    "ranking",
    "read_log",
    "request_name",
    "score",
    "trolls_at",
]
