"""The fairness log of a tower: JSON Lines, complete once the tower is closed.

The first line is a header, then comes an event a line, from the filling (number 0) on. While the
tower is open, a line holds what everybody at the table has seen. Once it is closed, each also holds
what was secret, and the last line the secret itself.
"""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocktower.server._store import Event, Tower

__all__ = ["FORMAT", "header_line", "log_line", "software"]

FORMAT = "rocktower-served/1"


def software() -> dict[str, str]:
    """Return the versions on which the last bit of a simulation depends."""
    return {
        **{name: version(name) for name in ("rocktower", "pymunk", "numpy")},
        "platform": platform.platform(),
    }


def header_line(tower: Tower, created: str) -> str:
    """Write the first line: everything about a tower that is known before the first strike."""
    header = {
        "format": FORMAT,
        "tower": tower.id,
        "name": tower.name,
        "created": created,
        "commitment": tower.commitment,
        "seed_known_to_creator": tower.is_seed_given,
        "reproducible": tower.is_reproducible,
        "boulders": json.loads(tower.boulders),
        "software": json.loads(tower.software),
        "model_name": tower.model_name,
        "model_hash": tower.model_hash,
        "model": tower.model,
    }
    return json.dumps(header) + "\n"


def log_line(tower: Tower, event: Event) -> str:
    """Write an event: what all may read, and once the tower is closed, everything."""
    parts = [event.public]
    if tower.is_closed:
        parts.append(event.private)
        if event.type == "close":
            parts.append(json.dumps({"seed": tower.seed, "salt": tower.salt}))
    # Objects are joined as text, because a long log would take long to read and write again.
    return "{" + ", ".join(part[1:-1] for part in parts) + "}\n"
