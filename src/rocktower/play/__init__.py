"""The table around the rules: who decides, what answers for the tower, the log."""

from rocktower.play._arena import Arena, GameRow, Seat, Standing, play_arena, standings
from rocktower.play._bots import BOTS, Bot, RandomBot, UndoRequested, load_bot
from rocktower.play._emulated import EmulatedTower
from rocktower.play._greedy import GreedyBot
from rocktower.play._log_file import LogFile, read_log_file
from rocktower.play._match import HUMAN, Match, versions
from rocktower.play._physics import GameHit, PhysicsTower
from rocktower.play._ratings import ratings
from rocktower.play._search import SearchBot
from rocktower.play._towers import MANUAL, SOURCES, BagTower, Tower, make_tower

__all__ = [
    "BOTS",
    "HUMAN",
    "MANUAL",
    "SOURCES",
    "Arena",
    "BagTower",
    "Bot",
    "EmulatedTower",
    "GameHit",
    "GameRow",
    "GreedyBot",
    "LogFile",
    "Match",
    "PhysicsTower",
    "RandomBot",
    "SearchBot",
    "Seat",
    "Standing",
    "Tower",
    "UndoRequested",
    "load_bot",
    "make_tower",
    "play_arena",
    "ratings",
    "read_log_file",
    "standings",
    "versions",
]
