"""The real window, on a display of its own, with real keys and a real mouse."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from pathlib import Path

import pytest
from PIL import Image

from rocktower.games.trollfjord import Replay, parse_action, phases
from rocktower.play import LogFile, Match, PhysicsTower, load_bot, make_tower, read_log_file
from rocktower.viewer import Session, picture
from rocktower.viewer._layout import Layout
from tests.play.helpers import header
from tests.viewer.helpers import press, settle, strike, watch

SIZE = (1280, 720)
SCREEN = (1600, 900)
WAIT = 40.0  # s; everything is waited for, nothing is timed


def once_more(test):
    """Give a test a screen, and another one if it fails.

    On a busy machine a key press may get lost, or a screen not come up.
    """

    @wraps(test)
    def tried(tmp_path, **fixtures):
        for attempt in ("first", "second"):
            folder = tmp_path / attempt
            folder.mkdir()
            try:
                with screen() as display:
                    test(display=display, tmp_path=folder, **fixtures)
            except AssertionError:
                if attempt == "second":
                    raise
            else:
                return

    given = signature(test)
    fixtures = [p for name, p in given.parameters.items() if name != "display"]
    tried.__signature__ = given.replace(parameters=fixtures)
    return tried


def until(condition, what: str) -> None:
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.05)


@contextmanager
def screen():
    """Put up a screen in memory; give its name."""
    programs = {name: shutil.which(name) for name in ("Xvfb", "xdotool")}
    for name, path in programs.items():
        if path is None:
            pytest.skip(f"{name} is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        [programs["Xvfb"], "-displayfd", str(write), "-screen", "0", "{}x{}x24".format(*SCREEN)],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    assert number, "Xvfb did not start"
    try:
        yield f":{number}"
    finally:
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
            [shutil.which("xdotool") or "", *map(str, arguments)], env=self.environment,
            capture_output=True, text=True, check=False, timeout=WAIT,
        )  # fmt: skip
        return done.stdout

    def told(self, command: str, *arguments: object) -> dict[str, str]:
        """What xdotool tells as NAME=value."""
        lines = self.do(command, "--shell", *arguments).splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def window(self) -> str:
        """The window in the middle of the screen, if it is the one; it gets the keyboard.

        No window manager is there to do that.
        """
        self.do("mousemove", SCREEN[0] // 2, SCREEN[1] // 2)
        window = self.told("getmouselocation").get("WINDOW", "")
        if self.do("getwindowname", window).strip() != "Rock Tower":
            return ""
        self.do("windowfocus", window)
        return window

    def size(self) -> tuple[int, int]:
        window = self.window()
        where = self.told("getwindowgeometry", window) if window else {}
        time.sleep(0.3)  # what is pressed while a window changes is lost
        return int(where.get("WIDTH", 0)), int(where.get("HEIGHT", 0))

    def wait_for_the_window(self) -> None:
        until(lambda: self.size() == SIZE, "the window opens")
        where = self.told("getwindowgeometry", self.window())
        self.left, self.top = int(where["X"]), int(where["Y"])

    def key(self, *names: str) -> None:
        for name in names:
            self.do("key", name)
            time.sleep(0.1)

    def change(self, key: str, size: tuple[int, int]) -> None:
        """Press a key until the window has another size: amid a change a press may get lost."""
        for _ in range(5):
            self.key(key)
            for _ in range(20):
                if self.size() == size:
                    return
        raise AssertionError(f"never: {size} after {key}")

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


@once_more
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
        settle(session)
        assert session.hits[-1].strike.side == "right"
        person.sees(shown(session))
        person.key("g", "o", "m", "u")
        press(session, "g", "o", "m", "u")
        person.sees(shown(session))
        # Another size, and a movie while one goes on.
        person.do("windowsize", person.window(), 1000, 800)
        until(lambda: person.size() == (1000, 800), "it has another size")
        expected = picture(session.picture(), (1000, 800))
        person.sees(expected)
        person.change("f", SCREEN)
        person.sees(picture(session.picture(), SCREEN))
        person.change("f", (1000, 800))
        press(session, "space")
        person.key("space", "shift+e")
        until(lambda: list(tmp_path.glob("rocktower-*.gif")), "the movie is saved")
        _, err = person.leave()
        assert "seed 7" in err
    finally:
        person.program.kill()
        person.program.communicate()


@once_more
def test_the_window_hammers_in_a_game(display, tmp_path) -> None:
    """Two people at the table go on with a game in which it has come to hammering."""
    log = tmp_path / "game.jsonl"
    replay = Replay(header("human", "human", seed=8, source="physics"))
    tower = make_tower(replay, ask=input, notify=print)
    with LogFile.create(log, replay.header) as file:
        bots = [load_bot("greedy")] * 2

        class Seated(Match):
            """Bots sit where the log says people."""

            def _ask_human(self, player, rng):
                return self._players[player].decide(self.state, self.state.legal_actions(), rng)

        match = Seated(replay, bots, tower)
        while match.state.hammering.limit < 3 or match.state.phase != phases.Striking(0):
            file.append(match.step())
    before = log.read_text()
    person = Person(display, tmp_path, "play", "trollfjord", "--resume", "game.jsonl", "--window")

    def written() -> str:
        return log.read_text()[len(before) :]

    def struck() -> int:
        return written().count('"request":"hit"')

    try:
        person.wait_for_the_window()
        person.key("x")  # before the first hit one may not stop
        person.key("Left", "Up", "space")
        until(lambda: struck() == 1, "the first hit")
        until(lambda: person.key("x") or '"action":"stop"' in written(), "it is stopped")
    finally:
        person.program.kill()
        person.program.communicate()
    first = json.loads(written().splitlines()[0])
    action = parse_action(first["action"])
    assert action.side == "left"
    # What the log says is what the tower gives for it, and within the rules.
    after = read_log_file(log)[0]
    again = PhysicsTower(after.header, None)
    assert all(hit.agrees for hit in again.follow(after))
