"""Every study runs, in its small version, through the command."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rocktower.cli import cli
from rocktower.errors import RocktowerError
from rocktower.validation import STUDIES, find_studies
from rocktower.validation._box_scene import second_engine_is_installed


def validate(*arguments: str) -> dict[str, Any]:
    command = ["validate", *arguments, "--quick", "--json", "--seed", "2"]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["seed"] == 2
    assert found["quick"] is True
    return found


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("validation") / "results"


@pytest.fixture(scope="module")
def studies(out: Path) -> dict[str, Any]:
    """All studies of one run, which makes trials that several of them need only once."""
    return {study["name"]: study for study in validate("--out", str(out))["studies"]}


@pytest.mark.parametrize("name", [study.name for study in STUDIES])
def test_a_quick_study_runs_and_writes_what_it_found(
    name: str, studies: dict[str, Any], out: Path
) -> None:
    if name == "second_engine" and not second_engine_is_installed():
        pytest.skip("the second engine is an extra")
    study = studies[name]
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


def test_a_study_by_its_name_finds_what_it_finds_among_all(studies: dict[str, Any]) -> None:
    (alone,) = validate("pipe")["studies"]
    assert alone == studies["pipe"]


def test_an_unknown_study_is_refused_with_the_list() -> None:
    with pytest.raises(RocktowerError, match="choose one of contacts, silo"):
        find_studies("silos")
