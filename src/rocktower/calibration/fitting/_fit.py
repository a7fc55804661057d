"""A fit from beginning to end: gate, chain, rounds of fresh games, checks."""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.resources import files
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.calibration._record import encode_record
from rocktower.calibration.fitting._chain import Chain, sample_chain
from rocktower.calibration.fitting._design import Design
from rocktower.calibration.fitting._likelihood import Likelihood, NetworkHit, OneHit
from rocktower.calibration.fitting._network import HitNetwork
from rocktower.calibration.fitting._opinion import AGREE, second_opinion
from rocktower.calibration.fitting._predict import IMPOSSIBLE, Check, Seen, check, play_protocol
from rocktower.calibration.fitting._rounds import Round, simulate_round, train_on
from rocktower.calibration.fitting._widening import Measured, Widening
from rocktower.errors import RocktowerError
from rocktower.randomness import Purpose, stream
from rocktower.sampling import local_executor, needs, software
from rocktower.tower import Setup

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from rocktower.calibration._record import Record
    from rocktower.calibration.fitting._prior import Prior
    from rocktower.tower import TowerModel

__all__ = [
    "BUDGETS",
    "Fit",
    "GateError",
    "Parameter",
    "Task",
    "log_density",
    "network_for",
    "same_towers",
]

BUDGETS: dict[str, tuple[int, ...]] = {
    "quick": (),
    "normal": (4_500, 4_500, 9_000),
    "full": (25_000, 25_000, 50_000),
}
"""Hits that are simulated in each round."""

IDENTIFIED = 0.8
"""A parameter whose deviation is above this share of the prior's is not identified."""

_REPLAYS = 500
_GATE_REPLAYS = 2000  # the gate stops a fit: near its limit 500 say yes one time and no another
_SETTLED = 0.2  # deviations that means may move in a round that is the last one
_CANDIDATES = 600
_QUICK_STEPS, _STEPS = 1500, 3000
_STANDARD = Setup(0.4, 0.025, 1.0, 2.0, 0.2)


def _unseen(*_: float | None) -> None:
    """Progress that nobody watches."""


class GateError(RocktowerError):
    """The model cannot make such a record; `checks` holds the statistics."""

    def __init__(self, name: str, checks: tuple[Check, ...]) -> None:
        worst = min(checks, key=lambda check: check.p)
        low, high = worst.bounds
        super().__init__(
            f"{name}: the model cannot make such hits: {worst.name} is {worst.seen}, but "
            f"95 % of what the prior foretells is within {low:.3g} and {high:.3g}; check the file "
            "(are empty hits written down?), or give a wider --prior or another --model"
        )
        self.checks = checks


