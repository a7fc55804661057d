"""The people at the terminal: they are shown the table, and asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from rocktower.cli._trollfjord_view import THEME, PlayerHighlighter, choices, event_line
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    PLAYER_COLORS,
    Action,
    Answered,
    Event,
    State,
    parse_action,
)
from rocktower.play import UndoRequested

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from rich.table import Table

__all__ = ["QuitRequested", "Terminal"]

HELP = """Type a number, or the choice itself (move wander 2). At any time:
  board   show the table
  undo    take your last choice back, as long as chance has not spoken since
  quit    leave the game; with --log or --resume it can be gone on with later
  help    this text
A strike can say how: strike left|right SPEED HEIGHT, in m/s and m (for the physical tower)."""


class QuitRequested(Exception):  # noqa: N818 - a wish, not an error
    """A person wants to leave the game."""


class Terminal:
    """Shows and asks; as a bot it decides what a person types.

    Parameters
    ----------
    to_stderr
        Whether to leave stdout to the result.
    """

    def __init__(self, *, to_stderr: bool) -> None:
        self._console = Console(
            stderr=to_stderr,
            theme=THEME,
            highlighter=PlayerHighlighter(),
            soft_wrap=True,
            markup=False,
            emoji=False,
        )
        self._shown_turn = -1

    def say(self, text: str) -> None:
        """Print lines."""
        self._console.print(text)

    def show(self, table: Table) -> None:
        """Print a table."""
        self._console.print(table)

    def on_event(self, before: State, event: Event) -> None:
        """Print what has happened."""
        if not (isinstance(event, Answered) and before.turns == 0):
            self.say(event_line(before, event))

    def decide(self, state: State, actions: Sequence[Action], _rng: np.random.Generator) -> Action:
        """Ask a person until the choice is legal."""
        if state.turns != self._shown_turn:
            self._show(state)
        self.say(f"\n{state.prompt}")
        self.say(choices(state, actions))
        while True:
            text = self._ask(state, "> ")
            try:
                action = _choice(text, actions)
                state.apply(action)
            except RocktowerError as error:
                self.say(f"{error}")
            else:
                return action

    def ask_hit(self, state: State, question: str) -> str:
        """Ask what fell out of a wooden tower."""
        who = PLAYER_COLORS[state.hammering.crew[0]]
        self.say(f"\n{who} strikes, {state.prompt}")
        return self._ask(state, f"{question} > ")

    def _show(self, state: State) -> None:
        self._shown_turn = state.turns
        self.say(f"\n{state}")

    def _ask(self, state: State, prompt: str) -> str:
        """Read a line, and do at once what concerns no rule."""
        while True:
            self._console.print(prompt, end="")
            try:
                text = input().strip()
            except EOFError:
                self.say("")
                raise QuitRequested from None
            match text.lower():
                case "quit" | "exit":
                    raise QuitRequested
                case "undo":
                    raise UndoRequested
                case "board":
                    self._show(state)
                case "help" | "?":
                    self.say(HELP)
                case "":
                    continue
                case _:
                    return text


def _choice(text: str, actions: Sequence[Action]) -> Action:
    """Read a number of the list, an action, or the beginning of just one of them."""
    if text.isascii() and text.isdigit():
        if not 1 <= int(text) <= len(actions):
            raise RocktowerError(f"{text}: a number from 1 to {len(actions)} is expected")
        return actions[int(text) - 1]
    words = " ".join(text.lower().split())
    named = [action for action in actions if str(action).lower() == words]
    begun = [action for action in actions if str(action).lower().startswith(words)]
    if named or len(begun) == 1:
        return (named or begun)[0]
    if begun:
        raise RocktowerError(f"{text!r} could be {' or '.join(map(str, begun[:6]))}")
    return parse_action(text)
