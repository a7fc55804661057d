"""Bots: who decides for a player, and how a bot from a user's file is found."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rocktower.errors import RocktowerError
from rocktower.play._greedy import GreedyBot
from rocktower.play._search import SearchBot

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from rocktower.games.trollfjord import Action, State

__all__ = ["BOTS", "Bot", "RandomBot", "UndoRequested", "load_bot"]


class Bot(Protocol):
    """Who decides: a class with this one method, made without arguments."""

    def decide(self, state: State, actions: Sequence[Action], rng: np.random.Generator) -> Action:
        """Choose an action.

        Parameters
        ----------
        state
            The position; ``state.actor`` is the player to decide for. Everybody may know all
            of it (what lies face down was seen before).
        actions
            What is legal, at least one action.
        rng
            The generator for this decision. A bot that draws from nothing else, and remembers
            nothing, plays a game the same way again from its seed.
        """
        ...


class UndoRequested(Exception):  # noqa: N818 - a wish, not an error
    """Who was asked to decide or to type a hit wants to take the last choice back."""


class RandomBot:
    """Chooses evenly among the legal actions."""

    def decide(self, _state: State, actions: Sequence[Action], rng: np.random.Generator) -> Action:
        """Choose any action."""
        return actions[int(rng.random() * len(actions))]


BOTS: dict[str, type[Bot]] = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}


def load_bot(name: str, *, others: Sequence[str] = ()) -> Bot:
    """Make a bot: one of `BOTS`, or ``file.py:Class`` from a user's file.

    ``search@48`` is a search bot with another number of simulations, ``search@0.5s`` one with so
    many seconds a move.

    Parameters
    ----------
    name
        Of the bot.
    others
        Who else may be named there, for the message.

    Raises
    ------
    RocktowerError
        If there is no such bot, or its file cannot be run.
    """
    if name in BOTS:
        return BOTS[name]()
    if name.startswith("search@"):
        return _search_bot(name)
    path, colon, class_name = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise RocktowerError(
            f"player {name!r}: one of {', '.join((*others, *BOTS))}, or FILE.py:CLASS"
        )
    if not Path(path).is_file():
        raise RocktowerError(f"player {name!r}: there is no file {path}")
    spec = spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - it ends in .py
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        bot: Bot = getattr(module, class_name)()
    except Exception as error:
        raise RocktowerError(f"player {name!r}: {type(error).__name__}: {error}") from error
    if not callable(getattr(bot, "decide", None)):
        raise RocktowerError(f"player {name!r}: it has no method decide(state, actions, rng)")
    return bot


def _search_bot(name: str) -> SearchBot:
    """Make a search bot with the budget in its name."""
    budget = re.fullmatch(r"search@(?:([0-9]{1,6})|([0-9]{1,4}(?:\.[0-9]{1,4})?)s)", name)
    if budget is None or not any(float(part) for part in budget.groups() if part):
        raise RocktowerError(
            f"player {name!r}: search@48 for 48 simulations, or search@0.5s, is expected"
        )
    return SearchBot(int(budget[1])) if budget[1] else SearchBot(seconds=float(budget[2]))
