"""The physical tower at the game's table: struck as the players say, refilled as the rules say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import COLORS, Answered, Boulders, Replay, Strike, TowerHit
from rocktower.randomness import Purpose, stream
from rocktower.tower import Strike as Blow
from rocktower.tower import TowerState, choose_tower

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["PhysicsTower"]


class PhysicsTower:
    """The simulated tower, as full as the game says that it is.

    Parameters
    ----------
    replay
        The game so far: its hits are simulated again. Where one comes out differently (another
        platform, another version), the tower is brought to what the log says.
    path
        A tower model's file; a posterior's folder, from which the game's seed draws a tower and
        a striker; None for the packaged default.
    notify
        Called with a line if hits came out differently.

    Raises
    ------
    RocktowerError
        If the model cannot be read, or the game was begun with another one.
    """

    def __init__(self, replay: Replay, path: Path | None, notify: Callable[[str], None]) -> None:
        seed = replay.header.seed
        self._model, self._striker = choose_tower(path, seed)
        begun_with = replay.header.versions.get("tower_model", self._model.hash)
        if begun_with != self._model.hash:
            raise RocktowerError(
                f"the game was begun with tower model {begun_with}, not {self._model.hash}: "
                "give its file or folder by --tower"
            )
        self._state = self._model.fill(stream(seed, Purpose.FILL, 0))
        different = 0
        for before, event in replay.steps:
            request = before.request if isinstance(event, Answered) else None
            if isinstance(event, Answered) and isinstance(request, TowerHit):
                rng = stream(seed, Purpose.CHANCE, event.n)
                hit = request.parse(event.answer)
                different += self.hit(request, rng) != hit
                self._hold(request.inside.minus(hit), rng)
        if different:
            notify(f"{different} hits of the log come out differently here: the log counts")

    def check(self, strike: Strike) -> None:
        """Raise `RocktowerError` if this tower cannot be struck so."""
        blow = self._blow(strike, np.random.default_rng(0))
        self._model.check_strike(blow)

    def hit(self, request: TowerHit, rng: np.random.Generator) -> Boulders:
        """Strike, and count what fell out; a plain strike is an ordinary person's."""
        self._hold(request.inside, rng)
        blow = self._blow(request.strike, rng)
        result = self._model.strike(self._state, blow, rng)
        self._state = result.state
        return Boulders(*(result.hit.counts[color] for color in COLORS))

    def _blow(self, strike: Strike, rng: np.random.Generator) -> Blow:
        if strike.side is None or strike.speed_m_s is None or strike.height_m is None:
            return self._striker.draw(rng, self._model.geometry.height)
        return Blow(strike.side, strike.speed_m_s, strike.height_m)

    def _hold(self, inside: Boulders, rng: np.random.Generator) -> None:
        """Drop in what the game says is inside, and take out what it says is not."""
        state = self._state
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
        self._state = TowerState(state.boulders, poses)
        if missing:
            self._state = self._model.drop_in(self._state, missing, rng)
