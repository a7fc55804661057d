"""Treasure Mountain's dragon: aggression rolls, re-rolls, attacks and their end."""

from collections import Counter

import pytest
from msgspec.structs import replace

from rocktower.chance import Deck, Sampled
from rocktower.errors import RocktowerError
from rocktower.games.treasure_mountain import (
    Aggression,
    Dragon,
    DrawAxes,
    Fight,
    Keep,
    Reroll,
    Reset,
    Scout,
    Tribute,
    loss,
    play,
    view,
)
from rocktower.randomness import stream
from tests.games.mountain import DATA, KNOWN, attacked, scripted, started, with_hands

# The aggression roll


@pytest.mark.parametrize("song", [False, True])
@pytest.mark.parametrize("roll", range(1, 7))
@pytest.mark.parametrize("space", ["hoard", "wagon", "scout", "tribute"])
def test_the_dragon_moves_on_three_or_five(space, roll, song):
    table = scripted(started(), Aggression(player="blue", space=space, dragon_song=song), roll)
    assert table.dragon == (roll >= (5 if song else 3))


def test_in_the_temple_a_roll_may_be_taken_again_once():
    event = Aggression(player="blue", space="hoard", temple="blue")
    table = scripted(started(), event, 6)
    assert table.dragon == 0
    assert table.request is None
    for other in (event, Reset(), Fight()):
        with pytest.raises(RocktowerError, match="blue rolled 6: re-roll or keep"):
            table.apply(other)
    with pytest.raises(RocktowerError, match="one's own die"):
        table.apply(Reroll("red"))
    assert scripted(table, Keep()).dragon == 1
    assert scripted(table, Reroll("blue"), 2).dragon == 0
    again = scripted(table, Reroll("blue"), 6)  # what falls stands
    assert again.dragon == 1
    with pytest.raises(RocktowerError, match="no die to re-roll"):
        again.apply(Reroll("blue"))
    with pytest.raises(RocktowerError, match="no aggression roll waits"):
        again.apply(Keep())


def test_another_in_the_temple_does_not_re_roll_for_you():
    table = scripted(started(), Aggression(player="blue", space="hoard", temple="red"), 6)
    assert table.dragon == 1


def test_there_is_one_aggression_roll_a_placement():
    for event in (
        Aggression(player="red", space="hoard"),
        Scout(player="red"),
        Tribute(player="red", removals=(("mine", 1), ("ruby", 2))),
    ):
        _, steps = play(started(), event, Sampled(stream(1)))
        assert [step.label for step in steps].count("red: aggression roll") == 1
        assert steps[-1].label == "red: aggression roll"


# Dragon attacks


def test_the_rulebook_attack():
    # Strength 4; blue and red reach 7, yellow 4, green 3. Axes: three, two, one, none.
    table = with_hands(started(), blue=(1, 1, 2), red=(1, 2), yellow=(1,))
    table = attacked(table, 3, 4, 3, 3)
    assert [table.attack.dice[i] for i in range(4)] == [3, 4, 3, 3]
    event = Fight(
        axes={"blue": (1, 1, 2), "red": (1, 2), "yellow": (1,)},
        gems={"green": 7},
        gold={"green": 100},
    )
    table = scripted(table, event, KNOWN)
    blue, red, green, yellow = table.last_fight.fates
    assert [f.total for f in (blue, red, green, yellow)] == [7, 7, 3, 4]
    assert [f.is_safe for f in (blue, red, green, yellow)] == [True, True, False, True]
    assert (green.fraction, green.lost, green.captured) == ("half", 4, 3)
    assert (yellow.fraction, yellow.lost, yellow.captured) == ("nothing", 0, None)
    assert table.last_fight.awarded == "blue"  # turn order breaks the tie
    assert table.awarded[0] == (KNOWN,)
    assert KNOWN.points == 8
    assert table.hands == ((), (), (), ())
    assert len(table.bag) == 24
    assert table.dragon == 0
    assert table.captured == ((), (), (3,), ())


def test_the_rulebook_attack_trigger():
    # The roll is a three, the dragon moves to its last space and attacks at once.
    table = replace(started(), dragon=DATA.dragon_track.steps - 1)
    table = table.apply(Aggression(player="yellow", space="wagon")).answered(3)
    assert table.dragon == DATA.dragon_track.steps
    assert table.request.label == "blue: attack die"


def test_the_rulebook_rahdo_attack():
    table = started(rahdo=True)
    table = attacked(table, 4)
    assert set(table.attack.dice.values()) == {4}
    table = scripted(table, Fight(), KNOWN)
    assert all(fate.is_safe for fate in table.last_fight.fates)
    assert table.last_fight.awarded == "blue"


def test_nobody_is_awarded_a_dragon_that_beats_all():
    table = scripted(attacked(started(), 1, 1, 1, 1), Fight(), KNOWN)
    assert table.last_fight.awarded is None
    assert table.boxed == (KNOWN,)
    assert table.captured == ((3,),) * 4


