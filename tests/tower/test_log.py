"""The hammering log: complete, re-simulated, and clear about its faults."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower import RocktowerError, Strike, TowerModel
from rocktower.tower import decode_log, log_header, log_line


@pytest.fixture(scope="module")
def text(model: TowerModel) -> str:
    state = model.fill(np.random.default_rng(4))
    lines = [log_header(model, 4), log_line(0, state)]
    for number, strike in enumerate(
        [Strike("left", 2.0, 0.12), Strike("right", 0.2, 0.2), Strike("right", 3.0, 0.1)], 1
    ):
        result = model.strike(state, strike)
        state = result.state
        lines.append(log_line(number, state, strike, result))
    return "\n".join(lines)


def test_every_hit_is_reproduced(model: TowerModel, text: str) -> None:
    log = decode_log(text)
    replayed = list(log.replay(model))
    assert len(replayed) == 3
    assert all(r.agrees for r in replayed)
    assert log.header["seed"] == 4
    assert len(log.filled.inside) == 44


def test_a_changed_result_is_found_and_the_rest_still_agrees(model: TowerModel, text: str) -> None:
    lines = text.split("\n")
    event = json.loads(lines[2])
    event["boulders"] = [*event["boulders"], min(set(range(44)) - set(event["boulders"]))]
    colors = {row["id"]: row["color"] for row in event["state"]["boulders"]}
    event["colors"] = [colors[number] for number in event["boulders"]]
    lines[2] = json.dumps(event)
    assert [r.agrees for r in decode_log("\n".join(lines)).replay(model)] == [False, True, True]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [("colors", ["red"] * 44, "colors are not those"), ("outcome", "exploded", "'exploded'")],
)
def test_a_line_that_contradicts_itself_is_refused(
    text: str, key: str, value: object, said: str
) -> None:
    lines = text.split("\n")
    lines[2] = json.dumps({**json.loads(lines[2]), key: value})
    with pytest.raises(RocktowerError, match=f"line 3: .*{said}"):
        decode_log("\n".join(lines))


def test_another_tower_is_refused(model: TowerModel, text: str) -> None:
    with pytest.raises(RocktowerError, match=r"grip held, cover 0.5.*not .*grip pressed"):
        list(decode_log(text).replay(model.held("pressed")))


@given(st.data())
def test_damaged_logs_name_the_line(text: str, data: st.DataObject) -> None:
    lines = text.split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    keep = data.draw(st.integers(1, len(lines[at]) - 1))
    lines[at] = lines[at][:keep]
    with pytest.raises(RocktowerError, match=rf"my\.jsonl: line {at + 1}: "):
        decode_log("\n".join(lines), "my.jsonl")


def test_empty_and_foreign_logs() -> None:
    for wrong in ("", "{}", "[]", "hello", '{"format": "other/1"}'):
        with pytest.raises(RocktowerError, match="line 1"):
            decode_log(wrong)
