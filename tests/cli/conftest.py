"""Run the command line in this process, in a folder of its own."""

import io
import json
import sys
from dataclasses import dataclass

import pytest

from rocktower.cli import main


def local_cluster():
    """A Dask cluster of threads of this process."""
    from distributed import LocalCluster

    return LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)


@dataclass
class Result:
    status: int
    out: str
    err: str

    @property
    def json(self):
        assert self.status == 0, self.err
        assert self.out.count("\n") == 1
        return json.loads(self.out)


@pytest.fixture
def rocktower(tmp_path, monkeypatch, capsys):
    """Give a function that runs `rocktower` and gives back status, output and error text."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=""):
        monkeypatch.setattr(sys, "argv", ["rocktower", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = stop.code or 0
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Result(status, captured.out, captured.err)

    return run
