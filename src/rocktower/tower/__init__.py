"""The physical model of the tower: a strike is a pure function from state to state."""

from rocktower.tower._fitted import (
    POSTERIOR_FILE,
    TOWER_FILE,
    FittedTower,
    choose_tower,
    encode_posterior,
)
from rocktower.tower._log import HammeringLog, LoggedHit, Replayed, decode_log, log_header, log_line
from rocktower.tower._model import Body, Boulders, Geometry, Hammer, Level, TowerModel
from rocktower.tower._outlines import capsule, wood_outlines
from rocktower.tower._quantity import Source
from rocktower.tower._rock_tower import RockTower
from rocktower.tower._scene import Contact, Contacts, Solver
from rocktower.tower._setup import GRIPS, Setup
from rocktower.tower._state import (
    COLORS,
    Boulder,
    Hit,
    Outcome,
    StrikeResult,
    TowerState,
    Trace,
    check_filled,
)
from rocktower.tower._strike import MAX_SPEED, Grip, Side, Strike, Striker, check_side
from rocktower.tower._writing import encode_model

__all__ = [
    "COLORS",
    "GRIPS",
    "MAX_SPEED",
    "POSTERIOR_FILE",
    "TOWER_FILE",
    "Body",
    "Boulder",
    "Boulders",
    "Contact",
    "Contacts",
    "FittedTower",
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
    "Setup",
    "Side",
    "Solver",
    "Source",
    "Strike",
    "StrikeResult",
    "Striker",
    "TowerModel",
    "TowerState",
    "Trace",
    "capsule",
    "check_filled",
    "check_side",
    "choose_tower",
    "decode_log",
    "encode_model",
    "encode_posterior",
    "log_header",
    "log_line",
    "wood_outlines",
]
