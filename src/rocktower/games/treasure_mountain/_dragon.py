"""The dragon: aggression rolls, re-rolls in the Temple, attacks and their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from rocktower.errors import RocktowerError
from rocktower.games.treasure_mountain._events import Aggression, Fight, Scout, Tribute
from rocktower.games.treasure_mountain._fight import resolve
from rocktower.games.treasure_mountain._state import Anger, Attack, Decision, State, changed

if TYPE_CHECKING:
    from rocktower.games.treasure_mountain._game_data import Dragon

T = TypeVar("T", bound=State)


def provoke(table: T, event: Aggression | Scout | Tribute) -> T:
    """End a placement on a dragon's space with its one aggression roll."""
    player = table.player(event.player)
    rule = table.data.aggression
    threshold = rule.dragon_song_threshold if event.dragon_song else rule.threshold
    temple = None if event.temple is None else table.player(event.temple)
    roll = Decision("aggression", player)
    return replace(table, anger=Anger(player, temple, threshold), pending=(*table.pending, roll))


def reroll(table: T, player: int) -> T:
    """Roll again what the Temple lets a player roll again, once (Appendix 1, Temple)."""
    who = table.players[player]
    if table.anger is not None:
        if player != table.anger.player:
            raise RocktowerError(f"{who} cannot re-roll: one re-rolls only one's own die")
        return replace(
            table,
            anger=replace(table.anger, is_rerolled=True, die=None),
            pending=(Decision("aggression", player),),
        )
    if table.attack is None:
        raise RocktowerError("no die to re-roll")
    if table.attack.temple != player or table.attack.is_rerolled or table.attack.fight:
        raise RocktowerError(f"{who} has no re-roll: only a dwarf in the Temple gives one")
    if table.is_rahdo and player != table.attack.trigger:
        raise RocktowerError(f"{who} cannot re-roll: the black die is the triggering player's")
    return replace(
        table,
        attack=replace(table.attack, is_rerolled=True),
        pending=(Decision("black" if table.is_rahdo else "attack", player),),
    )


def angered(table: T, die: int) -> T:
    """Take an aggression roll: it stands, unless its player is in the Temple and may re-roll."""
    anger = _anger(table)
    if anger.temple == anger.player and not anger.is_rerolled:
        return replace(table, anger=replace(anger, die=die))
    return step(table, die)


def step(table: T, die: int) -> T:
    """Move the dragon if the die is high enough; at its head it attacks at once."""
    anger = _anger(table)
    table = replace(table, anger=None)
    if die < anger.threshold:
        return table
    if table.dragon + 1 < table.data.dragon_track.steps:
        return replace(table, dragon=table.dragon + 1)
    if table.dragon_deck is None:  # no dragon is left to attack
        return replace(table, dragon=0)
    dice = (
        (Decision("black", anger.player),)
        if table.is_rahdo
        else tuple(Decision("attack", i) for i in table.order)
    )
    attack = Attack(anger.player, anger.temple)
    return replace(table, dragon=table.dragon + 1, attack=attack, pending=dice)


def with_dice(table: T, dice: dict[int, int]) -> T:
    """Lay attack dice before players."""
    attack = _attack(table)
    return replace(table, attack=replace(attack, dice={**attack.dice, **dice}))


def fight(table: T, event: Fight) -> T:
    """Commit the axes and ask chance for the dragon tile (Attack Resolution 2 and 3)."""
    if table.attack is None:
        raise RocktowerError("no dragon attacks: it has not reached its head")
    for name in (*event.axes, *event.gold, *event.gems, *event.stone_beards):
        table.player(name)
    for name, axes in event.axes.items():
        hand = table.hands[table.player(name)]
        if any(axes.count(value) > hand.count(value) for value in axes):
            spent = " ".join(f"+{value}" for value in axes)
            raise RocktowerError(f"{name} does not hold the axes {spent}")
    attack = replace(table.attack, fight=event)
    return replace(table, attack=attack, pending=(Decision("dragon"),))


def fought(table: T, dragon: Dragon) -> T:
    """Resolve the fight with the revealed tile and clear up (Attack Resolution 4 and 5)."""
    attack = _attack(table)
    fight = attack.fight or Fight()
    free: dict[str, int | None] = {}
    for name, captured in zip(table.players, table.captured, strict=True):
        numbers = range(table.data.dwarves.by_players[len(table.players)], 0, -1)
        free[name] = next((n for n in numbers if n not in captured), None)
    result = resolve(
        dragon,
        {table.players[i]: attack.dice[i] for i in table.order},
        fight.axes,
        free_dwarf=free,
        owned=fight.gold if dragon.treasure == "gold" else fight.gems,
        stone_beards=fight.stone_beards,
    )
    hands, captured_by, awarded = table.hands, table.captured, table.awarded
    for fate in result.fates:
        i = table.player(fate.player)
        hands = changed(hands, i, fate.axes, remove=True)
        if fate.captured is not None:
            captured_by = changed(captured_by, i, (fate.captured,))
        if fate.player == result.awarded:
            awarded = changed(awarded, i, (dragon,))
    spent = [value for fate in result.fates for value in fate.axes]
    return replace(
        table.with_dragon(dragon, drawn=True),
        dragon=0,
        bag=table.bag.put(spent),
        hands=hands,
        captured=captured_by,
        awarded=awarded,
        boxed=table.boxed if result.awarded else (*table.boxed, dragon),
        scouts=frozenset(),
        attack=None,
        last_fight=result,
    )


def _anger(table: State) -> Anger:
    assert table.anger is not None  # noqa: S101 - an aggression roll is in progress
    return table.anger


def _attack(table: State) -> Attack:
    assert table.attack is not None  # noqa: S101 - an attack is in progress
    return table.attack
