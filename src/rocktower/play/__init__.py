"""The table around the rules: who decides, what answers for the tower, the log."""

from rocktower.play._bots import BOTS, Bot, RandomBot, UndoRequested, load_bot
from rocktower.play._greedy import GreedyBot
from rocktower.play._towers import Tower, bag, manual, recorded

__all__ = [
    "BOTS",
    "Bot",
    "GreedyBot",
    "RandomBot",
    "Tower",
    "UndoRequested",
    "bag",
    "load_bot",
    "manual",
    "recorded",
]
