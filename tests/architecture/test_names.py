"""One thing has one name: a class name is used once."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "truerank"
FOREIGN = {"Evaluator", "Measure", "Metric", "Qrels", "RepeatedError", "Report", "Run"}
"""What ir_measures, ranx and pytrec_eval have by names that are ours, too: in ``compat`` their users look for these."""


def test_a_class_name_is_used_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                where = path.relative_to(SOURCE)
                if not (where.parts[0] == "compat" and node.name in FOREIGN):
                    places[node.name].append(f"{where}:{node.lineno}")
    assert len(places) > 400
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
