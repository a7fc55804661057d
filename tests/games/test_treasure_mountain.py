"""Treasure Mountain: the random events, the rules around them, and what never changes."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.stats import chisquare

from rocktower.chance import Sampled
from rocktower.errors import RocktowerError
from rocktower.games.treasure_mountain import (
    Aggression,
    DrawAxes,
    Fight,
    Keep,
    Reroll,
    Reset,
    Scout,
    Start,
    Take,
    Tavern,
    Tribute,
    play,
    view,
)
from rocktower.randomness import stream
from tests.games.mountain import DATA, FOUR, FRESH, KNOWN, attacked, scripted, started

FALSE_ALARM = 1e-6


def holdings(table):
    """Count everything that chance deals out, wherever it is."""
    cards = Counter(card for mine in table.mines for card in mine)
    for row in table.rows.values():
        cards.update((*row.cards, *row.deck.unseen.things(), *row.deck.known, *row.deck.discard))
    dragons = Counter((*table.boxed, *(tile for hand in table.awarded for tile in hand)))
    for deck in table.dragons:
        dragons.update((*deck.unseen.things(), *deck.known))
    axes = Counter([*table.bag.things(), *(axe for hand in table.hands for axe in hand)])
    return cards, dragons, axes


# Set-up and turn order


def test_the_highest_roll_goes_first():
    # Rulebook, Turn Order Example: blue, red, green, then yellow.
    table = FRESH.apply(Start(("red", "yellow", "green", "blue")))
    for roll in (5, 1, 3, 6):
        table = table.answered(roll)
    assert view(table)["order"] == ["blue", "red", "green", "yellow"]


def test_only_the_tied_roll_again():
    table = FRESH.apply(Start(("A", "B", "C", "D")))
    asked = []
    for roll in (2, 5, 2, 5, 1, 1, 4, 6, 3, 2):  # B and D tie twice, then A and C
        asked.append(table.request.label[0])
        table = table.answered(roll)
    assert "".join(asked) == "ABCD" + "BD" + "BD" + "AC"
    assert view(table)["order"] == ["D", "B", "A", "C"]


def test_set_up_opens_the_rows():
    table = started()
    assert {name: len(row.cards) for name, row in table.rows.items()} == {
        "mine": 4, "achievements": 4, "ruby": 2, "emerald": 2, "sapphire": 2, "diamond": 2,
    }  # fmt: skip
    assert len(table.bag) == 24
    assert table.dragon == 0
    for gem in DATA.market.gems:
        assert {card.gem for card in table.rows[gem].cards} == {gem}


# Scouting and secrets


def test_the_rulebook_scout():
    # Blue draws an axe, peeks at a dragon of strength 4 after gems, and rolls a two.
    table = scripted(started(), Scout(player="blue"), (2,), KNOWN, 2)
    assert table.dragon == 0
    assert table.hands[0] == (2,)
    blue, red, public, full = (view(table, who) for who in ("blue", "red", None, "all"))
    assert blue["axes"] == {"blue": [2], "red": 0, "green": 0, "yellow": 0}
    assert red["axes"] == {"blue": 1, "red": [], "green": 0, "yellow": 0}
    assert public["axes"] == dict.fromkeys(FOUR[1:], 0) | {"blue": 1}
    assert [v["dragon_tile"]["front"] for v in (blue, red, public, full)] == [
        "I:4:8:gems", None, None, "I:4:8:gems",
    ]  # fmt: skip
    assert public["dragon_tile"]["level"] == "I"
    assert public["dragon_tile"]["range"] == [3, 6]
    assert (public["axe_bag"], full["axe_bag"]) == (23, {1: 18, 2: 5})
    # What was seen is what attacks, and then it is forgotten.
    table = attacked(table, 1, 1, 1, 1)
    assert table.apply(Fight()).request.pmf() == {KNOWN: 1.0}
    table = scripted(table, Fight(), KNOWN)
    assert view(table, "blue")["dragon_tile"]["front"] is None


def test_secret_answers_name_their_owner():
    _, steps = play(started(), Scout(player="blue"), Sampled(stream(3)))
    assert [step.secret_of for step in steps] == ["blue", "blue", None]
    _, steps = play(started(), DrawAxes("red", 2), Sampled(stream(3)))
    assert [step.secret_of for step in steps] == ["red"]


def test_no_view_of_others_tells_secrets():
    """Two tables that differ only in secrets look alike to everybody else."""
    looks = []
    for axe, dragon in ((1, KNOWN), (2, DATA.dragon_tiles("I")[0])):
        table = scripted(started(), Scout(player="blue"), (axe,), dragon, 2)
        looks.append([view(table), view(table, "red")])
        assert view(table, "blue") != view(table)
    assert looks[0] == looks[1]


def test_an_empty_axe_bag_gives_no_axe():
    table = replace(started(), bag=started().bag.take([1] * 18 + [2] * 5))
    with pytest.raises(RocktowerError, match="holds 1; 2 are too many"):
        table.apply(DrawAxes("blue", 2))
    table = scripted(table, DrawAxes("blue", 1), (2,))
    assert [step.label for step in play(table, Scout(player="red"), Sampled(stream(1)))[1]] == [
        "red: peek at the dragon",
        "red: aggression roll",
    ]


# The rows of open cards


def test_a_bought_tile_slides_the_row_and_never_returns():
    table = started()
    a, b, c, d = table.rows["mine"].cards
    table, _ = play(table, Take("red", "mine", 2), Sampled(stream(1)))
    assert table.rows["mine"].cards[:3] == (a, c, d)
    assert len(table.rows["mine"].cards) == 4
    assert table.mines[1] == (b,)
    assert table.rows["mine"].deck.discard == ()


def test_the_rulebook_market_example():
    # The claimed card lay over the coin: the card above the arrow slides, a new one follows.
    table, _ = play(started(), Reset(), Sampled(stream(2)))
    row = table.rows["ruby"]
    assert row.coins == (1, 0)
    coin, arrow = row.cards
    after, _ = play(table, Take("blue", "ruby", 1), Sampled(stream(1)))
    assert after.rows["ruby"].cards[0] == arrow
    assert after.rows["ruby"].coins == (0, 0)
    assert after.rows["ruby"].deck.discard == (coin,)
    after, _ = play(table, Take("blue", "ruby", 2), Sampled(stream(1)))
    assert after.rows["ruby"].cards[0] == coin
    assert after.rows["ruby"].coins == (1, 0)


def test_the_rulebook_tribute_example():
    table = started()
    mine, ruby = table.rows["mine"].cards, table.rows["ruby"].cards
    event = Tribute(player="green", removals=(("mine", 3), ("ruby", 1)))
    table, steps = play(table, event, Sampled(stream(1)))
    assert table.rows["mine"].cards[:3] == (mine[0], mine[1], mine[3])
    assert table.rows["mine"].deck.discard == (mine[2],)
    assert table.rows["ruby"].cards[0] == ruby[1]
    assert [s.label for s in steps] == ["mine row", "ruby row", "green: aggression roll"]


def test_a_tribute_removes_at_once_up_to_two_or_three():
    three = (("mine", 1), ("mine", 2), ("achievements", 4))
    with pytest.raises(RocktowerError, match="up to 2 different"):
        started().apply(Tribute(player="red", removals=three))
    with pytest.raises(RocktowerError, match="different open cards"):
        started().apply(Tribute(player="red", removals=(("mine", 1), ("mine", 1))))
    table = started().apply(Tribute(player="red", removals=three, diplomats=True))
    assert len(table.rows["mine"].cards) == 2
    with pytest.raises(RocktowerError, match="no card in slot 5: 1 to 4"):
        started().apply(Tribute(player="red", removals=(("mine", 5),)))
    with pytest.raises(RocktowerError, match="no row 'pearl'"):
        started().apply(Take("red", "pearl", 1))


def test_a_spent_deck_is_reshuffled_and_a_row_may_run_short():
    table, seed = started(), 0
    size = len(DATA.row_cards()["mine"])
    for _ in range(size):
        table, _ = play(table, Take("red", "mine", 1), Sampled(stream(seed)))
        seed += 1
    assert table.rows["mine"].cards == ()
    assert len(table.mines[1]) == size
    with pytest.raises(RocktowerError, match="no card in slot 1"):
        table.apply(Take("red", "mine", 1))
    table, _ = play(table, Reset(), Sampled(stream(seed)))  # nothing to remove: no error
    for _ in range(12):
        table, _ = play(table, Take("red", "ruby", 1), Sampled(stream(seed)))
        seed += 1
        assert len(table.rows["ruby"].cards) == 2


def test_a_reset_changes_one_tile_and_one_achievement_and_seeds_the_market():
    table = started()
    after, _ = play(table, Reset(), Sampled(stream(1)))
    for name in ("mine", "achievements"):
        assert after.rows[name].cards[:3] == table.rows[name].cards[1:]
        assert after.rows[name].deck.discard == table.rows[name].cards[:1]
    assert all(after.rows[gem].coins == (1, 0) for gem in DATA.market.gems)


@pytest.mark.parametrize(
    ("before", "dwarves", "after"),
    [
        ("blue red green yellow", "yellow green", "yellow green blue red"),
        ("yellow green blue red", "green blue green", "green blue yellow red"),
        ("blue red green yellow", "", "blue red green yellow"),
    ],
)
def test_the_tavern_sets_the_turn_order(before, dwarves, after):
    table = started(order=tuple(before.split()))
    table = table.apply(Tavern(tuple(dwarves.split())))
    assert view(table)["order"] == after.split()


# Even draws


def test_turn_orders_are_even():
    def order(seed):
        table, source = FRESH.apply(Start(("A", "B", "C", "D"))), Sampled(stream(seed))
        while table.pending[0].what == "order":
            table = table.answered(source.answer(table.request))
        return table.order

    seen = Counter(order(seed) for seed in range(2400))
    assert chisquare([seen[p] for p in permutations(range(4))]).pvalue > FALSE_ALARM


def test_rolls_axes_and_dragons_are_even():
    table = started()
    n = 2400
    rolls, axes, dragons, market = Counter(), Counter(), Counter(), Counter()
    for i in range(n):
        _, steps = play(table, Scout(player="blue"), Sampled(stream(9, i)))
        axe, dragon, roll = (step.text for step in steps)
        axes[axe] += 1
        dragons[dragon] += 1
        rolls[roll] += 1
        _, steps = play(table, Take("red", "ruby", 1), Sampled(stream(10, i)))
        market[steps[0].text] += 1
    assert chisquare([rolls[str(k)] for k in range(1, 7)]).pvalue > FALSE_ALARM
    assert chisquare([axes["1"], axes["2"]], [n * 0.75, n * 0.25]).pvalue > FALSE_ALARM
    tiles = [str(tile) for tile in DATA.dragon_tiles("I")]
    assert chisquare([dragons[tile] for tile in tiles]).pvalue > FALSE_ALARM
    left = dict(table.rows["ruby"].deck.unseen)
    cards = {str(card): k for card, k in left.items() if k}
    expected = [n * k / sum(cards.values()) for k in cards.values()]
    assert chisquare([market[card] for card in cards], expected).pvalue > FALSE_ALARM


# What never changes


NAMES = st.sampled_from("AB")
TEMPLE = st.sampled_from([None, "A", "B"])
ROWS = st.sampled_from(list(DATA.row_cards()))
SLOTS = st.integers(1, 4)
EVENTS = st.one_of(
    st.builds(
        Aggression, player=NAMES, space=st.sampled_from(["hoard", "wagon"]), temple=TEMPLE,
        dragon_song=st.booleans(),
    ),
    st.builds(Scout, player=NAMES, temple=TEMPLE),
    st.builds(
        Tribute, player=NAMES, temple=TEMPLE,
        removals=st.lists(st.tuples(ROWS, SLOTS), max_size=2).map(tuple),
    ),
    st.builds(Reroll, NAMES),
    st.just(Keep()),
    st.builds(Fight, axes=st.dictionaries(NAMES, st.lists(st.sampled_from([1, 2])).map(tuple))),
    st.just(Fight()),
    st.builds(DrawAxes, NAMES, st.integers(1, 3)),
    st.builds(Take, NAMES, ROWS, SLOTS),
    st.builds(Tavern, st.lists(NAMES).map(tuple)),
    st.just(Reset()),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(EVENTS, min_size=40, max_size=80), st.integers(0, 2**32), st.booleans())
def test_whatever_happens_everything_is_conserved(events, seed, rahdo):
    table, _ = play(FRESH, Start(("A", "B"), rahdo=rahdo), Sampled(stream(seed)))
    whole = holdings(table)
    for i, event in enumerate(events):
        try:
            table, steps = play(table, event, Sampled(stream(seed, i)))
        except RocktowerError:
            continue
        assert holdings(table) == whole
        rolls = sum("aggression" in step.label for step in steps)
        assert rolls == (
            isinstance(event, Aggression | Scout | Tribute)
            or (isinstance(event, Reroll) and "aggression" in steps[0].label)
        )
        assert 0 <= table.dragon < DATA.dragon_track.steps or table.attack
        assert all(len(row.cards) <= row.slots for row in table.rows.values())
        assert all(len(row.cards) == row.slots or row.deck.is_spent for row in table.rows.values())
        assert all(len(set(c)) == len(c) <= 5 for c in table.captured)
        assert sorted(table.order) == [0, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ("A",)}, "1 players"),
        ({"players": ("A", "all")}, "none of them 'all'"),
        ({"order": ("A",)}, "each player once"),
        ({"order": ("A", "C")}, "each player once"),
    ],
)
def test_a_bad_set_up_is_refused(options, message):
    with pytest.raises(RocktowerError, match=message):
        FRESH.apply(Start(**{"players": ("A", "B"), **options}))


def test_events_wait_for_chance_and_set_up():
    with pytest.raises(RocktowerError, match="no game is set up"):
        FRESH.apply(Keep())
    with pytest.raises(RocktowerError, match="chance has not answered"):
        started().apply(Aggression(player="red", space="hoard")).apply(Keep())
    with pytest.raises(RocktowerError, match="nothing to decide"):
        started().answered(6)
    with pytest.raises(RocktowerError, match="no face '7'"):
        started().apply(Aggression(player="red", space="hoard")).answered(7)
    with pytest.raises(RocktowerError, match="Invalid enum value 'pub'"):
        started().apply(Aggression(player="red", space="pub"))
