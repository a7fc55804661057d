"""Do the intervals of a fit hold the truth as often as they say?

    python calibration/studies/coverage/study.py --runs 200 --jobs 2
    python calibration/studies/coverage/study.py --quick

Owners are drawn from the prior, the simulated tower makes their hits (--source physics) or the
shipped network does (--source network), and the quick budget fits them. Writes SOURCE.csv (a row
for each run and number) and SOURCE_summary.json here. Runs are kept in --folder: the same
command goes on. About 15 s a run on one processor.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rocktower import TowerModel
from rocktower.calibration.fitting import (
    Prior,
    SbcRuns,
    Task,
    game_evening,
    network_for,
    run_sbc,
    sbc_table,
)
from rocktower.sampling import local_executor

HERE = Path(__file__).parent
QUICK_RUNS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--hits", type=int, default=100)
    parser.add_argument("--source", choices=("physics", "network"), default="physics")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=HERE / "runs")
    options = parser.parse_args()
    runs = QUICK_RUNS if options.quick else options.runs
    base = TowerModel.load()
    network = network_for(base)
    assert network is not None
    task = Task(game_evening(options.hits), base, Prior.load(), "quick", options.seed)
    made = SbcRuns(task, network, physics=options.source == "physics")
    fingerprint = {**task.fingerprint(), "source": options.source, "network": network.hash}
    with local_executor(options.jobs) as pool:
        results = run_sbc(
            made, runs, fingerprint, options.folder / f"{options.source}-{options.hits}", pool,
            lambda done, total, _: print(f"{done} of {total}", flush=True),
        )  # fmt: skip
    (HERE / f"{options.source}.csv").write_text(sbc_table(results), encoding="utf-8")
    text = json.dumps({"hits": options.hits, "seed": options.seed, **results.summary}, indent=1)
    (HERE / f"{options.source}_summary.json").write_text(text + "\n", encoding="utf-8")
    print("\n".join(results.lines()))


if __name__ == "__main__":
    main()
