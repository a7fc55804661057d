"""Hits of a wooden tower: written down, checked, summed up, so that a model can be fitted."""

from rocktower.calibration._cautions import Caution, find_cautions
from rocktower.calibration._contents import Contents, Situation
from rocktower.calibration._record import (
    Fault,
    Record,
    RecordError,
    decode_record,
    encode_record,
    read_record,
)
from rocktower.calibration._record_file import RecordFile
from rocktower.calibration._recorder import Habits, Recorder
from rocktower.calibration._rows import CHOICES, COLUMNS, Amount, Row
from rocktower.calibration._sheet import draw_sheet
from rocktower.calibration._simulated import recorded_rows, strike_turns
from rocktower.calibration._summary import Estimate, Group, Summary, summarize

__all__ = [
    "CHOICES",
    "COLUMNS",
    "Amount",
    "Caution",
    "Contents",
    "Estimate",
    "Fault",
    "Group",
    "Habits",
    "Record",
    "RecordError",
    "RecordFile",
    "Recorder",
    "Row",
    "Situation",
    "Summary",
    "decode_record",
    "draw_sheet",
    "encode_record",
    "find_cautions",
    "read_record",
    "recorded_rows",
    "strike_turns",
    "summarize",
]
