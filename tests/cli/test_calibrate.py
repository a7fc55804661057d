"""`rocktower calibrate`: the folder it makes, how it is broken off, and what it refuses."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from rocktower import TowerModel
from rocktower.calibration.fitting import (
    _fit,
    _opinion,
    _rounds,
    _sbc,
    decode_measured,
    encode_measured,
    write_results,
)
from rocktower.emulator import _layers
from tests.calibration.fitting.helpers import HEADER, row
from tests.cli.conftest import local_cluster

TOTALS = (3, 0, 5, 2, 4, 1, 0, 6, 2, 3)


@pytest.fixture
def hits(tmp_path):
    """Ten hits in two turns."""
    lines = [
        row(1 + (n > 4), n + 1, total, added="all" if n in (0, 5) else "", striker="Anna",
            held="held")
        for n, total in enumerate(TOTALS)
    ]  # fmt: skip
    path = tmp_path / "evening.csv"
    path.write_text(HEADER + "".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def small(monkeypatch):
    """Budgets of a few seconds: what is tested is the way, not the result."""
    monkeypatch.setitem(_fit.BUDGETS, "normal", (13, 13))
    monkeypatch.setattr(_rounds, "_FEWEST_GAMES", 13)
    monkeypatch.setattr(_opinion, "_GAMES_A_TERM", 3)
    monkeypatch.setattr(_opinion, "_STEPS", 50)
    monkeypatch.setattr(_fit, "_STEPS", 100)
    monkeypatch.setattr(_fit, "_QUICK_STEPS", 300)
    monkeypatch.setattr(_layers, "_MOST_EPOCHS", 2)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.pictures, self.outside = [], 0, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        source = dict(attrs).get("src") or dict(attrs).get("href")
        if tag == "img":
            self.pictures += source.startswith("data:image/png;base64,")
        elif source:
            self.outside.append(source)
        if tag not in ("img", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_quick_fit_makes_the_folder(rocktower, hits, small):
    told = rocktower("calibrate", hits.name, "--seed", 3)
    assert told.status == 0, told.err
    assert told.out.startswith(("Learned: ", "Nothing was learned"))
    assert "sampling the posterior" in told.err
    folder = Path("evening.fit")
    assert sorted(path.name for path in folder.iterdir()) == [
        "posterior.json", "posterior.npz", "report.html", "tower.toml",
    ]  # fmt: skip
    assert not Path("evening.fit.parts").exists()

    page = Page((folder / "report.html").read_text("utf-8"))
    assert (page.open, page.pictures, page.outside) == ([], 5, [])
    summary = json.loads((folder / "posterior.json").read_text("utf-8"))
    assert (summary["seed"], summary["hits"], summary["simulated_hits"]) == (3, 10, 0)
    assert "speed_spread" in summary["not_identified"]  # ten hits cannot tell it
    assert summary["second_opinion"] == []  # nothing was simulated
    assert "There is no second opinion" in told.out
    with np.load(folder / "posterior.npz", allow_pickle=False) as file:
        assert file["draws"].shape == (1000, 5)
        mean = file["setups"].mean(axis=0)
    tower = TowerModel.load(folder / "tower.toml")
    assert 0.02 < tower.geometry.outlet_width < 0.032
    assert tower.boulder_contact.friction == pytest.approx(mean[0])  # as the report says
    assert tower.sources["geometry.outlet_width"].provenance in ("inferred", "assumed")

    again = rocktower("calibrate", hits.name, "--seed", 3, "--out", "again", "--json").json
    assert again["parameters"] == summary["parameters"]
    for name in ("posterior.npz", "posterior.json", "tower.toml"):
        assert Path("again", name).read_bytes() == (folder / name).read_bytes()
    assert "exists already" in rocktower("calibrate", hits.name).err

    struck = rocktower("hammer", "--tower", folder, "--hits", 2, "--seed", 1, "--json").json
    other = rocktower("hammer", "--tower", folder, "--hits", 2, "--seed", 2, "--json").json
    assert struck["model"]["hash"] != other["model"]["hash"]
    assert "which has 'Anna'" in rocktower("hammer", "--tower", folder, "--striker", "Bo").err
    game = ("play", "trollfjord", "--source", "physics", "--players", "human,random")
    played = rocktower(*game, "--tower", folder, "--seed", 4, "--log", "game.jsonl", stdin="quit\n")
    assert played.status == 0, played.err
    header = json.loads(Path("game.jsonl").read_text("utf-8").split("\n")[0])
    assert header["versions"]["tower_model"] != TowerModel.load().hash


def test_broken_off_and_resumed_it_is_the_same_fit(rocktower, hits, small, monkeypatch):
    fit = ("calibrate", hits.name, "--budget", "normal", "--jobs", 1)
    whole = rocktower(*fit, "--seed", 5, "--out", "whole", "--json").json
    assert whole["simulated_hits"] > 100
    assert {p["name"] for p in whole["second_opinion"]} == {p["name"] for p in whole["parameters"]}

    def stop(*arguments, **more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_rounds, "train", stop)  # when the first round's games are there
        stopped = rocktower(*fit, "--seed", 5, "--out", "broken")
    assert stopped.status == 130
    assert "--resume goes on" in stopped.err
    assert "go on with --resume" in rocktower(*fit, "--out", "broken").err
    refused = rocktower(*fit, "--out", "broken", "--resume", "--seed", 6)
    assert refused.status == 2
    assert "was begun with seed 5, not 6" in refused.err
    assert rocktower(*fit, "--out", "broken", "--resume").status == 0
    assert Path("broken/posterior.npz").read_bytes() == Path("whole/posterior.npz").read_bytes()
    assert Path("broken/posterior.json").read_bytes() == Path("whole/posterior.json").read_bytes()


def test_of_two_that_begin_at_once_one_is_refused(rocktower, hits, small, monkeypatch):
    note = Path("evening.fit.parts/begun.json")
    note.parent.mkdir()
    note.write_text("{}", "utf-8")
    monkeypatch.setattr("rocktower.cli.calibrate._begun", lambda folder, *, resume: None)
    told = rocktower("calibrate", hits.name)
    assert told.status == 2
    assert told.err == "rocktower: evening.fit: another process has just begun it\n"
    assert [path.name for path in note.parent.iterdir()] == ["begun.json"]
    assert note.read_text("utf-8") == "{}"


def test_of_two_that_end_at_once_one_keeps_its_folder(rocktower, hits, small, monkeypatch):
    def write(fit, made, seconds):
        write_results(fit, made, seconds)
        Path("evening.fit").mkdir()
        Path("evening.fit/report.html").write_text("the other's", "utf-8")

    monkeypatch.setattr("rocktower.calibration.fitting.write_results", write)
    told = rocktower("calibrate", hits.name, "--seed", 1)
    assert told.status == 2
    assert "evening.fit: another process has written it meanwhile" in told.err
    assert [path.name for path in Path("evening.fit").iterdir()] == ["report.html"]


def test_the_report_names_the_weak_points_of_a_record_with_bounds(rocktower, tmp_path, small):
    totals = ("2", "0", "3", "9+")
    lines = [row(1, n, t, added="all" if n == 1 else "") for n, t in enumerate(totals, 1)]
    (tmp_path / "bounds.csv").write_text(HEADER + "".join(lines), encoding="utf-8")
    told = rocktower("calibrate", "bounds.csv", "--seed", 1)
    assert told.status == 0, told.err
    assert "weak points: the report and rocktower check say which" in told.out
    page = Path("bounds.fit/report.html").read_text("utf-8")
    assert "<li>hits of which only bounds are known: 1;" in page
    assert re.search(r"boulders a hit</td><td>fitted</td><td>3.5 to \d", page)
    table = rocktower("check", "bounds.csv").out
    assert re.search(r"1.67  of 3", table)  # 5 boulders by the three hits that are counted


def test_any_name_can_be_in_the_report_and_a_widening_that_does_not_suit_is_told(
    rocktower, tmp_path, small
):
    names = ("Anna", "$x^$", "日本語", "")
    lines = [
        row(1, n, 2, added="all" if n == 1 else "", striker=name) for n, name in enumerate(names, 1)
    ]
    (tmp_path / "names.csv").write_text(HEADER + "".join(lines), encoding="utf-8")
    (tmp_path / "empty.toml").touch()
    told = rocktower("calibrate", "names.csv", "--seed", 1, "--widening", "empty.toml")
    assert told.status == 0, told.err
    assert "empty.toml: nothing in it was measured for the budget quick" in told.err
    assert "Warning" not in told.err
    page = Path("names.fit/report.html").read_text("utf-8")
    assert "strikers: Anna; $x^$; 日本語; (not named). The median speed is that of Anna." in page


def test_a_dask_cluster_gives_the_same_fit(rocktower, hits, small, monkeypatch):
    """What is simulated on a cluster is what is simulated here, to the last byte."""
    pytest.importorskip("distributed", reason="Dask is an extra")
    monkeypatch.setitem(_fit.BUDGETS, "normal", (13,))
    fit = ("calibrate", hits.name, "--budget", "normal", "--seed", 5)
    with local_cluster() as cluster:
        address = cluster.scheduler_address
        there = rocktower(*fit, "--dask", address, "--out", "there")
    assert there.status == 0, there.err
    assert rocktower(*fit, "--jobs", 1, "--out", "here").status == 0
    for name in ("posterior.npz", "posterior.json"):
        assert Path("there", name).read_bytes() == Path("here", name).read_bytes()


def test_hits_that_the_model_cannot_make_are_named(rocktower, tmp_path):
    lines = [row(n, n, 40, added="all") for n in range(1, 13)]
    (tmp_path / "leaking.csv").write_text(HEADER + "".join(lines), encoding="utf-8")
    told = rocktower("calibrate", "leaking.csv", "--seed", 1)
    assert told.status == 2
    assert told.err.count("\n") == 2  # what is done, and what is wrong
    assert re.search(r"cannot make such hits: .* is 40, but 95 % of what the prior", told.err)
    assert not Path("leaking.fit").exists()
    assert not Path("leaking.fit.parts").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--jobs", 1, "--dask", "tcp://x:1"), "with --dask the cluster decides"),
        (("--dask", "tcp://x:1"), "--dask has nothing to do"),
        (("--prior", "bytes.toml"), "bytes.toml: not a text file"),
        (("--out", "taken"), "taken.parts: is in the way"),
        (("--prior", "none.toml"), "none.toml: no such file; a prior is a TOML file"),
        (("--model", "none.toml"), "none.toml: no such file; a tower model is a TOML file"),
        (("--out", "no/such"), "there is no folder no"),
        (("--physics",), "--physics goes with --sbc"),
        (("--sbc", 2, "--budget", "normal"), "--sbc judges the budget quick"),
        (("--widening", "evening.csv"), "evening.csv: "),
        (("--widening", "none.toml"), "none.toml"),
    ],
)
def test_what_cannot_be_used_is_one_line(rocktower, hits, more, message):
    Path("bytes.toml").write_bytes(b"\xff\xfe\x00")
    Path("taken.parts").touch()
    told = rocktower("calibrate", hits.name, *more)
    assert told.status == 2
    assert message in told.err
    assert told.err.count("\n") == 1


def test_a_missing_extra_is_one_line(rocktower, hits, monkeypatch):
    monkeypatch.setitem(sys.modules, "emcee", None)
    told = rocktower("calibrate", hits.name)
    assert told.status == 2
    assert told.err == "rocktower: emcee is not installed: pip install 'rocktower[calibrate]'\n"


def test_another_tower_needs_simulation(rocktower, hits, tmp_path):
    from importlib.resources import files

    text = files("rocktower.tower").joinpath("data/default.toml").read_text("utf-8")
    (tmp_path / "wide.toml").write_text(text.replace("value = 90", "value = 95"), encoding="utf-8")
    told = rocktower("calibrate", hits.name, "--model", "wide.toml")
    assert told.status == 2
    assert "give --budget normal for this --model" in told.err


def test_made_up_records_say_whether_intervals_hold(rocktower, hits, monkeypatch):
    monkeypatch.setattr(_sbc, "_STEPS", 50)
    told = rocktower("calibrate", hits.name, "--sbc", 3, "--seed", 1, "--jobs", 1, "--json").json
    assert told["runs"] == 3
    assert {p["name"] for p in told["parameters"]} >= {"friction", "grip"}
    lines = Path("evening.sbc/sbc.csv").read_text("utf-8").splitlines()
    assert len(lines) == 1 + 3 * 5
    assert not Path("evening.sbc/widening.toml").exists()  # the network cannot judge itself


def test_hits_of_the_tower_say_how_wide_intervals_must_be(rocktower, hits, monkeypatch):
    monkeypatch.setattr(_sbc, "_STEPS", 50)
    monkeypatch.setattr(_fit, "_QUICK_STEPS", 300)
    told = rocktower("calibrate", hits.name, "--sbc", 1, "--physics", "--seed", 1, "--jobs", 1)
    assert told.status == 0, told.err
    measured = decode_measured(Path("evening.sbc/widening.toml").read_text("utf-8"))
    assert [(one.budget, one.hits, one.owners) for one in measured] == [("quick", 10, 1)]
    flat = replace(measured[0], power=0.4, low_95=0.4, high_95=0.5)
    Path("flat.toml").write_text(encode_measured((flat,)), "utf-8")
    fit = ("calibrate", hits.name, "--seed", 1, "--widening", "flat.toml", "--out", "flat")
    told = rocktower(*fit)
    assert "to the power 0.40" in told.out
    assert "to the power 0.40" in Path("flat/report.html").read_text("utf-8")
    summary = json.loads(Path("flat/posterior.json").read_text("utf-8"))
    assert summary["widening"]["power"] == 0.4
