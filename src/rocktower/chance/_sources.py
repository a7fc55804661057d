"""What can answer a request: a generator, a script, a log, a person."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar, cast

from rocktower.chance._protocol import Drawable, Request
from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np

A = TypeVar("A")


class Sampled:
    """Draws every answer from a generator; only for requests that know their distribution."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def answer(self, request: Request[A]) -> A:
        """Draw an answer; raise `RocktowerError` if the request cannot draw (a tower's hit)."""
        if not isinstance(request, Drawable):
            raise RocktowerError(f"{request}: a generator alone cannot answer this")
        return cast("A", request.sample(self._rng))


class Scripted:
    """Gives answers from a list, in order: for tests, and to set up a position."""

    def __init__(self, answers: Iterable[Any]) -> None:
        self._answers = deque(answers)

    def answer(self, request: Request[A]) -> A:
        """Give the next answer; raise `RocktowerError` if none is left or it cannot be."""
        if not self._answers:
            raise RocktowerError(f"{request}: the script has no answer left")
        answer: A = self._answers.popleft()
        request.check(answer)
        return answer


class Recorded:
    """Gives answers from their written form, in order, as a log holds them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = deque(texts)

    @property
    def remaining(self) -> int:
        """How many answers nobody asked for yet; after a replay, 0 is right."""
        return len(self._texts)

    def answer(self, request: Request[A]) -> A:
        """Read the next answer; raise `RocktowerError` if none is left or it cannot be."""
        if not self._texts:
            raise RocktowerError(f"{request}: the record has no answer left")
        answer = request.parse(self._texts.popleft())
        request.check(answer)
        return answer


class Manual:
    """Asks a person what happened at the real table, again and again until it is possible.

    Parameters
    ----------
    ask
        Shows a text and gives back the line that was typed. What it raises (the end of the
        input, an interrupt) passes through.
    """

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask

    def answer(self, request: Request[A]) -> A:
        """Ask until the answer is one that chance can give."""
        question = str(request)
        while True:
            text = self._ask(question)
            try:
                answer = request.parse(text)
                request.check(answer)
            except RocktowerError as error:
                question = f"{error}. Again: {request}"
            else:
                return answer
