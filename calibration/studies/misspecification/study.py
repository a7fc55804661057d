"""Does a fit notice hits that its model cannot make?

    python calibration/studies/misspecification/study.py --owners 20 --jobs 2 --seed 1
    python calibration/studies/misspecification/study.py --quick

Owners are drawn from the prior, and the simulated tower makes 100 hits of each, but for one thing
that no prior allows: see KINDS. The quick budget fits them. A fit notices if its gate stops it, or
if a check of its predictions warns. Writes owners.csv (a row an owner) and rates.csv here. Owners
are kept in --folder: the same command goes on. About 13 s an owner on one processor.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from owners import write_rows

from rocktower import TowerModel
from rocktower.calibration import Record, decode_record, encode_record
from rocktower.calibration._rows import Amount, Row
from rocktower.calibration.fitting import (
    GateError,
    Prior,
    Task,
    network_for,
    to_values,
)
from rocktower.games.trollfjord import ALL_BOULDERS
from rocktower.randomness import Purpose, stream
from rocktower.sampling import local_executor, run_tasks
from rocktower.statistics import share
from rocktower.tower import Setup, TowerState

HERE = Path(__file__).parent
QUICK_OWNERS = 2
HITS, TURN, FILLING = 100, 6, 30  # hits of a record, of a turn, of a filling
WARNS = 0.025  # of a check after the fit, as in the report

BASE = TowerModel.load()
ROUND = replace(BASE, boulders=replace(BASE.boulders, edge_radius=0.004))


@dataclass(frozen=True)
class Kind:
    """What is wrong with the owners of a kind."""

    says: str
    base: TowerModel = BASE
    outlet: float | None = None  # m, instead of that of the prior
    leaks: float = 0.0  # chance, between two hits of a turn, that boulders leave by themselves
    at_once: int = 1  # boulders that do
    forgets: float = 0.0  # share of the empty hits


KINDS = {
    "control": Kind("nothing: owners of the prior"),
    "round boulders": Kind("corners rounded by 4 mm instead of 0.6 mm", ROUND),
    "leaking outlet": Kind(
        "between two hits the lowest boulder leaves by itself, half the time", leaks=0.5
    ),
    "wide outlet": Kind("50 mm; the prior ends at 32 mm", outlet=0.05),
    "forgotten empty hits": Kind("half of the empty hits are not written down", forgets=0.5),
    "pouring outlet": Kind(
        "between two hits the two lowest boulders leave by themselves", leaks=1.0, at_once=2
    ),
}


def totals_of(kind: Kind, setup: Setup, rng: np.random.Generator) -> list[int]:
    """Strike as in the game; what has leaked out by itself is counted with the next hit."""
    if kind.outlet is not None:
        setup = replace(setup, outlet_width=kind.outlet)
    tower, striker = setup.tower(kind.base), setup.striker()
    state, totals, leaked = tower.fill(rng), [], 0
    for hit in range(HITS):
        if hit % FILLING == 0:
            state, leaked = tower.fill(rng), 0
        elif hit % TURN == 0:
            state, leaked = tower.drop_in(state, list(state.outside), rng), 0
        result = tower.strike(state, striker.draw(rng, tower.geometry.height), rng)
        state = result.state
        totals.append(len(result.hit) + leaked)
        leaked = min(kind.at_once, len(state.inside)) if rng.random() < kind.leaks else 0
        if leaked:
            poses = state.poses.copy()
            poses[np.argsort(poses[:, 1])[:leaked]] = np.nan  # those outside, NaN, come last
            state = TowerState(state.boulders, poses)
    return totals


def record_of(totals: list[int], written: np.ndarray) -> Record:
    """Write down those hits that are written down, in turns of six after which all goes back."""
    rows: list[Row] = []
    for n in np.flatnonzero(written).tolist():
        filling, hit = n // FILLING + 1, n % FILLING
        before = rows[-1] if rows and rows[-1].filling == filling else None
        turn = hit // TURN + 1
        refill = before is not None and before.turn != turn
        inside = tuple(ALL_BOULDERS) if before is None else (None if refill else 0,) * 4
        rows.append(
            Row(
                session="", filling=filling, turn=turn, hit=1 if before is None else before.hit + 1,
                added=inside, added_total="all" if refill else None,
                out=tuple(Amount(0, most) for most in ALL_BOULDERS),
                out_total=Amount.of(totals[n]), strength="normal", held="held",
            )
        )  # fmt: skip
    return decode_record(encode_record(rows), "an owner")


def owner(seed: int, names: tuple[str, ...], number: int) -> bytes:
    """Make one owner up, fit the hits, and say what was noticed, as JSON."""
    name = names[number % len(names)]
    kind, person = KINDS[name], number // len(names)
    rng = stream(seed, Purpose.FIT, list(KINDS).index(name), person)
    prior = Prior.load()
    low, high = np.array(prior.low), np.array(prior.high)
    setup = Setup.of(to_values(rng.uniform(low, high)).tolist())
    totals = totals_of(kind, setup, rng)
    written = (np.array(totals) > 0) | (rng.random(len(totals)) >= kind.forgets)
    record = record_of(totals, written)
    row = {
        "kind": name, "owner": person, "hits": record.hits,
        "share_empty": f"{np.mean(np.array(totals)[written] == 0):.3f}",
        "boulders_a_hit": f"{np.mean(np.array(totals)[written]):.3f}",
        "gate": "", "fitted": "", "not_fitted": "",
    }  # fmt: skip
    task = Task(record, BASE, prior, "quick", seed + number)
    try:
        fit = task.run(HERE, network_for(BASE))
    except GateError as error:
        row["gate"] = min(error.checks, key=lambda check: check.p).name
    else:
        for key, checks in (("fitted", fit.fitted), ("not_fitted", fit.held_out)):
            row[key] = "; ".join(check.name for check in checks if check.p < WARNS)
    return json.dumps(row).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--owners", type=int, default=20, help="of each kind")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_OWNERS} owners of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=HERE / "runs")
    options = parser.parse_args()
    owners = QUICK_OWNERS if options.quick else options.owners
    names = tuple(KINDS)
    network = network_for(BASE)
    assert network is not None
    fingerprint = {"seed": options.seed, "kinds": list(names), "network": network.hash}
    with local_executor(options.jobs) as pool:
        shards = run_tasks(
            partial(owner, options.seed, names), range(owners * len(names)), fingerprint,
            options.folder, pool, lambda done, total, _: print(f"{done} of {total}", flush=True),
        )  # fmt: skip
    rows = [json.loads(shard.read_bytes()) for shard in shards]
    write_rows(
        HERE / "owners.csv", sorted(rows, key=lambda row: (names.index(row["kind"]), row["owner"]))
    )
    rates = []
    for name, kind in KINDS.items():
        mine = [row for row in rows if row["kind"] == name]
        line: dict[str, object] = {"kind": name, "what_is_wrong": kind.says, "owners": len(mine)}
        for what, noticed in (
            ("gate_stops", [bool(row["gate"]) for row in mine]),
            ("check_warns", [bool(row["fitted"] or row["not_fitted"]) for row in mine]),
            ("either", [bool(row["gate"] or row["fitted"] or row["not_fitted"]) for row in mine]),
        ):
            rate = share(sum(noticed), len(mine))
            line |= {what: f"{rate.value:.2f}", f"{what}_low_95": f"{rate.low:.2f}",
                     f"{what}_high_95": f"{rate.high:.2f}"}  # fmt: skip
        rates.append(line)
        print(line)
    write_rows(HERE / "rates.csv", rates)


if __name__ == "__main__":
    main()
