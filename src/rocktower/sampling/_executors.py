"""Where tasks run: in this process, in others, or on a Dask cluster."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rocktower.errors import RocktowerError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from types import ModuleType

__all__ = ["dask_executor", "local_executor", "needs", "prepare_worker"]

_SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")
_ADDRESSES = "give a scheduler's address, such as tcp://192.168.0.5:8786"
_PATIENCE = 10.0  # s, for a scheduler to answer


def needs(module: str, extra: str) -> ModuleType:
    """Import what an extra brings.

    Raises
    ------
    RocktowerError
        If it is not installed, with what to type.
    """
    try:
        return import_module(module)
    except ImportError:
        raise RocktowerError(
            f"{module.split('.', maxsplit=1)[0]} is not installed: pip install 'rocktower[{extra}]'"
        ) from None


@contextmanager
def local_executor(jobs: int) -> Iterator[Executor]:
    """Give an executor on this machine: so many processes, or one thread if `jobs` is 1.

    Scripts that ask for processes need the usual ``if __name__ == "__main__":``, because each
    process starts afresh and imports the script.
    """
    executor: Executor
    if jobs == 1:
        executor = ThreadPoolExecutor(1)
    else:
        # Not forked: a copy of a process with threads may hang.
        executor = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=prepare_worker)
    with executor:
        yield executor


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Give an executor on the Dask cluster whose scheduler is at `address`.

    Raises
    ------
    RocktowerError
        If Dask is not installed, or no scheduler answers there.
    """
    distributed = needs("distributed", "cluster")
    if not _is_address(address):
        raise RocktowerError(f"{address!r} is no Dask scheduler: {_ADDRESSES}")
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except OSError as error:  # a TimeoutError, too, is one
        raise RocktowerError(f"no Dask scheduler answers at {address}: {_ADDRESSES}") from error
    with client:
        yield client.get_executor()


def _is_address(address: str) -> bool:
    """Say whether Dask could understand it: what it cannot, it tries for ever."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        return parts.scheme in _SCHEMES and bool(parts.netloc) and parts.port != 0
    except ValueError:  # the port
        return False


def prepare_worker() -> None:
    """Leave Ctrl-C to the parent, which lets running tasks end; and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)  # nobody is left who could receive a result
