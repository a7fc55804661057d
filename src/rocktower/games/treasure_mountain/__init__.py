"""Treasure Mountain: every die roll, axe, dragon tile and card, with exact odds.

A table takes events; chance answers what they leave open.

>>> from rocktower.chance import Sampled
>>> from rocktower.randomness import stream
>>> from rocktower.games.treasure_mountain import Scout, Start, Table, default_game_data, play, view
>>> table = Table(data=default_game_data())
>>> table, _ = play(table, Start(("Anna", "Bea")), Sampled(stream(1)))
>>> table, _ = play(table, Scout(player="Bea"), Sampled(stream(1, 1)))
>>> view(table)["axes"], view(table, "Bea")["axes"]
({'Anna': 0, 'Bea': 1}, {'Anna': 0, 'Bea': [2]})
"""

from rocktower.games._log import play
from rocktower.games.treasure_mountain._events import (
    Aggression,
    DrawAxes,
    Event,
    Fight,
    Keep,
    Reroll,
    Reset,
    Scout,
    Start,
    Take,
    Tavern,
    Tribute,
)
from rocktower.games.treasure_mountain._fight import Fate, FightResult, loss, resolve
from rocktower.games.treasure_mountain._game_data import (
    Achievement,
    Dragon,
    GameData,
    MarketCard,
    MineTile,
    default_game_data,
    read_game_data,
)
from rocktower.games.treasure_mountain._odds import (
    Spend,
    attack_odds,
    axe_odds,
    no_tie_odds,
    safe_odds,
    spend_odds,
    step_odds,
    strength_odds,
)
from rocktower.games.treasure_mountain._table import Table
from rocktower.games.treasure_mountain._view import view

__all__ = [
    "Achievement",
    "Aggression",
    "Dragon",
    "DrawAxes",
    "Event",
    "Fate",
    "Fight",
    "FightResult",
    "GameData",
    "Keep",
    "MarketCard",
    "MineTile",
    "Reroll",
    "Reset",
    "Scout",
    "Spend",
    "Start",
    "Table",
    "Take",
    "Tavern",
    "Tribute",
    "attack_odds",
    "axe_odds",
    "default_game_data",
    "loss",
    "no_tie_odds",
    "play",
    "read_game_data",
    "resolve",
    "safe_odds",
    "spend_odds",
    "step_odds",
    "strength_odds",
    "view",
]
