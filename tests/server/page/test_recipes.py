"""The recipes of docs/recipes, against a real server: hits, lost answers, conflicts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from rocktower.tower import Striker
from tests.server.page.conftest import Game, Server

ROOT = Path(__file__).parents[3]
RECIPES = ROOT / "docs" / "recipes"
HERE = Path(__file__).parent


class Forgetful:
    """Passes requests on to a server, and loses the first answers to strikes."""

    def __init__(self, server: Server, lost: int) -> None:
        forgetful = self
        self.lost = lost
        self.keys: list[str | None] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._pass_on(None)

            def do_POST(self) -> None:
                self._pass_on(self.rfile.read(int(self.headers["Content-Length"])))

            def _pass_on(self, body: bytes | None) -> None:
                kept = ("Authorization", "Content-Type", "Idempotency-Key")
                headers = {name: self.headers[name] for name in kept if self.headers[name]}
                try:
                    with urlopen(Request(server.url + self.path, body, headers)) as answer:  # noqa: S310
                        status, content = answer.status, answer.read()
                except HTTPError as error:
                    with error:
                        status, content = error.code, error.read()
                if self.path.endswith("/strikes"):
                    forgetful.keys.append(self.headers["Idempotency-Key"])
                    if len(forgetful.keys) <= forgetful.lost:
                        self.close_connection = True
                        return  # what was done is done; its answer gets lost
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def forgetful(server: Server) -> Iterator[Callable[[int], Forgetful]]:
    made: list[Forgetful] = []

    def make(lost: int) -> Forgetful:
        made.append(Forgetful(server, lost))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def run(command: list[str], game: Game, url: str, text: str = "", **more: str) -> Any:
    """Run a program that is told of a tower; return the JSON that it prints last."""
    names = {"TOWER_URL": url, "TOWER_ID": game.id, "TOWER_TOKEN": game.player}
    done = subprocess.run(
        command, env={**os.environ, **names, **more}, input=text, capture_output=True, text=True,
        check=False, timeout=60, cwd=RECIPES,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is missing")
    return found


STRIKE_JS = """
import { look, strike } from "./tower.mjs";
const { TOWER_URL: url, TOWER_ID: id, TOWER_TOKEN: token } = process.env;
const tower = { url, id, token };
const aim = { side: "left", height: 0.55, strength: "normal" };
const { n } = await look(tower);
const hit = await strike(tower, aim, { key: "blow-1", expectedN: n });
const late = await strike(tower, aim, { key: "blow-2", expectedN: n }).catch((error) => error);
console.log(JSON.stringify({ hit, late: late.code, status: late.status }));
"""


def test_javascript_strikes_once_and_hears_of_a_conflict(
    game: Game, forgetful: Callable[[int], Forgetful]
) -> None:
    between = forgetful(2)
    command = [node(), "--input-type=module", "--eval", STRIKE_JS]
    told = json.loads(run(command, game, between.url))
    assert between.keys == ["blow-1"] * 3 + ["blow-2"]
    assert [told["hit"]] == game.events
    assert (told["late"], told["status"]) == ("conflict", 409)


def test_the_tower_takes_a_seat_in_boardgame_io(
    game: Game, forgetful: Callable[[int], Forgetful]
) -> None:
    """Two players and the tower; an answer gets lost, and somebody else strikes in between."""
    modules = os.environ.get("ROCKTOWER_NODE_MODULES", "")
    if not (Path(modules) / "boardgame.io").is_dir() or not modules:
        pytest.skip("boardgame.io is missing: ROCKTOWER_NODE_MODULES names no folder that holds it")
    between = forgetful(1)
    command = [node(), str(HERE / "boardgame_match.mjs")]
    told = json.loads(run(command, game, between.url, ROCKTOWER_NODE_MODULES=modules))
    hits = game.events
    assert len(hits) == told["again"] == 4, "a seat that is started anew strikes no second time"
    assert [hit["boulders"] for hit in told["hits"]] == [hits[k]["boulders"] for k in (0, 2, 3)]
    assert [hit["by"] for hit in told["hits"]] == ["0", "1", "0"]
    assert told["notice"].startswith("the tower has seen 2 events, not 1")
    assert told["forged"] == 0, "a player cannot answer for the tower"


def test_lua_strikes_once_and_hears_of_a_conflict(
    game: Game, forgetful: Callable[[int], Forgetful]
) -> None:
    lua = shutil.which("lua5.4") or shutil.which("lua")
    if lua is None or shutil.which("curl") is None:
        pytest.skip("lua5.4 or curl is missing")
    command = [lua, "-e", "require 'dkjson'"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("dkjson is missing (Debian: lua-dkjson)")
    between = forgetful(2)
    told = run([lua, str(HERE / "tabletop.lua"), str(RECIPES)], game, between.url).splitlines()
    first, other, last = game.events
    fell = ", ".join(first["boulders"]) or "an empty hit"
    assert told[0] == f"Ann strikes: {fell}"
    assert told[1].endswith("Look, and strike again if you still want to.")
    assert told[2] == f"Meanwhile: {', '.join(other['boulders']) or 'an empty hit'}"
    assert told[3] == f"Ann strikes: {', '.join(last['boulders']) or 'an empty hit'}"
    assert other["strike"]["strength"] == "gentle"
    assert last["strike"] == {"side": "right", "height": 0.55, "strength": "firm"}
    assert len(set(between.keys[:3])) == 1
    assert len({key for key in between.keys if key}) == 3


@pytest.fixture
def bot(game: Game, forgetful: Callable[[int], Forgetful]) -> Any:
    sys.path.insert(0, str(RECIPES))
    try:
        from chat_bot import Bot
        from tower import Tower
    finally:
        sys.path.remove(str(RECIPES))
    return Bot(Tower(forgetful(1).url, game.id, game.player))


def test_a_message_that_is_delivered_twice_strikes_once(bot: Any, game: Game) -> None:
    answer = bot.answer("strike left firm", "Ann", "42")
    assert bot.answer("strike left firm", "Ann", "42") == answer
    (hit,) = game.events
    fell = ", ".join(hit["boulders"]) or "nothing, an empty hit"
    assert answer == f"Ann strikes the left side. Out came {fell}."


def test_a_chat_that_has_not_seen_the_tower_looks_first(bot: Any, game: Game) -> None:
    fell = ", ".join(game.strike(strength="firm")["boulders"]) or "nothing, an empty hit"
    inside = ", ".join(f"{count} {color}" for color, count in game.ask()["inside"].items())
    told = bot.answer("Strike right", "Ann", "1")
    assert told.startswith(
        f"Nothing was struck. Meanwhile came out: {fell}. In the tower: {inside}."
    )
    assert bot.answer("tower", "Ann", "2") == f"In the tower: {inside}."
    assert len(game.events) == 1
    assert bot.answer("Strike right", "Ann", "3").startswith("Ann strikes the right side.")
    assert len(game.events) == 2


@pytest.mark.parametrize("message", ["", "hello", "strike", "strike top", "strike left hard"])
def test_a_chat_bot_says_what_it_understands(bot: Any, game: Game, message: str) -> None:
    assert bot.answer(message, "Ann", "1").startswith("Say: strike left|right")
    assert game.events == []


def test_the_chat_bot_talks_in_a_terminal(game: Game) -> None:
    command = [sys.executable, str(RECIPES / "chat_bot.py")]
    told = run(command, game, game.url, "strike left\ntower\n").splitlines()
    assert told[1].startswith("The player strikes the left side.")
    assert told[2].startswith("In the tower: ")
    assert len(game.events) == 1


def test_the_page_knows_the_habits_of_hands() -> None:
    """The page's scale of strength has the packaged strikers in their places."""
    gentle, normal, firm = (Striker.named(name).speed for name in ("gentle", "normal", "firm"))
    source = (ROOT / "src/rocktower/server/page/film.js").read_text("utf-8")
    share = (normal - gentle) / (firm - gentle)
    assert f"{{ gentle: 0, normal: {share:.2f}, firm: 1 }}" in source


def test_the_pure_parts_of_the_page() -> None:
    """The page's own tests, under node."""
    command = [node(), "--test", str(HERE / "pure.test.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout
