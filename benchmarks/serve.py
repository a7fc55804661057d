"""What the server costs: python benchmarks/serve.py [--clients 50] [--seconds 10] [--rounds 3].

Strikes a second and their latency with many clients on this machine, each at a tower of its own,
beside the bare model in as many processes. Both do the same: a firm strike from either side in
turn, and after each fifth one what fell out is dropped in again. Bare and served take turns, so
that other load on the machine meets both.

On a busy machine the clock favors whoever has more processes, so CPU time is told as well: that of
the bare model for a strike, over that of the server with its workers. The clients' own time is told
apart; where they run elsewhere it does not count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import monotonic, process_time, sleep

import numpy as np

from rocktower.server._events import Aim, drop, fill, hit
from rocktower.server._fairness import Secret
from rocktower.tower import TowerModel

REFILL = 5
SIDES = ("left", "right")
TICKS = os.sysconf("SC_CLK_TCK")


def strike_bare(seconds: float) -> tuple[int, float, float]:
    """Strike in this process; return strikes, seconds of the clock, seconds of CPU."""
    model, secret = TowerModel.load(), Secret.draw()
    full = dict(model.boulders.colors)
    state = fill(model, secret, full).state
    strikes = n = 0
    start, cpu = monotonic(), process_time()
    while monotonic() < start + seconds:
        n += 1
        if n % (REFILL + 1) == 0:
            outside = {c: sum(b.color == c for b in state.outside) for c in full}
            if any(outside.values()):
                state = drop(model, secret, n, state, outside).state
            continue
        state = hit(model, secret, n, state, Aim(SIDES[n % 2], 0.55, "firm")).state
        strikes += 1
    return strikes, monotonic() - start, process_time() - cpu


class Client:
    """One connection that is kept open; as plain as can be, since it runs on the same machine."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._token = ""
        self.latencies: list[float] = []
        self.strikes = 0

    async def connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(*self._address)

    async def create(self) -> None:
        await self.connect()
        made = await self._post("/api/v1/towers", {})
        self._path = f"/api/v1/towers/{made['tower']['id']}"
        self._token, self._watching = made["player_token"], made["spectator_token"]
        self._outside = made["tower"]["outside"]

    async def _post(self, path: str, body: dict) -> dict:
        text = json.dumps(body)
        self._writer.write(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self._token}\r\nContent-Length: {len(text)}\r\n\r\n"
            f"{text}".encode()
        )
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(re.search(r"content-length: (\d+)", head).group(1))
        answer = json.loads(await self._reader.readexactly(length))
        if " 20" not in head.split("\r\n")[0]:
            raise RuntimeError(answer)
        return answer

    async def watch(self) -> None:
        """Watch this tower until cancelled."""
        from websockets.asyncio.client import connect

        host, port = self._address
        async with connect(f"ws://{host}:{port}{self._path}/stream", max_queue=None) as stream:
            await stream.send(json.dumps({"token": self._watching}))
            async for _ in stream:
                pass

    async def play(self, until: float, pause: float) -> None:
        number = 0
        if pause:
            await asyncio.sleep(pause * np.random.default_rng(id(self)).random())
        while monotonic() < until:
            number += 1
            if number % (REFILL + 1) == 0:
                if any(self._outside.values()):
                    answer = await self._post(f"{self._path}/boulders", self._outside)
                    self._outside = answer["outside"]
                continue
            aim = {"side": SIDES[number % 2], "height": 0.55, "strength": "firm"}
            start = monotonic()
            answer = await self._post(f"{self._path}/strikes", aim)
            self.latencies.append(monotonic() - start)
            self._outside = answer["outside"]
            self.strikes += 1
            if pause:
                await asyncio.sleep(pause)


