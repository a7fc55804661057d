"""A server in this process, and one in a process of its own that can be killed."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from threading import Thread
from time import monotonic_ns, sleep

import pytest

from rocktower.server import Settings
from rocktower.tower import TowerModel, encode_model

LOOSE = {
    "workers": 1,
    "rate": 1e6,
    "burst": 10**6,
    "creations": 1e6,
    "creations_burst": 10**6,
    "simulation_time": 120.0,
}
"""Settings that let a test do as much as it likes, on a machine as busy as it likes."""


class Table:
    """A tower on a server, and the people around it."""

    def __init__(self, client, **what):
        answer = client.post("/api/v1/towers", json=what)
        assert answer.status_code == 201, answer.text
        self.client, self.created = client, answer.json()
        self.path = f"/api/v1/towers/{self.created['tower']['id']}"
        self.player = {"Authorization": f"Bearer {self.created['player_token']}"}
        self.spectator = {"Authorization": f"Bearer {self.created['spectator_token']}"}

    def get(self, path="", headers=None):
        return self.client.get(self.path + path, headers=headers or self.spectator)

    def post(self, path, body=None, headers=None, **more):
        return self.client.post(
            self.path + path, json=body, headers={**self.player, **(headers or {})}, **more
        )

    def strike(self, side="left", height=0.55, strength="firm", key=None, **more):
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"side": side, "height": height, "strength": strength, **more}
        return self.post("/strikes", body, headers)

    def read(self):
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return answer.json()

    def events(self):
        return self.get("/events").json()["events"]

    def log(self):
        answer = self.get("/log")
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        return answer.text

    def close(self):
        answer = self.post("/close")
        assert answer.status_code == 200, answer.text
        return answer.json()


@contextmanager
def served(tmp_path, **settings):
    """Run a server in this process; give its client."""
    from fastapi.testclient import TestClient

    from rocktower.server._api import make_app

    settings = {"database": str(tmp_path / "towers.db"), **LOOSE, **settings}
    with TestClient(make_app(Settings(**settings))) as client:
        yield client


@contextmanager
def listening(tmp_path, **settings):
    """Run a server in a thread, behind a real socket with a small buffer; give host and port."""
    import uvicorn

    from rocktower.server._api import make_app

    settings = {"database": str(tmp_path / "towers.db"), **LOOSE, **settings}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        config = uvicorn.Config(
            make_app(Settings(**settings)), log_config=None, timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive()
                sleep(0.01)
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def client(tmp_path_factory):
    with served(tmp_path_factory.mktemp("server"), workers=2) as client:
        yield client


@pytest.fixture(scope="session")
def slow_model():
    """A small tower whose strikes take a second or so, long enough for others to come in."""
    text = encode_model(TowerModel.load())
    text, count = re.subn(r"time_step = \{ value = [0-9.e-]+", "time_step = { value = 5e-05", text)
    assert count == 1
    return text


class Process:
    """A server in a process of its own."""

    def __init__(self, folder, *arguments):
        self._file = folder / f"server-{monotonic_ns()}.txt"
        with self._file.open("wb") as file:
            # A session of its own: a Ctrl-C then reaches it and its workers, and not the tests.
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "rocktower", "serve", "--port", "0"),
                    *("--workers", "1", "--simulation-time", "120"),
                    *("--rate", "100000", "--creations", "100000", *arguments),
                ],
                stderr=file, stdout=subprocess.DEVNULL, cwd=folder, start_new_session=True,
            )  # fmt: skip
        while "startup complete" not in self.said():
            assert self.process.poll() is None, self.said()
            sleep(0.02)
        self.url = re.search(r"http://\S+", self.said()).group()

    def said(self):
        return self._file.read_text("utf-8")

    def interrupt(self):
        """Press Ctrl-C in its terminal."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def start(tmp_path):
    """Give a function that starts a server on this test's database."""
    running = []

    def begin(*arguments):
        running.append(Process(tmp_path, *arguments))
        return running[-1]

    yield begin
    for server in running:
        server.kill()
