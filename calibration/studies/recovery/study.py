"""Does a fit find the parameters of owners whose parameters are known, and with how many hits?

    python calibration/studies/recovery/study.py --owners 40 --jobs 2
    python calibration/studies/recovery/study.py --quick

Owners are drawn from the prior; the simulated tower makes 100 and 300 hits of each, and the quick
budget fits them. Writes owners.csv (a row for each owner, number of hits and parameter) and
summary.csv here. Runs are kept in --folder: the same command goes on. About 15 s an owner of 100
hits and 40 s an owner of 300 hits on one processor.
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from owners import fit_owners, parser_of, write_rows

HERE = Path(__file__).parent
HITS = (100, 300)


def main() -> None:
    options = parser_of(__doc__, owners=40, quick=6, seed=2, here=HERE).parse_args()
    rows, summary = [], []
    for hits in HITS:
        _, results = fit_owners(options, hits)
        columns = {
            name: results.column(name)
            for name in ("truth", "mean", "deviation", "prior_deviation")
        }  # fmt: skip
        contraction = 1.0 - (columns["deviation"] / columns["prior_deviation"]) ** 2
        for k, one in enumerate(results.summary["parameters"]):
            rows += [
                {"hits": hits, "owner": owner, "name": one["name"],
                 **{key: f"{column[owner, k]:.5g}" for key, column in columns.items()},
                 "contraction": f"{contraction[owner, k]:.3f}"}
                for owner in range(options.owners)
            ]  # fmt: skip
            summary.append(
                {"hits": hits, "n": options.owners, "name": one["name"],
                 "error_over_prior": f"{one['error_over_prior']:.3f}",
                 "deviation_over_prior": f"{one['deviation_over_prior']:.3f}",
                 "contraction": f"{contraction[:, k].mean():.3f}",
                 "truths_in_90_interval": round(one["coverage"]["90%"][0] * options.owners),
                 "date": date.today().isoformat()}  # noqa: DTZ011 - a day
            )  # fmt: skip
    write_rows(HERE / "owners.csv", rows)
    write_rows(HERE / "summary.csv", summary)
    print((HERE / "summary.csv").read_text("utf-8"))


if __name__ == "__main__":
    main()
