"""The table around the rules: who decides, what answers for the tower, the log."""

from rocktower.play._bots import BOTS, Bot, RandomBot, UndoRequested, load_bot
from rocktower.play._emulated import EmulatedTower
from rocktower.play._greedy import GreedyBot
from rocktower.play._log_file import LogFile, read_log_file
from rocktower.play._match import HUMAN, Match, versions
from rocktower.play._physics import GameHit, PhysicsTower
from rocktower.play._towers import MANUAL, SOURCES, BagTower, Tower, make_tower

__all__ = [
    "BOTS",
    "HUMAN",
    "MANUAL",
    "SOURCES",
    "BagTower",
    "Bot",
    "EmulatedTower",
    "GameHit",
    "GreedyBot",
    "LogFile",
    "Match",
    "PhysicsTower",
    "RandomBot",
    "Tower",
    "UndoRequested",
    "load_bot",
    "make_tower",
    "read_log_file",
    "versions",
]
