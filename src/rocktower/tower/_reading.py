"""Read a tower model from TOML and check that it can be a tower."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from rocktower.tower._model import Body, Boulders, Geometry, Hammer, Level, TowerModel
from rocktower.tower._quantity import load_toml
from rocktower.tower._scene import Contact, Solver
from rocktower.tower._state import COLORS

if TYPE_CHECKING:
    from rocktower.tower._quantity import Table

__all__ = ["read_model"]

_STEEPEST = 80.0 / 180.0 * pi
_SHORTEST_BLOW = 1e-6  # s; a shorter one is as good as none, and its reciprocal soon no number


def read_model(text: str, name: str) -> TowerModel:
    """Read a model; `name` (a file name) stands before every error.

    Raises
    ------
    RocktowerError
        Naming the key, the value and what is allowed.
    """
    root = load_toml(text, name)
    model_name = root.text("name")
    boulders = _boulders(root.table("boulders"))
    geometry = _geometry(root, boulders)
    materials = root.table("materials")
    model = TowerModel(
        name=model_name,
        geometry=geometry,
        boulders=boulders,
        boulder_contact=_contact(materials.table("boulder_boulder")),
        wall_contact=_contact(materials.table("boulder_wall")),
        hammer=_hammer(root.table("hammer")),
        body=_body(root.table("body"), geometry.height),
        solver=_solver(root.table("solver")),
        sources=root.sources,
    )
    materials.done()
    root.done()
    return model


def _boulders(table: Table) -> Boulders:
    colors = table.table("colors")
    counts: list[tuple[str, int]] = []
    for color in list(colors.values):
        if color not in COLORS:
            raise colors.error(color, f"unknown color; boulders are {', '.join(COLORS)}")
        counts.append((color, colors.count(color, 1, 200)))
    if not 1 <= sum(count for _, count in counts) <= 200:
        raise table.error("colors", "a tower holds 1 to 200 boulders in all")
    edge = table.quantity("edge", "length", 2e-3, 0.2)
    boulders = Boulders(
        tuple(counts),
        edge,
        edge_spread=table.quantity("edge_spread", "number", 0.0, 0.2),
        edge_radius=table.quantity("edge_radius", "length", 0.0, 0.45 * edge),
        density=table.quantity("density", "density", 50.0, 5000.0),
    )
    if boulders.edge_radius >= 0.5 * boulders.smallest_edge:
        raise table.error(
            "edge_radius",
            f"rounds away the smallest boulder: {boulders.smallest_edge * 1000:.1f} mm",
        )
    table.done()
    return boulders


def _geometry(root: Table, boulders: Boulders) -> Geometry:
    table = root.table("geometry")
    largest = boulders.largest_edge
    width = table.quantity("inner_width", "length", 2e-3, 2.0)
    if width <= largest:
        raise table.error(
            "inner_width",
            f"a boulder is wider than the tower: the largest is {largest * 1000:.1f} mm, "
            f"the tower {width * 1000:.1f} mm inside",
        )
    height = table.quantity("height", "length", 2e-2, 3.0)
    outlet = table.quantity("outlet_width", "length", 0.0, width)
    if outlet <= largest:
        raise table.error(
            "outlet_width",
            f"{outlet * 1000:.1f} mm cannot pass a boulder of {largest * 1000:.1f} mm",
        )
    geometry = Geometry(
        width,
        height,
        wall_thickness=table.quantity("wall_thickness", "length", 5e-4, 0.1),
        plank_thickness=table.quantity("plank_thickness", "length", 5e-4, 0.05),
        floor_height=table.quantity("floor_height", "length", 0.0, 0.5 * height),
        outlet_width=outlet,
        hopper_angle=table.quantity("hopper_angle", "angle", 0.0, _STEEPEST),
        levels=tuple(_level(entry, width, height, largest) for entry in root.tables("levels")),
        planks=tuple(_plank(entry, width, height) for entry in root.tables("planks")),
    )
    table.done()
    return geometry


def _level(table: Table, width: float, height: float, largest: float) -> Level:
    side = table.text("side", ("left", "right"))
    level_height = table.quantity("height", "length", 0.0, height)
    slope = table.quantity("slope", "angle", -_STEEPEST, _STEEPEST)
    if ("gap" in table) == ("length" in table):
        raise table.error("gap", "give either gap or length")
    key = "gap" if "gap" in table else "length"
    gap = table.quantity(key, "length", 0.0, width)
    if key == "length":
        gap = width - gap
    if gap <= largest:
        raise table.error(
            key,
            f"the gap of {gap * 1000:.1f} mm cannot pass a boulder of {largest * 1000:.1f} mm",
        )
    table.done()
    return Level("left" if side == "left" else "right", level_height, slope, gap)


def _plank(table: Table, width: float, height: float) -> tuple[tuple[float, float], ...]:
    points = table.points("points")
    for x, y in points:
        if abs(x) > 0.5 * width or not 0.0 <= y <= height:
            raise table.error("points", f"({x:g} m, {y:g} m) lies outside the tower")
    table.done()
    return points


def _contact(table: Table) -> Contact:
    contact = Contact(
        table.quantity("friction", "number", 0.0, 2.0),
        table.quantity("restitution", "number", 0.0, 0.95),
    )
    table.done()
    return contact


def _hammer(table: Table) -> Hammer:
    hammer = Hammer(
        table.quantity("mass", "mass", 1e-4, 5.0),
        table.quantity("restitution", "number", 0.0, 1.0),
        table.quantity("contact_time", "time", 0.0, 0.05),
    )
    if 0.0 < hammer.contact_time < _SHORTEST_BLOW:
        raise table.error(
            "contact_time",
            f"{hammer.contact_time * 1e3:g} ms is too short: give 0 (an impulse at once) or "
            f"{_SHORTEST_BLOW * 1e3:g} to 50 ms",
        )
    table.done()
    return hammer


def _body(table: Table, height: float) -> Body:
    body = Body(
        mass=table.quantity("mass", "mass", 1e-3, 50.0),
        center_height=table.quantity("center_height", "length", 1e-3, height),
        moment_of_inertia=table.quantity("moment_of_inertia", "moment of inertia", 1e-8, 10.0),
        base_width=table.quantity("base_width", "length", 1e-3, 2.0),
        base_friction=table.quantity("base_friction", "number", 0.0, 2.0),
    )
    table.done()
    return body


def _solver(table: Table) -> Solver:
    solver = Solver(
        time_step=table.quantity("time_step", "time", 1e-5, 5e-3),
        iterations=table.count("iterations", 1, 1000),
        slop=table.quantity("slop", "length", 1e-7, 1e-3),
        overlap_removed=table.quantity("overlap_removed", "number", 0.01, 0.9),
        warm_up_steps=table.count("warm_up_steps", 0, 100),
        warm_up_iterations=table.count("warm_up_iterations", 1, 5000),
    )
    table.done()
    return solver