def test_the_next_highest_dwarf_is_captured_until_none_is_left():
    table, tiles = started(("A", "B", "C")), DATA.dragon_tiles("I")
    for number in (4, 3, 2, 1, None):
        dragon = next(iter(tiles)) if number else DATA.dragon_tiles("II")[0]
        tiles = tiles[1:]
        table = scripted(attacked(table, 1, 1, 6, player="A"), Fight(), dragon)
        assert table.last_fight.fates[0].captured == number
    assert table.captured[0] == (4, 3, 2, 1)
    assert play(table, Reset(), Sampled(stream(1)))[0].captured == ((), (), ())


def test_stone_beards_keep_their_dwarf_and_lose_a_quarter():
    event = Fight(stone_beards=("red",), gems={"red": 9})
    fate = scripted(attacked(started(), 6, 1, 6, 6), event, KNOWN).last_fight.fates[1]
    assert (fate.fraction, fate.lost, fate.captured) == ("a quarter", 3, None)


@pytest.mark.parametrize("n", range(30))
def test_losses_are_rounded_up(n):
    assert loss(n) == (n + 1) // 2
    assert loss(n, stone_beards=True) == (n + 3) // 4 == loss(loss(n))


def test_losses_are_of_the_dragons_treasure():
    gold = Dragon("I", 5, 9, "gold")
    event = Fight(gems={"red": 9}, gold={"red": 5})
    assert scripted(attacked(started(), 6, 1, 6, 6), event, gold).last_fight.fates[1].lost == 3


def test_the_temple_gives_one_re_roll_of_ones_own_attack_die():
    table = attacked(started(), 2, 2, 2, 2, temple="red")
    for name in ("blue", "yellow"):
        with pytest.raises(RocktowerError, match="has no re-roll"):
            table.apply(Reroll(name))
    table = scripted(table, Reroll("red"), 1)  # it must be taken as it falls
    assert table.attack.dice == {0: 2, 1: 1, 2: 2, 3: 2}
    with pytest.raises(RocktowerError, match="red has no re-roll"):
        table.apply(Reroll("red"))


def test_a_re_rolled_aggression_leaves_the_attack_re_roll():
    # "The player occupying the temple may re-roll each new instance of a die roll once."
    table = replace(started(), dragon=DATA.dragon_track.steps - 1)
    table = scripted(table, Aggression(player="blue", space="hoard", temple="blue"), 2)
    table = scripted(table, Reroll("blue"), 5, 1, 2, 3, 4)
    assert scripted(table, Reroll("blue"), 6).attack.dice[0] == 6


def test_in_rahdo_only_the_triggering_player_re_rolls():
    table = attacked(started(rahdo=True), 2, temple="red")
    with pytest.raises(RocktowerError, match="the black die is the triggering player's"):
        table.apply(Reroll("red"))
    table = replace(started(rahdo=True), dragon=DATA.dragon_track.steps - 1)
    table = scripted(table, Aggression(player="yellow", space="scout", temple="yellow"), 3)
    table = scripted(scripted(table, Keep(), 2), Reroll("yellow"), 5)
    assert set(table.attack.dice.values()) == {5}


def test_one_spends_only_axes_one_holds():
    table = attacked(with_hands(started(), blue=(1, 2)), 1, 1, 1, 1)
    for axes in ({"blue": (1, 1)}, {"red": (1,)}, {"blue": (3,)}):
        with pytest.raises(RocktowerError, match="does not hold the axes"):
            table.apply(Fight(axes=axes))
    with pytest.raises(RocktowerError, match="no player 'Zoe'"):
        table.apply(Fight(gold={"Zoe": 1}))
    with pytest.raises(RocktowerError, match="<= 1000000"):
        table.apply(Fight(gold={"blue": 10**30}))
    with pytest.raises(RocktowerError, match="the dragon attacks"):
        table.apply(DrawAxes("blue", 1))


def test_unspent_axes_stay_in_hand():
    table = attacked(with_hands(started(), blue=(1, 2, 1)), 1, 1, 1, 1)
    table = scripted(table, Fight(axes={"blue": (1,)}), KNOWN)
    assert sorted(table.hands[0]) == [1, 2]
    assert len(table.bag) == 22


def test_without_a_dragon_the_head_is_harmless():
    table = replace(started(), dragons=tuple(Deck.of(()) for _ in range(2)))
    table = attacked(table)
    assert table.attack is None
    assert table.dragon == 0
    assert view(table)["dragon_tile"] is None
    assert len(play(table, Scout(player="red"), Sampled(stream(1)))[1]) == 2  # axe and roll


def test_level_one_comes_before_level_two():
    table, seen = started(), []
    for seed in range(8):
        table = attacked(table, 1, 1, 1, 1)
        table = play(table, Fight(), Sampled(stream(seed)))[0]
        seen.append(table.last_fight.dragon.level)
    assert seen == ["I"] * 4 + ["II"] * 4
    assert Counter(table.boxed) == Counter(DATA.dragon_tiles("I") + DATA.dragon_tiles("II"))
