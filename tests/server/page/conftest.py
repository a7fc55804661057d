"""A real server in a process of its own, and real browsers that open its page."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest


@dataclass
class Game:
    """A tower on a server, with its keys, as the tests look at it."""

    url: str
    id: str
    player: str
    spectator: str

    def ask(self, path: str = "", body: object = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.player}", "Content-Type": "application/json"}
        return call(f"{self.url}/api/v1/towers/{self.id}{path}", body, headers)

    def strike(self, **aim: object) -> dict[str, Any]:
        aim = {"side": "left", "height": 0.55, "strength": "normal"} | aim
        return self.ask("/strikes", aim)

    @property
    def events(self) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = self.ask("/events?after=0")["events"]
        return events

    @property
    def player_link(self) -> str:
        return f"{self.url}/#tower={self.id}&play={self.player}&watch={self.spectator}"

    @property
    def spectator_link(self) -> str:
        return f"{self.url}/#tower={self.id}&watch={self.spectator}"


def call(url: str, body: object, headers: dict[str, str]) -> dict[str, Any]:
    content = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, content, headers), timeout=30) as answer:  # noqa: S310
        found: dict[str, Any] = json.load(answer)
        return found


class Server:
    """`rocktower serve` on a port; it can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        for module in ("fastapi", "uvicorn", "websockets", "sqlalchemy"):
            pytest.importorskip(module, reason="the extra `serve` is not installed")
        self.folder = folder
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        heard = self.folder / "server.log"
        heard.write_text("")
        arguments = (
            "serve", "--port", str(self.port), "--workers", "1", "--creations", "1000",
            "--rate", "1000", "--database", str(self.folder / "towers.db"),
        )  # fmt: skip
        with heard.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "rocktower", *arguments], stdout=log, stderr=log
            )
        until(lambda: re.search(r"http://127\.0\.0\.1:\d+", heard.read_text()))
        found = re.search(r"http://127\.0\.0\.1:(\d+)", heard.read_text())
        assert found
        self.port = int(found[1])

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
            self.process = None

    def tower(self, **wishes: object) -> Game:
        made = call(f"{self.url}/api/v1/towers", wishes, {"Content-Type": "application/json"})
        tokens = made["player_token"], made["spectator_token"]
        return Game(self.url, made["tower"]["id"], *tokens)


def until(condition: Callable[[], Any], patience: float = 30.0) -> Any:
    """Wait for something that comes true, and return it."""
    end = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {patience:g} s"
        time.sleep(0.05)
    return value


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def game(server: Server) -> Game:
    """A new tower."""
    return server.tower(name="Friday")


class Page:
    """A browser with the page in it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def emulate(self, *, width: int = 1280, height: int = 900, **media: str) -> None:
        """Take on a screen and a person's preferences."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [
            {"name": name.replace("_", "-"), "value": value} for name, value in media.items()
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, link: str, *, until_shown: str = "tower") -> None:
        self.driver.get("about:blank")  # so that a link that differs in its fragment loads anew
        self.driver.get(link)
        until(lambda: self.is_shown(until_shown))
        if until_shown == "tower":
            until(lambda: self.text("connection") == "live")

    def js(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def is_shown(self, name: str) -> bool:
        script = "return document.getElementById(arguments[0])?.checkVisibility() ?? false"
        return bool(self.js(script, name))

    def text(self, name: str) -> str:
        script = "return document.getElementById(arguments[0]).textContent.trim()"
        return str(self.js(script, name))

    def click(self, name: str) -> None:
        self.driver.find_element("id", name).click()

    def fill(self, name: str, value: object) -> None:
        field = self.driver.find_element("id", name)
        field.clear()
        field.send_keys(str(value))

    def strike(self) -> None:
        """Press the button, and wait until the hit has been shown."""
        before = int(self.text("history-count"))
        self.click("strike")
        until(lambda: int(self.text("history-count")) > before and self.is_at_rest())

    def is_at_rest(self) -> bool:
        return self.text("strike-note") == ""

    @property
    def counts(self) -> list[str]:
        """The four counts as a screen reader gives them."""
        found: list[str] = self.js(
            "return [...document.querySelectorAll('#counts li .unseen')].map(e => e.textContent)"
        )
        return found

    @property
    def hits(self) -> list[list[str]]:
        """The hits of the turn, newest first, as the colors of their boulders."""
        found: list[list[str]] = self.js(
            "return [...document.querySelectorAll('#hits li')].map(li =>"
            "  [...li.querySelectorAll('svg')].map(svg => svg.getAttribute('aria-label')))"
        )
        return found

    def pull(self, *, x: float, height: float, by: int) -> None:
        """Press at a share of the canvas' width and of the tower's height, pull, let go."""
        from selenium.webdriver.common.action_chains import ActionChains

        canvas = self.driver.find_element("id", "canvas")
        self.js("arguments[0].scrollIntoView({block: 'center'})", canvas)
        down = 0.9 - 0.8 * height  # of the canvas: the tower stands on a table in it
        at = (x - 0.5) * canvas.size["width"], (down - 0.5) * canvas.size["height"]
        chain = ActionChains(self.driver, duration=50)
        chain.move_to_element_with_offset(canvas, round(at[0]), round(at[1])).click_and_hold()
        chain.move_by_offset(by // 2, 0).move_by_offset(by - by // 2, 0).release().perform()

    def complaints(self) -> list[str]:
        """What the browser has complained about since the last time: scripts, security policy."""
        lines = [line["message"] for line in self.driver.get_log("browser")]
        return [line for line in lines if "favicon" not in line]


def browser() -> Iterator[Page]:
    """Start a browser; it ends when the iterator goes on."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    chromedriver = shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("chromium and chromedriver are missing (Debian: chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    yield Page(driver)
    driver.quit()


@pytest.fixture(scope="session")
def _first() -> Iterator[Page]:
    yield from browser()


@pytest.fixture(scope="session")
def _second() -> Iterator[Page]:
    yield from browser()


@pytest.fixture
def page(_first: Page) -> Page:
    """A browser of somebody who wants no motion, which also makes the tests short."""
    _first.emulate(prefers_reduced_motion="reduce")
    _first.complaints()
    return _first


@pytest.fixture
def other_page(_second: Page) -> Page:
    """A second browser, of somebody else."""
    _second.emulate(prefers_reduced_motion="reduce")
    _second.complaints()
    return _second
