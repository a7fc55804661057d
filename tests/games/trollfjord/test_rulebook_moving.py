"""The rulebook's examples of Preparation, Overview and section A, each named after its place."""

from __future__ import annotations

import pytest

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import CHANCE, new_game
from tests.games.trollfjord.helpers import ASTRID, OLAF, SIGRUN, SVEN, legal, play, position


def at(state, player, region):
    return state.trolls[player][state.table.board.region_index[region]]


def test_preparation_treasures_are_42_and_12_are_dealt():
    state = new_game(4, walkways=range(1, 11))
    assert len(state.supply) == 42
    counts = dict(state.supply)
    assert [counts[v] for v in range(10, 29)] == [2] * 5 + [3] * 4 + [2] * 10
    state = play(state, "10 10 11 11 12 12 13 13 14 14 15 15")
    assert state.treasures == (10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15)
    assert len(state.supply) == 30


def test_preparation_numbers_and_walkways_are_placed_by_chance_or_given():
    state = new_game(2, numbers="shuffled")
    assert state.actor == CHANCE
    state = play(state, "3 3 2 2 1 1", "10 9 8 7 6 5 4 3 2 1")
    assert state.table.numbers == (3, 3, 2, 2, 1, 1)
    assert state.table.spaces[:2] == ("glacier", "wander")  # walkway 10 begins
    given = new_game(2, numbers=(3, 3, 2, 2, 1, 1), walkways=range(10, 0, -1))
    assert given.table == state.table
    assert given.request == state.request


@pytest.mark.parametrize("players", [2, 3, 4])
def test_overview_sigrun_starts_as_she_is_farthest_back_on_the_starting_plank(players):
    state = play(new_game(players, walkways=range(1, 11)), "10 10 11 11 12 12 13 13 14 14 15 15")
    colors = ("orange", "brown", "black")[: players - 1]
    state = play(state, " ".join((*colors, "white")))
    assert state.lords == (-players, *range(-1, -players, -1))
    assert state.actor == SIGRUN


def test_overview_sven_takes_turns_till_he_overtakes_astrid():
    state = position(lords=(9, 1, 6, 12))
    state = play(state, "move placement 1", "pass", "pass", "pass")  # Sven to space 2
    assert (state.actor, state.turn) == (SVEN, SVEN)
    state = play(state, "move placement 3", "pass", "pass")  # 4, 8, 10: 6 is occupied
    assert state.lords[SVEN] == 10
    assert (state.actor, state.turn) == (ASTRID, ASTRID)


def test_a1_astrid_moves_to_the_second_of_three_free_placement_spaces():
    state = position(lords=(4, 9, 1, 20))
    assert legal(state) == [
        *(f"move placement {n}" for n in (1, 2, 3)),
        *(f"move wander {n}" for n in (1, 2, 3)),
    ]
    # 2 is the first, 4 is occupied, 6 is the second; wander spaces do not count.
    assert play(state, "move placement 2").lords[ASTRID] == 6
    assert play(state, "move placement 3").lords[ASTRID] == 8


def test_a1_olaf_moves_to_the_third_of_three_free_wander_spaces():
    state = position(lords=(9, 7, 20, 2), trolls={OLAF: {"fjord1": 1}})
    # 3 and 5 are free, 7 and 9 occupied, 11 is the third.
    assert play(state, "move wander 3").lords[OLAF] == 11


def test_a1_the_walkway_is_a_circuit():
    state = position(lords=(58, 59), trolls={SIGRUN: {"fjord1": 1}})
    after = play(state, "move placement 1")
    assert after.lords[SIGRUN] == 60  # the first space again
    assert after.table.space(60) == after.table.space(0) == "mountain"
    assert play(state, "move wander 2").lords[SIGRUN] == 63  # 59 is occupied: 61, 63


