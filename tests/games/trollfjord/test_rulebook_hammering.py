"""The rulebook's examples of section B, each named after its place."""

from __future__ import annotations

import pytest

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import phases
from tests.games.trollfjord.helpers import ASTRID, OLAF, SIGRUN, SVEN, legal, play, position

EVERYWHERE = {"forest1": 1, "tundra1": 1, "fjord1": 1, "fjord2": 1, "mountain2": 1,
              "glacier1": 1, "mountain1": 1, "forest2": 1}  # fmt: skip


def announcing(player, *, lords=(1, 3, 5, 7), **more):
    """Give a position in which a player may announce a fortress."""
    return position(lords=lords, turn=player, phase=phases.Announcing(player), **more)


def hammering(player, *answers, **more):
    """Give a position in which hammering at D has begun."""
    return play(announcing(player, **more), "announce D", *answers, "hammer")


@pytest.mark.parametrize(
    ("name", "belt", "fortresses"),
    [
        ("Sven", (), "AE"),
        ("Olaf", (10, 11), "CD"),
        ("Astrid", (10,), "BF"),
        ("Sigrun", (10, 11, 12), "ABCDEF"),
    ],
)
def test_b1_hammer_slate_1_asks_for_the_leftmost_empty_belt_space(name, belt, fortresses):
    player = ("Sigrun", "Sven", "Astrid", "Olaf").index(name)
    state = announcing(
        player,
        trolls={player: EVERYWHERE},
        belts={player: belt},
        crowns=tuple(player if len(belt) > space else None for space in range(3)),
    )
    assert legal(state) == [*(f"announce {f}" for f in fortresses), "pass"]


def test_b1_hammer_slate_2_asks_for_trolls_in_two_regions():
    board = {
        SIGRUN: {"mountain1": 3},
        ASTRID: {"mountain1": 1, "glacier1": 1},
        OLAF: {"mountain1": 1, "glacier1": 1, "swamp1": 1},
    }
    belts = {SIGRUN: (10, 11), ASTRID: (10, 12), OLAF: (11, 12)}
    more = {"trolls": board, "belts": belts, "crowns": (OLAF, OLAF, None)}
    assert legal(announcing(ASTRID, **more)) == ["announce D", "pass"]
    assert legal(announcing(OLAF, **more)) == ["announce D", "pass"]
    # Sigrun cannot hammer at all: after her move her turn ends.
    state = position(lords=(0, 9, 11, 13), **more)
    state = play(state, "move placement 1", "pass", *["pass"] * 2)
    assert state.actor == SIGRUN
    assert isinstance(state.phase, phases.Moving)


def test_b1_hammering_can_be_forgone():
    state = announcing(SVEN, lords=(9, 1, 3, 5), trolls={SVEN: EVERYWHERE})
    state = play(state, "pass")
    assert isinstance(state.phase, phases.Moving)
    assert state.turns == 21


COMRADES = {
    SIGRUN: {"mountain1": 2, "swamp1": 1},
    SVEN: {"glacier1": 2, "swamp1": 2},
    ASTRID: {"mountain1": 5},
    OLAF: {"glacier1": 1, "mountain1": 1},
}
FIRST_TWO = {"belts": {SIGRUN: (10, 11)}, "crowns": (SIGRUN, SIGRUN, None)}


def test_b2_sven_may_join_sigrun_then_olaf_then_she_is_alone():
    state = play(announcing(SIGRUN, trolls=COMRADES, **FIRST_TWO), "announce D")
    assert state.actor == SVEN
    joined = play(state, "join")
    assert (joined.actor, legal(joined)) == (SIGRUN, ["hammer", "pass"])
    assert joined.phase.comrade == SVEN
    state = play(state, "pass")
    assert state.actor == OLAF
    assert play(state, "join").phase.comrade == OLAF
    state = play(state, "pass")
    assert state.actor == SIGRUN  # Astrid, in one region, is not asked
    assert state.phase.comrade is None
    assert play(state, "hammer").hammering.crew == (SIGRUN,)


