"""What docs/viewer.md says is so: its commands run, its keys are the keys."""

from __future__ import annotations

import runpy
import shlex
import sys
from pathlib import Path

import pygame
import pytest
from PIL import Image

from rocktower.viewer import KEYS
from tests.cli.conftest import rocktower  # noqa: F401 - a fixture

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "viewer.md").read_text("utf-8")
COMMANDS = [line for line in TEXT.splitlines() if line.startswith("rocktower ")]


@pytest.fixture
def leaves_at_once(monkeypatch):
    """A person who presses Space, waits for a few frames and closes the window."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    polled = []

    def get() -> list[pygame.event.Event]:
        polled.append(True)
        space = {"key": pygame.K_SPACE, "mod": 0, "unicode": " "}
        if len(polled) == 2:
            return [pygame.event.Event(pygame.KEYDOWN, space)]
        return [pygame.event.Event(pygame.QUIT)] if len(polled) == 12 else []

    monkeypatch.setattr(pygame.event, "get", get)
    return polled


def test_every_documented_command_runs_in_its_order(rocktower, leaves_at_once) -> None:  # noqa: F811
    assert len(COMMANDS) > 10
    for line in COMMANDS:
        leaves_at_once.clear()
        done = rocktower(*shlex.split(line)[1:])
        assert done.status == 0, f"{line}: {done.err}"
        if " view" in line:
            assert len(leaves_at_once) == 12, "the window was open"


def test_every_key_is_documented() -> None:
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    documented = {tuple(row) for row in rows if len(row) == 2}
    keys = {(key.label, key.meaning) for key in KEYS if key.label and key.command != "stop"}
    assert keys <= documented


def test_the_picture_is_made_by_its_script(tmp_path, monkeypatch) -> None:
    script = DOCS / "make_pictures.py"
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    with Image.open(tmp_path / "tower.png") as made, Image.open(DOCS / "tower.png") as shown:
        assert made.size == shown.size
