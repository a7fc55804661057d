"""The rulebook's examples of section C, the end of the game and the example turn."""

from __future__ import annotations

from rocktower.games.trollfjord import phases, ranking, score
from tests.games.trollfjord.helpers import ASTRID, OLAF, SIGRUN, SVEN, legal, play, position
from tests.games.trollfjord.test_rulebook_hammering import announcing


def at_fortress(fortress, player, comrade, **more):
    """Give a position in which the player hammers at a fortress with a comrade."""
    state = announcing(player, **more)
    state = play(state, f"announce {fortress}")
    while state.actor not in (player, comrade):
        state = play(state, "pass")
    return play(state, "join", "hammer") if state.actor == comrade else play(state, "hammer")


def test_c1_astrid_chooses_between_17_and_19_and_leaves_the_other_to_sven():
    state = at_fortress(
        "E",
        ASTRID,
        SVEN,
        trolls={
            ASTRID: {"glacier2": 1, "mountain1": 2, "forest2": 1},
            SVEN: {"glacier2": 2, "forest2": 1},
        },
        treasures={"glacier2": 17, "mountain1": 19, "forest2": 23},
    )
    state = play(state, "strike", "r6 b6 y6 w1", "stop")
    assert legal(state) == ["collect glacier2", "collect mountain1"]
    state = play(state, "collect mountain1")
    assert state.belts[ASTRID] == (19,)
    assert state.actor == SVEN
    state = play(state, "stop")
    assert legal(state) == ["collect glacier2"]  # one is allowed: it must be collected
    assert play(state, "collect glacier2").bags[SVEN] == (17,)


def test_c1_astrid_without_trolls_on_the_glacier_cannot_collect_there():
    state = at_fortress(
        "B",
        ASTRID,
        SVEN,
        numbers=(2, 1, 3, 3, 1, 2),
        trolls={ASTRID: {"fjord1": 2, "tundra1": 1}, SVEN: {"glacier2": 2, "fjord1": 1}},
        treasures={"fjord1": 18, "tundra1": 10, "glacier2": 19},
    )
    state = play(state, "strike", "r5 b4 y5 w5", "stop")
    assert legal(state) == ["collect tundra1", "collect fjord1"]
    state = play(state, "collect tundra1", "stop")
    assert (state.actor, legal(state)) == (SVEN, ["collect fjord1", "collect glacier2"])


def test_c1_olaf_appeases_the_spirit_and_astrid_who_gave_nothing_collects_first():
    state = at_fortress(
        "C",
        ASTRID,
        OLAF,
        trolls={ASTRID: {"fjord2": 2, "mountain2": 1}, OLAF: {"tundra2": 2, "fjord2": 1}},
        belts={ASTRID: (10, 11)},
        crowns=(ASTRID, ASTRID, None),
        treasures={"fjord2": 16, "mountain2": 28, "tundra2": 18},
    )
    state = play(state, "strike", "r4 y7 w8", "pass")
    assert state.actor == OLAF
    state = play(state, "give 4")
    assert (state.actor, legal(state)) == (ASTRID, ["collect fjord2"])
    state = play(state, "collect fjord2")
    assert (state.actor, legal(state)) == (OLAF, ["collect tundra2"])
    state = play(state, "collect tundra2")
    assert state.belts[ASTRID] == (10, 11, 16)
    assert state.bags[OLAF] == (18,)


def test_c1_who_finds_no_allowed_treasure_leaves_empty_handed():
    state = at_fortress("E", ASTRID, None, trolls={ASTRID: {"glacier2": 1, "mountain1": 2}})
    state = play(state, "strike", "w3", "stop")
    assert isinstance(state.phase, phases.Clearing)
    assert legal(state) == ["clear glacier2", "clear mountain1"]  # regions with trolls of hers


def collect_on_belt(state, player, region, hit):
    """Let a player hammer alone where he stands, and collect."""
    state = play(state, "hammer", "strike", hit, "stop", f"collect {region}")
    assert state.actor == "chance"
    return state


def belt_position(player, belts, crowns, treasure):
    state = position(
        turn=player,
        phase=phases.Deciding(player, 1, None),
        numbers=(1, 2, 3, 3, 1, 2),
        trolls={player: {"fjord1": 1, "glacier2": 5}},
        belts=belts,
        crowns=crowns,
        treasures={"fjord1": treasure},
        lords=(1, 3, 5, 7),
    )
    return collect_on_belt(state, player, "fjord1", "r5 b5 y5 w11")


def test_c2_the_first_treasure_on_a_belt_space_brings_a_crown():
    state = belt_position(SIGRUN, {SIGRUN: (10,)}, (SIGRUN, None, None), 19)
    assert state.crowns == (SIGRUN, SIGRUN, None)


