"""`rocktower odds`: exact answers on the command line."""

from pathlib import Path

import pytest

TH = ("odds", "trollhalla")
TM = ("odds", "treasure-mountain")


def test_goats_in_the_next_refill(rocktower):
    answer = rocktower(*TH, "refill", "--tiles", 5, "--json").json
    assert answer["probability"] == pytest.approx(1 - 0.543, abs=1e-3)
    assert answer["expected"]["goat"] == pytest.approx(35 / 63)
    two = rocktower(*TH, "refill", "--tiles", 5, "--players", 2, "--json").json
    assert two["probability"] == pytest.approx(1 - 0.569, abs=1e-3)
    text = rocktower(*TH, "refill", "--island", 3, "--kind", "pri", "--at-least", 2).out
    assert text.startswith("at least 2 princess among 5 of 63 tiles: 0.1")


def test_a_refill_of_the_bag_at_the_table(rocktower):
    rocktower("draw", "trollhalla", "start", "A", "B", "--seed", 2)
    now = rocktower("draw", "trollhalla", "show", "--json").json["table"]["bag"]
    log = ("--log", "trollhalla.jsonl")
    answer = rocktower(*TH, "refill", "--tiles", 5, *log, "--json").json
    total = sum(now.values())
    assert answer["expected"] == pytest.approx({k: 5 * n / total for k, n in now.items()})
    bag = ",".join(f"{kind}={n}" for kind, n in now.items())
    assert rocktower(*TH, "refill", "--tiles", 5, "--bag", bag, "--json").json == answer
    assert rocktower(*TH, "refill", "--tiles", 0, "--json").json["pmf"] == [1.0]


def test_when_the_game_can_end(rocktower):
    answer = rocktower(*TH, "end", 5, "5:1", "--bag", "goat=2,pig=7", "--json").json
    assert answer["over_by"] == [0, 0]
    answer = rocktower(*TH, "end", 3, "4:@1", "--bag", "goat=2,pig=4", "--json").json
    assert answer["over_by"] == pytest.approx([0, 0.2])
    assert "0.2000" in rocktower(*TH, "end", 3, "4:@1", "--bag", "goat=2,pig=4").out


def test_when_the_dragon_attacks(rocktower):
    answer = rocktower(*TM, "attack", "--steps", 1, "--rolls", 1, "--json").json["within"]
    assert {k: v[0] for k, v in answer.items()} == pytest.approx(
        {"none": 2 / 3, "avoid": 4 / 9, "provoke": 8 / 9}
    )
    song = rocktower(*TM, "attack", "--steps", 1, "--rolls", 1, "--dragon-song", "--json").json
    assert song["within"]["none"] == pytest.approx([1 / 3])
    rocktower("draw", "treasure-mountain", "start", "A", "B")
    rocktower("draw", "treasure-mountain", "aggression", "A", "hoard", "--manual", stdin="6\n")
    log = ("--log", "treasure-mountain.jsonl")
    assert rocktower(*TM, "attack", *log, "--json").json["steps"] == 5
    assert "re-roll to avoid" in rocktower(*TM, "attack", *log).out


def test_who_is_safe(rocktower):
    def safe(*arguments):
        return rocktower(*TM, "safe", *arguments, "--json").json["safe"]

    assert safe("--strength", 4) == pytest.approx(1 / 2)
    assert safe("--strength", 7, "--axes", "1,2") == pytest.approx(1 / 2)
    assert safe("--strength", 4, "--temple") == pytest.approx(3 / 4)
    assert safe("--strength", 7, "--unknown", 1) == pytest.approx((0.75 + 0.25 * 2) / 6)
    # One +2 of 6 is in hand: an unknown axe is a +2 five times of 23.
    assert safe("--strength", 9, "--axes", "2", "--unknown", 1) == pytest.approx(
        18 / 23 * 1 / 6 + 5 / 23 * 2 / 6
    )
    text = rocktower(*TM, "safe", "--level", "I", "--unknown", 2)
    assert "value of the axes" in text.out
    assert "see what in it is assumed" in text.err


def test_dragons_that_are_gone_do_not_count(rocktower):
    rocktower("draw", "treasure-mountain", "start", "A", "B")
    typed = ["6\n"] * 5 + ["6\n1\n1\n"]
    for text in typed:
        rocktower("draw", "treasure-mountain", "aggression", "A", "hoard", "--manual", stdin=text)
    rocktower("draw", "treasure-mountain", "fight", "--manual", stdin="I:3\n")
    answer = rocktower(*TM, "safe", "--level", "I", "--log", "treasure-mountain.jsonl", "--json")
    assert answer.json["strength"] == pytest.approx({"4": 1 / 3, "5": 1 / 3, "6": 1 / 3})


