"""`rocktower draw`: the companion at a table, its log, and what people do to them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rocktower.games import treasure_mountain as tm
from rocktower.games import trollhalla as th

TH = ("draw", "trollhalla")
TM = ("draw", "treasure-mountain")
LOG = Path("trollhalla.jsonl")


def lines(path=LOG):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture
def table(rocktower):
    """Give a function that runs `rocktower draw trollhalla` at a table that is set up."""
    rocktower(*TH, "start", "Anna", "Bea", "--seed", 7, "--first", "Anna")

    def run(*arguments, **options):
        return rocktower(*TH, *arguments, **options)

    return run


@pytest.fixture
def mountain(rocktower):
    """Give the same for Treasure Mountain."""
    rocktower(*TM, "start", "Anna", "Bea", "--seed", 7, "--order", "anna,bea")

    def run(*arguments, **options):
        return rocktower(*TM, *arguments, **options)

    return run


def test_the_seed_is_printed_and_stored_also_when_we_chose_it(rocktower):
    result = rocktower(*TH, "start", "Anna", "Bea")
    seed = int(re.search(r"seed (\d+), log trollhalla.jsonl", result.err)[1])
    header = lines()[0]
    assert header["seed"] == seed
    assert {"rocktower", "numpy", "python", "platform"} == set(header["versions"])
    other = rocktower(*TH, "start", "Anna", "Bea", "--log", "b.jsonl", "--seed", seed)
    assert other.out == result.out
    assert lines(Path("b.jsonl")) == lines()


def test_an_evening_of_trollhalla(table):
    rolled = table("roll", "--json").json
    assert rolled["event"] == {"type": "roll"}
    ship = rolled["results"][0]["result"]
    assert rolled["table"]["rolled"] == ship
    assert "goes back" not in table("sail", 0, "Anna", "B", "chief", "anna").out
    assert table("refill", 2).status == 2
    before = table("show", "--json").json["table"]
    after = table("refill", before["refill_due"], "--json").json
    drawn = after["results"][0]["result"].split()
    assert after["table"]["islands"][before["refill_due"]] == drawn
    assert sum(after["table"]["bag"].values()) == sum(before["bag"].values()) - len(drawn)
    assert table("roll").out.startswith("turn 2, Bea rolls: ")


def test_kicks_and_shares(table):
    """Play until a goat comes on board, kick a tile, and share the Chief's plunder."""
    kicked = None
    for _ in range(12):
        now = table("roll", "--json").json["table"]
        free = next(i for i in range(7) if i not in now["ships"].values())
        now = table("sail", free, "Anna", "Bea", "chief", "Anna", "--json").json["table"]
        tiles = [tile for tile in now["boats"]["Anna"] if tile != "goat"]
        if now["kicks"]["Anna"] and tiles:
            result = table("kick", "a", tiles[0])
            assert f"Anna's {tiles[0]} goes back" in result.out
            kicked = tiles[0]
        result = table("share", f"bea={now['chief'][0]}")
        assert f"Bea gains {now['chief'][0]}" in result.out
        if "the game ends" in table("refill").out:
            break
    assert kicked
    assert table("show", "--json").json["table"]["is_over"]
    assert table("roll").status == 2


def test_the_weather_variant(rocktower):
    rocktower(*TH, "start", "A", "B", "--weather", "random", "--ships", "random")
    before = rocktower(*TH, "show", "--json").json["table"]["weather"]
    rocktower(*TH, "maelstrom", 1, 12)
    after = rocktower(*TH, "show", "--json").json["table"]["weather"]
    assert (after[0], after[11]) == (before[11], before[0])
    assert "weather by sea space" in rocktower(*TH, "show").out
    agreed = ",".join(["sun"] * 4 + ["wind"] * 4 + ["storm"] * 4)
    placed = "red=2,blue=4,yellow=6"
    started = rocktower(
        *TH, "start", "A", "B", "--weather", agreed, "--ships", placed, "--log", "c.jsonl", "--json"
    ).json["table"]
    assert started["weather"] == agreed.split(",")
    assert started["ships"] == {"red": 2, "blue": 4, "yellow": 6}


def test_a_person_may_answer_instead_of_the_generator(rocktower):
    fills = "pig pig pig pig pig\n" + "cow " * 5 + "\nmonk, monk, monk, monk, monk\n"
    typed = "bea\n" + fills + "goat goat goat\ngoat goat goat goat goat\n"
    result = rocktower(*TH, "start", "Anna", "Bea", "--manual", "--json", stdin=typed)
    assert result.json["table"]["islands"][6] == ["goat"] * 5
    assert "3 drawn, 5 expected. Again" in result.err
    rolled = rocktower(*TH, "roll", "--manual", stdin="pink\nYe\n")
    assert rolled.out == "turn 1, Bea rolls: yellow\n"
    assert "not 'pink': one of red, blue, yellow is expected" in rolled.err


