"""What a study is, what comes of it, and the laboratory that it runs in."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType

    from matplotlib.figure import Figure

    from rocktower.statistics import Interval

__all__ = ["Check", "Findings", "Lab", "Study"]

_T = TypeVar("_T")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Check:
    """One number beside its reference.

    Parameters
    ----------
    what
        What was measured, with its unit.
    value
        With its 95 % interval and sample size.
    reference, provenance
        What it is compared with; `published` (a statement or number in a text), `digitised`
        (read from a published figure) or `computed` (a formula, or an earlier run).
    tolerance
        When it passes, in words.
    """

    what: str
    value: Interval
    reference: str
    provenance: str
    tolerance: str
    passed: bool

    def row(self) -> dict[str, Any]:
        """Return it as a row of a table."""
        return {
            "check": self.what,
            **self.value.row("value"),
            "reference": self.reference,
            "provenance": self.provenance,
            "tolerance": self.tolerance,
            "verdict": "pass" if self.passed else "FAIL",
        }


@dataclass(slots=True)
class Findings:
    """What came of a study: checks, tables by name, and figures by name."""

    checks: list[Check] = field(default_factory=list)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    figures: dict[str, Callable[[], Figure]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Study:
    """A question, and the function that answers it in a laboratory."""

    name: str
    question: str
    run: Callable[[Lab], Findings]


class Progress(Protocol):
    """Is told how far a series of trials is."""

    def __call__(self, label: str, done: int, total: int) -> None:
        """Take note."""


def _silent(label: str, done: int, total: int) -> None:
    """Say nothing."""


def _seeded(trial: Callable[[np.random.Generator], _R], seed: int, number: int) -> _R:
    return trial(np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,))))


class Lab:
    """Runs trials, in several processes if asked to.

    Each trial has a generator of its own, from the seed and the trial's number: results do
    not depend on the number of processes, and trial n of two settings starts from the same
    random numbers.

    Parameters
    ----------
    quick
        Take the small sample sizes.
    scale
        Multiplies the full sample sizes; intervals grow with its inverse root.
    """

    def __init__(
        self,
        *,
        seed: int = 1,
        quick: bool = False,
        scale: float = 1.0,
        jobs: int = 1,
        progress: Progress = _silent,
    ) -> None:
        self.seed = seed
        self.quick = quick
        self._scale = scale
        self._jobs = jobs
        self._progress = progress
        self._pool: ProcessPoolExecutor | None = None
        self._known: dict[Any, list[Any]] = {}

    def __enter__(self) -> Lab:
        if self._jobs > 1:
            self._pool = ProcessPoolExecutor(self._jobs)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def size(self, full: int, quick: int) -> int:
        """Return the sample size to use."""
        return quick if self.quick else max(quick, round(full * self._scale))

    def map(self, function: Callable[[_T], _R], items: Iterable[_T], label: str) -> list[_R]:
        """Apply a picklable function to items, in order."""
        given: Sequence[_T] = list(items)
        results: list[_R] = []
        self._progress(label, 0, len(given))
        done = self._pool.map(function, given) if self._pool else map(function, given)
        for result in done:
            results.append(result)
            self._progress(label, len(results), len(given))
        return results

    def trials(self, trial: partial[_R], count: int, label: str) -> list[_R]:
        """Repeat a picklable trial, each time with its own generator.

        Trials that were made before, by an earlier study too, are not repeated.
        """
        known = self._known.setdefault((trial.func, trial.args), [])
        if len(known) < count:
            seeded = partial(_seeded, trial, self.seed)
            known += self.map(seeded, range(len(known), count), label)
        return known[:count]
