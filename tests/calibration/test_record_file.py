"""Recorded hits on disk: every row whole, nothing lost, nothing overwritten."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from rocktower.calibration import (
    COLUMNS,
    Recorder,
    RecordError,
    RecordFile,
    encode_record,
    read_record,
)
from rocktower.errors import RocktowerError
from tests.calibration.test_format import FULL, HEADER, NEXT, changed, text
from tests.calibration.test_recorder import hit, rows

EVENING = rows(hit(hit(Recorder(), "red", "white"), "blue"))


def test_a_new_file_is_appended_to_and_resumed(tmp_path):
    path = tmp_path / "hits.csv"
    with RecordFile(path) as file:
        assert file.is_new
        assert path.read_text() == HEADER + "\n"
        file.append(EVENING[0])
        assert path.read_text() == encode_record(EVENING[:1])
    with RecordFile(path) as file:
        assert not file.is_new
        assert file.record.rows == tuple(EVENING[:1])
        file.append(EVENING[1])
    assert path.read_text() == encode_record(EVENING)


def test_undo_removes_rows_also_of_the_session_before(tmp_path):
    path = tmp_path / "hits.csv"
    note = '"two\nlines, of an owner"'
    path.write_text(text(FULL, changed(NEXT) + note, "", changed(NEXT, hit="3", out_red="1")))
    with RecordFile(path) as file:
        file.undo()
        assert len(read_record(path).rows) == 2
        file.undo()
        assert path.read_text() == text(FULL)
        file.append(read_record(path).rows[0])
        file.undo()
        file.undo()
        assert path.read_text() == HEADER + "\n"


def test_the_columns_of_the_file_are_kept(tmp_path):
    path = tmp_path / "hits.csv"
    columns = ["weather", *reversed(COLUMNS)]
    path.write_text(",".join(columns) + "\n")
    with RecordFile(path) as file:
        file.append(EVENING[0])
    assert read_record(path).columns == tuple(columns)
    assert read_record(path).rows[0].out == EVENING[0].out


@pytest.mark.parametrize("cut", range(1, len(NEXT) - 2))
def test_a_row_that_was_cut_short_is_removed(tmp_path, cut):
    path = tmp_path / "hits.csv"
    path.write_text(text(FULL) + NEXT[:cut])
    with RecordFile(path) as file:
        assert [row.hit for row in file.record.rows] == [1]
        assert "cut short" in file.torn
        assert NEXT[:cut] in file.torn
    assert path.read_text() == text(FULL)


@pytest.mark.parametrize("torn", [NEXT + '"half of a note, with', NEXT[:40] + "ü"])
def test_a_note_or_a_letter_that_was_cut_is_removed(tmp_path, torn):
    path = tmp_path / "hits.csv"
    path.write_bytes(text(FULL).encode() + torn.encode().removesuffix(b"\xbc"))
    with RecordFile(path) as file:
        assert file.torn
    assert path.read_text() == text(FULL)


def test_a_last_line_without_its_end_is_a_row(tmp_path):
    path = tmp_path / "hits.csv"
    path.write_text(text(FULL, NEXT).removesuffix("\n"))
    with RecordFile(path) as file:
        assert file.torn is None
        file.append(replace(EVENING[1], hit=3))
        file.undo()
    assert path.read_text() == text(FULL, NEXT)


def test_a_mistake_in_a_last_line_is_told_and_not_removed(tmp_path):
    path = tmp_path / "hits.csv"
    for content in (text(FULL) + changed(NEXT, out_red="x"), text(FULL, changed(NEXT, hit="7"))):
        path.write_text(content)
        with pytest.raises(RecordError):
            RecordFile(path)
        assert path.read_text() == content


def test_another_program_that_writes_stops_the_recorder(tmp_path):
    path = tmp_path / "hits.csv"
    with RecordFile(path) as first, RecordFile(path) as second:
        first.append(EVENING[0])
        for act in (lambda: second.append(EVENING[0]), second.undo):
            with pytest.raises(RocktowerError, match="another program"):
                act()
        first.append(EVENING[1])
        copy = tmp_path / "copy.csv"
        copy.write_text(path.read_text())
        copy.replace(path)
        with pytest.raises(RocktowerError, match="another program"):
            first.undo()
    assert path.read_text() == encode_record(EVENING)


def test_a_full_disk_leaves_no_half_row(tmp_path, monkeypatch):
    path = tmp_path / "hits.csv"
    with RecordFile(path) as file:
        file.append(EVENING[0])
        write = os.write

        def half(where, content):
            if len(content) < 20:
                raise OSError(28, "No space left on device")
            return write(where, content[:15])

        monkeypatch.setattr("os.write", half)
        with pytest.raises(OSError, match="No space"):
            file.append(EVENING[1])
        monkeypatch.undo()
        assert path.read_text() == encode_record(EVENING[:1])
        file.append(EVENING[1])
    assert path.read_text() == encode_record(EVENING)
