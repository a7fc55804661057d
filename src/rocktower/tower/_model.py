"""The model of a tower: geometry, materials, boulders, hammer, body, grip. Plain values."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from math import tan
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.tower import _dynamics
from rocktower.tower._scene import Contact, Grain, Solver
from rocktower.tower._state import Boulder
from rocktower.tower._strike import Grip, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np

    from rocktower.tower._quantity import Source
    from rocktower.tower._scene import Contacts
    from rocktower.tower._state import StrikeResult, TowerState
    from rocktower.tower._strike import Strike

__all__ = ["Body", "Boulders", "Geometry", "Hammer", "Level", "TowerModel"]


@dataclass(frozen=True, slots=True)
class Level:
    """A shelf inside the tower, fixed to one wall and sloping down from it.

    Parameters
    ----------
    side
        The wall that it is fixed to.
    height
        Where it meets that wall, m above the table.
    slope
        Downwards from the wall, rad.
    gap
        Clear width between its free edge and the opposite wall, m.
    """

    side: Side
    height: float
    slope: float
    gap: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """The tower's section seen from the front, m and rad; x from the middle, y from the table.

    Parameters
    ----------
    inner_width, height
        Clear width between the side walls; height of the open top above the table.
    wall_thickness
        Of the side walls.
    plank_thickness
        Of levels and planks.
    floor_height
        Height of the outlet above the table: boulders below it are out.
    outlet_width
        Clear width of the opening in the floor.
    hopper_angle
        Slope of the floor towards the outlet; 0 is a flat sill.
    levels
        Shelves.
    planks
        Further pieces of wall inside, as polylines.
    """

    inner_width: float
    height: float
    wall_thickness: float
    plank_thickness: float
    floor_height: float
    outlet_width: float
    hopper_angle: float
    levels: tuple[Level, ...] = ()
    planks: tuple[tuple[tuple[float, float], ...], ...] = ()

    def level_edge(self, level: Level) -> tuple[float, float]:
        """Return x, y where the middle line of a level ends, half a thickness short of the gap."""
        length = self.inner_width - level.gap - 0.5 * self.plank_thickness
        sign = 1.0 if level.side == "left" else -1.0
        return sign * (length - 0.5 * self.inner_width), level.height - length * tan(level.slope)


@dataclass(frozen=True, slots=True)
class Boulders:
    """The boulders: cubes, squares in the section.

    Parameters
    ----------
    colors
        How many there are of each color.
    edge, edge_spread
        Mean edge length, m, and its coefficient of variation; every color has the same sizes
        (evenly spaced quantiles of a normal distribution), so that colors are exchangeable.
    edge_radius
        How much the edges are rounded, m.
    density
        kg/m^3.
    """

    colors: tuple[tuple[str, int], ...]
    edge: float
    edge_spread: float
    edge_radius: float
    density: float

    @property
    def largest_edge(self) -> float:
        """Edge of the largest boulder, m."""
        return max(self._edges(max(count for _, count in self.colors)))

    @property
    def smallest_edge(self) -> float:
        """Edge of the smallest boulder, m."""
        return min(self._edges(max(count for _, count in self.colors)))

    def _edges(self, count: int) -> list[float]:
        if self.edge_spread == 0.0:
            return [self.edge] * count
        sizes = NormalDist(self.edge, self.edge * self.edge_spread)
        return [sizes.inv_cdf((k + 0.5) / count) for k in range(count)]

    def all(self) -> tuple[tuple[Boulder, Grain], ...]:
        """Every boulder, by number, and its body."""
        made: list[tuple[Boulder, Grain]] = []
        for color, count in self.colors:
            for edge in self._edges(count):
                half = 0.5 * edge - self.edge_radius
                corners = ((-half, -half), (half, -half), (half, half), (-half, half))
                grain = Grain(corners, self.edge_radius, self.density * edge**3)
                made.append((Boulder(len(made), color), grain))
        return tuple(made)


@dataclass(frozen=True, slots=True)
class Hammer:
    """The hammer: mass (kg), restitution of a blow on the wall, contact time (s)."""

    mass: float
    restitution: float
    contact_time: float


@dataclass(frozen=True, slots=True)
class Body:
    """The empty tower as a rigid body on a table.

    Parameters
    ----------
    mass
        kg.
    center_height
        Of the centre of mass above the table, m.
    moment_of_inertia
        About the centre of mass, kg m^2.
    base_width
        m.
    base_friction
        Coulomb friction between base and table.
    """

    mass: float
    center_height: float
    moment_of_inertia: float
    base_width: float
    base_friction: float

    @property
    def landing_restitution(self) -> float:
        """Share of the tilt rate that is left when the raised edge lands.

        Conservation of angular momentum about the edge that lands (Housner 1963).
        """
        half = 0.5 * self.base_width
        about_edge = self.moment_of_inertia + self.mass * (half**2 + self.center_height**2)
        return max(0.0, 1.0 - 2.0 * self.mass * half**2 / about_edge)


@dataclass(frozen=True)
class TowerModel:
    """A tower, its boulders and its hammer, and how the tower is held.

    A frozen value: all physics is a function of it. `hash` names its content.

    Parameters
    ----------
    cover
        Share of the open top that a hand covers, 0 to 1.
    sources
        Provenance of each value by its path in the TOML file, such as
        ``"geometry.inner_width"``; not part of the value.
    """

    name: str
    geometry: Geometry
    boulders: Boulders
    boulder_contact: Contact
    wall_contact: Contact
    hammer: Hammer
    body: Body
    solver: Solver
    grip: Grip = field(default_factory=lambda: Grip.named("held"))
    cover: float = 0.5
    sources: Mapping[str, Source] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 0.0 <= self.cover <= 1.0:
            raise RocktowerError(f"cover {self.cover:g}: give the covered share of the top, 0 to 1")

    @classmethod
    def load(cls, path: str | Path | None = None) -> TowerModel:
        """Read a model from a TOML file, or the packaged default.

        Raises
        ------
        RocktowerError
            If the file is missing or anything in it is wrong, naming the key.
        """
        if path is None:
            name = "default.toml"
            return cls.parse((files("rocktower.tower") / "data" / name).read_text("utf-8"), name)
        try:
            text = Path(path).read_text("utf-8")
        except FileNotFoundError:
            raise RocktowerError(f"{path}: no such file; a tower model is a TOML file") from None
        except (OSError, ValueError) as error:
            raise RocktowerError(f"{path}: cannot be read: {error}") from error
        return cls.parse(text, str(path))

    @staticmethod
    def parse(text: str, name: str = "tower model") -> TowerModel:
        """Read a model from the text of a TOML file; `name` stands before every error.

        Raises
        ------
        RocktowerError
            If anything in it is wrong, naming the key.
        """
        from rocktower.tower._reading import read_model

        return read_model(text, name)

    @cached_property
    def hash(self) -> str:
        """Content hash of all values (not of name and provenance): 16 hexadecimal digits."""
        values = asdict(replace(self, sources={}))
        del values["name"], values["sources"], values["grip"]["name"]
        text = json.dumps(values, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def all_boulders(self) -> tuple[tuple[Boulder, Grain], ...]:
        """Every boulder, by number, and its body."""
        return self.boulders.all()

    def held(self, grip: Grip | str | None = None, cover: float | None = None) -> TowerModel:
        """Return this tower held in another way: a grip (or a packaged grip's name), a cover."""
        if isinstance(grip, str):
            grip = Grip.named(grip)
        return replace(
            self,
            grip=self.grip if grip is None else grip,
            cover=self.cover if cover is None else float(cover),
        )

    def check_strike(self, strike: Strike) -> None:
        """Raise `RocktowerError` if the strike misses the tower."""
        if strike.height > self.geometry.height:
            raise RocktowerError(
                f"height {strike.height:g} m is above the tower, which is "
                f"{self.geometry.height:g} m high"
            )

    def fill(self, rng: np.random.Generator) -> TowerState:
        """Drop all boulders into the top, in random order, until all of them are inside.

        What falls out is dropped in again, up to 20 rounds; a tower that cannot hold its
        boulders leaves the rest of them outside, which the state shows.
        """
        return _dynamics.fill(self, rng)

    def drop_in(
        self, state: TowerState, boulders: Iterable[Boulder], rng: np.random.Generator
    ) -> TowerState:
        """Drop boulders that are outside into the top, where they come to lie last.

        Raises
        ------
        RocktowerError
            If one of them is not outside, or the state is another tower's.
        """
        return _dynamics.drop_in(self, state, boulders, rng)

    def strike(
        self,
        state: TowerState,
        strike: Strike,
        rng: np.random.Generator | None = None,
        *,
        trace: bool = False,
        contacts: bool = True,
    ) -> StrikeResult:
        """Strike the tower and wait until everything is at rest.

        Parameters
        ----------
        rng
            Used only to drop boulders that jumped out of the top back in; None stands for
            one fixed generator.
        trace
            Record the frames.
        contacts
            Whether the frames have the contact forces, which cost far more than the rest.

        Raises
        ------
        RocktowerError
            If the strike misses the tower, or the state is another tower's.
        """
        return _dynamics.strike(self, state, strike, rng, trace=trace, contacts=contacts)

    def resting_contacts(self, state: TowerState) -> Contacts:
        """Return the contact forces that hold a tower at rest, boulders by row of the state.

        The forces of a pile depend on its history, which a state does not hold: these are the
        ones with which the next strike begins.

        Raises
        ------
        RocktowerError
            If the state is another tower's.
        """
        return _dynamics.resting_contacts(self, state)
