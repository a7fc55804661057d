"""Files at the edge: written whole or not at all, read with an error that says where."""

from __future__ import annotations

import io
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "check_new_file",
    "decode_arrays",
    "decode_line",
    "naming",
    "new_file",
    "replace_file",
]


def check_new_file(path: Path) -> None:
    """Raise `RocktowerError` unless a new file can be written there."""
    if os.path.lexists(path):
        raise RocktowerError(f"{path}: exists already; name a new file")
    if not path.parent.is_dir():
        raise RocktowerError(f"{path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise RocktowerError(f"{path}: the folder {path.parent} cannot be written to")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let errors of the operating system in here name the file, as that of a full disk doesn't."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give a name to write to, beside the file, which gets its own name when it is complete.

    Raises
    ------
    RocktowerError
        If the file has come into being meanwhile.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with naming(path):
            yield beside
            os.link(beside, path)  # unlike a rename, never over something else
    except FileExistsError:
        raise RocktowerError(f"{path}: exists already; name a new file") from None
    finally:
        beside.unlink(missing_ok=True)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside `path`, then give it that name: whoever reads it finds all of it."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with naming(path):
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())  # a name must not come to the disk before the content
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def decode_arrays(content: bytes, name: str, what: str, form: str) -> dict[str, Any]:
    """Read arrays written as NPZ, one of which, ``format``, says what they are.

    Parameters
    ----------
    name, what
        Of the file, and of what it should hold ("a network"), for the error.
    form
        The format that is expected.

    Raises
    ------
    RocktowerError
        If it is no NPZ file, or one with pickled objects, which could run anything, or of another
        format.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except Exception:  # numpy and zipfile raise many kinds; numpy's texts advise to trust the file
        raise RocktowerError(f"{name}: not {what} (an NPZ file is expected)") from None
    if (found := str(arrays.get("format", "none"))) != form:
        raise RocktowerError(f"{name}: format {found!r}; this version reads {form!r}")
    return arrays


def decode_line(line: str, where: str) -> dict[str, Any]:
    """Read a line of JSON Lines; `where` (file and line) stands before the error.

    Raises
    ------
    RocktowerError
        If it is no JSON object.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RocktowerError(f"{where}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise RocktowerError(f"{where}: must be a JSON object")
    return value
