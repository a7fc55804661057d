"""A Treasure Mountain table: dice, axes, the dragon, the decks, and what chance decides next.

The table knows what chance touches. Dwarves, gold, gems and beer are the players' business: where
one of them matters to a roll or a fight, the event says so.
"""

from typing import Any, Self, assert_never

from msgspec.structs import replace

from rocktower.chance import D6, Bag, Deck, DrawFromBag, RollDie, TopCard
from rocktower.errors import RocktowerError
from rocktower.games._data import EVERYBODY, check_players, require
from rocktower.games.treasure_mountain import _events as ev
from rocktower.games.treasure_mountain._dragon import (
    angered,
    fight,
    fought,
    provoke,
    reroll,
    step,
    with_dice,
)
from rocktower.games.treasure_mountain._row import Row
from rocktower.games.treasure_mountain._state import Decision, State, changed


class Table(State, frozen=True, kw_only=True):
    """A table: the state, and what events and the answers of chance make of it."""

    @property
    def request(self) -> RollDie[int] | DrawFromBag[int] | TopCard[Any] | None:
        """What chance has to decide now; None if the players are to move."""
        if not self.pending:
            return None
        decision = self.pending[0]
        name = self.players[decision.player]
        match decision.what:
            case "order":
                return RollDie(D6, f"{name}: turn-order roll")
            case "aggression":
                return RollDie(D6, f"{name}: aggression roll")
            case "attack":
                return RollDie(D6, f"{name}: attack die")
            case "black":
                return RollDie(D6, f"{name}: black die")
            case "axes":
                return DrawFromBag(self.bag, decision.count, f"{name}: axes")
            case "fill":
                return TopCard(self.rows[decision.row].deck, f"{decision.row} row")
            case "peek" | "dragon":
                label = f"{name}: peek at the dragon" if decision.what == "peek" else "dragon tile"
                return TopCard(self.dragons[self.top_deck()], label)

    @property
    def secret_of(self) -> str | None:
        """Who alone may see the answer: a drawn axe, a peeked dragon; None if all may."""
        if self.pending and self.pending[0].what in ("axes", "peek"):
            return self.players[self.pending[0].player]
        return None

    def apply(self, event: ev.Event) -> Self:
        """Give the table after an event; raise `RocktowerError` if it cannot happen now."""
        require(event, ev.Event)
        if self.pending:
            raise RocktowerError("chance has not answered yet")
        if bool(self.players) == isinstance(event, ev.Start):
            raise RocktowerError("the game is set up" if self.players else "no game is set up")
        if self.anger and not isinstance(event, ev.Reroll | ev.Keep):
            who = self.players[self.anger.player]
            raise RocktowerError(f"{who} rolled {self.anger.die}: re-roll or keep it first")
        if self.attack and not isinstance(event, ev.Reroll | ev.Fight):
            raise RocktowerError("the dragon attacks: re-roll or fight first")
        return self._happen(event)._without_spent()

    def answered(self, answer: Any) -> Self:
        """Give the table after chance has answered; raise `RocktowerError` if it cannot be."""
        if self.request is None:
            raise RocktowerError("chance has nothing to decide")
        self.request.check(answer)
        decision = self.pending[0]
        table = replace(self, pending=self.pending[1:])
        match decision.what:
            case "order":
                table = table._ranked(decision.player, answer)
            case "fill":
                row = table.rows[decision.row].filled(answer)
                table = replace(table, rows={**table.rows, decision.row: row})
            case "axes":
                hands = changed(table.hands, decision.player, answer)
                table = replace(table, bag=table.bag.take(answer), hands=hands)
            case "peek":
                scouts = table.scouts | {decision.player}
                table = replace(table.with_dragon(answer, drawn=False), scouts=scouts)
            case "aggression":
                table = angered(table, answer)
            case "attack" | "black":
                who = table.order if decision.what == "black" else (decision.player,)
                table = with_dice(table, dict.fromkeys(who, answer))
            case "dragon":
                table = fought(table, answer)
        return table._without_spent()

    def _happen(self, event: ev.Event) -> Self:
        match event:
            case ev.Start():
                return self._start(event)
            case ev.Aggression():
                return provoke(self, event)
            case ev.Scout():
                return self._scout(event)
            case ev.Tribute():
                return self._tribute(event)
            case ev.Reroll():
                return reroll(self, self.player(event.player))
            case ev.Keep():
                if self.anger is None or self.anger.die is None:
                    raise RocktowerError("no aggression roll waits for a decision")
                return step(self, self.anger.die)
            case ev.Fight():
                return fight(self, event)
            case ev.DrawAxes():
                return self._draw_axes(event)
            case ev.Take():
                return self._take(event)
            case ev.Tavern():
                return self._tavern(event)
            case ev.Reset():
                return self._reset()
            case _:
                assert_never(event)

    def _start(self, event: ev.Start) -> Self:
        names = event.players
        check_players(names, EVERYBODY)
        if event.order and sorted(event.order) != sorted(names):
            raise RocktowerError(
                f"turn order {' '.join(event.order)}: each player once is expected"
            )
        none: tuple[()] = ()
        everyone = tuple(range(len(names)))
        table = replace(
            self,
            players=names,
            is_rahdo=event.rahdo,
            ranking=tuple((names.index(n),) for n in event.order) or (everyone,),
            bag=Bag.of(self.data.axes.counts),
            dragons=tuple(Deck.of(self.data.dragon_tiles(n)) for n in self.data.dragons.levels),
            rows={
                name: Row(Deck.of(cards), self.data.open_slots(name))
                for name, cards in self.data.row_cards().items()
            },
            hands=(none,) * len(names),
            awarded=(none,) * len(names),
            mines=(none,) * len(names),
            captured=(none,) * len(names),
        )
        rolls = () if event.order else tuple(Decision("order", i) for i in everyone)
        return replace(table, pending=rolls + table.fills(table.rows))

    def _ranked(self, player: int, roll: int) -> Self:
        """Note a turn-order roll; once all who are tied have rolled, the dice part them."""
        at, group = next((i, g) for i, g in enumerate(self.ranking) if len(g) > 1)
        rolls = (*self.rolls, (player, roll))
        if len(rolls) < len(group):
            return replace(self, rolls=rolls)
        values = sorted({value for _, value in rolls}, reverse=True)
        parted = tuple(tuple(i for i, value in rolls if value == v) for v in values)
        ranking = self.ranking[:at] + parted + self.ranking[at + 1 :]
        tied = next((g for g in ranking if len(g) > 1), ())
        again = tuple(Decision("order", i) for i in tied)
        return replace(self, ranking=ranking, rolls=(), pending=again + self.pending)

    def _scout(self, event: ev.Scout) -> Self:
        player = self.player(event.player)
        pending: tuple[Decision, ...] = ()
        if len(self.bag):
            pending += (Decision("axes", player),)
        if self.dragon_deck is not None:
            pending += (Decision("peek", player),)
        return provoke(replace(self, pending=pending), event)

    def _tribute(self, event: ev.Tribute) -> Self:
        most = 3 if event.diplomats else 2
        if len(set(event.removals)) < len(event.removals) or len(event.removals) > most:
            raise RocktowerError(f"a tribute removes up to {most} different open cards")
        rows = dict(self.rows)
        for name in dict.fromkeys(name for name, _ in event.removals):
            slots = [slot for row, slot in event.removals if row == name]
            rows[name] = self.row(name).without(slots)
        return provoke(replace(self, rows=rows, pending=self.fills(rows)), event)

    def _draw_axes(self, event: ev.DrawAxes) -> Self:
        player = self.player(event.player)
        if event.count > len(self.bag):
            raise RocktowerError(f"the axe bag holds {len(self.bag)}; {event.count} are too many")
        return replace(self, pending=(Decision("axes", player, count=event.count),))

    def _take(self, event: ev.Take) -> Self:
        player = self.player(event.player)
        row = self.row(event.row)
        row.require(event.slot)
        mines = self.mines
        if event.row == "mine":
            mines = changed(mines, player, (row.cards[event.slot - 1],))
        rows = {**self.rows, event.row: row.without([event.slot], discard=event.row != "mine")}
        return replace(self, rows=rows, mines=mines, pending=self.fills(rows))

    def _tavern(self, event: ev.Tavern) -> Self:
        first = list(dict.fromkeys(self.player(name) for name in event.dwarves))
        return replace(
            self, ranking=tuple((i,) for i in (*first, *(i for i in self.order if i not in first)))
        )

    def _reset(self) -> Self:
        rows = dict(self.rows)
        for name in ("mine", "achievements"):
            if rows[name].cards:
                rows[name] = rows[name].without([1])
        for gem in self.data.market.gems:
            rows[gem] = rows[gem].seeded()
        free: tuple[tuple[int, ...], ...] = ((),) * len(self.players)
        return replace(self, rows=rows, captured=free, pending=self.fills(rows))

    def _without_spent(self) -> Self:
        """Drop fills that no card is left for: the row runs short."""
        pending = self.pending
        while pending and pending[0].what == "fill" and not self.rows[pending[0].row].is_short:
            pending = pending[1:]
        return replace(self, pending=pending)
