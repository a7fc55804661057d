"""`rocktower record`: from a pipe, from keys, killed, resumed; and the sheet."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import datetime
from itertools import pairwise

import pytest

from rocktower.calibration import COLUMNS, draw_sheet, read_record

COMMAND = [sys.executable, "-m", "rocktower", "record"]


def outs(path):
    return [tuple(amount.low for amount in row.out) for row in read_record(path).rows]


def test_an_evening_from_a_pipe(rocktower, tmp_path):
    result = rocktower(
        "record", "hits.csv", "--striker", "Anna", "--strength", "normal", "--drop-cm", "12.5",
        "--side", "left", "--held", "held", "--session", "2026-11-30b",
        stdin="r r b\n-\n \nRBy\nt\nw\nq\nr\n",
    )  # fmt: skip
    assert (result.status, result.err) == (0, "")
    record = read_record(tmp_path / "hits.csv")
    assert outs("hits.csv") == [(2, 1, 0, 0), (0,) * 4, (0,) * 4, (1, 1, 1, 0), (0, 0, 0, 1)]
    assert [row.turn for row in record.rows] == [1, 1, 1, 1, 2]
    row = record.rows[-1]
    assert (row.striker, row.strength, row.drop_cm) == ("Anna", "normal", 12.5)
    assert (row.side, row.held, row.session) == ("left", "held", "2026-11-30b")
    assert row.added == (3, 2, 1, 0)
    assert "Turn 1, hit 1: 2 red, 1 blue. Written. Inside 41: 9 red, 10 blue" in result.out
    assert "5 hits on disk" in result.out


def test_a_file_is_gone_on_with(rocktower):
    rocktower("record", "hits.csv", "--striker", "Anna", stdin="r\n")
    result = rocktower("record", "hits.csv", stdin="b\nt\ny\n")
    assert "Turn 1, hit 2 goes on, boulders outside: 1" in result.out
    rows = read_record("hits.csv").rows
    assert [(row.turn, row.hit, row.striker) for row in rows] == [
        (1, 1, "Anna"), (1, 2, "Anna"), (2, 3, "Anna"),
    ]  # fmt: skip
    today = datetime.now().astimezone().date().isoformat()
    assert rows[0].session == today
    rocktower("record", "hits.csv", "--striker", "Bo", stdin="w\n")
    assert read_record("hits.csv").rows[-1].striker == "Bo"


def test_undo_and_changes_during_the_session(rocktower):
    result = rocktower(
        "record", "hits.csv",
        stdin="r\nu\nb\nt\nu\nstriker Bo\nstrength firm\ndrop 20\nside right\nheld loose\n"
        "flag spill\nnote fell, down\nw j y\nstriker\nn 5 5 5 0\ny\n",
    )  # fmt: skip
    assert result.err == ""
    first, second, third = read_record("hits.csv").rows
    assert first.out[1].low == 1
    assert (second.turn, second.striker, second.strength, second.drop_cm) == (1, "Bo", "firm", 20)
    assert (second.side, second.held, second.flag, second.note) == (
        "right", "loose", "spill", "fell, down",
    )  # fmt: skip
    assert second.back == (0, 0, 1, 0)
    assert (third.filling, third.added, third.striker, third.flag) == (2, (5, 5, 5, 0), "", None)
    assert "is taken back: 1 red" in result.out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("x", "letters r b y w"),
        ("r x", "letters r b y w"),
        ("3", "letters r b y w"),
        ("", "an empty line says nothing"),
        ("r" * 12, "no red boulder is inside any more"),
        ("r -", "no empty hit"),
        ("j", "which boulder jumped"),
        ("j j r", "letters r b y w"),
        ("u", "nothing to take back"),
        ("t", "the turn is new already"),
        ("n 1 2 3", "four numbers are expected"),
        ("n 12 0 0 0", "0 to 11 boulders of each color"),
        ("n 0 0 0 0", "at least one boulder"),
        ("side front", "left, right or blank"),
        ("drop high", "above 0"),
        ("striker " + "x" * 50, "at most 40 characters"),
        ("z" * 200, "letters r b y w"),
        ("\x00\x1b[A", "letters r b y w"),
    ],
)
def test_a_bad_line_is_told_in_one_and_changes_nothing(rocktower, line, told):
    result = rocktower("record", "hits.csv", stdin=f"{line}\nr\n")
    assert result.status == 0
    assert result.err.count("\n") == 1
    assert result.err.startswith("rocktower: ")
    assert told in result.err
    assert outs("hits.csv") == [(1, 0, 0, 0)]


def test_bytes_that_are_no_text_are_a_bad_line(tmp_path):
    done = subprocess.run(
        [*COMMAND, "hits.csv"], input=b"\xff\xfe\nstriker \xc3\nr\n", cwd=tmp_path,
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stderr.count(b"\n") == 1
    assert outs(tmp_path / "hits.csv") == [(1, 0, 0, 0)]


def test_help_is_a_line_away(rocktower):
    assert "a new turn" in rocktower("record", "hits.csv", stdin="?\n").err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name one file"),
        (("a.csv", "--sheet", "a.pdf"), "name one file"),
        (("new.csv", "--drop-cm", "x"), "drop_cm"),
        (("new.csv", "--session", "today"), "session"),
        (("new.csv", "--side", "front"), "side"),
        (("nowhere/new.csv",), "nowhere"),
        (("bad.csv",), "bad.csv: row 1: 'a, b'; the first row must name the columns"),
        ((".",), "directory"),
        (("/dev/null",), "/dev/null: not a file"),
        (("--sheet", "a.pdf", "--striker", "Anna"), "--striker is for recording"),
    ],
)
def test_what_cannot_begin_is_told_in_one_line(rocktower, tmp_path, arguments, told):
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    result = rocktower("record", *arguments, stdin="r\n")
    assert result.status == 2
    assert result.err.count("\n") == 1
    assert told in result.err
    assert not (tmp_path / "new.csv").exists()
    assert (tmp_path / "bad.csv").read_text() == "a,b\n1,2\n"


def test_a_torn_row_is_told_and_removed(rocktower, tmp_path):
    rocktower("record", "hits.csv", stdin="r\n")
    with (tmp_path / "hits.csv").open("a") as file:
        file.write("2026-11-30,1,1,2,1,,0,0")
    result = rocktower("record", "hits.csv", stdin="b\n")
    assert "cut short and is removed" in result.err
    assert outs("hits.csv") == [(1, 0, 0, 0), (0, 1, 0, 0)]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_killed_at_any_moment_it_has_lost_nothing_that_was_confirmed(tmp_path):
    """Killed while it writes row after row: each one it told of is there, and none is half."""
    path = tmp_path / "hits.csv"
    written = 0
    for told in (1, 7, 23, 2):
        process = subprocess.Popen(
            [*COMMAND, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert process.stdin is not None and process.stdout is not None  # noqa: PT018
        process.stdin.write("r b\n-\ny\nt\n" * 40)
        process.stdin.flush()
        before = written
        while written < before + told:
            written += "Written." in process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        # Not communicate(): it passes over what readline() has taken in already.
        written += process.stdout.read().count("Written.")
        process.wait()
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.close()
        hits = len(read_record(path).rows)
        assert written <= hits <= written + 1  # one may be on disk that it had no time to tell of
        assert path.read_bytes().endswith(b"\n")
        written = hits


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, *arguments: str, width: int = 80, **environment: str) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", **environment}, start_new_session=True,
        )  # fmt: skip
        self.slave = slave
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Read the screen until it shows a text."""
        end = time.monotonic() + 30
        while text not in self._plain():
            assert time.monotonic() < end, self._plain()[-2000:]
            if select.select([self.master], [], [], 1)[0]:
                self.seen += os.read(self.master, 65536).decode(errors="replace")

    def type(self, text: str) -> None:
        self.seen = ""
        os.write(self.master, text.encode())

    def end(self) -> int:
        """Wait for the command while reading on, so that it does not wait for us."""
        end = time.monotonic() + 30
        while self.process.poll() is None:
            assert time.monotonic() < end, self._plain()[-2000:]
            if select.select([self.master], [], [], 0.05)[0]:
                self.seen += os.read(self.master, 65536).decode(errors="replace")
        return self.process.returncode

    def _plain(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.seen)


