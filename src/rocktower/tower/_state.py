"""What is in the tower, and what comes out of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from rocktower.tower._scene import Contacts

__all__ = [
    "COLORS",
    "Boulder",
    "Hit",
    "Outcome",
    "StrikeResult",
    "TowerState",
    "Trace",
    "check_filled",
]

COLORS = ("red", "blue", "yellow", "white")
"""The colors of the boulders (rulebook, Components)."""

_FORMAT = "rocktower-state/1"
_FARTHEST = np.array([1e3, 1e3, 1e6])  # m, m, rad: no tower is so large; nothing has turned so far


@dataclass(frozen=True, slots=True, order=True)
class Boulder:
    """One boulder: its number in the model, and its color."""

    id: int
    color: str

    def __str__(self) -> str:
        """Return the color."""
        return self.color


class TowerState:
    """Where every boulder of a tower is, at rest: everything that a strike needs to know.

    An immutable value: equal states have equal hashes and the same future. Boulders are kept
    in the order of their numbers, however they were handed in.

    Parameters
    ----------
    boulders
        All boulders of the tower, inside or not.
    poses
        Array of shape (n, 3): x, y (m, in the tower's section, from the middle of its base)
        and angle (rad) of each boulder; NaN for a boulder that is not inside.
    """

    __slots__ = ("boulders", "poses")

    boulders: tuple[Boulder, ...]
    poses: NDArray[np.float64]

    def __init__(self, boulders: Iterable[Boulder], poses: NDArray[np.float64]) -> None:
        given = tuple(boulders)
        values = np.asarray(poses, dtype=np.float64)
        if values.shape != (len(given), 3):
            raise RocktowerError(
                f"a state of {len(given)} boulders needs poses of shape ({len(given)}, 3), "
                f"not {values.shape}"
            )
        order = sorted(range(len(given)), key=lambda i: given[i].id)
        ids = [given[i].id for i in order]
        if len(set(ids)) != len(ids):
            raise RocktowerError("two boulders of a state have the same number")
        gone = np.isnan(values)
        if np.isinf(values).any() or (gone.any(axis=1) != gone.all(axis=1)).any():
            raise RocktowerError(
                "a boulder's x, y and angle must be finite numbers, or all be absent"
            )
        if (np.abs(values) > _FARTHEST).any():
            raise RocktowerError(
                f"a boulder's x and y must be within {_FARTHEST[0]:g} m, "
                f"its angle within {_FARTHEST[2]:g} rad"
            )
        values = values[order]
        values[np.isnan(values)] = np.nan  # one NaN only, so that equal states have equal bytes
        values.setflags(write=False)
        object.__setattr__(self, "boulders", tuple(given[i] for i in order))
        object.__setattr__(self, "poses", values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a TowerState does not change: cannot set {name}")

    def __reduce__(self) -> tuple[type[TowerState], tuple[Any, ...]]:
        return TowerState, (self.boulders, np.array(self.poses))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TowerState):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[tuple[Boulder, ...], bytes]:
        return self.boulders, self.poses.tobytes()

    def __repr__(self) -> str:
        return f"<TowerState: {len(self.inside)} of {len(self.boulders)} boulders inside>"

    @property
    def is_inside(self) -> NDArray[np.bool_]:
        """Array of shape (n,): which boulders are inside."""
        return ~np.isnan(self.poses[:, 0])

    @property
    def inside(self) -> tuple[Boulder, ...]:
        """The boulders in the tower, by number."""
        return tuple(b for b, there in zip(self.boulders, self.is_inside, strict=True) if there)

    @property
    def outside(self) -> tuple[Boulder, ...]:
        """The boulders that are not in the tower, by number."""
        return tuple(b for b, there in zip(self.boulders, self.is_inside, strict=True) if not there)

    def to_json(self) -> str:
        """Write as JSON; `from_json` returns the same state to the last bit."""
        rows = []
        for boulder, (x, y, angle) in zip(self.boulders, self.poses.tolist(), strict=True):
            row: dict[str, Any] = {"id": boulder.id, "color": boulder.color}
            if x == x:
                row |= {"x_m": x, "y_m": y, "angle_rad": angle}
            rows.append(row)
        return json.dumps({"format": _FORMAT, "boulders": rows})

    @classmethod
    def from_json(cls, text: str, name: str = "state") -> TowerState:
        """Read what `to_json` wrote; `name` (a file name) stands before every error.

        Raises
        ------
        RocktowerError
            If the text is no state.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RocktowerError(f"{name}: not JSON: {error}") from error
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise RocktowerError(f"{name}: not a tower state (format must be {_FORMAT!r})")
        rows = data.get("boulders")
        if not isinstance(rows, list):
            raise RocktowerError(f"{name}: boulders must be a list")
        boulders, poses = [], []
        for number, row in enumerate(rows, 1):
            try:
                boulder, pose = _read_row(row)
            except KeyError as error:
                raise RocktowerError(f"{name}: boulder {number}: {error} is missing") from error
            except (TypeError, ValueError, OverflowError) as error:
                raise RocktowerError(f"{name}: boulder {number}: {error}") from error
            boulders.append(boulder)
            poses.append(pose)
        try:
            return cls(boulders, np.array(poses, dtype=np.float64).reshape(-1, 3))
        except RocktowerError as error:
            raise RocktowerError(f"{name}: {error}") from error


def _read_row(row: Any) -> tuple[Boulder, list[float]]:
    known = {"id", "color", "x_m", "y_m", "angle_rad"}
    if not isinstance(row, dict):
        raise TypeError(f"must be an object, not {row!r}")
    if unknown := set(row) - known:
        raise ValueError(f"unknown key {min(unknown)!r}")
    number, color = row["id"], row["color"]
    if type(number) is not int:
        raise TypeError(f"id {number!r} must be a whole number")
    if color not in COLORS:
        raise ValueError(f"color {color!r} must be one of {', '.join(COLORS)}")
    if len(row) == 2:
        return Boulder(number, color), [np.nan] * 3
    pose = [row["x_m"], row["y_m"], row["angle_rad"]]
    if not all(type(value) in (int, float) for value in pose):
        raise TypeError("x_m, y_m and angle_rad must be numbers")
    return Boulder(number, color), [float(value) for value in pose]


def check_filled(state: TowerState, dropped: int | None = None, name: str = "") -> None:
    """Raise `RocktowerError` unless a tower holds what was dropped in.

    Parameters
    ----------
    state
        The tower, filled.
    dropped
        How many boulders were dropped into it; all of the tower's if None.
    name
        Stands before the error: a file's or a model's name.
    """
    count = len(state.boulders) if dropped is None else dropped
    if missing := count - len(state.inside):
        raise RocktowerError(
            f"{name and f'{name}: '}the tower does not hold its boulders: {missing} of {count} "
            "fall out however often they are dropped in"
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """What comes of a strike: the boulders that came out of the outlet, in order."""

    boulders: tuple[Boulder, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing came out: an empty hit."""
        return not self.boulders

    @property
    def counts(self) -> Counter[str]:
        """Boulders by color."""
        return Counter(b.color for b in self.boulders)

    def __len__(self) -> int:
        return len(self.boulders)

    def __str__(self) -> str:
        """Text such as ``3 boulders: red, white, red``."""
        if self.is_empty:
            return "empty hit"
        noun = "boulder" if len(self) == 1 else "boulders"
        return f"{len(self)} {noun}: {', '.join(b.color for b in self.boulders)}"


class Outcome(Enum):
    """How a strike ended."""

    AT_REST = "at rest"
    NOT_SETTLED = "not settled"
    """Something still moved at the time limit; the state holds where everything was."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The frames of a strike, for viewers.

    Attributes
    ----------
    times
        Shape (f,), s after the blow; about 80 a second.
    tower
        Shape (f, 3): x and y of the middle of the base (m) and tilt angle (rad,
        counter-clockwise).
    boulders
        Shape (f, n, 3): x, y (m, above the table, not in the moving tower's frame) and angle
        (rad) of each boulder of the state; NaN where it is not in the tower.
    contacts
        The contact forces of each frame, f in all; boulders by their row of the state. Empty if
        they were not asked for.
    """

    times: NDArray[np.float64]
    tower: NDArray[np.float64]
    boulders: NDArray[np.float64]
    contacts: tuple[Contacts, ...]


@dataclass(frozen=True, slots=True)
class StrikeResult:
    """Everything that a strike leads to.

    Attributes
    ----------
    state
        The tower afterwards, at rest.
    hit
        What came out of the outlet.
    jumped
        Boulders that jumped out of the top; they are back inside and do not count.
    outcome
        Whether the tower came to rest within the time limit.
    duration
        Simulated time, s.
    trace
        The frames, if asked for.
    """

    state: TowerState
    hit: Hit
    jumped: tuple[Boulder, ...]
    outcome: Outcome
    duration: float
    trace: Trace | None = None
