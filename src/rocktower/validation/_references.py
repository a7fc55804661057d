"""Published, digitised and computed numbers of others, with where each comes from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

__all__ = ["Reference", "reference"]


@dataclass(frozen=True, slots=True)
class Reference:
    """Numbers of one source.

    Parameters
    ----------
    title, source
        Short for plots; long for readers.
    provenance
        `published`, `digitised` or `computed`.
    points
        Rows of numbers, x first.
    values
        Numbers by name.
    """

    title: str
    source: str
    provenance: str
    points: tuple[tuple[float, ...], ...] = ()
    values: dict[str, float] = field(default_factory=dict)

    def at(self, x: float) -> tuple[float, ...]:
        """Return what stands beside x."""
        return next(point[1:] for point in self.points if point[0] == x)


@cache
def _all() -> dict[str, Reference]:
    text = (files("rocktower.validation") / "data" / "references.toml").read_text("utf-8")
    return {
        name: Reference(
            table["title"],
            table["source"],
            table["provenance"],
            tuple(tuple(row) for row in table.get("points", ())),
            table.get("values", {}),
        )
        for name, table in tomllib.loads(text).items()
    }


def reference(name: str) -> Reference:
    """Return a reference by its name in ``data/references.toml``."""
    return _all()[name]
