"""`rocktower stats` as people run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rocktower.sampling import COLUMNS, read_hits, summarize
from rocktower.sampling._rows import to_csv
from rocktower.sampling._table import encode_table
from tests.sampling.towers import filling


@pytest.fixture
def hits(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    path = tmp_path / "hits.csv"
    lines = [to_csv(filling(rng, n, hits=6)).encode() for n in range(1, 21)]
    path.write_bytes(encode_table(lines, path))
    return path


def test_json_says_what_the_summary_says(rocktower, hits: Path) -> None:
    data = rocktower("stats", "hits.csv", "--json").json
    summary = summarize(read_hits(hits))
    assert data["made_with"] is None
    assert (data["fillings"], data["turns"], data["hits"]) == (20, 60, 360)
    assert data["all"]["mean"]["value"] == summary.total.mean.value
    assert [group["hit"] for group in data["by_hit"]] == [1, 2, 3, 4, 5, 6]
    assert sum(group["hits"] for group in data["by_left"]) == 360
    for group in [data["all"], *data["by_hit"], *data["by_left"]]:
        shares = group["shares"]
        assert sum(share["value"] for share in shares.values()) == pytest.approx(1.0)
        assert shares["0"] == group["empty"]
        for share in shares.values():
            assert share["low_95"] <= share["value"] <= share["high_95"]
    assert data["colors"]["p_value"] == summary.colors.p_value
    assert summary.memory is not None
    difference = data["memory"]["leave_in_a_turn"]["difference"]
    assert difference["low_95"] == summary.memory.gap.low
    assert len(data["memory"]["leave_by_turns_since_dropped_in"]) == 3


@pytest.mark.parametrize("columns", ["60", "120"])
def test_the_tables_show_the_same(
    rocktower, hits: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    out = rocktower("stats", "hits.csv").out
    summary = summarize(read_hits(hits))
    assert "\x1b" not in out
    assert "360 hits in 60 turns and 20 fillings" in out
    for group in (*summary.by_hit, *summary.by_left, summary.total):
        (line,) = [
            line for line in out.splitlines() if line.split()[:2] == [group.name, str(group.hits)]
        ]
        assert line.split()[2] == f"{group.mean.value:.2f}"
    assert f"{summary.total.mean.low:.2f}-{summary.total.mean.high:.2f}" in out
    assert f"p = {summary.colors.p_value:.3f}" in out
    assert "Just dropped in minus longer inside" in out
    assert "…" not in out  # nothing is cut


def test_few_hits_are_told_as_few(rocktower, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    rows = filling(np.random.default_rng(1), turns=1, hits=2)
    path.write_bytes(encode_table([to_csv(rows).encode()], path))
    out = rocktower("stats", "one.csv", "--plot", "one.png").out
    assert "Too few fillings to test" in out
    assert "no tower was struck again" in out
    assert "nan" not in out
    assert rocktower("stats", "one.csv", "--json").json["memory"] is None


def test_a_plot_is_a_picture_with_its_panels(rocktower, hits: Path, tmp_path: Path) -> None:
    from matplotlib.image import imread

    from rocktower.plots import plot_summary

    assert rocktower("stats", "hits.csv", "--plot", "hits.png").status == 0
    picture = imread(tmp_path / "hits.png")
    assert picture.shape[0] > 1000
    assert picture.shape[1] > 1000
    summary = summarize(read_hits(hits))
    figure = plot_summary(summary, "title")
    titles = [axes.get_title() for axes in figure.axes]
    assert f"All 360 hits: {summary.total.mean.value:.2f} boulders a hit" in titles
    means = next(axes for axes in figure.axes if axes.get_title().endswith("by hit of the turn"))
    drawn = means.lines[0].get_ydata()
    assert list(drawn) == [group.mean.value for group in summary.by_hit]


def test_the_note_beside_the_file_is_told(rocktower, tmp_path: Path) -> None:
    rocktower("sample", "--turns", 1, "--hits", 1, "--seed", 1, "--out", "real.csv")
    assert "tower default, normal striker, grip held" in rocktower("stats", "real.csv").out
    assert rocktower("stats", "real.csv", "--json").json["made_with"]["seed"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Missing argument 'FILE'"),
        (["none.csv"], "none.csv: no such file"),
        (["bad.csv"], "bad.csv: row 2, column left: 'x': give a whole number"),
        (["hits.csv", "--plot", "a.jpg"], "a.jpg: name a file that ends in .png"),
        (["hits.csv", "--plot", "none/a.png"], "there is no folder none"),
        (["--bogus"], "No such option"),
    ],
)
def test_bad_input_is_one_clear_line(
    rocktower, hits: Path, tmp_path: Path, arguments: list[str], says: str
) -> None:
    lines = hits.read_text().splitlines()
    values = lines[1].split(",")
    values[COLUMNS.index("left")] = "x"
    (tmp_path / "bad.csv").write_text("\n".join([lines[0], ",".join(values)]))
    done = rocktower("stats", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_terminal_without_lines_still_shows_the_tables(hits: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rocktower", "stats", str(hits)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Just dropped in" in done.stdout
