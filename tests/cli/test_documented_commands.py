"""Every command that the pages on the two games show exists and takes these arguments."""

import shlex
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for page in ("trollhalla.md", "treasure_mountain.md")
    for line in (DOCS / page).read_text(encoding="utf-8").splitlines()
    if line.startswith("rocktower ")
]


def test_the_pages_show_commands():
    assert len(COMMANDS) > 20


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_documented_command_is_understood(rocktower, arguments):
    players = ("Anna", "Bea", "Carl")
    if "start" not in arguments:
        rocktower("draw", "trollhalla", "start", *players, "--seed", 1)
        rocktower("draw", "treasure-mountain", "start", *players, "--seed", 1)
    result = rocktower(*arguments)
    # Some need an attack or a goat first: then the game, not the command line, refuses them.
    assert "Usage:" not in result.err
    assert result.status == 0 or "is expected" not in result.err
