"""States, hits, and their text forms."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower import Boulder, Hit, RocktowerError, TowerState
from rocktower.tower import COLORS

finite = st.floats(-1e3, 1e3)
poses = st.one_of(st.tuples(finite, finite, finite), st.just((np.nan,) * 3))
states = st.lists(st.tuples(st.sampled_from(COLORS), poses), max_size=12).map(
    lambda rows: TowerState(
        [Boulder(i, color) for i, (color, _) in enumerate(rows)],
        np.array([pose for _, pose in rows]).reshape(-1, 3),
    )
)


@given(states)
def test_json_round_trip_is_exact(state: TowerState) -> None:
    again = TowerState.from_json(state.to_json())
    assert again == state
    assert again.poses.tobytes() == state.poses.tobytes()
    assert hash(again) == hash(state)


@given(states, st.randoms())
def test_insertion_order_does_not_matter(state: TowerState, random) -> None:
    order = list(range(len(state.boulders)))
    random.shuffle(order)
    shuffled = TowerState([state.boulders[i] for i in order], state.poses[order])
    assert shuffled == state


@given(states)
def test_inside_and_outside_are_all(state: TowerState) -> None:
    assert sorted(state.inside + state.outside) == list(state.boulders)


def test_pickle_round_trip(full: TowerState) -> None:
    assert pickle.loads(pickle.dumps(full)) == full  # noqa: S301 - our own bytes


def test_a_state_does_not_change(full: TowerState) -> None:
    with pytest.raises(AttributeError):
        full.poses = full.poses  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        full.poses[0, 0] = 0.0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d.update(format="x"), "format must be"),
        (lambda d: d.update(boulders=3), "must be a list"),
        (lambda d: d["boulders"][1].update(color="green"), "boulder 2: color 'green' must be one"),
        (lambda d: d["boulders"][1].update(id="1"), "boulder 2: id '1' must be a whole number"),
        (lambda d: d["boulders"][1].pop("color"), "boulder 2: 'color' is missing"),
        (lambda d: d["boulders"][1].pop("x_m"), "boulder 2: 'x_m' is missing"),
        (lambda d: d["boulders"][1].update(x_m="a"), "boulder 2: x_m, y_m and angle_rad"),
        (lambda d: d["boulders"][1].update(z_m=1), "boulder 2: unknown key 'z_m'"),
        (lambda d: d["boulders"][1].update(id=0), "same number"),
        (lambda d: d["boulders"].append(7), "boulder 45: must be an object"),
    ],
)
def test_malformed_json_names_the_fault(full: TowerState, change, says: str) -> None:
    data = json.loads(full.to_json())
    change(data)
    with pytest.raises(RocktowerError, match=says) as error:
        TowerState.from_json(json.dumps(data), "tower.json")
    assert str(error.value).startswith("tower.json: ")
    assert "\n" not in str(error.value)


@given(st.text(max_size=60))
def test_any_text_is_a_state_or_a_clear_error(text: str) -> None:
    with pytest.raises(RocktowerError):
        TowerState.from_json(text)


def test_infinite_and_half_absent_poses_are_refused() -> None:
    one = [Boulder(0, "red")]
    for pose in ([np.inf, 0.0, 0.0], [np.nan, 0.0, 0.0]):
        with pytest.raises(RocktowerError, match="finite"):
            TowerState(one, np.array([pose]))
    with pytest.raises(RocktowerError, match="shape"):
        TowerState(one, np.zeros((2, 3)))


def test_hits_print_themselves() -> None:
    red, white = Boulder(0, "red"), Boulder(40, "white")
    assert str(Hit((red, white, Boulder(1, "red")))) == "3 boulders: red, white, red"
    assert str(Hit((red,))) == "1 boulder: red"
    assert str(Hit(())) == "empty hit"
    assert Hit(()).is_empty
    assert not Hit((red,)).is_empty
    assert Hit((red, white)).counts == {"red": 1, "white": 1}


def test_a_boulder_far_outside_any_tower_is_refused() -> None:
    poses = np.full((1, 3), 0.1)
    for column, value in ((0, 1e4), (1, -1e4), (2, 1e308)):
        far = poses.copy()
        far[0, column] = value
        with pytest.raises(RocktowerError, match="must be within"):
            TowerState([Boulder(0, "red")], far)
