"""The folder of a fit: posterior, tower file, report."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import to_builtins

from rocktower.calibration.fitting._report import report_page
from rocktower.files import replace_file
from rocktower.tower import (
    POSTERIOR_FILE,
    TOWER_FILE,
    Setup,
    Source,
    encode_model,
    encode_posterior,
)

if TYPE_CHECKING:
    from pathlib import Path

    from rocktower.calibration.fitting._fit import Fit

__all__ = ["summary", "write_results"]


def summary(fit: Fit) -> dict[str, Any]:
    """Return what was learned, and what from, as JSON values."""
    chain = fit.chain
    return {
        **fit.task.fingerprint(),
        "hits_file": fit.task.record.name,
        "hits": fit.task.record.hits,
        "hits_known_singly": fit.known_hits,
        "prior": fit.task.prior.name,
        "simulated_hits": fit.simulated_hits,
        "network": fit.network.note,
        "strikers": [str(group) for group in fit.design.protocol.groups],
        "parameters": [asdict(parameter) for parameter in fit.parameters],
        "not_identified": [p.name for p in fit.parameters if not p.is_identified],
        "chain": {
            "walkers": chain.walkers,
            "steps": chain.steps,
            "burnt": chain.burnt,
            "acceptance": chain.acceptance,
            "autocorrelation": chain.autocorrelation.tolist(),
            "r_hat": chain.r_hat.tolist(),
            "effective_draws": chain.effective,
        },
        "checks": {
            name: [
                {
                    "statistic": c.name, "observed": c.observed, "observed_to": c.observed_to,
                    "foretold_95": c.bounds, "p": c.p,
                }
                for c in checks
            ]
            for name, checks in (
                ("prior", fit.gate), ("fitted", fit.fitted), ("not fitted", fit.held_out),
            )
        },
        "second_opinion": [
            {**asdict(second), "distance": apart}
            for second, apart in zip(fit.second, fit.apart, strict=True)
        ],
        "widening": {
            "power": fit.widening.power,
            "measured": fit.widening.measured and to_builtins(fit.widening.measured),
        },
        "warnings": list(fit.trouble),
    }  # fmt: skip


def write_results(fit: Fit, folder: Path, seconds: float) -> None:
    """Write all files of a fit; posterior.json comes last, and says that it is complete.

    Parameters
    ----------
    seconds
        What the fit took, for the report: the other files do not depend on it.
    """
    shown = fit.design.shown(fit.chain.draws)
    size = len(Setup.names())
    first = shown[:, Setup.names().index("speed"), None]
    replace_file(
        folder / POSTERIOR_FILE,
        encode_posterior(
            shown[:, :size],
            np.concatenate([first, shown[:, size:]], axis=1),
            [str(group) for group in fit.design.protocol.groups],
            draws=fit.chain.draws,
            log_density=fit.chain.log_density,
            names=list(fit.design.names),
        ),
    )
    replace_file(folder / TOWER_FILE, tower_text(fit).encode())
    replace_file(folder / "report.html", report_page(fit, seconds).encode())
    text = json.dumps(summary(fit), indent=1) + "\n"
    replace_file(folder / "posterior.json", text.encode())


def tower_text(fit: Fit) -> str:
    """Return the tower file at the posterior's mean: what is fitted says so, the rest stays."""
    setup, task = fit.mean_setup, fit.task
    identified = {p.name: p.is_identified for p in fit.parameters}

    def source(name: str) -> Source:
        if not identified[name]:
            return Source("assumed", f"not identified, hardly more than {task.prior.name}")
        return Source("inferred", f"posterior mean, fitted to {task.record.hits} recorded hits")

    friction, outlet = source("friction"), source("outlet_width")
    model = replace(setup.tower(task.base), name=f"fitted to {task.record.hits} hits")
    return (
        "# A tower fitted to recorded hits, at the posterior's mean. The hand and the arm of the\n"
        "# fit are not in this file but in posterior.npz beside it: --tower with this folder\n"
        "# draws from it.\n\n"
    ) + encode_model(
        model,
        {
            "materials.boulder_boulder.friction": friction,
            "materials.boulder_wall.friction": friction,
            "geometry.outlet_width": outlet,
        },
    )
