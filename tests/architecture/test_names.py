"""One thing has one name: a class name is used once."""

from __future__ import annotations

from collections import defaultdict

from tests.architecture.source import modules

FOREIGN = {"Evaluator", "Measure", "Metric", "Qrels", "RepeatedError", "Report", "Run"}
"""What ir_measures, ranx and pytrec_eval have by names that are ours, too: in ``compat`` their users look for these."""


def test_a_class_name_is_used_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        for name, line in module.classes:
            if not (module.package == "compat" and name in FOREIGN):
                places[name].append(f"{module.name}:{line}")
    assert len(places) > 400
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
