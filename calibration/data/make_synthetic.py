"""Make the synthetic owners of this folder: hits of simulated towers as an owner writes them.

    python calibration/data/make_synthetic.py [--out FOLDER]

reads synthetic_owners.toml and writes a file an owner; a few seconds. The same seeds give the
same files on one platform with one version of pymunk.
"""

from __future__ import annotations

import argparse
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocktower import RockTower, Striker, TowerModel
from rocktower.calibration import Habits, Row, encode_record, recorded_rows, strike_turns
from rocktower.tower import COLORS, Contact

HERE = Path(__file__).parent


def tower_of(owner: dict[str, Any], boulders_a_color: int) -> TowerModel:
    """The packaged tower with an owner's parameters."""
    model = TowerModel.load()
    friction = owner["friction"]
    return replace(
        model,
        name=owner["file"].removesuffix(".csv"),
        boulder_contact=Contact(friction, model.boulder_contact.restitution),
        wall_contact=Contact(friction, model.wall_contact.restitution),
        geometry=replace(model.geometry, outlet_width=owner["outlet_width"]),
        boulders=replace(
            model.boulders, colors=tuple((color, boulders_a_color) for color in COLORS)
        ),
    ).held(owner["grip"])


def rows_of(owner: dict[str, Any]) -> list[Row]:
    """Strike an owner's tower, filling after filling, and write the hits down."""
    note = (
        f"synthetic: simulated with friction {owner['friction']:g}, "
        f"outlet {owner['outlet_width'] * 1000:g} mm, "
    )
    rows: list[Row] = []
    for number, filling in enumerate(owner["fillings"], 1):
        normal = Striker.named("normal")
        striker = replace(
            normal,
            name=filling["striker"],
            speed=filling["speed"],
            speed_spread=filling["speed_spread"],
        )
        model = tower_of(owner, filling["boulders_a_color"])
        tower = RockTower(model, seed=1000 * owner["seed"] + number, striker=striker)
        hits = strike_turns(tower, filling["turns"], drop_in=filling["drop_in"])
        habits = Habits(
            striker=filling["striker"],
            strength=filling.get("strength"),
            drop_cm=filling.get("drop_cm"),
            held=owner["grip"],
        )
        speed = f"median speed {filling['speed']:g} m/s, seed {tower.seed}"
        rows += recorded_rows(
            hits, habits=habits, filling=number, turns=filling["turns"], note=note + speed
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the synthetic owners.")
    parser.add_argument("--out", type=Path, default=HERE)
    out = parser.parse_args().out
    for owner in tomllib.loads((HERE / "synthetic_owners.toml").read_text("utf-8"))["owners"]:
        rows = rows_of(owner)
        (out / owner["file"]).write_text(encode_record(rows), encoding="utf-8")
        print(f"{owner['file']}: {len(rows)} hits")


if __name__ == "__main__":
    main()
