"""Hits that are sampled: possible, as likely as the table says, and with the tower's memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, hypergeom

from rocktower import TowerModel
from rocktower.emulator import BOULDERS, EmulatedTowers, Emulator, log_loss
from rocktower.emulator._drawing import WHOLE, bounds
from rocktower.errors import RocktowerError
from tests.emulator.helpers import MOST, NOTE, learned, situations

ALARM = 1e-6
FULL = [[11, 11, 11, 11]]
counts = st.lists(st.integers(0, 11), min_size=4, max_size=4)


@pytest.fixture(scope="module")
def shipped() -> Emulator:
    return Emulator.load()


def layer_chances(emulator: Emulator, heights: list[int], *, later: bool) -> np.ndarray:
    """From which layer a boulder comes."""
    ends = bounds(emulator.order.reshape(-1), np.array(heights)[:, None], later=later)[:, 0]
    return np.diff(ends, prepend=0, append=WHOLE) / WHOLE


@given(
    inside=st.lists(counts, min_size=1, max_size=5),
    turns=st.integers(1, 3),
    hits=st.integers(1, 12),
    seed=st.integers(0, 2**32),
)
def test_what_comes_out_was_inside(inside, turns, hits, seed):
    emulator, rng = Emulator.load(), np.random.default_rng(seed)
    towers = emulator.filled(inside)
    for turn in range(turns):
        if turn:
            towers = towers.new_turn(np.array(inside) - towers.inside)
            assert (towers.inside == inside).all()
        for _ in range(hits):
            chance = emulator.totals(towers)
            assert chance.shape == (len(inside), BOULDERS + 1)
            assert np.allclose(chance.sum(axis=1), 1.0)
            assert not chance[np.arange(BOULDERS + 1) > towers.left[:, None]].any()
            before, was = towers, towers.layers.copy()
            out, towers = emulator.strike(towers, rng)
            assert (before.layers == was).all()  # a value, as it was
            assert (out >= 0).all()
            assert (before.inside - out == towers.inside).all()
            assert (towers.layers <= before.layers).all()


def test_totals_are_as_likely_as_the_table_says(shipped):
    rng = np.random.default_rng(11)
    towers = EmulatedTowers.amid_turn([[5, 6, 3, 8]], [[4, 0]], [[4, 2, 3, 8]]).repeat(200_000)
    out, _ = shipped.strike(towers, rng)
    chance = shipped.totals(towers.take([0]))[0]
    seen = np.bincount(out.sum(axis=1), minlength=BOULDERS + 1)
    assert not seen[chance == 0.0].any()
    often = chance * len(towers) > 5
    observed, expected = seen[often], chance[often] * len(towers)
    observed[-1] += seen[~often].sum()
    expected[-1] += len(towers) - expected.sum()
    assert chisquare(observed, expected).pvalue > ALARM


def test_the_first_boulder_is_as_deep_as_the_order_says(shipped):
    """One boulder out of towers in which each layer has a color of its own."""
    layers = np.zeros((1, 4, 4), dtype=np.uint8)
    layers[0, range(4), range(4)] = 4, 9, 7, 11
    one = np.zeros_like(shipped.chances)
    one[:, 1] = WHOLE
    emulator = replace(shipped, chances=one)
    towers = EmulatedTowers(layers, np.zeros(1, dtype=np.int16)).repeat(100_000)
    out, _ = emulator.strike(towers, np.random.default_rng(12))
    chance = layer_chances(shipped, [4, 13, 20, 31], later=False)
    assert chance[0] / 4 > 3 * chance[3] / 11  # or the test would show little
    assert chisquare(out.sum(axis=0), chance * len(towers)).pvalue > ALARM


def test_boulders_of_one_layer_are_alike(shipped):
    towers = shipped.filled([[2, 3, 11, 1]]).repeat(50_000)
    out, _ = shipped.strike(towers, np.random.default_rng(13))
    three = out[out.sum(axis=1) == 3]
    seen = np.bincount(three[:, 2], minlength=4)
    expected = hypergeom(17, 11, 3).pmf(range(4)) * len(three)
    assert chisquare(seen, expected).pvalue > ALARM


def test_a_boulder_just_dropped_in_leaves_later(shipped):
    """What came out in a turn goes back in: red, here; in the next turn it stays longer."""
    towers = shipped.filled([[0, 11, 11, 11]]).new_turn([11, 0, 0, 0]).repeat(4000)
    rng, came = np.random.default_rng(14), np.zeros(4)
    for _ in range(6):
        out, towers = shipped.strike(towers, rng)
        came += out.sum(axis=0)
    assert came[0] < 0.6 * came[1:].mean()


def test_a_known_hit_leaves_what_it_left_and_draws_from_where_it_came(shipped):
    layers = np.zeros((1, 4, 4), dtype=np.uint8)
    layers[0, 0, 0], layers[0, 3, 0], layers[0, 0, 1] = 5, 5, 3
    towers = EmulatedTowers(layers, np.zeros(1, dtype=np.int16)).repeat(2000)
    after = shipped.observe(towers, np.tile([2, 1, 0, 0], (2000, 1)), np.random.default_rng(15))
    assert (after.inside == [8, 2, 0, 0]).all()
    deep, fresh = 5 - after.layers[:, 0, 0].mean(), 5 - after.layers[:, 3, 0].mean()
    assert deep + fresh == pytest.approx(2.0)
    assert deep > fresh
    again = shipped.observe(towers, np.tile([0, 3, 0, 0], (2000, 1)), np.random.default_rng(15))
    assert (again.layers[:, 0, 1] == 0).all()
    with pytest.raises(RocktowerError, match="more boulders"):
        shipped.observe(towers, np.tile([0, 4, 0, 0], (2000, 1)), np.random.default_rng(15))


def test_a_turn_can_be_begun_in_the_middle(shipped):
    """The totals that were struck, and what was put back, are what a struck tower remembers."""
    rng = np.random.default_rng(16)
    towers = shipped.filled(FULL).repeat(50)
    hits = []
    for _ in range(4):
        out, towers = shipped.strike(towers, rng)
        hits.append(out.sum(axis=1))
    begun = EmulatedTowers.amid_turn(towers.inside, np.stack(hits, axis=1), FULL * 50)
    assert (begun.layers == towers.layers).all()
    assert (begun.memory == towers.memory).all()
    later = EmulatedTowers.amid_turn([[3, 4, 5, 6]], np.zeros((1, 0), int), [[0, 9, 2, 0]])
    assert later.inside.tolist() == [[3, 4, 5, 6]]
    assert later.layers[0, -1].tolist() == [0, 4, 2, 0]


@pytest.mark.parametrize(
    ("inside", "hits", "back", "message"),
    [
        ([[12, 0, 0, 0]], [[1]], [[0, 0, 0, 0]], "0 to 11"),
        ([[1, 0, 0]], [[1]], [[0, 0, 0, 0]], "column a color"),
        ([[1.5, 0, 0, 0]], [[1]], [[0, 0, 0, 0]], "whole numbers"),
        ([[1, 0, 0, 0]], [1], [[0, 0, 0, 0]], "hits of shape"),
        ([[1, 0, 0, 0]], [[45]], [[0, 0, 0, 0]], "0 to 44"),
        ([[1, 0, 0, 0]], [[-1]], [[0, 0, 0, 0]], "0 to 44"),
        ([[1, 0, 0, 0]], [[0.5]], [[0, 0, 0, 0]], "whole numbers"),
    ],
)
def test_what_is_no_tower_is_refused(inside, hits, back, message):
    with pytest.raises(RocktowerError, match=message):
        EmulatedTowers.amid_turn(inside, hits, back)


def test_no_more_goes_in_than_there_is():
    with pytest.raises(RocktowerError, match="inside and put back"):
        EmulatedTowers.filled(FULL).new_turn([1, 0, 0, 0])


def test_it_learns_how_many_come_out():
    """Numbers from 0 to 6 alike; towers that are nearly empty cannot give as many."""
    emulator, apart = (
        learned(),
        situations(lambda inside, rng: int(rng.integers(len(inside))), 30, 9),
    )
    chance = emulator.totals(emulator.filled([[8, 8, 8, 8]]))[0]
    assert np.abs(chance[: MOST + 1] - 1 / (MOST + 1)).max() < 0.06
    assert chance[MOST + 1 :].sum() < 0.02
    assert log_loss(emulator, apart) < np.log(MOST + 1) + 0.03


@pytest.mark.parametrize("later", [False, True])
def test_it_learns_the_order_in_which_they_come_out(later: bool) -> None:
    heights = [0, 10, 20, 30]  # three turns: none are older
    assert layer_chances(learned("deepest"), heights, later=later)[1] > 0.9
    towers = [[0, low, low + 8, left] for left in range(24, 44) for low in range(8, left - 15)]
    alike = [layer_chances(learned("any"), tower, later=later) for tower in towers]
    shares = [np.diff(tower, prepend=0) / tower[-1] for tower in towers]
    assert np.abs(np.mean(alike, axis=0) - np.mean(shares, axis=0)).max() < 0.08


def test_a_file_gives_the_same_emulator_and_others_are_refused(tmp_path: Path, shipped):
    path = tmp_path / "mine.npz"
    shipped.save(path)
    again = Emulator.load(path)
    assert again.hash == shipped.hash
    assert learned().hash != learned("deepest").hash
    for content, message in (
        (b"nothing", "not an emulator"),
        (path.read_bytes()[:-200], "not an emulator"),
    ):
        path.write_bytes(content)
        with pytest.raises(RocktowerError, match=message):
            Emulator.load(path)
    for damaged in (replace(shipped, chances=shipped.chances[1:]), replace(shipped, note={})):
        path.write_bytes(damaged.encode())
        with pytest.raises(RocktowerError, match="parts do not fit"):
            Emulator.load(path)
    np.savez(path, format=np.array("rocktower-emulator/0"))
    with pytest.raises(RocktowerError, match="this version reads"):
        Emulator.load(path)
    with pytest.raises(RocktowerError, match="cannot be read"):
        Emulator.load(tmp_path / "none.npz")


def test_it_stands_for_one_tower(shipped):
    shipped.require(TowerModel.load().held("held").hash)
    with pytest.raises(RocktowerError, match="stands for tower model"):
        shipped.require(TowerModel.load().held("pressed").hash)
    with pytest.raises(RocktowerError, match=NOTE["tower_hash"]):
        learned().require(shipped.tower_hash)


def test_it_knows_what_it_was_trained_on():
    emulator = learned()  # from full towers, struck five times and refilled
    known = emulator.knows(emulator.filled([[11, 11, 11, 11], [8, 8, 8, 8], [1, 0, 0, 0]]))
    assert known.tolist() == [True, True, False]
    assert Emulator.load().knows(emulator.filled(FULL)).all()
