"""A sampler of hits that was learned from simulated games: fast, and for one tower."""

from rocktower.emulator._emulator import Emulator
from rocktower.emulator._export import SAMPLER_FILE, TABLE_FILE, export_table
from rocktower.emulator._games import GamePlan, SimulatedGames, simulate_games
from rocktower.emulator._layers import (
    BOULDERS,
    CLASSES,
    Layers,
    class_chances,
    fit_tail,
    hold_out,
    spread_out,
    tail_table,
    train_layers,
)
from rocktower.emulator._learning import Situations, learn, log_loss
from rocktower.emulator._making import begun_seed, emulate
from rocktower.emulator._memory import next_memories
from rocktower.emulator._towers import EmulatedTowers

__all__ = [
    "BOULDERS",
    "CLASSES",
    "SAMPLER_FILE",
    "TABLE_FILE",
    "EmulatedTowers",
    "Emulator",
    "GamePlan",
    "Layers",
    "SimulatedGames",
    "Situations",
    "begun_seed",
    "class_chances",
    "emulate",
    "export_table",
    "fit_tail",
    "hold_out",
    "learn",
    "log_loss",
    "next_memories",
    "simulate_games",
    "spread_out",
    "tail_table",
    "train_layers",
]
