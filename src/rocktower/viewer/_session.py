"""A tower of one's own to strike: aim, strike, undo, drop in, a new tower."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.randomness import Purpose, check_seed, new_seed, stream
from rocktower.tower import Grip, check_filled
from rocktower.viewer._frame import Moment
from rocktower.viewer._hammerer import Hammerer
from rocktower.viewer._playback import Recording
from rocktower.viewer._show import Job, Struck

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from rocktower.tower import Contacts, Strike, TowerModel, TowerState
    from rocktower.viewer._frame import Blow

__all__ = ["Session"]

MOST_TROLLS = 9  # hit limit and color limit are never higher (rulebook, B3)
_COVERS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, eq=False)
class _Filled:
    """The tower between two commands: what undo goes back to."""

    seed: int
    state: TowerState
    contacts: Contacts
    hits: tuple[Struck, ...] = ()
    events: int = 0  # of the seed, as `RockTower` counts them


class Session(Hammerer):
    """A tower to strike, with a seed that repeats everything.

    Parameters
    ----------
    model
        The tower, as it is held at first.
    seed
        Of the filling and of all draws.
    striker
        Whose habits decide until one aims by hand.
    limit
        Number of hammering trolls: hit limit and color limit, 1 to 9.

    Raises
    ------
    RocktowerError
        If the tower does not hold its boulders, or a name or number is out of range.
    """

    def __init__(
        self, model: TowerModel, seed: int, striker: str = "normal", limit: int = MOST_TROLLS
    ) -> None:
        super().__init__(model, striker, check_seed(seed))
        if not 1 <= limit <= MOST_TROLLS:
            raise RocktowerError(f"limit {limit}: 1 to {MOST_TROLLS} trolls hammer")
        self._limit = limit
        self._past = [_fill(model, seed)]
        self.commands |= {
            "grip": self.change_grip,
            "cover": self.change_cover,
            "drop-in": self.drop_in,
            "undo": self.undo,
            "new": lambda: self.new(new_seed()),
            "seed": self.ask_seed,
            "limit-up": lambda: self.change_limit(1),
            "limit-down": lambda: self.change_limit(-1),
        }

    @property
    def now(self) -> _Filled:
        """The tower as it is."""
        return self._past[-1]

    @property
    def state(self) -> TowerState:
        """Where every boulder is."""
        return self.now.state

    @property
    def hits(self) -> tuple[Struck, ...]:
        """The hits since the boulders were last dropped in."""
        return self.now.hits

    @property
    def limit(self) -> int:
        """Hit limit and color limit."""
        return self._limit

    @property
    def rest(self) -> Moment:
        """The tower at rest."""
        return Moment((0.0, 0.0, 0.0), self.state.poses, contacts=self.now.contacts)

    @property
    def aimed(self) -> Blow:
        """The hammer, ready."""
        return self.aim.blow

    @property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """Who strikes, and how the tower is held."""
        return (("striker", self.aim.striker or "aimed by hand"), *super().chips)

    @property
    def subtitle(self) -> str:
        """What one does here."""
        return "strike it, and see what falls out"

    @property
    def footer(self) -> tuple[str, ...]:
        """Seed and tower."""
        name, inside = self.model.name, len(self.colors) - sum(self.counted)
        return f"seed {self.now.seed}", f"tower {name}, {inside} boulders inside"

    def strike(self) -> None:
        """Strike as aimed; if a hit still plays, see its end first."""
        self.aim.cancel()
        if self.job is not None or self.skip():
            return
        now = self.now
        rng = stream(now.seed, Purpose.DROP_IN, now.events)
        number, strike = len(now.hits) + 1, self.aim.strike
        run = partial(_strike, self.model, now.state, strike, rng, number)

        def done(result: tuple[TowerState, Struck]) -> None:
            state, struck = result
            contacts = struck.recording.rest_contacts
            assert contacts is not None  # noqa: S101 - it was simulated
            hits = (*now.hits, struck)
            self._past.append(_Filled(now.seed, state, contacts, hits, now.events + 1))
            self.play(struck.recording)
            self.aim.draw(now.events + 1)

        self.job = Job(run, done)

    def _change(self, run: Callable[[], _Filled], said: str) -> None:
        """Let a worker make another tower."""
        self.aim.cancel()
        if self.job is not None:
            return

        def done(filled: _Filled) -> None:
            self.player = None
            self._past.append(filled)
            self.aim.seed = filled.seed
            self.aim.draw(filled.events)
            self.notify(said)

        self.job = Job(run, done)

    def drop_in(self) -> None:
        """Drop what came out back into the top."""
        if self.state.outside:
            self._change(partial(_drop_in, self.model, self.now), "the boulders are back in")
        else:
            self.notify("all boulders are inside")

    def new(self, seed: int) -> None:
        """Fill a new tower."""
        self._change(partial(_fill, self.model, seed), f"a new tower, seed {seed}")

    def undo(self) -> None:
        """Go back to before the last hit, dropping in or filling."""
        if self.job is not None:
            return
        self.player = None
        if len(self._past) == 1:
            self.notify("nothing to undo")
            return
        undone = self._past.pop()
        if undone.seed != self.now.seed:
            self.notify(f"back to the tower of seed {self.now.seed}")
        elif len(undone.hits) > len(self.now.hits):
            self.notify(f"hit {len(undone.hits)} is undone")
        else:
            self.notify("the boulders are out again")
        self.aim.seed = self.now.seed
        self.aim.draw(self.now.events)

    def change_grip(self) -> None:
        """Hold the tower in the next way."""
        names = Grip.names()
        place = names.index(self.model.grip.name) if self.model.grip.name in names else -1
        self.model = self.model.held(names[(place + 1) % len(names)])

    def change_cover(self) -> None:
        """Cover the open top: not at all, half of it, all of it."""
        more = [cover for cover in _COVERS if cover > self.model.cover]
        self.model = self.model.held(cover=more[0] if more else 0.0)

    def change_limit(self, step: int) -> None:
        """Let one troll more (1) or less (-1) hammer."""
        self._limit = min(max(self._limit + step, 1), MOST_TROLLS)

    def ask_seed(self) -> None:
        """Begin to type a seed."""
        self.prompt = "seed: _"

    def type(self, name: str) -> None:
        """Take a digit, Backspace, Enter or Esc."""
        assert self.prompt is not None  # noqa: S101 - only then is something typed
        digits = self.prompt.removeprefix("seed: ").removesuffix("_")
        digit = name.strip("[]")
        if name == "escape":
            self.prompt = None
        elif name in ("return", "enter", "[enter]"):
            self.prompt = None
            if digits:
                self._new_typed(int(digits))
        elif name == "backspace":
            self.prompt = f"seed: {digits[:-1]}_"
        elif len(digit) == 1 and digit.isdecimal() and len(digits) < 20:
            self.prompt = f"seed: {digits}{digit}_"

    def _new_typed(self, seed: int) -> None:
        try:
            self.new(check_seed(seed))
        except RocktowerError as error:
            self.notify(str(error))


def _strike(
    model: TowerModel, state: TowerState, strike: Strike, rng: np.random.Generator, number: int
) -> tuple[TowerState, Struck]:
    """Simulate a strike and record it; a pure function, fit for a worker."""
    result = model.strike(state, strike, rng, trace=True)
    recording = Recording.of(model, strike, result)
    return result.state, Struck(number, strike, tuple(row for row, _ in recording.out), recording)


def _fill(model: TowerModel, seed: int) -> _Filled:
    state = model.fill(stream(seed, Purpose.FILL, 0))
    check_filled(state, name=model.name)
    return _Filled(seed, state, model.resting_contacts(state))


def _drop_in(model: TowerModel, now: _Filled) -> _Filled:
    rng = stream(now.seed, Purpose.DROP_IN, now.events)
    state = model.drop_in(now.state, now.state.outside, rng)
    contacts = model.resting_contacts(state)
    return replace(now, state=state, contacts=contacts, hits=(), events=now.events + 1)
