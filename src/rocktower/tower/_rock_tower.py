"""A tower with a current state, for people who just want to strike it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.randomness import Purpose, check_seed, new_seed, stream
from rocktower.tower._model import TowerModel
from rocktower.tower._strike import Side, Strike, Striker, check_side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocktower.tower._state import Boulder, Hit, StrikeResult, TowerState

__all__ = ["RockTower"]


class RockTower:
    """The Rock Tower on your table: filled when it is made, struck, and filled again.

    Parameters
    ----------
    model
        The packaged default if None.
    seed
        Decides everything that follows; a new one from the operating system if None.
    striker
        Whose habits decide what a strike leaves open; or a packaged striker's name.

    Examples
    --------
    >>> tower = RockTower(seed=7)
    >>> hit = tower.strike("left")
    >>> len(tower.state.inside) + len(hit)
    44
    >>> tower.drop_in()
    >>> len(tower.state.inside)
    44
    """

    def __init__(
        self,
        model: TowerModel | None = None,
        *,
        seed: int | None = None,
        striker: Striker | str = "normal",
    ) -> None:
        self.model = model or TowerModel.load()
        self.seed = new_seed() if seed is None else check_seed(seed)
        self.striker = Striker.named(striker) if isinstance(striker, str) else striker
        self._events = 0
        rng = stream(self.seed, Purpose.FILL, self._events)
        self.state: TowerState = self.model.fill(rng)
        self.last_strike: Strike | None = None
        self.last_result: StrikeResult | None = None

    def __repr__(self) -> str:
        return f"<RockTower {self.model.name!r}, seed {self.seed}: {self.state!r}>"

    def strike(
        self,
        strike: Strike | Side | None = None,
        *,
        speed: float | None = None,
        height: float | None = None,
        trace: bool = False,
    ) -> Hit:
        """Strike the tower; return what came out of it.

        Parameters
        ----------
        strike
            The strike itself, or only its side, or nothing: what it leaves open is drawn from
            the striker's habits.
        speed, height
            m/s and m; replace what the striker would do.
        trace
            Record frames in ``last_result.trace``.

        Raises
        ------
        RocktowerError
            For a side that is never struck, an impossible speed, a height off the tower.
        """
        if not isinstance(strike, Strike):
            if strike is not None:
                check_side(strike)
            rng = stream(self.seed, Purpose.STRIKER, self._events)
            drawn = self.striker.draw(rng, self.model.geometry.height, strike)
            strike = Strike(
                drawn.side,
                drawn.speed if speed is None else speed,
                drawn.height if height is None else height,
            )
        elif speed is not None or height is not None:
            raise RocktowerError("give speed and height in the Strike, or beside its side")
        rng = stream(self.seed, Purpose.DROP_IN, self._events)
        result = self.model.strike(self.state, strike, rng, trace=trace)
        self.last_strike, self.last_result = strike, result
        self.state = result.state
        self._events += 1
        return result.hit

    def drop_in(self, boulders: Iterable[Boulder] | None = None) -> None:
        """Drop boulders back into the top: those given, or all that are outside."""
        rng = stream(self.seed, Purpose.DROP_IN, self._events)
        chosen = self.state.outside if boulders is None else tuple(boulders)
        self.state = self.model.drop_in(self.state, chosen, rng)
        self._events += 1
