"""What a simulated tower did, as an owner writes it down; and the files of calibration/data."""

from __future__ import annotations

import csv
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rocktower import RockTower
from rocktower.calibration import (
    Amount,
    Habits,
    decode_record,
    encode_record,
    read_record,
    recorded_rows,
    strike_turns,
    summarize,
)
from rocktower.errors import RocktowerError
from rocktower.tower import COLORS, decode_log, log_header, log_line

DATA = Path(__file__).parents[2] / "calibration" / "data"
OWNERS = tomllib.loads((DATA / "synthetic_owners.toml").read_text("utf-8"))["owners"]


def test_a_session_becomes_rows():
    tower = RockTower(seed=5, striker="firm")
    hits = strike_turns(tower, [3, 2])
    rows = recorded_rows(hits, habits=Habits(striker="S", held="held"), note="synthetic")
    record = decode_record(encode_record(rows))
    assert record.rows == rows
    assert [(row.turn, row.hit) for row in rows] == [(1, 1), (1, 2), (1, 3), (2, 4), (2, 5)]
    for situation, hit in zip(record.situations, hits, strict=True):
        inside = [boulder.color for boulder in hit.before.inside]
        assert situation.before.inside == tuple(Amount.of(inside.count(c)) for c in COLORS)
        assert situation.out_total == Amount.of(len(hit.boulders))
        assert situation.row.side == hit.strike.side
        assert sum(situation.row.back) == len(hit.jumped)
    after = [boulder.color for boulder in tower.state.inside]
    assert record.situations[-1].after.inside == tuple(Amount.of(after.count(c)) for c in COLORS)
    assert record.situations[3].returned_total == record.situations[2].after.table_total
    assert [row.note for row in rows] == ["synthetic", "", "", "", ""]


def test_without_dropping_in_the_turns_are_those_that_are_named():
    tower = RockTower(seed=6)
    hits = strike_turns(tower, [2, 2], drop_in=False)
    rows = recorded_rows(hits, habits=Habits(), turns=[2, 2], filling=1)
    assert [row.turn for row in rows] == [1, 1, 2, 2]
    assert [sum(filter(None, row.added)) for row in rows] == [44, 0, 0, 0]
    with pytest.raises(RocktowerError, match="turns of 3 hits in all, but there are 4"):
        recorded_rows(hits, habits=Habits(), turns=[3])


def test_a_hammering_log_becomes_rows():
    tower = RockTower(seed=8)
    lines = [log_header(tower.model, tower.seed), log_line(0, tower.state)]
    for number in (1, 2, 3):
        tower.strike()
        lines.append(log_line(number, tower.state, tower.last_strike, tower.last_result))
    log = decode_log("\n".join(lines))
    rows = recorded_rows(log.hits, habits=Habits(striker="log"))
    assert [sum(a.low for a in row.out) for row in rows] == [len(hit.boulders) for hit in log.hits]
    assert decode_record(encode_record(rows)).rows == rows


@pytest.mark.parametrize("owner", OWNERS, ids=lambda owner: owner["file"])
def test_a_synthetic_owner_says_so_and_follows_the_plan(owner):
    path = DATA / owner["file"]
    assert path.name.startswith("synthetic_")
    record = read_record(path)
    firsts = [row for row in record.rows if row.hit == 1]
    assert all(row.note.startswith("synthetic: simulated with friction") for row in firsts)
    assert len(firsts) == len(owner["fillings"])
    planned = [
        (number, turn)
        for number, filling in enumerate(owner["fillings"], 1)
        for turn, hits in enumerate(filling["turns"], 1)
        for _ in range(hits)
    ]
    assert [(row.filling, row.turn) for row in record.rows] == planned
    assert {row.held for row in record.rows} == {owner["grip"]}


def test_the_script_makes_the_synthetic_owners(tmp_path):
    """The same plan, and hits of the same size: other platforms draw other boulders."""
    script = [sys.executable, str(DATA / "make_synthetic.py"), "--out", str(tmp_path)]
    subprocess.run(script, check=True, capture_output=True)
    for owner in OWNERS:
        made, kept = (read_record(folder / owner["file"]) for folder in (tmp_path, DATA))
        assert [(r.turn, r.hit, r.striker, r.note) for r in made.rows] == [
            (r.turn, r.hit, r.striker, r.note) for r in kept.rows
        ]
        means = [summarize(record).total.boulders_a_hit.value for record in (made, kept)]
        # Five standard deviations of the difference of two means of 60 hits, each of spread 3.
        assert abs(means[0] - means[1]) < 5 * 3 * (2 / 60) ** 0.5


def test_the_readme_tells_the_numbers_of_the_synthetic_owners():
    text = (DATA / "README.md").read_text("utf-8")
    for owner in OWNERS:
        total = summarize(read_record(DATA / owner["file"])).total
        numbers = f"| {total.boulders_a_hit.value:.2f} | {total.share_empty.value:.0%} |"
        (line,) = (line for line in text.splitlines() if f"| `{owner['file']}`" in line)
        assert line.endswith(numbers.replace("%", " %"))


def test_the_rulebooks_examples_say_what_the_rulebook_says():
    record = read_record(DATA / "rulebook_examples.csv")
    five, sixth, seventh, *swap = record.situations
    assert (five.row.hits, five.out[0], five.out_total) == (5, Amount.of(7), Amount.of(17))
    assert (sixth.row.hit, sixth.out_total) == (6, Amount.of(0))
    assert (seventh.row.hit, seventh.out_total, seventh.out[0]) == (7, Amount.of(5), Amount(1, 4))
    assert seventh.after.table_total == Amount.of(22)
    assert [s.row.hit for s in swap if s.out_total == Amount.of(0)] == [4, 6]
    assert all(s.before.whole == (11, 11, 11, 11) for s in record.situations)
    with (DATA / "rulebook_examples.csv").open(newline="") as file:
        assert all(row["note"] for row in csv.DictReader(file))
