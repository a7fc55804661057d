"""Simulated games under a protocol, in tasks that can be broken off."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rocktower.calibration.fitting import (
    Prior,
    network_for,
    play_protocol,
    record_protocol,
    to_values,
)
from rocktower.calibration.fitting._games import Games, GameSet, play_games, simulate_filling
from rocktower.calibration.fitting._history import History
from rocktower.calibration.fitting._replay import made_up_record
from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import Boulders
from rocktower.tower import Setup
from tests.calibration.fitting.helpers import few, record_of, row

SETUP = Setup(0.3, 0.028, 1.0, 2.5, 0.2)


def test_a_record_gives_its_protocol():
    record = record_of(
        row(1, 1, 3, added="all", striker="A", strength="firm"),
        row(1, 2, 5, hits=2, striker="B", drop="20", held="loose"),
        row(2, 4, 1, added="all", striker="B", drop="80"),
    )
    protocol = record_protocol(record)
    assert [str(group) for group in protocol.groups] == ["A, firm", "B, drop"]
    assert protocol.hits == 4
    assert [step.condition for step in protocol.fillings[0]] == [0, 1, 1, 2]
    assert protocol.conditions[2].boost == pytest.approx(np.log(2.0))  # twice the speed
    assert protocol.fillings[0][0].filling == Boulders(11, 11, 11, 11)
    assert protocol.fillings[0][3].new_turn
    assert protocol.fillings[0][3].put_in == "all"


def test_strikers_who_would_have_one_name_are_refused():
    """The name of the second one looks like that of the first one with a strength."""
    record = record_of(
        row(1, 1, 3, added="all", striker="A", strength="firm"), row(1, 2, 5, striker='"A, firm"')
    )
    with pytest.raises(RocktowerError, match=r"small: two kinds of strikes .* 'A, firm': rename"):
        record_protocol(record)


def test_a_filling_is_struck_as_the_steps_say(model):
    protocol = record_protocol(few(3, 2, 4, turns=(3,)))
    games = simulate_filling(model, [SETUP], protocol.fillings[0], np.random.default_rng(1), 7)
    assert games.game.tolist() == [7, 7, 7]
    assert games.left[0] == games.left[2] == 44
    assert games.left[1] == 44 - games.total[0]
    assert (games.out.sum(axis=1) == games.total).all()
    assert (games.inside.sum(axis=1) == games.left).all()
    assert games.added[2].sum() == games.total[:2].sum() > 0
    follow = History.filled(44.0).after(float(games.total[0]))
    side = games.features[1, -1]
    assert games.features[1].tolist() == follow.features(side)[0].tolist()
    assert games.parameters[0, :3].tolist() == pytest.approx([np.log(0.3), np.log(0.028), 1.0])


def test_a_filling_that_the_tower_does_not_have_is_refused(model):
    from dataclasses import replace

    colors = tuple((color, 5) for color, _ in model.boulders.colors)
    small = replace(model, boulders=replace(model.boulders, colors=colors))
    steps = record_protocol(few(1)).fillings[0]
    with pytest.raises(RocktowerError, match="11 red boulders, the tower model 5"):
        simulate_filling(small, [SETUP], steps, np.random.default_rng(1))


def test_broken_off_and_resumed_games_are_the_same(model, tmp_path):
    values = np.repeat(np.array(SETUP.values)[None, None], 14, axis=0)
    games = GameSet(model, record_protocol(few(2, 1)), values, seed=3)
    with ThreadPoolExecutor(1) as executor:
        whole = play_games(games, tmp_path / "a", executor)
        play_games(games, tmp_path / "b", executor)
        (tmp_path / "b" / "000001.shard").unlink()
        again = play_games(games, tmp_path / "b", executor)
        assert whole.encode() == again.encode()
        other = GameSet(model, games.protocol, 1.01 * values, seed=3)
        with pytest.raises(RocktowerError, match="was begun with values"):
            play_games(other, tmp_path / "b", executor)
    assert len(np.unique(whole.game)) == 14
    assert Games.decode(whole.encode()).encode() == whole.encode()


def test_the_network_plays_the_same_protocol(model):
    network = network_for(model)
    assert network is not None
    record = few(3, 2, 4, 1, turns=(3,))
    protocol, n = record_protocol(record), 400
    setups = np.repeat(np.array([[[-1.2, -3.6, 1.0, 0.9, 0.2]]]), n, axis=0)
    totals = play_protocol(network, protocol, setups, np.random.default_rng(1))
    assert totals.shape == (n, 4)
    assert (totals[:, :2].sum(axis=1) <= 44).all()
    assert totals.std() > 0
    again = play_protocol(network, protocol, setups, np.random.default_rng(1))
    assert (totals == again).all()
    made = made_up_record(record, totals[0], "made up")
    assert [s.out_total.low for s in made.situations] == totals[0].tolist()
    assert made.situations[2].before.inside_total.low == 44
    assert record_protocol(made).conditions == protocol.conditions


def test_a_made_up_record_knows_what_the_record_knew():
    record = record_of(
        row(1, 1, "2+", added="all"), row(1, 2, 6, hits=3), row(1, 5, 1, flag="miss")
    )
    made = made_up_record(record, np.array([1, 2, 0, 3, 4]), "made up")
    assert [s.out_total.is_known for s in made.situations] == [False, True, False]
    assert made.situations[1].out_total.low == 5


def test_the_packaged_prior_and_faults_of_another(tmp_path):
    prior = Prior.load()
    low, high = to_values(prior.low), to_values(prior.high)
    assert (low < high).all()
    assert low[1] == pytest.approx(0.02)
    path = tmp_path / "p.toml"
    with pytest.raises(RocktowerError, match="no such file; a prior is a TOML file"):
        Prior.load(path)
    from importlib.resources import files

    text = files("rocktower.calibration.fitting").joinpath("data/prior.toml").read_text("utf-8")
    path.write_text(text.replace("value = 32", "value = 19"))
    with pytest.raises(RocktowerError, match=r"p.toml: outlet_width.highest: 0.019 must be above"):
        Prior.load(path)
    path.write_text(text.replace('"mm", provenance = "assumed"', '"mm", provenance = "known"'))
    with pytest.raises(RocktowerError, match="provenance 'known' must be one of"):
        Prior.load(path)
