"""The keys: what each does, in one table that the window, the help and the documents share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

__all__ = ["KEYS", "Key", "find_key"]


@dataclass(frozen=True, slots=True)
class Key:
    """A command and its keys, by pygame's names of them.

    Attributes
    ----------
    keys
        Names such as ``"space"``; with ``"shift "`` before it for a key pressed with Shift.
    label
        The keys as people read them.
    command
        The name of the command in a session.
    meaning
        What it does.
    repeats
        Whether it is done again and again while the key is held.
    """

    keys: tuple[str, ...]
    label: str
    command: str
    meaning: str
    repeats: bool = False


KEYS = (
    Key(
        ("space", "return", "enter"), "Space, Enter", "strike", "strike; while it plays: to its end"
    ),
    Key(("left", "a"), "Left, A", "left", "strike the left side"),
    Key(("right", "d"), "Right, D", "right", "strike the right side"),
    Key(("up", "w"), "Up, W", "higher", "strike 5 mm higher (Shift: 1 mm)", repeats=True),
    Key(("down", "s"), "Down, S", "lower", "strike 5 mm lower (Shift: 1 mm)", repeats=True),
    Key(("shift up", "shift w"), "", "higher-fine", "", repeats=True),
    Key(("shift down", "shift s"), "", "lower-fine", "", repeats=True),
    Key(
        ("+", "=", "[+]", "shift =", "shift +"),
        "+",
        "faster",
        "strike 0.1 m/s faster",
        repeats=True,
    ),
    Key(("-", "[-]"), "-", "slower", "strike 0.1 m/s slower", repeats=True),
    Key(("1", "[1]"), "1", "gentle", "a gentle striker's next blow"),
    Key(("2", "[2]"), "2", "normal", "a normal striker's next blow"),
    Key(("3", "[3]"), "3", "firm", "a firm striker's next blow"),
    Key(("x",), "X", "stop", "stop hammering"),
    Key(("right", "d", "space", "return", "enter"), "Right, Space", "next", "play the next hit"),
    Key(("left", "a"), "Left, A", "previous", "back to the hit before"),
    Key(("home",), "Home", "first", "to the first hit"),
    Key(("end",), "End", "last", "to the last hit"),
    Key(("g",), "G", "grip", "hold the tower: loose, held, pressed"),
    Key(("c",), "C", "cover", "cover the top: open, half, all"),
    Key(("i",), "I", "drop-in", "drop all boulders back in"),
    Key(("u", "backspace", "ctrl z"), "U, Ctrl+Z", "undo", "undo the last hit or filling"),
    Key(("n",), "N", "new", "a new tower with a new seed"),
    Key(("t",), "T", "seed", "a new tower with a seed to type"),
    Key(("[", "l"), "L", "limit-down", "one hammering troll less (the limits)"),
    Key(("]", "shift l"), "Shift+L", "limit-up", "one hammering troll more"),
    Key(("r",), "R", "replay", "play the last hit again"),
    Key(("p",), "P", "pause", "pause, and go on"),
    Key((".", "page down"), ". (period)", "step", "pause, one frame forward", repeats=True),
    Key((",", "page up"), ", (comma)", "step-back", "pause, one frame back", repeats=True),
    Key(("tab",), "Tab", "slow", "playback at 1, 1/2, 1/4, 1/10"),
    Key(("o",), "O", "forces", "show the contact forces"),
    Key(("v",), "V", "velocities", "show the velocities"),
    Key(("b",), "B", "heat", "show where boulders were in the last hits"),
    Key(("m",), "M", "marks", "show the mark of each color"),
    Key(("e",), "E", "picture", "save a picture (PNG)"),
    Key(("shift e",), "Shift+E", "movie", "save a movie of the last hit (GIF)"),
    Key(("f", "f11"), "F, F11", "fullscreen", "fullscreen, and back"),
    Key(("h", "f1", "?", "shift /"), "H, F1, ?", "help", "this help"),
    Key(("q", "escape"), "Q, Esc", "quit", "leave"),
)


def find_key(name: str, known: Container[str]) -> Key | None:
    """Return what a key stands for in a session that knows these commands; None for nothing."""
    for key in KEYS:
        if name in key.keys and key.command in known:
            return key
    return None
