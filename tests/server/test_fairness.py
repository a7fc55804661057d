"""Committed before the first strike, secret while the tower is open, verified afterwards."""

import json
import subprocess
import sys

import numpy as np
import pytest

from rocktower.cli import main
from rocktower.errors import RocktowerError
from rocktower.randomness import Purpose
from rocktower.server import read_served_log
from rocktower.server._events import Aim, fill, hit
from rocktower.server._fairness import Secret, commitment
from rocktower.tower import TowerModel, TowerState

pytest.importorskip("fastapi", reason="the server needs: pip install 'rocktower[serve]'")

from tests.server.conftest import Table

ALL = dict.fromkeys(("red", "blue", "yellow", "white"), 11)


def play(client, **what):
    """Play a short evening: strikes by name and by number, a turn, boulders back in."""
    table = Table(client, **what)
    table.strike("left", 0.5, "firm")
    table.strike("right", 0.9, 1.0)
    table.strike("right", 0, 0)
    outside = table.read()["outside"]
    table.post("/turn")
    if sum(outside.values()):
        table.post("/boulders", outside)
    table.strike("left", 0.6, "normal")
    return table


@pytest.fixture(scope="module")
def evening(client):
    """The log of a closed tower."""
    table = play(client, name="Evening")
    table.close()
    return table.log()


def verify(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["rocktower", "verify", *map(str, arguments)])
    status = 0
    try:
        main()
    except SystemExit as stop:
        status = stop.code or 0
    return status, capsys.readouterr()


def changed(log, change):
    """Return a log after `change` was made to its parsed lines."""
    lines = [json.loads(line) for line in log.splitlines()]
    change(lines)
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_every_stream_of_a_secret_is_its_own():
    secret = Secret(7, "00" * 32)
    draws = {
        tuple(Secret(seed, salt).rng(purpose, n).integers(0, 2**62, 2))
        for seed in (7, 8)
        for salt in ("00" * 32, "01" * 32)
        for purpose in (Purpose.FILL, Purpose.STRIKER, Purpose.DROP_IN)
        for n in range(50)
    }
    assert len(draws) == 2 * 2 * 3 * 50
    again = secret.rng(Purpose.STRIKER, 3).integers(0, 2**62, 2)
    assert (again == secret.rng(Purpose.STRIKER, 3).integers(0, 2**62, 2)).all()


def test_a_reproducible_secret_depends_on_its_seed_alone():
    one, other = (Secret(7, salt * 32, is_reproducible=True) for salt in ("00", "01"))
    assert one.rng(Purpose.FILL, 0).random() == other.rng(Purpose.FILL, 0).random()
    assert commitment(one, "id", "", ALL) != commitment(other, "id", "", ALL)


def test_a_commitment_binds_everything():
    secret = Secret(7, "00" * 32)
    texts = {
        commitment(secret, "id", "model", ALL),
        commitment(secret, "other", "model", ALL),
        commitment(secret, "id", "another", ALL),
        commitment(secret, "id", "model", ALL | {"red": 10}),
        commitment(Secret(8, "00" * 32), "id", "model", ALL),
        commitment(Secret(7, "01" * 32), "id", "model", ALL),
        commitment(Secret(7, "00" * 32, is_reproducible=True), "id", "model", ALL),
    }
    assert len(texts) == 7


def test_secrets_are_drawn_anew():
    drawn = [Secret.draw(7) for _ in range(3)]
    assert {secret.seed for secret in drawn} == {7}
    assert len({secret.salt for secret in drawn}) == 3
    assert {len(bytes.fromhex(secret.salt)) for secret in drawn} == {32}
    assert len({Secret.draw().seed for _ in range(3)}) == 3
    with pytest.raises(RocktowerError, match="seed -1"):
        Secret.draw(-1)


