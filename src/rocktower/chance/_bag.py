"""A bag: things drawn blindly, without replacement, as the bag is at that moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Generic, TypeVar

from rocktower.chance._words import list_words, read_word, require_words
from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T", bound="Hashable")

# More outcomes than this are not listed: the answer would fill the memory, not help.
MAX_OUTCOMES = 1_000_000


@dataclass(frozen=True, slots=True)
class Bag(Generic[T]):
    """A multiset of things. It holds no order: what comes out is decided by the draw.

    Build one with `Bag.of`. Kinds keep their place when their count falls to zero, so that
    the columns of two distributions of one bag agree.

    Parameters
    ----------
    kinds
        The distinct things, in a fixed order.
    counts
        How many of each are in the bag, 0 or more.

    Examples
    --------
    >>> bag = Bag.of({"goat": 7, "cow": 8})
    >>> bag = bag.take(["goat", "cow", "goat"]).put(["cow"])
    >>> dict(bag), len(bag)
    ({'goat': 5, 'cow': 8}, 13)
    >>> {counts: round(p, 3) for counts, p in bag.pmf(draws=2).items()}
    {(2, 0): 0.128, (1, 1): 0.513, (0, 2): 0.359}
    """

    kinds: tuple[T, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, things: Mapping[T, int] | Iterable[T]) -> Bag[T]:
        """Fill a bag from counts by kind, or thing by thing.

        Raises
        ------
        RocktowerError
            If a count is negative, or two kinds read the same as text.
        """
        counts = dict(things) if isinstance(things, Mapping) else Counter(things)
        require_words(counts)
        for kind, n in counts.items():
            if n < 0:
                raise RocktowerError(f"a bag cannot hold {n} of {kind}: 0 or more is expected")
        return cls(tuple(counts), tuple(counts.values()))

    def __len__(self) -> int:
        return sum(self.counts)

    def __iter__(self) -> Iterator[tuple[T, int]]:
        return iter(zip(self.kinds, self.counts, strict=True))

    def __getitem__(self, kind: T) -> int:
        return self.counts[self._index(kind)]

    def _index(self, kind: T) -> int:
        try:
            return self.kinds.index(kind)
        except ValueError:
            known = ", ".join(map(str, self.kinds))
            raise RocktowerError(f"the bag knows no {kind}, only {known}") from None

    def things(self) -> list[T]:
        """List every single thing in the bag, kind by kind."""
        return [kind for kind, n in self for _ in range(n)]

    def take(self, things: Iterable[T]) -> Bag[T]:
        """Give the bag without these things; raise `RocktowerError` if one isn't there."""
        counts = list(self.counts)
        for kind in things:
            i = self._index(kind)
            if counts[i] == 0:
                raise RocktowerError(f"no {kind} is left in the bag")
            counts[i] -= 1
        return Bag(self.kinds, tuple(counts))

    def put(self, things: Iterable[T]) -> Bag[T]:
        """Give the bag with these things back in it; raise `RocktowerError` for a strange kind."""
        counts = list(self.counts)
        for kind in things:
            counts[self._index(kind)] += 1
        return Bag(self.kinds, tuple(counts))

    def pmf(self, draws: int) -> dict[tuple[int, ...], float]:
        """Give the exact distribution of the counts by kind in a draw without replacement.

        Parameters
        ----------
        draws
            How many things are drawn, 0 to ``len(bag)``.

        Returns
        -------
        dict
            Probability by counts; the counts are in the order of `kinds`.

        Raises
        ------
        RocktowerError
            If the bag holds fewer things, or there are more than a million outcomes.
        """
        from scipy.stats import multivariate_hypergeom

        self._require(draws)
        if comb(draws + len(self.kinds) - 1, draws) > MAX_OUTCOMES:
            raise RocktowerError(f"too many outcomes to list for {draws} draws; ask for one kind")
        splits = list(_splits(self.counts, draws))
        if draws == 0:
            return dict.fromkeys(splits, 1.0)
        odds = multivariate_hypergeom.pmf(splits, self.counts, draws)
        return {split: float(p) for split, p in zip(splits, odds, strict=True)}

    def count_pmf(self, kinds: Iterable[T], draws: int) -> NDArray[np.float64]:
        """Give the exact distribution of how many of some kinds are in a draw.

        Returns
        -------
        ndarray
            Shape ``(draws + 1,)``: the probability of 0, 1, ... ``draws`` things of these kinds.

        Raises
        ------
        RocktowerError
            If the bag holds fewer things, or knows no such kind.
        """
        import numpy as np
        from scipy.stats import hypergeom

        self._require(draws)
        good = sum(self[kind] for kind in set(kinds))
        # scipy has no hypergeometric distribution of an empty bag; one blank changes nothing.
        odds = hypergeom.pmf(np.arange(draws + 1), max(len(self), 1), good, draws)
        return np.asarray(odds, dtype=np.float64)

    def expected(self, draws: int) -> dict[T, float]:
        """Give the expected number of each kind in a draw."""
        self._require(draws)
        return {kind: draws * n / max(len(self), 1) for kind, n in self}

    def _require(self, draws: int) -> None:
        if not 0 <= draws <= len(self):
            raise RocktowerError(f"cannot draw {draws} from a bag of {len(self)}")


