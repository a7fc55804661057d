"""Verify the log of a closed tower: simulate everything again from the revealed secret.

Each event starts from the recorded one before it, so that one that differs (another platform) does
not make all later ones differ; the filling starts from nothing. If all agree, the committed secret
alone has made every hit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocktower.errors import RocktowerError
from rocktower.files import decode_line
from rocktower.randomness import check_seed
from rocktower.server._events import Aim, Happened, drop, fill, hit, state_of
from rocktower.server._fairness import Secret, commitment
from rocktower.server._log import FORMAT, software
from rocktower.tower import COLORS, TowerModel, TowerState

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ServedLog", "VerifiedEvent", "read_served_log"]

_TYPES = ("fill", "hit", "drop", "turn", "close")


@dataclass(frozen=True, slots=True)
class VerifiedEvent:
    """An event beside its simulation.

    Attributes
    ----------
    n, type
        Which it is.
    text
        What was done, and what came of it according to the log.
    difference
        How the simulation differs from the log; empty if they agree.
    """

    n: int
    type: str
    text: str
    difference: str

    @property
    def agrees(self) -> bool:
        """Whether the simulation gave what is recorded."""
        return not self.difference


@dataclass(frozen=True, slots=True)
class ServedLog:
    """The log of a closed tower.

    Attributes
    ----------
    tower, name
        Its id and name.
    commitment
        What the server was bound to, according to the log.
    is_committed
        Whether the revealed secret is the one that was committed to.
    model, secret, boulders
        What everything follows from.
    software
        Versions and platform that the server had.
    """

    tower: str
    name: str
    commitment: str
    is_committed: bool
    model: TowerModel
    secret: Secret
    boulders: dict[str, int]
    software: dict[str, Any]
    _events: tuple[dict[str, Any], ...]
    _states: tuple[TowerState, ...]

    @property
    def other_software(self) -> list[str]:
        """What is different on this machine, in words: then a hit may well come out otherwise."""
        return [
            f"{name} {self.software.get(name)} there, {here} here"
            for name, here in software().items()
            if self.software.get(name) != here
        ]

    def verify(self) -> Iterator[VerifiedEvent]:
        """Simulate all events that chance has a part in, one by one, and compare."""
        for n, (event, state) in enumerate(zip(self._events, self._states, strict=True)):
            told = _Told(event, state)
            try:
                difference = told.difference(self._again(n, event))
            except RocktowerError as error:  # what the log says cannot be done
                difference = str(error)
            yield VerifiedEvent(n, event["type"], told.text, difference)

    def _again(self, n: int, event: dict[str, Any]) -> Happened:
        if event["type"] == "fill":
            return fill(self.model, self.secret, self.boulders)
        before = self._states[n - 1]
        if event["type"] == "hit":
            return hit(self.model, self.secret, n, before, _aim(event["strike"]))
        if event["type"] == "drop":
            return drop(self.model, self.secret, n, before, event["asked"])
        return Happened(before)


@dataclass(frozen=True, slots=True)
class _Told:
    """What the log says of an event."""

    event: dict[str, Any]
    state: TowerState

    @property
    def text(self) -> str:
        boulders = ", ".join(self.event["boulders"])
        if self.event["type"] == "hit":
            aim = self.event["strike"]
            struck = f"{aim['side']} at {aim['height']:g}, {aim['strength']}"
            return f"{struck}: {boulders or 'empty hit'}"
        return f"{self.event['type']} {boulders}".strip()

    def difference(self, happened: Happened) -> str:
        """Say how what was simulated differs from what is told."""
        public, private = happened.public(), happened.private()
        if self.event["boulders"] != public["boulders"]:
            here = ", ".join(public["boulders"]) or "nothing"
            return f"here it gives {here}"
        if happened.state != self.state:
            return "the same boulders, but others come to lie elsewhere"
        for key, value in (public | private).items():
            if key != "poses" and self.event.get(key) != value:
                return f"{key} is {value} here, {self.event.get(key)} in the log"
        return ""


def read_served_log(text: str, name: str = "log") -> ServedLog:
    """Read the log of a closed tower; `name` (a file name) stands before every error.

    Raises
    ------
    RocktowerError
        Naming the line, if the log is malformed, cut off, or its tower is not closed.
    """
    lines = [decode_line(line, f"{name}: line {i}") for i, line in enumerate(text.splitlines(), 1)]
    if not lines or lines[0].get("format") != FORMAT:
        raise RocktowerError(f"{name}: line 1: not a server's log (format must be {FORMAT!r})")
    header, *events = lines
    if not events or events[-1].get("type") != "close":
        raise RocktowerError(
            f"{name}: the seed is not revealed: close the tower, then read its log"
        )
    where = f"{name}: line 1"
    try:
        model = TowerModel.parse(header["model"], "model")
        _same("model_name", header["model_name"], model.name)
        _same("model_hash", header["model_hash"], model.hash)
        boulders = _counts(header["boulders"])
        secret = Secret(
            check_seed(_whole(events[-1]["seed"])),
            _text(events[-1]["salt"]),
            is_reproducible=header["reproducible"] is True,
        )
        tower, there = _text(header["tower"]), dict(header["software"])
        bound = commitment(secret, tower, header["model"], boulders)
        states = []
        for n, event in enumerate(events):
            where = f"{name}: line {n + 2}"
            states.append(_check(n, event, model, is_last=n == len(events) - 1))
        return ServedLog(
            tower=tower,
            name=_text(header["name"]),
            commitment=_text(header["commitment"]),
            is_committed=bound == header["commitment"],
            model=model,
            secret=secret,
            boulders=boulders,
            software=there,
            _events=tuple(events),
            _states=tuple(states),
        )
    except RocktowerError as error:
        raise RocktowerError(f"{where}: {error}") from None
    except KeyError as error:
        raise RocktowerError(f"{where}: {error} is missing") from None
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise RocktowerError(f"{where}: malformed: {error}") from None


def _check(n: int, event: dict[str, Any], model: TowerModel, *, is_last: bool) -> TowerState:
    """Check what an event's line holds; return the tower after it."""
    kind = event["type"]
    if event["n"] != n or kind not in _TYPES or (n == 0) != (kind == "fill"):
        raise ValueError(f"event {n} is expected here, not {event['n']!r} ({kind!r})")
    if kind == "close" and not is_last:
        raise ValueError("nothing happens after a close, but more lines follow")
    if not all(color in COLORS for color in event["boulders"]):
        raise ValueError("boulders must be colors")
    if kind == "hit":
        _aim(event["strike"])
    if kind == "drop":
        _counts(event["asked"])
    return state_of(model, event["poses"])


def _same(what: str, told: object, found: str) -> None:
    if told != found:
        raise RocktowerError(f"{what} is {told!r} here, but {found}")


def _aim(strike: dict[str, Any]) -> Aim:
    strength = strike["strength"]
    return Aim(
        strike["side"],
        float(strike["height"]),
        strength if isinstance(strength, str) else float(strength),
    )


def _counts(value: dict[str, Any]) -> dict[str, int]:
    counts = {color: _whole(count) for color, count in value.items()}
    if not set(counts) <= set(COLORS):
        raise ValueError(f"boulders must be {', '.join(COLORS)}")
    return counts


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError(f"{value!r} must be a whole number, 0 or more")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} must be text")
    return value
