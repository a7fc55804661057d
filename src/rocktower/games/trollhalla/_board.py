"""The components of Trollhalla that chance touches, read from a data file and checked."""

from __future__ import annotations

from importlib.resources import files
from itertools import permutations
from typing import Annotated

from msgspec import Meta, Struct

from rocktower.errors import RocktowerError
from rocktower.games._data import Block, Count, Name, read_toml

GOAT, WILD = "goat", "wild"
SEATS = 4

# One island: the number of tiles at each of its four positions, west to east.
Positions = tuple[
    Annotated[int, Meta(ge=1, le=2)],
    Annotated[int, Meta(ge=1, le=2)],
    Annotated[int, Meta(ge=1, le=2)],
    Annotated[int, Meta(ge=1, le=2)],
]


class Tiles(Block, frozen=True, kw_only=True):
    """How many tiles of each kind there are."""

    counts: Annotated[dict[Name, Count], Meta(min_length=1)]


class TwoPlayers(Block, frozen=True, kw_only=True):
    """What two players leave in the box."""

    removed_of_each: Count


class ShipDie(Block, frozen=True, kw_only=True):
    """The faces of the die, each a ship."""

    faces: Annotated[tuple[Name, ...], Meta(min_length=1)]


class Islands(Block, frozen=True, kw_only=True):
    """The tile spaces of every island."""

    spaces: Annotated[tuple[Positions, ...], Meta(min_length=4)]


class Layout(Block, frozen=True, kw_only=True):
    """Which island lies in the middle, and how the others surround it."""

    center: Count
    ring: tuple[Count, ...]


class Ships(Block, frozen=True, kw_only=True):
    """Where ships start if nobody says otherwise."""

    start: dict[Name, Count]


class Board(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of it; a value that contradicts another raises `RocktowerError`."""

    plunder: Tiles
    two_players: TwoPlayers
    die: ShipDie
    islands: Islands
    layout: Layout
    ships: Ships
    weather_tiles: Tiles

    def __post_init__(self) -> None:
        if not {GOAT, WILD} <= set(self.plunder.counts):
            raise RocktowerError(f"plunder.counts needs the kinds {GOAT!r} and {WILD!r}")
        if min(self.plunder.counts.values()) < self.two_players.removed_of_each:
            raise RocktowerError("two_players.removed_of_each is more than a kind has tiles")
        islands = sorted((self.layout.center, *self.layout.ring))
        if islands != list(range(len(self.islands.spaces))):
            raise RocktowerError(
                f"layout: center and ring name {islands}; each island from 0 to "
                f"{len(self.islands.spaces) - 1} is expected once"
            )
        self.check_ships(self.ships.start)

    @property
    def ship_names(self) -> tuple[str, ...]:
        """The ships in the order of the die's faces."""
        return tuple(dict.fromkeys(self.die.faces))

    def capacity(self, island: int) -> int:
        """Count the tile spaces of an island."""
        return sum(self.islands.spaces[island])

    def plunder_counts(self, players: int) -> dict[str, int]:
        """Count the tiles in a full bag (Setting Up 2 and 8)."""
        removed = self.two_players.removed_of_each if players == 2 else 0
        return {kind: n - removed for kind, n in self.plunder.counts.items()}

    def are_adjacent(self, a: int, b: int) -> bool:
        """Say whether two islands are neighbors: on the ring, or one of them is the center."""
        if self.layout.center in (a, b):
            return a != b
        ring = self.layout.ring
        return (ring.index(a) - ring.index(b)) % len(ring) in (1, len(ring) - 1)

    def check_ships(self, start: dict[str, int]) -> None:
        """Raise `RocktowerError` unless ships may start there (Setting Up 6)."""
        if set(start) != set(self.ship_names):
            raise RocktowerError(
                f"ships {', '.join(start) or 'none'}: {', '.join(self.ship_names)} are expected"
            )
        places = list(start.values())
        for island in places:
            if island not in self.layout.ring:
                raise RocktowerError(
                    f"a ship cannot start at island {island}: an outer island is expected, "
                    f"one of {', '.join(map(str, self.layout.ring))}"
                )
        for a, b in permutations(places, 2):
            if places.count(a) > 1 or self.are_adjacent(a, b):
                raise RocktowerError(
                    f"ships at islands {a} and {b}: islands that are not adjacent are expected"
                )

    def legal_starts(self) -> list[dict[str, int]]:
        """List every way to place the ships (Setting Up 6)."""
        found = []
        for places in permutations(self.layout.ring, len(self.ship_names)):
            start = dict(zip(self.ship_names, places, strict=True))
            if not any(self.are_adjacent(a, b) for a, b in permutations(places, 2)):
                found.append(start)
        return found


def read_board(text: str, where: str) -> Board:
    """Read a board file; raise `RocktowerError` that names what is wrong in it."""
    return read_toml(text, Board, where)


def default_board() -> Board:
    """Give the packaged board; see ``board.toml`` for what in it is assumed."""
    path = files(__package__) / "board.toml"
    return read_board(path.read_text(encoding="utf-8"), "board.toml")
