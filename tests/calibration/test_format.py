"""The CSV form of recorded hits: what is written is read, and every fault has its place."""

from __future__ import annotations

import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocktower.calibration import (
    COLUMNS,
    Amount,
    RecordError,
    decode_record,
    encode_record,
    find_cautions,
    read_record,
    summarize,
)
from rocktower.errors import RocktowerError
from tests.calibration.strategies import records

HEADER = ",".join(COLUMNS)
FULL = "2026-11-30,1,1,1,1,Anna,11,11,11,11,,2,1,0,0,,0,0,0,0,normal,,left,held,,"
NEXT = "2026-11-30,1,1,2,1,Anna,0,0,0,0,,0,0,0,0,,0,0,0,0,normal,,left,held,,"
COLORS_UNKNOWN = dict.fromkeys(("out_red", "out_blue", "out_yellow", "out_white"), "")


def text(*rows: str) -> str:
    return "\n".join((HEADER, *rows)) + "\n"


def changed(row: str, **cells: str) -> str:
    values = dict(zip(COLUMNS, row.split(","), strict=True)) | cells
    return ",".join(values.values())


def refusal(content: str) -> RecordError | None:
    try:
        decode_record(content)
    except RecordError as error:
        return error
    return None


def faults(content: str) -> list[str]:
    with pytest.raises(RecordError) as caught:
        decode_record(content)
    assert all("\n" not in str(fault) for fault in caught.value.faults)
    return [str(fault) for fault in caught.value.faults]


@given(records())
def test_what_is_written_is_read(rows):
    content = encode_record(rows)
    record = decode_record(content)
    assert list(record.rows) == rows
    assert encode_record(record.rows) == content
    summary = summarize(record)
    assert summary.hits == record.hits
    assert find_cautions(record)


@given(records(), st.randoms(use_true_random=False))
def test_the_order_of_the_columns_does_not_matter(rows, random):
    content = encode_record(rows)
    table = list(csv.DictReader(io.StringIO(content)))
    columns = next(csv.reader(io.StringIO(content)))
    random.shuffle(columns)
    shuffled = io.StringIO()
    writer = csv.DictWriter(shuffled, columns)
    writer.writeheader()
    writer.writerows(table)
    read = decode_record(shuffled.getvalue())
    assert [row.out for row in read.rows] == [row.out for row in rows]
    assert [dict(row.extra) for row in read.rows] == [dict(row.extra) for row in rows]


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(content):
    for attempt in (content, text(content), f"{HEADER}\n{FULL}\n{content}"):
        error = refusal(attempt)
        assert error is None or error.faults
        assert "\n" not in str(error)


@given(st.data())
def test_a_spoiled_cell_is_read_or_named(data):
    """Whatever stands in one cell: no traceback, and a fault names that row."""
    column = data.draw(st.sampled_from(COLUMNS))
    cell = data.draw(
        st.sampled_from(
            ("", "-1", "12", "99999999999999999999", "1.5", "٣", "all", "3+", "x", "NaN")
        )
        | st.text(st.characters(blacklist_characters='",\n\r'), max_size=8)
    )
    error = refusal(text(FULL, changed(NEXT, **{column: cell})))
    assert error is None or {fault.row for fault in error.faults} == {3}


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("bytes") / "hits.csv"
    for start in (b"", text(FULL).encode()):
        path.write_bytes(start + content)
        with suppress(RocktowerError):
            assert read_record(path).name == str(path)


@pytest.mark.parametrize(
    ("row", "column", "told"),
    [
        (changed(NEXT, session="30.11.2026"), "session", "a date such as 2026-11-30"),
        (changed(NEXT, session="2026-02-30"), "session", "a date such as"),
        (changed(NEXT, filling="0"), "filling", "a whole number"),
        (changed(NEXT, filling="3"), "filling", "1 or 2 comes next"),
        (changed(NEXT, turn="3"), "turn", "1 or 2 comes next"),
        (changed(NEXT, hit="4"), "hit", "2 comes next"),
        (changed(NEXT, hit="1"), "hit", "2 comes next"),
        (changed(NEXT, hits="0"), "hits", "1 to 500"),
        (changed(NEXT, out_red=""), "out_red", "0 for none"),
        (changed(NEXT, out_red="-2"), "out_red", "0 to 11"),
        (changed(NEXT, out_red="12"), "out_red", "0 to 11"),
        (changed(NEXT, out_red="10"), "out_red", "10 red came out, but only 9 inside"),
        (changed(NEXT, out_red="10+"), "out_red", "10 red came out, but only 9 inside"),
        (changed(NEXT, **COLORS_UNKNOWN, out_total="42"), "out_total", "only 41 were inside"),
        (changed(NEXT, out_red="4", out_total="3"), "out_total", "the colors add up to 4"),
        (changed(NEXT, added_red="3"), "added_red", "only 2 had come out"),
        (changed(NEXT, added_red=""), "added_red", "a whole number from 0 to 11"),
        (changed(NEXT, added_red="", added_total="4"), "added_total", "only 3 had come out"),
        (changed(NEXT, added_total="all"), "added_total", "leave the colors"),
        (changed(NEXT, added_total="2"), "added_total", "the colors add up to 0"),
        (changed(NEXT, back_blue="x"), "back_blue", "a whole number"),
        (changed(NEXT, strength="hard"), "strength", "gentle, normal, firm"),
        (changed(NEXT, drop_cm="12;5"), "drop_cm", "such as 12.5"),
        (changed(NEXT, drop_cm="0"), "drop_cm", "above 0"),
        (changed(NEXT, side="front"), "side", "left, right"),
        (changed(NEXT, held="firm"), "held", "loose, held, pressed"),
        (changed(NEXT, flag="odd"), "flag", "miss, spill"),
        (changed(NEXT, striker="x" * 41), "striker", "at most 40"),
        (NEXT + ",", "", "27 cells, but the header has 26"),
    ],
)
def test_a_fault_is_named_by_row_and_column(row, column, told):
    (fault,) = faults(text(FULL, row))
    assert fault.startswith(f"row 3, column {column}: " if column else "row 3: ")
    assert told in fault


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (changed(FULL, added_red=""), "added_red"),
        (changed(FULL, added_red="", added_total="43"), "added_red"),
        (
            changed(FULL, **{f"added_{c}": "0" for c in ("red", "blue", "yellow", "white")}),
            "filled",
        ),
        (changed(FULL, turn="2"), "1 comes next"),
        (changed(FULL, hit="2"), "1 comes next"),
    ],
)
def test_the_first_row_says_what_was_filled_in(row, told):
    (fault,) = faults(text(row))
    assert fault.startswith("row 2, ")
    assert told in fault


