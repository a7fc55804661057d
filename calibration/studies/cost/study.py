"""What does a fit of 200 hits cost?

    python calibration/studies/cost/study.py --budget quick --jobs 2 --seed 1
    python calibration/studies/cost/study.py --budget normal --jobs 2 --seed 1

An owner of the packaged tower, a normal striker, hammers 200 hits as in the game; `rocktower
calibrate` fits them, in a process of its own. Appends a line to costs.csv here: wall and processor
seconds of the command with its workers, and how far one can rely on the answer.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import numpy as np

from rocktower import Striker, TowerModel
from rocktower.calibration import encode_record
from rocktower.calibration.fitting import game_evening, made_up_record, record_protocol
from rocktower.calibration.fitting._games import Games, simulate_filling
from rocktower.tower import Setup

HERE = Path(__file__).parent
HITS = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--budget", choices=("quick", "normal", "full"), default="quick")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    model, normal = TowerModel.load(), Striker.named("normal")
    setup = Setup(
        model.boulder_contact.friction, model.geometry.outlet_width, 1.0, normal.speed,
        normal.speed_spread,
    )  # fmt: skip
    evening, rng = game_evening(HITS), np.random.default_rng(options.seed)
    games = [
        simulate_filling(model, [setup], steps, rng) for steps in record_protocol(evening).fillings
    ]
    record = made_up_record(evening, np.asarray(Games.joined(games).total), "hits.csv")
    with TemporaryDirectory() as place:
        hits = Path(place) / "hits.csv"
        hits.write_text(encode_record(record.rows), encoding="utf-8")
        begin = monotonic()
        command = ["calibrate", str(hits), "--budget", options.budget, "--jobs", str(options.jobs)]
        command += ["--out", str(Path(place) / "fit")]
        done = subprocess.run(
            [sys.executable, "-m", "rocktower", *command, "--seed", str(options.seed), "--json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        wall = monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(done.stdout)
    apart = [abs(p["distance"]) for p in found["second_opinion"]]
    line = {
        "date": datetime.now(UTC).date().isoformat(), "budget": options.budget, "hits": HITS,
        "jobs": options.jobs, "seed": options.seed, "wall_s": f"{wall:.0f}",
        "processor_s": f"{used.ru_utime + used.ru_stime:.0f}",
        "simulated_hits": found["simulated_hits"],
        "effective_draws": f"{found['chain']['effective_draws']:.0f}",
        "second_opinion_farthest": f"{max(apart):.2f}" if apart else "",
        "processors": os.cpu_count(), "load": f"{os.getloadavg()[1]:.1f}",
        "machine": platform.machine(), "python": platform.python_version(),
    }  # fmt: skip
    path = HERE / "costs.csv"
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(line), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(line)
    print(line)


if __name__ == "__main__":
    main()
