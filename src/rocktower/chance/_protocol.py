"""The seam between rules and chance: a request goes out, an answer comes back as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    import numpy as np

A = TypeVar("A")


class Request(Protocol[A]):
    """What chance is asked: a frozen value that knows which answers are possible."""

    def check(self, answer: A) -> None:
        """Raise `RocktowerError` if chance cannot give this answer."""

    def format(self, answer: A) -> str:
        """Write an answer as short text that `parse` reads back."""
        ...

    def parse(self, text: str) -> A:
        """Read an answer that a person typed; raise `RocktowerError` if it is none."""
        ...


@runtime_checkable
class Drawable(Request[A], Protocol[A]):
    """A request whose distribution the request itself knows: a die, a bag, a deck."""

    def sample(self, rng: np.random.Generator) -> A:
        """Draw one answer."""
        ...


class Source(Protocol):
    """Something that answers: a generator, a script, a log, a person, the physical tower."""

    def answer(self, request: Request[A]) -> A:
        """Answer a request with a value that passes its `check`."""
        ...