@dataclass(frozen=True, slots=True)
class DrawFromBag(Generic[T]):
    """Chance is asked to draw from a bag; the answer is what came out, in its order.

    Drawing everything is a shuffle: the answer is then a permutation.

    Parameters
    ----------
    bag
        The bag as it is now.
    draws
        How many things are drawn without replacement, 0 to ``len(bag)``.
    label
        What the draw is for, as the person who is asked reads it.

    Raises
    ------
    RocktowerError
        If the bag holds fewer things.
    """

    bag: Bag[T]
    draws: int = 1
    label: str = "bag"

    def __post_init__(self) -> None:
        self.bag._require(self.draws)

    def __str__(self) -> str:
        kinds = list_words(kind for kind, n in self.bag if n)
        return f"{self.label}: {self.draws} in order ({kinds})"

    def pmf(self) -> dict[tuple[T, ...], float]:
        """Give the exact probability of every answer, which is an *ordered* draw.

        `Bag.pmf` gives the counts without the order. Raises `RocktowerError` if there may be
        more than a million answers.
        """
        if sum(n > 0 for n in self.bag.counts) ** self.draws > MAX_OUTCOMES:
            raise RocktowerError(f"too many ordered draws of {self.draws} to list; use Bag.pmf")
        odds: dict[tuple[T, ...], float] = {(): 1.0}
        for _ in range(self.draws):
            longer = {}
            for drawn, p in odds.items():
                left = self.bag.take(drawn)
                longer.update({(*drawn, kind): p * n / len(left) for kind, n in left if n})
            odds = longer
        return odds

    def sample(self, rng: np.random.Generator) -> tuple[T, ...]:
        """Draw without replacement, each thing in the bag as likely as the next."""
        things = self.bag.things()
        return tuple(things[i] for i in rng.choice(len(things), self.draws, replace=False))

    def check(self, answer: tuple[T, ...]) -> None:
        """Raise `RocktowerError` unless the bag can give exactly this."""
        if len(answer) != self.draws:
            raise RocktowerError(f"{self.label}: {len(answer)} drawn, {self.draws} expected")
        try:
            self.bag.take(answer)
        except RocktowerError as error:
            raise RocktowerError(f"{self.label}: {error}") from None

    def format(self, answer: tuple[T, ...]) -> str:
        """Write the things as words, in the order of the draw."""
        return " ".join(map(str, answer))

    def parse(self, text: str) -> tuple[T, ...]:
        """Read words with spaces or commas between them; raise `RocktowerError` if one is none."""
        try:
            return tuple(read_word(w, self.bag.kinds) for w in text.replace(",", " ").split())
        except RocktowerError as error:
            raise RocktowerError(f"{self.label}: {error}") from None


def _splits(counts: tuple[int, ...], draws: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take ``draws`` things out of ``counts``, as counts by kind."""
    if not counts:
        if draws == 0:
            yield ()
        return
    rest = sum(counts[1:])
    for first in range(min(counts[0], draws), max(0, draws - rest) - 1, -1):
        for others in _splits(counts[1:], draws - first):
            yield (first, *others)
