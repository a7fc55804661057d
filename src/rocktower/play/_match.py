"""A game at the table: asks players and chance in turn, and writes down what they say."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rocktower.chance import Sampled
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    CHANCE,
    PLAYER_COLORS,
    Acted,
    Answered,
    Event,
    Replay,
    State,
    Strike,
    TowerHit,
    Undone,
    outcome,
    request_name,
)
from rocktower.play._bots import UndoRequested
from rocktower.play._towers import MANUAL
from rocktower.randomness import Purpose, stream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np

    from rocktower.games.trollfjord import Action
    from rocktower.play._bots import Bot
    from rocktower.play._log_file import LogFile
    from rocktower.play._towers import Tower

__all__ = ["HUMAN", "Match", "versions"]

HUMAN = "human"
# Bots that never hammer would play for ever.
MOST_TURNS = 100_000


class Match:
    """A game with players, a tower and perhaps a log.

    Parameters
    ----------
    replay
        The game so far: a new one, or what a log holds.
    players
        Who decides, in the order of the header's players.
    tower
        What answers for the tower.
    on_event
        Called after each event with the position before it and the event.
    notify
        Called with a line for the people at the table.
    """

    def __init__(
        self,
        replay: Replay,
        players: Sequence[Bot],
        tower: Tower,
        *,
        on_event: Callable[[State, Event], None] = lambda _state, _event: None,
        notify: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self.replay = replay
        self._players = players
        self._tower = tower
        self._on_event = on_event
        self._notify = notify

    @property
    def state(self) -> State:
        """The position now."""
        return self.replay.state

    def play(self, log: LogFile | None = None) -> State:
        """Play to the end, and write events to a log.

        Raises
        ------
        RocktowerError
            If a bot fails, or no end comes in 100 000 turns.
        """
        while not self.replay.has_ended:
            event = self.step()
            if log is not None:
                log.append(event)
            if self.state.turns > MOST_TURNS:
                raise RocktowerError(f"no end after {MOST_TURNS} turns: the players never finish")
        return self.state

    def step(self) -> Event:
        """Let one thing happen: a decision, an answer of chance, an undo, the end."""
        before = self.state
        event = self._next_event()
        self.replay.follow(event)
        self._on_event(before, event)
        return event

    def _next_event(self) -> Event:
        n = self.replay.count + 1
        while True:
            try:
                if self.state.is_over:
                    return outcome(self.state, n)
                if self.state.actor == CHANCE:
                    return Answered(n, request_name(self.state), self._ask_chance(n))
                return self._ask_player(n)
            except UndoRequested:
                steps = self._steps_back()
                if steps:
                    return Undone(n, steps)
                self._notify("nothing to undo: chance has spoken since your last choice")

    def _ask_chance(self, n: int) -> str:
        request = self.state.request
        rng = stream(self.replay.header.seed, Purpose.CHANCE, n)
        answer: Any
        if isinstance(request, TowerHit):
            answer = self._tower.hit(request, rng)
        else:
            answer = Sampled(rng).answer(request)
        request.check(answer)
        return request.format(answer)

    def _ask_player(self, n: int) -> Acted:
        state, player = self.state, self.state.actor
        assert isinstance(player, int)  # noqa: S101 - neither chance nor the end
        rng = stream(self.replay.header.seed, Purpose.PLAYER, n)
        kind = self.replay.header.players[player]
        if kind == HUMAN:
            return Acted(n, PLAYER_COLORS[player], str(self._ask_human(player, rng)))
        try:
            action = self._players[player].decide(state, state.legal_actions(), rng)
            self._check(action)
        except Exception as error:
            name = f"{PLAYER_COLORS[player]} ({kind})"
            raise RocktowerError(f"{name}: {type(error).__name__}: {error}") from error
        return Acted(n, PLAYER_COLORS[player], str(action))

    def _ask_human(self, player: int, rng: np.random.Generator) -> Action:
        while True:
            action = self._players[player].decide(self.state, self.state.legal_actions(), rng)
            try:
                self._check(action)
            except RocktowerError as error:
                self._notify(str(error))
            else:
                return action

    def _check(self, action: Action) -> None:
        """Raise `RocktowerError` if the rules, or the tower, do not take an action."""
        self.state.apply(action)
        if isinstance(action, Strike):
            self._tower.check(action)

    def _steps_back(self) -> int:
        """Count the steps back to the last thing a person said; 0 if chance has spoken since."""
        header = self.replay.header
        for back, (_, event) in enumerate(reversed(self.replay.steps), start=1):
            if isinstance(event, Answered):
                typed = header.source == MANUAL and event.request == "hit"
                return back if typed else 0
            if header.players[PLAYER_COLORS.index(event.player)] == HUMAN:
                return back
        return 0


def versions(
    source: str, model: Path | None, seed: int, emulator: Path | None = None
) -> dict[str, str]:
    """Give what a log's header says of the software, the tower and the emulator that it used."""
    used = {name: version(name) for name in ("rocktower", "numpy", "pymunk")}
    used |= {"python": platform.python_version(), "platform": platform.platform()}
    if source in ("physics", "emulator"):
        from rocktower.tower import choose_tower

        used["tower_model"] = choose_tower(model, seed)[0].hash
    if source == "emulator":
        from rocktower.emulator import Emulator

        used["emulator"] = Emulator.load(emulator).hash
    return used
