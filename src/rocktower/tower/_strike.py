"""What a hammer does, and the people who do it: strikes, strikers, grips."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, isfinite, log, sqrt
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from rocktower.errors import RocktowerError
from rocktower.tower._quantity import Table, load_toml

if TYPE_CHECKING:
    import numpy as np

__all__ = ["MAX_SPEED", "Grip", "Side", "Strike", "Striker"]

Side = Literal["left", "right"]
_T = TypeVar("_T")
MAX_SPEED = 20.0
"""Fastest hammer that is simulated, m/s; a hand-held hammer swings at 1 to 4 m/s."""


@dataclass(frozen=True, slots=True)
class Strike:
    """One blow with the hammer (rulebook, Rock Tower).

    Parameters
    ----------
    side
        ``"left"`` or ``"right"``; front and back are never struck.
    speed
        Of the hammer as it lands, m/s, 0 to 20.
    height
        Of the blow above the table, m.

    Raises
    ------
    RocktowerError
        For any other side, speed or height.
    """

    side: Side
    speed: float
    height: float

    def __post_init__(self) -> None:
        check_side(self.side)
        if not isfinite(self.speed) or not 0.0 <= self.speed <= MAX_SPEED:
            raise RocktowerError(
                f"speed {self.speed:g} m/s is not a hammer's: give 0 to {MAX_SPEED:g} m/s "
                "(a firm hand reaches 3)"
            )
        if not isfinite(self.height) or self.height <= 0.0:
            raise RocktowerError(
                f"height {self.height:g} m is not on the tower: it is measured up from the table"
            )

    def __str__(self) -> str:
        """Text such as ``left 1.5 m/s at 120 mm``."""
        return f"{self.side} {self.speed:.2f} m/s at {self.height * 1000:.0f} mm"


def check_side(side: str) -> None:
    """Raise `RocktowerError` unless `side` may be struck."""
    if side in ("front", "back"):
        raise RocktowerError(
            f"side {side!r}: never hit the front or back of the tower, only its sides "
            "(left or right)"
        )
    if side not in get_args(Side):
        raise RocktowerError(f"side {side!r}: strike left or right")


@dataclass(frozen=True, slots=True)
class Striker:
    """A person: a distribution of strikes.

    Parameters
    ----------
    speed, speed_spread
        Median hammer speed (m/s) and its coefficient of variation; log-normal.
    height, height_spread
        Mean height of the blow and its standard deviation, as shares of the tower's height;
        normal, kept between 0.1 and 0.95.
    left_share
        How often this person strikes the left side, 0 to 1.
    """

    name: str
    speed: float
    speed_spread: float
    height: float
    height_spread: float
    left_share: float

    @classmethod
    def named(cls, name: str) -> Striker:
        """Return a packaged striker: gentle, normal or firm."""
        return _named("striker", _people()[0], name)

    @staticmethod
    def names() -> tuple[str, ...]:
        """Names of the packaged strikers."""
        return tuple(_people()[0])

    def draw(
        self, rng: np.random.Generator, tower_height: float, side: Side | None = None
    ) -> Strike:
        """Draw one strike at a tower of that height (m), on `side` or by this person's habit.

        Three numbers are drawn whatever `side` is, so that choosing a side leaves the rest of
        a seeded run as it was.
        """
        habit, speed_score, height_score = rng.random(), rng.normal(), rng.normal()
        if side is None:
            side = "left" if habit < self.left_share else "right"
        sigma = sqrt(log(1.0 + self.speed_spread**2))
        speed = min(self.speed * exp(sigma * speed_score), MAX_SPEED)
        height = min(max(self.height + self.height_spread * height_score, 0.1), 0.95)
        return Strike(side, speed, height * tower_height)


@dataclass(frozen=True, slots=True)
class Grip:
    """How a hand holds the tower while it is struck.

    Parameters
    ----------
    height
        Where the hand holds, m above the table.
    stiffness, damping
        Against sideways motion, N/m and N s/m.
    rocking_stiffness, rocking_damping
        Against tilting, N m/rad and N m s/rad.
    pressing_force
        How hard the hand presses the tower down on the table, N.
    """

    name: str
    height: float
    stiffness: float
    damping: float
    rocking_stiffness: float
    rocking_damping: float
    pressing_force: float

    @classmethod
    def named(cls, name: str) -> Grip:
        """Return a packaged grip: loose, held or pressed."""
        return _named("grip", _people()[1], name)

    @staticmethod
    def names() -> tuple[str, ...]:
        """Names of the packaged grips."""
        return tuple(_people()[1])


def _named(kind: str, known: dict[str, _T], name: str) -> _T:
    if name not in known:
        raise RocktowerError(f"{kind} {name!r}: choose {', '.join(known)}")
    return known[name]


@cache
def _people() -> tuple[dict[str, Striker], dict[str, Grip]]:
    name = "people.toml"
    root = load_toml((files("rocktower.tower") / "data" / name).read_text("utf-8"), name)
    strikers, grips = root.table("strikers"), root.table("grips")
    root.done()
    return (
        {key: _striker(key, strikers.table(key)) for key in list(strikers.values)},
        {key: _grip(key, grips.table(key)) for key in list(grips.values)},
    )


def _striker(name: str, table: Table) -> Striker:
    striker = Striker(
        name,
        speed=table.quantity("speed", "speed", 0.0, MAX_SPEED),
        speed_spread=table.quantity("speed_spread", "number", 0.0, 1.0),
        height=table.quantity("height", "number", 0.1, 0.95),
        height_spread=table.quantity("height_spread", "number", 0.0, 0.5),
        left_share=table.quantity("left_share", "number", 0.0, 1.0),
    )
    table.done()
    return striker


def _grip(name: str, table: Table) -> Grip:
    grip = Grip(
        name,
        height=table.quantity("height", "length", 0.0, 2.0),
        stiffness=table.quantity("stiffness", "stiffness", 0.0, 1e5),
        damping=table.quantity("damping", "damping", 0.0, 1e3),
        rocking_stiffness=table.quantity("rocking_stiffness", "rocking stiffness", 0.0, 1e4),
        rocking_damping=table.quantity("rocking_damping", "rocking damping", 0.0, 1e3),
        pressing_force=table.quantity("pressing_force", "force", 0.0, 500.0),
    )
    table.done()
    return grip
