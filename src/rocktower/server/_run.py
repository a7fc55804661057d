"""Run a server until it is told to stop."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

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
        If the extra is not installed, or the database cannot be used.
    OSError
        If the address cannot be listened at.
    """
    for module in _EXTRA:
        needs(module, "serve")
    import uvicorn

    from rocktower.server._api import make_app

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=1024) as listener:
        app = make_app(settings)
        config = uvicorn.Config(
            app,
            log_config=_LOGGING,
            ws_max_size=_MOST_OF_A_CLIENT,
            server_header=False,
            proxy_headers=is_behind_proxy,
            timeout_graceful_shutdown=_GRACE,
        )
        shown = f"[{host}]" if ":" in host else host
        ready(f"http://{shown}:{listener.getsockname()[1]}")
        # uvicorn stops in good order at both, and raises them again when it has stopped.
        before = {number: signal.signal(number, _stopped) for number in _STOP}
        try:
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


_STOP = (signal.SIGINT, signal.SIGTERM)


def _stopped(_number: int, _frame: object) -> None:
    """Do nothing: that the server has stopped is all that was asked for."""
