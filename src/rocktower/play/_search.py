"""The search bot: looks through whole turns, and plays the best of them on in the mind."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from rocktower.games.trollfjord import Action, State, phases
from rocktower.play._greedy import GreedyBot
from rocktower.play._hammerer import hammer
from rocktower.play._outlook import outlook
from rocktower.play._rollout import play_on
from rocktower.play._value import value

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SearchBot"]

_BEAM = 10  # positions that are looked into further, at each step of a turn
_WEIGHED = 8  # ends of a turn that are weighed with the hammering that may follow
_PLAYED = 4  # ends that are played on
_TRUST = 16.0  # a weighing counts as so many games played on


@dataclass(frozen=True, slots=True)
class _End:
    """An end of the moving part of a turn: the first action to it, and what it is worth."""

    action: Action
    state: State
    worth: float


class SearchBot:
    """Hammers by the odds; moves by searching its turn, with a budget a decision.

    Every end of a turn that is left by the beam is weighed by expectimax: the hammering that may
    follow with all of its ends, each at the value that was learned from games. The best few are
    then played on to the next turn of its own, all with the same luck.

    It sees what any player may see: the position. The tower it plays on with is the emulator's,
    not the game's, and its luck comes from the generator handed in.

    Parameters
    ----------
    simulations
        Games played on at each decision to move, place or wander.
    seconds
        Play on for so long instead, at each such decision. A game then depends on how fast the
        machine is, and cannot be repeated from its seed (but replayed from its log).
    """

    def __init__(self, simulations: int = 0, seconds: float | None = None) -> None:
        self.simulations = simulations
        self.seconds = seconds

    def decide(self, state: State, actions: Sequence[Action], rng: np.random.Generator) -> Action:
        """Choose the best action found."""
        player = state.actor
        assert isinstance(player, int)  # noqa: S101 - a bot is asked for a player
        if len(actions) == 1:
            return actions[0]
        action = hammer(state, player)
        if action is not None:
            return action
        if player != state.turn:
            return _best_now(state, player, actions)
        return self._move(state, player, rng)

    def _move(self, state: State, player: int, rng: np.random.Generator) -> Action:
        ends = _ends(state, player)
        if len({end.action for end in ends[:_PLAYED]}) == 1 or not (
            self.simulations or self.seconds
        ):
            return ends[0].action
        return self._play_on(ends[:_PLAYED], player, rng)

    def _play_on(self, ends: Sequence[_End], player: int, rng: np.random.Generator) -> Action:
        """Play the best ends on in turn, and take the best in the light of both."""
        began, turns = perf_counter(), ends[0].state.turns
        bot, found = GreedyBot(), np.zeros(len(ends))
        played = 0

        def until(state: State) -> bool:
            moving = isinstance(state.phase, phases.Moving)
            return moving and state.turns > turns and state.turn == player

        while True:
            if self.seconds is not None:
                if perf_counter() - began > self.seconds:
                    break
            elif played * len(ends) >= self.simulations:
                break
            luck = int(rng.integers(2**48))
            leaves = [play_on(end.state, bot, np.random.default_rng(luck), until) for end in ends]
            found += value().of(leaves, player)
            played += 1
        worth = np.array([end.worth for end in ends])
        if played:
            worth = (_TRUST * (worth - worth.mean()) + found - found.mean()) / (_TRUST + played)
        return ends[int(worth.argmax())].action


def _best_now(state: State, player: int, actions: Sequence[Action]) -> Action:
    """Take the action that leads to the best position at once: for a tailwind."""
    worths = value().of([state.apply(action) for action in actions], player)
    return actions[int(worths.argmax())]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of play on the own turn: its first action, where it leads, the value there."""

    first: Action
    state: State
    value: float


def _ends(state: State, player: int) -> list[_End]:
    """List the best ends of the moving part of a turn, the best one first."""
    reached: list[_Line] = []
    lines = _lines([(action, state.apply(action)) for action in state.legal_actions()], player)
    while lines:
        reached += [line for line in lines if not _moves(line.state, player)]
        beam = [line for line in lines if _moves(line.state, player)]
        if len(beam) > _BEAM:  # before the first action all six moves are looked into
            beam = sorted(beam, key=lambda line: -line.value)[:_BEAM]
        following: dict[object, tuple[Action, State]] = {}
        for line in beam:
            for action in line.state.legal_actions():
                then = line.state.apply(action)
                key = then.lords, then.trolls[player], then.phase
                following.setdefault(key, (line.first, then))
        lines = _lines(list(following.values()), player)
    best = sorted(reached, key=lambda line: -line.value)[:_WEIGHED]
    ends = [_End(line.first, line.state, outlook(line.state, player, line.value)) for line in best]
    return sorted(ends, key=lambda end: -end.worth)


def _lines(pairs: Sequence[tuple[Action, State]], player: int) -> list[_Line]:
    """Value positions."""
    if not pairs:
        return []
    values = value().of([then for _, then in pairs], player)
    return [
        _Line(first, then, float(worth)) for (first, then), worth in zip(pairs, values, strict=True)
    ]


def _moves(state: State, player: int) -> bool:
    """Say whether a player still places or wanders on his own turn."""
    return (
        state.actor == player
        and state.turn == player
        and isinstance(state.phase, phases.Placing | phases.Wandering)
    )
