"""What each key does at `rocktower record`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from rocktower.calibration import CHOICES
from rocktower.cli._record_language import LETTERS, obey, place, said
from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.calibration import Recorder

__all__ = ["Desk"]

_ENTRIES = {
    "p": ("striker", "Who strikes? "),
    "d": ("drop", "The hammer falls from how many cm? "),
    "o": ("note", "Note on this hit: "),
    "n": ("n", "Filled anew with (red blue yellow white; Enter for 11 11 11 11): "),
}
_CYCLES = {"s": "side", "h": "strength", "g": "held", "f": "flag"}


class Desk:
    """The recorder and the keys that have not become part of it yet.

    Parameters
    ----------
    save
        Called with the recorder before and after each change, to write it to disk.
    """

    def __init__(self, recorder: Recorder, save: Callable[[Recorder, Recorder], None]) -> None:
        self.recorder = recorder
        self.message = Text(place(recorder), style="dim")
        self.more = False
        self.has_left = False
        self._save = save
        self._jumps = False
        self._leaves = False
        self._entry: tuple[str, str, str] | None = None  # order, question, what is typed so far

    @property
    def entry(self) -> str | None:
        """The question that is being answered, with what is typed so far."""
        return None if self._entry is None else self._entry[1] + self._entry[2]

    def press(self, key: str) -> None:
        """Do what a key says, or say why not."""
        try:
            if self._entry is not None:
                self._type(self._entry, key)
            else:
                self._do(key.lower())
        except RocktowerError as error:
            self.message = Text(str(error), style="bold yellow")

    def _do(self, key: str) -> None:
        jumps, self._jumps = self._jumps, False
        leaves, self._leaves = self._leaves, False
        recorder = self.recorder
        if key in LETTERS:
            color = LETTERS[key]
            self._become(recorder.jump(color) if jumps else recorder.come_out(color))
        elif key == "-" or (key == " " and not recorder.boulders):
            self._become(recorder.mark_empty())
        elif key in ("\r", "\n"):
            self._become(recorder.confirm())
        elif key in ("u", "\x7f", "\b"):
            if key != "u" and not recorder.is_pending:
                return  # the backspace corrects this hit only
            self._become(recorder.undo())
        elif key == "t":
            self._become(recorder.start_turn())
        elif key == "j":
            self._jumps = True
            self.message = Text("Which boulder jumped and goes back in? r b y w", style="dim")
        elif key in _CYCLES:
            self._become(self._cycled(_CYCLES[key]))
        elif key in _ENTRIES:
            self._entry = (*_ENTRIES[key], "")
        elif key == "?":
            self.more = not self.more
        elif key == "q":
            self._leaves = recorder.is_pending and not leaves
            self.has_left = not self._leaves
            self.message = Text(
                "This hit is not confirmed: Enter confirms it, q again leaves without it.",
                style="bold yellow",
            )
        elif key != " ":  # between the letters of a hit it says nothing
            raise RocktowerError(f"{key!r} is no key here; ? lists all keys")

    def _type(self, entry: tuple[str, str, str], key: str) -> None:
        order, question, text = entry
        if key == "\x1b":
            self._entry = None
        elif key in ("\r", "\n"):
            self._entry = None
            self._become(obey(self.recorder, f"{order} {text}"))
        elif key in ("\x7f", "\b"):
            self._entry = (order, question, text[:-1])
        elif key.isprintable():
            self._entry = (order, question, text + key)

    def _cycled(self, column: str) -> Recorder:
        values = ("", *CHOICES[column])
        now = getattr(self.recorder.next_row, column) or ""
        return self.recorder.set(column, values[(values.index(now) + 1) % len(values)])

    def _become(self, recorder: Recorder) -> None:
        self._save(self.recorder, recorder)
        self.message = Text(said(self.recorder, recorder), style="green")
        self.recorder = recorder
