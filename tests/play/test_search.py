"""The search bot: legal, repeatable, honest, and no worse than it should be."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from rocktower.errors import RocktowerError
from rocktower.games.trollfjord import (
    CHANCE,
    Answered,
    Boulders,
    Collect,
    Hammer,
    Pass,
    Stop,
    Strike,
    new_game,
    phases,
    position_from_json,
    position_to_json,
    ranking,
)  # fmt: skip
from rocktower.play import SearchBot, load_bot
from rocktower.play._hammerer import hammer
from rocktower.play._outlook import impatience
from rocktower.play._value import features, lead, value
from tests.play.helpers import match


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_whole_games_for_two_to_four(players):
    """`Match` refuses what is against the rules; random players lose."""
    game = match("search", *["random"] * (players - 1), seed=4)
    game.play()
    assert game.state.is_over
    assert ranking(game.state)[0] == 0


def test_a_game_repeats_from_its_seed():
    games = [match("search@4", "random", seed=11) for _ in range(2)]
    for game in games:
        game.play()
    assert games[0].replay.steps == games[1].replay.steps


def test_the_same_position_without_its_history_gives_the_same_decision():
    """It knows what a position shows, and remembers nothing: neither the tower nor its luck."""
    game = match("search", "greedy", seed=2)
    game.play()
    steps = [step for step in game.replay.steps if not isinstance(step[1], Answered)]
    bot = SearchBot()
    for state, event in steps[::9]:
        if event.player == "orange":
            continue
        seen = position_from_json(position_to_json(state))
        action = bot.decide(seen, seen.legal_actions(), np.random.default_rng(99))
        assert str(action) == event.action


@pytest.mark.parametrize("name", ["search@", "search@x", "search@1.5", "search@-1", "search@0s"])
def test_a_budget_that_is_none_is_refused(name):
    with pytest.raises(RocktowerError, match="search@"):
        load_bot(name)


def test_budgets_are_understood():
    assert load_bot("search@48").simulations == 48
    assert load_bot("search@0.5s").seconds == 0.5


def test_a_time_budget_is_kept():
    state = _started()
    bot = SearchBot(seconds=0.01)
    assert (
        bot.decide(state, state.legal_actions(), np.random.default_rng(1)) in state.legal_actions()
    )


def _started():
    state = new_game(2, walkways=range(1, 11))
    state = state.apply((10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21))
    return state.apply(("white", "orange"))


def _hammering(out, hits, limit, phase):
    """White hammers alone at A: treasures 10 (forest1) and 11 (tundra1), three trolls at each."""
    state = _started()
    trolls = [0] * 12
    trolls[0], trolls[1] = 3, 3
    return replace(
        state,
        trolls=(tuple(trolls), (0,) * 12),
        lords=(3, 4),
        hammering=phases.Hammering(0, limit, (0,), hits=hits, out=Boulders(*out)),
        phase=phase,
    )


def test_it_stops_with_the_best_treasure_and_strikes_with_none():
    enough = _hammering((4, 4, 3, 3), 4, 5, phases.Striking(0))
    assert hammer(enough, 0) == Stop()
    nothing = _hammering((2, 2, 1, 0), 3, 5, phases.Striking(0))
    assert hammer(nothing, 0) == Strike()


def test_it_takes_the_better_treasure():
    state = _hammering((4, 4, 3, 3), 5, 5, phases.Collecting(0))
    assert isinstance(hammer(state, 0), Collect)
    rich = replace(state, treasures=(10, 14, *state.treasures[2:]))
    assert hammer(rich, 0) == Collect("tundra1")


def test_the_lead_is_what_remains_when_the_game_is_over():
    game = match("greedy", "random", seed=1)
    game.play()
    assert value().of([game.state], 0)[0] == lead(game.state, 0)
    assert lead(game.state, 0) == -lead(game.state, 1)


def test_a_position_is_described_alike_for_everybody():
    """Of equal players each sees the same."""
    state = _started()
    rows = [features(state, player) for player in (0, 1)]
    own = [row[:15] for row in rows]
    assert own[0] == own[1]
    assert len(rows[0]) == value().hidden.shape[0]
    assert state.actor != CHANCE


def test_a_game_that_drags_on_makes_it_hammer_even_if_it_costs():
    """Otherwise a leader who has nothing to win could wait for ever."""
    state = replace(
        _hammering((0, 0, 0, 0), 0, 2, phases.Deciding(0, 0, None)),
        hammering=phases.NO_HAMMERING,
        treasures=(20, 21, *(22,) * 10),
        trolls=((1, 1, *(0,) * 10), (0,) * 12),
        turns=20,
    )
    assert impatience(state) == 0
    assert hammer(state, 0) == Pass()  # two hits hardly bring 20 boulders
    late = replace(state, turns=200)
    assert impatience(late) > 50
    assert hammer(late, 0) == Hammer()
