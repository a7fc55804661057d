"""What the worker processes do: an event from a tower's row, ready to be written and shown."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rocktower.errors import RocktowerError
from rocktower.server._events import drop, fill, hit, state_of
from rocktower.server._picture import encode_frames, picture
from rocktower.tower import TowerModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocktower.server._events import Aim, Happened, Poses
    from rocktower.server._fairness import Secret

__all__ = ["Filled", "Made", "make_drop", "make_filling", "make_hit", "make_picture", "model_of"]


_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Made:
    """An event: what all may read, what stays secret, and the frames of a hit."""

    public: dict[str, Any]
    private: dict[str, Any]
    frames: str | None = None


@dataclass(frozen=True, slots=True)
class Filled:
    """A new tower: its model's name and hash, what is in it, and the first event."""

    name: str
    hash: str
    boulders: dict[str, int]
    made: Made


@lru_cache(maxsize=32)
def model_of(text: str) -> TowerModel:
    """Return the model of a TOML text, held as usual.

    Raises
    ------
    RocktowerError
        If there is something wrong with it.
    """
    return TowerModel.parse(text, "model")


def make_filling(text: str, secret: Secret, boulders: Mapping[str, int] | None) -> Filled:
    """Fill a new tower; with all of its boulders if None are named.

    Raises
    ------
    RocktowerError
        If the model is wrong, cannot hold its boulders, or has no name to show to others.
    """
    model = model_of(text)
    if len(model.name) > _LONGEST_NAME or not model.name.isprintable():
        raise RocktowerError(f"model: name: give one line of {_LONGEST_NAME} characters at most")
    counts = dict(model.boulders.colors if boulders is None else boulders)
    with _simulated(model):
        return Filled(model.name, model.hash, counts, _made(fill(model, secret, counts)))


def make_hit(
    text: str, secret: Secret, n: int, poses: Poses, aim: Aim, *, is_watched: bool
) -> Made:
    """Strike a tower as event `n`."""
    model = model_of(text)
    with _simulated(model):
        happened = hit(model, secret, n, state_of(model, poses), aim, trace=is_watched)
    result = happened.result
    frames = encode_frames(n, result) if is_watched and result is not None else None
    return _made(happened, frames)


def make_drop(text: str, secret: Secret, n: int, poses: Poses, boulders: Mapping[str, int]) -> Made:
    """Drop boulders back in as event `n`."""
    model = model_of(text)
    with _simulated(model):
        return _made(drop(model, secret, n, state_of(model, poses), boulders))


def make_picture(text: str, poses: Poses) -> dict[str, Any]:
    """Describe how a tower looks."""
    model = model_of(text)
    return picture(model, state_of(model, poses))


@contextmanager
def _simulated(model: TowerModel) -> Iterator[None]:
    """Blame a model of somebody's own, not the server, if its numbers get out of hand.

    Raises
    ------
    RocktowerError
        If simulating another model than the packaged one meets what has no value.
    """
    try:
        yield
    except RocktowerError:
        raise
    except (ArithmeticError, ValueError) as error:
        if model.hash == TowerModel.load().hash:
            raise
        raise RocktowerError(f"model: {model.name} cannot be simulated: {error}") from error


def _made(happened: Happened, frames: str | None = None) -> Made:
    return Made(happened.public(), happened.private(), frames)
