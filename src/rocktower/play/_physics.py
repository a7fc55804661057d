"""The physical tower at the game's table: struck as the players say, refilled as the rules say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import COLORS, Answered, Boulders, TowerHit
from rocktower.randomness import Purpose, stream
from rocktower.tower import Strike as Blow
from rocktower.tower import TowerState, choose_tower

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rocktower.games.trollfjord import Header, Replay, State, Strike
    from rocktower.tower import StrikeResult

__all__ = ["GameHit", "PhysicsTower", "aimed", "counted"]


@dataclass(frozen=True, slots=True)
class GameHit:
    """A hit of a game as the physics makes it, beside what the game's log says.

    Attributes
    ----------
    position
        The game as it asked the tower.
    before, blow, result
        The tower, what the hammer did to it, and what came of it.
    recorded
        What the log says; the game went on with that.
    """

    position: State
    before: TowerState
    blow: Blow
    result: StrikeResult
    recorded: Boulders

    @property
    def agrees(self) -> bool:
        """Whether the physics gave what is recorded."""
        return counted(self.result) == self.recorded


class PhysicsTower:
    """The simulated tower, as full as the game says that it is.

    Parameters
    ----------
    header
        Of the game, whose tower this is before its first hit.
    path
        A tower model's file; a posterior's folder, from which the game's seed draws a tower and
        a striker; None for the packaged default.
    is_traced
        Whether the results are to have the frames of a strike.

    Attributes
    ----------
    model
        The tower.
    last
        The last strike: the tower before it, the blow, the result.

    Raises
    ------
    RocktowerError
        If the model cannot be read, or the game was begun with another one.
    """

    def __init__(self, header: Header, path: Path | None, *, is_traced: bool = False) -> None:
        self.model, self._striker = choose_tower(path, header.seed)
        begun_with = header.versions.get("tower_model", self.model.hash)
        if begun_with != self.model.hash:
            raise RocktowerError(
                f"the game was begun with tower model {begun_with}, not {self.model.hash}: "
                "give its file or folder by --tower"
            )
        self.is_traced = is_traced
        self.last: tuple[TowerState, Blow, StrikeResult] | None = None
        self.state = self.model.fill(stream(header.seed, Purpose.FILL, 0))

    def follow(self, replay: Replay) -> Iterator[GameHit]:
        """Simulate the hits of a game again, one by one.

        Where one comes out differently (another platform, another version), the tower is
        brought to what the log says before it is struck again.
        """
        for position, event in replay.steps:
            request = position.request if isinstance(event, Answered) else None
            if isinstance(event, Answered) and isinstance(request, TowerHit):
                rng = stream(replay.header.seed, Purpose.CHANCE, event.n)
                recorded = request.parse(event.answer)
                self.hit(request, rng)
                assert self.last is not None  # noqa: S101 - it was just struck
                yield GameHit(position, *self.last, recorded)
                self.state = self.filled(request.inside.minus(recorded), rng)

    def resume(self, replay: Replay, notify: Callable[[str], None]) -> None:
        """Bring the tower to where a game stands; say if hits came out differently."""
        different = sum(not hit.agrees for hit in self.follow(replay))
        if different:
            notify(f"{different} hits of the log come out differently here: the log counts")

    def check(self, strike: Strike) -> None:
        """Raise `RocktowerError` if this tower cannot be struck so."""
        blow = self._blow(strike, np.random.default_rng(0))
        self.model.check_strike(blow)

    def hit(self, request: TowerHit, rng: np.random.Generator) -> Boulders:
        """Strike, and count what fell out; a plain strike is an ordinary person's."""
        self.state = self.filled(request.inside, rng)
        blow = self._blow(request.strike, rng)
        result = self.model.strike(self.state, blow, rng, trace=self.is_traced)
        self.last = (self.state, blow, result)
        self.state = result.state
        return counted(result)

    def _blow(self, strike: Strike, rng: np.random.Generator) -> Blow:
        return aimed(strike) or self._striker.draw(rng, self.model.geometry.height)

    def filled(self, inside: Boulders, rng: np.random.Generator) -> TowerState:
        """Return the tower as `hit` will strike it, if the game says that this is inside.

        What is missing is dropped in, and what is not inside is taken out. `rng` is the event's.
        """
        state = self.state
        poses = state.poses.copy()
        missing = []
        for color, wanted in zip(COLORS, inside, strict=True):
            within = [
                i for i, b in enumerate(state.boulders) if b.color == color and state.is_inside[i]
            ]
            lowest = sorted(within, key=lambda i: poses[i, 1])
            poses[lowest[: max(len(within) - wanted, 0)]] = np.nan
            outside = [b for b in state.outside if b.color == color]
            missing += outside[: max(wanted - len(within), 0)]
        held = TowerState(state.boulders, poses)
        return self.model.drop_in(held, missing, rng) if missing else held


def aimed(strike: Strike) -> Blow | None:
    """Return the blow if a strike says all of it; all else is an ordinary person's."""
    if strike.side is None or strike.speed_m_s is None or strike.height_m is None:
        return None
    return Blow(strike.side, strike.speed_m_s, strike.height_m)


def counted(result: StrikeResult) -> Boulders:
    """Count what fell out as the game does."""
    return Boulders(*(result.hit.counts[color] for color in COLORS))
