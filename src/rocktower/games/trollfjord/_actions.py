"""What a player can decide: small values that print as short text and parse back."""

from __future__ import annotations

from math import isfinite
from typing import Literal, get_args

from msgspec import Struct

from rocktower.errors import RocktowerError

__all__ = [
    "Action",
    "Announce",
    "Clear",
    "Collect",
    "Give",
    "Hammer",
    "Join",
    "Kind",
    "Move",
    "Pass",
    "Place",
    "Side",
    "Stop",
    "Strike",
    "Wander",
    "parse_action",
]

Kind = Literal["placement", "wander"]
Side = Literal["left", "right"]


class Move(Struct, frozen=True):
    """Move the troll lord to the first, second or third free space of a kind (A1)."""

    kind: Kind
    count: int

    def __str__(self) -> str:
        return f"move {self.kind} {self.count}"


class Place(Struct, frozen=True):
    """Place trolls in one region (A2; one troll with a tailwind, A3)."""

    count: int
    region: str

    def __str__(self) -> str:
        return f"place {self.count} {self.region}"


class Wander(Struct, frozen=True):
    """Move one troll into an adjoining region (A2, A3)."""

    start: str
    end: str

    def __str__(self) -> str:
        return f"wander {self.start} {self.end}"


class Announce(Struct, frozen=True):
    """Tell the opponents at which fortress one can and wants to hammer (B1, B2)."""

    fortress: str

    def __str__(self) -> str:
        return f"announce {self.fortress}"


class Join(Struct, frozen=True):
    """Be the comrade of the player whose turn it is (B2)."""

    def __str__(self) -> str:
        return "join"


class Hammer(Struct, frozen=True):
    """Hammer at the announced fortress, alone or with the comrade who joined (B2)."""

    def __str__(self) -> str:
        return "hammer"


class Strike(Struct, frozen=True):
    """Hit the tower (B4).

    How it is struck matters to a physical tower only; the rules ask for the plain strike and
    take any other.

    Attributes
    ----------
    side
        The side that the hammer meets: never front or back.
    speed_m_s
        Speed of the hammer, above 0.
    height_m
        Height of the blow above the foot of the tower, at least 0.

    Raises
    ------
    RocktowerError
        If one of the three is given without the others, or lies outside its range.
    """

    side: Side | None = None
    speed_m_s: float | None = None
    height_m: float | None = None

    def __post_init__(self) -> None:
        if self.side is None and self.speed_m_s is None and self.height_m is None:
            return
        if self.side is None or self.speed_m_s is None or self.height_m is None:
            raise RocktowerError("a strike has a side, a speed and a height, or none of them")
        if self.side not in get_args(Side):
            raise RocktowerError(f"side {self.side!r}: a strike is from the left or the right")
        if not (isfinite(self.speed_m_s) and self.speed_m_s > 0):
            raise RocktowerError(f"speed {self.speed_m_s!r}: a strike's speed is above 0 m/s")
        if not (isfinite(self.height_m) and self.height_m >= 0):
            raise RocktowerError(f"height {self.height_m!r}: a strike's height is at least 0 m")

    def __str__(self) -> str:
        if self.side is None:
            return "strike"
        return f"strike {self.side} {self.speed_m_s!r} {self.height_m!r}"


class Stop(Struct, frozen=True):
    """Stop hammering (B4)."""

    def __str__(self) -> str:
        return "stop"


class Give(Struct, frozen=True):
    """Offer one gift to the mountain spirit (B3)."""

    value: int

    def __str__(self) -> str:
        return f"give {self.value}"


class Collect(Struct, frozen=True):
    """Collect a region's treasure (C1)."""

    region: str

    def __str__(self) -> str:
        return f"collect {self.region}"


class Clear(Struct, frozen=True):
    """Take all one's trolls back from a region (C3)."""

    region: str

    def __str__(self) -> str:
        return f"clear {self.region}"


class Pass(Struct, frozen=True):
    """Forgo what one may do: placing, wandering, hammering, joining, giving."""

    def __str__(self) -> str:
        return "pass"


Action = (
    Move | Place | Wander | Announce | Join | Hammer | Strike | Stop | Give | Collect | Clear | Pass
)

_FORMS = {
    "move": "move placement|wander 1|2|3",
    "place": "place COUNT REGION",
    "wander": "wander REGION REGION",
    "announce": "announce FORTRESS",
    "join": "join",
    "hammer": "hammer",
    "strike": "strike, or strike left|right SPEED HEIGHT",
    "stop": "stop",
    "give": "give VALUE",
    "collect": "collect REGION",
    "clear": "clear REGION",
    "pass": "pass",
}


def parse_action(text: str) -> Action:
    """Read an action from its text.

    Examples
    --------
    >>> parse_action("place 2 forest1")
    Place(count=2, region='forest1')
    >>> str(parse_action("strike left 1.5 0.06"))
    'strike left 1.5 0.06'

    Raises
    ------
    RocktowerError
        If the text is no action; the message says which form it would have.
    """
    match text.split():
        case ["move", ("placement" | "wander") as kind, ("1" | "2" | "3") as count]:
            return Move(kind, int(count))
        case ["place", count, region] if _is_count(count):
            return Place(int(count), region)
        case ["wander", start, end]:
            return Wander(start, end)
        case ["announce", fortress]:
            return Announce(fortress)
        case ["join"]:
            return Join()
        case ["hammer"]:
            return Hammer()
        case ["strike"]:
            return Strike()
        case ["strike", ("left" | "right") as side, speed, height]:
            return Strike(side, _number(speed), _number(height))
        case ["stop"]:
            return Stop()
        case ["give", value] if _is_count(value):
            return Give(int(value))
        case ["collect", region]:
            return Collect(region)
        case ["clear", region]:
            return Clear(region)
        case ["pass"]:
            return Pass()
        case [word, *_] if word in _FORMS:
            raise RocktowerError(f"{text!r}: the form is {_FORMS[word]}")
    raise RocktowerError(f"{text!r} is no action: one of {', '.join(_FORMS)} begins one")


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 4


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise RocktowerError(f"{word!r} in a strike: a number is needed") from None
