"""Does a fit find the parameters of owners whose parameters are known, and with how many hits?

    python calibration/studies/recovery/study.py --owners 40 --jobs 2
    python calibration/studies/recovery/study.py --quick

Owners are drawn from the prior; the simulated tower makes 100 and 300 hits of each, and the quick
budget fits them. Writes owners.csv (a row for each owner, number of hits and parameter) and
summary.csv here. Runs are kept in --folder: the same command goes on. About 15 s an owner of 100
hits and 40 s an owner of 300 hits on one processor.
"""

from __future__ import annotations

import csv
import sys
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from owners import fit_owners, parser_of

HERE = Path(__file__).parent
HITS = (100, 300)


def main() -> None:
    options = parser_of(__doc__, owners=40, quick=6, seed=2, here=HERE).parse_args()
    owners = options.owners
    rows, summary = [], []
    for hits in HITS:
        _, results = fit_owners(options, hits)
        columns = [results.column(k) for k in ("truth", "mean", "deviation", "prior_deviation")]
        contraction = 1.0 - (columns[2] / columns[3]) ** 2
        for k, name in enumerate(results.runs[0]["names"]):
            for owner in range(owners):
                values = [f"{column[owner, k]:.5g}" for column in columns]
                rows.append((hits, owner, name, *values, f"{contraction[owner, k]:.3f}"))
            error = (columns[1] - columns[0])[:, k] / columns[3][:, k]
            inside = np.abs(results.column("rank")[:, k] - 0.5) <= 0.45
            summary.append(
                (hits, owners, name, f"{np.sqrt((error**2).mean()):.3f}",
                 f"{(columns[2] / columns[3])[:, k].mean():.3f}", f"{contraction[:, k].mean():.3f}",
                 int(inside.sum()), date.today().isoformat())  # noqa: DTZ011 - a day
            )  # fmt: skip
    header = ("hits", "owner", "name", "truth", "mean", "deviation", "prior_deviation")
    write(HERE / "owners.csv", (*header, "contraction"), rows)
    write(
        HERE / "summary.csv",
        ("hits", "n", "name", "error_over_prior", "deviation_over_prior", "contraction",
         "truths_in_90_interval", "date"),
        summary,
    )  # fmt: skip
    print((HERE / "summary.csv").read_text("utf-8"))


def write(path: Path, header: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([header, *rows])


if __name__ == "__main__":
    main()
