"""Samples what the likelihood and the prior leave possible, and judges the chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.sampling import needs

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    LogDensity = Callable[[NDArray[np.float64]], NDArray[np.float64]]

__all__ = ["Chain", "sample_chain"]

_BLOCK = 250  # steps between two looks at the chain
_SHOWN = 25  # steps between two reports of progress; divides _BLOCK
_TIMES = 50  # autocorrelation times that a chain should be long
_KEPT = 1000  # draws


@dataclass(frozen=True, slots=True)
class Chain:
    """Draws from a posterior, and how far they can be trusted.

    Parameters
    ----------
    draws
        Shape (n, d).
    log_density
        Shape (n,), but for a constant.
    steps, walkers, burnt
        Steps after the first ones, which were left out, of so many walkers.
    acceptance
        Mean share of accepted moves; 0.2 to 0.5 is good.
    autocorrelation
        Steps after which a walker has forgotten, shape (d,).
    r_hat
        Split R-hat over the walkers, shape (d,); 1 is good. Walkers of an ensemble depend on each
        other, so that it is a little too favorable.
    """

    draws: NDArray[np.float64]
    log_density: NDArray[np.float64]
    steps: int
    walkers: int
    burnt: int
    acceptance: float
    autocorrelation: NDArray[np.float64]
    r_hat: NDArray[np.float64]

    @property
    def effective(self) -> float:
        """Independent draws that the chain is worth."""
        return float(self.steps * self.walkers / max(float(self.autocorrelation.max()), 1.0))

    @property
    def is_good(self) -> bool:
        """Whether R-hat is at most 1.1 and the chain is worth 400 independent draws."""
        return bool(self.r_hat.max() <= 1.1 and self.effective >= 400)


def sample_chain(
    log_density: LogDensity,
    candidates: NDArray[np.float64],
    *,
    seed: int,
    most_steps: int = 1500,
    walkers: int | None = None,
    progress: Callable[[int, int, None], None] | None = None,
) -> Chain:
    """Sample a density with an ensemble of walkers.

    Parameters
    ----------
    log_density
        Of many points at once: shape (n, d) to shape (n,).
    candidates
        Draws from the prior, shape (n, d): the walkers begin at those that are likely.
    most_steps
        Stops earlier when the chain is 50 autocorrelation times long.
    progress
        Is told the steps made, the most there can be, and None: how long they take is not known.

    Raises
    ------
    RocktowerError
        If emcee is not installed, or no candidate is possible at all.
    """
    emcee = needs("emcee", "calibrate")
    size = candidates.shape[1]
    count = walkers or 2 * max(8, size + 3)
    state = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))  # emcee's kind
    if progress is not None:
        progress(0, most_steps, None)  # to find where to begin may take a while, too
    begin = _likely(log_density, candidates, count, state)
    moves = [
        (emcee.moves.DEMove(), 0.7),
        (emcee.moves.DESnookerMove(), 0.1),
        (emcee.moves.StretchMove(), 0.2),
    ]
    sampler = emcee.EnsembleSampler(count, size, log_density, vectorize=True, moves=moves)
    sampler.log_prob_fn = log_density  # emcee's wrapper prints a traceback of each interruption
    now: Any = emcee.State(begin, random_state=state.get_state())
    done = burnt = 0
    times = np.full(size, np.inf)
    while done < most_steps:
        steps = min(_SHOWN, most_steps - done)
        now = sampler.run_mcmc(now, steps, skip_initial_state_check=True)
        done = sampler.iteration
        if progress is not None:
            progress(done, most_steps, None)
        if done % _BLOCK and done < most_steps:
            continue
        burnt = done // 4
        times = _times(emcee, sampler.get_chain(discard=burnt))
        if done - burnt >= _TIMES * times.max():
            break
    chain = sampler.get_chain(discard=burnt)
    flat, density = chain.reshape(-1, size), sampler.get_log_prob(discard=burnt).reshape(-1)
    chosen = np.linspace(0, len(flat) - 1, min(_KEPT, len(flat))).round().astype(int)
    return Chain(
        flat[chosen], density[chosen], len(chain), count, burnt,
        float(np.mean(sampler.acceptance_fraction)), times, _split_r_hat(chain),
    )  # fmt: skip


def _likely(
    log_density: LogDensity,
    candidates: NDArray[np.float64],
    count: int,
    state: np.random.RandomState,
) -> NDArray[np.float64]:
    """Choose where walkers begin: different candidates, among the most likely ones."""
    density = log_density(candidates)
    possible = np.flatnonzero(np.isfinite(density))
    if len(possible) < count:
        raise RocktowerError("no setup that the prior allows is possible with these hits")
    noise = state.gumbel(size=len(possible))
    # Tempered, so that walkers spread over more than the one best candidate's neighborhood.
    best = possible[np.argsort(-(0.3 * density[possible] + noise))[:count]]
    return candidates[best]


def _times(emcee: Any, chain: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):
        times = np.asarray(emcee.autocorr.integrated_time(chain, quiet=True, tol=0), dtype=float)
    return np.where(np.isfinite(times), times, float(len(chain)))


def _split_r_hat(chain: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return split R-hat, shape (d,), of a chain of shape (steps, walkers, d)."""
    half = len(chain) // 2
    parts = np.concatenate([chain[:half], chain[half : 2 * half]], axis=1)
    within = parts.var(axis=0, ddof=1).mean(axis=0)
    between = half * parts.mean(axis=0).var(axis=0, ddof=1)
    pooled = (half - 1) / half * within + between / half
    return np.asarray(np.sqrt(pooled / np.maximum(within, 1e-300)))
