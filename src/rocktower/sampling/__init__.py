"""Many strikes: numbered tasks for any number of workers, tables of hits, and what they say."""

from rocktower.sampling._executors import dask_executor, local_executor, needs
from rocktower.sampling._file import check_begin, parts_folder, read_note, sample_to_file
from rocktower.sampling._fillings import (
    Sample,
    Turn,
    check_software,
    hammer_filling,
    hammer_turns,
    software,
)
from rocktower.sampling._rows import COLUMNS, HitRow, to_csv
from rocktower.sampling._summary import (
    SIZES,
    Colors,
    HitGroup,
    Memory,
    Summary,
    size_name,
    summarize,
)
from rocktower.sampling._table import HitTable, read_hits, read_parts
from rocktower.sampling._tasks import check_same, read_fingerprint, run_tasks

__all__ = [
    "COLUMNS",
    "SIZES",
    "Colors",
    "HitGroup",
    "HitRow",
    "HitTable",
    "Memory",
    "Sample",
    "Summary",
    "Turn",
    "check_begin",
    "check_same",
    "check_software",
    "dask_executor",
    "hammer_filling",
    "hammer_turns",
    "local_executor",
    "needs",
    "parts_folder",
    "read_fingerprint",
    "read_hits",
    "read_note",
    "read_parts",
    "run_tasks",
    "sample_to_file",
    "size_name",
    "software",
    "summarize",
    "to_csv",
]
