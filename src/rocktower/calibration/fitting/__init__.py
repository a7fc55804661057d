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
from rocktower.calibration.fitting._sbc import SbcResults, SbcRuns, measured, run_sbc, sbc_table
from rocktower.calibration.fitting._widening import (
    Measured,
    Widening,
    decode_measured,
    encode_measured,
)

__all__ = [
    "BUDGETS",
    "FEATURES",
    "SIDES",
    "Fit",
    "GateError",
    "History",
    "HitNetwork",
    "Likelihood",
    "Measured",
    "NetworkHit",
    "Parameter",
    "Prior",
    "Protocol",
    "SbcResults",
    "SbcRuns",
    "Task",
    "Widening",
    "color_weights",
    "decode_measured",
    "draw_colors",
    "encode_measured",
    "fresh_after",
    "game_evening",
    "label_of",
    "made_up_record",
    "measured",
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
