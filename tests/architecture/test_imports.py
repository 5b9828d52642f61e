"""Imports point one way, and the core needs nothing but numpy."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "truerank"
FILES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)

LEVELS = (
    ("data",),
    ("statistics", "expectation", "conventions", "io"),
    ("measures",),
    ("track",),
    ("report",),
    ("questions",),
    ("compat",),
    ("cli",),
)
"""Packages, lowest first: each may import those of lower levels, and itself."""
NUMPY_ONLY = ("data", "statistics", "expectation", "conventions", "io", "measures", "track", "questions")
FREE_OF_NUMPY = ("question", "answer", "signature", "__init__")
"""Files of questions that a command's help is made of."""


def imports(path: Path, *, everywhere: bool) -> Iterator[str]:
    """Modules that a file imports: everywhere, or only when it is itself imported."""
    stack: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and not everywhere:
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        stack.extend(ast.iter_child_nodes(node))


def name(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def package(path: Path) -> str:
    return name(path).split("/")[0]


def below(own: str) -> set[str]:
    level = next(place for place, level in enumerate(LEVELS) if own in level)
    return {other for lower in LEVELS[:level] for other in lower} | {own, "version"}


def test_every_package_has_its_place() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == {each for level in LEVELS for each in level}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_point_one_way(path: Path) -> None:
    found = {module.split(".")[1] for module in imports(path, everywhere=True) if module.startswith("truerank.")}
    assert found <= below(package(path))


def test_no_question_needs_one_that_needs_it() -> None:
    rooms: dict[str, set[str]] = {}
    for path in FILES:
        if package(path) == "questions":
            own, parts = name(path).split("/")[1], [module.split(".") for module in imports(path, everywhere=True)]
            other = {module[2] for module in parts if module[:2] == ["truerank", "questions"]}
            rooms.setdefault(own, set()).update(other - {own})
    TopologicalSorter(rooms).prepare()


PAPERS = SOURCE / "questions" / "reproduce"
FRAME = ("__init__", "answer", "data", "page", "paper", "question", "work")
"""Files of ``reproduce`` that are no paper's."""


@pytest.mark.parametrize("path", [*PAPERS.glob("*.py")], ids=name)
def test_papers_are_written_with_the_public_api(path: Path) -> None:
    """A paper is a script that any user could write: it has the public names, numpy, and the frame of its page."""
    found = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    ours = {module for module in found if module and module.split(".")[0] == "truerank"} - {"truerank"}
    own = {module for module in ours if module.startswith("truerank.questions.reproduce.")}
    if path.stem not in FRAME:
        assert ours == own
    elif path.stem in ("data", "paper"):
        # What papers have from the frame knows how data and tables are written, and computes nothing.
        assert {module.split(".")[1] for module in ours - own} <= {"conventions", "data", "io", "report"}


@pytest.mark.parametrize("path", [path for path in FILES if package(path) in NUMPY_ONLY], ids=name)
def test_the_core_needs_numpy_and_nothing_else(path: Path) -> None:
    needed = {module.split(".")[0] for module in imports(path, everywhere=False)}
    assert needed - {"numpy", "truerank"} <= set(sys.stdlib_module_names)


def test_what_help_is_made_of_needs_no_numpy() -> None:
    """A command's help is made of its question and its answer; what they import is looked through to the end."""
    seen: set[str] = set()
    queue = [f"truerank.questions.{name(path)[10:-3].replace('/', '.')}" for path in FILES if _helps(path)]
    while queue:
        module = queue.pop()
        assert module.split(".")[0] != "numpy", f"numpy is needed by one of {sorted(seen)}"
        path = SOURCE.parent / f"{module.replace('.', '/')}.py"
        if module in seen or not path.exists():
            path = SOURCE.parent / f"{module.rpartition('.')[0].replace('.', '/')}.py"
            module = module.rpartition(".")[0]
        if module in seen or not path.exists():
            continue
        seen.add(module)
        queue += imports(path, everywhere=False)
    assert "truerank.report.answer" in seen


def _helps(path: Path) -> bool:
    return package(path) == "questions" and path.stem in FREE_OF_NUMPY


def test_a_code_of_notes_is_used_once() -> None:
    found: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Code":
                assert isinstance(node.args[0], ast.Constant)
                found.setdefault(str(node.args[0].value), []).append(name(path))
    assert {code: files for code, files in found.items() if len(files) > 1} == {}
    assert all(len(code) == 5 and code.startswith("TR") for code in found)


def test_conventions_are_decided_in_one_package() -> None:
    """No test of the form ``choice.ties == "best"`` stands elsewhere."""
    from truerank.conventions.axes import AXES

    words = {value for axis in AXES.values() for value in axis.values}
    for path in FILES:
        if package(path) in ("conventions", "data", "expectation", "measures"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr in AXES:
                if not ast.unparse(node.left.value).endswith(("choice", "conventions")):
                    continue  # Rankings know what is taken over the orders of their ties.
                compared = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
                assert not words & {*map(str, compared)}, f"{name(path)}:{node.lineno}"
