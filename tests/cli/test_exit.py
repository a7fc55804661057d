"""What all commands have in common where a disk is full, or the person interrupts them."""

from __future__ import annotations

import resource
from contextlib import contextmanager

import pytest

START = ("draw", "trollhalla", "start", "Anna", "Bea", "--seed", 1)


@contextmanager
def no_file_larger_than(size: int):
    """As on a full disk, the error doesn't name the file by itself."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    "command",
    [
        ("play", "trollfjord", "--players", "greedy,greedy", "--source", "bag", "--log", "made"),
        (*START, "--log", "made"),
        ("hammer", "--hits", 1, "--log", "made"),
        ("emulate", "--turns", 1, "--jobs", 1, "--out", "made"),
    ],
    ids=lambda command: command[0],
)
def test_a_file_that_cannot_be_written_is_named(rocktower, command):
    with no_file_larger_than(64):
        done = rocktower(*command)
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith("rocktower: made")
    assert done.err.endswith(": File too large\n")


def test_an_event_that_cannot_be_written_is_not_lost_in_silence(rocktower, tmp_path):
    rocktower(*START, "--log", "made")
    before = (tmp_path / "made").read_bytes()
    with no_file_larger_than(len(before)):
        done = rocktower("draw", "trollhalla", "roll", "--log", "made")
    assert done.status == 2
    assert done.err.endswith("rocktower: made: File too large\n")
    assert (tmp_path / "made").read_bytes() == before


@pytest.mark.parametrize(
    ("command", "function"),
    [
        (("hammer",), "rocktower.RockTower.strike"),
        (("validate", "pipe", "--quick"), "rocktower.validation.Lab.trials"),
        (("validate", "pipe", "--out", "found"), "rocktower.validation.Lab.trials"),
        (("sample", "--turns", 1, "--out", "a.csv"), "rocktower.cli.sample.sample_to_file"),
        (
            ("arena", "--players", "greedy,random", "--out", "a.csv"),
            "rocktower.cli.arena.play_arena",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_whoever_interrupts_gets_130_and_a_line(rocktower, monkeypatch, command, function):
    def interrupt(*_: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(function, interrupt)
    done = rocktower(*command)
    assert (done.status, "kept" in done.err) == (130, "--out" in command)
    assert done.out == ""
    assert done.err.endswith("rocktower: interrupted\n")


@pytest.mark.parametrize("digits", ["٣", "३"])
def test_digits_of_other_scripts_are_digits(rocktower, digits):
    """As Python takes them, in every option that is a number; texts of boulders are plain."""
    assert len(rocktower("hammer", "--hits", digits, "--seed", digits, "--json").json["hits"]) == 3
    assert rocktower("odds", "trollfjord", "--limit", 9, "--hits", digits).status == 2


@pytest.mark.parametrize("value", ["³", "Ⅲ", "三"])
def test_what_only_looks_like_a_digit_is_refused_in_one_line(rocktower, value):
    for command in (
        ("hammer", "--hits", value),
        ("odds", "trollfjord", "--limit", 3, "--hits", value),
    ):
        done = rocktower(*command)
        assert done.status == 2
        assert value in done.err
        assert done.err.count("\n") == 1
