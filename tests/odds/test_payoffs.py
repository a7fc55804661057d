"""What ends are worth: the rulebook's own examples of who collects what (B3, C1)."""

import pytest

from rocktower.odds import ME, OTHER, Payoffs, Situation, Treasure
from tests.odds.helpers import GIFTS, alone, pair


def payoffs(*treasures, **more):
    both = tuple(
        Treasure(value, (value if "m" in who else None, value if "o" in who else None))
        for value, who in treasures
    )
    return Payoffs(pair(treasures=both, rivalry=0.0, **more))


def test_the_first_chooses_and_leaves_the_other_what_is_left():
    """19 boulders: 23 is too much, the first takes 19, 17 is left."""
    ends = payoffs((17, "mo"), (19, "mo"), (23, "mo"))
    assert ends.over[ME, 19].tolist() == [19, 17]
    assert ends.over[OTHER, 19].tolist() == [17, 19]
    assert ends.over[ME, 16].tolist() == [0, 0]


def test_without_trolls_there_a_treasure_is_out_of_reach():
    ends = payoffs((19, "o"), (18, "mo"), (10, "mo"))
    assert ends.over[ME, 19].tolist() == [18, 19]


def test_who_minds_the_other_takes_the_treasure_that_he_wants():
    treasures = (Treasure(10, (10.0, 9.0)), Treasure(11, (10.5, None)))
    friendly = Payoffs(pair(treasures=treasures, rivalry=0.0)).over[ME, 20]
    rival = Payoffs(pair(treasures=treasures, rivalry=0.5)).over[ME, 20]
    assert friendly.tolist() == [10.5, 9.0]
    assert rival.tolist() == [10.0, 0.0]


def test_one_treasure_must_be_collected_if_any_may():
    ends = Payoffs(alone(treasures=(Treasure(8, (-2.0, None)),)))
    assert ends.collect(ME)[[7, 8]].tolist() == [0, -2]


def test_without_a_treasure_all_ends_are_alike():
    ends = payoffs(empty_handed=(-3.0, 0.0))
    assert ends.reach(ME).shape == (45, 0)
    assert (ends.collect(ME) == -3).all()
    assert (ends.over == [-3, 0]).all()
    assert (ends.over_angry == [-3, 0]).all()


def test_alone_gifts_are_given_if_the_treasure_is_worth_more():
    ends = Payoffs(alone(treasures=(Treasure(10, (10.0, None)),), gifts=((4, 8), ())))
    assert ends.angry(ME)[10, :4].tolist() == [10, 6, 0, 0]  # 4 + 8 gifts are worth more than 10
    assert ends.angry(ME)[9, 1] == 0


def test_two_share_the_gifts_that_cost_least():
    ends = payoffs((18, "m"), (16, "o"), gifts=(GIFTS, GIFTS))
    assert ends.over_angry[ME, 20, 1].tolist() == [18, 12]  # the other gives 4, of equals
    assert ends.over_angry[ME, 20, 2].tolist() == [14, 12]  # 4 + 4
    assert ends.over_angry[ME, 20, 3].tolist() == [14, 4]  # 4 + 4 + 8
    assert ends.over_angry[ME, 20, 7].tolist() == [0, 0]  # more than there are


def test_nobody_gives_for_nothing():
    """The other could collect nothing, so all gifts are mine."""
    ends = payoffs((18, "m"), gifts=((16,), (4,)))
    assert ends.over_angry[ME, 20, 1].tolist() == [2, 0]
    assert ends.over_angry[ME, 20, 2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"limit": 1}, "limit 1"),
        ({"hits": 5, "limit": 4}, "hits 5"),
        ({"out": (3, 0, 0, 0)}, "no hit yet"),
        ({"hits": 1, "out": (5, 0, 0, 0)}, "exceeded by 1"),
        ({"hits": 1, "out": (12, 0, 0, 0)}, "12 red"),
        ({"hits": 2, "out": (2, 0, 0, 0), "totals": (1, 2)}, "one for each of 2 hits"),
        ({"gifts": ((4, 4), ())}, "4, 8, 16, each once"),
        ({"gifts": ((), (5,))}, "4, 8, 16, each once"),
        ({"rivalry": 2.0}, "rivalry 2"),
        ({"hammerer": OTHER}, "comrade"),
        ({"treasures": (Treasure(9, (9, None)),) * 4}, "4 treasures"),
    ],
)
def test_an_impossible_situation_is_refused_in_one_line(wrong, word):
    from rocktower.errors import RocktowerError
    from rocktower.games.trollfjord import Boulders

    if "out" in wrong:
        wrong["out"] = Boulders(*wrong["out"])
    with pytest.raises(RocktowerError, match=word) as caught:
        Situation(**({"limit": 4, "treasures": ()} | wrong))
    assert "\n" not in str(caught.value)
