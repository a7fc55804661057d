"""The hammering log: JSON Lines from which every hit can be re-simulated and compared.

The first line is a header. Each further line is an event with its result: the filling, then
every strike. Each event holds the state it led to, so that a hit can be re-simulated by itself.
"""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rocktower.errors import RocktowerError
from rocktower.files import decode_line
from rocktower.tower._state import Outcome, TowerState
from rocktower.tower._strike import Strike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocktower.tower._model import TowerModel
    from rocktower.tower._state import StrikeResult

__all__ = ["HammeringLog", "LoggedHit", "Replayed", "decode_log", "log_header", "log_line"]

_FORMAT = "rocktower-hammering/1"


@dataclass(frozen=True, slots=True)
class LoggedHit:
    """One strike of a log: where it started, what was done, and what came of it."""

    number: int
    before: TowerState
    strike: Strike
    boulders: tuple[int, ...]
    jumped: tuple[int, ...]
    after: TowerState


@dataclass(frozen=True, slots=True)
class HammeringLog:
    """A decoded log: its header, the filled tower, and the hits in order."""

    header: dict[str, Any]
    filled: TowerState
    hits: tuple[LoggedHit, ...]

    def held(self, model: TowerModel) -> TowerModel:
        """Return a tower held and covered as the log says.

        Raises
        ------
        RocktowerError
            If the log says something else than a packaged grip and a share.
        """
        grip, cover = (self.header["model"].get(key) for key in ("grip", "cover"))
        if not isinstance(grip, str) or type(cover) not in (int, float):
            raise RocktowerError(f"the log's header names no grip and cover: {grip!r}, {cover!r}")
        return model.held(grip, cover)

    def replay(self, model: TowerModel, *, trace: bool = False) -> Iterator[Replayed]:
        """Re-simulate every hit from its recorded start, and compare.

        Parameters
        ----------
        model
            The tower of the log, held as then (see `held`).
        trace
            Record the frames.

        Raises
        ------
        RocktowerError
            If the model is not the one that the log was made with.
        """
        if model.hash != self.header["model"]["hash"]:
            raise RocktowerError(
                f"this log was made with the tower model {self.header['model']['hash']} "
                f"({_held(self.header['model'])}), not {model.hash} ({_held(_named(model))})"
            )
        return (_replayed(hit, model, trace=trace) for hit in self.hits)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A hit beside its re-simulation."""

    logged: LoggedHit
    result: StrikeResult
    agrees: bool

    @property
    def difference(self) -> str:
        """How the re-simulation differs from the record, in words; empty if it does not."""
        if self.agrees:
            return ""
        recorded = self.logged.boulders
        here = tuple(b.id for b in self.result.hit.boulders)
        if len(here) != len(recorded):
            return f"recorded {len(recorded)} out, simulated here {len(here)}"
        if here != recorded:
            return f"as many as recorded, {len(here)}, but other boulders or in another order"
        return "the same boulders out, but others come to lie elsewhere"


def _replayed(hit: LoggedHit, model: TowerModel, *, trace: bool) -> Replayed:
    result = model.strike(hit.before, hit.strike, trace=trace)
    same = (
        tuple(b.id for b in result.hit.boulders) == hit.boulders
        and tuple(b.id for b in result.jumped) == hit.jumped
        # What jumped out was dropped in with random numbers that the log does not hold.
        and (bool(result.jumped) or result.state == hit.after)
    )
    return Replayed(hit, result, same)


def _named(model: TowerModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "hash": model.hash,
        "grip": model.grip.name,
        "cover": model.cover,
    }


def _held(named: dict[str, Any]) -> str:
    return f"{named.get('name')!r}, grip {named.get('grip')}, cover {named.get('cover')}"


def log_header(model: TowerModel, seed: int) -> str:
    """Write the first line of a log."""
    return json.dumps(
        {
            "format": _FORMAT,
            "version": version("rocktower"),
            "model": _named(model),
            "seed": seed,
            "pymunk": version("pymunk"),
            "numpy": version("numpy"),
            "platform": platform.platform(),
        }
    )


def log_line(
    number: int, state: TowerState, strike: Strike | None = None, result: StrikeResult | None = None
) -> str:
    """Write one event: the filling (number 0), or a strike and its result."""
    event: dict[str, Any] = {"n": number, "event": "fill" if strike is None else "strike"}
    if strike is not None and result is not None:
        event |= {
            "strike": {
                "side": strike.side,
                "speed_m_s": strike.speed,
                "height_m": strike.height,
            },
            "boulders": [b.id for b in result.hit.boulders],
            "colors": [b.color for b in result.hit.boulders],
            "jumped": [b.id for b in result.jumped],
            "outcome": result.outcome.value,
        }
    event["state"] = json.loads(state.to_json())
    return json.dumps(event)


def decode_log(text: str, name: str = "log") -> HammeringLog:
    """Read a log; `name` (a file name) stands before every error.

    Raises
    ------
    RocktowerError
        Naming the line.
    """
    lines = text.splitlines()
    header = decode_line(lines[0] if lines else "", f"{name}: line 1")
    model = header.get("model")
    if header.get("format") != _FORMAT or not isinstance(model, dict) or "hash" not in model:
        raise RocktowerError(f"{name}: line 1: not a hammering log (format must be {_FORMAT!r})")
    if len(lines) < 2:
        raise RocktowerError(f"{name}: the log ends before the tower was filled")
    filled = state = _state(decode_line(lines[1], f"{name}: line 2"), f"{name}: line 2")
    colors = {boulder.id: boulder.color for boulder in filled.boulders}
    hits = []
    for number, line in enumerate(lines[2:], 1):
        where = f"{name}: line {number + 2}"
        event = decode_line(line, where)
        strike, boulders, jumped = _strike(event, where)
        if event.get("n") != number or event.get("event") != "strike":
            raise RocktowerError(f"{where}: strike {number} is expected here")
        if not all(boulder in colors for boulder in (*boulders, *jumped)):
            raise RocktowerError(f"{where}: names a boulder that the tower does not have")
        if event.get("colors") != [colors[boulder] for boulder in boulders]:
            raise RocktowerError(f"{where}: the colors are not those of the boulders")
        if event.get("outcome") not in (known := [outcome.value for outcome in Outcome]):
            raise RocktowerError(
                f"{where}: outcome {event.get('outcome')!r} is not one of {', '.join(known)}"
            )
        after = _state(event, where)
        hits.append(LoggedHit(number, state, strike, boulders, jumped, after))
        state = after
    return HammeringLog(header, filled, tuple(hits))


def _strike(event: dict[str, Any], where: str) -> tuple[Strike, tuple[int, ...], tuple[int, ...]]:
    try:
        blow = event["strike"]
        strike = Strike(blow["side"], float(blow["speed_m_s"]), float(blow["height_m"]))
        return strike, tuple(event["boulders"]), tuple(event["jumped"])
    except RocktowerError as error:
        raise RocktowerError(f"{where}: {error}") from error
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise RocktowerError(f"{where}: not a strike with its result ({error!r})") from error


def _state(event: dict[str, Any], where: str) -> TowerState:
    return TowerState.from_json(json.dumps(event.get("state")), where)