@dataclass(frozen=True, slots=True)
class Parameter:
    """What was learned of one number.

    Parameters
    ----------
    mean, low, high
        Posterior mean, and central 90 % interval, in units for people.
    contraction
        Share of the prior's variance that the hits have taken away.
    is_identified
        Whether its deviation is at most 0.8 of the prior's.
    """

    name: str
    mean: float
    low: float
    high: float
    contraction: float
    is_identified: bool


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be fitted.

    Parameters
    ----------
    budget
        One of `BUDGETS`.
    measured
        What is known of how wide intervals must be; the packaged values if None.
    """

    record: Record
    base: TowerModel
    prior: Prior
    budget: str
    seed: int
    measured: tuple[Measured, ...] | None = None

    def fingerprint(self) -> dict[str, Any]:
        """Return all that the fit depends on, by name."""
        hits = encode_record(self.record.rows).encode()
        needs("emcee", "calibrate")
        packages = ["emcee"]
        if BUDGETS[self.budget]:
            needs("sklearn", "calibrate")
            packages.append("scikit-learn")
        return {
            "format": "rocktower-fit/1",
            "seed": self.seed,
            "budget": self.budget,
            "hits_hash": hashlib.sha256(hits).hexdigest()[:16],
            "tower": self.base.name,
            "tower_hash": same_towers(self.base),
            "prior_hash": self.prior.hash,
            **software(),
            **{name: version(name) for name in packages},
        }

    def widening(self, network: HitNetwork | None) -> Widening:
        """Return to what power the likelihood is raised in a fit that begins with this network."""
        begun = None if network is None else network.hash
        return Widening.of(self.budget, begun, self.record.hits, self.measured)

    def run(
        self,
        folder: Path,
        network: HitNetwork | None,
        executor: Callable[[int], Any] = lambda _: local_executor(1),
        tell: Callable[[str], None] = lambda _: None,
        progress: Callable[..., Any] = lambda *_: nullcontext(SimpleNamespace(show=_unseen)),
    ) -> Fit:
        """Fit.

        Parameters
        ----------
        folder
            Where simulated games are kept, so that a fit that was broken off goes on.
        network
            To begin with; None if none suits this tower: then the first round is spread over the
            whole prior.
        executor
            From a number of tasks to a context that gives an executor; one thread if not given.
        tell
            Called with a line when something is begun.
        progress
            From a label, and what is counted if that is not tasks, to a context with a method
            `show`, which is told how many are done, how many there are, and the seconds left.

        Raises
        ------
        GateError
            If the model cannot make such hits.
        RocktowerError
            If there is nothing to fit, a package is missing, or there is neither network nor
            budget to make one.
        """
        likelihood = Likelihood(self.record)
        design = Design(likelihood.protocol, self.prior)
        if not likelihood.known_hits and not likelihood.stretches:
            raise RocktowerError(f"{self.record.name}: holds no hit that counts")
        if network is None and self.budget == "quick":
            raise RocktowerError(
                "the shipped network suits the packaged tower only: give --budget normal for "
                "this --model"
            )
        rng = stream(self.seed, Purpose.FIT, 0)
        seen, candidates = Seen.of_record(self.record), design.sample_prior(_CANDIDATES, rng)
        rounds, spent = BUDGETS[self.budget], 0
        games: list[Round] = []
        widening = self.widening(network)
        chain: Chain | None = None
        gate: tuple[Check, ...] = ()
        history: list[NDArray[np.float64]] = []
        begun = network
        for number in range(len(rounds) + 1):
            if number:
                tell(f"round {number} of at most {len(rounds)}: simulating")
                games.append(
                    simulate_round(
                        self.base,
                        design,
                        chain,
                        number,
                        rounds[number - 1],
                        seed=self.seed,
                        folder=folder,
                        executor=executor,
                        progress=progress,
                    )
                )
                spent += len(games[-1].games)
                tell(f"round {number}: training on {spent} hits")
                note = {"tower_hash": same_towers(self.base), "seed": self.seed}
                network = train_on(games, begun, seed=self.seed, note=note)
            if network is None:
                continue
            if not gate:
                tell("can the model make such hits?")
                gate = self._gate(design, network, seen)
            before, hit = chain, NetworkHit(network)
            tell("sampling the posterior")
            with progress("sampling the posterior", "steps") as bar:
                chain = sample_chain(
                    log_density(design, likelihood, hit, widening.power), candidates,
                    seed=self.seed + number, most_steps=_STEPS if rounds else _QUICK_STEPS,
                    progress=bar.show,
                )  # fmt: skip
            history.append(chain.draws.mean(axis=0))
            if before is not None and number < len(rounds) and number > 1:
                moved = np.abs(history[-1] - history[-2]) / chain.draws.std(axis=0)
                if moved.max() < _SETTLED:
                    tell("the means have settled: no further round")
                    break
        assert chain is not None and network is not None  # noqa: S101, PT018 - budgets see to it
        if games:
            tell("asking for a second opinion")
        opinion = second_opinion(self.record, design, games, chain, seed=self.seed)
        tell("checking predictions")
        rng = stream(self.seed, Purpose.FIT, 1)
        chosen = chain.draws[rng.permutation(len(chain.draws))[:_REPLAYS]]
        replays = play_protocol(network, design.protocol, design.setups(chosen), rng)
        return Fit(
            self, design, network, chain, gate, check(seen, replays),
            check(seen, replays, held_out=True), seen.replayed(replays), spent,
            design.sample_prior(4000, stream(self.seed, Purpose.FIT, 2)),
            likelihood.known_hits, widening, opinion,
        )  # fmt: skip

    def _gate(self, design: Design, network: HitNetwork, seen: Seen) -> tuple[Check, ...]:
        rng = stream(self.seed, Purpose.FIT, 3)
        vectors = design.sample_prior(_GATE_REPLAYS, rng)
        replays = play_protocol(network, design.protocol, design.setups(vectors), rng)
        checks = check(seen, replays)
        if any(check.p < IMPOSSIBLE for check in checks):
            raise GateError(self.record.name, checks)
        return checks


@dataclass(frozen=True)
class Fit:
    """A fit: its chain, its network, and how well it foretells the record.

    Parameters
    ----------
    gate, fitted, held_out
        Statistics of the record among replays of the prior; of the posterior; of the posterior,
        for statistics that a fit does not aim at.
    replays
        Of the posterior.
    simulated_hits
        How many were spent on this fit.
    prior_draws
        Shape (m, d).
    known_hits
        Hits of the record that count one by one.
    widening
        To what power the likelihood was raised.
    opinion
        What another method makes of the same hits; None without enough simulated games.
    """

    task: Task
    design: Design
    network: HitNetwork
    chain: Chain
    gate: tuple[Check, ...]
    fitted: tuple[Check, ...]
    held_out: tuple[Check, ...]
    replays: Seen
    simulated_hits: int
    prior_draws: NDArray[np.float64]
    known_hits: int
    widening: Widening
    opinion: Chain | None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What was learned of each number, and of strength over friction."""
        return self._parameters(self.chain.draws)

    @cached_property
    def second(self) -> tuple[Parameter, ...]:
        """The same, by the second opinion; empty without one."""
        return () if self.opinion is None else self._parameters(self.opinion.draws)

    @cached_property
    def apart(self) -> tuple[float, ...]:
        """How far the second opinion's means are from the fit's, in the fit's deviations."""
        if self.opinion is None:
            return ()
        ours, other = _with_ratio(self.chain.draws), _with_ratio(self.opinion.draws)
        return tuple(((other.mean(axis=0) - ours.mean(axis=0)) / ours.std(axis=0)).tolist())

    def _parameters(self, draws: NDArray[np.float64]) -> tuple[Parameter, ...]:
        names = (*self.design.names, "speed / friction")
        shown = np.column_stack([self.design.shown(draws), np.exp(_ratio(draws))])
        ours, prior = _with_ratio(draws), _with_ratio(self.prior_draws)
        return tuple(
            _parameter(name, shown[:, k], ours[:, k], prior[:, k]) for k, name in enumerate(names)
        )

    @property
    def trouble(self) -> tuple[str, ...]:
        """What speaks against trusting this fit."""
        found = []
        chain = self.chain
        names = (*self.design.names, "speed / friction")
        far = [f"{n} ({a:+.1f})" for n, a in zip(names, self.apart, strict=False) if abs(a) > AGREE]
        if far:
            found.append(
                f"a second method disagrees: its means lie more than {AGREE} of a posterior "
                f"deviation away for {', '.join(far)}"
            )
        if not chain.is_good:
            found.append(
                f"the chain has not converged well: R-hat {chain.r_hat.max():.3f} (at most 1.1), "
                f"worth {chain.effective:.0f} draws (at least 400)"
            )
        for one in (*self.fitted, *self.held_out):
            if one.p < 0.025:
                low, high = one.bounds
                found.append(
                    f"{one.name}: {one.seen} in the record, but {low:.3g} to {high:.3g} is foretold"
                )
        return tuple(found)

    @property
    def mean_setup(self) -> Setup:
        """The first striker's setup at the posterior's mean, as `parameters` give it."""
        return Setup.of([p.mean for p in self.parameters[: len(Setup.names())]])


