"""Run a server until it is told to stop."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

from rocktower.errors import RocktowerError
from rocktower.sampling import needs

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.server._settings import Settings

__all__ = ["serve"]

_EXTRA = ("fastapi", "uvicorn", "websockets", "sqlalchemy")
_GRACE = 15  # s, for requests under way when the server is told to stop
_MOST_OF_A_CLIENT = 4096  # bytes of a stream's message; it is a token

_LINE = "%(asctime)s %(levelname)s %(message)s"
_LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": _LINE}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False}},
}


def serve(
    settings: Settings,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    is_behind_proxy: bool = False,
    ready: Callable[[str], None] = print,
) -> None:
    """Serve until SIGINT or SIGTERM; strikes under way are then finished, or not answered.

    Parameters
    ----------
    settings
        Limits, and where the towers are kept.
    host, port
        Where to listen; port 0 takes any.
    is_behind_proxy
        Whether to believe the headers in which a reverse proxy on this machine names its clients.
    ready
        Is called with the server's address when it listens.

    Raises
    ------
    RocktowerError
        If the extra is not installed, the address cannot be listened at, or the database cannot
        be used.
    """
    for module in _EXTRA:
        needs(module, "serve")
    import uvicorn

    from rocktower.server._api import make_app

    with _listener(host, port) as listener:
        app = make_app(settings)
        config = uvicorn.Config(
            app,
            log_config=_LOGGING,
            ws_max_size=_MOST_OF_A_CLIENT,
            server_header=False,
            proxy_headers=is_behind_proxy,
            timeout_graceful_shutdown=_GRACE,
        )
        ready(f"http://{_shown(host)}:{listener.getsockname()[1]}")
        # uvicorn stops in good order at both, and raises them again when it has stopped.
        before = {number: signal.signal(number, _stopped) for number in _STOP}
        try:
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _listener(host: str, port: int) -> socket.socket:
    if not host.strip():  # which sockets take for every address of this machine
        raise RocktowerError("--host: name an address, such as 127.0.0.1; 0.0.0.0 is all of them")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, UnicodeError) as error:
        # What Python adds to the system's words repeats the address.
        reason = str(getattr(error, "strerror", None) or error).partition(" (while")[0]
        raise RocktowerError(f"cannot listen at {_shown(host)}:{port}: {reason}") from None


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


_STOP = (signal.SIGINT, signal.SIGTERM)


def _stopped(_number: int, _frame: object) -> None:
    """Do nothing: that the server has stopped is all that was asked for."""
