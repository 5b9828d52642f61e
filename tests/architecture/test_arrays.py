"""Arrays are written to in place, never through what may be a copy of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "truerank"
MAY_COPY = {
    "ravel",
    "reshape",
    "asarray",
    "ascontiguousarray",
    "asanyarray",
    "atleast_1d",
    "atleast_2d",
    "broadcast_to",
}
"""What gives a view of some arrays and a copy of others, so that nobody knows where something written to it goes."""
METHODS = {"fill", "itemset", "partition", "put", "resize", "sort"}
FUNCTIONS = {"at", "copyto", "place", "put", "put_along_axis", "putmask"}
"""What writes to the array that it is a method of, and what writes to its first argument."""


def may_copy(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAY_COPY


def assigned(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Names and what they stand for, those of tuples one by one."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                yield from zip(target.elts, node.value.elts, strict=False)
            else:
                yield target, node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value


def written(node: ast.AST) -> Iterator[ast.AST]:
    """What is written to, places of an array or all of it."""
    if isinstance(node, ast.Assign):
        yield from (target.value for target in node.targets if isinstance(target, ast.Subscript))
    elif isinstance(node, ast.AugAssign):
        yield node.target.value if isinstance(node.target, ast.Subscript) else node.target
    elif isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "out")
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            yield node.func.value
        if isinstance(node.func, ast.Attribute) and node.func.attr in FUNCTIONS:
            yield from node.args[:1]


def copies_written(text: str) -> list[str]:
    """Statements that write to what may be a copy, or to a name for one that has no other meaning."""
    found = []
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef | ast.Module):
            continue
        names: dict[str, set[bool]] = {}
        for node in ast.walk(function):
            for name, value in assigned(node):
                if isinstance(name, ast.Name):
                    names.setdefault(name.id, set()).add(may_copy(value))
        for node in ast.walk(function):
            for target in written(node):
                while isinstance(target, ast.Subscript):
                    target = target.value
                if may_copy(target) or (isinstance(target, ast.Name) and names.get(target.id) == {True}):
                    found.append(f"{node.lineno}: {ast.unparse(node)}")
    return sorted(set(found))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x.ravel()[at] = 0", 1),
        ("x.reshape(-1)[at] += 1", 1),
        ("def f(x):\n    flat = x.ravel()\n    flat[at] = 0", 1),
        ("def f(x):\n    s, flat = 1, x.ravel()\n    flat += 1", 1),
        ("def f(x):\n    y = np.asarray(x)\n    y.sort()", 1),
        ("def f(x):\n    y = np.asarray(x)\n    np.add(y, 1, out=y[1:])", 1),
        ("np.add.at(x.ravel(), at, 1)", 1),
        ("x.ravel().put(at, 1)", 1),
        ("y = np.sort(x.ravel())", 0),
        ("x.put(at, 0)\ny = x.ravel()\nz = y[at]", 0),
        ("def f(x):\n    y = np.broadcast_to(x, 3)\n    y = y.copy()\n    y[0] = 1", 0),
    ],
)
def test_the_check_finds_them(text: str, count: int) -> None:
    assert len(copies_written(text)) == count


def test_nothing_is_written_to_what_may_be_a_copy() -> None:
    found = {
        str(path.relative_to(SOURCE)): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if (lines := copies_written(path.read_text(encoding="utf-8")))
    }
    # The one function that knows when it is no copy.
    assert [line.partition(": ")[2] for line in found.pop("data/arrays.py")] == ["array.reshape(-1)[index] = values"]
    assert found == {}
