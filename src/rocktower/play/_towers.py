"""What can answer for the tower: the physics, an emulator, a bag, a person, a script, a record."""

from __future__ import annotations

from bisect import bisect
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from rocktower.chance import Manual, Recorded
from rocktower.errors import RocktowerError
from rocktower.games._data import Block, read_toml
from rocktower.games.trollfjord import Answered, Boulders, TowerHit
from rocktower.play._emulated import EmulatedTower
from rocktower.play._log_file import read_log_file
from rocktower.play._physics import PhysicsTower

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np

    from rocktower.chance import Source
    from rocktower.games.trollfjord import Replay, Strike

__all__ = ["MANUAL", "SOURCES", "BagTower", "Tower", "make_tower"]

MANUAL = "manual"
SOURCES = ("physics", "emulator", "bag", MANUAL, "scripted", "recorded")


class Tower(Protocol):
    """What answers for the tower."""

    def check(self, strike: Strike) -> None:
        """Raise `RocktowerError` if this tower cannot be struck so."""

    def hit(self, request: TowerHit, rng: np.random.Generator) -> Boulders:
        """Answer a request, drawing (if at all) from the generator, which is this event's."""
        ...


class _Count(Block, frozen=True):
    probability: tuple[float, ...]


class _BagFile(Struct):
    count: _Count


@cache
def _cumulated() -> tuple[float, ...]:
    text = files(__package__).joinpath("data/bag.toml").read_text(encoding="utf-8")
    return tuple(accumulate(read_toml(text, _BagFile, "bag.toml").count.probability))


class BagTower:
    """The null model as a tower, which any strike suits."""

    def check(self, strike: Strike) -> None:
        """Take any strike."""

    def hit(self, request: TowerHit, rng: np.random.Generator) -> Boulders:
        """Draw a count from the table of the null model, and that many boulders evenly.

        Examples
        --------
        >>> import numpy as np
        >>> from rocktower.games.trollfjord import ALL_BOULDERS
        >>> str(BagTower().hit(TowerHit(ALL_BOULDERS), np.random.default_rng(7)))
        'r1 b1 w2'
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


class SourceTower:
    """A person, a script or a record as a tower, which any strike suits."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def check(self, strike: Strike) -> None:
        """Take any strike."""

    def hit(self, request: TowerHit, _rng: np.random.Generator) -> Boulders:
        """Ask the source."""
        return self._source.answer(request)


def make_tower(
    replay: Replay,
    *,
    ask: Callable[[str], str],
    notify: Callable[[str], None],
    hits: Path | None = None,
    model: Path | None = None,
    emulator: Path | None = None,
) -> Tower:
    """Set up the tower that a game's header names, where the game stands.

    Parameters
    ----------
    replay
        The game so far.
    ask
        For "manual": shows a question to a person and gives the line that was typed. What it
        raises passes through.
    notify
        Called with a line for the people at the table.
    hits
        For "scripted" a file with a hit a line (``r2 w1``, or ``-``; what follows ``#`` is a
        comment), for "recorded" the log of a game.
    model
        For "physics" and "emulator" a tower model's file instead of the packaged default.
    emulator
        For "emulator" its file instead of the shipped one.

    Raises
    ------
    RocktowerError
        If the source is unknown, or a file is missing, malformed or superfluous.
    """
    source = replay.header.source
    if model is not None and source not in ("physics", "emulator"):
        raise RocktowerError(f"--tower is for the sources physics and emulator, not for {source}")
    if emulator is not None and source != "emulator":
        raise RocktowerError(f"--emulator is for the source emulator, not for {source}")
    if (hits is not None) != (source in ("scripted", "recorded")):
        raise RocktowerError(f"--hits goes with the sources scripted and recorded, not {source}")
    if source == "physics":
        tower = PhysicsTower(replay.header, model)
        tower.resume(replay, notify)
        return tower
    if source == "emulator":
        emulated = EmulatedTower(replay.header, model, emulator, notify)
        emulated.resume(replay)
        return emulated
    if source == "bag":
        return BagTower()
    if source == MANUAL:
        return SourceTower(Manual(ask))
    if hits is not None:
        texts = _script(hits) if source == "scripted" else _hits(read_log_file(hits)[0])
        return SourceTower(Recorded(texts[len(_hits(replay)) :]))
    raise RocktowerError(f"source {source!r}: one of {', '.join(SOURCES)} is expected")


def _script(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RocktowerError(f"{path}: a script is text, a hit a line (r2 w1)") from None
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def _hits(replay: Replay) -> list[str]:
    """List the hits of a game so far."""
    answers = (event for _, event in replay.steps if isinstance(event, Answered))
    return [event.answer for event in answers if event.request == "hit"]
