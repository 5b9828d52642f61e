"""What tests of the architecture look at, of every file of the source, which is parsed once for all of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "truerank"


@dataclass(frozen=True)
class Module:
    """What a file imports, and what else of it is looked at; the tree itself is large, and not kept."""

    path: Path
    text: str
    imports: list[str] = field(default_factory=list)
    needed: list[str] = field(default_factory=list)
    """What is imported when the file is itself imported."""
    classes: list[tuple[str, int]] = field(default_factory=list)
    """Names, and lines."""
    codes: list[ast.expr] = field(default_factory=list)
    comparisons: list[ast.Compare] = field(default_factory=list)
    """Those of an attribute with something."""

    @property
    def name(self) -> str:
        return self.path.relative_to(SOURCE).as_posix()

    @property
    def package(self) -> str:
        return self.name.split("/")[0]


def looked_at(path: Path) -> Module:
    found = Module(path, path.read_text(encoding="utf-8"))
    stack: list[tuple[ast.AST, bool]] = [(ast.parse(found.text), True)]
    while stack:
        node, at_once = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            at_once = False
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative import"
                names = [f"{node.module}.{name}" for name in names]
            found.imports.extend(names)
            found.needed.extend(names if at_once else [])
        elif isinstance(node, ast.ClassDef):
            found.classes.append((node.name, node.lineno))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Code":
            found.codes.append(node.args[0])
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
            found.comparisons.append(node)
        stack.extend((child, at_once) for child in ast.iter_child_nodes(node))
    return found


@cache
def modules() -> tuple[Module, ...]:
    return tuple(looked_at(path) for path in sorted(SOURCE.rglob("*.py")))