def test_the_end_of_the_input_records_nothing(table):
    before = LOG.read_bytes()
    result = table("roll", "--manual", stdin="pink\n")
    assert result.status == 2
    assert "the input ended before the answer; nothing was recorded" in result.err
    assert LOG.read_bytes() == before


def test_set_up_that_is_broken_off_leaves_no_file(rocktower):
    assert rocktower(*TH, "start", "Anna", "Bea", "--manual", stdin="anna\n").status == 2
    assert list(Path().iterdir()) == []


def test_a_torn_line_is_reported_and_dropped(table):
    table("roll")
    whole = LOG.read_bytes()
    LOG.write_bytes(whole + b'{"event":{"type":"refi')
    result = table("show")
    assert result.status == 0
    assert "the last line is torn, as after a crash; it is dropped" in result.err
    rolled = table("roll")
    assert "turn 2" in rolled.out
    assert LOG.read_bytes().startswith(whole)
    assert len(lines()) == 4
    assert "torn" not in table("show").err


def test_a_resumed_game_draws_as_an_unbroken_one(table):
    rolls = [table("roll").out for _ in range(3)]
    LOG.write_bytes(LOG.read_bytes()[:-5])
    assert table("roll").out == rolls[-1]


def test_undo_gives_no_second_chance(table):
    rolls = [table("roll").out for _ in range(3)]
    assert table("undo").out == "the last event is taken back\n"
    assert table("roll").out == rolls[-1]
    for _ in range(3):
        table("undo")
    result = table("undo")
    assert result.status == 2
    assert "nothing to undo" in result.err
    assert [table("roll").out for _ in range(3)] == rolls


def test_an_existing_log_is_not_overwritten(table):
    before = LOG.read_bytes()
    result = table("start", "Anna", "Bea")
    assert result.status == 2
    assert "trollhalla.jsonl exists" in result.err
    assert LOG.read_bytes() == before


def test_a_log_that_somebody_else_has_changed_is_left_alone(table, monkeypatch):
    from rocktower.cli import _session

    write = LOG.read_bytes() + b'{"event":{"type":"roll"},"results":["red"]}\n'
    play = _session.play

    def meddle(*arguments):
        LOG.write_bytes(write)
        return play(*arguments)

    session = _session.Session
    resume = session.resume

    def resumed(*arguments):
        result = resume(*arguments)
        monkeypatch.setattr(_session, "play", meddle)
        return result

    monkeypatch.setattr(session, "resume", resumed)
    result = table("roll")
    assert result.status == 2
    assert "somebody else has just changed it" in result.err
    assert LOG.read_bytes() == write


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("roll", "--log", "none.jsonl"),
            "no log none.jsonl: begin with `rocktower draw trollhalla",
        ),
        (("sail", 0, "A", "B", "chief", "chief"), "no ship can sail"),
        (("sail", 0, "A", "B", "chief", "Zoe"), "not 'Zoe': one of Anna, Bea, chief is expected"),
        (("kick", "A", "p"), "'p' could be pig or princess"),
        (("kick", "A", "pig"), "no goat left"),
        (("share", "A"), "PLAYER=TILE is expected"),
        (("refill",), "no island waits"),
        (("refill", 3), "none waits for one"),
        (("maelstrom", 1, 2), "Weather Tiles variant"),
        (("start", "A", "--log", "n.jsonl"), "1 players: 2 to 4 are expected"),
        (("start", "A", "B", "--ships", "red", "--log", "n.jsonl"), "SHIP=ISLAND,... is expected"),
        (("start", "A", "B", "--ships", "red=x", "--log", "n.jsonl"), "is not a number"),
        (
            ("start", "A", "B", "--board", "none.toml", "--log", "n.jsonl"),
            "none.toml: No such file",
        ),
        (("start", "A", "B", "--first", "C", "--log", "n.jsonl"), "one of A, B is expected"),
        (("start", "A", "B", "--log", "none/n.jsonl"), "No such file"),
        (("dance",), "No such command"),
    ],
)
def test_wrong_commands_say_what_is_wrong_in_a_line(table, arguments, message):
    before = LOG.read_bytes()
    result = table(*arguments)
    assert result.status == 2
    assert message in result.err
    assert result.out == ""
    assert LOG.read_bytes() == before
    assert not Path("n.jsonl").exists()


