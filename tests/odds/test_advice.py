"""The advice: the rulebook's example turn, and what must always hold."""

from dataclasses import replace

import numpy as np
import pytest

from rocktower.emulator import Emulator
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import Boulders
from rocktower.odds import Treasure, advise, plot_advice
from tests.odds.helpers import alone, example_turn, pair


@pytest.fixture(scope="module")
def emulator():
    return Emulator.load()


def advice(situation, emulator, seed=1, paths=4000):
    return advise(situation, emulator, np.random.default_rng(seed), paths=paths)


def test_sigrun_has_four_good_reasons_to_stop(emulator):
    """The rulebook's example turn (An Example Turn)."""
    given = advice(example_turn(), emulator)
    assert given.best == "stop"
    assert given.sure > 0.999
    assert given.margin.high < 0
    # The 17 boulders are enough for the treasure in the swamp.
    assert given.stop.mine.value == 15
    # They are not enough for Astrid's mountain: after another hit they mostly are.
    swamp, mountain, glacier = given.next_hit.reaches
    assert swamp.value == 1
    assert mountain.value > 0.8
    # The glacier needs five boulders more, which she doubts.
    assert glacier.high < 0.4
    # The next hit could well exceed the color limit.
    assert given.next_hit.broken.low > 0.25


def test_without_the_comrade_s_claim_to_the_swamp_sigrun_could_well_strike(emulator):
    """The risk is that an empty hit lets Astrid collect first."""
    only_mine = (Treasure(15, (15.0, None)), *example_turn().treasures[1:])
    given = advice(replace(example_turn(), treasures=only_mine), emulator)
    assert given.margin.value > advice(example_turn(), emulator).margin.value + 0.5


def test_nobody_stops_with_nothing_in_reach_and_nothing_to_lose(emulator):
    given = advice(alone(hits=2, out=Boulders(1, 1, 1, 1), totals=(2, 2)), emulator)
    assert given.best == "strike"
    assert given.stop.mine.value == 0


def test_everybody_stops_with_the_best_treasure_in_reach(emulator):
    out = Boulders(4, 3, 3, 3)
    given = advice(alone(hits=3, out=out), emulator)
    assert given.best == "stop"
    assert given.stop.mine.value == 12


def test_where_it_makes_no_difference_neither_is_better(emulator):
    """40 boulders are out of reach."""
    far = alone(limit=5, hits=2, out=Boulders(5, 1, 0, 3), treasures=(Treasure(40, (40.0, None)),))
    given = advice(far, emulator, paths=500)
    assert given.is_tie
    assert given.sure == 0.5
    assert not advice(example_turn(), emulator, paths=500).is_tie
    assert not advice(pair(), emulator, paths=500).is_tie  # there is no choice


def test_all_chances_hang_together(emulator):
    given = advice(pair(), emulator)
    assert sum(given.next_hit.totals) == pytest.approx(1)
    assert given.next_hit.empty == given.next_hit.totals[0]
    assert given.stop is None
    assert given.margin is None
    broken = [policy.broken.value for policy in given.policies]
    assert broken == sorted(broken)
    assert broken[-1] <= given.broken_by_end.value
    means = [policy.total.value for policy in given.policies]
    assert means == sorted(means)
    over = [row.over for row in given.by_hit]
    assert over == sorted(over)
    assert over[-1] == pytest.approx(given.broken_by_end.value)


def test_at_the_hit_limit_there_is_nothing_to_advise(emulator):
    with pytest.raises(RocktowerError, match="hit limit 6 is reached"):
        advice(pair(hits=6, out=Boulders(4, 4, 4, 0)), emulator)


def test_the_same_seed_gives_the_same_advice(emulator):
    one, two = (str(advice(alone(), emulator, paths=200)) for _ in range(2))  # NaN is not NaN
    assert one == two


@pytest.mark.parametrize("situation", [example_turn(), alone(), pair()])
def test_every_situation_can_be_drawn(situation, emulator, tmp_path):
    given = advice(situation, emulator, paths=300)
    file = tmp_path / "odds.png"
    plot_advice(given).savefig(file)
    assert file.stat().st_size > 10_000
