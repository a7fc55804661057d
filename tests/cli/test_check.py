"""`rocktower check`: faults with status 2, warnings and numbers with status 0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.calibration.test_format import COLORS_UNKNOWN, FULL, NEXT, changed, text

DATA = Path(__file__).parents[2] / "calibration" / "data"


def test_faults_are_named_a_line_each(rocktower, tmp_path):
    content = text(
        FULL, changed(NEXT, out_red="x", side="top"), changed(FULL, filling="2", hit="2")
    )
    (tmp_path / "hits.csv").write_text(content)
    result = rocktower("check", "hits.csv")
    assert (result.status, result.out) == (2, "")
    lines = result.err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("rocktower: hits.csv: row 3, column out_red: 'x'; 0 to 11")
    assert lines[1].startswith("rocktower: hits.csv: row 3, column side: 'top'; left, right")


def test_faults_as_json(rocktower, tmp_path):
    (tmp_path / "hits.csv").write_text(text(FULL, changed(NEXT, out_red="11")))
    result = rocktower("check", "hits.csv", "--json")
    assert (result.status, result.err) == (2, "")
    (fault,) = json.loads(result.out)["faults"]
    assert (fault["row"], fault["column"]) == (3, "out_red")
    assert "only 9 inside" in fault["message"]


def test_warnings_leave_the_status_alone(rocktower, tmp_path):
    (tmp_path / "hits.csv").write_text(text(FULL, *[changed(NEXT, striker="")]))
    result = rocktower("check", "hits.csv")
    assert (result.status, result.err) == (0, "")
    assert "2 hits in 1 turn of 1 filling, no faults" in result.out
    assert "warning few hits: 2" in result.out
    assert "warning striker is blank in 1 row" in result.out
    for cell in ("Anna", "(not named)", "3.00", "0.50 (0.09 to 0.91)"):
        assert cell in result.out


def test_the_same_as_json(rocktower, tmp_path):
    coarse = changed(FULL, hits="5", out_total="17", **COLORS_UNKNOWN)
    (tmp_path / "hits.csv").write_text(text(coarse, changed(NEXT, hit="6")))
    result = rocktower("check", "hits.csv", "--json").json
    assert result["faults"] == []
    assert {warning["row"] for warning in result["warnings"]} == {None}
    summary = result["summary"]
    assert (summary["hits"], summary["turns"], summary["coarse_hits"]) == (6, 1, 5)
    assert summary["total"]["boulders_a_hit"]["value"] == pytest.approx(17 / 6)
    assert summary["total"]["share_empty"]["value"] == 1.0
    assert [group["name"] for group in summary["strikers"]] == ["Anna"]


@pytest.mark.parametrize("file", sorted(DATA.glob("*.csv")), ids=lambda path: path.name)
def test_the_files_that_come_along_have_no_faults(rocktower, file):
    result = rocktower("check", file)
    assert (result.status, result.err) == (0, "")
    assert "no faults" in result.out


def test_a_name_is_no_markup(rocktower, tmp_path):
    (tmp_path / "hits.csv").write_text(text(changed(FULL, striker="[red]x[/red]"), NEXT))
    assert "[red]x[/red]" in rocktower("check", "hits.csv").out


@pytest.mark.parametrize(
    ("file", "told"), [("none.csv", "no such file"), (".", "directory"), ("bytes.csv", "UTF-8")]
)
def test_what_is_no_file_is_told_in_one_line(rocktower, tmp_path, file, told):
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    result = rocktower("check", file)
    assert result.status == 2
    assert result.err.count("\n") == 1
    assert told in result.err


def test_an_empty_record(rocktower, tmp_path):
    (tmp_path / "hits.csv").write_text(text())
    result = rocktower("check", "hits.csv")
    assert result.status == 0
    assert "0 hits in 0 turns" in result.out
    assert "warning no hits yet" in result.out
