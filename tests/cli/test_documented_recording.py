"""The page on recording: its commands run, in its order and in one folder; its columns exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rocktower.calibration import CHOICES, COLUMNS, read_record
from rocktower.calibration._rows import REQUIRED

PAGE = (Path(__file__).parents[2] / "docs" / "recording.md").read_text(encoding="utf-8")


def test_every_command_runs(tmp_path):
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("no bash")
    function = f'set -e -o pipefail\nrocktower() {{ "{sys.executable}" -m rocktower "$@"; }}\n'
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        done = subprocess.run(
            [shell, "-c", function + block], cwd=tmp_path, capture_output=True, text=True,
            check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), block
        assert done.stdout, block
    assert len(read_record(tmp_path / "evening.csv").rows) == 3
    assert (tmp_path / "sheet.pdf").exists()


def test_every_column_is_documented_with_its_values():
    table = dict(re.findall(r"^\| `(\w+)` \| (.*)$", PAGE, re.MULTILINE))
    assert [column for column in table if column in COLUMNS] == list(COLUMNS)
    assert {column for column in COLUMNS if table[column].startswith("required")} == set(REQUIRED)
    for column, words in CHOICES.items():
        assert ", ".join(words) in table[column]
