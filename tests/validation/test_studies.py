"""Every study runs, in its small version, through the command."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rocktower.cli import cli
from rocktower.errors import RocktowerError
from rocktower.validation import STUDIES, find_studies
from rocktower.validation._box_scene import second_engine_is_installed


@pytest.mark.parametrize("name", [study.name for study in STUDIES])
def test_a_quick_study_runs_and_writes_what_it_found(name: str, tmp_path: Path) -> None:
    if name == "second_engine" and not second_engine_is_installed():
        pytest.skip("the second engine is an extra")
    out = tmp_path / "results"
    command = ["validate", name, "--quick", "--json", "--seed", "2", "--out", str(out)]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["seed"] == 2
    assert data["quick"] is True
    (study,) = data["studies"]
    assert study["name"] == name
    assert study["checks"]
    for check in study["checks"]:
        assert check["verdict"] in ("pass", "FAIL")
        assert check["provenance"] in ("published", "digitised", "computed")
        # Exact cases have no sampling error to hide behind.
        if name == "contacts" or "together over the weight" in check["check"]:
            assert check["verdict"] == "pass", check
    with (out / name / "checks.csv").open() as file:
        assert [row["check"] for row in csv.DictReader(file)] == [
            check["check"] for check in study["checks"]
        ]
    assert list((out / name).glob("*.png"))
    assert not list((out / name).glob("*.part"))


def test_an_unknown_study_is_refused_with_the_list() -> None:
    with pytest.raises(RocktowerError, match="choose one of contacts, silo"):
        find_studies("silos")
