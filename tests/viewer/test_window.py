"""The real window, on a display of its own, with real keys and a real mouse."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from rocktower.viewer import Session, picture
from rocktower.viewer._layout import Layout
from tests.viewer.helpers import press, strike, watch

SIZE = (1280, 720)
WAIT = 60.0  # s; everything is waited for, nothing is timed


def until(condition, what: str) -> None:
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.05)


@pytest.fixture
def display():
    """A screen in memory; gives its name."""
    for program in ("Xvfb", "xdotool"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x900x24", "-nolisten", "tcp"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    server.terminate()
    server.wait()


class Person:
    """Who sits at the screen: moves the mouse and presses keys, with xdotool."""

    def __init__(self, display: str, folder: Path, *arguments: str) -> None:
        environment = {k: v for k, v in os.environ.items() if k != "SDL_VIDEODRIVER"}
        self.environment = {**environment, "DISPLAY": display}
        self.folder = folder
        self.program = subprocess.Popen(
            [sys.executable, "-m", "rocktower", *arguments], cwd=folder, env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.pictures = 0

    def do(self, *arguments: object) -> str:
        done = subprocess.run(
            ["xdotool", *map(str, arguments)], env=self.environment, capture_output=True,
            text=True, check=False, timeout=WAIT,
        )  # fmt: skip
        return done.stdout

    def wait_for_the_window(self) -> None:
        until(lambda: self.do("search", "--name", "^Rock Tower$"), "the window opens")
        window = self.do("search", "--name", "^Rock Tower$").split()[0]
        lines = self.do("getwindowgeometry", "--shell", window).splitlines()
        where = dict(line.split("=") for line in lines if "=" in line)
        self.left, self.top = int(where["X"]), int(where["Y"])
        assert (int(where["WIDTH"]), int(where["HEIGHT"])) == SIZE
        self.point(640, 700)
        self.do("windowfocus", "--sync", window)

    def key(self, *names: str) -> None:
        for name in names:
            self.do("key", name)
            time.sleep(0.1)

    def point(self, x: float, y: float) -> None:
        self.do("mousemove", self.left + round(x), self.top + round(y))

    def see(self) -> Image.Image:
        """Press E, by which the window saves what it shows."""
        self.pictures += 1
        path = self.folder / f"rocktower-{self.pictures}.png"
        self.key("e")
        until(path.exists, f"{path.name} is saved")
        with Image.open(path) as image:
            return image.convert("RGB")

    def sees(self, expected: Image.Image) -> None:
        """Look until what is shown is this, pixel by pixel."""
        until(lambda: self.see().tobytes() == expected.tobytes(), "the expected picture is shown")

    def leave(self) -> tuple[str, str]:
        self.key("q")
        out, err = self.program.communicate(timeout=WAIT)
        assert self.program.returncode == 0, err
        return out, err


def shown(session: Session) -> Image.Image:
    watch(session)
    return picture(session.frame(), SIZE)


def test_keys_and_mouse_strike_the_tower(display, tmp_path, model) -> None:
    person = Person(display, tmp_path, "view", "--seed", "7", "--limit", "4")
    session = Session(model, 7, "normal", 4)
    try:
        person.wait_for_the_window()
        person.sees(shown(session))
        person.key("space")
        strike(session)
        person.sees(shown(session))
        # Pulled back from the right wall, and let go.
        layout = Layout(SIZE, model)
        person.point(*layout.to_screen(0.06, 0.2))
        x, y = (round(v) for v in layout.to_screen(0.06, 0.2))
        side, height, start = layout.aim_at((x, y))
        end = round(layout.to_screen(0.15, 0.2)[0])
        person.do("mousedown", 1)
        time.sleep(0.1)
        person.point(end, y)
        time.sleep(0.2)
        person.do("mouseup", 1)
        session.press(side, height)
        session.pull(layout.distance(side, end) - start)
        session.release()
        press(session)
        assert session.job is None
        assert session.hits[-1].strike.side == "right"
        person.sees(shown(session))
        person.key("g", "o", "m", "u")
        press(session, "g", "o", "m", "u")
        person.sees(shown(session))
        _, err = person.leave()
        assert "seed 7" in err
    finally:
        person.program.kill()
        person.program.wait()


def test_the_window_hammers_in_a_game(display, tmp_path) -> None:
    """The whole way: typed moves, strikes by key in the window, a log that replays."""
    bot = tmp_path / "keen.py"
    bot.write_text(
        "class Keen:\n"
        "    def decide(self, state, actions, rng):\n"
        "        return actions[-2] if str(actions[-1]) == 'pass' else actions[0]\n"
    )
    arguments = ("play", "trollfjord", "--players", f"human,{bot}:Keen", "--seed", "5",
                 "--walkways", "1,2,3,4,5,6,7,8,9,10", "--log", "game.jsonl", "--window")  # fmt: skip
    person = Person(display, tmp_path, *arguments)
    log = tmp_path / "game.jsonl"

    def hits() -> int:
        return log.read_text().count('"request":"hit"') if log.exists() else 0

    try:
        assert person.program.stdin is not None
        # The first choice each time, until it comes to hammering.
        person.program.stdin.write("1\n" * 400)
        person.program.stdin.flush()
        person.wait_for_the_window()
        end = time.monotonic() + WAIT
        while hits() < 3 and time.monotonic() < end:
            person.key("space")
            time.sleep(0.3)
        assert hits() >= 3
    finally:
        person.program.kill()
        person.program.communicate()
    text = log.read_text()
    done = subprocess.run(
        [sys.executable, "-m", "rocktower", "replay", "game.jsonl"], cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '"action":"strike ' in text
