"""The HTTP API: what is answered, and what is refused."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from rocktower.errors import RocktowerError
from rocktower.tower import TowerModel, encode_model
from tests.server.conftest import Table, served

pytest.importorskip("fastapi", reason="the server needs: pip install 'rocktower[serve]'")

from rocktower.server import Settings, _work
from rocktower.server._access import Access
from rocktower.server._events import Aim
from rocktower.server._fairness import Secret
from rocktower.server._refusal import Refusal

PACKAGED = encode_model(TowerModel.load())
COLORS = ("red", "blue", "yellow", "white")


def refusal(answer, status, code):
    """Check that an answer refuses in the one form; return its line."""
    assert answer.status_code == status, answer.text
    error = answer.json()
    assert set(error) == {"error"}
    assert set(error["error"]) == {"code", "message"}
    assert error["error"]["code"] == code
    message = error["error"]["message"]
    assert message
    assert "\n" not in message
    return message


def test_an_evening_at_a_tower(client):
    table = Table(client, name="Anna's table", seed=5, reproducible=True)
    tower = table.created["tower"]
    assert tower["name"] == "Anna's table"
    assert (tower["n"], tower["status"], tower["turn"]) == (0, "open", 1)
    assert tower["inside"] == dict.fromkeys(COLORS, 11)
    assert (tower["seed"], tower["salt"]) == (None, None)

    fallen = dict.fromkeys(COLORS, 0)
    for n in (1, 2, 3):
        event = table.strike().json()
        assert (event["n"], event["type"]) == (n, "hit")
        assert event["strike"] == {"side": "left", "height": 0.55, "strength": "firm"}
        assert event["total"] == len(event["boulders"]) == len(event["ids"])
        for color in COLORS:
            assert event["counts"][color] == event["boulders"].count(color)
            fallen[color] += event["counts"][color]
            assert event["inside"][color] == 11 - fallen[color]
            assert event["outside"][color] == fallen[color]
    assert sum(fallen.values()) > 0

    tower = table.read()
    assert [hit["n"] for hit in tower["turn_hits"]] == [1, 2, 3]
    assert tower["turn_counts"] == fallen == tower["outside"]

    assert table.post("/turn").json()["type"] == "turn"
    tower = table.read()
    assert (tower["turn"], tower["turn_hits"]) == (2, [])
    assert sum(tower["turn_counts"].values()) == 0

    event = table.post("/boulders", fallen).json()
    assert (event["type"], event["counts"], event["n"]) == ("drop", fallen, 5)
    assert table.read()["inside"] == dict.fromkeys(COLORS, 11)

    closed = table.close()
    assert (closed["status"], closed["n"]) == ("closed", 6)
    assert closed["seed"] is not None
    assert closed["commitment"] == tower["commitment"]
    assert [event["type"] for event in table.events()] == [
        "hit", "hit", "hit", "turn", "drop", "close",
    ]  # fmt: skip
    assert [e["n"] for e in table.get("/events?after=4").json()["events"]] == [5, 6]
    for path, body in (("/boulders", {"red": 1}), ("/turn", None), ("/close", None)):
        refusal(table.post(path, body), 409, "closed")
    refusal(table.strike(), 409, "closed")


def test_a_spectator_cannot_act_and_a_stranger_cannot_look(client):
    table, other = Table(client), Table(client)
    aim = {"side": "left", "height": 0.5, "strength": 0.5}
    for path, body in (
        ("/strikes", aim), ("/boulders", {"red": 1}), ("/turn", None), ("/close", None),
    ):  # fmt: skip
        refusal(table.post(path, body, table.spectator), 403, "forbidden")
        refusal(table.post(path, body, other.player), 401, "unauthorized")
    for path in ("", "/events", "/log", "/picture"):
        assert table.get(path).status_code == 200
        refusal(table.get(path, other.player), 401, "unauthorized")
        refusal(table.get(path, {"Authorization": "Bearer nonsense"}), 401, "unauthorized")
        answer = client.get(table.path + path)
        assert "Bearer" in refusal(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
        nowhere = client.get(f"/api/v1/towers/nowhere{path}", headers=table.player)
        refusal(nowhere, 404, "not_found")
    assert table.read()["n"] == 0


def test_tokens_are_not_stored(tmp_path):
    with served(tmp_path) as client:
        table = Table(client)
        table.strike()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert table.created["tower"]["id"].encode() in stored
    for token in ("player_token", "spectator_token"):
        assert table.created[token].encode() not in stored
        assert table.created[token].split("_", 1)[1].encode() not in stored


def test_of_strikes_at_once_one_wins(client):
    table = Table(client)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: table.strike(expected_n=0), range(8)))
    won = [answer for answer in answers if answer.status_code == 200]
    assert len(won) == 1
    for answer in answers:
        if answer is not won[0]:
            refusal(answer, 409, "conflict")
    assert table.events() == [won[0].json()]


@pytest.mark.parametrize("path", ["/turn", "/close", "/boulders"])
def test_whoever_has_missed_something_may_want_to_do_nothing(client, path):
    table = Table(client, boulders={"red": 1})
    what = {"blue": 1} if path == "/boulders" else {}
    table.post("/turn")
    assert "1 events, not 0" in refusal(table.post(path, what | {"expected_n": 0}), 409, "conflict")
    assert "x" in refusal(table.post(path, what | {"x": 1}), 422, "invalid")
    assert "expected_n" in refusal(table.post(path, what | {"expected_n": "1"}), 422, "invalid")
    refusal(table.post(path, [1]), 422, "invalid")
    assert table.read()["n"] == 1
    done = table.post(path, what | {"expected_n": 1}, {"Idempotency-Key": "once"})
    assert (done.status_code, done.json()["n"]) == (200, 2)
    again = table.post(path, what | {"expected_n": 2}, {"Idempotency-Key": "once"})
    assert again.json()["n"] == 2  # the key decides, as with a strike


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(("body", "more"), [(b"", {}), (b"", JSON), (b"{}", JSON), (b"null", JSON)])
@pytest.mark.parametrize("path", ["/turn", "/close"])
def test_a_body_may_be_empty(client, path, body, more):
    table = Table(client, boulders={"red": 1})
    answer = client.post(table.path + path, content=body, headers={**table.player, **more})
    assert answer.json()["n"] == 1


def test_while_a_strike_is_under_way_the_tower_is_busy(client, slow_model):
    table = Table(client, model=slow_model, boulders={"red": 11})
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(table.strike)
        while table.read()["status"] != "busy" and not first.done():
            pass
        assert not first.done()
        line = refusal(table.strike("right"), 409, "conflict")
        assert "under way" in line
        refusal(table.post("/turn"), 409, "conflict")
        assert first.result().status_code == 200
    assert len(table.events()) == 1
    assert table.read()["status"] == "open"


def test_a_strike_that_is_repeated_with_its_key_happens_once(client):
    table = Table(client)
    first = table.strike(key="a1").json()
    table.strike(key="a2")
    assert table.strike(key="a1").json() == first
    # What the player knew then may have changed meanwhile: the key decides.
    assert table.strike(key="a1", expected_n=0).json() == first
    assert len(table.events()) == 2
    line = refusal(table.strike("right", key="a1"), 422, "key_reused")
    assert "Idempotency-Key" in line
    refusal(table.post("/turn", headers={"Idempotency-Key": "a1"}), 422, "key_reused")
    table.close()
    assert table.strike(key="a1").json() == first
    assert Table(client).strike(key="a1").json()["n"] == 1  # another tower's keys are its own


def test_a_key_repeated_while_its_strike_is_under_way_waits_for_it(client, slow_model):
    table = Table(client, model=slow_model, boulders={"red": 11})
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: table.strike(key="once"), range(4)))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.text for answer in answers}) == 1
    assert len(table.events()) == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "side"),
        ({"side": "front", "height": 0.5, "strength": 0.5}, "side"),
        ({"side": "left", "height": 1.5, "strength": 0.5}, "height"),
        ({"side": "left", "height": "0.5", "strength": 0.5}, "height"),
        ({"side": "left", "height": True, "strength": 0.5}, "height"),
        (
            {"side": "left", "height": 0.5, "strength": "mighty"},
            "strength: give gentle, normal, firm, or a number from 0 to 1",
        ),
        ({"side": "left", "height": 0.5, "strength": -1}, "strength: give gentle, normal"),
        ({"side": "left", "height": 0.5, "strength": 2}, "or a number from 0 to 1"),
        ({"side": "left", "height": 0.5, "strength": True}, "strength: give gentle"),
        ({"side": "left", "height": 0.5, "strength": 0.5, "speed": 3}, "speed"),
        ({"side": "left", "height": 0.5, "strength": 0.5, "expected_n": -1}, "expected_n"),
        ([], "dictionary"),
    ],
)
def test_a_malformed_strike_is_refused_with_its_reason(client, body, said):
    table = Table(client, boulders={"red": 1})
    assert said in refusal(table.post("/strikes", body), 422, "invalid")
    assert table.read()["n"] == 0


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (b"nonsense", 422),
        (b"\xff\xfe", 422),
        (b'{"side": NaN}', 422),
        (b"[" * 20_000, 400),
    ],
)
def test_what_is_not_json_is_refused(client, text, status):
    table = Table(client, boulders={"red": 1})
    answer = client.post(
        f"{table.path}/strikes",
        content=text,
        headers={**table.player, "Content-Type": "application/json"},
    )
    refusal(answer, status, "invalid")


def test_not_a_number_is_no_height(client):
    table = Table(client, boulders={"red": 1})
    answer = client.post(
        f"{table.path}/strikes",
        content='{"side": "left", "height": NaN, "strength": 0.5}',
        headers={**table.player, "Content-Type": "application/json"},
    )
    assert "height" in refusal(answer, 422, "invalid")


@pytest.mark.parametrize("key", ["", "x" * 101, "a b", "ä"])
def test_a_malformed_key_is_refused(client, key):
    table = Table(client, boulders={"red": 1})
    aim = {"side": "left", "height": 0.5, "strength": 0.5}
    headers = {"Idempotency-Key": key.encode()}
    refusal(
        client.post(f"{table.path}/strikes", json=aim, headers={**table.player, **headers}),
        422, "invalid",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"name": "x" * 61}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"name": "\x00"}, "name"),
        ({"name": ""}, "name: give a name that can be seen, or none"),
        ({"name": " \u200b\u3000"}, "name: give a name that can be seen"),
        ({"name": "two\u2028lines"}, "name: give one line"),
        ({"name": "\u202eannA"}, "name: give one line"),
        ({"name": "\u2067annA"}, "name: give one line"),
        ({"boulders": {"red": 12}}, "12 red boulders"),
        ({"boulders": {"green": 1}}, "green"),
        ({"boulders": {"red": -1}}, "red"),
        ({"model": "name = 'x'"}, "boulders"),
        ({"model": "[" * 5000}, "model"),
        ({"model": "\x00"}, "model"),
        (
            {"model": re.sub(r"(contact_time = \{ value =) [^,]+", r"\1 1e-308", PACKAGED)},
            "contact_time",
        ),
        ({"model": PACKAGED.replace('name = "default"', r'name = "\u0000"')}, "name"),
        ({"model": PACKAGED.replace('name = "default"', f'name = "{"x" * 61}"')}, "name"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**53}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"reproducible": True}, "reproducible needs a seed"),
        ({"size": 3}, "size"),
    ],
)
def test_a_tower_that_cannot_be_is_refused(client, what, said):
    assert said in refusal(client.post("/api/v1/towers", json=what), 422, "invalid")


@pytest.mark.parametrize("name", ["Übungsturm", "👩‍👩‍👧 bei Anna", "מגדל", "x" * 60])
def test_a_name_may_be_in_any_script(client, name):
    assert Table(client, name=name, boulders={"red": 1}).created["tower"]["name"] == name


def test_a_lone_surrogate_is_refused(client):
    for key in ("name", "model"):
        answer = client.post(
            "/api/v1/towers",
            content=f'{{"{key}": "\\ud800"}}',
            headers={"Content-Type": "application/json"},
        )
        assert key in refusal(answer, 422, "invalid")


def test_only_what_is_outside_is_dropped_in(client):
    table = Table(client, boulders={"red": 3, "blue": 11, "yellow": 11, "white": 11})
    assert table.read()["outside"] == {"red": 8, "blue": 0, "yellow": 0, "white": 0}
    assert "8" in refusal(table.post("/boulders", {"red": 9}), 422, "invalid")
    assert "at least one" in refusal(table.post("/boulders", {}), 422, "invalid")
    refusal(table.post("/boulders", {"red": -1}), 422, "invalid")
    assert table.read()["n"] == 0
    assert table.post("/boulders", {"red": 2}).json()["inside"]["red"] == 5


def test_the_picture_shows_what_is_inside(client):
    table = Table(client, boulders={"red": 3, "blue": 2})
    table.post("/turn")
    seen = table.get("/picture").json()
    assert seen["n"] == 1
    inside = [b["color"] for b, pose in zip(seen["boulders"], seen["poses"], strict=True) if pose]
    assert sorted(inside) == ["blue", "blue", "red", "red", "red"]
    for x, y, _ in filter(None, seen["poses"]):
        assert abs(x) < 5 * seen["inner_width_mm"]  # tenths of a millimetre, and half the width
        assert 0 < y < 10 * seen["height_mm"]
    for outline in seen["walls"]:
        for x, y in outline:
            assert abs(x) <= 0.5 * seen["width_mm"]
            assert -1.0 <= y <= seen["height_mm"]


def test_a_tower_of_ones_own(client, slow_model):
    mine = slow_model.replace('name = "default"', 'name = "mine"')
    table = Table(client, model=mine, boulders={"red": 1})
    tower = table.created["tower"]
    assert tower["model_name"] == "mine"
    assert tower["model_hash"] != Table(client).created["tower"]["model_hash"]


@pytest.mark.parametrize("error", [ValueError("math domain error"), OverflowError("too large")])
def test_a_model_whose_numbers_get_out_of_hand_is_at_fault_itself(monkeypatch, error):
    def fail(*_arguments, **_more):
        raise error

    monkeypatch.setattr(_work, "hit", fail)
    poses = [None] * len(TowerModel.load().all_boulders)
    strike = Secret(1, "00" * 32), 1, poses, Aim("left", 0.5, "firm")
    mine = re.sub(r"(contact_time = \{ value =) [^,]+", r"\1 0.001", PACKAGED)
    mine = mine.replace('name = "default"', 'name = "mine"')
    with pytest.raises(RocktowerError, match=f"mine cannot be simulated: {error}"):
        _work.make_hit(mine, *strike, is_watched=False)
    with pytest.raises(type(error)) as own:  # which is a mistake of the server's
        _work.make_hit(PACKAGED, *strike, is_watched=False)
    assert own.value is error


def test_towers_expire(tmp_path):
    with served(tmp_path, expire=-1.0) as client:
        answer = client.post("/api/v1/towers", json={})
        path = f"/api/v1/towers/{answer.json()['tower']['id']}"
        token = {"Authorization": f"Bearer {answer.json()['player_token']}"}
        refusal(client.get(path, headers=token), 404, "not_found")
        refusal(client.post(f"{path}/turn", headers=token), 404, "not_found")


def test_a_server_keeps_so_many_towers(tmp_path):
    with served(tmp_path, max_towers=2) as client:
        Table(client)
        Table(client)
        answer = client.post("/api/v1/towers", json={})
        assert "2 towers" in refusal(answer, 503, "full")
        assert int(answer.headers["retry-after"]) > 0


def test_a_tower_sees_so_many_events(tmp_path):
    with served(tmp_path, max_events=2) as client:
        table = Table(client)
        table.post("/turn")
        table.post("/turn")
        refusal(table.post("/turn"), 409, "worn_out")
        assert table.close()["seed"] is not None


def test_too_many_requests_are_refused(tmp_path):
    with served(tmp_path, rate=0.001, burst=3, creations=0.001, creations_burst=2) as client:
        table, other = Table(client), Table(client)
        refusal(client.post("/api/v1/towers", json={}), 429, "too_many_requests")
        for _ in range(3):
            table.read()
        answer = table.get()
        refusal(answer, 429, "too_many_requests")
        assert int(answer.headers["retry-after"]) > 1
        assert table.strike().status_code == 200  # the player's requests are counted apart
        assert other.get().status_code == 200


def test_addresses_are_counted_as_those_who_have_them(tmp_path):
    access = Access(None, Settings(creations=0.001, creations_burst=1))
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1", "testclient"):
        access.may_create(address)
    for address in ("192.0.2.1", "2001:db8::2", "2001:db8::ffff:0:0:1", "testclient"):
        with pytest.raises(Refusal, match="from this address"):
            access.may_create(address)


def test_a_large_request_is_refused_before_it_is_read(client):
    answer = client.post("/api/v1/towers", content=b" " * 70_000)
    assert "65536 bytes" in refusal(answer, 413, "too_large")


def test_a_simulation_that_takes_too_long_is_broken_off(tmp_path, slow_model):
    with served(tmp_path, simulation_time=0.05) as client:
        refusal(client.post("/api/v1/towers", json={"model": slow_model}), 422, "too_slow")
        # The worker was replaced: the next one is no faster, but answers.
        answer = client.post("/api/v1/towers", json={"boulders": {"red": 1}})
        assert answer.status_code in (201, 422)


def test_other_addresses_and_methods_are_refused_in_the_same_form(client):
    assert "/api/v1/nothing" in refusal(client.get("/api/v1/nothing"), 404, "not_found")
    refusal(client.delete("/api/v1/towers"), 405, "method_not_allowed")
    refusal(client.get("/%00"), 404, "not_found")
    refusal(client.get("/../../etc/passwd"), 404, "not_found")


def test_the_server_says_that_it_is_up(client):
    assert client.get("/healthz").json()["status"] == "ok"


def test_a_browser_may_load_nothing_from_elsewhere(client):
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert client.get("/openapi.json").status_code == 200
    assert json.loads(client.get("/api/v1/frames/schema").text)["$schema"]
