"""People read a measure as they typed it; programs have the catalogue's name, and what was typed beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import truerank as tr
from truerank.report.answer import Answer

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 0, "d": 1}, "q3": {"b": 1, "e": 1}}
RUNS = {
    "one": {"q1": {"a": 3.0, "u": 2.0, "c": 2.0}, "q2": {"d": 2.0, "v": 1.0}, "q3": {"e": 1.0}},
    "two": {"q1": {"c": 3.0, "b": 2.0}, "q2": {"a": 2.0, "d": 1.0}, "q3": {"a": 2.0, "b": 1.0}},
}
ASKED: dict[str, Callable[[str], Answer]] = {
    "evaluate": lambda measures: tr.evaluate(QRELS, RUNS, measures),
    "evaluate by topic": lambda measures: tr.evaluate(QRELS, RUNS["one"], measures, topics=["q1", "q3"]),
    "compare": lambda measures: tr.compare(QRELS, RUNS, measures),
    "ties": lambda measures: tr.ties(QRELS, RUNS, measures),
    "unjudged": lambda measures: tr.unjudged(QRELS, RUNS, measures),
    "diff": lambda measures: tr.diff(QRELS, RUNS["one"], RUNS["two"], measures),
    "explain": lambda measures: tr.explain(QRELS, RUNS["one"], measures, topic="q1"),
    "judges": lambda measures: tr.judges({"a": QRELS, "b": QRELS}, measures, runs=RUNS),
    "several": lambda measures: tr.evaluate(QRELS, RUNS, measures, also=[(QRELS, RUNS)]),
}
TYPED, NAMED = "MRR hit@5", "RR Success@5"


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_typed_names_are_read_and_catalogue_names_are_kept(asked: Callable[[str], Answer]) -> None:
    typed, named = asked(TYPED), asked(NAMED)
    for show in typed.sheets:
        for form in ("table", "markdown", "html", "latex"):
            text = typed.render(form, show)
            assert "Success@5" not in text, (show, form)
            assert ("MRR" in text) == ("RR" in named.render(form, show)), (show, form)
    one, other = (json.loads(answer.to_json()) for answer in (typed, named))
    for name in typed.sheets:
        assert _rows(one.get(name, [])) == _rows(other.get(name, [])), name
        for row in one.get(name, []):
            if "measure" in row:
                assert (row["measure"], row["typed"]) in {("RR", "MRR"), ("Success@5", "hit@5")}


def _rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows without what was typed, and without sentences."""
    return [{name: value for name, value in row.items() if name == "measure" or _is_number(value)} for row in rows]


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, (int, float))


def test_columns_are_called_as_typed_and_both_names_are_keys() -> None:
    scores = tr.evaluate(QRELS, RUNS, TYPED)
    assert scores.to_csv().splitlines()[0] == "run,MRR,hit@5"  # type: ignore[union-attr]
    assert scores["one"]["MRR"] is scores["one"]["RR"]
    assert scores["one"]["hit@5"] is scores["one"]["Success@5"]
    assert [row["measure"] for row in scores.to_records()][:1] == ["RR"]
    pandas = pytest.importorskip("pandas")
    assert [*scores.to_pandas(wide=True).columns] == ["run", "MRR", "hit@5"]
    assert isinstance(scores.to_pandas(wide=True), pandas.DataFrame)


def test_a_name_that_was_typed_survives_another_process() -> None:
    from pickle import dumps, loads

    scores = loads(dumps(tr.evaluate(QRELS, RUNS, TYPED)))
    assert "MRR" in scores.render("table")


def test_the_first_way_to_type_a_measure_counts() -> None:
    assert tr.evaluate(QRELS, RUNS, "mrr MRR RR").to_csv().splitlines()[0] == "run,mrr"  # type: ignore[union-attr]
