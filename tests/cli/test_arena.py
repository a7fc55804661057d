"""`rocktower arena`: tournaments on the command line."""

BOTS = ("arena", "--players", "greedy,random", "--source", "bag", "--seed", 3)


def test_a_table_of_who_is_stronger(rocktower, tmp_path):
    result = rocktower(*BOTS, "--games", 4, "--jobs", 1, "--out", "a.csv", "--logs", "logs")
    assert "greedy" in result.out
    assert "rating" in result.out
    assert (tmp_path / "a.csv").read_text().count("\n") == 9
    assert rocktower("replay", "logs/game00003.jsonl").status == 0
    again = next(line for line in result.out.splitlines() if line.startswith("Game 0 again: "))
    command = again.removeprefix("Game 0 again: rocktower ").split()
    played = rocktower(*command, "--json").json
    log = rocktower("replay", "logs/game00000.jsonl", "--json").json
    assert played["players"] == log["players"]
    assert played["events"] == log["events"]


def test_json_and_resume(rocktower):
    answer = rocktower(*BOTS, "--games", 2, "--jobs", 1, "--json").json
    assert len(answer["results"]) == 2
    assert {standing["bot"] for standing in answer["standings"]} == {"greedy", "random"}
    assert rocktower(*BOTS, "--games", 2, "--resume").status == 2
    nowhere = rocktower(*BOTS, "--games", 2, "--out", "x/y.csv")
    assert nowhere.status == 2
    assert "no folder x" in nowhere.err


def test_a_tournament_that_was_begun_is_not_begun_again(rocktower, tmp_path):
    (tmp_path / "a.csv.parts").mkdir()
    result = rocktower(*BOTS, "--games", 2, "--out", "a.csv")
    assert result.status == 2
    assert "--resume" in result.err
    assert rocktower(*BOTS, "--games", 2, "--jobs", 1, "--out", "a.csv", "--resume").status == 0
    assert rocktower(*BOTS, "--games", 2, "--out", "a.csv").status == 2


def test_logs_of_another_tournament_are_kept(rocktower, tmp_path):
    rocktower(*BOTS, "--games", 2, "--jobs", 1, "--logs", "ov")
    before = (tmp_path / "ov" / "game00000.jsonl").read_bytes()
    other = ("arena", "--players", "random,greedy", "--source", "bag", "--seed", 2, "--logs", "ov")
    result = rocktower(*other, "--games", 2, "--jobs", 1)
    assert result.status == 2
    assert "ov: holds logs of games already" in result.err
    assert result.err.count("\n") == 1
    assert (tmp_path / "ov" / "game00000.jsonl").read_bytes() == before


def test_an_unknown_bot_is_one_line(rocktower):
    result = rocktower("arena", "--players", "greedy,nobody", "--games", 2)
    assert result.status == 2
    assert "nobody" in result.err
    assert result.err.count("\n") == 1
    person = rocktower("arena", "--players", "human,greedy", "--games", 2)
    assert person.status == 2
    assert "player 'human': one of random, greedy, search, or FILE.py:CLASS" in person.err


def test_only_games_that_are_kept_are_said_to_be(rocktower, tmp_path):
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    def decide(self, state, actions, rng):\n        raise ValueError('no')\n"
    )
    failing = ("arena", "--players", "bad.py:Bad,random", "--source", "bag", "--games", 2)
    lost = rocktower(*failing, "--jobs", 1)
    assert lost.status == 2
    assert "2 failed; 0 of 2 tasks were done" in lost.err
    assert "kept in" not in lost.err
    kept = rocktower(*failing, "--jobs", 1, "--out", "a.csv")
    assert "0 of 2 tasks are kept in a.csv.parts" in kept.err
