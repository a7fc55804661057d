"""The physical model of the tower: a strike is a pure function from state to state."""

from rocktower.tower._log import HammeringLog, LoggedHit, Replayed, decode_log, log_header, log_line
from rocktower.tower._model import Body, Boulders, Geometry, Hammer, Level, TowerModel
from rocktower.tower._quantity import Source
from rocktower.tower._rock_tower import RockTower
from rocktower.tower._scene import Contact, Contacts, Solver
from rocktower.tower._state import (
    COLORS,
    Boulder,
    Hit,
    Outcome,
    StrikeResult,
    TowerState,
    Trace,
)
from rocktower.tower._strike import MAX_SPEED, Grip, Side, Strike, Striker, check_side

__all__ = [
    "COLORS",
    "MAX_SPEED",
    "Body",
    "Boulder",
    "Boulders",
    "Contact",
    "Contacts",
    "Geometry",
    "Grip",
    "Hammer",
    "HammeringLog",
    "Hit",
    "Level",
    "LoggedHit",
    "Outcome",
    "Replayed",
    "RockTower",
    "Side",
    "Solver",
    "Source",
    "Strike",
    "StrikeResult",
    "Striker",
    "TowerModel",
    "TowerState",
    "Trace",
    "check_side",
    "decode_log",
    "log_header",
    "log_line",
]
