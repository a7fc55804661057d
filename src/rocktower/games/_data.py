"""Printed game data: every block says where its values come from and why we believe them."""

from __future__ import annotations

import re
import tomllib
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from rocktower.errors import RocktowerError

D = TypeVar("D")
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(pattern=r"^[^\s,=:]+$", max_length=30)]

# The viewer who sees everything; where there are secrets, no player may be called so.
EVERYBODY = "all"


class Block(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A block of a data file: its values, their provenance, and a reason in a line.

    Parameters
    ----------
    provenance
        ``published`` (rulebook or another public text), ``inferred`` (follows from those) or
        ``assumed`` (nobody wrote it down where we could read it: replace it if you know).
    reason
        From what the values follow, or why these were assumed.
    """

    provenance: Literal["published", "inferred", "assumed"]
    reason: Annotated[str, Meta(min_length=1)]


def read_toml(text: str, kind: type[D], where: str) -> D:
    """Read a data file; raise `RocktowerError` that names the file, the key and what is allowed."""
    try:
        return convert(tomllib.loads(text), kind, where)
    except tomllib.TOMLDecodeError as error:
        raise RocktowerError(f"{where}: not a TOML file: {error}") from None


def convert(value: object, kind: type[D], where: str) -> D:
    """Turn plain values into a checked one; raise `RocktowerError` as `read_toml` does."""
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise RocktowerError(f"{where}: {error}") from None


def require(event: object, kind: object) -> None:
    """Raise `RocktowerError` if an event has a value that its type does not allow."""
    try:
        msgspec.convert(msgspec.to_builtins(event), kind)
    except msgspec.ValidationError as error:
        raise RocktowerError(f"{type(event).__name__.lower()}: {error}") from None


def check_players(names: tuple[str, ...], reserved: str) -> None:
    """Raise `RocktowerError` unless 2 to 4 people have names that can be told apart."""
    if not 2 <= len(names) <= 4:
        raise RocktowerError(f"{len(names)} players: 2 to 4 are expected")
    for name in names:
        if not re.fullmatch(r"[^\s,=:]{1,30}", name):
            raise RocktowerError(
                f"player {name!r}: a name of 1 to 30 characters without spaces, commas, colons "
                "and equals signs is expected"
            )
    if len({reserved, *map(str.lower, names)}) <= len(names):
        raise RocktowerError(f"players need distinct names, none of them {reserved!r}")
