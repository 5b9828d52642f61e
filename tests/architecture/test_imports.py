"""Imports point one way, and the core needs nothing but numpy."""

from __future__ import annotations

import ast
import sys
from graphlib import TopologicalSorter

from tests.architecture.source import SOURCE, Module, modules

LEVELS = (
    ("data",),
    ("statistics", "expectation", "conventions", "io"),
    ("measures", "pooling"),
    ("track",),
    ("report",),
    ("boards",),
    ("questions",),
    ("compat",),
    ("cli",),
)
"""Packages, lowest first: each may import those of lower levels, and itself."""
NUMPY_ONLY = (
    *("data", "statistics", "expectation", "conventions", "io", "measures", "pooling", "track", "boards", "questions"),
)
FREE_OF_NUMPY = ("question", "answer", "signature", "__init__")
"""Files of questions that a command's help is made of."""


def files() -> list[Module]:
    """Those of packages; what stands beside them is the door."""
    return [module for module in modules() if module.path.parent != SOURCE]


def below(own: str) -> set[str]:
    level = next(place for place, level in enumerate(LEVELS) if own in level)
    return {other for lower in LEVELS[:level] for other in lower} | {own, "version"}


def test_every_package_has_its_place() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == {each for level in LEVELS for each in level}


def test_imports_point_one_way() -> None:
    found = {
        module.name: {name.split(".")[1] for name in module.imports if name.startswith("truerank.")}
        - below(module.package)
        for module in files()
    }
    assert {name: above for name, above in found.items() if above} == {}


def test_no_question_needs_one_that_needs_it() -> None:
    rooms: dict[str, set[str]] = {}
    for module in files():
        if module.package == "questions":
            own, parts = module.name.split("/")[1], [name.split(".") for name in module.imports]
            other = {name[2] for name in parts if name[:2] == ["truerank", "questions"]}
            rooms.setdefault(own, set()).update(other - {own})
    TopologicalSorter(rooms).prepare()


PAPERS = SOURCE / "questions" / "reproduce"
FRAME = ("__init__", "answer", "data", "page", "paper", "question", "work")
"""Files of ``reproduce`` that are no paper's."""


def test_papers_are_written_with_the_public_api() -> None:
    """A paper is a script that any user could write: it has the public names, numpy, and the frame of its page."""
    for module in files():
        if module.path.parent != PAPERS:
            continue
        ours = {name for name in module.imports if name.startswith("truerank.") and name.count(".") > 1}
        foreign = {name for name in ours if not name.startswith("truerank.questions.reproduce.")}
        if module.path.stem not in FRAME:
            assert foreign == set(), module.name
        elif module.path.stem in ("data", "paper"):
            # What papers have from the frame knows how data and tables are written, and computes nothing.
            assert {name.split(".")[1] for name in foreign} <= {"conventions", "data", "io", "report"}


def test_the_core_needs_numpy_and_nothing_else() -> None:
    allowed = {"numpy", "truerank", *sys.stdlib_module_names}
    found = {
        module.name: {name.split(".")[0] for name in module.needed} - allowed
        for module in files()
        if module.package in NUMPY_ONLY
    }
    assert {name: other for name, other in found.items() if other} == {}


def test_scipy_is_for_tukeys_distribution_alone() -> None:
    """All other distributions are in ``statistics/special.py``, so that comparisons need numpy alone."""
    asks = {module.name for module in files() if '"scipy' in module.path.read_text(encoding="utf-8")}
    assert asks == {
        "data/extras.py",
        "questions/compare/plan.py",
        "questions/meta/work.py",
        "statistics/intervals.py",
        "statistics/tukey.py",
    }


def test_what_help_is_made_of_needs_no_numpy() -> None:
    """A command's help is made of its question and its answer; what they import is looked through to the end."""
    every = {f"truerank.{module.name[:-3].replace('/', '.')}": module for module in modules()}
    seen: set[str] = set()
    queue = [name for name, module in every.items() if _helps(module)]
    while queue:
        name = queue.pop()
        assert name.split(".")[0] != "numpy", f"numpy is needed by one of {sorted(seen)}"
        if name in seen or name not in every:
            name = name.rpartition(".")[0]
        if name in seen or name not in every:
            continue
        seen.add(name)
        queue += every[name].needed
    assert "truerank.report.answer" in seen


def _helps(module: Module) -> bool:
    return module.package == "questions" and module.path.stem in FREE_OF_NUMPY


def test_a_code_of_notes_is_used_once() -> None:
    found: dict[str, list[str]] = {}
    for module in files():
        for code in module.codes:
            assert isinstance(code, ast.Constant)
            found.setdefault(str(code.value), []).append(module.name)
    assert {code: files for code, files in found.items() if len(files) > 1} == {}
    assert all(len(code) == 5 and code.startswith("TR") for code in found)


def test_conventions_are_decided_in_one_package() -> None:
    """No test of the form ``choice.ties == "best"`` stands elsewhere."""
    from truerank.conventions.axes import AXES

    words = {value for axis in AXES.values() for value in axis.values}
    for module in files():
        if module.package in ("conventions", "data", "expectation", "measures"):
            continue
        for node in module.comparisons:
            assert isinstance(node.left, ast.Attribute)
            if node.left.attr not in AXES or not ast.unparse(node.left.value).endswith(("choice", "conventions")):
                continue  # Rankings know what is taken over the orders of their ties.
            compared = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
            assert not words & {*map(str, compared)}, f"{module.name}:{node.lineno}"
