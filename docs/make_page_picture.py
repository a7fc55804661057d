"""Photograph the server's page in Chromium for docs/page.md: python docs/make_page_picture.py."""

import base64
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SEED, LIMIT = 14, 6
STRIKES = (("left", "normal"), ("left", "firm"), ("right", "normal"), ("left", "normal"))


def main(folder: Path) -> None:
    """Write the picture into a folder."""
    sys.path.insert(0, str(ROOT))
    from tests.server.page.conftest import Server, browser, until

    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        browsers = browser()
        page = next(browsers)
        try:
            game = server.tower(name="Friday night", seed=SEED, reproducible=True)
            page.emulate(prefers_reduced_motion="reduce")
            page.open(game.player_link)
            page.fill("limit", LIMIT)
            for side, strength in STRIKES:
                game.strike(side=side, strength=strength)
            until(lambda: page.text("history-count") == str(len(STRIKES)))
            page.js("document.activeElement.blur(); scrollTo(0, 0)")
            until(page.is_at_rest)
            shot = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        finally:
            next(browsers, None)
            server.stop()
    (folder / "page.png").write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
