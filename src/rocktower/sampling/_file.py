"""A sample's file: sampled in shards beside it, then put together, with a note of what it is."""

from __future__ import annotations

import json
import os
from functools import partial
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from rocktower.errors import RocktowerError
from rocktower.files import replace_file
from rocktower.sampling._fillings import sample_task, software
from rocktower.sampling._table import check_suffix, encode_table
from rocktower.sampling._tasks import check_same, read_fingerprint, run_tasks

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from rocktower.sampling._fillings import Sample
    from rocktower.sampling._tasks import Progress

__all__ = ["check_begin", "parts_folder", "read_note", "sample_to_file"]


def parts_folder(out: Path) -> Path:
    """Return the folder of the shards of a file that is being sampled."""
    return out.with_name(f"{out.name}.parts")


def _note_file(out: Path) -> Path:
    return out.with_name(f"{out.name}.json")


def read_note(out: Path) -> dict[str, Any] | None:
    """Return what a sample's file was made with, or is being made with; None if nothing tells.

    Raises
    ------
    RocktowerError
        If the note beside it is none.
    """
    path = _note_file(out)
    if not out.exists():
        return read_fingerprint(parts_folder(out))
    try:
        note = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise RocktowerError(f"{path}: not the note of a sample: {error}") from error
    if not isinstance(note, dict):
        raise RocktowerError(f"{path}: not the note of a sample")
    return note


def sample_to_file(
    sample: Sample,
    out: Path,
    executor: Executor,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Sample into a CSV or Parquet file; return the note that is written beside it.

    Until the file is complete its parts are in the folder ``OUT.parts``. The note, ``OUT.json``,
    holds the sample's fingerprint and the number of rows.

    Parameters
    ----------
    resume
        Go on with what was begun; a file that is complete is left as it is.

    Raises
    ------
    RocktowerError
        If the file cannot be written or, without `resume`, was begun before; if another sample
        was begun there; if a task fails.
    """
    check_begin(out, resume=resume)
    fingerprint, parts = sample.fingerprint(), parts_folder(out)
    if out.exists():
        note = read_note(out)
        if note is None:
            raise RocktowerError(f"{out}: exists already, with no note of a sample beside it")
        check_same({k: v for k, v in note.items() if k != "rows"}, fingerprint, str(out))
    else:
        task = partial(sample_task, sample, software())
        shards = run_tasks(task, sample.tasks, fingerprint, parts, executor, progress)
        note = {**fingerprint, "rows": sample.turns * sample.hits}
        replace_file(_note_file(out), (json.dumps(note, indent=1) + "\n").encode())
        replace_file(out, encode_table((shard.read_bytes() for shard in shards), out))
    rmtree(parts, ignore_errors=True)
    return note


def check_begin(out: Path, *, resume: bool) -> None:
    """Raise `RocktowerError` if no sample can be begun, or resumed, in this file."""
    check_suffix(out)
    if not out.parent.is_dir():
        raise RocktowerError(f"{out}: there is no folder {out.parent}")
    if not os.access(out.parent, os.W_OK):
        raise RocktowerError(f"{out}: the folder {out.parent} cannot be written to")
    if resume:
        return
    for path in (out, _note_file(out)):
        if os.path.lexists(path):
            raise RocktowerError(f"{path}: exists already; name a new file")
    if os.path.lexists(parts_folder(out)):
        raise RocktowerError(
            f"{out}: was begun before; go on with --resume, or remove the folder "
            f"{parts_folder(out)}"
        )
