"""The emulator as JSON, with a sampler in JavaScript: for platforms that allow no outside calls."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from rocktower.emulator._cells import FRESH_BOUNDS, FRESH_GROUPS
from rocktower.emulator._drawing import WHOLE
from rocktower.emulator._layers import BOULDERS
from rocktower.emulator._memory import next_memories
from rocktower.files import replace_file
from rocktower.games.trollfjord import COLORS

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from rocktower.emulator._emulator import Emulator

__all__ = ["SAMPLER_FILE", "TABLE_FILE", "encode_table", "export_table"]

TABLE_FILE, SAMPLER_FILE = "emulator.json", "sampler.mjs"
_FORMAT = "rocktower-emulator-table/1"


def encode_table(emulator: Emulator) -> bytes:
    """Write the emulator as JSON; docs/emulator.md says what each key holds."""
    shape = len(next_memories()), len(FRESH_GROUPS), BOULDERS + 1
    chances = emulator.chances.reshape(*shape, -1)
    table = {
        "format": _FORMAT,
        "emulator_hash": emulator.hash,
        "tower_hash": emulator.tower_hash,
        "hits": emulator.note.get("hits"),
        "colors": COLORS,
        "whole": WHOLE,
        "tail": emulator.tail,
        "fresh_bounds": FRESH_BOUNDS,
        "next_memory": next_memories().tolist(),
        "chances": [[[_trimmed(row) for row in group] for group in memory] for memory in chances],
        "order": [
            [[row[: left + 1].tolist() for left, row in enumerate(table)] for table in boundary]
            for boundary in emulator.order
        ],
    }
    return msgspec.json.encode(table) + b"\n"


def _trimmed(row: NDArray[Any]) -> list[int]:
    """Leave out the zeros at the end."""
    return list(row[: int(row.nonzero()[0][-1]) + 1].tolist())


def export_table(emulator: Emulator, folder: Path) -> None:
    """Write the table and the sampler into a folder, which is made if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / TABLE_FILE, encode_table(emulator))
    sampler = files(__package__).joinpath("data", SAMPLER_FILE).read_bytes()
    replace_file(folder / SAMPLER_FILE, sampler)
