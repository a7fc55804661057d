"""The page for everybody: keys, mouse and finger; small screens, light and dark, no motion."""

from __future__ import annotations

import pytest

from tests.server.page.conftest import Game, Page, Server, until


def test_keys_alone_are_enough(server: Server, page: Page) -> None:
    """From the start page to a hit: Tab, letters, arrows, Space and Enter."""
    from selenium.webdriver.common.keys import Keys

    def press(*keys: str) -> None:
        for key in keys:
            page.driver.switch_to.active_element.send_keys(key)

    def focus() -> str:
        outline = page.js("return getComputedStyle(document.activeElement).outlineStyle")
        at_body = page.js("return document.activeElement === document.body")
        assert at_body or outline == "solid", "the focus is visible"
        found: str = page.js("return document.activeElement.id || document.activeElement.value")
        return found

    def tab_to(name: str) -> None:
        for _ in range(40):
            press(Keys.TAB)
            if focus() == name:
                return
        pytest.fail(f"{name} is not reached by Tab")

    page.open(server.url, until_shown="start")
    tab_to("new-name")
    press("Keys", Keys.ENTER)
    until(lambda: page.is_shown("tower") and page.text("connection") == "live")
    assert focus() == "strike"
    tab_to("left")
    press(Keys.ARROW_DOWN)
    assert focus() == "right"
    tab_to("height")
    press(Keys.ARROW_UP, Keys.ARROW_UP)
    tab_to("strength")
    press(Keys.END)
    assert page.js("return document.getElementById('firm').ariaPressed") == "true"
    tab_to("normal")
    press(Keys.SPACE)
    tab_to("strike")
    press(Keys.ENTER)
    until(lambda: len(page.hits) == 1)
    assert page.driver.switch_to.active_element.get_attribute("id") == "strike"
    described = page.js("return document.querySelector('#hits .faint').textContent")
    assert described == "right, 57 % high, normal"
    tab_to("new-turn")
    press(Keys.ENTER)
    until(lambda: page.text("turn-number") == "Turn 2")


def test_the_mouse_aims_and_pulls(game: Game, page: Page) -> None:
    page.open(game.player_link)
    page.pull(x=0.75, height=0.5, by=0)
    assert page.js("return document.querySelector('input[name=side]:checked').value") == "right"
    aimed = int(page.js("return document.getElementById('height').value"))
    assert game.events == [], "a click only aims"
    page.pull(x=0.75, height=0.5, by=90)
    (hit,) = until(lambda: game.events)
    assert hit["strike"]["side"] == "right"
    assert hit["strike"]["height"] == aimed / 100
    assert 0.2 < hit["strike"]["strength"] < 0.9
    until(lambda: len(page.hits) == 1 and page.is_at_rest())
    page.pull(x=0.35, height=0.9, by=-260)
    until(lambda: len(game.events) == 2)
    strongest = game.events[1]["strike"]
    assert (strongest["side"], strongest["strength"]) == ("left", "firm")
    assert strongest["height"] > aimed / 100 + 0.2
    page.pull(x=0.5, height=0.5, by=90)
    assert len(game.events) == 2, "inside the tower nothing is struck"


def test_a_finger_pulls_on_a_phone(game: Game, page: Page) -> None:
    page.emulate(width=360, height=740, prefers_reduced_motion="reduce")
    page.open(game.player_link)
    x, y = page.js(
        "const c = document.getElementById('canvas'); c.scrollIntoView({block: 'center'});"
        "const b = c.getBoundingClientRect(); return [b.x + 0.2 * b.width, b.y + 0.5 * b.height]"
    )

    def touch(kind: str, **at: float) -> None:
        points = [at] if at else []
        page.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )

    touch("touchStart", x=x, y=y)
    for step in range(1, 9):
        touch("touchMove", x=x - 6 * step, y=y)
    touch("touchEnd")
    (hit,) = until(lambda: game.events)
    assert hit["strike"]["side"] == "left"
    assert 0.3 < hit["strike"]["strength"] < 1.0


@pytest.mark.parametrize("state", ["start", "open", "closed"])
def test_a_narrow_phone_needs_no_sideways_scrolling(server: Server, page: Page, state: str) -> None:
    page.emulate(width=360, height=740, prefers_reduced_motion="reduce")
    if state == "start":
        page.open(server.url, until_shown="start")
    else:
        game = server.tower(name="A-name-that-is-as-long-as-the-name-of-a-tower-can-ever-be-ok")
        for side in ("left", "right", "left", "right"):
            game.strike(side=side, strength="firm")
        if state == "closed":
            game.ask("/close", {})
        page.open(game.player_link)
    page.js("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert page.js("return innerWidth") == 360
    assert page.js("return document.documentElement.scrollWidth") <= 360


def test_a_hit_is_a_film_for_those_who_like_motion(game: Game, page: Page) -> None:
    page.emulate(prefers_reduced_motion="no-preference")
    page.open(game.player_link)
    page.js(
        "const part = (id) => document.getElementById(id);"
        "window.pictures = new Set(); window.notes = [];"
        "const look = () => {"
        "  window.pictures.add(part('canvas').toDataURL()); requestAnimationFrame(look);"
        "};"
        "look();"
        "const text = (id) => part(id).textContent;"
        "const note = () => window.notes.push("
        "  [text('strike-note'), text('history-count'), part('skip').hidden]"
        ");"
        "new MutationObserver(note).observe(part('strike-note'), {childList: true});"
    )
    page.click("strike")
    until(lambda: int(page.text("history-count")) == 1)
    assert page.js("return window.pictures.size") > 5
    notes = page.js("return window.notes")
    assert ["The boulders are still falling.", "0", False] in notes, "the result waits for the film"
    assert notes[-1] == ["", "1", True]
    page.js("window.requestAnimationFrame = () => 0")  # now a film never ends by itself
    page.click("strike")
    until(lambda: page.is_shown("skip"))
    page.click("skip")
    until(lambda: int(page.text("history-count")) == 2)


def test_no_motion_shows_the_end_at_once(game: Game, page: Page) -> None:
    page.open(game.player_link)
    page.js(
        "window.skips = 0; new MutationObserver(() => { window.skips += !skip.hidden })"
        ".observe(skip, {attributes: true})"
    )
    page.strike()
    assert page.js("return window.skips") == 0


@pytest.mark.parametrize(("scheme", "width"), [("dark", 360), ("light", 1280)])
def test_no_barrier_is_found(server: Server, page: Page, scheme: str, width: int) -> None:
    """Labels, roles, contrast and more, by the rules of axe-core."""
    axe = pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed")
    page.emulate(width=width, prefers_color_scheme=scheme, prefers_reduced_motion="reduce")

    def check(where: str) -> None:
        page.js("document.querySelectorAll('details').forEach(d => { d.open = true })")
        checker = axe.Axe(page.driver)
        checker.inject()
        found = checker.run()["violations"]
        barriers = [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in found]
        assert barriers == [], where

    page.open(server.url, until_shown="start")
    check("start")
    game = server.tower(name="Friday")
    game.strike(strength="firm")
    page.open(game.player_link)
    page.fill("limit", 1)
    page.js(
        "document.getElementById('notice-text').textContent = 'A notice'; notice.hidden = false"
    )
    check("open")
    page.click("close-ask")
    check("dialog")
    game.ask("/close", {})
    page.open(game.spectator_link)
    until(lambda: page.text("verdict"))
    check("closed")