def test_b2_ties_go_to_the_troll_lord_farthest_back():
    trolls = {
        OLAF: {"glacier1": 2, "mountain1": 2},
        ASTRID: {"glacier1": 2, "mountain1": 1},
        SVEN: {"swamp1": 1, "mountain1": 2},
        SIGRUN: {"swamp1": 1, "mountain1": 1},
    }
    more = {"belts": {OLAF: (10, 11)}, "crowns": (OLAF, OLAF, None)}
    # Sigrun's lord is farthest back, but she has fewer trolls; Astrid's lies behind Sven's.
    state = announcing(OLAF, lords=(2, 6, 4, 8), trolls=trolls, **more)
    state = play(state, "announce D")
    order = []
    while isinstance(state.phase, phases.Joining):
        order.append(state.actor)
        state = play(state, "pass")
    assert order == [ASTRID, SVEN, SIGRUN]
    assert state.phase == phases.Deciding(OLAF, 3, None)


def test_b2_who_would_have_a_comrade_hammers_with_him_or_not_at_all():
    state = play(announcing(SIGRUN, trolls=COMRADES, **FIRST_TWO), "announce D", "join")
    assert legal(state) == ["hammer", "pass"]
    assert play(state, "hammer").hammering.crew == (SIGRUN, SVEN)
    assert play(state, "pass").turns == 21  # the turn has ended


ALONE = {
    "trolls": {OLAF: {"glacier1": 2, "mountain1": 2}},
    "belts": {OLAF: (10, 11)},
    "crowns": (OLAF, OLAF, None),
}
PAIR = ALONE | {"trolls": ALONE["trolls"] | {ASTRID: {"glacier1": 1, "swamp1": 1}}}


def test_b3_four_trolls_alone_make_limits_of_4_and_with_two_more_of_6():
    assert hammering(OLAF, **ALONE).hammering.limit == 4
    assert hammering(OLAF, "join", **PAIR).hammering.limit == 6


def test_b3_never_more_than_9_hits():
    trolls = {OLAF: {"glacier1": 5, "mountain1": 5}, ASTRID: {"swamp1": 5, "glacier1": 5}}
    state = hammering(OLAF, "join", **(ALONE | {"trolls": trolls}))
    assert state.hammering.limit == 9
    state = play(state, *["strike", "w1"] * 9)
    assert legal(state) == ["clear glacier1", "clear mountain1"]  # after hit 9 nobody may strike


def test_b3_white_is_no_color():
    state = play(hammering(OLAF, **ALONE), "strike", "w11 r4")
    assert legal(state) == ["strike", "stop"]


def test_b3_exceeding_the_color_limit_ends_the_hammering_at_once():
    state = play(hammering(OLAF, **ALONE), "strike", "r5")
    assert state.actor == OLAF
    assert legal(state) == ["give 4", "give 8", "give 16", "pass"]  # no further strike


def exceeded_by_three():
    """Olaf and Astrid: limit 6, seven red and eight yellow boulders, 20 in all."""
    treasures = {"glacier1": 15, "mountain1": 18, "swamp1": 16}
    state = hammering(OLAF, "join", **(PAIR | {"treasures": treasures}))
    return play(state, "strike", "r7 y8 w5")


def test_b3_olaf_gives_two_gifts_and_astrid_one():
    state = exceeded_by_three()
    assert state.prompt.endswith("0 of 3 offered")
    state = play(state, "give 4", "give 8", "pass")
    assert state.actor == ASTRID
    assert state.gifts[OLAF] == (4, 8, 16)  # an offer is not a gift yet
    state = play(state, "give 4")
    assert state.gifts[OLAF] == (16,)
    assert state.gifts[ASTRID] == (8, 16)
    assert legal(state) == ["collect glacier1", "collect mountain1"]
    state = play(state, "collect mountain1")
    assert (state.actor, legal(state)) == (ASTRID, ["collect swamp1", "collect glacier1"])


def test_b3_the_comrade_may_give_all_of_it():
    state = play(exceeded_by_three(), "pass", "give 4", "give 8", "give 16")
    assert state.gifts[OLAF] == (4, 8, 16)
    assert state.gifts[ASTRID] == ()
    assert state.actor == OLAF


def test_b3_they_decide_together_so_an_offer_can_be_raised():
    state = play(exceeded_by_three(), "pass", "give 4", "pass")
    assert state.actor == OLAF  # Astrid offered one: will he give the others?
    state = play(state, "give 16", "give 8")
    assert (state.gifts[OLAF], state.gifts[ASTRID]) == ((4,), (8, 16))


def test_b3_unappeased_they_keep_their_gifts_and_collect_nothing():
    state = play(exceeded_by_three(), "give 4", "pass", "pass")
    assert state.gifts[OLAF] == state.gifts[ASTRID] == (4, 8, 16)
    assert isinstance(state.phase, phases.Clearing)
    state = play(state, legal(state)[0], legal(state)[0])
    assert state.belts[OLAF] == (10, 11)
    assert state.bags[ASTRID] == ()


