"""Neural posterior estimation with sbi: called by study.py in an environment that has sbi."""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import numpy as np
import torch
from sbi.inference import NPE
from sbi.utils import BoxUniform


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    with np.load(folder / "data.npz") as file:
        data = {key: torch.as_tensor(file[key], dtype=torch.float32) for key in file.files}
    begin = process_time()
    prior = BoxUniform(data["low"], data["high"])
    inference = NPE(prior=prior, density_estimator="maf", show_progress_bars=False)
    inference.append_simulations(data["vectors"], data["sums"]).train()
    posterior = inference.build_posterior()
    draws = [
        posterior.sample((1000,), x=observed, show_progress_bars=False).numpy()
        for observed in data["observed"]
    ]
    np.savez(folder / "npe.npz", draws=np.array(draws), seconds=process_time() - begin)


if __name__ == "__main__":
    main()