def cpu_of(process: int) -> float:
    """CPU seconds of a process and its children (Linux)."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / TICKS + sum(cpu_of(int(child)) for child in children)


async def strike_served(url: str, server: int, options: argparse.Namespace) -> dict:
    host, port = url.removeprefix("http://").split(":")
    players = [Client(host, int(port)) for _ in range(options.clients)]
    for player in players:
        await player.create()
    watchers = [asyncio.create_task(player.watch()) for player in players if options.watched]
    await asyncio.sleep(0.5)
    for player in players:
        await player.connect()  # the server closes what is idle for some seconds
    start, cpu, own = monotonic(), cpu_of(server), process_time()
    await asyncio.gather(
        *(player.play(start + options.seconds, options.pause) for player in players)
    )
    took, cpu, own = monotonic() - start, cpu_of(server) - cpu, process_time() - own
    for watcher in watchers:
        watcher.cancel()
    latencies = [latency for player in players for latency in player.latencies]
    return {
        "strikes": sum(player.strikes for player in players),
        "seconds": took,
        "cpu": cpu,
        "client_cpu": own,
        "latencies": latencies,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each part of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pause", type=float, default=0.0, help="between a client's strikes, s")
    parser.add_argument("--watched", action="store_true", help="somebody watches every tower")
    parser.add_argument("--database", help="instead of SQLite in a new folder")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.txt"
        arguments = ["--port", "0", "--workers", str(options.workers), "--rate", "1e6"]
        arguments += ["--creations", "1e6", "--max-towers", "1000000"]
        arguments += ["--database", options.database or str(Path(folder) / "towers.db")]
        with log.open("wb") as file:
            server = subprocess.Popen(
                [sys.executable, "-m", "rocktower", "serve", *arguments], stderr=file, cwd=folder
            )
        try:
            while "startup complete" not in log.read_text("utf-8"):
                if server.poll() is not None:
                    raise SystemExit(log.read_text("utf-8"))
                sleep(0.05)
            url = re.search(r"http://\S+", log.read_text("utf-8")).group()
            bare, served = rounds(options, url, server.pid)
        finally:
            server.terminate()
            server.wait()
    tell(options, bare, served)


def rounds(options: argparse.Namespace, url: str, server: int) -> tuple[list, list]:
    bare, served = [], []
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        list(pool.map(strike_bare, [0.1] * options.workers))  # imports
        for _ in range(options.rounds):
            bare.append(list(pool.map(strike_bare, [options.seconds] * options.workers)))
            served.append(asyncio.run(strike_served(url, server, options)))
    return bare, served


def tell(options: argparse.Namespace, bare: list, served: list) -> None:
    bare_rates = [sum(strikes / seconds for strikes, seconds, _ in part) for part in bare]
    served_rates = [part["strikes"] / part["seconds"] for part in served]
    alone = [one for part in bare for one in part]
    bare_cpu = sum(cpu for _, _, cpu in alone) / sum(strikes for strikes, _, _ in alone)
    strikes = sum(part["strikes"] for part in served)
    cpu = sum(part["cpu"] for part in served) / strikes
    client_cpu = sum(part["client_cpu"] for part in served) / strikes
    latencies = np.array([latency for part in served for latency in part["latencies"]]) * 1000
    print(
        f"{platform.machine()}, {len(os.sched_getaffinity(0))} processors, {options.workers} "
        f"workers, {options.clients} clients{', all towers watched' if options.watched else ''}, "
        f"pause {options.pause:g} s, {options.rounds} rounds of {options.seconds:g} s, load "
        f"average {os.getloadavg()[0]:.1f}"
    )
    print(f"bare    {median(bare_rates):7.1f} strikes/s  {1000 * bare_cpu:6.1f} ms of CPU each")
    print(
        f"served  {median(served_rates):7.1f} strikes/s  {1000 * cpu:6.1f} ms of CPU each", end=""
    )
    print(f", clients {1000 * client_cpu:.1f} ms")
    ratios = [a / b for a, b in zip(served_rates, bare_rates, strict=True)]
    print(f"served / bare: {median(ratios):.0%} by the clock, {bare_cpu / cpu:.0%} by CPU")
    low, high = np.percentile(latencies, [50, 99])
    print(f"latency: median {low:.0f} ms, 99 % {high:.0f} ms ({len(latencies)} strikes)")


if __name__ == "__main__":
    main()