def test_which_axes_to_spend(rocktower):
    answer = rocktower(*TM, "spend", "--die", 2, "--axes", "1,1,2", "--strength", 5, "--json").json
    assert [a["axes"] for a in answer] == [[], [1, 2]]
    assert [a["safe"] for a in answer] == [0, 1]
    assert "+1 +2" in rocktower(*TM, "spend", "--die", 2, "--axes", "1,1,2", "--level", "I").out


def test_ties_in_the_turn_order_roll(rocktower):
    assert rocktower(*TM, "order", "--players", 3, "--json").json["no_tie"] == pytest.approx(5 / 9)
    assert "0.2778" in rocktower(*TM, "order").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*TH, "refill"), "Either --tiles or --island"),
        ((*TH, "refill", "--tiles", 64), "cannot draw 64 from a bag of 63"),
        ((*TH, "refill", "--island", 9), "one from 0 to 6"),
        ((*TH, "refill", "--tiles", 5, "--kind", "elk"), "not 'elk'"),
        ((*TH, "refill", "--tiles", 5, "--bag", "goat"), "TILE=N is expected"),
        ((*TH, "refill", "--tiles", 5, "--bag", "goat=1", "--log", "x"), "not both"),
        ((*TH, "refill", "--tiles", 5, "--log", "x"), "no log x"),
        ((*TH, "end", "x"), "SIZE, SIZE:RETURNS or SIZE:@LANDING"),
        ((*TH, "end", "5:@"), "SIZE, SIZE:RETURNS or SIZE:@LANDING"),
        ((*TH, "end", "5:@1"), "only an earlier refill"),
        ((*TM, "safe"), "Either --strength or --level"),
        ((*TM, "safe", "--level", "III"), "one of I, II"),
        ((*TM, "safe", "--strength", 4, "--axes", "3"), "knows no 3"),
        ((*TM, "safe", "--strength", 4, "--unknown", 25), "cannot draw 25"),
        ((*TM, "spend", "--die", 7, "--strength", 4), "range"),
        ((*TM, "spend", "--die", 3, "--strength", 4, "--axes", "a"), "values like 1,1,2"),
    ],
)
def test_wrong_questions_say_what_is_wrong(rocktower, arguments, message):
    result = rocktower(*arguments)
    assert result.status == 2
    assert message in result.err
    assert result.out == ""
    assert list(Path().iterdir()) == []


TF = ("odds", "trollfjord", "--seed", 1, "--turns", 500)
SIGRUN = (
    "--limit", 7, "--hits", "4,3,4,2,4,0", "--out", "r7 b4 y3 w3", "--comrade",
    "--treasure", "15:both", "--treasure", "18:other", "--treasure", "22:me",
)  # fmt: skip


def test_strike_or_stop(rocktower):
    answer = rocktower(*TF, *SIGRUN, "--json").json
    assert answer["best"] == "stop"
    assert answer["sure"] > 0.9
    assert answer["stop"]["mine"]["value"] == 15
    assert sum(answer["next_hit"]["totals"]) == pytest.approx(1)
    assert [row["hit"] for row in answer["by_hit"]] == [6, 7]
    text = rocktower(*TF, *SIGRUN).out
    assert "Stop: " in text
    assert "breaks the color limit: " in text
    assert text.count("reaches") == 3
    assert "gets" not in text


def test_the_first_hit_is_no_decision(rocktower):
    result = rocktower(*TF, "--limit", 5, "--treasure", "12+6:me", "--gifts", "-")
    assert "Strike: who decided to hammer" in result.out
    assert "alone" in result.out
    best = rocktower(*TF, "--limit", 5, "--treasure", "12+6:me", "--json").json
    assert best["situation"]["treasures"][0]["worth"] == [18, None]
    assert best["stop"] is None


@pytest.mark.parametrize("crew", [(), ("--comrade",)])
def test_without_a_treasure_the_odds_are_told_all_the_same(rocktower, tmp_path, crew):
    there = (*TF, "--limit", 5, "--hits", 2, "--out", "r2 b2", *crew)
    answer = rocktower(*there, "--json").json
    assert sum(answer["next_hit"]["totals"]) == pytest.approx(1)
    assert answer["strike"]["mine"]["value"] == answer["stop"]["mine"]["value"] == 0
    assert "breaks the color limit: " in rocktower(*there, "--plot", "odds.png").out
    assert (tmp_path / "odds.png").exists()


