"""Simulated owners whose numbers are known: what the studies of a fit share."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import TYPE_CHECKING

from rocktower import TowerModel
from rocktower.calibration.fitting import (
    Prior,
    SbcResults,
    SbcRuns,
    Task,
    game_evening,
    network_for,
    run_sbc,
)
from rocktower.sampling import local_executor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def parser_of(
    document: str, owners: int, quick: int, seed: int, here: Path
) -> argparse.ArgumentParser:
    """Return the options that all such studies have; --quick stands for a few owners."""
    parser = argparse.ArgumentParser(description=document.split("\n", maxsplit=1)[0])
    parser.add_argument("--owners", type=int, default=owners)
    parser.add_argument(
        "--quick", action="store_const", const=quick, dest="owners", help=f"{quick} owners"
    )
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=here / "runs", help="to go on from")
    return parser


def fit_owners(
    options: argparse.Namespace, hits: int, source: str = "physics"
) -> tuple[SbcRuns, SbcResults]:
    """Draw owners from the prior, let them hammer, and fit their hits with the quick budget."""
    base = TowerModel.load()
    network = network_for(base)
    assert network is not None
    task = Task(game_evening(hits), base, Prior.load(), "quick", options.seed)
    runs = SbcRuns(task, network, source == "physics", task.widening(network).power)
    fingerprint = {
        **task.fingerprint(), "source": source, "network": network.hash, "power": runs.power,
    }  # fmt: skip
    with local_executor(options.jobs) as pool:
        results = run_sbc(
            runs, options.owners, fingerprint, options.folder / f"{source}-{hits}", pool,
            lambda done, total, _: print(f"{done} of {total}", flush=True),
        )  # fmt: skip
    return runs, results


def write_rows(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a table, whose columns are the names in the first row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
