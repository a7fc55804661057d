"""What the rules ask of chance: the tower's hits; shuffles and draws come from `chance`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord._actions import Strike

__all__ = ["ALL_BOULDERS", "COLORS", "NO_BOULDERS", "Boulders", "TowerHit"]

COLORS = ("red", "blue", "yellow", "white")
_WORD = re.compile(r"(?:([rbyw])([0-9]{1,2})|([0-9]{1,2})([rbyw]))")


class Boulders(NamedTuple):
    """How many boulders of each color.

    Examples
    --------
    >>> str(Boulders(2, 0, 0, 1))
    'r2 w1'
    >>> str(Boulders(0, 0, 0, 0))
    '-'
    """

    red: int
    blue: int
    yellow: int
    white: int

    @property
    def total(self) -> int:
        """How many there are in all."""
        return sum(self)

    def plus(self, other: Boulders) -> Boulders:
        """Give these and the other boulders together."""
        red, blue, yellow, white = self
        return Boulders(red + other[0], blue + other[1], yellow + other[2], white + other[3])

    def minus(self, other: Boulders) -> Boulders:
        """Give these boulders without the other ones."""
        red, blue, yellow, white = self
        return Boulders(red - other[0], blue - other[1], yellow - other[2], white - other[3])

    def excess(self, limit: int) -> int:
        """Count the boulders beyond a color limit; white is no color (B3)."""
        red, blue, yellow, _ = self
        return max(red - limit, 0) + max(blue - limit, 0) + max(yellow - limit, 0)

    def __str__(self) -> str:
        pairs = zip(COLORS, self, strict=True)
        return " ".join(f"{color[0]}{n}" for color, n in pairs if n) or "-"


NO_BOULDERS = Boulders(0, 0, 0, 0)
ALL_BOULDERS = Boulders(11, 11, 11, 11)


@dataclass(frozen=True, slots=True)
class TowerHit:
    """Chance is asked what falls out of the tower; the answer is a count of boulders by color.

    Parameters
    ----------
    inside
        The boulders in the tower.
    strike
        How the tower is struck.

    Examples
    --------
    >>> request = TowerHit(ALL_BOULDERS)
    >>> request.parse("r2 w1")
    Boulders(red=2, blue=0, yellow=0, white=1)
    >>> request.parse("-")
    Boulders(red=0, blue=0, yellow=0, white=0)
    """

    inside: Boulders
    strike: Strike = field(default_factory=Strike)

    def __str__(self) -> str:
        return "what fell out? (r2 w1, or - for an empty hit)"

    def check(self, answer: Boulders) -> None:
        """Raise `RocktowerError` if the tower holds no such boulders."""
        if not (isinstance(answer, Boulders) and all(isinstance(n, int) for n in answer)):
            raise RocktowerError(f"hit: {answer!r} is no count of boulders by color")
        for color, n, most in zip(COLORS, answer, self.inside, strict=True):
            if not 0 <= n <= most:
                raise RocktowerError(f"hit: {n} {color} boulders fell out of {most} in the tower")

    def format(self, answer: Boulders) -> str:
        """Write the boulders as ``r2 w1``, an empty hit as ``-``."""
        return str(answer)

    def parse(self, text: str) -> Boulders:
        """Read boulders: a letter and a count for each color, in any order, or ``-`` for none."""
        words = text.replace(",", " ").lower().split()
        if words == ["-"]:
            return NO_BOULDERS
        counts: dict[str, int] = {}
        for word in words:
            match = _WORD.fullmatch(word)
            if not match:
                break
            letter, number = match[1] or match[4], match[2] or match[3]
            if letter in counts:
                break
            counts[letter] = int(number)
        else:
            if words:
                return Boulders(*(counts.get(color[0], 0) for color in COLORS))
        raise RocktowerError(
            f"hit: {text.strip()!r}: r, b, y, w each with a count is expected (r2 w1), or -"
        )