def test_all_faults_are_named_and_none_follows_from_another():
    bad = changed(NEXT, out_red="x", side="top")
    later = changed(NEXT, hit="3", out_red="9")
    new = changed(FULL, filling="2", out_red="12")
    found = faults(text(FULL, bad, later, new, changed(FULL, filling="3")))
    assert [fault.split(":")[0] for fault in found] == [
        "row 3, column out_red", "row 3, column side", "row 5, column out_red",
    ]  # fmt: skip


def test_a_filling_after_a_faulty_one_is_followed():
    impossible = changed(NEXT, filling="2", out_blue="11", hit="2")
    found = faults(text(FULL, changed(NEXT, out_red="x"), changed(FULL, filling="2"), impossible))
    assert [fault.split(":")[0] for fault in found] == [
        "row 3, column out_red", "row 5, column out_blue",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "row 1: the file is empty; the first row must name the columns: session, filling"),
        ("\n  \n", "row 1: the file is empty; the first row must name the columns: session"),
        ("sep=,\n" + HEADER + "\n", "row 1: 'sep='; the first row must name the columns: session"),
        (HEADER.replace("session", "day") + "\n", "row 1, column session: this column is missing"),
        (HEADER.replace(",", ";") + "\n", "row 1: the columns must be separated by commas"),
        (HEADER + ",note\n", "row 1, column note: is there twice"),
        (HEADER + ",\n", "row 1: a column needs a name"),
        (HEADER.replace("out_red", "red") + "\n", "row 1, column out_red: this column is missing"),
        (text(FULL, '"open'), "row 3: not CSV"),
    ],
)
def test_a_file_without_the_columns_is_refused(content, told):
    assert faults(content)[0].startswith(told)


def test_optional_columns_may_be_missing_and_unknown_ones_stay():
    columns = [*COLUMNS[:4], *COLUMNS[6:10], *COLUMNS[11:15], "weather"]
    content = ",".join(columns) + "\n,1,1,1,11,11,11,11,1,0,0,0,rain\n"
    record = decode_record(content)
    (row,) = record.rows
    assert (row.hits, row.striker, row.strength, row.extra) == (1, "", None, (("weather", "rain"),))
    assert any("'weather' is not known" in str(c) for c in find_cautions(record))
    assert decode_record(encode_record(record.rows)).rows == record.rows


def test_blank_lines_spaces_and_a_byte_order_mark_are_fine(tmp_path):
    path = tmp_path / "hits.csv"
    spaced = NEXT.replace(",", " , ")
    path.write_bytes(b"\xef\xbb\xbf" + text(FULL, "", ",,,", spaced).replace("\n", "\r\n").encode())
    record = read_record(path)
    assert [row.hit for row in record.rows] == [1, 2]
    assert record.positions == (2, 5)


def test_a_coarse_row_is_read():
    coarse = changed(FULL, hits="5", out_red="7", out_blue="", out_yellow="2+", out_white="",
                     out_total="17")  # fmt: skip
    record = decode_record(text(coarse, changed(NEXT, hit="6")))
    row = record.rows[0]
    assert row.hits == 5
    assert not row.is_fine
    assert row.out == (Amount(7, 7), Amount(0, 11), Amount(2, 11), Amount(0, 11))
    assert row.out_total == Amount(17, 17)


def test_no_file_and_a_folder_are_clear(tmp_path):
    with pytest.raises(RocktowerError, match="no such file"):
        read_record(tmp_path / "none.csv")
    with pytest.raises(RocktowerError, match="cannot be read"):
        read_record(tmp_path)
    (tmp_path / "latin.csv").write_bytes(text(changed(FULL, note="über")).encode("latin-1"))
    with pytest.raises(RocktowerError, match="UTF-8"):
        read_record(tmp_path / "latin.csv")