def test_a1_the_plank_goes_once_all_lords_have_left_it():
    state = position(lords=(0, 1, 2, -4), trolls={})
    assert "plank" in str(state)
    state = play(state, "move placement 1", "pass")
    assert state.lords[OLAF] == 4
    assert "plank" not in str(state)


def test_a2_sven_places_two_trolls_in_a_forest():
    state = position(lords=(40, 25, 42, 44))
    state = play(state, "move placement 2")  # 26 tundra, 28 forest
    assert state.table.space(state.lords[SVEN]) == "forest"
    assert legal(state) == [
        "place 1 forest1", "place 2 forest1", "place 1 forest2", "place 2 forest2", "pass",
    ]  # fmt: skip
    assert at(play(state, "place 2 forest2"), SVEN, "forest2") == 2
    with pytest.raises(RocktowerError, match="not legal"):
        play(state, "place 3 forest1")


def test_a2_no_more_trolls_are_placed_than_there_are_in_front_of_the_player():
    state = position(lords=(40, 25, 42, 44), trolls={SVEN: {"tundra1": 9}})
    assert legal(play(state, "move placement 2")) == ["place 1 forest1", "place 1 forest2", "pass"]
    all_out = position(lords=(40, 25, 42, 44), trolls={SVEN: {"tundra1": 10}})
    assert play(all_out, "move placement 2").actor == SIGRUN  # nothing to place: tailwind is next


def test_a2_olaf_wanders_three_times_one_troll_twice_and_another_once():
    state = position(lords=(9, 7, 20, 2), trolls={OLAF: {"forest1": 1, "swamp2": 1}})
    state = play(state, "move wander 3", "wander forest1 tundra1", "wander tundra1 glacier2")
    state = play(state, "wander swamp2 mountain2")
    assert (at(state, OLAF, "glacier2"), at(state, OLAF, "mountain2")) == (1, 1)
    assert sum(state.trolls[OLAF]) == 2
    assert state.actor != OLAF  # three wanders, no more


def test_a2_a_wander_goes_to_an_adjoining_region_only():
    state = position(lords=(9, 7, 20, 2), trolls={OLAF: {"forest1": 1}})
    state = play(state, "move wander 3")
    assert legal(state) == ["wander forest1 tundra1", "wander forest1 swamp1", "pass"]
    with pytest.raises(RocktowerError, match="not legal"):
        play(state, "wander forest1 fjord1")


def test_a2_the_fjords_adjoin_and_are_two_regions():
    state = position(lords=(9, 7, 20, 2), trolls={OLAF: {"fjord1": 1}})
    state = play(state, "move wander 1", "wander fjord1 fjord2")
    assert (at(state, OLAF, "fjord1"), at(state, OLAF, "fjord2")) == (0, 1)


def test_a3_tailwind_for_astrid_then_sigrun_and_none_for_sven():
    # Olaf overtakes Sven; Astrid, next ahead, stands on a glacier space, Sigrun on a wander one.
    state = position(
        lords=(19, 2, 16, 1), trolls={SIGRUN: {"swamp1": 1}, SVEN: {"forest1": 3}, OLAF: {}}
    )
    state = play(state, "move placement 3", "place 1 swamp1")
    assert state.lords[OLAF] == 8
    assert (state.actor, state.turn) == (ASTRID, OLAF)
    assert legal(state) == ["place 1 glacier2", "place 1 glacier1", "pass"]
    state = play(state, "place 1 glacier1")
    assert state.actor == SIGRUN
    assert "wander swamp1 glacier2" in legal(state)
    state = play(state, "wander swamp1 glacier2")
    assert at(state, SIGRUN, "glacier2") == 1
    assert state.turn == SVEN  # his turn has come; a tailwind he had not
    assert state.turns == 21


def test_a3_finished_players_receive_no_tailwind():
    state = position(lords=(0, 2, 16, 20), lying=(OLAF,))
    state = play(state, "move placement 1", "pass", "pass")
    assert (state.actor, state.turn) == (SVEN, SVEN)