def test_the_hand_spreads_around_the_aim():
    """20 % and a tenth of the tower's height, from streams of their own: 400 strikes, seeded."""
    height = TowerModel.load().geometry.height
    aim = Aim("left", 0.5, "firm")
    secret = Secret(1, "ab" * 32)
    blows = [aim.hand.draw(secret.rng(Purpose.STRIKER, n), height, aim.side) for n in range(1, 401)]
    speeds, heights = np.array([(b.speed, b.height / height) for b in blows]).T
    # False alarms: 5 standard errors, which is less than one in 1e6 for each of the four.
    assert abs(np.median(speeds) - 3.0) < 5 * 1.2533 * 0.6 / 20
    assert abs(np.std(np.log(speeds)) - 0.198) < 5 * 0.198 / np.sqrt(800)
    assert abs(heights.mean() - 0.5) < 5 * 0.1 / 20
    assert abs(heights.std() - 0.1) < 5 * 0.1 / np.sqrt(800)
    assert len(set(speeds)) == 400


def everything_readable(table):
    """All that a player and a spectator can get out of a server, as one text."""
    client, texts = table.client, []

    def keep(answer):
        texts.append(answer.text)
        texts.append(str(answer.headers))

    headers = {"Idempotency-Key": "k"}
    aim = {"side": "left", "height": 0.5, "strength": "firm"}
    with client.websocket_connect(f"{table.path}/stream") as socket:
        socket.send_json({"token": table.created["spectator_token"]})
        texts.append(socket.receive_text())
        keep(table.post("/strikes", aim, headers))
        texts += [socket.receive_text(), socket.receive_text()]
        keep(table.post("/strikes", aim, headers))  # the answer to a repeated request
        keep(table.post("/strikes", aim | {"side": "right"}, headers))
        keep(table.post("/strikes", aim | {"expected_n": 0}))
        keep(table.post("/strikes", {}))
        while not any(table.read()["outside"].values()):  # the hit was empty
            keep(table.post("/strikes", aim))
            texts += [socket.receive_text(), socket.receive_text()]
        keep(table.post("/boulders", {"red": 100}))
        keep(table.post("/boulders", table.read()["outside"]))
        texts.append(socket.receive_text())
        keep(table.post("/turn"))
        texts.append(socket.receive_text())
    texts.append(json.dumps(table.created))
    for path in ("", "/events", "/events?after=1", "/log", "/picture"):
        for who in (table.player, table.spectator):
            keep(table.get(path, who))
    for path in ("/healthz", "/openapi.json", "/api/v1/frames/schema"):
        keep(client.get(path))
    return "\n".join(texts)


@pytest.mark.parametrize("seed", [None, 123456789])
def test_nothing_readable_tells_the_secret(client, seed):
    table = Table(client, **({} if seed is None else {"seed": seed}))
    readable = everything_readable(table)
    closed = table.close()
    events = [json.loads(line) for line in table.log().splitlines()[1:]]
    if seed is None:  # a creator's own seed is echoed to nobody, either
        assert closed["seed"] != seed
    assert not any(
        text in readable for text in (str(closed["seed"]), f"{closed['seed']:x}", closed["salt"])
    )
    # Nor the exact positions, nor what a hand really did.
    exact = [repr(value) for pose in events[-1]["poses"] if pose for value in pose]
    blows = [event["blow"] for event in events if event["type"] == "hit"]
    assert blows
    exact += [repr(value) for blow in blows for value in blow.values()]
    assert len(exact) > 100
    assert not any(value in readable for value in exact)
    # In the log of a closed tower all of that stands; so the search would have found it.
    log = table.log()
    assert closed["salt"] in log
    assert all(value in log for value in exact)


def test_while_a_tower_is_open_its_log_lacks_the_secret_and_cannot_be_verified(client):
    table = play(client)
    header, *events = (json.loads(line) for line in table.log().splitlines())
    assert header["commitment"] == table.created["tower"]["commitment"]
    assert not {"seed", "salt"} & set(header)
    assert len(events) == table.read()["n"] + 1
    for event in events:
        assert not {"seed", "salt", "poses", "blow", "jumped", "outcome"} & set(event)
    with pytest.raises(RocktowerError, match="the seed is not revealed"):
        read_served_log(table.log())


def test_the_same_seed_and_strikes_give_other_hits_unless_asked_for(client):
    """A creator's seed alone tells nothing: the server's salt is mixed in."""
    tables = [play(client, seed=5) for _ in range(3)]
    assert all(table.created["tower"]["seed_known_to_creator"] for table in tables)
    assert not any(table.created["tower"]["reproducible"] for table in tables)
    assert len({json.dumps(table.get("/picture").json()["poses"]) for table in tables}) == 3
    assert len({table.created["tower"]["commitment"] for table in tables}) == 3
    for table in tables:
        assert table.close()["seed"] == 5


