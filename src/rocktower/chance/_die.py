"""A die: a list of faces, each as likely as the next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from rocktower.chance._words import list_words, read_word
from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np

F = TypeVar("F", bound="Hashable")


@dataclass(frozen=True, slots=True)
class Die(Generic[F]):
    """A fair die. A face may stand on several sides; any even choice is a die, too.

    Parameters
    ----------
    faces
        One item a side, at least one; distinct items need distinct texts (``str``).

    Raises
    ------
    RocktowerError
        If there is no face.

    Examples
    --------
    >>> Die(("red", "red", "blue", "blue", "yellow", "yellow")).pmf()["red"]
    0.3333333333333333
    """

    faces: tuple[F, ...]

    def __post_init__(self) -> None:
        if not self.faces:
            raise RocktowerError("a die needs at least one face")

    def pmf(self) -> dict[F, float]:
        """Give the exact probability of every distinct face."""
        return {face: n / len(self.faces) for face, n in Counter(self.faces).items()}


D6 = Die((1, 2, 3, 4, 5, 6))


@dataclass(frozen=True, slots=True)
class RollDie(Generic[F]):
    """Chance is asked to roll a die; the answer is the face that lies on top.

    Parameters
    ----------
    die
        The die.
    label
        What the roll is for, as the person who is asked reads it.
    """

    die: Die[F]
    label: str = "die"

    def __str__(self) -> str:
        return f"{self.label} ({list_words(self.die.pmf())})"

    def pmf(self) -> dict[F, float]:
        """Give the exact probability of every answer."""
        return self.die.pmf()

    def sample(self, rng: np.random.Generator) -> F:
        """Roll."""
        return self.die.faces[int(rng.integers(len(self.die.faces)))]

    def check(self, answer: F) -> None:
        """Raise `RocktowerError` if the die has no such face."""
        if answer not in self.die.faces:
            raise RocktowerError(f"{self.label}: the die has no face {str(answer)!r}")

    def format(self, answer: F) -> str:
        """Write the face as text."""
        return str(answer)

    def parse(self, text: str) -> F:
        """Read a face, or the beginning of one; raise `RocktowerError` if there is none."""
        try:
            return read_word(text, self.die.faces)
        except RocktowerError as error:
            raise RocktowerError(f"{self.label}: {error}") from None
