"""Trollhalla: the random events, the rules around them, and what never changes."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from rocktower.chance import Bag, Sampled, Scripted
from rocktower.errors import RocktowerError
from rocktower.games.trollhalla import (
    CHIEF,
    Kick,
    Maelstrom,
    Refill,
    Roll,
    Sail,
    Share,
    Start,
    Table,
    default_board,
    play,
    view,
)
from rocktower.randomness import stream

FALSE_ALARM = 1e-6
BOARD = default_board()
FRESH = Table(board=BOARD)


def started(players=("Anna", "Bea", "Carl"), seed=1, **options):
    return play(FRESH, Start(players, **options), Sampled(stream(seed)))[0]


def scripted(table, event, *answers):
    return play(table, event, Scripted(answers))[0]


def all_tiles(table):
    """Count every tile, wherever it is."""
    places = [table.bag.things(), table.chief, *table.islands, *table.boats]
    return Counter(tile for place in places for tile in place)


def landing(table, island=0, seats=("Anna", "Bea", "Carl", CHIEF)):
    """Roll red and land the red ship."""
    return scripted(scripted(table, Roll(), "red"), Sail(island, seats))


@pytest.mark.parametrize(("players", "tiles"), [("AB", 49), ("ABC", 63), ("ABCD", 63)])
def test_set_up_fills_the_islands_without_a_ship(players, tiles):
    table = started(tuple(players))
    assert sum(all_tiles(table).values()) == tiles
    for i, island in enumerate(table.islands):
        assert len(island) == (0 if i in table.ships.values() else BOARD.capacity(i))


def test_two_players_leave_two_of_each_kind_in_the_box():
    assert all_tiles(started(("A", "B"))) == Counter(
        pig=10, monk=9, nobleman=8, princess=7, cow=6, goat=5, wild=4
    )


def test_islands_are_filled_in_their_order_west_to_east():
    fills = [("pig",) * 5, ("monk",) * 5, ("cow", "goat", "wild", "goat", "pig"), ("princess",) * 5]
    table = scripted(FRESH, Start(("A", "B", "C"), first="B"), *fills)
    assert [table.islands[i] for i in (0, 2, 4, 6)] == fills
    assert table.players[table.first] == "B"


def test_the_die_passes_clockwise():
    table = started(first="Carl")
    rollers = []
    for _ in range(4):
        table = scripted(table, Roll(), "blue")
        rollers.append(view(table)["active"])
    assert rollers == ["Carl", "Anna", "Bea", "Carl"]
    assert view(table)["next"] == "Anna"


def test_trolls_plunder_what_lies_at_their_seats():
    table = scripted(
        FRESH,
        Start(("Anna", "Bea"), first="Anna"),
        ("pig", "monk", "cow", "goat", "wild"),  # island 0: 1, 2, 1, 1 at its positions
        ("pig",) * 5,
        ("monk",) * 5,
        ("nobleman",) * 5,
    )
    table = landing(table, 0, ("Anna", "Bea", CHIEF, "Anna"))
    assert table.boats == (("pig", "wild"), ("monk", "cow"))
    assert table.chief == ("goat",)
    assert table.islands[0] == ()
    assert table.ships["red"] == 0
    assert table.origin == 1


def test_a_kicked_tile_can_come_out_in_the_refill_of_the_same_turn():
    table = started(("Anna", "Bea"))
    boat = (("cow",), ())
    islands = (("goat",) * 5, *table.islands[1:])
    bag = Bag.of({**dict.fromkeys(table.bag.kinds, 0), "pig": 4})
    table = Table(
        board=BOARD, players=table.players, first=0, bag=bag, islands=islands, boats=boat,
        ships=table.ships, kicks=(0, 0),
    )  # fmt: skip
    table = landing(table, 0, ("Anna", "Bea", "Bea", "Bea"))
    over = scripted(table, Refill())
    assert over.is_over
    assert over.bag == bag
    table = scripted(table, Kick("Anna", "cow"))
    assert table.boats[0] == ("goat",)
    table = scripted(table, Refill(), ("cow", "pig", "pig", "pig", "pig"))
    assert not table.is_over  # filled exactly: the game goes on
    assert len(table.bag) == 0
    assert table.islands[1] == ("cow", "pig", "pig", "pig", "pig")


def test_the_game_is_over_when_a_refill_cannot_be_completed():
    table = started()
    table = Table(
        board=BOARD, players=table.players, first=0, bag=Bag.of({"pig": 4, "goat": 0, "monk": 0}),
        islands=((),) * 7, boats=((),) * 3, ships=table.ships, kicks=(0,) * 3, chief=("monk",),
    )  # fmt: skip
    table = scripted(landing(table), Refill())
    assert table.is_over
    for event in (Roll(), Maelstrom(1, 2), Refill(), Sail(2, (CHIEF,) * 4)):
        with pytest.raises(RocktowerError):
            table.apply(event)
    table = scripted(table, Share((("Bea", "monk"),)))  # Final Scoring: once more
    assert table.boats[1] == ("monk",)
    with pytest.raises(RocktowerError, match="shared already"):
        table.apply(Share())


def test_the_chief_shares_and_the_rest_returns():
    # Rulebook, example of step 5: three players take one tile each, the leftover returns.
    table = landing(started(seed=3), 0, (CHIEF,) * 4)
    first, second, third, *rest = table.chief
    before = table.bag
    takes = (("Carl", third), ("Anna", first), ("Bea", second))
    table = scripted(table, Share(takes))
    assert table.boats == ((first,), (second,), (third,))
    assert table.chief == ()
    assert table.bag == before.put(rest)
    with pytest.raises(RocktowerError, match="shared already"):
        table.apply(Share())


def test_a_declined_share_returns_everything():
    table = landing(started(), 0, (CHIEF,) * 4)
    assert len(scripted(table, Share()).bag) == len(table.bag) + 5


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Sail(9, (CHIEF,) * 4), "no ship can sail"),
        (Kick("Anna", "pig"), "no goat left"),
        (Share(), "shares in a landing"),
        (Refill(), "no island waits"),
        (Maelstrom(1, 2), "Weather Tiles variant"),
        (Start(("A", "B")), "is set up"),
        (Kick("Zoe", "pig"), "no player 'Zoe': Anna, Bea, Carl play"),
        (Sail(-1, (CHIEF,) * 4), "Expected `int` >= 0"),
        (Sail(1, ("Anna",)), "length >= 4"),
    ],
)
def test_events_out_of_place_are_refused(event, message):
    with pytest.raises(RocktowerError, match=message):
        started().apply(event)


def test_only_possible_answers_are_taken():
    with pytest.raises(RocktowerError, match="nothing to decide"):
        started().answered("red")
    with pytest.raises(RocktowerError, match="no face 'green'"):
        started().apply(Roll()).answered("green")


def test_a_landing_must_be_finished_before_the_next_turn():
    table = landing(started())
    with pytest.raises(RocktowerError, match="island 1 must be refilled first"):
        table.apply(Roll())
    with pytest.raises(RocktowerError, match="no ship can sail"):
        table.apply(Sail(2, (CHIEF,) * 4))


def test_a_ship_sails_only_to_a_free_island_that_exists():
    table = scripted(started(), Roll(), "red")
    with pytest.raises(RocktowerError, match="island 3 is occupied by ship blue"):
        table.apply(Sail(3, (CHIEF,) * 4))
    with pytest.raises(RocktowerError, match="no island 7: one from 0 to 6"):
        table.apply(Sail(7, (CHIEF,) * 4))
    with pytest.raises(RocktowerError, match="no player 'Zoe'"):
        table.apply(Sail(0, ("Zoe", *(CHIEF,) * 3)))


def test_goats_kick_no_goats_and_only_once_each():
    table = started()
    islands = (("goat", "cow", "pig", "pig", "wild"), *table.islands[1:])
    table = Table(
        board=BOARD, players=table.players, first=0, bag=table.bag, islands=islands,
        boats=table.boats, ships=table.ships, kicks=table.kicks,
    )  # fmt: skip
    table = landing(table, 0, ("Anna", "Anna", "Bea", CHIEF))
    assert table.kicks == (1, 0, 0)  # the Chief's wild tile kicks nothing
    with pytest.raises(RocktowerError, match="never kicks out a goat"):
        table.apply(Kick("Anna", "goat"))
    with pytest.raises(RocktowerError, match="Anna holds goat, cow, pig; no 'monk'"):
        table.apply(Kick("Anna", "monk"))
    table = scripted(table, Kick("Anna", "cow"))
    with pytest.raises(RocktowerError, match="no goat left"):
        table.apply(Kick("Anna", "pig"))


def test_maelstrom_exchanges_weather_tiles_once_a_turn_before_the_roll():
    symbols = ("sun",) * 4 + ("wind",) * 4 + ("storm",) * 4
    table = started(weather=symbols)
    table = scripted(table, Maelstrom(1, 12))
    assert table.weather == ("storm", *symbols[1:11], "sun")
    with pytest.raises(RocktowerError, match="one maelstrom a turn"):
        table.apply(Maelstrom(1, 2))
    table = scripted(scripted(table, Roll(), "red"), Maelstrom(1, 12))
    assert table.weather == symbols
    for a, b in ((1, 1), (1, 13)):
        with pytest.raises(RocktowerError):
            scripted(table, Roll(), "red").apply(Maelstrom(a, b))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ("A",)}, "1 players: 2 to 4"),
        ({"players": tuple("ABCDE")}, "5 players"),
        ({"players": ("A", "a")}, "distinct names"),
        ({"players": ("A", "Chief")}, "none of them 'chief'"),
        ({"players": ("A", "B C")}, "without spaces"),
        ({"first": "Zoe"}, "no player 'Zoe'"),
        ({"ships": {"red": 1}}, "red, blue, yellow are expected"),
        ({"ships": {"red": 0, "blue": 2, "yellow": 4}}, "cannot start at island 0"),
        ({"ships": {"red": 1, "blue": 1, "yellow": 4}}, "not adjacent"),
        ({"ships": {"red": 6, "blue": 1, "yellow": 4}}, "not adjacent"),
        ({"ships": {"red": 1, "blue": 3, "yellow": 5}, "random_ships": True}, "not both"),
        ({"weather": ("sun",)}, "sun=4"),
        ({"weather": ("sun",) * 12}, "sun=4"),
        ({"weather": ("fog",) * 12}, "sun=4"),
    ],
)
def test_a_bad_set_up_is_refused(options, message):
    with pytest.raises(RocktowerError, match=message):
        FRESH.apply(Start(**{"players": ("A", "B"), **options}))


def test_there_are_twelve_ways_to_place_the_ships():
    starts = BOARD.legal_starts()
    assert len(starts) == 12
    for start in starts:
        BOARD.check_ships(start)


def test_set_up_draws_are_even():
    tables = [
        play(FRESH, Start(("A", "B", "C"), random_ships=True, random_weather=True), Sampled(rng))[0]
        for rng in (stream(2, i) for i in range(3000))
    ]
    for seen, outcomes in (
        (Counter(t.first for t in tables), 3),
        (Counter(tuple(t.ships.items()) for t in tables), 12),
    ):
        assert len(seen) == outcomes
        assert chisquare(list(seen.values())).pvalue > FALSE_ALARM
    for space in range(12):
        seen = Counter(t.weather[space] for t in tables)
        assert chisquare([seen["sun"], seen["wind"], seen["storm"]]).pvalue > FALSE_ALARM
    # The first and the last tile laid out are both like any tile of the bag.
    kinds = BOARD.plunder.counts
    for island in (0, 6):
        seen = Counter(t.islands[island][-1] for t in tables if t.islands[island])
        expected = [seen.total() * n / 63 for n in kinds.values()]
        assert chisquare([seen[kind] for kind in kinds], expected).pvalue > FALSE_ALARM


def test_the_ship_die_is_even():
    table = started()
    seen = Counter(play(table, Roll(), Sampled(stream(4, i)))[0].rolled for i in range(3000))
    assert chisquare([seen["red"], seen["blue"], seen["yellow"]]).pvalue > FALSE_ALARM


def test_a_refill_follows_the_bag_as_it_is_then():
    table = landing(started(("Anna", "Bea")), seats=(CHIEF,) * 4)
    bag = Bag.of({"pig": 2, "cow": 6, "goat": 4})
    table = Table(
        board=BOARD, players=table.players, first=0, bag=bag, islands=table.islands,
        boats=(("cow",) * 2, ()), ships=table.ships, kicks=(2, 0), origin=1,
    )  # fmt: skip
    for _ in range(2):
        table = scripted(table, Kick("Anna", "cow"))
    seen = Counter()
    for i in range(4000):
        after = play(table, Refill(), Sampled(stream(5, i)))[0]
        seen[after.islands[1].count("cow")] += 1
    odds = bag.put(["cow", "cow"]).count_pmf(["cow"], 5)
    expected = [4000 * odds[0:2].sum(), *(4000 * odds[2:5]), 4000 * odds[5]]
    counts = [seen[0] + seen[1], seen[2], seen[3], seen[4], seen[5]]
    assert min(expected) > 5
    assert chisquare(counts, expected).pvalue > FALSE_ALARM


EVENTS = st.one_of(
    st.just(Roll()),
    st.just(Roll()),
    st.just(Refill()),
    st.builds(Maelstrom, st.integers(1, 12), st.integers(1, 12)),
    st.builds(Sail, st.integers(0, 6), st.tuples(*[st.sampled_from(["A", "B", CHIEF])] * 4)),
    st.builds(Kick, st.sampled_from("AB"), st.sampled_from(list(BOARD.plunder.counts))),
    st.builds(
        Share,
        st.lists(
            st.tuples(st.sampled_from("AB"), st.sampled_from(list(BOARD.plunder.counts))),
            max_size=2,
        ).map(tuple),
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(EVENTS, min_size=30, max_size=60), st.integers(0, 2**32))
def test_whatever_happens_tiles_are_conserved(events, seed):
    table = play(
        FRESH, Start(("A", "B"), random_weather=True, random_ships=True), Sampled(stream(seed))
    )[0]
    whole, weather, rolls = all_tiles(table), sorted(table.weather), 0
    for i, event in enumerate(events):
        try:
            table, steps = play(table, event, Sampled(stream(seed, i)))
        except RocktowerError:
            continue
        rolls += event == Roll()
        assert len(steps) == (isinstance(event, Roll) or (event == Refill() and not table.is_over))
        assert all_tiles(table) == whole
        assert sorted(table.weather) == weather
        assert table.turn == rolls  # one roll a turn
        for island, tiles in enumerate(table.islands):
            is_bare = island in table.ships.values() or (table.is_over and not tiles)
            is_bare |= island == table.origin
            assert len(tiles) == (0 if is_bare else BOARD.capacity(island))


def test_nothing_is_hidden():
    table = landing(started())
    assert view(table) == view(table, "Bea") == view(table, "all")
    with pytest.raises(RocktowerError, match="no player 'Zoe'"):
        view(table, "Zoe")
