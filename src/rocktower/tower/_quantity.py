"""Values with a unit and a provenance, read from TOML with errors that say where."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from math import isfinite, pi
from typing import Any

from rocktower.errors import RocktowerError

__all__ = ["PROVENANCES", "Source", "Table", "load_toml"]

PROVENANCES = ("published", "inferred", "assumed")

# dimension -> unit -> factor to SI
_UNITS: dict[str, dict[str, float]] = {
    "length": {"mm": 1e-3, "cm": 1e-2, "m": 1.0},
    "mass": {"g": 1e-3, "kg": 1.0},
    "density": {"kg/m3": 1.0, "g/cm3": 1e3},
    "moment of inertia": {"kg m2": 1.0, "g cm2": 1e-7},
    "angle": {"deg": pi / 180.0, "rad": 1.0},
    "time": {"ms": 1e-3, "s": 1.0},
    "speed": {"m/s": 1.0},
    "force": {"N": 1.0},
    "stiffness": {"N/m": 1.0},
    "damping": {"N s/m": 1.0},
    "rocking stiffness": {"N m/rad": 1.0},
    "rocking damping": {"N m s/rad": 1.0},
    "number": {"1": 1.0, "%": 0.01},
}
_LARGEST = 1e300
_KEYS = {"value", "unit", "provenance", "reason"}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value comes from: `published`, `inferred` or `assumed`, and why this value."""

    provenance: str
    reason: str


def load_toml(text: str, name: str) -> Table:
    """Parse TOML; `name` (a file name) stands before every error."""
    try:
        return Table(tomllib.loads(text), name, "", {})
    except (ValueError, RecursionError) as error:
        raise RocktowerError(f"{name}: not valid TOML: {error}") from error


@dataclass(slots=True)
class Table:
    """A TOML table that is read key by key; keys that nobody asked for are errors.

    Parameters
    ----------
    sources
        Collects the provenance of each quantity read, by its dotted path.
    """

    values: dict[str, Any]
    file: str
    path: str
    sources: dict[str, Source]

    def where(self, key: str) -> str:
        """Dotted path of a key."""
        return f"{self.path}.{key}" if self.path else key

    def error(self, key: str, message: str) -> RocktowerError:
        """Make an error that names file and key."""
        return RocktowerError(f"{self.file}: {self.where(key)}: {message}")

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def _pop(self, key: str) -> Any:
        if key not in self.values:
            raise self.error(key, "is missing")
        return self.values.pop(key)

    def quantity(self, key: str, dimension: str, low: float, high: float) -> float:
        """Read ``{ value, unit, provenance, reason }`` as SI, within [low, high]."""
        entry = self._pop(key)
        units = _UNITS[dimension]
        if not isinstance(entry, dict):
            raise self.error(
                key,
                'must be a table { value = ..., unit = "...", provenance = "...", '
                f'reason = "..." }}, not {entry!r}',
            )
        if unknown := sorted(set(entry) - _KEYS):
            raise self.error(
                key, f"unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}"
            )
        for part in ("value", "unit", "provenance", "reason"):
            if part not in entry:
                raise self.error(key, f"{part} is missing")
        value, unit = entry["value"], entry["unit"]
        if not isinstance(unit, str) or unit not in units:
            raise self.error(
                key, f"unit {unit!r} does not fit a {dimension}; use {' or '.join(units)}"
            )
        if not _is_number(value):
            raise self.error(key, f"value {value!r} is not a finite number")
        si = float(value) * units[unit]
        if not low <= si <= high:
            factor, said = units[unit], "" if unit == "1" else f" {unit}"
            raise self.error(
                key, f"{value:g}{said} is outside [{low / factor:g}, {high / factor:g}]{said}"
            )
        self._note(key, entry["provenance"], entry["reason"])
        return si

    def _note(self, key: str, provenance: object, reason: object) -> None:
        if provenance not in PROVENANCES:
            raise self.error(
                key, f"provenance {provenance!r} must be one of {', '.join(PROVENANCES)}"
            )
        if not isinstance(reason, str) or not reason.strip():
            raise self.error(key, "reason must say in one line why this value")
        self.sources[self.where(key)] = Source(str(provenance), reason)

    def text(self, key: str, choices: tuple[str, ...] | None = None) -> str:
        """Read a string, one of `choices` if given."""
        value = self._pop(key)
        if not isinstance(value, str) or not value or not value.isprintable():
            raise self.error(key, f"must be a line of text, not {value!r}")
        if choices and value not in choices:
            raise self.error(key, f"{value!r} must be one of {', '.join(choices)}")
        return value

    def count(self, key: str, low: int, high: int) -> int:
        """Read a quantity that counts something: a whole number within [low, high]."""
        value = self.quantity(key, "number", low, high)
        if value != int(value):
            raise self.error(key, f"{value:g} is not a whole number")
        return int(value)

    def table(self, key: str) -> Table:
        """Read a table."""
        value = self._pop(key)
        if not isinstance(value, dict):
            raise self.error(key, f"must be a table, not {value!r}")
        return Table(dict(value), self.file, self.where(key), self.sources)

    def tables(self, key: str) -> list[Table]:
        """Read an array of tables; none if the key is absent."""
        values = self.values.pop(key, [])
        if not isinstance(values, list) or not all(isinstance(v, dict) for v in values):
            raise self.error(key, "must be an array of tables")
        return [
            Table(dict(value), self.file, self.where(f"{key}[{number}]"), self.sources)
            for number, value in enumerate(values, 1)
        ]

    def points(self, key: str, dimension: str = "length") -> tuple[tuple[float, float], ...]:
        """Read ``{ value = [[x, y], ...], unit, provenance, reason }`` as SI."""
        entry = self._pop(key)
        if not isinstance(entry, dict) or set(entry) != _KEYS:
            raise self.error(key, "must be a table with value, unit, provenance, reason")
        units = _UNITS[dimension]
        if not isinstance(entry["unit"], str) or entry["unit"] not in units:
            raise self.error(
                key, f"unit {entry['unit']!r} does not fit a {dimension}; use {' or '.join(units)}"
            )
        value = entry["value"]
        good = isinstance(value, list) and len(value) >= 2 and all(_is_point(p) for p in value)
        if not good:
            raise self.error(key, "value must be at least two [x, y] points")
        self._note(key, entry["provenance"], entry["reason"])
        factor = units[entry["unit"]]
        return tuple((float(x) * factor, float(y) * factor) for x, y in value)

    def done(self) -> None:
        """Raise if a key is left that nobody read."""
        if self.values:
            key = min(self.values)
            raise self.error(key, "unknown key")


def _is_point(point: object) -> bool:
    return isinstance(point, list) and len(point) == 2 and all(_is_number(c) for c in point)


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < _LARGEST  # an integer may be too large for a float
        and isfinite(value)
    )
