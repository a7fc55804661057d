"""The colors of the pictures, and the mark of each color of boulder.

Each color has a mark of its own as well, so that they can be told apart on a washed-out projector
and by color-blind eyes. Every mark looks the same after a quarter turn, as the boulders do.
"""

from __future__ import annotations

from rocktower.colors import BOULDER_COLORS

__all__ = ["BOULDER", "MARK", "Color", "dimmed"]

Color = tuple[int, int, int]

_ON: dict[str, Color] = {
    "red": (255, 255, 255),
    "blue": (255, 255, 255),
    "yellow": (60, 44, 10),
    "white": (84, 84, 88),
}


def _parts(code: str) -> Color:
    red, green, blue = bytes.fromhex(code.removeprefix("#"))
    return red, green, blue


# boulder color -> its face, and its mark's color
BOULDER = {name: (_parts(code), _ON[name]) for name, code in BOULDER_COLORS.items()}
MARK = {"red": "disc", "blue": "plus", "yellow": "diamond", "white": "ring"}

BOULDER_EDGE: Color = (38, 30, 26)

STAGE: Color = (229, 233, 236)
TABLE: Color = (92, 107, 112)
TABLE_EDGE: Color = (118, 134, 139)
SHADOW: Color = (74, 87, 92)

WOOD: Color = (214, 176, 124)
WOOD_EDGE: Color = (116, 82, 45)
INSIDE: Color = (70, 57, 50)
CHAMBER: Color = (50, 40, 35)

HAMMER_HEAD: Color = (160, 106, 62)
HAMMER_BAND: Color = (118, 74, 42)
HANDLE: Color = (196, 152, 98)
HAMMER_EDGE: Color = (70, 44, 24)
SKIN: Color = (240, 205, 178)
SKIN_EDGE: Color = (134, 92, 68)
SLEEVE: Color = (78, 98, 128)
SLEEVE_EDGE: Color = (45, 58, 80)

PANEL: Color = (246, 247, 248)
CARD: Color = (255, 255, 255)
RULE: Color = (216, 221, 225)
INK: Color = (28, 34, 40)
FAINT_INK: Color = (96, 106, 115)
TRACK: Color = (226, 230, 233)
ACCENT: Color = (24, 92, 140)
ALARM: Color = (186, 32, 38)
ON_ALARM: Color = (255, 255, 255)
QUIET: Color = (52, 62, 70)

FORCE: Color = (255, 232, 150)
VELOCITY: Color = (72, 232, 214)
SPARK: Color = (255, 196, 60)
HEAT_LOW: Color = (60, 40, 120)
HEAT_HIGH: Color = (255, 170, 40)


def dimmed(color: Color) -> Color:
    """Return a color as it is under an overlay that is to stand out."""
    red, green, blue = (round(0.48 * part + 0.52 * 26) for part in color)
    return red, green, blue
