"""Rock Tower: a physics-based simulator of the struck tower of the board game Trollfjord.

>>> from rocktower import RockTower
>>> tower = RockTower(seed=7)
>>> hit = tower.strike("left")
>>> len(tower.state.inside) == 44 - len(hit)
True
"""

from rocktower.errors import RocktowerError
from rocktower.tower import (
    Boulder,
    Grip,
    Hit,
    Outcome,
    RockTower,
    Strike,
    Striker,
    StrikeResult,
    TowerModel,
    TowerState,
)

__all__ = [
    "Boulder",
    "Grip",
    "Hit",
    "Outcome",
    "RockTower",
    "RocktowerError",
    "Strike",
    "StrikeResult",
    "Striker",
    "TowerModel",
    "TowerState",
]
