"""What the project promises as a whole: layers, light import, public names, documents."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "rocktower"

# Each layer may import itself and what stands below it.
LAYERS = [
    {"cli"},
    {"viewer"},
    {"calibration", "play", "plots", "validation"},
    {"emulator"},
    {"sampling"},
    {"games"},
    {"tower", "chance"},
    {"randomness", "statistics", "files", "colors"},
    {"errors"},
]
# tower and games stand side by side: the rules know the tower only as an actor that answers.
FORBIDDEN = {("games", "tower"), ("tower", "chance"), ("chance", "tower")}


def imports(path: Path) -> set[str]:
    """Top-level names imported anywhere in a file, `rocktower.x` as `rocktower.x`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            if node.module == "rocktower":
                found |= {f"rocktower.{alias.name}" for alias in node.names}
    return found


def part(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def test_imports_go_only_downwards() -> None:
    level = {name: depth for depth, names in enumerate(LAYERS) for name in names}
    for path in SOURCE.rglob("*.py"):
        here = part(path)
        if here in ("__init__", "__main__"):
            continue
        assert here in level, f"{here} has no place in the layers"
        for name in imports(path):
            if not name.startswith("rocktower."):
                continue
            there = name.split(".")[1]
            if there == here or there not in level:
                continue
            assert level[there] > level[here], f"{path} imports {name}"
            assert (here, there) not in FORBIDDEN, f"{path} imports {name}"


@pytest.mark.parametrize(
    ("library", "where"), [("pymunk", {"tower"}), ("pygame", {"viewer"}), ("click", {"cli"})]
)
def test_one_part_alone_imports_a_library(library: str, where: set[str]) -> None:
    users = {
        part(path)
        for path in SOURCE.rglob("*.py")
        if any(name.split(".")[0] == library for name in imports(path))
    }
    assert users <= where


def test_the_import_is_light() -> None:
    code = "import rocktower, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"pygame", "matplotlib", "scipy", "scipy.stats", "rich", "click", "msgspec"}
    assert not heavy & set(done.stdout.split())


@pytest.mark.parametrize(
    "package",
    sorted(
        ".".join(("rocktower", *path.parent.relative_to(SOURCE).parts))
        for path in SOURCE.rglob("__init__.py")
    ),
)
def test_public_names_exist_and_are_documented(package: str) -> None:
    module = import_module(package)
    assert module.__doc__
    for name in getattr(module, "__all__", []):
        value = getattr(module, name)
        if callable(value) and getattr(value, "__module__", "").startswith("rocktower"):
            assert value.__doc__, f"{package}.{name}"


def commands(document: Path) -> list[str]:
    """Every line of a fenced shell block that calls rocktower."""
    blocks = re.findall(r"```(?:sh|console|bash)\n(.*?)```", document.read_text("utf-8"), re.DOTALL)
    lines = [line.removeprefix("$ ").strip() for block in blocks for line in block.split("\n")]
    return [line for line in lines if line.startswith("rocktower ")]


def test_every_command_of_the_readme_runs(tmp_path: Path) -> None:
    """In their order and in one folder, as a newcomer types them."""
    lines = commands(ROOT / "README.md")
    assert lines
    for line in lines:
        done = subprocess.run(
            [sys.executable, "-m", "rocktower", *shlex.split(line, comments=True)[1:]],
            capture_output=True, text=True, cwd=tmp_path, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert done.stdout, line


def test_nothing_leaves_the_random_state_of_a_module() -> None:
    """No module-level randomness: the source names neither `random` nor numpy's global state."""
    for path in SOURCE.rglob("*.py"):
        assert "random" not in {name.split(".")[0] for name in imports(path)}, path
        assert not re.search(r"np\.random\.(seed|rand|choice|shuffle)\b", path.read_text("utf-8"))
