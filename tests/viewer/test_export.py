"""Pictures and movies, without any display."""

from __future__ import annotations

import sys

import pytest
from PIL import Image

from rocktower import RocktowerError
from rocktower.viewer import check_format, frame_rate, picture, save_movie, save_picture
from tests.viewer.helpers import press, strike


@pytest.fixture
def frames(session):
    press(session, "3")
    strike(session)
    session.rate = 0.5
    return session.film(25)


def test_a_film_lasts_as_long_as_its_hit_at_its_rate(session, frames) -> None:
    recording = session.hits[-1].recording
    seconds = (recording.end - recording.start) / 0.5 + 1.0
    assert len(frames) == pytest.approx(25 * seconds, abs=2)
    assert session.frame().moment.poses is not frames[0].moment.poses
    assert not session.is_playing


def test_png(tmp_path, frames) -> None:
    path = tmp_path / "end.png"
    save_movie(path, frames)
    with Image.open(path) as image:
        assert image.size == (1280, 720)
        assert image.convert("RGB").tobytes() == picture(frames[-1]).tobytes()
    with pytest.raises(RocktowerError, match="exists already"):
        save_picture(path, frames[0])
    assert [file.name for file in tmp_path.iterdir()] == ["end.png"]


def test_gif(tmp_path, frames) -> None:
    path = tmp_path / "hit.gif"
    save_movie(path, frames)
    with Image.open(path) as image:
        duration = 0
        for k in range(image.n_frames):
            image.seek(k)
            duration += image.info["duration"]
        assert image.n_frames > 20
        assert duration == 40 * len(frames)


def test_mp4(tmp_path, frames) -> None:
    av = pytest.importorskip("av", reason="the extra rocktower[movie] is not installed")
    path = tmp_path / "hit.mp4"
    save_movie(path, frames[:30])
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height) == (1280, 720)
        assert float(stream.average_rate) == frame_rate(path) == 50
        assert sum(1 for _ in container.decode(stream)) == 30


def test_mp4_without_its_library_says_what_to_install(tmp_path, frames, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(RocktowerError, match=r"rocktower\[movie\]"):
        save_movie(tmp_path / "hit.mp4", frames)
    assert not list(tmp_path.iterdir())


def test_other_names_are_refused(tmp_path) -> None:
    with pytest.raises(RocktowerError, match=r"ends in \.png, \.gif, \.mp4"):
        check_format(tmp_path / "hit.avi")


def test_no_hit_makes_no_movie(tmp_path, session) -> None:
    assert session.film(25) == []
    with pytest.raises(RocktowerError, match="no hit to show"):
        save_movie(tmp_path / "none.gif", [])
    assert not list(tmp_path.iterdir())
