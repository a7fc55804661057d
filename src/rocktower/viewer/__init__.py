"""The window: aim, strike, watch, replay; and the drawing code, which pictures share.

The pieces, from pixels up: `draw` makes pixels of a `Frame`; a `Recording` is a strike that can be
looked at between its frames; a `Session` (and its kin, `LogReplay` and `Turn`) turns keys into
frames; `run` puts one in a window. Only the window needs a display.
"""

import os

# pygame announces itself on standard output, where the results go.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# A process that is told to end must end, not take it for a window that was closed.
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")

from rocktower.viewer._export import (
    check_format,
    film,
    frame_rate,
    picture,
    save_movie,
    save_picture,
)
from rocktower.viewer._frame import Banner, Blow, Frame, HitLine, Moment, Panel
from rocktower.viewer._keys import KEYS, Key
from rocktower.viewer._painter import Painter, draw
from rocktower.viewer._playback import RATES, Player, Recording
from rocktower.viewer._replay import LogReplay
from rocktower.viewer._session import Session
from rocktower.viewer._turn import GameWindow, Turn
from rocktower.viewer._window import Window, check_display, run

__all__ = [
    "KEYS",
    "RATES",
    "Banner",
    "Blow",
    "Frame",
    "GameWindow",
    "HitLine",
    "Key",
    "LogReplay",
    "Moment",
    "Painter",
    "Panel",
    "Player",
    "Recording",
    "Session",
    "Turn",
    "Window",
    "check_display",
    "check_format",
    "draw",
    "film",
    "frame_rate",
    "picture",
    "run",
    "save_movie",
    "save_picture",
]
