"""What can answer for the tower: a bag, a script, a person, a record, the physics.

A tower is a function that answers a request for a hit, with a generator of that event alone.
"""

from __future__ import annotations

from bisect import bisect
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from rocktower.chance import Manual, Recorded
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import Boulders, TowerHit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np

__all__ = ["Tower", "bag", "manual", "read_script", "recorded"]

Tower: TypeAlias = "Callable[[TowerHit, np.random.Generator], Boulders]"


class _Count(msgspec.Struct):
    probability: list[float]


class _BagFile(msgspec.Struct):
    count: _Count


@cache
def _cumulated() -> tuple[float, ...]:
    text = files(__package__).joinpath("data/bag.toml").read_bytes()
    return tuple(accumulate(msgspec.toml.decode(text, type=_BagFile).count.probability))


def bag(request: TowerHit, rng: np.random.Generator) -> Boulders:
    """Draw a count from the table of the null model, and that many boulders evenly.

    Examples
    --------
    >>> import numpy as np
    >>> from rocktower.games.trollfjord import ALL_BOULDERS
    >>> str(bag(TowerHit(ALL_BOULDERS), np.random.default_rng(7)))
    'r1 b2 y1 w1'
    """
    cumulated = _cumulated()
    count = bisect(cumulated, rng.random() * cumulated[-1])
    inside, out = list(request.inside), [0, 0, 0, 0]
    total = sum(inside)
    for left in range(total, max(total - count, 0), -1):
        pick = int(rng.random() * left)
        color = 0
        while pick >= inside[color]:
            pick -= inside[color]
            color += 1
        inside[color] -= 1
        out[color] += 1
    return Boulders(*out)


def manual(ask: Callable[[str], str]) -> Tower:
    """Ask a person at a wooden tower; what `ask` raises passes through."""
    source = Manual(ask)
    return lambda request, _rng: source.answer(request)


def recorded(hits: list[str], *, skip: int = 0) -> Tower:
    """Give hits in order from their text, after those that a resumed game has had."""
    source = Recorded(hits[skip:])
    return lambda request, _rng: source.answer(request)


def read_script(path: Path) -> list[str]:
    """Read a script: a hit a line, as in ``r2 w1`` or ``-``; a line after ``#`` is a comment."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RocktowerError(f"{path}: a script is text, a hit a line (r2 w1)") from None
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]
