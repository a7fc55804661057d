"""The odds of hammering in Trollfjord: what a hit may bring, and when it is best to stop."""

from rocktower.odds._advice import Advice, ByHit, Choice, NextHit, StopAt, advise
from rocktower.odds._chances import HitChances
from rocktower.odds._follow import follow, running, stop_at
from rocktower.odds._paths import Paths, sample_paths, towers_of
from rocktower.odds._payoffs import Payoffs
from rocktower.odds._plot import plot_advice
from rocktower.odds._situation import ME, OTHER, Situation, Treasure
from rocktower.odds._stopping import Mode, Plan, plan

__all__ = [
    "ME",
    "OTHER",
    "Advice",
    "ByHit",
    "Choice",
    "HitChances",
    "Mode",
    "NextHit",
    "Paths",
    "Payoffs",
    "Plan",
    "Situation",
    "StopAt",
    "Treasure",
    "advise",
    "follow",
    "plan",
    "plot_advice",
    "running",
    "sample_paths",
    "stop_at",
    "towers_of",
]