def test_c2_a_more_valuable_treasure_takes_the_crown():
    belts = {SIGRUN: (10, 19), SVEN: (20,)}
    state = belt_position(SVEN, belts, (SVEN, SIGRUN, None), 24)
    assert state.crowns == (SVEN, SVEN, None)


def test_c2_of_equal_treasures_the_later_one_takes_the_crown():
    state = belt_position(OLAF, {OLAF: (10,), SVEN: (11, 20)}, (SVEN, SVEN, None), 20)
    assert state.crowns == (SVEN, OLAF, None)


def test_c2_a_lesser_treasure_takes_no_crown():
    state = belt_position(OLAF, {OLAF: (10,), SVEN: (11, 20)}, (SVEN, SVEN, None), 18)
    assert state.crowns == (SVEN, SVEN, None)


def test_c2_the_plus_space_has_no_crown():
    belts = {OLAF: (10, 11, 12)}
    state = position(
        turn=OLAF,
        phase=phases.Deciding(OLAF, 1, None),
        trolls={OLAF: {"fjord1": 1, "glacier2": 5}},
        belts=belts,
        crowns=(OLAF, OLAF, OLAF),
        treasures={"fjord1": 28},
        lords=(1, 3, 5, 7),
    )
    state = play(state, "hammer", "strike", "r6 b6 y6 w10", "stop", "collect fjord1")
    assert state.belts[OLAF] == (10, 11, 12, 28)
    assert state.crowns == (OLAF, OLAF, OLAF)


def test_c3_sven_clears_the_forest_and_sigrun_chooses_glacier_or_mountain():
    state = at_fortress(
        "E",
        SVEN,
        SIGRUN,
        trolls={SVEN: {"forest2": 3, "mountain1": 1}, SIGRUN: {"glacier2": 1, "mountain1": 4}},
        treasures={"forest2": 12, "glacier2": 25, "mountain1": 26},
    )
    state = play(state, "strike", "r3 b3 y3 w3", "stop", "collect forest2")
    assert sum(state.trolls[SVEN]) == 1  # three are in front of him again
    state = play(state, "stop")
    assert (state.actor, legal(state)) == (SIGRUN, ["clear glacier2", "clear mountain1"])
    state = play(state, "clear glacier2")
    assert sum(state.trolls[SIGRUN]) == 4


def test_c3_of_two_empty_handed_players_the_one_whose_turn_it_is_clears_first():
    state = at_fortress(
        "E",
        SVEN,
        SIGRUN,
        trolls={SVEN: {"forest2": 3, "mountain1": 1}, SIGRUN: {"glacier2": 1, "mountain1": 4}},
    )
    state = play(state, "strike", "-", "stop")  # Sigrun, after the swap, stops at once
    assert state.actor == SVEN
    state = play(state, "stop")
    assert (state.actor, isinstance(state.phase, phases.Clearing)) == (SVEN, True)
    assert play(state, "clear mountain1").actor == SIGRUN


def test_c3_a_new_treasure_comes_where_one_was_taken_and_c4_the_boulders_go_back():
    state = at_fortress(
        "E",
        SVEN,
        None,
        trolls={SVEN: {"forest2": 3, "mountain1": 1}},
        treasures={"forest2": 12, "mountain1": 26, "glacier2": 27},
    )
    state = play(state, "strike", "r3 b3 y3 w3", "stop", "collect forest2")
    assert state.actor == "chance"
    before = len(state.supply)
    state = play(state, "28")
    assert state.treasures[state.table.board.region_index["forest2"]] == 28
    assert len(state.supply) == before - 1
    assert state.hammering == phases.NO_HAMMERING


def last_treasure(**more):
    """Olaf is about to fill his "+" space; it is his turn, and his last one."""
    state = position(
        turn=OLAF,
        phase=phases.Deciding(OLAF, 4, None),
        trolls={OLAF: {"forest2": 4, "mountain1": 1}, SVEN: {"fjord1": 2}},
        belts={OLAF: (10, 11, 12)},
        crowns=(OLAF, OLAF, OLAF),
        treasures={"forest2": 13, "mountain1": 26},
        **more,
    )
    return play(state, "hammer", "strike", "r4 b4 y4 w4", "stop", "collect forest2", "28")


def test_end_of_game_the_first_plus_treasure_is_the_last_turn_and_all_others_get_one_more():
    state = last_treasure(lords=(2, 4, 6, 8))
    assert state.lying == (False, False, False, True)
    assert sum(state.trolls[OLAF]) == 0
    turns = []
    while not state.is_over:
        turns.append(state.actor)
        state = play(state, "move placement 1")
        while not isinstance(state.phase, phases.Moving | phases.Over):
            state = play(state, "pass")
    assert turns == [SIGRUN, SVEN, ASTRID]  # each once, though Olaf's lord is overtaken
    assert all(state.lying)
    assert not any(map(sum, state.trolls))


