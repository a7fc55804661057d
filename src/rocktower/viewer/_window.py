"""The window: the edge where keys, mouse and time come in, and frames go out to a display."""

from __future__ import annotations

import os
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from rocktower.errors import RocktowerError
from rocktower.viewer._export import frame_rate, save_movie, save_picture
from rocktower.viewer._painter import Painter

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocktower.tower import Side
    from rocktower.viewer._layout import Layout
    from rocktower.viewer._show import Job, Show

__all__ = ["Window", "check_display", "run"]

_FRAMES_PER_SECOND = 60
_SIZE = (1280, 720)
_LONGEST_STEP = 0.1  # s: after a hiccup the playback goes on where it was
_NO_DISPLAY = (
    "no display to open a window on; without one, "
    "`rocktower hammer --movie hit.gif` writes what the window would show"
)


def run(show: Show) -> None:
    """Open a window on a session, until it is left.

    Raises
    ------
    RocktowerError
        If there is no display.
    """
    window = Window()
    try:
        window.run(show, lambda: False)
    finally:
        window.close()


def check_display() -> None:
    """Raise `RocktowerError` if there is no display."""
    _init()
    pygame.display.quit()


class Window:
    """An open window. Raise `RocktowerError` if there is no display."""

    def __init__(self) -> None:
        self._painter = Painter()
        self._worker = ThreadPoolExecutor(max_workers=1)  # strikes
        self._saver = ThreadPoolExecutor(max_workers=1)
        self._saves: list[tuple[Path, Future[None]]] = []
        self._saved = 0  # numbers what was saved
        self._doing: tuple[Job, Future[Any]] | None = None
        self._pulled: tuple[Side, float] | None = None  # the side, and where the mouse went down
        self._down: frozenset[int] = frozenset()  # keys
        self._is_fullscreen = False
        self._size = _SIZE  # when it is not fullscreen
        self._surface = _open(self._size)

    def close(self) -> None:
        """Close the window, then end what is still being saved."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        pygame.display.quit()
        self._saver.shutdown(wait=True)

    def run(self, show: Show, is_done: Callable[[], bool]) -> bool:
        """Show a session until it is done; return False if a person left it before."""
        clock = pygame.time.Clock()
        last = time.perf_counter()
        is_new = True
        while not is_done():
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return False
                is_new = True
                self._take(event, show)
            if not self._grant(show):
                return False
            is_new |= show.is_moving
            self._work(show)
            self._tell_of_saves(show)
            now = time.perf_counter()
            show.advance(min(now - last, _LONGEST_STEP))
            last = now
            if is_new:  # a window in which nothing happens costs nothing
                self._surface = pygame.display.get_surface() or self._surface
                self._painter.draw(self._surface, show.frame())
                pygame.display.flip()
                is_new = False
            clock.tick(_FRAMES_PER_SECOND)
        return True

    def wait(self, show: Show) -> None:
        """Wait for what the worker does."""
        while show.job is not None:
            self._work(show, waits=True)

    def _work(self, show: Show, *, waits: bool = False) -> None:
        """Let the worker do what is due, and hand in what it has done."""
        job = show.job
        if job is None:
            return
        if self._doing is None or self._doing[0] is not job:
            self._doing = (job, self._worker.submit(job.run))
        future = self._doing[1]
        if not (waits or future.done()):
            return
        self._doing = None
        try:
            result = future.result()
        except (RocktowerError, OSError) as error:
            show.failed(error)
        else:
            show.finish(result)

    def _take(self, event: pygame.event.Event, show: Show) -> None:
        if event.type == pygame.KEYDOWN:
            is_held, self._down = event.key in self._down, self._down | {event.key}
            if name := key_name(event):
                show.key(name, is_held=is_held)
        elif event.type == pygame.KEYUP:
            self._down -= {event.key}
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._down = frozenset()
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            spot = self._layout(show).aim_at(event.pos)
            if spot is not None and not show.is_help_open and show.prompt is None:
                side, height, distance = spot
                show.press(side, height)
                self._pulled = (side, distance)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            self._pulled = None
            show.cancel()
        elif event.type == pygame.MOUSEMOTION and self._pulled is not None:
            side, start = self._pulled
            show.pull(self._layout(show).distance(side, event.pos[0]) - start)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._pulled:
            self._pulled = None
            show.release()

    def _layout(self, show: Show) -> Layout:
        return self._painter.layout(self._surface.get_size(), show.frame())

    def _grant(self, show: Show) -> bool:
        """Do what only the window can; return False if it is to be left."""
        while show.wishes:
            wish = show.wishes.pop(0)
            if wish == "quit":
                return False
            if wish == "fullscreen":
                self._is_fullscreen = not self._is_fullscreen
                if self._is_fullscreen:
                    self._size = self._surface.get_size()
                self._surface = _open(self._size, is_fullscreen=self._is_fullscreen)
                self._down = frozenset()  # the old window took the end of the key press with it
            else:
                self._save(show, wish)
        return True

    def _save(self, show: Show, wish: str) -> None:
        """Save a picture or a movie in the folder where one is, under a name that is free.

        It is written beside everything else: one strikes on meanwhile.
        """
        self._saved += 1
        suffix = ".png" if wish == "picture" else ".gif"
        while (path := Path(f"rocktower-{self._saved}{suffix}")).exists():
            self._saved += 1
        if wish == "picture":
            save = partial(save_picture, path, show.picture(), self._surface.get_size())
        elif show.hits:
            save = partial(save_movie, path, show.film(frame_rate(path)))
        else:
            show.notify("no hit yet")
            return
        self._saves.append((path, self._saver.submit(save)))
        show.notify(f"saving {path}")

    def _tell_of_saves(self, show: Show) -> None:
        """Tell what has been written."""
        for path, future in [save for save in self._saves if save[1].done()]:
            self._saves.remove((path, future))
            try:
                future.result()
            except RocktowerError as error:
                show.notify(str(error))
            except OSError as error:
                show.notify(f"{path} was not saved: {error.strerror or error}")
            else:
                show.notify(f"saved {path}")


def key_name(event: pygame.event.Event) -> str:
    """Return pygame's name of a key, with "shift " or "ctrl " before it if that is held.

    What was typed counts for signs and digits, which lie elsewhere on other keyboards.
    """
    typed: str = event.unicode
    if typed and typed in "+-?[].,0123456789":
        return typed
    if event.mod & pygame.KMOD_ALT:
        return ""  # the desktop's
    name = pygame.key.name(event.key)
    if event.mod & pygame.KMOD_CTRL:
        return f"ctrl {name}"
    if event.mod & pygame.KMOD_SHIFT:
        return f"shift {name}"
    return name


def _open(size: tuple[int, int], *, is_fullscreen: bool = False) -> pygame.Surface:
    """Open the display, or change it."""
    _init()
    try:
        pygame.display.set_caption("Rock Tower")
        if is_fullscreen:
            surface = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        raise RocktowerError(f"{_NO_DISPLAY} ({error})") from None
    pygame.key.set_repeat(350, 60)
    return surface


def _init() -> None:
    # Windows then gives every pixel of a dense display instead of enlarging a small picture.
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
    try:
        pygame.display.init()
    except pygame.error as error:
        raise RocktowerError(f"{_NO_DISPLAY} ({error})") from None
    driver = pygame.display.get_driver()
    if driver in ("dummy", "offscreen") and os.environ.get("SDL_VIDEODRIVER") != driver:
        pygame.display.quit()
        raise RocktowerError(_NO_DISPLAY)
