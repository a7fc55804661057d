"""The page in real browsers, with a real server: what people do there, and what they then see."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.server.page.conftest import Game, Page, Server, until

if TYPE_CHECKING:
    from pathlib import Path

COLORS = ("red", "blue", "yellow", "white")


def allow(page: Page, server: Server, *permissions: str) -> None:
    """Let the page do so much, and nothing else that a person is asked for."""
    allowed = {"origin": server.url, "permissions": permissions}
    page.driver.execute_cdp_cmd("Browser.grantPermissions", allowed)


def test_a_tower_is_set_up_shared_and_struck(server: Server, page: Page, other_page: Page) -> None:
    """Two browsers at one tower: one strikes, both see the same hit."""
    page.open(server.url, until_shown="start")
    page.fill("new-name", "Friday")
    page.click("create")
    until(lambda: page.is_shown("tower"))
    address = page.js("return location.href")
    player, spectator = page.js(
        "return ['play', 'watch'].map(kind => document.getElementById(kind + '-link').value)"
    )
    assert address == player
    for link in (player, spectator):
        path, _, fragment = link.partition("#")
        assert path == f"{server.url}/"
        assert "watch_" in fragment
    assert "play_" in player
    assert "play_" not in spectator

    allow(page, server, "clipboardReadWrite", "clipboardSanitizedWrite")
    page.click("watch-copy")
    until(lambda: page.text("copied") == "The spectator link is copied.")
    read = "navigator.clipboard.readText().then(arguments[0])"
    assert page.driver.execute_async_script(read) == spectator
    allow(page, server, "geolocation")  # and nothing else
    page.click("play-copy")
    until(lambda: page.text("copied").startswith("Copying is not allowed here"))
    field = "const field = document.activeElement; return [field.id, field.selectionEnd]"
    assert page.js(field) == ["play-link", len(player)], "then it is selected"

    other_page.open(spectator)
    assert other_page.text("name") == page.text("name") == "Friday"
    assert other_page.text("role") == "spectator"
    page.strike()
    until(lambda: other_page.text("said") == page.text("said"))
    assert page.hits == other_page.hits
    assert page.counts == other_page.counts
    total = sum(int(count) for count in page.counts)
    assert total == len(page.hits[0]) == int(page.text("out-total"))
    labels = [
        p.js("return document.getElementById('canvas').ariaLabel") for p in (page, other_page)
    ]
    assert labels[0] == labels[1]
    assert f"On the table before it: {total}." in labels[0]
    assert page.complaints() == other_page.complaints() == []


def test_what_the_page_says_is_what_the_server_says(game: Game, page: Page) -> None:
    page.open(game.player_link)
    page.click("firm")
    page.driver.find_element("css selector", "input[value=right]").click()
    page.strike()
    (hit,) = game.events
    assert hit["strike"] == {"side": "right", "height": 0.55, "strength": "firm"}
    assert page.hits == [hit["boulders"]]
    assert page.counts == [str(hit["counts"][color]) for color in COLORS]


def test_a_spectator_cannot_strike(game: Game, page: Page) -> None:
    page.open(game.spectator_link)
    for hidden in ("strike-form", "back-form", "new-turn", "close-ask", "play-offer"):
        assert not page.is_shown(hidden)
    assert page.is_shown("watching")
    page.pull(x=0.2, height=0.5, by=-60)
    # A spectator's token in the place of a player's: the server refuses, and the page says so.
    page.open(f"{game.url}/#tower={game.id}&play={game.spectator}")
    page.click("strike")
    until(lambda: page.is_shown("notice"))
    assert page.text("notice-text") == "This link may only watch: striking needs a player link."
    assert not page.is_shown("strike-form")
    assert game.events == []


def test_a_limit_is_counted_and_warned_of(game: Game, page: Page, other_page: Page) -> None:
    page.open(game.player_link)
    page.fill("limit", 1)
    assert page.counts[0] == "0 of 1"
    while True:
        page.strike()
        seen = [sum(event["counts"][color] for event in game.events) for color in COLORS]
        if max(seen[:3]) > 1:
            break
    over = [n > 1 for n in seen[:3]]
    told = page.counts
    for count, is_over, line in zip(seen, over, told, strict=False):
        standing = ", over the limit" if is_over else ", limit reached" if count else ""
        assert line == f"{count} of 1{standing}"
    assert told[3] == str(seen[3]), "white has no limit"
    assert page.text("warned")
    assert page.text("hits-total") == f"{len(game.events)} of 1"
    page.open(game.player_link)
    assert page.js("return document.getElementById('limit').value") == "1", "it is kept"
    other_page.open(game.player_link)
    assert other_page.counts == [str(n) for n in seen], "in this browser only"


def test_boulders_go_back_and_a_turn_begins(game: Game, page: Page) -> None:
    hit = {"total": 0}
    while not hit["total"]:
        hit = game.strike(strength="firm")
    page.open(game.player_link)
    color = hit["boulders"][0]
    page.fill(f"back-{color}", 1)
    page.driver.find_element("css selector", "#back-form button:not([type])").click()
    until(lambda: page.text("said") == f"Put back: 1 {color}.")
    assert game.events[-1]["type"] == "drop"
    assert page.text("out-total") == str(sum(e["total"] for e in game.events if e["type"] == "hit"))
    page.click("new-turn")
    until(lambda: page.text("turn-number") == "Turn 2")
    assert page.counts == ["0"] * 4
    if page.is_shown("back-all"):
        page.click("back-all")
        until(lambda: not page.is_shown("back-form"))
    inside = game.ask()["inside"]
    assert inside == dict.fromkeys(COLORS, 11)


def test_a_lost_answer_costs_no_second_blow(game: Game, page: Page) -> None:
    page.open(game.player_link)
    page.js(
        "const real = window.fetch; window.sent = [];"
        "window.fetch = async (url, options) => {"
        "  const answer = await real(url, options);"
        "  if (!String(url).endsWith('/strikes')) return answer;"
        "  window.sent.push(options.headers['Idempotency-Key']);"
        "  if (window.sent.length < 3) throw new TypeError('the answer is lost');"
        "  return answer;"
        "};"
    )
    page.strike()
    until(lambda: len(page.js("return window.sent")) == 3)
    assert len(set(page.js("return window.sent"))) == 1
    assert len(game.events) == 1
    assert not page.is_shown("notice")


def test_whoever_was_slower_is_told_and_strikes_nothing(game: Game, page: Page) -> None:
    page.open(game.player_link)
    # This page hears of nothing, as behind a bad connection; meanwhile somebody else strikes.
    page.js(
        "const real = WebSocket.prototype; Object.defineProperty(real, 'onmessage', {set() {}})"
    )
    page.js(
        "const real = window.fetch; window.fetch = (url, options) =>"
        "  String(url).endsWith('/strikes') && !window.go"
        "    ? new Promise(done => { window.go = () => done(real(url, options)) })"
        "    : real(url, options)"
    )
    page.click("strike")
    until(lambda: page.js("return Boolean(window.go)"))
    first = game.strike(side="right")
    page.js("window.go()")
    until(lambda: page.is_shown("notice"))
    assert page.text("notice-text").startswith("Somebody else was faster, so nothing was done.")
    until(lambda: page.hits == [first["boulders"]])
    assert len(game.events) == 1
    page.click("notice-close")
    assert not page.is_shown("notice")
    until(page.is_at_rest)
    page.strike()
    assert len(game.events) == 2


def test_the_page_comes_back_after_a_break(tmp_path: Path, page: Page) -> None:
    server = Server(tmp_path)
    try:
        game = server.tower()
        page.open(game.player_link)
        page.strike()
        server.stop()
        until(lambda: page.text("connection") == "reconnecting")
        page.click("strike")
        until(lambda: page.is_shown("notice"))
        assert "cannot be reached" in page.text("notice-text")
        server.start()
        missed = game.strike(side="right")
        until(lambda: page.text("connection") == "live")
        until(lambda: len(page.hits) == 2)
        assert page.hits[0] == missed["boulders"]
        assert page.text("said").startswith("Hit 2 of this turn, from the right")
    finally:
        server.stop()


def test_a_page_without_a_stream_asks(game: Game, page: Page) -> None:
    """Some networks let no WebSocket through."""
    source = "WebSocket = class { constructor() { setTimeout(() => this.onclose({}), 50) } }"
    blind = {"source": source}
    done = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", blind)
    try:
        page.driver.get("about:blank")
        page.driver.get(game.player_link)
        until(lambda: page.is_shown("tower"))
        hit = game.strike()
        until(lambda: page.hits == [hit["boulders"]])
        assert page.text("connection") == "reconnecting"
        assert not page.is_shown("notice")
        page.strike()
        assert len(game.events) == 2
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", done)


def test_a_closed_tower_proves_its_seed(
    game: Game, page: Page, other_page: Page, tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open(game.player_link)
    other_page.open(game.spectator_link)
    commitment = page.text("commitment")
    assert commitment == game.ask()["commitment"]
    page.strike()
    page.js("document.getElementById('fairness').open = true")
    page.click("close-ask")
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert game.ask()["status"] == "open"
    page.click("close-ask")
    page.driver.find_element("css selector", "button[value=close]").click()
    for browser in (page, other_page):
        until(lambda b=browser: b.text("verdict").startswith("Checked in this browser"))
        tower = game.ask()
        assert browser.text("seed") == str(tower["seed"])
        assert browser.text("salt") == tower["salt"]
        assert browser.text("commitment") == commitment
        assert browser.text("verify-command") == f"rocktower verify rocktower-{game.id}.jsonl"
        assert not browser.is_shown("strike-form")
    # What the page saves is what the program verifies.
    page.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.click("save-log")
    log = tmp_path / f"rocktower-{game.id}.jsonl"
    until(log.exists)
    command = [sys.executable, "-m", "rocktower", "verify", str(log)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Another commitment than the one that this browser noted first: then something is wrong.
    page.js("localStorage.setItem(arguments[0], '0'.repeat(64))", f"rocktower-commitment-{game.id}")
    page.open(game.player_link)
    until(lambda: "Do not trust this tower" in page.text("verdict"))


def test_a_tower_that_is_gone_is_a_clear_line(server: Server, game: Game, page: Page) -> None:
    page.open(f"{server.url}/#tower=nosuch&play=x", until_shown="gone")
    assert "no such tower" in page.text("gone-text")
    page.open(f"{server.url}/#tower={game.id}&play=wrong", until_shown="gone")
    assert "token" in page.text("gone-text")


def test_a_wrong_wish_is_a_clear_line(server: Server, page: Page) -> None:
    page.open(server.url, until_shown="start")
    page.js("document.querySelector('#start details').open = true")
    page.fill("new-red", 30)
    page.click("create")
    until(lambda: page.is_shown("notice"))
    assert "30 red" in page.text("notice-text")