def test_end_of_game_a_lying_lord_still_occupies_its_space():
    state = last_treasure(lords=(2, 40, 42, 4))
    assert state.actor == SIGRUN
    assert play(state, "move placement 1").lords[SIGRUN] == 6  # Olaf lies on 4


def test_end_of_game_scoring_has_three_parts():
    state = position(
        belts={SVEN: (20, 24), OLAF: (20,)},
        crowns=(OLAF, SVEN, None),
        gifts={SVEN: (8,), OLAF: ()},
    )
    assert score(state, SVEN).total == 20 + 24 + 8 + 6
    assert (score(state, OLAF).gifts, score(state, OLAF).crowns) == (0, 6)
    assert score(state, SIGRUN).total == 4 + 8 + 16


def test_end_of_game_ties_go_to_the_troll_lord_farther_back():
    assert ranking(position(lords=(5, 3, 9, 1))) == (OLAF, SVEN, SIGRUN, ASTRID)


def test_an_example_turn():
    belts = {ASTRID: (13, 14), OLAF: (16, 16, 21)}
    state = position(
        lords=(16, 11, 4, 6),
        trolls={
            ASTRID: {"forest1": 1, "fjord1": 1, "mountain1": 2},
            SIGRUN: {"swamp1": 2},
            OLAF: {"mountain1": 1, "glacier1": 2},
            SVEN: {"tundra2": 1},
        },
        belts=belts,
        crowns=(OLAF, OLAF, OLAF),
        treasures={"swamp1": 15, "mountain1": 18, "glacier1": 22},
    )
    # Astrid has trolls in two regions at no fortress, and needs a number III.
    assert state.actor == ASTRID
    state = play(state, "move wander 3")
    assert state.lords[ASTRID] == 9
    state = play(state, "wander forest1 swamp1", "wander fjord1 tundra1", "wander tundra1 swamp1")
    # Tailwind: Sven on a wander space, then Sigrun on a glacier space.
    assert state.actor == SVEN
    state = play(state, "wander tundra2 fjord2")
    assert state.actor == SIGRUN
    state = play(state, "place 1 glacier1")
    # Fortress D is the III that she can hammer at. Olaf, as strong as Sigrun, is farther back.
    assert legal(state) == ["announce D", "pass"]
    state = play(state, "announce D")
    assert state.actor == OLAF
    state = play(state, "pass")
    assert state.actor == SIGRUN
    state = play(state, "join")
    assert state.actor == ASTRID
    state = play(state, "hammer")
    assert state.hammering.limit == 7
    # Five hits: 17 boulders, 7 of them red. The sixth is empty: the roles swap.
    for hit in ("r2 b1 w1", "r2 y1", "r1 b1 w1", "r1 y1 w1", "r1 b2 y1"):
        state = play(state, "strike", hit)
    assert (state.hammering.out.total, state.hammering.out.red) == (17, 7)
    state = play(state, "strike", "-")
    assert (state.actor, state.hammering.hits) == (SIGRUN, 6)
    # Sigrun stops, must take the swamp's treasure into her bag, and clears the swamp.
    state = play(state, "stop")
    assert legal(state) == ["collect swamp1"]
    state = play(state, "collect swamp1")
    assert state.bags[SIGRUN] == (15,)
    assert sum(state.trolls[SIGRUN]) == 1
    # Astrid keeps hammering: five more boulders, the eighth red one angers the spirit.
    assert (state.actor, legal(state)) == (ASTRID, ["strike", "stop"])
    state = play(state, "strike", "r1 b1 y2 w1")
    assert state.hammering.out.total == 22
    assert (state.actor, legal(state)) == (ASTRID, ["give 4", "give 8", "give 16", "pass"])
    state = play(state, "give 4")
    # 22 boulders would do for the glacier, but she has no troll there.
    assert legal(state) == ["collect mountain1"]
    state = play(state, "collect mountain1")
    assert state.belts[ASTRID] == (13, 14, 18)  # her turn is her turn
    assert state.crowns == (OLAF, OLAF, OLAF)  # Olaf's 21 is more
    assert state.gifts[ASTRID] == (8, 16)
    assert state.gifts[SIGRUN] == (4, 8, 16)
    assert state.trolls[ASTRID][state.table.board.region_index["swamp1"]] == 2
    state = play(state, "28 28")
    assert state.turn == OLAF  # farthest back now
