"""The components of Treasure Mountain that chance touches, read from a data file and checked."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Literal

from msgspec import Meta, Struct

from rocktower.errors import RocktowerError
from rocktower.games._data import Block, Count, Name, read_toml

Number = Annotated[int, Meta(ge=1)]
Treasure = Literal["gold", "gems"]


class Dragon(Struct, frozen=True):
    """A dragon tile: level on the back; strength, victory points and treasure on the front."""

    level: str
    strength: int
    points: int
    treasure: Treasure

    def __str__(self) -> str:
        return f"{self.level}:{self.strength}:{self.points}:{self.treasure}"


class MarketCard(Struct, frozen=True):
    """A contract: gems to pay, gold to collect."""

    gem: str
    gems: int
    gold: int

    def __str__(self) -> str:
        return f"{self.gem}:{self.gems}:{self.gold}"


class Achievement(Struct, frozen=True):
    """What to own, and the victory points for it."""

    kind: str
    needed: int
    points: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.needed}:{self.points}"


class MineTile(Struct, frozen=True):
    """A mine tile: its kind (a gem or a special tile), the gems it is seeded with, its tracks."""

    kind: str
    gems: int
    tracks: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.gems}:{self.tracks}"


Card = MarketCard | Achievement | MineTile


class Dwarves(Block, frozen=True, kw_only=True):
    """Dwarves of each player by the number of players."""

    by_players: dict[int, Number]


class Aggression(Block, frozen=True, kw_only=True):
    """The die values from which the dragon moves."""

    threshold: Annotated[int, Meta(ge=1, le=6)]
    dragon_song_threshold: Annotated[int, Meta(ge=1, le=6)]


class DragonTrack(Block, frozen=True, kw_only=True):
    """The length of the dragon track."""

    steps: Number


class Axes(Block, frozen=True, kw_only=True):
    """Axe tokens by value."""

    counts: Annotated[dict[Number, Count], Meta(min_length=1)]


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """The dragon tiles of one level."""

    range: tuple[Number, Number]
    tiles: tuple[tuple[Number, Count, Treasure], ...]


class Dragons(Block, frozen=True, kw_only=True):
    """The dragon tiles by level, the level on top first."""

    levels: Annotated[dict[Name, Level], Meta(min_length=1)]


class Market(Block, frozen=True, kw_only=True):
    """The market cards, alike for every gem."""

    gems: Annotated[tuple[Name, ...], Meta(min_length=1)]
    cards: tuple[tuple[Number, Count], ...]


class Achievements(Block, frozen=True, kw_only=True):
    """The achievement cards by kind."""

    open: Number
    cards: dict[Name, tuple[tuple[Number, Count], ...]]


class Mine(Block, frozen=True, kw_only=True):
    """The mine tiles, alike for every gem, and the special ones."""

    open: Number
    tiles: tuple[tuple[Number, Annotated[str, Meta(pattern="^N?E?S?W?$")]], ...]
    special: tuple[Name, ...]
    special_tracks: Annotated[str, Meta(pattern="^N?E?S?W?$")]


class GameData(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of it; a value that contradicts another raises `RocktowerError`."""

    dwarves: Dwarves
    aggression: Aggression
    dragon_track: DragonTrack
    axes: Axes
    dragons: Dragons
    market: Market
    achievements: Achievements
    mine: Mine

    def __post_init__(self) -> None:
        if set(self.dwarves.by_players) != {2, 3, 4}:
            raise RocktowerError("dwarves.by_players: 2, 3 and 4 players are expected")
        gems = self.market.gems
        if len({"mine", "achievements", *gems}) < len(gems) + 2:
            raise RocktowerError("market.gems: distinct gems are expected, none called a row")
        for name, level in self.dragons.levels.items():
            low, high = level.range
            for strength, *_ in level.tiles:
                if not low <= strength <= high:
                    raise RocktowerError(
                        f"dragons.levels.{name}: strength {strength} is outside the range "
                        f"{low} to {high} on the back"
                    )

    def dragon_tiles(self, level: str) -> tuple[Dragon, ...]:
        """List the dragon tiles of a level; raise `RocktowerError` if there is no such level."""
        if level not in self.dragons.levels:
            raise RocktowerError(
                f"no dragon level {level!r}: one of {', '.join(self.dragons.levels)} is expected"
            )
        return tuple(Dragon(level, *tile) for tile in self.dragons.levels[level].tiles)

    def row_cards(self) -> dict[str, tuple[Card, ...]]:
        """List the cards of every row: mine, achievements, and a market row for each gem."""
        gems = self.market.gems
        mine = [MineTile(gem, *tile) for gem in gems for tile in self.mine.tiles]
        mine += [MineTile(kind, 0, self.mine.special_tracks) for kind in self.mine.special]
        goals = [
            Achievement(kind, *card)
            for name, cards in self.achievements.cards.items()
            for kind in (gems if name == "gem" else (name,))
            for card in cards
        ]
        market = {gem: tuple(MarketCard(gem, *card) for card in self.market.cards) for gem in gems}
        return {"mine": tuple(mine), "achievements": tuple(goals), **market}

    def open_slots(self, row: str) -> int:
        """Count the open places of a row."""
        return {"mine": self.mine.open, "achievements": self.achievements.open}.get(row, 2)


def read_game_data(text: str, where: str) -> GameData:
    """Read a data file; raise `RocktowerError` that names what is wrong in it."""
    return read_toml(text, GameData, where)


def default_game_data() -> GameData:
    """Give the packaged data; see ``game.toml`` for what in it is assumed."""
    path = files(__package__) / "game.toml"
    return read_game_data(path.read_text(encoding="utf-8"), "game.toml")
