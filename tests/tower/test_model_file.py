"""Tower models as TOML files: what they hold, and every way in which they can be wrong."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower import Grip, RocktowerError, Striker, TowerModel
from rocktower.tower._reading import read_model

TEXT = (files("rocktower.tower") / "data" / "default.toml").read_text("utf-8")


def changed(key: str, old: str, new: str) -> str:
    """The default model with a change in the line of one key."""
    lines = TEXT.split("\n")
    hits = [i for i, line in enumerate(lines) if line.startswith(f"{key} = ")]
    assert hits, key
    assert old in lines[hits[0]], (old, lines[hits[0]])
    lines[hits[0]] = lines[hits[0]].replace(old, new)
    return "\n".join(lines)


def test_every_value_has_a_provenance(model: TowerModel) -> None:
    def leaves(table: dict, path: str = "") -> list[str]:
        found = []
        for key, value in table.items():
            where = f"{path}.{key}" if path else key
            if isinstance(value, list):
                for number, entry in enumerate(value, 1):
                    found += leaves(entry, f"{where}[{number}]")
            elif isinstance(value, dict) and "value" in value:
                found.append(where)
            elif isinstance(value, dict):
                found += leaves(value, where)
        return found

    assert sorted(model.sources) == sorted(leaves(tomllib.loads(TEXT)))
    published = {k for k, source in model.sources.items() if source.provenance == "published"}
    assert published == {f"boulders.colors.{c}" for c in ("red", "blue", "yellow", "white")}


def test_the_default_has_what_the_rulebook_says(model: TowerModel) -> None:
    boulders = model.all_boulders
    assert len(boulders) == 44
    colors = [boulder.color for boulder, _ in boulders]
    assert {c: colors.count(c) for c in colors} == dict.fromkeys(
        ("red", "blue", "yellow", "white"), 11
    )
    sizes = {
        color: sorted(grain.mass for boulder, grain in boulders if boulder.color == color)
        for color in colors
    }
    assert len({tuple(masses) for masses in sizes.values()}) == 1, "colors differ in size"


def test_the_hash_is_of_the_content(model: TowerModel, tmp_path: Path) -> None:
    file = tmp_path / "copy.toml"
    file.write_text(TEXT.replace('name = "default"', 'name = "copy"'))
    copy = TowerModel.load(file)
    assert copy.name == "copy"
    assert copy.hash == model.hash
    other = replace(model, hammer=replace(model.hammer, mass=0.1))
    assert other.hash != model.hash
    assert model.held("pressed").hash != model.hash
    assert model.held(cover=0.1).hash != model.hash
    assert re.fullmatch("[0-9a-f]{16}", model.hash)
    assert hash(model) == hash(TowerModel.load())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "name: is missing"),
        ("x = [", "not valid TOML"),
        (TEXT + "\n[roof]\nx = 1\n", "roof: unknown key"),
        (changed("inner_width", "unit", "units"), "geometry.inner_width: unknown key 'units'"),
        (changed("inner_width", '"mm"', '"kg"'), "geometry.inner_width: unit 'kg' does not fit"),
        (changed("inner_width", '"mm"', '"inch"'), "use mm or cm or m"),
        (changed("inner_width", "value = 90", 'value = "86"'), "is not a finite number"),
        (changed("inner_width", "value = 90", "value = nan"), "is not a finite number"),
        (changed("inner_width", "value = 90", "value = 1e9"), "is outside"),
        (changed("inner_width", "value = 90", "value = 11"), "a boulder is wider than the tower"),
        (changed("edge", "value = 12", "value = 90"), "a boulder is wider than the tower"),
        (changed("outlet_width", "value = 25", "value = 10"), "cannot pass a boulder"),
        (changed("gap", "value = 38", "value = 9"), "levels.1..gap: the gap of 9.0 mm cannot pass"),
        (changed("inner_width", '"assumed"', '"guessed"'), "published, inferred, assumed"),
        (changed("density", "reason", "because"), "unknown key 'because'"),
        (changed("red", "value = 11", "value = 10.5"), "10.5 is not a whole number"),
        (TEXT.replace("red = ", "green = "), "boulders.colors.green: unknown color"),
        (TEXT.replace('side = "left"', 'side = "front"'), "'front' must be one of left, right"),
        (TEXT.replace('"default"', '"a\\nb"'), "name: must be a line of text"),
        (changed("inner_width", '"mm"', "[1]"), r"unit \[1\] does not fit"),
        (changed("inner_width", "value = 90", f"value = 1{'0' * 400}"), "is not a finite number"),
        (changed("iterations", "value = 120", "value = 120.7"), "120.7 is not a whole number"),
        (
            changed("edge_radius", "value = 0.6", "value = 5.3").replace(
                "edge_spread = { value = 5", "edge_spread = { value = 20"
            ),
            "rounds away the smallest",
        ),
        ("x = " + "[" * 5000, "not valid TOML"),
        (TEXT.replace("[hammer]", "[mallet]"), "hammer: is missing"),
        (changed("mass", "value = 95", "value = 0"), "hammer.mass: 0 g is outside"),
        (changed("mass", "value = 95", "value = 1e-300"), "hammer.mass: 1e-300 g is outside"),
        (
            changed("contact_time", "value = 0.5", "value = 1e-308"),
            "contact_time: 1e-308 ms is too short: give 0 .* or 0.001 to 50 ms",
        ),
        (changed("contact_time", "value = 0.5", "value = 51"), r"is outside \[0, 50\] ms"),
        (changed("moment_of_inertia", "value = 0.0058", "value = 1e-300"), "is outside"),
    ],
)
def test_faults_are_named(text: str, says: str) -> None:
    with pytest.raises(RocktowerError, match=says) as error:
        read_model(text, "my.toml")
    assert str(error.value).startswith("my.toml: ")
    assert "\n" not in str(error.value)


def test_missing_files_and_folders_are_clear(tmp_path: Path) -> None:
    with pytest.raises(RocktowerError, match="no such file"):
        TowerModel.load(tmp_path / "none.toml")
    with pytest.raises(RocktowerError, match="cannot be read"):
        TowerModel.load(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RocktowerError, match="cannot be read"):
        TowerModel.load(binary)


@given(st.data())
def test_a_broken_line_never_gives_a_traceback(data: st.DataObject) -> None:
    """Cut, repeat or garble any line: the file still reads, or one clear line says why not."""
    lines = TEXT.split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at : at + 1] = data.draw(
        st.one_of(
            st.just([]),
            st.just([lines[at]] * 2),
            st.text(max_size=30).map(lambda t: [t]),
            st.integers(0, len(lines[at])).map(lambda k: [lines[at][:k]]),
        )
    )
    try:
        read_model("\n".join(lines), "my.toml")
    except RocktowerError as error:
        message = str(error)
    else:
        return
    assert message.startswith("my.toml: ")


def test_length_instead_of_gap_and_planks(model: TowerModel) -> None:
    gap = 'gap = { value = 38, unit = "mm"'
    length = 'length = { value = 50, unit = "mm"'
    plank = (
        '\n[[planks]]\npoints = { value = [[-10, 60], [0, 70], [10, 60]], unit = "mm", '
        'provenance = "assumed", reason = "a roof" }\n'
    )
    other = read_model(TEXT.replace(gap, length) + plank, "my.toml")
    assert other.geometry.levels[0].gap == pytest.approx(0.09 - 0.05)
    assert other.geometry.planks == (((-0.01, 0.06), (0.0, 0.07), (0.01, 0.06)),)
    both = TEXT.replace(gap, length + ', provenance = "assumed", reason = "x" }\n' + gap)
    with pytest.raises(RocktowerError, match="either gap or length"):
        read_model(both, "my.toml")
    with pytest.raises(RocktowerError, match="lies outside the tower"):
        read_model(TEXT + plank.replace("-10, 60", "-90, 60"), "my.toml")


def test_packaged_people() -> None:
    assert Striker.names() == ("gentle", "normal", "firm")
    assert Grip.names() == ("loose", "held", "pressed")
    assert Grip.named("pressed").pressing_force > Grip.named("held").pressing_force
