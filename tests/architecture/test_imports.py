"""Imports point one way, and the core needs nothing but numpy."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "truerank"
FILES = sorted(SOURCE.rglob("*.py"))

ALLOWED = {
    "data": set(),
    "expectation": {"data"},
    "conventions": {"data"},
    "io": {"data"},
    "measures": {"expectation", "data"},
    "analysis": {"measures", "conventions", "expectation", "io", "data"},
    "report": {"analysis", "io", "data"},
    "compat": {"report", "analysis", "measures", "conventions", "io", "data", "version"},
    "cli": {"compat", "report", "analysis", "measures", "conventions", "io", "data", "version"},
}
CORE = ("data", "expectation", "conventions", "io", "measures", "analysis")
RESULTS = (
    "analysis.scores",
    "analysis.catalogue",
    "analysis.leaderboard",
    "analysis.why",
    "analysis.lint",
    "analysis.agreement",
    "analysis.pooling",
    "analysis.depths",
    "analysis.tied",
    "analysis.judging",
    "analysis.properties",
    "analysis.pairs",
    "analysis.silence",
    "analysis.choosing",
    "analysis.comparing",
    "analysis.explaining",
    "analysis.preferring",
    "analysis.stopping",
    "analysis.tradeoffs",
    "analysis.significance",
    "analysis.criteria",
    "analysis.differences",
    "analysis.cuts",
    "analysis.calibration",
    "data.errors",
    "data.printing",
    "io.writing",  # figures are files
)
"""What reports may know: results, not how they are made."""
INSIDE_FUNCTIONS = {
    ("analysis/scores.py", "report"),  # print(scores)
    ("analysis/why.py", "report"),  # print(why)
    ("analysis/lint/findings.py", "report"),  # print(lint)
    ("analysis/agreement/between.py", "report"),  # print(agreement)
    ("analysis/depths/curves.py", "report"),  # curves.plot()
    ("analysis/pooling/losses.py", "report"),  # print(leave_out)
    ("analysis/pooling/pools.py", "report"),  # print(pools)
    ("analysis/tabular.py", "report"),  # print(ties), found.to_csv()
    ("analysis/tied/results.py", "report"),  # print(ties)
    ("analysis/judging/results.py", "report"),  # print(unjudged)
    ("analysis/properties/results.py", "report"),  # print(properties)
    ("analysis/differences/results.py", "report"),  # print(diff), diff.plot()
    ("analysis/criteria/results.py", "report"),  # print(meta), meta.plot()
    ("analysis/choosing/results.py", "report"),  # print(choice)
    ("analysis/comparing/results.py", "report"),  # print(comparison)
    ("analysis/explaining/results.py", "report"),  # print(explanation)
    ("analysis/preferring/results.py", "report"),  # print(preferences)
    ("analysis/stopping/results.py", "report"),  # print(stopping)
    ("analysis/tradeoffs/results.py", "report"),  # print(precision_recall)
    ("analysis/silence/results.py", "report"),  # print(nil), found.plot()
    ("analysis/cuts/results.py", "report"),  # print(cuts), cuts.plot()
    ("analysis/cuts/against.py", "report"),  # print(against), against.scatter()
    ("analysis/calibration/results.py", "report"),  # print(calibration), calibration.plot()
    ("measures/__init__.py", "analysis"),  # truerank.measures()
}
"""Where something above is asked for when it is needed, file and package."""


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


def test_every_package_has_its_place() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == {*ALLOWED}


@pytest.mark.parametrize("path", [path for path in FILES if path.parent != SOURCE], ids=name)
def test_imports_point_one_way(path: Path) -> None:
    own = package(path)
    for module in imports(path, everywhere=True):
        parts = module.split(".")
        if parts[0] != "truerank" or parts[1] == own or (name(path), parts[1]) in INSIDE_FUNCTIONS:
            continue
        assert parts[1] in ALLOWED[own], f"{own} must not import {module}"
        assert own != "report" or ".".join(parts[1:3]) in RESULTS, f"report knows results only, not {module}"


@pytest.mark.parametrize("path", [path for path in FILES if package(path) in CORE], ids=name)
def test_the_core_needs_numpy_and_nothing_else(path: Path) -> None:
    needed = {module.split(".")[0] for module in imports(path, everywhere=False)}
    assert needed - {"numpy", "truerank"} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(("file", "target"), sorted(INSIDE_FUNCTIONS))
def test_exceptions_are_needed_and_inside_functions(file: str, target: str) -> None:
    def above(everywhere: bool) -> bool:
        return any(m.startswith(f"truerank.{target}.") for m in imports(SOURCE / file, everywhere=everywhere))

    assert above(everywhere=True)
    assert not above(everywhere=False)
