"""What happens to a tower, as a pure function of its secret: filling, hits, dropping in.

The server's workers and whoever verifies a log afterwards run the same functions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.randomness import Purpose
from rocktower.tower import COLORS, Side, Striker, TowerState, check_filled, check_side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocktower.server._fairness import Secret
    from rocktower.tower import Boulder, Strike, StrikeResult, TowerModel

__all__ = ["Aim", "Happened", "Poses", "by_color", "drop", "fill", "hit", "state_of"]

Poses = list[list[float] | None]
"""A tower's poses as JSON values: m, m and rad of each boulder, None for one outside."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How a player means to strike; the hand decides how the blow really lands.

    Parameters
    ----------
    side
        ``"left"`` or ``"right"``.
    height
        Of the blow, as a share of the tower's height, 0 to 1.
    strength
        A packaged striker's name, or 0 to 1 between the gentle and the firm one.

    Raises
    ------
    RocktowerError
        For another side, height or strength.
    """

    side: Side
    height: float
    strength: float | str

    def __post_init__(self) -> None:
        check_side(self.side)
        if not 0.0 <= self.height <= 1.0:
            raise RocktowerError(f"height {self.height:g}: give a share of the tower's, 0 to 1")
        if isinstance(self.strength, str):
            Striker.named(self.strength)
        elif not 0.0 <= self.strength <= 1.0:
            raise RocktowerError(f"strength {self.strength:g}: give 0 to 1, or a striker's name")

    @property
    def hand(self) -> Striker:
        """The person who strikes so: the spread of the blow is theirs."""
        if isinstance(self.strength, str):
            person = Striker.named(self.strength)
            speed = person.speed
        else:
            person = Striker.named("normal")
            gentle, firm = Striker.named("gentle").speed, Striker.named("firm").speed
            speed = gentle + self.strength * (firm - gentle)
        spread = person.speed_spread, person.height_spread
        return Striker(person.name, speed, spread[0], self.height, spread[1], 0.5)

    def as_dict(self) -> dict[str, Any]:
        """Return the aim as JSON values."""
        return {"side": self.side, "height": self.height, "strength": self.strength}


@dataclass(frozen=True, slots=True)
class Happened:
    """One event and the tower after it.

    Attributes
    ----------
    state
        The tower afterwards.
    boulders
        What fell out, in order; or what was dropped in.
    blow
        What the hammer really did.
    result
        All of a hit, with frames if they were asked for.
    asked
        What was to be dropped in: one that jumps out of a full tower stays outside.
    """

    state: TowerState
    boulders: tuple[Boulder, ...] = ()
    blow: Strike | None = None
    result: StrikeResult | None = None
    asked: Mapping[str, int] | None = None

    def private(self) -> dict[str, Any]:
        """Return what nobody may read before the tower is closed, as JSON values."""
        private: dict[str, Any] = {
            "poses": [None if x != x else [x, y, a] for x, y, a in self.state.poses.tolist()]
        }
        if self.blow is not None and self.result is not None:
            private |= {
                "blow": {
                    "speed_m_s": self.blow.speed,
                    "height_m": self.blow.height,
                },
                "jumped": [b.id for b in self.result.jumped],
                "outcome": self.result.outcome.value,
            }
        if self.asked is not None:
            private["asked"] = dict(self.asked)
        return private

    def public(self) -> dict[str, Any]:
        """Return what everybody at the table sees, as JSON values."""
        counts = by_color(self.boulders)
        return {
            "boulders": [b.color for b in self.boulders],
            "ids": [b.id for b in self.boulders],
            "counts": counts,
            "total": len(self.boulders),
            "inside": by_color(self.state.inside),
            "outside": by_color(self.state.outside),
        }


def by_color(boulders: Iterable[Boulder]) -> dict[str, int]:
    """Count boulders: every color, also those of which there is none."""
    counts = Counter(b.color for b in boulders)
    return {color: counts[color] for color in COLORS}


def fill(model: TowerModel, secret: Secret, boulders: Mapping[str, int]) -> Happened:
    """Fill an empty tower with so many boulders of each color.

    Raises
    ------
    RocktowerError
        If the tower has fewer, or does not hold them.
    """
    everything = tuple(boulder for boulder, _ in model.all_boulders)
    empty = TowerState(everything, np.full((len(everything), 3), np.nan))
    chosen = _choose(empty.outside, boulders, "the tower's model has")
    state = model.drop_in(empty, chosen, secret.rng(Purpose.FILL, 0))
    check_filled(state, len(chosen))
    return Happened(state)


def hit(
    model: TowerModel, secret: Secret, n: int, state: TowerState, aim: Aim, *, trace: bool = False
) -> Happened:
    """Strike as event `n`; how fast and how high the blow lands is drawn from the secret."""
    blow = aim.hand.draw(secret.rng(Purpose.STRIKER, n), model.geometry.height, aim.side)
    rng = secret.rng(Purpose.DROP_IN, n)
    result = model.strike(state, blow, rng, trace=trace, contacts=False)
    return Happened(result.state, result.hit.boulders, blow, result)


def drop(
    model: TowerModel, secret: Secret, n: int, state: TowerState, boulders: Mapping[str, int]
) -> Happened:
    """Drop so many boulders of each color back in as event `n`.

    Raises
    ------
    RocktowerError
        If fewer are outside, or none is to be dropped in.
    """
    chosen = _choose(state.outside, boulders, "outside the tower there are")
    if not chosen:
        raise RocktowerError("name at least one boulder to drop in, such as {'red': 2}")
    after = model.drop_in(state, chosen, secret.rng(Purpose.DROP_IN, n))
    within = set(after.inside)
    return Happened(after, tuple(b for b in chosen if b in within), asked=boulders)


def state_of(model: TowerModel, poses: Poses) -> TowerState:
    """Return the state that was written as poses, to the last bit."""
    absent = [np.nan] * 3
    values = np.array([absent if pose is None else pose for pose in poses], dtype=np.float64)
    return TowerState([b for b, _ in model.all_boulders], values.reshape(-1, 3))


def _choose(
    available: tuple[Boulder, ...], boulders: Mapping[str, int], where: str
) -> tuple[Boulder, ...]:
    chosen: list[Boulder] = []
    for color, wanted in boulders.items():
        there = [b for b in available if b.color == color]
        if wanted > len(there):
            raise RocktowerError(f"{wanted} {color} boulders: {where} {len(there)}")
        chosen += there[:wanted]
    return tuple(chosen)