def _ratio(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of speed over friction: strength over resistance."""
    names = Setup.names()
    return np.asarray(vectors[:, names.index("speed")] - vectors[:, names.index("friction")])


def _with_ratio(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([vectors, _ratio(vectors)])


def _parameter(
    name: str,
    shown: NDArray[np.float64],
    draws: NDArray[np.float64],
    prior: NDArray[np.float64],
) -> Parameter:
    share = float(draws.std() / prior.std())
    low, high = np.quantile(shown, (0.05, 0.95))
    return Parameter(
        name, float(shown.mean()), float(low), float(high), 1.0 - share**2, share <= IDENTIFIED
    )


def log_density(
    design: Design, likelihood: Likelihood, hit: OneHit, power: float = 1.0
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return the posterior's log-density as a function of many vectors, (n, d) to (n,).

    Parameters
    ----------
    power
        Of the likelihood, see `Widening`.
    """

    def density(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        log = design.log_prior(vectors)
        possible = np.flatnonzero(np.isfinite(log))
        for part in np.array_split(possible, max(1, len(possible) // 32)):
            if len(part):
                log[part] += power * likelihood(hit, design.setups(vectors[part]))
        return log

    return density


def same_towers(base: TowerModel) -> str:
    """Return a hash of a tower in which what is fitted does not count."""
    return _STANDARD.tower(base).hash


def network_for(base: TowerModel) -> HitNetwork | None:
    """Return the shipped network, if it was made for such towers."""
    resource = files(__package__).joinpath("data/default_network.npz")
    if not resource.is_file():
        return None
    network = HitNetwork.decode(resource.read_bytes(), "default_network.npz")
    return network if network.note.get("tower_hash") == same_towers(base) else None
