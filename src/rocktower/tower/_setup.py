"""A tower, a hand and an arm in five numbers: what can be fitted to recorded hits."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields, replace
from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.tower._scene import Contact
from rocktower.tower._strike import Grip, Striker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocktower.tower._model import TowerModel

__all__ = ["GRIPS", "Setup"]

GRIPS = ("loose", "held", "pressed")
"""The packaged grips, by how much they hold; level 0, 1 and 2 of a `Setup`."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a fit changes of a tower and of the people at it; all else is the tower file's.

    Parameters
    ----------
    friction
        Of boulders on each other and on wood, above 0.
    outlet_width
        m.
    grip
        Level of the hand, 0 (loose) to 2 (pressed); 1 is held. Levels between are between these,
        on a scale of ratios, except for the pressing force, which may be 0.
    speed
        Median of the hammer, m/s.
    speed_spread
        Its coefficient of variation.

    Examples
    --------
    >>> from rocktower import TowerModel
    >>> setup = Setup(friction=0.3, outlet_width=0.027, grip=1.5, speed=2.0, speed_spread=0.1)
    >>> setup.tower(TowerModel.load()).geometry.outlet_width
    0.027
    >>> setup.striker().speed
    2.0
    """

    friction: float
    outlet_width: float
    grip: float
    speed: float
    speed_spread: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Setup:
        """Make one of five numbers, in the order of `names`."""
        return cls(*map(float, values))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Names of the five numbers."""
        return tuple(field.name for field in fields(cls))

    @property
    def values(self) -> tuple[float, ...]:
        """The five numbers, in the order of `names`."""
        return astuple(self)

    def tower(self, base: TowerModel) -> TowerModel:
        """Return a tower with these values, held by this hand.

        Raises
        ------
        RocktowerError
            If its outlet cannot pass a boulder, or is wider than the tower.
        """
        largest, width = base.boulders.largest_edge, base.geometry.inner_width
        if not largest < self.outlet_width <= width:
            raise RocktowerError(
                f"outlet_width {self.outlet_width * 1000:.1f} mm: give more than a boulder "
                f"({largest * 1000:.1f} mm) and no more than the tower ({width * 1000:.1f} mm)"
            )
        return replace(
            base,
            boulder_contact=Contact(self.friction, base.boulder_contact.restitution),
            wall_contact=Contact(self.friction, base.wall_contact.restitution),
            geometry=replace(base.geometry, outlet_width=self.outlet_width),
        ).held(self.hand())

    def hand(self) -> Grip:
        """Return the grip of this level."""
        level = min(max(self.grip, 0.0), float(len(GRIPS) - 1))
        below = min(int(level), len(GRIPS) - 2)
        share = level - below
        a, b = Grip.named(GRIPS[below]), Grip.named(GRIPS[below + 1])
        if share in (0.0, 1.0):
            return b if share else a

        def between(name: str) -> float:
            low, high = getattr(a, name), getattr(b, name)
            if low <= 0.0 or high <= 0.0:
                return float(low + share * (high - low))
            return float(low * (high / low) ** share)

        values = {field.name: between(field.name) for field in fields(Grip) if field.name != "name"}
        return Grip(f"level {level:.2f}", **values)

    def striker(self, name: str = "fitted") -> Striker:
        """Return a person who strikes so; where they strike is the normal striker's habit."""
        normal = Striker.named("normal")
        return replace(normal, name=name, speed=self.speed, speed_spread=self.speed_spread)
