"""Sequential Monte Carlo ABC with pyABC: called by study.py in an environment that has pyabc."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pyabc

sys.path.insert(0, str(Path(__file__).parent))

from chain import DESIGN, play, sums_of

POPULATION = 50


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    with np.load(folder / "data.npz") as file:
        data = {key: file[key] for key in file.files}
    begin, rng = process_time(), np.random.default_rng(seed)
    np.random.seed(seed)  # noqa: NPY002 - what pyABC draws from
    names = DESIGN.names
    bounds = zip(names, data["low"], data["high"], strict=True)
    prior = pyabc.Distribution(
        **{name: pyabc.RV("uniform", low, high - low) for name, low, high in bounds}
    )

    def model(parameters: pyabc.Parameter) -> dict[str, float]:
        vector = np.array([[parameters[name] for name in names]])
        return {f"s{k}": value for k, value in enumerate(sums_of(play(vector, rng))[0])}

    draws = []
    for observed in data["observed"]:
        abc = pyabc.ABCSMC(
            model, prior, pyabc.AdaptivePNormDistance(), population_size=POPULATION,
            sampler=pyabc.SingleCoreSampler(),
        )  # fmt: skip
        with tempfile.TemporaryDirectory() as place:
            abc.new(f"sqlite:///{place}/run.db", {f"s{k}": v for k, v in enumerate(observed)})
            history = abc.run(max_total_nr_simulations=len(data["vectors"]))
            frame, weight = history.get_distribution()
        chosen = rng.choice(len(frame), 1000, p=weight / weight.sum())
        draws.append(frame[list(names)].to_numpy()[chosen])
    np.savez(folder / "smc.npz", draws=np.array(draws), seconds=process_time() - begin)


if __name__ == "__main__":
    main()