def test_b3_without_enough_gifts_nobody_is_asked():
    state = hammering(OLAF, **(ALONE | {"gifts": {OLAF: (16,)}}))
    state = play(state, "strike", "r6")
    assert isinstance(state.phase, phases.Clearing)
    assert state.gifts[OLAF] == (16,)


def test_b4_stopping_comes_after_a_hit():
    state = hammering(OLAF, **ALONE)
    assert legal(state) == ["strike"]
    with pytest.raises(RocktowerError, match="not legal"):
        play(state, "stop")


def test_b4_a_strike_may_say_how():
    state = play(hammering(OLAF, **ALONE), "strike left 1.5 0.06")
    assert (state.request.strike.side, state.request.strike.speed_m_s) == ("left", 1.5)


def test_b4_an_empty_hit_counts_and_has_no_effect_for_who_hammers_alone():
    state = play(hammering(OLAF, **ALONE), "strike", "-")
    assert state.hammering.hits == 1
    assert state.actor == OLAF
    assert legal(state) == ["strike", "stop"]


def test_b4_the_hit_limit_ends_the_hammering():
    state = play(hammering(OLAF, **ALONE), *["strike", "w1"] * 4)
    assert isinstance(state.phase, phases.Clearing)


def test_b4_the_comrade_cannot_back_out_and_the_boulders_count_for_both():
    state = play(hammering(OLAF, "join", **PAIR), "strike", "r2 w8")
    assert state.actor == OLAF
    state = play(state, "strike", "w3")
    assert state.hammering.out.total == 13


ROLES = {
    "trolls": {
        SVEN: {"glacier1": 2, "mountain1": 2},
        ASTRID: {"mountain1": 1, "swamp1": 2},
    },
    "belts": {SVEN: (10, 11)},
    "crowns": (SVEN, SVEN, None),
    "treasures": {"glacier1": 12, "mountain1": 13, "swamp1": 14},
}


def test_b4_roles_swap_on_the_fourth_and_the_sixth_hit():
    state = hammering(SVEN, "join", **ROLES)
    state = play(state, *["strike", "w2 b1"] * 3, "strike", "-")
    assert state.hammering.crew == (ASTRID, SVEN)
    assert (state.actor, state.turn, state.hammering.limit) == (ASTRID, SVEN, 7)
    state = play(state, "strike", "w2 r2")  # the fifth hit
    assert state.actor == ASTRID
    state = play(state, "strike", "-")  # the sixth
    assert (state.actor, state.hammering.hits) == (SVEN, 6)
    state = play(state, "stop")
    assert legal(state) == ["collect glacier1", "collect mountain1"]  # 13 boulders are out
    state = play(state, "collect mountain1")
    # Neither limit was reached: Astrid may collect none now and keep hammering instead.
    assert (state.actor, legal(state)) == (ASTRID, ["strike", "stop"])
    after = play(state, "strike", "w1")
    assert (after.actor, legal(after)) == (ASTRID, ["collect swamp1"])  # hit 7 of 7


def test_b4_a_swap_follows_the_last_hit_allowed():
    treasures = {"glacier1": 13, "mountain1": 12, "swamp1": 14}
    six = play(
        hammering(SVEN, "join", **(ROLES | {"treasures": treasures})), *["strike", "w1 b1"] * 6
    )
    # Twelve boulders are enough for the mountain, where both have trolls.
    swapped = play(six, "strike", "-")
    assert (swapped.actor, legal(swapped)) == (ASTRID, ["collect mountain1"])
    assert play(swapped, "collect mountain1").actor == SVEN  # empty-handed, he clears a region
    full = play(six, "strike", "w0 r1")
    assert full.actor == SVEN


def test_b4_after_a_swap_the_new_hammerer_may_stop_without_a_hit():
    state = play(hammering(SVEN, "join", **ROLES), "strike", "w11 r2 b1", "strike", "-")
    assert state.actor == ASTRID
    state = play(state, "stop")
    assert (state.actor, legal(state)) == (ASTRID, ["collect swamp1", "collect mountain1"])


def test_b4_who_keeps_hammering_alone_does_not_swap():
    state = play(hammering(SVEN, "join", **ROLES), "strike", "w11", "stop")
    assert state.actor == ASTRID
    state = play(state, "strike", "-")
    assert (state.actor, state.hammering.crew) == (ASTRID, (ASTRID,))
