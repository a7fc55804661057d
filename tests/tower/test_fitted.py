"""Setups, tower files that are written, and towers drawn from a fit's folder."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rocktower import TowerModel
from rocktower.errors import RocktowerError
from rocktower.tower import (
    FittedTower,
    Grip,
    Setup,
    choose_tower,
    encode_model,
    encode_posterior,
)

SETUP = Setup(0.3, 0.027, 1.5, 2.2, 0.1)


def test_a_model_that_is_written_is_read_again(model, tmp_path):
    planks = (((-0.01, 0.25), (0.01, 0.25)),)
    changed = replace(model, geometry=replace(model.geometry, planks=planks), name='a "tower"')
    for one in (model, SETUP.tower(changed)):
        path = tmp_path / "t.toml"
        path.write_text(encode_model(one), encoding="utf-8")
        again = TowerModel.load(path)
        assert again.held(one.grip).hash == one.hash
        assert again.name == one.name
    path.write_text(encode_model(model), encoding="utf-8")
    assert TowerModel.load(path).sources == model.sources


def test_levels_of_grip_are_the_packaged_ones_and_between():
    for level, name in enumerate(("loose", "held", "pressed")):
        assert Setup(0.4, 0.025, level, 2.0, 0.2).hand() == Grip.named(name)
    between = SETUP.hand()
    held, pressed = Grip.named("held"), Grip.named("pressed")
    assert between.stiffness == pytest.approx((held.stiffness * pressed.stiffness) ** 0.5)
    assert between.pressing_force == pytest.approx((5 * 65) ** 0.5)
    assert Setup(0.4, 0.025, 0.5, 2.0, 0.2).hand().pressing_force == pytest.approx(2.5)


def test_an_outlet_that_no_boulder_passes_is_refused(model):
    with pytest.raises(RocktowerError, match=r"outlet_width 12.0 mm: give more than a boulder"):
        Setup(0.3, 0.012, 1.0, 2.0, 0.1).tower(model)


@pytest.fixture
def folder(model, tmp_path):
    setups = np.array([SETUP.values, (0.5, 0.03, 0.8, 1.5, 0.3)])
    speeds = np.array([[2.2, 1.1], [1.5, 3.0]])
    (tmp_path / "posterior.npz").write_bytes(encode_posterior(setups, speeds, ["Anna", "Bo, firm"]))
    (tmp_path / "tower.toml").write_text(encode_model(model), encoding="utf-8")
    return tmp_path


def test_a_seed_draws_a_tower_and_a_person(folder, model):
    drawn = {choose_tower(folder, seed)[0].geometry.outlet_width for seed in range(20)}
    assert drawn == {0.027, 0.03}
    assert choose_tower(folder, 3) == choose_tower(folder, 3)
    tower, person = choose_tower(folder, 3, striker="Bo, firm", grip="pressed")
    wide = tower.geometry.outlet_width == 0.03
    assert person.speed == (3.0 if wide else 1.1)
    assert person.name == "Bo, firm"
    assert choose_tower(folder, 3, striker="Bo", grip="pressed")[1] == person
    level = 1.8 if wide else 2.0
    assert tower.grip.stiffness == Setup(0.5, 0.03, level, 1.5, 0.3).hand().stiffness


def test_a_name_with_two_strengths_is_not_enough(folder):
    posterior = FittedTower.load(folder)
    both = replace(posterior, strikers=("Bo, gentle", "Bo, firm"))
    rng = np.random.default_rng(1)
    assert both.draw(rng, "Bo, gentle")[1].name == "Bo, gentle"
    with pytest.raises(RocktowerError, match="'Bo': more than one in this record, which has"):
        both.draw(rng, "Bo")


def test_a_file_or_nothing_is_as_before(folder, model):
    tower, person = choose_tower(None, 1)
    assert tower == model
    assert person.name == "normal"
    assert choose_tower(folder / "tower.toml", 1, striker="firm")[1].name == "firm"


def test_a_folder_without_a_posterior_is_refused(folder, tmp_path):
    with pytest.raises(RocktowerError, match="not in this record, which has 'Anna', 'Bo, firm'"):
        choose_tower(folder, 1, striker="Cleo")
    (folder / "posterior.npz").write_bytes(b"none")
    with pytest.raises(RocktowerError, match="not a posterior"):
        choose_tower(folder, 1)
    np.savez(folder / "posterior.npz", format=np.array("rocktower-posterior/9"))
    with pytest.raises(RocktowerError, match="this version reads 'rocktower-posterior/1'"):
        choose_tower(folder, 1)
    (folder / "posterior.npz").unlink()
    with pytest.raises(RocktowerError, match=r"holds no posterior.npz"):
        choose_tower(folder, 1)
