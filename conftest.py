"""Leaves out what cannot be imported because an extra is not installed."""

from __future__ import annotations

from importlib.util import find_spec

_SERVE = ("fastapi", "sqlalchemy", "uvicorn", "websockets")

collect_ignore_glob = []
if not all(map(find_spec, _SERVE)):
    # Examples in docstrings are looked for in every module, which imports it.
    collect_ignore_glob += ["src/rocktower/server/_*.py", "tests/server/strikers.py"]