@pytest.fixture
def terminal():
    pytest.importorskip("pty")
    opened = []

    def start(*arguments: str, **options: object) -> Terminal:
        opened.append(Terminal(*arguments, **options))
        return opened[-1]

    yield start
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
        os.close(one.master)
        os.close(one.slave)


def test_single_keys_on_a_terminal(terminal, tmp_path):
    import termios

    path = tmp_path / "hits.csv"
    desk = terminal(str(path), "--striker", "Anna")
    desk.wait_for("what fell out?")
    desk.type("r r b")  # with spaces, as one may read it aloud
    desk.wait_for("3 boulders")
    assert len(read_record(path).rows) == 0
    desk.type("\r")
    desk.wait_for("Written.")
    assert outs(path) == [(2, 1, 0, 0)]
    desk.type(" \r- \rw\x7fyj\x1b[Aw\rtupB")  # fast; an arrow key by mistake
    desk.wait_for("Who strikes? B")
    desk.type("oo\x7f\rssh?x")
    desk.wait_for("'x' is no key here")
    desk.type("r\rur\rbq")
    desk.wait_for("not confirmed")
    desk.type("q")
    assert desk.end() == 0
    assert "5 hits on disk" in desk.seen
    assert outs(path) == [(2, 1, 0, 0), (0,) * 4, (0,) * 4, (0, 0, 1, 0), (1, 0, 0, 0)]
    assert read_record(path).rows[3].back == (0, 0, 0, 1)
    row = read_record(path).rows[-1]
    assert (row.striker, row.side, row.strength) == ("Bo", "right", "gentle")
    assert termios.tcgetattr(desk.slave) == desk.before


