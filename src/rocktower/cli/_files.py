"""Files at the edge: written whole or not at all, and never over something else."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from rocktower.errors import RocktowerError

__all__ = ["NewFile"]


class NewFile:
    """A file that must not exist yet."""

    @staticmethod
    def check(path: Path) -> None:
        """Raise `RocktowerError` if the file exists or its folder does not."""
        if path.exists():
            raise RocktowerError(f"{path}: exists already; name a new file")
        if not path.parent.is_dir():
            raise RocktowerError(f"{path}: there is no folder {path.parent}")

    @staticmethod
    def write(path: Path, text: str) -> None:
        """Write the text beside the file and move it into place when it is complete."""
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
