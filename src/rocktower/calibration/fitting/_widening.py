"""How much flatter than the network says a likelihood must be, so that intervals hold the truth.

The product over hits is too sure of itself: the network has errors of its own, and the packing
remembers more than the table sees. The remedy is one number, the power to which the likelihood is
raised (below 1: the posterior gets wider). It is measured, never chosen: see
``calibration/studies/coverage``, which writes the packaged file.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from math import log
from typing import Literal

import msgspec

from rocktower.errors import RocktowerError

__all__ = ["Measured", "Widening", "decode_measured", "encode_measured"]

_FILE = "widening.toml"
_FAR = log(2.0)  # of two numbers of hits, as a ratio
_HEAD = """\
# To what power the likelihood of a fit is raised, so that its 90 % intervals hold the truth of
# simulated owners as often as they say. Written by calibration/studies/coverage/study.py --write.
"""


class Measured(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A power that was measured.

    Parameters
    ----------
    budget, network, hits
        Of the fits: the budget, the hash of the network that they began with, hits of a record.
    owners
        Simulated owners, one record each.
    power, low_95, high_95
        With an interval from resampling owners.
    coverage_before, coverage_after
        Share of truths in 90 % intervals, all numbers together, with power 1 and with this one.
    provenance, reason
        As of all data; and the command and the day of the measurement.
    """

    budget: Literal["quick", "normal", "full"]
    network: str
    hits: int
    owners: int
    power: float
    low_95: float
    high_95: float
    coverage_before: float
    coverage_after: float
    provenance: str
    reason: str
    command: str
    date: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    measured: tuple[Measured, ...] = ()


def decode_measured(text: str, name: str = _FILE) -> tuple[Measured, ...]:
    """Read what was measured from TOML; `name` (a file name) stands before every error.

    Raises
    ------
    RocktowerError
        If anything in it is wrong.
    """
    try:
        found = msgspec.toml.decode(text, type=_File).measured
    except msgspec.DecodeError as error:
        raise RocktowerError(f"{name}: {error}") from None
    for one in found:
        if one.hits < 1:
            raise RocktowerError(f"{name}: hits {one.hits}: records have one at least")
        if not 0.0 < one.low_95 <= one.power <= one.high_95 <= 1.0:
            raise RocktowerError(
                f"{name}: power {one.power:g}, low_95 {one.low_95:g}, high_95 {one.high_95:g}: "
                "must be 0 < low_95 <= power <= high_95 <= 1"
            )
    return found


def encode_measured(measured: tuple[Measured, ...]) -> str:
    """Write what `decode_measured` reads."""
    parts = [_HEAD]
    for one in measured:
        lines = (
            f"{key} = {msgspec.json.encode(value).decode()}"
            for key, value in msgspec.structs.asdict(one).items()
        )
        parts.append("\n".join(("[[measured]]", *lines, "")))
    return "\n".join(parts)


@dataclass(frozen=True, slots=True)
class Widening:
    """The power of the likelihood of one fit.

    Parameters
    ----------
    power
        1 if none was measured for such fits.
    measured
        Where it is from; None if none was.
    """

    power: float = 1.0
    measured: Measured | None = None

    @classmethod
    def of(
        cls, budget: str, network: str | None, hits: int, known: tuple[Measured, ...] | None = None
    ) -> Widening:
        """Find what was measured for such a fit, with a number of hits that is nearest as a ratio.

        Parameters
        ----------
        network
            Hash of the network that the fit begins with; None without one.
        known
            What was measured; the packaged file if None.
        """
        if known is None:
            known = decode_measured(files(__package__).joinpath(f"data/{_FILE}").read_text("utf-8"))
        suit = [one for one in known if (one.budget, one.network) == (budget, network)]
        if not suit:
            return cls()
        nearest = min(suit, key=lambda one: abs(log(one.hits / max(hits, 1))))
        return cls(nearest.power, nearest)

    def told(self, hits: int) -> str:
        """Say it for people, in one paragraph, of a record with so many hits."""
        one = self.measured
        if one is None:
            return (
                "How often such intervals hold the truth was not measured for this budget and "
                "network, so they are not widened."
            )
        held = (
            f"the 90 % intervals of {one.owners} simulated owners of {one.hits} hits each held "
            f"{100 * one.coverage_before:.0f} % of the truths"
        )
        if self.power == 1.0:
            text = f"Not widened: {held}."
        else:
            text = (
                f"Widened: {held}; with the likelihood to the power {self.power:.2f} "
                f"({one.low_95:.2f} to {one.high_95:.2f}), as here, "
                f"{100 * one.coverage_after:.0f} %."
            )
        if abs(log(one.hits / max(hits, 1))) > _FAR:
            text += f" For a record as long as this one ({hits}) it was not measured."
        return text
