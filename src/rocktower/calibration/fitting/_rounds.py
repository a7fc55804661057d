"""A round of a fit: where fresh games are simulated, and what is learned from all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from rocktower.calibration.fitting._games import Games, GameSet, play_games
from rocktower.calibration.fitting._training import train
from rocktower.randomness import Purpose, stream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from rocktower.calibration.fitting._chain import Chain
    from rocktower.calibration.fitting._design import Design
    from rocktower.calibration.fitting._network import HitNetwork
    from rocktower.tower import TowerModel

__all__ = ["Round", "simulate_round", "train_on"]

_FEWEST_GAMES = 60


@dataclass(frozen=True, slots=True)
class Round:
    """Games of the record's own fillings, one for each vector.

    Parameters
    ----------
    vectors
        Shape (games, d): what each game was simulated with.
    games
        Game k strikes filling k of the protocol, over and over again.
    """

    vectors: NDArray[np.float64]
    games: Games


def simulate_round(
    base: TowerModel,
    design: Design,
    chain: Chain | None,
    number: int,
    hits: int,
    *,
    seed: int,
    folder: Path,
    executor: Callable[[int], Any],
    progress: Callable[[str], Any],
) -> Round:
    """Simulate about so many hits where the posterior is so far; see `Task.run` for the rest."""
    fillings = design.protocol.fillings
    count = max(_FEWEST_GAMES, ceil(hits * len(fillings) / design.protocol.hits))
    vectors = _proposals(design, chain, count, stream(seed, Purpose.FIT, 10 + number))
    games = GameSet(base, design.protocol, design.values(vectors), seed, number)
    with executor(len(games.tasks)) as pool, progress(f"round {number}") as bar:
        return Round(vectors, play_games(games, folder / f"round-{number}", pool, bar.show))


def _proposals(
    design: Design, chain: Chain | None, count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Where to simulate: half from the posterior, half from its box; or over the whole prior."""
    if chain is None:
        return design.sample_prior(count, rng)
    drawn = chain.draws[rng.integers(len(chain.draws), size=count)]
    low, high = np.quantile(chain.draws, (0.005, 0.995), axis=0)
    half = count // 2
    boxed = rng.uniform(low, high, (half, design.size))
    boxed = np.where(np.isfinite(design.log_prior(boxed))[:, None], boxed, drawn[:half])
    return rng.permutation(np.concatenate([boxed, drawn[half:]]))


def train_on(
    rounds: Sequence[Round], begun: HitNetwork | None, *, seed: int, note: dict[str, Any]
) -> HitNetwork:
    """Go on with the network that the fit began with, on the games of all rounds."""
    apart: list[Games] = []
    first = 0
    for part in rounds:
        games = part.games.where(part.games.left > 0)  # an empty tower teaches nothing
        apart.append(replace(games, game=games.game + first))
        first += len(part.vectors)
    together = Games.joined(apart)
    return train(together, seed=seed, start=begun, note={**note, "hits": len(together)})
