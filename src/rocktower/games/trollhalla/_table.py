"""A Trollhalla table: where every tile is, whose turn it is, and what chance decides next.

The table knows the tiles, the ships and the die; trolls, sea lanes and weather cards are the
players' business. A ship is sent where the players say.
"""

from typing import Any, Literal, Self, assert_never

from msgspec import Struct
from msgspec.structs import replace

from rocktower.chance import Bag, Die, DrawFromBag, RollDie
from rocktower.errors import RocktowerError
from rocktower.games._data import check_players, require
from rocktower.games.trollhalla._board import GOAT, WILD, Board
from rocktower.games.trollhalla._events import (
    CHIEF,
    Event,
    Kick,
    Maelstrom,
    Refill,
    Roll,
    Sail,
    Share,
    Start,
)

Tiles = tuple[str, ...]


class Decision(Struct, frozen=True):
    """What chance has to decide: who starts, the ships, the weather, a fill, the ship die."""

    what: Literal["first", "ships", "weather", "fill", "roll"]
    island: int = 0


class Table(Struct, frozen=True, kw_only=True):
    """The state of the chance in a game; a fresh one awaits `Start`.

    Parameters
    ----------
    board
        The components.
    players
        Names, clockwise.
    first
        Index of the player who starts; None while it is open.
    turn
        The turn of the last roll, from 1; 0 before the first roll.
    bag
        The plunder bag.
    islands
        The tiles on every island, west to east.
    ships
        Island by ship.
    boats
        The plunder of every player, in the order in which it came.
    chief
        The Chief's plunder.
    weather
        The symbols of the sea spaces in the Weather Tiles variant; empty without it.
    rolled
        The ship on the die, until it sails or the next turn begins.
    swirled
        Whether a maelstrom was summoned in the turn before whose roll the table is.
    origin
        The island that a ship has left and that is not refilled yet.
    kicks
        How many tiles the goats of each player may still kick.
    shared
        Whether the Chief has shared in this landing (or, at the end, once more).
    is_over
        Whether a refill could not be completed: only final scoring is left.
    pending
        What chance has to decide, the next first.
    """

    board: Board
    players: tuple[str, ...] = ()
    first: int | None = None
    turn: int = 0
    bag: Bag[str] = Bag((), ())
    islands: tuple[Tiles, ...] = ()
    ships: dict[str, int] = {}
    boats: tuple[Tiles, ...] = ()
    chief: Tiles = ()
    weather: Tiles = ()
    rolled: str | None = None
    swirled: bool = False
    origin: int | None = None
    kicks: tuple[int, ...] = ()
    shared: bool = False
    is_over: bool = False
    pending: tuple[Decision, ...] = ()

    @property
    def active(self) -> int | None:
        """Index of the player of the last roll, or of the first player before it."""
        if self.first is None:
            return None
        return (self.first + max(self.turn - 1, 0)) % len(self.players)

    @property
    def request(self) -> RollDie[str] | DrawFromBag[str] | None:
        """What chance has to decide now; None if the players are to move."""
        if not self.pending:
            return None
        decision = self.pending[0]
        match decision.what:
            case "first":
                return RollDie(Die(self.players), "who starts")
            case "ships":
                return RollDie(Die(tuple(map(_format, self.board.legal_starts()))), "ships")
            case "weather":
                tiles = Bag.of(self.board.weather_tiles.counts)
                return DrawFromBag(tiles, len(tiles), "weather tiles, sea space 1 first")
            case "fill":
                capacity = self.board.capacity(decision.island)
                label = f"island {decision.island}, west to east"
                return DrawFromBag(self.bag, capacity, label)
            case "roll":
                return RollDie(Die(self.board.die.faces), "ship die")

    @property
    def secret_of(self) -> None:
        """Nobody alone: whatever chance decides in this game lies open."""
        return None

    def apply(self, event: Event) -> Self:
        """Give the table after an event; raise `RocktowerError` if it cannot happen now."""
        require(event, Event)
        if self.pending:
            raise RocktowerError("chance has not answered yet")
        if bool(self.players) == isinstance(event, Start):
            raise RocktowerError("the game is set up" if self.players else "no game is set up")
        match event:
            case Start():
                return self._start(event)
            case Roll():
                return self._roll()
            case Maelstrom():
                return self._maelstrom(event)
            case Sail():
                return self._sail(event)
            case Kick():
                return self._kick(event)
            case Share():
                return self._share(event)
            case Refill():
                return self._refill()
            case _:
                assert_never(event)

    def answered(self, answer: Any) -> Self:
        """Give the table after chance has answered; raise `RocktowerError` if it cannot be."""
        if self.request is None:
            raise RocktowerError("chance has nothing to decide")
        self.request.check(answer)
        decision, rest = self.pending[0], self.pending[1:]
        table = replace(self, pending=rest)
        match decision.what:
            case "first":
                return replace(table, first=self.players.index(answer))
            case "ships":
                start = {w.split("=")[0]: int(w.split("=")[1]) for w in answer.split(",")}
                return replace(table, ships=start, pending=rest + _fills(self.board, start))
            case "weather":
                return replace(table, weather=answer)
            case "fill":
                islands = _set(self.islands, decision.island, answer)
                return replace(table, bag=self.bag.take(answer), islands=islands)
            case "roll":
                return replace(table, rolled=answer, swirled=False, turn=self.turn + 1)

    def player(self, name: str) -> int:
        """Find a player by name; raise `RocktowerError` if nobody is called that."""
        if name not in self.players:
            raise RocktowerError(f"no player {name!r}: {', '.join(self.players)} play")
        return self.players.index(name)

    def _start(self, event: Start) -> Self:
        names = event.players
        check_players(names, CHIEF)
        if event.ships is not None and event.random_ships:
            raise RocktowerError("ships are either placed or placed at random, not both")
        if event.weather and event.random_weather:
            raise RocktowerError("weather tiles are either laid or laid at random, not both")
        ships = self.board.ships.start if event.ships is None else event.ships
        self.board.check_ships(ships)
        tiles = self.board.weather_tiles.counts
        counted = {kind: event.weather.count(kind) for kind in (*tiles, *event.weather)}
        if event.weather and counted != tiles:
            raise RocktowerError(f"weather tiles {_format(counted)}: {_format(tiles)} are expected")
        table = replace(
            self,
            players=names,
            bag=Bag.of(self.board.plunder_counts(len(names))),
            islands=((),) * len(self.board.islands.spaces),
            boats=((),) * len(names),
            kicks=(0,) * len(names),
            weather=event.weather,
        )
        pending: tuple[Decision, ...] = ()
        if event.first is None:
            pending += (Decision("first"),)
        else:
            table = replace(table, first=table.player(event.first))
        if event.random_weather:
            pending += (Decision("weather"),)
        if event.random_ships:
            return replace(table, pending=(*pending, Decision("ships")))
        return replace(table, ships=ships, pending=pending + _fills(self.board, ships))

    def _roll(self) -> Self:
        self._require_no_landing()
        return replace(self, rolled=None, pending=(Decision("roll"),))

    def _maelstrom(self, event: Maelstrom) -> Self:
        self._require_no_landing()
        if not self.weather:
            raise RocktowerError("a maelstrom moves tiles only in the Weather Tiles variant")
        if self.swirled:
            raise RocktowerError("one maelstrom a turn: the weather gods were called on already")
        last = len(self.weather)
        if event.a == event.b or max(event.a, event.b) > last:
            raise RocktowerError(
                f"sea spaces {event.a} and {event.b}: two different ones from 1 to {last} "
                "are expected"
            )
        weather = list(self.weather)
        weather[event.a - 1], weather[event.b - 1] = weather[event.b - 1], weather[event.a - 1]
        return replace(self, weather=tuple(weather), swirled=True, rolled=None)

    def _sail(self, event: Sail) -> Self:
        if self.rolled is None or self.is_over:
            raise RocktowerError("no ship can sail: a ship sails once, right after its roll")
        if event.island >= len(self.islands):
            raise RocktowerError(
                f"no island {event.island}: one from 0 to {len(self.islands) - 1} is expected"
            )
        taken = {island: ship for ship, island in self.ships.items()}
        if event.island in taken:
            raise RocktowerError(f"island {event.island} is occupied by ship {taken[event.island]}")
        table = replace(
            self,
            origin=self.ships[self.rolled],
            ships={**self.ships, self.rolled: event.island},
            islands=_set(self.islands, event.island, ()),
            rolled=None,
            shared=False,
        )
        tiles = list(self.islands[event.island])
        for who, spaces in zip(event.seats, self.board.islands.spaces[event.island], strict=True):
            plunder, tiles = tiles[:spaces], tiles[spaces:]
            table = table._gain(who, plunder)
        return table

    def _gain(self, who: str, tiles: list[str]) -> Self:
        """Give tiles to a player, whose goats (and wild tiles as goats) may kick, or the Chief."""
        if who == CHIEF:
            return replace(self, chief=(*self.chief, *tiles))
        i = self.player(who)
        goats = sum(tile in (GOAT, WILD) for tile in tiles)
        return replace(
            self,
            boats=_set(self.boats, i, (*self.boats[i], *tiles)),
            kicks=_set(self.kicks, i, self.kicks[i] + goats),
        )

    def _kick(self, event: Kick) -> Self:
        i = self.player(event.player)
        if self.kicks[i] == 0:
            raise RocktowerError(f"{event.player} has no goat left that kicks in this landing")
        if event.tile == GOAT:
            raise RocktowerError("a goat never kicks out a goat")
        boat = list(self.boats[i])
        if event.tile not in boat:
            held = ", ".join(dict.fromkeys(boat)) or "no tile"
            raise RocktowerError(f"{event.player} holds {held}; no {event.tile!r} to kick out")
        boat.remove(event.tile)
        return replace(
            self,
            bag=self.bag.put([event.tile]),
            boats=_set(self.boats, i, tuple(boat)),
            kicks=_set(self.kicks, i, self.kicks[i] - 1),
        )

    def _share(self, event: Share) -> Self:
        if self.origin is None and not self.is_over:
            raise RocktowerError("the Chief shares in a landing, before the refill, or at the end")
        if self.shared:
            raise RocktowerError("the Chief has shared already")
        who = [name for name, _ in event.takes]
        if len(set(who)) < len(who):
            raise RocktowerError("each player takes one tile of the Chief's at most")
        table = replace(self, shared=True)
        for name, tile in event.takes:
            self.player(name)
            left = list(table.chief)
            if tile not in left:
                held = ", ".join(dict.fromkeys(left)) or "no tile"
                raise RocktowerError(f"the Chief has {held}; {name} cannot take {tile!r}")
            left.remove(tile)
            table = replace(table._gain(name, [tile]), chief=tuple(left))
        return replace(table, bag=table.bag.put(table.chief), chief=())

    def _refill(self) -> Self:
        if self.origin is None:
            raise RocktowerError("no island waits for a refill: a ship must have left one")
        none = (0,) * len(self.players)
        table = replace(self, origin=None, kicks=none, shared=False)
        if len(self.bag) < self.board.capacity(self.origin):
            return replace(table, is_over=True)
        return replace(table, pending=(Decision("fill", self.origin),))

    def _require_no_landing(self) -> None:
        if self.is_over:
            raise RocktowerError("the game is over")
        if self.origin is not None:
            raise RocktowerError(f"island {self.origin} must be refilled first")


def _fills(board: Board, ships: dict[str, int]) -> tuple[Decision, ...]:
    """Fill every island without a ship (Setting Up 9)."""
    islands = range(len(board.islands.spaces))
    return tuple(Decision("fill", i) for i in islands if i not in ships.values())


def _set(values: tuple[Any, ...], i: int, value: Any) -> tuple[Any, ...]:
    return (*values[:i], value, *values[i + 1 :])


def _format(pairs: dict[str, int]) -> str:
    return ",".join(f"{name}={n}" for name, n in pairs.items())
