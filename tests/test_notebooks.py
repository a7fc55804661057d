"""Every notebook runs from beginning to end, in its short form, and draws something."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))


def test_the_readme_lists_all_of_them() -> None:
    text = (FOLDER / "README.md").read_text("utf-8")
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        assert f"`{path.name}`" in text
        assert path.read_text("utf-8").startswith("# %% [markdown]\n# # ")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib as mpl

    monkeypatch.setenv("ROCKTOWER_SHORT_NOTEBOOKS", "1")
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    try:
        runpy.run_path(str(path), run_name="notebook")
        figures = [plt.figure(number) for number in plt.get_fignums()]
        assert len(figures) >= 3
        for figure in figures:
            figure.canvas.draw()
            assert all(axes.has_data() for axes in figure.axes)
    finally:
        plt.close("all")
    assert not any(tmp_path.iterdir())  # nothing is left behind