def test_a_tie_is_called_one(rocktower):
    far = ("--limit", 5, "--hits", 2, "--out", "r5 b1 w3", "--treasure", "40:me")
    text = rocktower(*TF, *far).out
    assert "It makes no difference whether you strike or stop: over 500 turns both bring" in text
    assert "better" not in text
    assert rocktower(*TF, *far, "--json").json["sure"] == 0.5


def test_advice_to_the_other_says_so(rocktower):
    other = (
        "--limit", 5, "--hits", "2,3", "--out", "r5", "--treasure", "5:me", "--comrade",
        "--hammerer", "other",
    )  # fmt: skip
    text = rocktower(*TF, *other).out
    assert "For the other: Strike: " in text
    assert "weighed by the other" in text
    assert rocktower(*TF, *other, "--json").json["advice_for"] == "other"
    assert "For the other" not in rocktower(*TF, *SIGRUN).out
    assert rocktower(*TF, *SIGRUN, "--json").json["advice_for"] == "me"
    first = rocktower(*TF, "--limit", 5, "--comrade", "--hammerer", "other").out
    assert "For the other: Strike: who decided" in first


def test_capitals_are_as_good(rocktower):
    small = rocktower(
        *TF, "--limit", 5, "--hits", 1, "--out", "r3", "--treasure", "12:me", "--json"
    )
    large = rocktower(
        *TF, "--limit", 5, "--hits", 1, "--out", "R3", "--treasure", "12:ME", "--json"
    )
    assert large.json == small.json


def test_the_odds_can_be_told_again(rocktower):
    from rocktower.emulator import Emulator

    turn = ("odds", "trollfjord", "--turns", 100, "--limit", 5, "--treasure", "12:me")
    emulator = Emulator.load()
    text = rocktower(*turn).out
    last = text.splitlines()[-1]
    seed = last.removeprefix("seed ").partition(",")[0]
    hits = emulator.note["hits"]
    assert last == f"seed {seed}, 100 turns by emulator {emulator.hash}, learned from {hits} hits"
    assert rocktower(*turn, "--seed", seed).out == text
    answer = rocktower(*turn, "--seed", seed, "--json").json
    assert answer["seed"] == int(seed)
    assert answer["emulator"] == {"hash": emulator.hash, "hits": hits}


def test_the_odds_as_a_picture(rocktower, tmp_path):
    rocktower(*TF, *SIGRUN, "--plot", "odds.png")
    assert (tmp_path / "odds.png").read_bytes().startswith(b"\x89PNG")
    again = rocktower(*TF, *SIGRUN, "--plot", "odds.png")
    assert again.status == 2
    assert "exists already" in again.err
    unknown = rocktower(*TF, *SIGRUN, "--plot", "odds.xyz")
    assert unknown.status == 2
    assert "odds.xyz" in unknown.err
    assert not list(tmp_path.glob("odds.xyz*"))


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (("--limit", 12), "limit 12"),
        (("--limit", 5, "--hits", "x"), "--hits 'x'"),
        (("--limit", 5, "--hits", "1,2", "--out", "r2"), "totals [1, 2]"),
        (("--limit", 5, "--out", "green"), "--out"),
        (("--limit", 5, "--out", "r12"), "--out: hit: 12 red"),
        (("--limit", 5, "--hits", 1, "--out", "r6"), "exceeded by 1"),
        (("--limit", 5, "--treasure", "18"), "--treasure '18'"),
        (("--limit", 5, "--treasure", "0:me"), "treasure 0"),
        (("--limit", 5, "--treasure", "45:me"), "treasure 45: its value is 1 to 44"),
        (("--limit", 5, "--treasure", "١٢:me"), "--treasure '١٢:me'"),
        (("--limit", 5, "--treasure", "12+:me"), "--treasure '12+:me'"),
        (("--limit", 5, "--hits", 1, "--out", "r٢"), "--out"),
        (("--limit", 5, "--gifts", "a"), "--gifts 'a'"),
        (("--limit", 5, "--gifts", "5"), "gifts [5]: a player's are 4, 8, 16, each once"),
        (("--limit", 5, "--gifts", "4,4"), "gifts [4, 4]"),
        (("--limit", 5, "--comrade", "--other-gifts", "5"), "gifts [5]"),
        (("--limit", 5, "--gifts", "٤"), "--gifts '٤'"),
        (("--limit", 5, "--rivalry", 3), "rivalry 3"),
        (("--limit", 5, "--hammerer", "other"), "comrade"),
    ],
)
def test_a_wrong_situation_is_one_line(rocktower, wrong, word):
    result = rocktower(*TF, *wrong)
    assert result.status == 2
    assert word in result.err
    assert result.err.count("\n") == 1
