"""Aiming: side, height and speed, by keys, by the mouse, or by a packaged striker's habits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.randomness import Purpose, stream
from rocktower.tower import MAX_SPEED, Strike, Striker
from rocktower.viewer._frame import Blow
from rocktower.viewer._playback import wound_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.tower import Side

__all__ = ["Aim"]

_STEP, _FINE_STEP = 0.005, 0.001  # m
_SPEED_STEP = 0.1  # m/s
_CLICK = 0.18  # s: what is held longer is a blow, what is not only aims
_SLOWEST, _FASTEST = 0.3, 4.0  # m/s, of a held blow
_CHARGE = 1.4  # s, from the slowest to the fastest
_PULL = 25.0  # m/s for each metre that the hammer is pulled back
_SMALLEST_PULL = 0.012  # m


class Aim:
    """The next strike.

    Parameters
    ----------
    tower_height
        m.
    striker
        Whose habits decide; until a height or a speed is chosen by hand.
    seed
        Of the strikers' draws.
    """

    def __init__(self, tower_height: float, striker: str, seed: int) -> None:
        self._top = tower_height
        self.striker: str | None = striker
        self.seed = seed
        self._held: float | None = None  # seconds that the mouse has been down
        self._pulls = False
        self.strike = Strike("left", 1.0, 0.5 * tower_height)
        self._event = 0
        self.draw(0)
        self.commands: dict[str, Callable[[], None]] = {
            "left": lambda: self.turn("left"),
            "right": lambda: self.turn("right"),
            "higher": lambda: self.lift(_STEP),
            "lower": lambda: self.lift(-_STEP),
            "higher-fine": lambda: self.lift(_FINE_STEP),
            "lower-fine": lambda: self.lift(-_FINE_STEP),
            "faster": lambda: self.hurry(_SPEED_STEP),
            "slower": lambda: self.hurry(-_SPEED_STEP),
            **{name: self._taker(name) for name in Striker.names()},
        }

    def _taker(self, name: str) -> Callable[[], None]:
        return lambda: self.take_striker(name)

    def take_striker(self, name: str) -> None:
        """Let a packaged striker's habits decide, from now on."""
        self.striker = name
        self.draw(self._event)

    def draw(self, event: int) -> None:
        """Draw the striker's next blow, as `RockTower` does; an aim by hand stays as it is.

        `event` counts what has happened to the tower, and numbers the draw.
        """
        self._event = event
        if self.striker is not None:
            rng = stream(self.seed, Purpose.STRIKER, event)
            self.strike = Striker.named(self.striker).draw(rng, self._top)

    def turn(self, side: Side) -> None:
        """Strike a side; what the striker would do stays as it is."""
        self.strike = Strike(side, self.strike.speed, self.strike.height)

    def lift(self, step: float) -> None:
        """Strike higher by a step (m)."""
        self._choose(self.strike.side, self.strike.speed, self.strike.height + step)

    def hurry(self, step: float) -> None:
        """Strike faster by a step (m/s)."""
        self._choose(self.strike.side, round(self.strike.speed + step, 3), self.strike.height)

    def _choose(self, side: Side, speed: float, height: float) -> None:
        self.striker = None
        speed = min(max(speed, 0.1), MAX_SPEED)
        self.strike = Strike(side, speed, min(max(height, 0.001), self._top))

    @property
    def is_charging(self) -> bool:
        """Whether the mouse holds the hammer back."""
        return self._held is not None

    def press(self, side: Side, height: float) -> None:
        """Aim at a side and a height (m), and begin to hold the hammer back."""
        self._choose(side, self.strike.speed, height)
        self._held, self._pulls = 0.0, False

    def pull(self, distance: float) -> None:
        """Pull the hammer back by a distance (m), which decides its speed."""
        if self._held is not None and (self._pulls or distance > _SMALLEST_PULL):
            self._pulls = True
            side, height = self.strike.side, self.strike.height
            self._choose(side, min(_PULL * distance, 2 * _FASTEST), height)

    def advance(self, seconds: float) -> None:
        """Hold on: the longer, the faster."""
        if self._held is None:
            return
        self._held += seconds
        if not self._pulls and self._held > _CLICK:
            share = min((self._held - _CLICK) / _CHARGE, 1.0)
            speed = _SLOWEST + share * (_FASTEST - _SLOWEST)
            self._choose(self.strike.side, speed, self.strike.height)

    def release(self) -> bool:
        """Let go; return whether that is a blow (a click only aims)."""
        strikes = self._held is not None and (self._pulls or self._held > _CLICK)
        self._held = None
        return strikes

    def cancel(self) -> None:
        """Let go without a blow."""
        self._held = None

    @property
    def blow(self) -> Blow:
        """The hammer, held back as far as its speed asks."""
        strike = self.strike
        gap = wound_up(strike.speed)
        return Blow(strike.side, strike.height, strike.speed, gap, is_aim=True)
