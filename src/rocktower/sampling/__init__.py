"""Many strikes: numbered tasks for any number of workers, tables of hits, and what they say."""

from rocktower.sampling._executors import dask_executor, local_executor, needs, prepare_worker
from rocktower.sampling._file import check_begin, parts_folder, read_note, sample_to_file
from rocktower.sampling._fillings import Sample, hammer_filling, software
from rocktower.sampling._rows import COLUMNS, HitRow
from rocktower.sampling._summary import (
    SIZES,
    Colors,
    HitGroup,
    Memory,
    Summary,
    size_name,
    summarize,
)
from rocktower.sampling._table import HitTable, read_hits
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
    "check_begin",
    "check_same",
    "dask_executor",
    "hammer_filling",
    "local_executor",
    "needs",
    "parts_folder",
    "prepare_worker",
    "read_fingerprint",
    "read_hits",
    "read_note",
    "run_tasks",
    "sample_to_file",
    "size_name",
    "software",
    "summarize",
]
