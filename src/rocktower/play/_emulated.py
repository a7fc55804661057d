"""The emulated tower at the game's table: answers at once, and knows what it does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocktower.emulator import Emulator
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS, Answered, Boulders, TowerHit
from rocktower.play._physics import aimed, counted
from rocktower.randomness import Purpose, stream
from rocktower.tower import TowerState, choose_tower

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from rocktower.games.trollfjord import Header, Replay, Strike
    from rocktower.tower import Strike as Blow

__all__ = ["EmulatedTower"]


class EmulatedTower:
    """The emulator as a tower, with the physics for what the emulator was not trained on.

    That are strikes of a given side, speed and height, and contents that its games hardly ever
    came to. The physics then begins with the same boulders, those that went in last on top.

    Parameters
    ----------
    header
        Of the game, whose tower this is before its first hit.
    path
        A tower model's file; None for the packaged default.
    emulator
        The emulator's file; None for the shipped one.
    notify
        Called with a line when the physics answers for the first time.

    Attributes
    ----------
    hits, fallbacks
        How many hits it has answered, and how many of them by the physics.

    Raises
    ------
    RocktowerError
        If a file cannot be read, the emulator stands for another tower, or the game was begun
        with another emulator.
    """

    def __init__(
        self,
        header: Header,
        path: Path | None = None,
        emulator: Path | None = None,
        notify: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self.emulator = Emulator.load(emulator)
        self.model, self._striker = choose_tower(path, header.seed)
        self.emulator.require(self.model.hash)
        begun_with = header.versions.get("emulator", self.emulator.hash)
        if begun_with != self.emulator.hash:
            raise RocktowerError(
                f"the game was begun with the emulator {begun_with}, not {self.emulator.hash}: "
                "give its file by --emulator"
            )
        self._notify = notify
        self._seed = header.seed
        self._physical: TowerState | None = None  # while the physics was the last to answer
        self.hits = self.fallbacks = 0
        self.towers = self.emulator.filled(_one(ALL_BOULDERS))

    def check(self, strike: Strike) -> None:
        """Raise `RocktowerError` if this tower cannot be struck so."""
        blow = aimed(strike)
        if blow is not None:
            self.model.check_strike(blow)

    def hit(self, request: TowerHit, rng: np.random.Generator) -> Boulders:
        """Draw a hit, or let the physics answer."""
        self._fill(request.inside)
        self.hits += 1
        blow = aimed(request.strike)
        if blow is None and self.emulator.knows(self.towers)[0]:
            self._physical = None
            out, self.towers = self.emulator.strike(self.towers, rng)
            return Boulders(*out[0].tolist())
        why = "contents that it hardly knows" if blow is None else "aimed strikes"
        return self._fall_back(why, blow, rng)

    def _fall_back(self, why: str, blow: Blow | None, rng: np.random.Generator) -> Boulders:
        if not self.fallbacks:
            self._notify(f"the emulator was not trained on {why}: the physics answers these")
        self.fallbacks += 1
        state = self._physical if self._physical is not None else self._build(rng)
        blow = blow or self._striker.draw(rng, self.model.geometry.height)
        result = self.model.strike(state, blow, rng)
        self._physical = result.state
        out = counted(result)
        self.towers = self.emulator.observe(self.towers, _one(out), rng)
        return out

    def _fill(self, inside: Boulders) -> None:
        """Make the tower as full as the game says: what is missing is dropped in."""
        now = self.towers.inside[0]
        if tuple(now.tolist()) == inside:
            return
        wanted = np.array(inside)
        if (now > wanted).any():  # the game was brought elsewhere than by this tower's hits
            self.towers = self.emulator.filled(_one(np.minimum(now, wanted)))
            self._physical = None
        if (now < wanted).any():
            self.towers = self.towers.new_turn(_one(np.maximum(wanted - now, 0)))
            self._physical = None

    def _build(self, rng: np.random.Generator) -> TowerState:
        """Drop the boulders into an empty physical tower, layer by layer."""
        every = tuple(boulder for boulder, _ in self.model.all_boulders)
        state = TowerState(every, np.full((len(every), 3), np.nan))
        for layer in self.towers.layers[0].tolist():
            chosen = []
            for color, count in zip(COLORS, layer, strict=True):
                chosen += [b for b in state.outside if b.color == color][:count]
            if chosen:
                state = self.model.drop_in(state, chosen, rng)
        return state

    def resume(self, replay: Replay) -> None:
        """Bring the tower to where a game stands; say if hits came out differently."""
        different = len(self.follow(replay))
        if different:
            self._notify(f"{different} hits of the log come out differently here: the log counts")

    def follow(self, replay: Replay) -> list[tuple[int, Boulders, Boulders]]:
        """Draw the hits of a game again; return those that come out differently.

        Each with its event's number, what the log says, and what came out here. After such a hit
        the tower is brought to what the log says.
        """
        different = []
        for position, event in replay.steps:
            request = position.request if isinstance(event, Answered) else None
            if not (isinstance(event, Answered) and isinstance(request, TowerHit)):
                continue
            rng = stream(self._seed, Purpose.CHANCE, event.n)
            self._fill(request.inside)
            before, recorded = self.towers, request.parse(event.answer)
            drawn = self.hit(request, rng)
            if drawn != recorded:
                different.append((event.n, recorded, drawn))
                self.towers = self.emulator.observe(before, _one(recorded), rng)
                self._physical = None
        return different


def _one(counts: Iterable[int]) -> NDArray[np.int64]:
    """Return the boulders of one tower as those of towers side by side."""
    return np.array([list(counts)], dtype=np.int64)
