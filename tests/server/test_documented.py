"""The page on the server names the options and limits that there are."""

import re
from pathlib import Path

from rocktower.cli.serve import serve
from rocktower.server import DAY, Settings

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")


def test_all_options_are_documented_and_no_others():
    options = {option for parameter in serve.params for option in parameter.opts}
    table = PAGE.split("| option | meaning |")[1].split("\n\n")[0]
    assert set(re.findall(r"--[a-z][a-z-]+", table)) == options


def test_the_documented_limits_are_the_defaults():
    limits, table = Settings(), PAGE.split("## Limits")[1].split("\n\n")[1]
    for limit in (
        f"{limits.max_body // 1024} KiB, within {limits.body_time:g} s",
        f"{limits.rate:g} a second, {limits.burst} at once",
        f"{limits.creations:g} an hour, {limits.creations_burst} at once",
        f"{limits.max_towers} (`--max-towers`), forgotten after {limits.expire / DAY:g} days",
        f"{limits.simulation_time:g} s (`--simulation-time`)",
        f"a worker | {limits.max_waiting} |",
        f"one tower | {limits.max_events} |",
        f"{limits.max_watchers}, {limits.max_watchers_of_one} of one tower",
        f"behind | {limits.watcher_queue} |",
    ):
        assert limit in table