def test_killed_on_a_terminal(terminal, tmp_path):
    path = tmp_path / "hits.csv"
    desk = terminal(str(path))
    desk.wait_for("what fell out?")
    desk.type("rr\r" * 3 + "bj")
    desk.wait_for("Which boulder jumped")
    desk.process.kill()
    desk.process.wait()
    assert outs(path) == [(2, 0, 0, 0)] * 3


@pytest.mark.parametrize("key", ["control C", "control D"])
def test_leaving_by_control_keys_is_leaving(terminal, tmp_path, key):
    path = tmp_path / "hits.csv"
    desk = terminal(str(path), width=30)
    desk.wait_for("what fell out?")
    desk.type("w\r")
    desk.wait_for("Written.")
    if key == "control C":
        desk.process.send_signal(signal.SIGINT)
    else:
        desk.type("\x04")
    assert desk.end() == 0
    assert "1 hit on disk" in desk.seen
    assert outs(path) == [(0, 0, 0, 1)]


def test_a_terminal_without_screen_takes_lines(terminal, tmp_path):
    path = tmp_path / "hits.csv"
    desk = terminal(str(path), TERM="dumb")
    desk.wait_for("the tower is filled")
    desk.type("r b\n")
    desk.wait_for("Written.")
    desk.type("\x04")
    assert desk.end() == 0
    assert "\x1b" not in desk.seen
    assert outs(path) == [(1, 1, 0, 0)]


def test_the_sheet(rocktower, tmp_path):
    result = rocktower("record", "--sheet", "sheet.pdf")
    assert result.status == 0
    assert "a sheet to print" in result.out
    content = (tmp_path / "sheet.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert b"/MediaBox [ 0 0 841.8" in content  # A4, landscape
    again = rocktower("record", "--sheet", "sheet.pdf")
    assert again.status == 2
    assert "exists already" in again.err
    assert (tmp_path / "sheet.pdf").read_bytes() == content


def test_the_sheet_has_the_columns_of_the_file_inside_the_page():
    figure = draw_sheet()
    figure.draw_without_rendering()
    page = figure.bbox
    texts = {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts}
    assert [name for name in texts if name in COLUMNS] == list(COLUMNS)
    for name, box in texts.items():
        assert page.x0 <= box.x0 < box.x1 <= page.x1, name
        assert page.y0 <= box.y0 < box.y1 <= page.y1, name
    columns = [texts[name] for name in COLUMNS]
    assert all(a.x1 <= b.x0 for a, b in pairwise(columns))
