"""A sampler of hits that was learned from simulated games: fast, and for one tower."""

from rocktower.emulator._games import GamePlan, SimulatedGames, simulate_games

__all__ = ["GamePlan", "SimulatedGames", "simulate_games"]
