"""Writes a tower model as TOML that `TowerModel.load` reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocktower.tower._quantity import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocktower.tower._model import TowerModel

__all__ = ["encode_model"]

_ASSUMED = Source("assumed", "set by a program")


def encode_model(model: TowerModel, sources: Mapping[str, Source] | None = None) -> str:
    """Write a model in SI units.

    Parameters
    ----------
    sources
        Provenance by path, which stands before the model's own.
    """
    return "\n".join(_lines(model, {**model.sources, **(sources or {})})) + "\n"


def _lines(model: TowerModel, sources: Mapping[str, Source]) -> Iterable[str]:
    def quantity(table: str, key: str, value: Any, unit: str) -> str:
        source = sources.get(f"{table}.{key}", _ASSUMED)
        return (
            f"{key} = {{ value = {value!r}, unit = {json.dumps(unit)}, "
            f"provenance = {json.dumps(source.provenance)}, "
            f"reason = {json.dumps(source.reason)} }}"
        )

    def table(name: str, values: Mapping[str, tuple[Any, str]]) -> Iterable[str]:
        yield ""
        yield f"[{name}]"
        for key, (value, unit) in values.items():
            yield quantity(name, key, value, unit)

    geometry, body, solver = model.geometry, model.body, model.solver
    boulders, hammer = model.boulders, model.hammer
    yield f"name = {json.dumps(model.name)}"
    yield from table("boulders.colors", {color: (n, "1") for color, n in boulders.colors})
    yield from table(
        "boulders",
        {
            "edge": (boulders.edge, "m"),
            "edge_spread": (boulders.edge_spread, "1"),
            "edge_radius": (boulders.edge_radius, "m"),
            "density": (boulders.density, "kg/m3"),
        },
    )
    for name, contact in (
        ("boulder_boulder", model.boulder_contact),
        ("boulder_wall", model.wall_contact),
    ):
        values = {"friction": contact.friction, "restitution": contact.restitution}
        yield from table(f"materials.{name}", {key: (v, "1") for key, v in values.items()})
    yield from table(
        "geometry",
        {
            "inner_width": (geometry.inner_width, "m"),
            "height": (geometry.height, "m"),
            "wall_thickness": (geometry.wall_thickness, "m"),
            "plank_thickness": (geometry.plank_thickness, "m"),
            "floor_height": (geometry.floor_height, "m"),
            "outlet_width": (geometry.outlet_width, "m"),
            "hopper_angle": (geometry.hopper_angle, "rad"),
        },
    )
    for number, level in enumerate(geometry.levels, 1):
        path = f"levels[{number}]"
        yield from ("", "[[levels]]", f"side = {json.dumps(level.side)}")
        for key, value, unit in (
            ("height", level.height, "m"), ("slope", level.slope, "rad"), ("gap", level.gap, "m"),
        ):  # fmt: skip
            yield quantity(path, key, value, unit)
    for number, plank in enumerate(geometry.planks, 1):
        yield from ("", "[[planks]]")
        yield quantity(f"planks[{number}]", "points", [list(p) for p in plank], "m")
    yield from table(
        "hammer",
        {
            "mass": (hammer.mass, "kg"),
            "restitution": (hammer.restitution, "1"),
            "contact_time": (hammer.contact_time, "s"),
        },
    )
    yield from table(
        "body",
        {
            "mass": (body.mass, "kg"),
            "center_height": (body.center_height, "m"),
            "moment_of_inertia": (body.moment_of_inertia, "kg m2"),
            "base_width": (body.base_width, "m"),
            "base_friction": (body.base_friction, "1"),
        },
    )
    yield from table(
        "solver",
        {
            "time_step": (solver.time_step, "s"),
            "iterations": (solver.iterations, "1"),
            "slop": (solver.slop, "m"),
            "overlap_removed": (solver.overlap_removed, "1"),
            "warm_up_steps": (solver.warm_up_steps, "1"),
            "warm_up_iterations": (solver.warm_up_iterations, "1"),
        },
    )
