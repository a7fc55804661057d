"""Fits a tower to recorded hits: simulated games, a network of one hit, a chain, a report."""

from rocktower.calibration.fitting._colors import color_weights, draw_colors, fresh_after
from rocktower.calibration.fitting._fit import (
    BUDGETS,
    Fit,
    GateError,
    Parameter,
    Task,
    network_for,
)
from rocktower.calibration.fitting._history import FEATURES, SIDES, History
from rocktower.calibration.fitting._likelihood import Likelihood, NetworkHit
from rocktower.calibration.fitting._network import HitNetwork
from rocktower.calibration.fitting._predict import play_protocol
from rocktower.calibration.fitting._prior import Prior, to_coordinates, to_values
from rocktower.calibration.fitting._protocol import Protocol, record_protocol
from rocktower.calibration.fitting._replay import game_evening, made_up_record
from rocktower.calibration.fitting._report import label_of, plain_words
from rocktower.calibration.fitting._results import summary, write_results
from rocktower.calibration.fitting._sbc import SbcResults, SbcRuns, run_sbc, sbc_table

__all__ = [
    "BUDGETS",
    "FEATURES",
    "SIDES",
    "Fit",
    "GateError",
    "History",
    "HitNetwork",
    "Likelihood",
    "NetworkHit",
    "Parameter",
    "Prior",
    "Protocol",
    "SbcResults",
    "SbcRuns",
    "Task",
    "color_weights",
    "draw_colors",
    "fresh_after",
    "game_evening",
    "label_of",
    "made_up_record",
    "network_for",
    "plain_words",
    "play_protocol",
    "record_protocol",
    "run_sbc",
    "sbc_table",
    "summary",
    "to_coordinates",
    "to_values",
    "write_results",
]
