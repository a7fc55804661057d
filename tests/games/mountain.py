"""Treasure Mountain tables for tests."""

from msgspec.structs import replace

from rocktower.chance import Sampled, Scripted
from rocktower.games.treasure_mountain import (
    Aggression,
    Dragon,
    DrawAxes,
    Start,
    Table,
    default_game_data,
    play,
)
from rocktower.randomness import stream

DATA = default_game_data()
FRESH = Table(data=DATA)
FOUR = ("blue", "red", "green", "yellow")
KNOWN = Dragon("I", 4, 8, "gems")  # the one dragon that the rulebook shows


def started(players=FOUR, seed=1, **options):
    options.setdefault("order", players)
    return play(FRESH, Start(players, **options), Sampled(stream(seed)))[0]


def scripted(table, event, *answers):
    return play(table, event, Scripted(answers))[0]


def attacked(table, *dice, space="hoard", player="yellow", temple=None):
    """Bring the dragon to its head by a last roll of three, and roll the attack dice."""
    table = replace(table, dragon=DATA.dragon_track.steps - 1)
    return scripted(table, Aggression(player=player, space=space, temple=temple), 3, *dice)


def with_hands(table, **hands):
    """Deal axes from the bag."""
    for name, axes in hands.items():
        table = scripted(replace(table), DrawAxes(name, len(axes)), axes)
    return table
