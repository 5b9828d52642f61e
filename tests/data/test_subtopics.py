"""Judgments by subtopic: which of two rows of a document are about the same, and what plain measures make of them."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import truerank as tr
from truerank.compat import ir_measures, ranx
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels

pd = pytest.importorskip("pandas")
Rows = list[tuple[str, str, str, int]]
"""Topic, subtopic, document, grade."""

ROWS = st.lists(
    st.tuples(st.sampled_from("pq"), st.sampled_from(["1", "2", "30"]), st.sampled_from("abc"), st.integers(-1, 2)),
    min_size=1,
    max_size=14,
)


def as_text(rows: Rows, between: str = " ") -> Any:
    return io.StringIO("".join(between.join(map(str, row)) + "\n" for row in rows))


def as_frame(rows: Rows) -> Any:
    return pd.DataFrame(rows, columns=["query_id", "subtopic", "doc_id", "relevance"])


FORMS: dict[str, Callable[[Rows], Any]] = {
    "spaces": as_text,
    "tabs": lambda rows: as_text(rows, "\t"),
    "blanks": lambda rows: as_text(rows, "  \t "),
    "csv": lambda rows: io.StringIO(as_frame(rows).to_csv(index=False)),
    "quoted csv": lambda rows: io.StringIO(as_frame(rows).to_csv(index=False, quoting=1)),
    "records": lambda rows: as_frame(rows).rename(columns={"subtopic": "subtopic_id"}).to_dict("records"),
    "json": lambda rows: io.StringIO(json.dumps(as_frame(rows).to_dict("records"))),
    "pandas": as_frame,
}


@pytest.mark.parametrize("form", FORMS)
def test_the_best_grade_over_subtopics_counts(form: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(ROWS)
    def check(rows: Rows) -> None:
        said: dict[tuple[str, str], dict[str, set[int]]] = {}
        for topic, subtopic, doc, grade in rows:
            said.setdefault((topic, doc), {}).setdefault(subtopic, set()).add(grade)
        if any(len(grades) > 1 for by in said.values() for grades in by.values()):
            with pytest.raises(InputError, match="keep one of the two judgments"):
                tr.read_qrels(FORMS[form](rows))
            return
        found = tr.read_qrels(FORMS[form](rows))
        expected = {pair: max(map(max, by.values())) for pair, by in said.items()}
        assert graded(found) == expected
        several = sum(len(by) > 1 for by in said.values())
        counts = [note.split()[0] for note in found.notes if "subtopics" in note]
        assert counts == ([str(several)] if several else [])

    check()


def graded(qrels: Qrels) -> dict[tuple[str, str], float]:
    bounds = qrels.offsets.tolist()
    return {
        (topic.decode(), doc.decode()): grade
        for topic, begin, end in zip(qrels.topics, bounds, bounds[1:], strict=False)
        for doc, grade in zip(qrels.docs.tolist()[begin:end], qrels.grade.tolist()[begin:end], strict=True)
    }


def test_a_note_says_so_also_where_grades_agree() -> None:
    found = tr.evaluate(as_text([("q", "1", "a", 1), ("q", "2", "a", 1)]), {"q": ["a"]}, "AP")
    [note] = [note for note in found.notices if note.code == "TR101"]
    assert str(note) == (
        "1 document judged for several subtopics (their second columns differ): the best grade of each counts"
    )


def test_the_same_second_column_is_the_same_judgment() -> None:
    again = tr.read_qrels(as_text([("q", "1", "a", 1), ("q", "1", "a", 1), ("q", "2", "b", 1)]))
    assert (len(again), again.notes) == (2, ())
    with pytest.raises(InputError) as error:
        tr.read_qrels(as_text([("q", "1", "a", 1), ("q", "2", "a", 2), ("q", "1", "a", 0)]))
    assert str(error.value).endswith(
        ":3: document 'a' of topic 'q' is judged 0 and 1 (first on line 1); keep one of the two judgments"
    )


def test_values_of_a_column_that_says_nothing_of_repeats_do_not_matter() -> None:
    frame = as_frame([("q", "1", "a", 1), ("q", "2", "b", 0)])
    frame.loc[1, "subtopic"] = None
    assert len(tr.read_qrels(frame)) == 2
    assert (
        len(tr.read_qrels([{"qid": "q", "docno": "a", "rel": 1, "subtopic": 1}, {"qid": "q", "docno": "b", "rel": 0}]))
        == 2
    )


def test_columns_can_be_told() -> None:
    frame = as_frame([("q", "x", "a", 0), ("q", "y", "a", 2)]).rename(columns={"subtopic": "facet"})
    with pytest.raises(InputError, match="keep one"):
        tr.read_qrels(frame)
    assert tr.read_qrels(frame, columns={"subtopic": "facet"}).grade.tolist() == [2.0]


def test_many_runs_of_blanks_and_subtopics_of_any_length() -> None:
    rng = random.Random(5)
    rows = [(f"q{n % 7}", "s" * rng.randint(1, 900) + str(n), f"d{n % 11}", n % 3) for n in range(400)]
    expected: dict[tuple[str, str], int] = {}
    for topic, _, doc, grade in rows:
        expected[topic, doc] = max(expected.get((topic, doc), -9), grade)
    assert graded(tr.read_qrels(as_text(rows, " \t  "))) == expected


def test_trec_eval_refuses_them_as_it_does(truerank: Any, tmp_path: Path) -> None:
    qrels, run = tmp_path / "by_subtopic.qrels", tmp_path / "one.run"
    run.write_text("q Q0 a 1 1.0 r\n")
    for grades in ((1, 0), (1, 1)):
        qrels.write_text("".join(f"q {place} a {grade}\n" for place, grade in enumerate(grades)))
        assert truerank("trec_eval", qrels, run).exit_code == 4
        assert truerank("evaluate", qrels, run, "-m", "AP").exit_code == 0


def test_tools_that_take_the_last_grade_are_no_door_for_them(tmp_path: Path) -> None:
    path = tmp_path / "by_subtopic.qrels"
    path.write_text("q 1 a 1\nq 2 a 1\n")
    assert ranx.Qrels.from_file(path, kind="trec").to_dict() == {"q": {"a": 1}}
    path.write_text("q 1 a 1\nq 2 a 0\nq 3 a 0\n")
    assert tr.read_qrels(path).several_grades == 1
    with pytest.raises(InputError, match="keep one of the"):
        ranx.Qrels.from_file(path, kind="trec")
    with pytest.raises(InputError, match="keep one of the"):
        ir_measures.calc_aggregate([ir_measures.AP], ir_measures.read_trec_qrels(str(path)), {"q": {"a": 1.0}})


def test_lint_calls_them_by_their_name(tmp_path: Path) -> None:
    path = tmp_path / "by_subtopic.qrels"
    path.write_text("q 1 a 1\nq 2 a 0\nq 1 b 0\nq 1 c 1\nq 1 c 1\n")
    found = [(one.severity, one.count, one.fixable) for one in tr.lint(path).findings if one.check == "contradictions"]
    assert found == [("info", 1, False), ("info", 1, True)]
    path.write_text("q 1 a 1\nq 2 a 0\nq 1 a 0\n")
    assert [one.severity for one in tr.lint(path).findings if one.check == "contradictions"] == ["error", "info"]