def test_a_broken_log_is_named(table):
    LOG.write_bytes(LOG.read_bytes() + b'{"event":{"type":"roll"},"results":["green"]}\n')
    result = table("roll")
    assert result.status == 2
    assert "trollhalla.jsonl, line 3: ship die: not 'green'" in result.err


def test_a_log_of_the_other_game_is_refused(table, rocktower):
    result = rocktower(*TM, "show", "--log", LOG)
    assert result.status == 2
    assert "a log of 'trollhalla', not of 'treasure-mountain'" in result.err


def test_own_data_files_travel_in_the_log(rocktower):
    board = Path(th.__file__).with_name("board.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(board.replace("goat = 7", "goat = 9"), encoding="utf-8")
    rocktower(*TH, "start", "A", "B", "C", "--board", "mine.toml")
    Path("mine.toml").unlink()
    now = rocktower(*TH, "show", "--json").json["table"]
    assert sum(now["bag"].values()) + sum(map(len, now["islands"])) == 65
    Path("bad.toml").write_text("[plunder]", encoding="utf-8")
    result = rocktower(*TH, "start", "A", "B", "--log", "b.jsonl", "--board", "bad.toml")
    assert result.status == 2
    assert "bad.toml: " in result.err
    Path("bin.toml").write_bytes(b"\xff\xfe")
    result = rocktower(*TH, "start", "A", "B", "--log", "b.jsonl", "--board", "bin.toml")
    assert "bin.toml: not a text file" in result.err
    data = Path(tm.__file__).with_name("game.toml").read_text(encoding="utf-8")
    Path("tm.toml").write_text(data.replace("1 = 18, 2 = 6", "1 = 3, 2 = 1"), encoding="utf-8")
    rocktower(*TM, "start", "A", "B", "--data", "tm.toml")
    assert rocktower(*TM, "show", "--json").json["table"]["axe_bag"] == 4


def test_an_evening_of_treasure_mountain(mountain):
    assert "dragon is at" in mountain("aggression", "anna", "hoard").out
    assert "mine row: " in mountain("tribute", "bea", "mine=2", "ruby=1").out
    assert "ruby row: " in mountain("take", "anna", "ruby", 1).out
    assert "turn order: Bea Anna" in mountain("tavern", "bea").out
    assert "achievements row: " in mountain("reset").out
    for _ in range(40):
        now = mountain("aggression", "bea", "wagon", "--json").json["table"]
        if now["attack"]:
            break
    assert set(now["attack"]["dice"]) == {"Anna", "Bea"}
    assert "the dragon attacks; dice: " in mountain("show").out
    assert mountain("reset").status == 2
    result = mountain("fight", "--gems", "anna=7", "--gold", "anna=7", "--stone-beards", "bea")
    for fate, lost in (("Anna", "loses 4 "), ("Bea", "loses a quarter of their ")):
        line = next(x for x in result.out.splitlines() if x.startswith(f"{fate}: "))
        assert lost in line or line.endswith("safe")
    assert "the dragon is at 0 of 6" in result.out


def test_axes_and_dragons_are_shown_to_their_owner_alone(mountain):
    public = mountain("axes", "anna", 3)
    assert public.out == "Anna: axes: hidden; `show --as Anna` shows it\n"
    own = mountain("axes", "bea", "--as", "b")
    assert re.fullmatch(r"Bea: axes: [12]\n", own.out)
    scouted = mountain("scout", "anna", "--json").json
    assert [r["result"] for r in scouted["results"][:2]] == [None, None]
    assert scouted["results"][2]["result"] in "123456"
    assert scouted["table"]["axes"] == {"Anna": 4, "Bea": 1}
    assert scouted["table"]["dragon_tile"]["front"] is None
    anna = mountain("show", "--as", "anna", "--json").json["table"]
    assert len(anna["axes"]["Anna"]) == 4
    assert anna["axes"]["Bea"] == 1
    assert anna["dragon_tile"]["front"].startswith("I:")
    everything = mountain("show", "--as", "all", "--json").json["table"]
    assert len(everything["axes"]["Bea"]) == 1
    assert "of +1" in mountain("show", "--as", "all").out
    assert f"seen: {anna['dragon_tile']['front']}" in mountain("show", "--as", "anna").out
    assert "seen" not in mountain("show", "--as", "bea").out
    assert mountain("show", "--as", "zoe").status == 2


def test_the_temple_waits_for_a_decision(mountain):
    result = mountain("aggression", "anna", "hoard", "--temple", "anna", "--manual", stdin="6\n")
    assert "Anna is in the Temple: `reroll Anna`, or `keep`" in result.out
    assert "Anna rolled 6 for aggression" in mountain("show").out
    assert mountain("axes", "anna").status == 2
    assert "the dragon is at 0 of 6" in mountain("reroll", "anna", "--manual", stdin="1\n").out
    mountain("aggression", "anna", "scout", "--temple", "anna", "--manual", stdin="6\n")
    assert "the dragon is at 1 of 6" in mountain("keep").out


def test_the_black_die_of_rahdo(rocktower):
    rocktower(*TM, "start", "Anna", "Bea", "--rahdo", "--seed", 1)
    for n in range(6):
        typed = "6\n4\n" if n == 5 else "6\n"
        out = rocktower(*TM, "aggression", "a", "wagon", "--manual", stdin=typed).out
    assert "Anna: black die: 4" in out
    fight = rocktower(*TM, "fight", "--manual", stdin="i:4\n")
    assert "Anna: 4 = 4, safe" in fight.out
    assert "Bea: 4 = 4, safe" in fight.out
    assert "is awarded the tile: 8 victory points" in fight.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fight",), "no dragon attacks"),
        (("aggression", "anna", "pub"), "'pub' is not one of"),
        (("tribute", "anna", "mine"), "an equals sign"),
        (("tribute", "anna", "mine=x"), "a whole number is expected"),
        (("tribute", "anna", "mine=9"), "no card in slot 9"),
        (("take", "anna", "pearl", 1), "not 'pearl'"),
        (("axes", "anna", 4), "<= 3"),
        (("axes", "zoe"), "one of Anna, Bea is expected"),
        (("fight", "--axes", "anna=a"), "a whole number is expected"),
        (("undo",), "nothing to undo"),
        (("axes", "anna", "--as", "zoe"), "one of Anna, Bea, all is expected"),
    ],
)
def test_wrong_commands_of_treasure_mountain(mountain, arguments, message):
    before = Path("treasure-mountain.jsonl").read_bytes()
    result = mountain(*arguments)
    assert result.status == 2
    assert message in result.err
    assert Path("treasure-mountain.jsonl").read_bytes() == before


