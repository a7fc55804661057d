"""What a sampled turn is: against the physics itself, and the same however it is cut up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocktower import RocktowerError, Striker, TowerModel
from rocktower.randomness import Purpose, stream
from rocktower.sampling import (
    HitRow,
    HitTable,
    Sample,
    Turn,
    hammer_filling,
    hammer_turns,
    software,
)
from rocktower.sampling._fillings import sample_task
from rocktower.tower import COLORS, Boulder

NORMAL = Striker.named("normal")


@pytest.fixture(scope="module")
def rows(model: TowerModel) -> list[HitRow]:
    return list(hammer_filling(model, NORMAL, seed=5, filling=3, turns=3, hits=4))


def test_the_rows_are_what_the_physics_says(model: TowerModel, rows: list[HitRow]) -> None:
    """Struck again by hand: the same hits, and what came out is what goes in again."""
    state = model.fill(stream(5, Purpose.FILL, 3))
    born: dict[Boulder, int] = dict.fromkeys(state.boulders, 1)
    expected_added = [11, 11, 11, 11]
    for row in rows:
        assert (row.seed, row.filling) == (5, 3)
        if row.hit == 1 and row.turn > 1:
            outside = state.outside
            born |= dict.fromkeys(outside, row.turn)
            state = model.drop_in(state, outside, stream(5, Purpose.DROP_IN, 3, row.turn))
            expected_added = [[b.color for b in outside].count(color) for color in COLORS]
        key = (3, row.turn, row.hit)
        strike = NORMAL.draw(stream(5, Purpose.STRIKER, *key), model.geometry.height)
        assert (row.side, row.speed, row.height) == (strike.side, strike.speed, strike.height)
        assert list(row.added) == (expected_added if row.hit == 1 else [0, 0, 0, 0])
        assert row.left == len(state.inside)
        result = model.strike(state, strike, stream(5, Purpose.DROP_IN, *key))
        state = result.state
        assert row.order == tuple(b.color for b in result.hit.boulders)
        assert row.ages == tuple(row.turn - born[b] for b in result.hit.boulders)
        assert row.out == tuple(result.hit.counts[color] for color in COLORS)
        assert row.settled
    assert [(row.turn, row.hit) for row in rows] == [(t, h) for t in (1, 2, 3) for h in range(1, 5)]
    assert {age for row in rows for age in row.ages} >= {0, 1}  # both kinds have come out


def test_a_table_of_them_is_consistent(rows: list[HitRow]) -> None:
    table = HitTable.from_rows(rows)
    assert len(table) == 12
    assert (table.inside.sum(axis=1) == table.left).all()
    assert table.inside[0].tolist() == [11, 11, 11, 11]


def test_a_filling_does_not_depend_on_the_task_it_is_in(model: TowerModel) -> None:
    sample = Sample(model, NORMAL, seed=8, turns=3, hits=2, turns_per_filling=2)
    assert (sample.fillings, list(sample.tasks)) == (2, [0, 1])
    last = list(sample.rows(1))
    assert [(row.filling, row.turn, row.hit) for row in last] == [(2, 1, 1), (2, 1, 2)]
    alone = hammer_filling(model, NORMAL, seed=8, filling=2, turns=1, hits=2)
    assert last == list(alone)


@pytest.mark.parametrize(
    ("turns", "each", "fillings", "per_task", "tasks"),
    [(1, 5, 1, 1, 1), (80, 5, 16, 1, 16), (81, 5, 17, 2, 9), (1000, 5, 200, 4, 50)],
)
def test_every_filling_is_in_one_task(
    model: TowerModel, turns: int, each: int, fillings: int, per_task: int, tasks: int
) -> None:
    sample = Sample(model, NORMAL, 0, turns, 9, each)
    assert sample.fillings == fillings
    assert sample.fillings_per_task == per_task
    assert len(sample.tasks) == tasks
    assert (tasks - 1) * per_task < fillings <= tasks * per_task


def test_the_fingerprint_tells_apart_what_makes_a_difference(model: TowerModel) -> None:
    sample = Sample(model, NORMAL, 1, 10, 9, 5)
    others = [
        replace(sample, seed=2),
        replace(sample, turns=11),
        replace(sample, hits=8),
        replace(sample, turns_per_filling=4),
        replace(sample, model=model.held("pressed")),
        replace(sample, model=model.held(cover=1.0)),
        replace(sample, striker=Striker.named("firm")),
        replace(sample, striker=replace(NORMAL, speed=2.0)),
    ]
    prints = [sample.fingerprint(), *(other.fingerprint() for other in others)]
    assert len({str(print_) for print_ in prints}) == len(prints)
    assert replace(sample).fingerprint() == prints[0]


def test_a_worker_with_other_software_refuses(model: TowerModel) -> None:
    sample = Sample(model, NORMAL, 1, 1, 1, 1)
    with pytest.raises(RocktowerError, match=r"this worker has pymunk .*, not 1\.0"):
        sample_task(sample, {**software(), "pymunk": "1.0"}, 0)


def test_a_tower_that_leaks_is_one_clear_line(model: TowerModel) -> None:
    leaky = replace(model, geometry=replace(model.geometry, outlet_width=0.09, levels=()))
    with pytest.raises(RocktowerError, match="the tower does not hold its boulders"):
        list(hammer_filling(leaky, NORMAL, seed=1, filling=1, turns=1, hits=1))


@pytest.mark.parametrize("name", ["turns", "hits", "turns_per_filling"])
def test_a_sample_of_nothing_is_refused(model: TowerModel, name: str) -> None:
    with pytest.raises(RocktowerError, match=f"{name} 0: give 1 or more"):
        replace(Sample(model, NORMAL, 1, 1, 1, 1), **{name: 0})


def test_turns_as_planned_begin_with_some_boulders_and_put_some_back(model: TowerModel) -> None:
    """Fewer boulders than all, turns of different lengths, and a part of what came out goes in."""
    plan = [Turn(3), Turn(1, put_back=0.0), Turn(2, put_back=0.5), Turn(1)]
    struck = list(hammer_turns(model, NORMAL, plan, seed=6, filling=2, boulders=20))
    table = HitTable.from_rows(struck)  # which checks that nothing appears or vanishes
    assert [(row.turn, row.hit) for row in struck] == [
        (1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (4, 1),
    ]  # fmt: skip
    assert struck[0].left == sum(struck[0].added) == 20
    assert max(struck[0].added) <= 11
    assert struck[3].added == (0, 0, 0, 0)
    outside = 20 - struck[3].left + sum(struck[3].out)
    assert sum(struck[4].added) == round(0.5 * outside) > 0
    assert struck[6].left == 20  # all that was in this filling, and no other boulder
    assert table.out.sum() > 0


def test_an_empty_tower_ends_a_turn(model: TowerModel) -> None:
    struck = list(hammer_turns(model, NORMAL, [Turn(60)], seed=6, filling=1, boulders=2))
    assert len(struck) < 60
    assert sum(sum(row.out) for row in struck) == 2
