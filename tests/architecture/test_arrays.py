"""How arrays are used: written to in place, never through what may be a copy, and indexed by numpy's own index type."""

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


def functions(text: str, words: set[str]) -> Iterator[ast.AST]:
    """The functions of a module that has one of these words at all, and what is outside of them."""
    if not any(word in text for word in words):
        return
    tree = ast.parse(text)
    yield ast.Module([one for one in tree.body if not isinstance(one, ast.ClassDef | ast.FunctionDef)], [])
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


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
    for function in functions(text, MAY_COPY):
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


WIDE = {
    "compat/ranx/lists.py": "scores as ranx has them",
    "data/arrays.py": "two columns and a row in one number to sort by",
    "data/decimals.py": "digits of a score",
    "data/judge.py": "a key of 64 bits, cut down to a place",
    "data/parts.py": "counts that add up over runs",
    "io/frames.py": "whole numbers of a data frame, which may be ids",
    "io/topic_numbers.py": "a key of 64 bits, cut down to a place",
    "io/vectors.py": "whole numbers that are ids",
    "questions/meta/consistency.py": "pairs of systems times draws",
    "questions/preferences/cycles.py": "weights of preferences",
    "questions/simulate/work.py": "numbers of documents in a collection of any size, and scores",
    "statistics/correlations.py": "sums over pairs of systems",
    "statistics/signs.py": "sums of ranks",
}
"""Where 64 bits are meant, on every machine. All else that counts or places is np.intp, which may have 32."""
BY_INDEX = {"bincount", "put", "repeat", "take"}
"""What takes numpy's index type and nothing wider."""


def is_wide(node: ast.AST) -> bool:
    """Whether an expression makes whole numbers of 64 bits: by name, or at random."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
        return "np.int64" in ast.unparse(node.args[0])
    return any(
        isinstance(part, ast.Attribute) and part.attr in ("int64", "integers") for part in ast.walk(node)
    ) and not isinstance(node, ast.Lambda)


def wide_indexes(text: str) -> list[str]:
    """Calls that take an index, and are given a name for numbers of 64 bits."""
    found = []
    for function in functions(text, {"int64", "integers"}):
        names: dict[str, set[bool]] = {}
        for node in ast.walk(function):
            for name, value in assigned(node):
                if isinstance(name, ast.Name):
                    names.setdefault(name.id, set()).add(is_wide(value))
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in BY_INDEX:
                given = [part for each in node.args for part in ast.walk(each) if isinstance(part, ast.Name)]
                if any(True in names.get(part.id, set()) for part in given) or any(map(is_wide, node.args)):
                    found.append(f"{node.lineno}: {ast.unparse(node)}")
    return sorted(set(found))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f(x):\n    at = np.zeros(3, np.int64)\n    return x.take(at)", 1),
        ("def f(x):\n    at = rng.integers(0, 3, 5)\n    return np.bincount(at)", 1),
        ("def f(x):\n    return np.repeat(x, x.astype(np.int64))", 1),
        ("def f(x):\n    at = rng.integers(0, 3, 5).astype(np.intp)\n    return np.bincount(at)", 0),
        ("def f(x):\n    at = key.view(np.int64).astype(np.intp, copy=False)\n    return x.take(at)", 0),
    ],
)
def test_the_check_finds_wide_indexes(text: str, count: int) -> None:
    assert len(wide_indexes(text)) == count


def test_places_have_the_type_of_an_index() -> None:
    texts = {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    assert {name for name, text in texts.items() if "np.int64" in text} == {*WIDE}
    assert {name: lines for name, text in texts.items() if (lines := wide_indexes(text))} == {}
