"""What one types at `rocktower record`, a line at a time: boulders, orders, habits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import ALL_BOULDERS, COLORS, Boulders

if TYPE_CHECKING:
    from rocktower.calibration import Recorder

__all__ = ["HABITS", "HELP", "LETTERS", "habits", "obey", "place", "said"]

LETTERS = {color[0]: color for color in COLORS}
HABITS = {
    "session": "session",
    "striker": "striker",
    "strength": "strength",
    "drop": "drop_cm",
    "side": "side",
    "held": "held",
    "flag": "flag",
    "note": "note",
}
"""First words of lines that set something, and the columns that they set."""
HELP = """\
r r b      what fell out by this hit, a letter a boulder: r b y w; j r: a red one jumped back in
- (space)  an empty hit
u          take the last hit back
t          a new turn: all that came out goes back in
n          a new filling of all 44;  n 5 5 5 5  of 5 red, blue, yellow, white each
striker Bo, strength firm, drop 12.5, side left, held pressed, flag spill, note ...
           how this and the next hits are struck (flag and note: this hit alone); no word clears it
q          leave"""


def obey(recorder: Recorder, text: str) -> Recorder:
    """Do what a line says.

    Raises
    ------
    RocktowerError
        If it says nothing that can be done; nothing has changed then.
    """
    word, _, rest = text.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if word in HABITS:
        return recorder.set(HABITS[word], rest)
    if word == "n":
        return recorder.fill(_filling(rest) if rest else ALL_BOULDERS)
    if rest == "" and word == "u":
        return recorder.undo()
    if rest == "" and word == "t":
        return recorder.start_turn()
    if text.strip("\r\n") == "":
        raise RocktowerError("an empty line says nothing; - or a space is an empty hit")
    return _hit(recorder, text)


def said(before: Recorder, after: Recorder) -> str:
    """Tell what has changed, for the person who typed it."""
    if len(after.situations) > len(before.situations):
        return f"{_where(after)}: {_boulders(after)}. Written."
    if len(after.situations) < len(before.situations):
        return f"{_where(before)} is taken back: {_boulders(before)}."
    if after.filling is not None and before.filling != after.filling:
        return f"New filling: {sum(after.filling)} boulders inside."
    if after.new_turn and not before.new_turn:
        return "New turn: all boulders are back inside."
    if (before.new_turn and not after.new_turn) or (before.filling and not after.filling):
        return "Taken back: the turn goes on."
    if after.habits != before.habits or (after.flag, after.note) != (before.flag, before.note):
        return f"Next hit: {habits(after)}."
    return ""


def place(recorder: Recorder) -> str:
    """Name the hit that comes next, and say how many boulders wait on the table."""
    if not recorder.situations:
        return "A new file: the tower is filled."
    outside = recorder.tower.table_total
    turn = f" goes on, boulders outside: {outside}; t begins a new one" if outside.high else ""
    return f"Turn {recorder.next_row.turn}, hit {recorder.turn_hits + 1}{turn}."


def habits(recorder: Recorder) -> str:
    """Name how the next hit is struck."""
    values = recorder.habits
    drop = "" if values.drop_cm is None else f"from {values.drop_cm:g} cm"
    flag = f"flag {recorder.flag}" if recorder.flag else ""
    note = f"note {recorder.note!r}" if recorder.note else ""
    parts = (values.striker, values.strength, drop, values.side, values.held, flag, note)
    return " · ".join(part for part in parts if part) or "nobody named"


def _where(recorder: Recorder) -> str:
    last = recorder.situations[-1]
    return f"Turn {last.row.turn}, hit {last.turn_hits + last.row.hits}"


def _boulders(recorder: Recorder) -> str:
    last = recorder.situations[-1]
    if not last.out_total.is_known:
        return f"{last.out_total} boulders"
    if last.out_total.low == 0:
        return "empty hit"
    colors = (
        f"{amount} {color}" for color, amount in zip(COLORS, last.out, strict=True) if amount.high
    )
    return ", ".join(colors)


def _hit(recorder: Recorder, text: str) -> Recorder:
    """Put in boulders and confirm them: ``r r b``, ``rrb``, ``-``, ``r j w``."""
    jumps = False
    marks = "".join(text.lower().replace(",", " ").split())
    for mark in marks or "-":
        if mark == "j" and not jumps:
            jumps = True
            continue
        if mark == "-" and not jumps:
            recorder = recorder.mark_empty()
        elif mark in LETTERS:
            color = LETTERS[mark]
            recorder = recorder.jump(color) if jumps else recorder.come_out(color)
        else:
            shown = text.strip()
            shown = shown if len(shown) <= 40 else f"{shown[:40]}..."
            raise RocktowerError(
                f"{shown!r}: letters r b y w for boulders, - for an empty hit, ? for help"
            )
        jumps = False
    if jumps:
        raise RocktowerError("j: which boulder jumped? j r for a red one")
    return recorder.confirm()


def _filling(text: str) -> Boulders:
    parts = text.replace(",", " ").split()
    if len(parts) != len(COLORS) or not all(part.isascii() and part.isdecimal() for part in parts):
        raise RocktowerError(f"n {text}: four numbers are expected, of red, blue, yellow and white")
    return Boulders(*(int(part[:6]) for part in parts))
