"""Gives the examples of serve.md a server to talk to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _server(
    request: pytest.FixtureRequest, doctest_namespace: dict[str, Any], tmp_path: Path
) -> Iterator[None]:
    """Put a client into the namespace of serve.md, and of no other page."""
    if request.node.name != "serve.md":
        yield
        return
    pytest.importorskip("fastapi", reason="the server needs: pip install 'rocktower[serve]'")
    pytest.importorskip("httpx2", reason="requests are sent with httpx2")
    from fastapi.testclient import TestClient

    from rocktower.server import Settings
    from rocktower.server._api import make_app

    app = make_app(Settings(database=str(tmp_path / "towers.db")))
    with TestClient(app) as client:
        doctest_namespace["client"] = client
        yield
