"""The hammering of a turn of Trollfjord in the window: its limits, its crew, strike or stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.games.trollfjord import (
    ALL_BOULDERS,
    PLAYER_COLORS,
    Acted,
    Stop,
    parse_action,
    phases,
)
from rocktower.games.trollfjord import Strike as Decision
from rocktower.randomness import Purpose, stream
from rocktower.viewer._frame import Moment
from rocktower.viewer._hammerer import Hammerer
from rocktower.viewer._playback import Recording
from rocktower.viewer._replay import crew_of, is_hit, rows_for
from rocktower.viewer._show import Job, Struck
from rocktower.viewer._window import Window, check_display

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from rocktower.games.trollfjord import Action, Boulders, Event, Replay, State, TowerHit
    from rocktower.play import Bot, PhysicsTower
    from rocktower.viewer._frame import Blow

__all__ = ["GameWindow", "Turn"]

_LAST_LOOK = 1.6  # s that the end of a hit is shown before the game goes on by itself


class Turn(Hammerer):
    """The hammering of one turn, as the window shows it.

    Parameters
    ----------
    tower, position, seed
        The game's tower, where the game stands, its seed.
    earlier
        The hits of this turn so far.

    Attributes
    ----------
    decision
        What the person has decided: a strike or a stop.
    answer
        What came out in the last hit.
    """

    def __init__(
        self, tower: PhysicsTower, position: State, seed: int, earlier: Sequence[Boulders] = ()
    ) -> None:
        super().__init__(tower.model, "normal", seed)
        self._tower = tower
        self._hits = _unseen(tower, earlier)
        self._seen = 0.0
        self.decision: Action | None = None
        self.position = position
        self._seed = seed
        self._is_asked = False
        self._next: State | None = None
        self.answer: Boulders | None = None
        self._rest: Moment | None = None
        self.commands["stop"] = self.stop

    def ask(self, position: State, rng: np.random.Generator) -> None:
        """Ask the hammerer: strike, or stop.

        `rng` is the generator of the hit that would follow: with it the tower is filled.
        """
        self.position, self.decision, self._is_asked = position, None, True
        self.aim.draw(position.turns * 10 + position.hammering.hits)

        def fill() -> Moment:
            state = self._tower.filled(ALL_BOULDERS.minus(position.hammering.out), rng)
            contacts = self.model.resting_contacts(state)
            return Moment((0.0, 0.0, 0.0), state.poses, contacts=contacts)

        def show(rest: Moment) -> None:
            self._rest = rest

        self.job = Job(fill, show)

    @property
    def hits(self) -> tuple[Struck, ...]:
        """The hits of this turn."""
        return self._hits

    @property
    def limit(self) -> int:
        """The limit of this turn."""
        return self.position.hammering.limit

    @property
    def title(self) -> str:
        """Who hammers."""
        return crew_of(self.position)[0]

    @property
    def subtitle(self) -> str:
        """Who is the comrade, and where this is."""
        return crew_of(self.position)[1]

    @property
    def footer(self) -> tuple[str, ...]:
        """Seed and tower."""
        return f"seed {self._seed}", f"tower {self.model.name}, held as the game says"

    @property
    def rest(self) -> Moment:
        """The tower at rest."""
        return self._rest or Moment((0.0, 0.0, 0.0), self._tower.state.poses)

    @property
    def aimed(self) -> Blow | None:
        """The hammer, while a person is asked."""
        return self.aim.blow if self._is_asked else None

    @property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """What may be done, who strikes, and how the tower is held."""
        if not self._is_asked or self.is_playing:
            return super().chips
        striker = ("striker", self.aim.striker or "aimed by hand")
        goes_on = self.position.hammering.hits > 0
        asked: tuple[tuple[str, str], ...] = (("Space", "keep hammering" if goes_on else "strike"),)
        if Stop() in self.position.legal_actions():
            asked += (("X", "stop hammering"),)
        return (*asked, striker, *super().chips)

    @property
    def empty_hit_detail(self) -> str:
        """What an empty hit does to this crew."""
        crew = [PLAYER_COLORS[player] for player in self.position.hammering.crew]
        if len(crew) < 2:
            return "nothing fell out; who hammers alone goes on"
        return f"roles swap: {crew[0]} hammers now, {crew[1]} is the comrade"

    def strike(self) -> None:
        """Decide to strike as aimed; if a hit still plays, see its end first."""
        if self.skip() or not self._is_asked:
            return
        strike = self.aim.strike
        self.decision = Decision(strike.side, strike.speed, strike.height)

    def stop(self) -> None:
        """Decide to stop, if the rules let one."""
        if self.skip() or not self._is_asked:
            return
        if Stop() in self.position.legal_actions():
            self.decision = Stop()
        else:
            self.notify("one stops after a hit, not before the first")

    @property
    def can_aim(self) -> bool:
        """Whether the mouse may take the hammer: while the hammerer is asked."""
        return self._is_asked and not self.is_playing

    def advance(self, seconds: float) -> None:
        """Let time go by."""
        super().advance(seconds)
        if self.player is None or not self.player.is_over:
            self._seen = 0.0
            return
        self._seen += seconds
        if self._next is not None and self._next.hammering.crew:
            self.position, self._next = self._next, None

    def hit(self, run: Callable[[], Boulders]) -> None:
        """Let the tower be struck in a worker, then play what came of it."""
        self._is_asked, self.answer = False, None

        def record() -> tuple[Boulders, Recording]:
            answer = run()
            assert self._tower.last is not None  # noqa: S101 - it was just struck
            _, blow, result = self._tower.last
            return answer, Recording.of(self.model, blow, result)

        def done(struck: tuple[Boulders, Recording]) -> None:
            self.answer, recording = struck
            rows = tuple(row for row, _ in recording.out)
            number = self.position.hammering.hits + 1
            self._hits = (*self._hits, Struck(number, recording.strike, rows, recording))
            self._next = self.position.apply(self.answer)
            self.play(recording)

        self.job = Job(record, done)

    def failed(self, error: Exception) -> None:
        """End the game: without this hit it cannot go on."""
        raise error

    def is_seen(self, *, goes_on: bool) -> bool:
        """Whether the last hit has been watched; a while longer unless the window goes on."""
        over = self.job is None and self.player is not None and self.player.is_over
        return over and (goes_on or self._seen >= _LAST_LOOK)


def _unseen(tower: PhysicsTower, hits: Sequence[Boulders]) -> tuple[Struck, ...]:
    """Show hits of which only the result is known, with boulders that are not in the tower."""
    outside = [row for row, is_inside in enumerate(tower.state.is_inside) if not is_inside]
    taken: list[int] = []
    shown = []
    for number, hit in enumerate(hits, 1):
        rows = rows_for(tower.model, hit, taken, outside)
        taken += rows
        recording = Recording.unseen(rows, len(tower.state.boulders))
        shown.append(Struck(number, None, rows, recording))
    return tuple(shown)


class GameWindow:
    """The window at the game's table: for people it decides when to strike, for all it shows it.

    It takes the place of a terminal while there is hammering. Who closes it types on at the
    terminal until the next hammering.

    Parameters
    ----------
    terminal
        Asks people everything else.
    tower
        The game's tower.
    replay
        The game, which goes on meanwhile.
    people
        Which players are people.

    Raises
    ------
    RocktowerError
        If there is no display.
    """

    def __init__(
        self, terminal: Bot, tower: PhysicsTower, replay: Replay, people: Sequence[bool]
    ) -> None:
        check_display()
        tower.is_traced = True
        self._terminal, self._tower, self._people = terminal, tower, people
        self._replay = replay
        self._window: Window | None = None
        self._turn: Turn | None = None
        self._is_left = False
        self._position: State | None = None

    def decide(self, state: State, actions: Sequence[Action], rng: np.random.Generator) -> Action:
        """Ask in the window whether to strike, and how; anything else at the terminal."""
        if not isinstance(state.phase, phases.Striking) or self._is_left:
            self.close()
            return self._terminal.decide(state, actions, rng)
        turn = self._shown(state)
        seed = self._replay.header.seed
        # The next events will be the strike and its hit, which has a generator of its own.
        turn.ask(state, stream(seed, Purpose.CHANCE, self._replay.count + 2))
        if self._run(turn, lambda: turn.decision is not None) and turn.decision is not None:
            return turn.decision
        return self._terminal.decide(state, actions, rng)

    def check(self, strike: Decision) -> None:
        """Raise `RocktowerError` if this tower cannot be struck so."""
        self._tower.check(strike)

    def hit(self, request: TowerHit, rng: np.random.Generator) -> Boulders:
        """Strike the game's tower, and show it."""
        if self._is_left or self._position is None:
            return self._tower.hit(request, rng)
        turn = self._shown(self._position)
        turn.hit(lambda: self._tower.hit(request, rng))
        self._run(turn, lambda: turn.is_seen(goes_on=self._goes_on(turn)))
        assert turn.answer is not None  # noqa: S101 - left or not, the worker was waited for
        return turn.answer

    def on_event(self, before: State, event: Event) -> None:
        """Follow the game: what is asked next is about the position after an event."""
        if not isinstance(before.phase, phases.Striking | phases.Falling):
            self.close()
            self._is_left = False
        if isinstance(event, Acted) and isinstance(before.phase, phases.Striking):
            self._position = before.apply(parse_action(event.action))

    def close(self) -> None:
        """Close the window, if it is open."""
        if self._window is not None:
            self._window.close()
        self._window = self._turn = None

    def _shown(self, state: State) -> Turn:
        if self._window is None:
            self._window = Window()
        if self._turn is None:
            earlier = [
                position.request.parse(event.answer)
                for position, event in self._replay.steps
                if position.turns == state.turns and is_hit(event)
            ]
            self._turn = Turn(self._tower, state, self._replay.header.seed, earlier)
        self._turn.position = state
        return self._turn

    def _run(self, turn: Turn, is_done: Callable[[], bool]) -> bool:
        assert self._window is not None  # noqa: S101 - opened with the turn
        if self._window.run(turn, is_done):
            return True
        self._window.wait(turn)
        self.close()
        self._is_left = True
        return False

    def _goes_on(self, turn: Turn) -> bool:
        """Whether the window asks a person again at once."""
        phase = turn.position.phase
        return isinstance(phase, phases.Striking) and self._people[phase.player]
