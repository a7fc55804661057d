"""Pictures and movies, with or without a display."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pygame
from PIL import Image

from rocktower.errors import RocktowerError
from rocktower.files import new_file
from rocktower.viewer._painter import Painter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import ModuleType

    from rocktower.viewer._frame import Frame
    from rocktower.viewer._replay import LogReplay

__all__ = ["check_format", "film", "frame_rate", "picture", "save_movie", "save_picture"]

FORMATS = (".png", ".gif", ".mp4")
SIZE = (1280, 720)
_GIF_SIZE = (960, 540)
GIF_RATE = 25  # frames a second: a GIF counts in hundredths of a second
MP4_RATE = 50
_GIF_COLORS = 96


def check_format(path: Path) -> None:
    """Raise `RocktowerError` unless a picture or movie of this name can be written here."""
    if path.suffix.lower() not in FORMATS:
        raise RocktowerError(f"{path}: a movie's name ends in {', '.join(FORMATS)}")
    if path.suffix.lower() == ".mp4":
        _av()


def frame_rate(path: Path) -> int:
    """Return how many frames a second a movie of this name has."""
    return MP4_RATE if path.suffix.lower() == ".mp4" else GIF_RATE


def film(replay: LogReplay, frames_per_second: int) -> list[Frame]:
    """Play all hits of a log, or of strikes, at the session's rate; return the frames."""
    frames: list[Frame] = []
    for _ in range(replay.total):
        replay.next()
        if replay.job is not None:
            replay.finish(replay.job.run())
        frames += replay.film(frames_per_second)
        replay.skip()
    return frames


def picture(frame: Frame, size: tuple[int, int] = SIZE) -> Image.Image:
    """Draw a frame as a Pillow image, which notebooks show by themselves."""
    surface = pygame.Surface(size, 0, 32)
    Painter().draw(surface, frame)
    return _image(surface)


def save_picture(path: Path, frame: Frame, size: tuple[int, int] = SIZE) -> None:
    """Write a frame as a PNG; raise `RocktowerError` if the file exists."""
    with new_file(path) as beside:
        picture(frame, size).save(beside, format="PNG")


def save_movie(path: Path, frames: Iterable[Frame]) -> None:
    """Write frames, `frame_rate` of them a second, as GIF or MP4; or the last one as PNG.

    Raises
    ------
    RocktowerError
        If the file exists, its name ends in something else, or what writes MP4 is missing.
    """
    check_format(path)
    if not (made := list(frames)):
        raise RocktowerError(f"{path}: there is no hit to show")
    with new_file(path) as beside:
        if path.suffix.lower() == ".mp4":
            _save_mp4(beside, made)
        elif path.suffix.lower() == ".png":
            picture(made[-1]).save(beside, format="PNG")
        else:
            _save_gif(beside, made)


def _image(surface: pygame.Surface) -> Image.Image:
    return Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))


def _drawn(frames: Iterable[Frame], size: tuple[int, int]) -> Iterator[Image.Image]:
    painter, surface = Painter(), pygame.Surface(size, 0, 32)
    for frame in frames:
        painter.draw(surface, frame)
        yield _image(surface)


def _save_gif(path: Path, frames: Iterable[Frame]) -> None:
    """Write a GIF whose frames share the palette of the first, so that nothing flickers."""
    images = _drawn(frames, _GIF_SIZE)
    first = next(images).quantize(
        _GIF_COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    rest = (image.quantize(palette=first, dither=Image.Dither.NONE) for image in images)
    first.save(
        path, format="GIF", save_all=True, append_images=rest,
        duration=1000 // GIF_RATE, loop=0, optimize=False,
    )  # fmt: skip


def _save_mp4(path: Path, frames: Iterable[Frame]) -> None:
    av = _av()
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=MP4_RATE)
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, MP4_RATE)
        for image in _drawn(frames, SIZE):
            container.mux(stream.encode(av.VideoFrame.from_image(image)))
        container.mux(stream.encode())


def _av() -> ModuleType:
    try:
        import av
    except ImportError:
        raise RocktowerError(
            "MP4 needs PyAV: pip install 'rocktower[movie]' (a .gif needs nothing more)"
        ) from None
    return av
