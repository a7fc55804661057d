"""Single keys from a terminal, none lost however fast they are typed."""

from __future__ import annotations

import codecs
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["keys"]

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)")  # arrow and function keys (ECMA-48)


@contextmanager
def keys() -> Iterator[Iterator[str]]:
    """Give the keys one by one until the input ends; the terminal is as before afterwards.

    `click.getchar` alone would do, but switches the terminal for every key, and what is typed
    in between is lost or echoed. Arrow and function keys are left out.
    """
    if sys.platform == "win32":
        yield _windows_keys()
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield _keys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _keys(terminal: int) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    while True:
        try:
            content = os.read(terminal, 1024)
        except OSError:  # the terminal is gone
            return
        if not content:
            return
        for key in _SEQUENCE.sub("", decoder.decode(content)):
            if key == "\x04":
                return
            yield key


def _windows_keys() -> Iterator[str]:
    while True:
        try:
            text = click.getchar()
        except EOFError:
            return
        if text[:1] not in ("\x00", "\xe0"):
            yield from text