def test_a_reproducible_tower_can_be_computed_by_its_creator_and_says_so(client):
    one, other = (play(client, seed=5, reproducible=True) for _ in range(2))
    assert one.created["tower"]["reproducible"]
    assert [e["ids"] for e in one.events()] == [e["ids"] for e in other.events()]
    assert one.get("/picture").json()["poses"] == other.get("/picture").json()["poses"]
    secret, model = Secret.draw(5, is_reproducible=True), TowerModel.load()
    state = fill(model, secret, ALL).state
    computed = hit(model, secret, 1, state, Aim("left", 0.5, "firm"))
    assert [b.id for b in computed.boulders] == one.events()[0]["ids"]


def test_what_is_shown_does_not_give_the_next_hit(client):
    """Somebody simulates the next hit from all that can be seen, with the aim as the blow.

    The aim is a hand's median, and a pile rounded to 0.1 mm is another pile. Twelve of twelve firm
    hits right by luck would be less than one in 1e6 even if each were right half of the time twice.
    """
    model, right = TowerModel.load(), 0
    for _ in range(12):
        table = Table(client)
        poses = np.array(
            [[x / 1e4, y / 1e4, a / 1e3] for x, y, a in table.get("/picture").json()["poses"]]
        )
        seen = TowerState([b for b, _ in model.all_boulders], poses)
        guess = Secret(0, "00" * 32)  # whoever guesses has no better one
        guessed = hit(model, guess, 1, seen, Aim("left", 0.5, "firm"))
        right += [b.id for b in guessed.boulders] == table.strike("left", 0.5, "firm").json()["ids"]
    assert right < 12


def test_all_agrees(evening, tmp_path, monkeypatch, capsys):
    file = tmp_path / "evening.jsonl"
    file.write_text(evening, encoding="utf-8")
    count = len(evening.splitlines()) - 1
    status, said = verify(monkeypatch, capsys, file)
    assert status == 0, said
    assert f"{count} of {count} events agree" in said.out
    shown = json.loads(evening.splitlines()[0])["commitment"]
    assert shown in said.out
    model = TowerModel.load()
    assert f"model is {model.name}, hash {model.hash}\n" in said.out
    status, said = verify(monkeypatch, capsys, file, "--json", "--commitment", shown[:8].upper())
    result = json.loads(said.out)
    assert (status, result["agreeing"]) == (0, count)
    assert result["committed"] is result["as_shown"] is True
    assert [event["n"] for event in result["events"]] == list(range(count))
    assert all(event["agrees"] for event in result["events"])
    assert (result["model_name"], result["model_hash"]) == (model.name, model.hash)
    for copied in (f" {shown}\n", f"0x{shown[:8]}", f"0X{shown[:4].upper()} {shown[4:9]}"):
        status, said = verify(monkeypatch, capsys, file, "--commitment", copied)
        assert status == 0, said