def test_any_name_is_shown_as_it_is(rocktower):
    for game in (TH, TM):
        assert "[/b]" in rocktower(*game, "start", "[/b]", "[red]", "--seed", 2**63 - 1).out
        assert "[red]" in rocktower(*game, "show").out
        assert rocktower(*game, "start", "A", "B", "--log", "x", "--seed", 2**63).status == 2


def test_rows_may_stay_on_the_real_table(rocktower):
    data = Path(tm.__file__).with_name("game.toml").read_text(encoding="utf-8")
    data = re.sub(r"(?s)cards = .*?\nprovenance", "cards = []\nprovenance", data, count=1)
    Path("mine.toml").write_text(data, encoding="utf-8")
    started = rocktower(*TM, "start", "A", "B", "--data", "mine.toml", "--json").json
    assert started["table"]["rows"]["ruby"]["cards"] == []
    assert rocktower(*TM, "reset").status == 0


def test_no_color_is_respected(rocktower, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    colored = rocktower(*TH, "start", "A", "B", "--seed", 1).out
    assert "\x1b[" in colored
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in rocktower(*TH, "show").out


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
def test_a_kill_at_any_moment_loses_no_event_that_was_shown(tmp_path):
    """Roll in an endless loop in another process, kill it, and look what is left."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from rocktower.cli._session import Options, Session\n"
        "from rocktower.cli.draw_trollhalla import KIND\n"
        "from rocktower.games.trollhalla import Roll, Start, default_board\n"
        "options = Options(Path('g.jsonl'), False, False)\n"
        "if not options.log.exists():\n"
        "    Session.start(KIND, options, 1, default_board(), Start(('A', 'B')))\n"
        "session = Session.resume(KIND, options.log)\n"
        "while True:\n"
        "    print(session.play(Roll(), manual=False)[0].text, flush=True)\n"
    )
    log = tmp_path / "g.jsonl"
    rolls = []
    for pause in (0.0, 0.013, 0.05):
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        shown = [process.stdout.readline()]
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        # Not communicate(): it passes over what readline() has taken in already.
        shown += process.stdout.read().splitlines(keepends=True)
        process.stdout.close()
        process.wait()
        rolls += [line.strip() for line in shown if line.endswith("\n")]
        whole = log.read_bytes().rpartition(b"\n")[0].splitlines()[2:]
        recorded = [json.loads(line)["results"][0] for line in whole]
        assert len(recorded) - len(rolls) in (0, 1)
        assert recorded[: len(rolls)] == rolls
        rolls = recorded
    # The same game without a break rolls the same.
    (tmp_path / "h").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path / "h", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    unbroken = [process.stdout.readline().strip() for _ in rolls]
    process.kill()
    process.communicate()
    assert unbroken == rolls
