"""The page on calibration: its commands run, in its order and in one folder."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

from tests.test_project import commands

ROOT = Path(__file__).parents[2]


def test_every_command_runs(rocktower):
    shutil.copy(ROOT / "calibration" / "data" / "synthetic_1_game_evening.csv", ".")
    lines = commands(ROOT / "docs" / "calibration.md")
    assert len(lines) == 5
    for line in lines:
        done = rocktower(*shlex.split(line)[1:])
        assert done.status == 0, f"{line}: {done.err}"
        assert done.out, line
    assert Path("evening/report.html").exists()
    assert Path("sbc/sbc.csv").exists()
