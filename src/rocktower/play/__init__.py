"""The table around the rules: who decides, what answers for the tower, the log."""

from rocktower.play._bots import BOTS, Bot, RandomBot, UndoRequested, load_bot
from rocktower.play._greedy import GreedyBot
from rocktower.play._log_file import LogFile, read_log_file
from rocktower.play._match import HUMAN, MANUAL, Match, versions
from rocktower.play._towers import Tower, bag, manual, read_script, recorded

__all__ = [
    "BOTS",
    "HUMAN",
    "MANUAL",
    "Bot",
    "GreedyBot",
    "LogFile",
    "Match",
    "RandomBot",
    "Tower",
    "UndoRequested",
    "bag",
    "load_bot",
    "manual",
    "read_log_file",
    "read_script",
    "recorded",
    "versions",
]
