"""What is thought of a tower and its people before a hit was recorded."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from math import log
from typing import TYPE_CHECKING

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.tower import Setup
from rocktower.tower._quantity import load_toml

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

    from rocktower.tower._quantity import Table

__all__ = ["Prior", "to_coordinates", "to_values"]

# name -> (dimension, lowest and highest that can be simulated, whether ratios count)
_KNOWN = {
    "friction": ("number", 0.05, 1.5, True),
    "outlet_width": ("length", 0.013, 0.09, True),
    "grip": ("number", 0.0, 2.0, False),
    "speed": ("speed", 0.1, 10.0, True),
    "speed_spread": ("number", 0.0, 1.0, False),
}
_IS_LOG = np.array([_KNOWN[name][3] for name in Setup.names()])


def to_coordinates(values: ArrayLike) -> NDArray[np.float64]:
    """Turn values of a `Setup`, shape (..., 5), into coordinates: logarithms where ratios count.

    >>> to_values(to_coordinates([0.4, 0.025, 1.0, 2.0, 0.2])).round(6).tolist()
    [0.4, 0.025, 1.0, 2.0, 0.2]
    """
    given = np.asarray(values, dtype=float)
    return np.where(_IS_LOG, np.log(np.where(_IS_LOG, given, 1.0)), given)


def to_values(coordinates: ArrayLike) -> NDArray[np.float64]:
    """Turn coordinates, shape (..., 5), into values of a `Setup`."""
    given = np.asarray(coordinates, dtype=float)
    return np.where(_IS_LOG, np.exp(np.where(_IS_LOG, given, 0.0)), given)


@dataclass(frozen=True, slots=True)
class Prior:
    """Bounds of the five numbers of a `Setup`, and how people differ.

    Parameters
    ----------
    low, high
        In coordinates, in the order of ``Setup.names()``; uniform between them.
    striker_spread
        Standard deviation of the logarithm of median speeds of people who mean to strike alike.
    strengths
        For each word (gentle, normal, firm) the logarithm of its speed over a normal strike's, and
        the standard deviation of that.
    drop_spread
        Standard deviation of the logarithm of the speed about that of a pendulum without losses.
    name, hash
        The file's, and of its content.
    """

    low: tuple[float, ...]
    high: tuple[float, ...]
    striker_spread: float
    strengths: tuple[tuple[str, float, float], ...]
    drop_spread: float
    name: str
    hash: str

    @classmethod
    def load(cls, path: Path | None = None) -> Prior:
        """Read a prior from a TOML file, or the packaged one.

        Raises
        ------
        RocktowerError
            If the file is missing or anything in it is wrong, naming the key.
        """
        if path is None:
            text = files(__package__).joinpath("data/prior.toml").read_text("utf-8")
            return cls.decode(text, "prior.toml")
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            raise RocktowerError(f"{path}: no such file; a prior is a TOML file") from None
        except UnicodeDecodeError:
            raise RocktowerError(f"{path}: not a text file; a prior is a TOML file") from None
        except OSError as error:
            raise RocktowerError(f"{path}: cannot be read: {error.strerror or error}") from None
        return cls.decode(text, str(path))

    @classmethod
    def decode(cls, text: str, name: str) -> Prior:
        """Read a prior from TOML text; `name` (a file name) stands before every error."""
        root = load_toml(text, name)
        bounds = [_bounds(root.table(key), *_KNOWN[key][:3]) for key in Setup.names()]
        low, high = (tuple(to_coordinates(values).tolist()) for values in zip(*bounds, strict=True))
        strengths = [("normal", 0.0, 0.0)]
        words = root.table("strengths")
        for word in ("gentle", "firm"):
            table = words.table(word)
            ratio = table.quantity("ratio", "number", 0.1, 10.0)
            strengths.append((word, log(ratio), table.quantity("spread", "number", 0.01, 1.0)))
            table.done()
        words.done()
        spreads = []
        for key in ("strikers", "drop"):
            table = root.table(key)
            spreads.append(table.quantity("spread", "number", 0.01, 1.0))
            table.done()
        root.done()
        content = repr((low, high, spreads, strengths))
        return cls(
            low, high, spreads[0], tuple(strengths), spreads[1], name,
            hashlib.sha256(content.encode()).hexdigest()[:16],
        )  # fmt: skip

    def strength(self, word: str | None) -> tuple[float, float]:
        """Return the mean and variance of a strength's log ratio, one that is not named: normal."""
        for known, mean, spread in self.strengths:
            if known == (word or "normal"):
                return mean, spread**2
        raise RocktowerError(f"strength {word!r}: gentle, normal or firm is expected")


def _bounds(table: Table, dimension: str, least: float, most: float) -> tuple[float, float]:
    low = table.quantity("lowest", dimension, least, most)
    high = table.quantity("highest", dimension, least, most)
    if low >= high:
        raise table.error("highest", f"{high:g} must be above lowest, {low:g}")
    table.done()
    return low, high
