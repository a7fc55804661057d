"""Towers for several people at once: one server simulates, everybody sees the same hit.

Only `serve` needs the extra ``serve``; a log is verified without it.
"""

from rocktower.server._run import serve
from rocktower.server._settings import DAY, Settings
from rocktower.server._verify import ServedLog, VerifiedEvent, read_served_log

__all__ = ["DAY", "ServedLog", "Settings", "VerifiedEvent", "read_served_log", "serve"]
