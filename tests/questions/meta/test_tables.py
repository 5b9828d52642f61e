"""Comparisons of measures, laid out."""

from __future__ import annotations

import json

import pytest

import truerank as tr
from truerank.questions.meta.question import Meta, meta
from truerank.report.schema import schema


@pytest.fixture(scope="module")
def found() -> Meta:
    made = tr.simulate(systems=6, topics=8, seed=3, depth=25, documents=1000, relevant=12)
    return meta(made.qrels, made.runs, "AP nDCG P@10 RR", reference="P@10 RR", splits=50, depth=20)


def test_the_summary_is_read_from_the_best_on(found: Meta) -> None:
    table = found.table()
    assert [row[0] for row in table.rows] == [*found.ranked]
    assert [column.name for column in table.columns][-2:] == ["mean_tau_a", "mean_rank"]
    assert table.below.startswith("6 runs, 8 topics, lists cut at 20, reference P@10 RR, 50 splits, seed 0; ")
    best = found.by_rank[0]
    said = " ".join(table.notes)
    assert f"{best.measure} has the best mean rank, {best.mean_rank:.1f} of 4" in said
    assert "none whether it is what users want" in said


def test_words_name_the_best_and_the_worst(found: Meta) -> None:
    [said] = [note for note in found.table("coverage").notes if note.startswith("coverage: ")]
    values = {name: each.coverage for name, each in found.items()}
    best, worst = max(values, key=lambda name: values[name]), min(values, key=lambda name: values[name])
    assert said == (
        f"coverage: differences by {best} go with improvements by all of P@10 RR by rho {values[best]:.3f}; "
        f"{worst} {values[worst]:.3f}"
    )
    [said] = [note for note in found.table("discrimination").notes if "pairs of runs to differ" in note]
    assert "of 15 pairs of runs to differ (student, p < 0.05)" in said


def test_tau_is_half_a_matrix_for_people_and_a_row_a_pair_for_programs(found: Meta) -> None:
    table = found.table("tau")
    order = [found.measures[place] for place in found.correlations.order]
    assert [row[0] for row in table.rows] == [f"{n + 1} {name}" for n, name in enumerate(order)]
    assert [[cell for cell in row[1:] if cell is not None] for row in table.rows] == [
        [f"{found.tau_a(one, other):.2f}".removeprefix("0") for other in order[:n]] for n, one in enumerate(order)
    ]
    assert len(found.whole("tau").rows) == 6


@pytest.mark.parametrize("show", Meta.sheets)
def test_every_layout_has_a_caption_and_full_rows(found: Meta, show: str) -> None:
    for table in (found.table(show), found.whole(show)):
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}
    assert found.table(show).caption.startswith("6 runs, 8 topics, lists cut at 20")


def test_json_has_the_form_that_is_promised(found: Meta) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(found.to_json()), schema(Meta))
    codes = {note["code"] for note in found.to_dict()["notes"]}
    assert {"TR581", "TR582", "TR583", "TR584"} <= codes


def test_measures_with_the_same_mean_rank_are_named_together() -> None:
    alike = {name: {"q1": ["a", "b"], "q2": ["b", "a"]} for name in "xy"}
    found = meta({"q1": {"a": 1}, "q2": {"a": 1}}, alike, "AP RR P@1", splits=5)
    assert found.table().notes[0] == "AP, RR and P@1 have the best mean rank, 2.0 of 3"
