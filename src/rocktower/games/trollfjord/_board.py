"""The printed board: regions, fortress spaces and walkways, read from a file and checked."""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from rocktower.errors import RocktowerError
from rocktower.games._data import Block, read_toml
from rocktower.games.trollfjord._actions import Clear, Collect, Place, Wander

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LANDSCAPES", "WANDER", "Board", "Fortress", "Region", "default_board", "load_board"]

LANDSCAPES = ("mountain", "fjord", "glacier", "swamp", "tundra", "forest")
WANDER = "wander"


class Region(Struct, frozen=True, forbid_unknown_fields=True):
    """A region: where trolls stand and a treasure lies."""

    name: str
    landscape: str
    adjoins: tuple[str, ...]


class Fortress(Struct, frozen=True, forbid_unknown_fields=True):
    """A fortress space, its three regions, and the number it bears in the first game (1 to 3)."""

    name: str
    number: int
    regions: tuple[str, ...]


class Walkway(Struct, frozen=True, forbid_unknown_fields=True):
    """A wooden walkway: its spaces clockwise, each a landscape to place in or "wander"."""

    spaces: tuple[str, ...]


class Board(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """A board for Trollfjord. Regions and fortresses are numbered in their order here.

    Build one with `load_board` or `Board.from_toml`, which check it.
    """

    format: Literal["rocktower-board"]
    version: Literal[1]
    name: str
    regions: tuple[Region, ...]
    fortresses: tuple[Fortress, ...]
    walkways: tuple[Walkway, ...]
    provenance: dict[str, Block] = {}

    @classmethod
    def from_toml(cls, text: str) -> Board:
        """Read a board file's text; raise `RocktowerError` if it is no playable board."""
        board = read_toml(text, cls, "board")
        check_board(board)
        return board

    @cached_property
    def region_index(self) -> dict[str, int]:
        """The number of a region by its name."""
        return {region.name: i for i, region in enumerate(self.regions)}

    @cached_property
    def fortress_index(self) -> dict[str, int]:
        """The number of a fortress space by its name."""
        return {fortress.name: i for i, fortress in enumerate(self.fortresses)}

    @cached_property
    def surrounding(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the three regions that surround each fortress space."""
        return tuple(tuple(self.region_index[name] for name in f.regions) for f in self.fortresses)

    @cached_property
    def places(self) -> dict[tuple[str, int], tuple[Place, ...]]:
        """Every placing of at least one troll, by landscape and most trolls (1 to 3)."""
        return {
            (landscape, most): tuple(
                Place(count, region.name)
                for region in self.regions
                if region.landscape == landscape
                for count in range(1, most + 1)
            )
            for landscape in LANDSCAPES
            for most in (1, 2, 3)
        }

    @cached_property
    def wanders(self) -> tuple[tuple[Wander, ...], ...]:
        """Every wander that starts in a region."""
        return tuple(tuple(Wander(r.name, end) for end in r.adjoins) for r in self.regions)

    @cached_property
    def collects(self) -> tuple[Collect, ...]:
        """The collecting of each region's treasure."""
        return tuple(Collect(region.name) for region in self.regions)

    @cached_property
    def clears(self) -> tuple[Clear, ...]:
        """The clearing of each region."""
        return tuple(Clear(region.name) for region in self.regions)


def load_board(path: Path) -> Board:
    """Read a board from a TOML file.

    Raises
    ------
    RocktowerError
        If the file cannot be read or is no playable board; the message names the file.
    """
    try:
        return Board.from_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RocktowerError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    except RocktowerError as error:
        raise RocktowerError(f"{path}: {error}") from None


@cache
def default_board() -> Board:
    """Give the inferred board of the package. It is not the printed one: see its file."""
    text = files(__package__).joinpath("data/board.toml").read_text(encoding="utf-8")
    return Board.from_toml(text)


def check_board(board: Board) -> None:
    """Raise `RocktowerError` unless a board has what the rulebook says of every board.

    Preparation 2, 3 and 5: twelve regions, two of each landscape, adjoining fjords; six
    fortress spaces, each where three regions meet, two of each number; ten walkways with
    placement and wander spaces.
    """
    try:
        _check_regions(board)
        _check_fortresses(board)
        _check_walkways(board)
    except RocktowerError as error:
        raise RocktowerError(f"board: {error}") from None


def _check_regions(board: Board) -> None:
    if len(board.regions) != 12:
        raise RocktowerError(f"{len(board.regions)} regions: there are 12")
    _check_names("region", [region.name for region in board.regions])
    for region in board.regions:
        if region.landscape not in LANDSCAPES:
            allowed = ", ".join(LANDSCAPES)
            raise RocktowerError(
                f"region {region.name}: {region.landscape!r} is no landscape: one of {allowed}"
            )
    for landscape, n in Counter(region.landscape for region in board.regions).items():
        if n != 2:
            raise RocktowerError(f"{n} regions of {landscape}: there are 2 of each landscape")
    neighbors = {region.name: set(region.adjoins) for region in board.regions}
    for region in board.regions:
        if len(neighbors[region.name]) != len(region.adjoins):
            raise RocktowerError(f"region {region.name} adjoins a region twice")
        for other in region.adjoins:
            if other not in neighbors:
                raise RocktowerError(f"region {region.name} adjoins {other!r}, which is no region")
            if other == region.name:
                raise RocktowerError(f"region {region.name} adjoins itself")
            if region.name not in neighbors[other]:
                raise RocktowerError(
                    f"region {region.name} adjoins {other}, but {other} not {region.name}"
                )
    one, two = [region.name for region in board.regions if region.landscape == "fjord"]
    if two not in neighbors[one]:
        raise RocktowerError(f"the fjords {one} and {two} do not adjoin")
    reached, frontier = {one}, [one]
    while frontier:
        new = neighbors[frontier.pop()] - reached
        reached |= new
        frontier += new
    if len(reached) != 12:
        cut_off = ", ".join(sorted(set(neighbors) - reached))
        raise RocktowerError(f"no troll can wander from {one} to {cut_off}")


def _check_fortresses(board: Board) -> None:
    if len(board.fortresses) != 6:
        raise RocktowerError(f"{len(board.fortresses)} fortress spaces: there are 6")
    _check_names("fortress", [fortress.name for fortress in board.fortresses])
    by_name = {region.name: region for region in board.regions}
    for fortress in board.fortresses:
        where = f"fortress {fortress.name}"
        if len(fortress.regions) != 3 or len(set(fortress.regions)) != 3:
            raise RocktowerError(f"{where}: three distinct regions surround it")
        for name in fortress.regions:
            if name not in by_name:
                raise RocktowerError(f"{where}: {name!r} is no region")
        for one, two in combinations(fortress.regions, 2):
            if two not in by_name[one].adjoins:
                raise RocktowerError(f"{where}: {one} and {two} meet there, but do not adjoin")
    numbers = sorted(fortress.number for fortress in board.fortresses)
    if numbers != [1, 1, 2, 2, 3, 3]:
        raise RocktowerError(f"fortress numbers {numbers}: there are two each of 1, 2 and 3")
    if len({frozenset(fortress.regions) for fortress in board.fortresses}) != 6:
        raise RocktowerError("two fortresses are surrounded by the same regions")
    idle = set(by_name) - {name for fortress in board.fortresses for name in fortress.regions}
    if idle:
        raise RocktowerError(f"no fortress lies at {', '.join(sorted(idle))}")


def _check_walkways(board: Board) -> None:
    if len(board.walkways) != 10:
        raise RocktowerError(f"{len(board.walkways)} walkways: there are 10")
    seen: set[str] = set()
    for number, walkway in enumerate(board.walkways, start=1):
        for space in walkway.spaces:
            if space != WANDER and space not in LANDSCAPES:
                allowed = ", ".join((WANDER, *LANDSCAPES))
                raise RocktowerError(f"walkway {number}: {space!r} is no space: one of {allowed}")
        # With one of each on every walkway no lord can lap another, so "last" is well defined.
        if not {WANDER} < set(walkway.spaces):
            raise RocktowerError(f"walkway {number}: it needs a placement and a wander space")
        seen.update(walkway.spaces)
    for landscape in LANDSCAPES:
        if landscape not in seen:
            raise RocktowerError(f"no placement space for {landscape} on any walkway")


def _check_names(what: str, names: list[str]) -> None:
    for name, n in Counter(names).items():
        if n > 1:
            raise RocktowerError(f"two {what} spaces are called {name!r}")
        if not name or not name.isprintable() or " " in name or len(name) > 20:
            raise RocktowerError(f"{what} {name!r}: a name is one word of at most 20 characters")
