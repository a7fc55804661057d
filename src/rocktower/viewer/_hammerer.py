"""A session in which a person aims, by keys or by the mouse, and strikes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.viewer._aim import Aim
from rocktower.viewer._show import Show

if TYPE_CHECKING:
    from rocktower.tower import Side, TowerModel

__all__ = ["Hammerer"]


class Hammerer(Show):
    """The base of the sessions that one strikes in.

    Attributes
    ----------
    aim
        The next strike.
    """

    def __init__(self, model: TowerModel, striker: str, seed: int) -> None:
        super().__init__(model)
        self.aim = Aim(model.geometry.height, striker, seed)
        self.commands |= self.aim.commands
        self.commands["strike"] = self.strike

    def strike(self) -> None:
        """Strike as aimed; if a hit still plays, see its end first."""
        raise NotImplementedError

    @property
    def can_aim(self) -> bool:
        """Whether the mouse may take the hammer now."""
        return not self.is_playing and self.job is None

    @property
    def is_moving(self) -> bool:
        """Whether the next picture may differ: also while the mouse holds the hammer back."""
        return super().is_moving or self.aim.is_charging

    def press(self, side: Side, height: float) -> None:
        """Aim at the wall, and hold the hammer back."""
        if self.can_aim:
            self.aim.press(side, height)

    def pull(self, distance: float) -> None:
        """Pull the hammer back."""
        self.aim.pull(distance)

    def release(self) -> None:
        """Let the hammer go."""
        if self.aim.release():
            self.strike()

    def cancel(self) -> None:
        """Put the hammer down."""
        self.aim.cancel()

    def advance(self, seconds: float) -> None:
        """Let time go by."""
        super().advance(seconds)
        self.aim.advance(seconds)