def test_another_process_verifies_without_the_extra(evening, tmp_path):
    file = tmp_path / "evening.jsonl"
    file.write_text(evening, encoding="utf-8")
    code = (
        "import sys\n"
        "for name in ('fastapi', 'uvicorn', 'sqlalchemy', 'websockets', 'pydantic'):\n"
        "    sys.modules[name] = None\n"
        "from rocktower.cli import main\n"
        "main()\n"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run([*run, "verify", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*run, "serve"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "rocktower: fastapi is not installed: pip install 'rocktower[serve]'\n"


def first(lines, kind):
    return next(event for event in lines[1:] if event["type"] == kind)


def swap_two_hits(lines):
    hits = [event for event in lines[1:] if event["type"] == "hit"]
    one, other = hits[0], hits[1]
    for key in ("boulders", "ids", "counts", "total"):
        one[key], other[key] = other[key], one[key]


def move_a_boulder(lines):
    pose = next(pose for pose in first(lines, "turn")["poses"] if pose)
    pose[0] += 1e-12


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (swap_two_hits, {1, 2}),
        (lambda lines: first(lines, "hit")["strike"].update(side="right"), {1}),
        (lambda lines: first(lines, "hit")["blow"].update(speed_m_s=3.0), {1}),
        (lambda lines: first(lines, "hit")["inside"].update(red=0), {1}),
        (lambda lines: first(lines, "fill").update(total=1), {0}),
        (move_a_boulder, {4, 5}),  # the event after it starts from there
    ],
)
def test_a_hit_that_was_changed_is_found(evening, change, at):
    log = read_served_log(changed(evening, change))
    assert log.is_committed
    assert {event.n for event in log.verify() if not event.agrees} == at


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[-1].update(seed=lines[-1]["seed"] + 1),
        lambda lines: lines[-1].update(salt="00" * 32),
        lambda lines: lines[0].update(tower="another"),
        lambda lines: lines[0].update(reproducible=True),
        lambda lines: lines[0]["boulders"].update(red=10),
        lambda lines: lines[0].update(model=lines[0]["model"] + "\n# other"),
    ],
)
def test_another_secret_than_the_one_committed_to_is_found(
    evening, change, tmp_path, monkeypatch, capsys
):
    file = tmp_path / "evening.jsonl"
    file.write_text(changed(evening, change), encoding="utf-8")
    assert not read_served_log(file.read_text("utf-8")).is_committed
    status, said = verify(monkeypatch, capsys, file)
    assert status == 1
    assert "NOT what was committed to" in said.out


def test_a_commitment_that_is_not_the_one_shown_is_found(evening, tmp_path, monkeypatch, capsys):
    file = tmp_path / "evening.jsonl"
    file.write_text(evening, encoding="utf-8")
    status, said = verify(monkeypatch, capsys, file, "--commitment", "0" * 64)
    assert status == 1
    assert "NOT the one that you were shown" in said.out
    for malformed in ("0", "", "z" * 8, "0x0", "0" * 65):
        status, said = verify(monkeypatch, capsys, file, "--commitment", malformed)
        assert status == 2
        assert "8 to 64 hexadecimal digits" in said.err


def close_in_the_middle(lines):
    assert lines[5]["type"] == "turn"
    lines[5] |= {"type": "close"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines.clear(), "line 1"),
        (lambda lines: lines[0].update(format="rocktower-hammering/1"), "line 1"),
        (lambda lines: lines.pop(), "the seed is not revealed"),
        (lambda lines: lines.pop(2), "line 3"),
        (lambda lines: lines[0].pop("model"), "'model' is missing"),
        (lambda lines: lines[0].update(model="x = 1"), "line 1"),
        (lambda lines: lines[0].update(model_hash="0" * 16), "model_hash"),
        (lambda lines: lines[0].update(model_name="another"), "model_name"),
        (close_in_the_middle, "line 6: malformed: nothing happens after a close"),
        (lambda lines: lines[0].update(boulders=[]), "line 1"),
        (lambda lines: lines[0].update(software=3), "line 1"),
        (lambda lines: lines[-1].update(seed="7"), "'7'"),
        (lambda lines: lines[-1].update(salt=None), "None"),
        (lambda lines: lines[2].pop("poses"), "line 3"),
        (lambda lines: lines[2].update(poses=[]), "line 3"),
        (lambda lines: lines[2].update(poses=[["x"]]), "line 3"),
        (lambda lines: lines[2].update(boulders=["green"]), "line 3"),
        (lambda lines: lines[2].update(boulders=3), "line 3"),
        (lambda lines: lines[2].update(type="flood"), "line 3"),
        (lambda lines: lines[2].update(strike=None), "line 3"),
        (lambda lines: lines[2]["strike"].update(height=2), "line 3"),
        (lambda lines: lines[2]["strike"].update(strength=[]), "line 3"),
    ],
)
def test_a_bad_file_is_named(evening, change, said, tmp_path, monkeypatch, capsys):
    file = tmp_path / "bad.jsonl"
    file.write_text(changed(evening, change), encoding="utf-8")
    status, output = verify(monkeypatch, capsys, file)
    assert status == 2
    assert said in output.err
    assert str(file) in output.err
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "x", "[]", '{"format": 3}', "[" * 100_000])
def test_a_file_of_something_else_is_named(text):
    with pytest.raises(RocktowerError, match="line 1"):
        read_served_log(text)
