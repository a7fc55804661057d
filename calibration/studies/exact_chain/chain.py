"""A small chain in place of the tower: its likelihood is exact, so posteriors can be compared.

It has the tower's five numbers and what makes the tower hard: a strike of unknown speed, boulders
left, and a jam that nobody sees. Jams come by empty hits, the narrower the outlet the sooner; they
dissolve by other hits, the looser the grip the sooner, and partly between turns. It is no model of
the tower: its constants were chosen so that all five numbers can be seen in the hits.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.special import comb, expit

from rocktower.calibration.fitting import History, Prior, game_evening, record_protocol
from rocktower.calibration.fitting._design import Design
from rocktower.calibration.fitting._games import Games
from rocktower.calibration.fitting._opinion import FillingSums

MOST = 11  # boulders a hit
JAMS = 3  # levels
RELAXED = 0.5  # chance that a jam is gone when a turn begins
NODES, SHARES = np.polynomial.hermite_e.hermegauss(16)
SHARES = SHARES / SHARES.sum()
WAYS = np.array([[comb(n, k) for k in range(MOST + 1)] for n in range(MOST + 1)])

RECORD = game_evening(100)
DESIGN = Design(record_protocol(RECORD), Prior.load())
STEPS = [step for filling in DESIGN.protocol.fillings for step in filling]
SUMS, _ = FillingSums.of_record(RECORD, DESIGN)
FIRST = np.cumsum([0, *map(len, DESIGN.protocol.fillings)])


def chance(vectors: np.ndarray, speed: np.ndarray, left: np.ndarray, jam: np.ndarray) -> np.ndarray:
    """That one of at most MOST boulders leaves; `speed` is the logarithm of the strike's own."""
    friction, outlet, grip = (vectors[..., k] for k in range(3))
    resistance = friction + np.log(0.6 + 1.2 * left / 44.0) + 0.8 * jam
    score = 2.5 * (speed - resistance) + 4.0 * (outlet - np.log(0.025)) - 0.4 * (grip - 1.0) - 3.2
    return expit(score)


def jam_up(vectors: np.ndarray) -> np.ndarray:
    """Chance that an empty hit makes a jam worse."""
    return expit(0.5 - 6.0 * (vectors[..., 1] - np.log(0.025)))


def jam_down(vectors: np.ndarray) -> np.ndarray:
    """Chance that another hit dissolves one level of a jam."""
    return 0.9 - 0.35 * vectors[..., 2]


def spread_of(vectors: np.ndarray) -> np.ndarray:
    return np.sqrt(np.log1p(vectors[..., 4] ** 2))


def play(vectors: np.ndarray, rng: np.random.Generator, filling: int | None = None) -> Games:
    """Strike the record's protocol, or one of its fillings, once for each of n vectors."""
    n = len(vectors)
    steps = STEPS if filling is None else STEPS[FIRST[filling] : FIRST[filling + 1]]
    rows = []
    history, jam = History.filled(np.full(n, 44.0)), np.zeros(n, dtype=int)
    for step in steps:
        if step.filling is not None:
            history, jam = History.filled(np.full(n, 44.0)), np.zeros(n, dtype=int)
        elif step.new_turn:
            history = history.new_turn(44.0 - history.left)
            jam = np.where(rng.random(n) < RELAXED, 0, jam)
        speed = vectors[:, 3] + spread_of(vectors) * rng.normal(size=n)
        side = rng.choice([-1.0, 1.0], n)
        left = history.left.astype(int)
        total = rng.binomial(np.minimum(left, MOST), chance(vectors, speed, left, jam))
        coordinates = vectors.copy()
        coordinates[:, 3] = speed
        rows.append((history.features(side), coordinates, left, total))
        draw = rng.random(n)
        worse, better = draw < jam_up(vectors), draw < jam_down(vectors)
        jam = np.where(total == 0, np.minimum(jam + worse, JAMS - 1), np.maximum(jam - better, 0))
        history = history.after(total.astype(float))
    features, coordinates, left, total = (
        np.stack(part, axis=1) for part in zip(*rows, strict=True)
    )
    none = np.zeros((left.size, 4), dtype=int)
    game = np.repeat(np.arange(n), len(steps))
    return Games(
        game, features.reshape(left.size, -1), coordinates.reshape(left.size, -1), left.ravel(),
        total.ravel(), none, none, none,
    )  # fmt: skip


def play_fillings(vectors: np.ndarray, rng: np.random.Generator) -> Games:
    """Game k strikes filling k of the protocol, over and over again."""
    count = len(SUMS)
    parts, numbers = [], []
    for filling in range(count):
        chosen = np.arange(filling, len(vectors), count)
        games = play(vectors[chosen], rng, filling)
        parts.append(games)
        numbers.append(chosen[games.game])
    together = Games.joined(parts)
    order = np.argsort(np.concatenate(numbers), kind="stable")
    sorted_games = {name: getattr(together, name)[order] for name in Games.__slots__}
    return Games(**{**sorted_games, "game": np.concatenate(numbers)[order]})


def sums_of(games: Games) -> np.ndarray:
    """What other methods are shown of n whole records: the sums of the second opinion, (n, p)."""
    total = games.total.reshape(-1, len(STEPS)).astype(float)
    left = games.left.reshape(-1, len(STEPS)).astype(float)
    parts = [slice(a, b) for a, b in pairwise(FIRST)]
    found = [of.of_hits(total[:, p], left[:, p], 1) for of, p in zip(SUMS, parts, strict=True)]
    return np.sum(found, axis=0)


class Exact:
    """The log-likelihood of one record: a forward filter over the levels of the jam."""

    def __init__(self, total: np.ndarray, left: np.ndarray) -> None:
        """Take the first hits of the protocol, as many as are given."""
        self.total, self.left = total, left

    def __call__(self, vectors: np.ndarray) -> np.ndarray:
        """Of n vectors, shape (n, 5); return shape (n,)."""
        given = vectors[:, None, None, None, :]
        speed = vectors[:, None, None, None, 3] + (
            spread_of(vectors)[:, None, None, None] * NODES[None, None, None, :]
        )
        left, total = self.left[None, :, None, None], self.total[None, :, None, None]
        most = np.minimum(left, MOST)
        p = chance(given, speed, left, np.arange(JAMS)[None, None, :, None])
        law = WAYS[most, total] * p**total * (1.0 - p) ** (most - total)
        emitted = law @ SHARES  # (n, hits, jams)
        now = np.zeros((len(vectors), JAMS))
        log = np.zeros(len(vectors))
        up, down = jam_up(vectors), jam_down(vectors)
        for hit, step in enumerate(STEPS[: len(self.total)]):
            if step.filling is not None:
                now = np.zeros((len(vectors), JAMS))
                now[:, 0] = 1.0
            elif step.new_turn:
                now = (1.0 - RELAXED) * now
                now[:, 0] += RELAXED
            now = now * emitted[:, hit]
            chance_of_hit = now.sum(axis=1)
            log += np.log(np.maximum(chance_of_hit, 1e-300))
            now = now / np.maximum(chance_of_hit, 1e-300)[:, None]
            moved = np.zeros_like(now)
            if self.total[hit] == 0:
                moved[:, :-1] += now[:, :-1] * (1.0 - up)[:, None]
                moved[:, 1:] += now[:, :-1] * up[:, None]
                moved[:, -1] += now[:, -1]
            else:
                moved[:, 1:] += now[:, 1:] * (1.0 - down)[:, None]
                moved[:, :-1] += now[:, 1:] * down[:, None]
                moved[:, 0] += now[:, 0]
            now = moved
        return log
