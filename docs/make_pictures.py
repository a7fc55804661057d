"""Draw the README's picture, with the code that draws the window: python docs/make_pictures.py."""

import sys
from pathlib import Path

from rocktower import TowerModel
from rocktower.viewer import Session, picture

HITS = 5
MOMENT = 0.21  # s after the last blow


def main(folder: Path) -> None:
    """Write the picture into a folder."""
    session = Session(TowerModel.load(), seed=11, limit=6)
    for _ in range(HITS):
        session.skip()
        session.strike()
        session.finish(session.job.run())
    session.player.time = MOMENT
    picture(session.frame()).save(folder / "tower.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
