"""The function and its result."""

from __future__ import annotations

import gc
import io
import json
import weakref
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from truerank.data import judge
from truerank.data.errors import InputError
from truerank.io.load import as_preferences, as_qrels, as_run
from truerank.questions.lint import spellings
from truerank.questions.lint.question import Lint, lint, lint_files
from truerank.questions.lint.work import CHECKS
from truerank.questions.simulate.question import simulate

from .files import clean_qrels, clean_run, swap, text, write

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
PAGE = Path(__file__).parents[3] / "docs" / "reference" / "lint.md"


def checks(found: Lint) -> list[tuple[str, str]]:
    return [(finding.severity, finding.check) for finding in found if finding.check != "list-lengths"]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ({"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}, []),
        ({"q1": ["a", "b"], "q2": ["c"]}, []),
        ({"x": {"q1": ["a"], "q2": ["c"]}, "y": {"q1": ["b"], "q2": ["c"]}}, []),
        ([("q1", "a", 1.0), ("q1", "a", 0.5), ("q2", "c", 1)], [("error", "duplicates")]),
        (iter([("q1", "a", 1.0), ("q2", "c", float("inf")), ("q2", "d", 1)]), [("error", "numbers")]),
        ({"q1": {"a": 1}, "q2": {"C": 1}}, [("warning", "document-ids")]),
        ({"q1": {"a": 1}}, [("warning", "missing-topics")]),
        (io.StringIO("q1 Q0 a 1 x t\nq1 Q0 b 1 1 t\nq2 Q0 c 1 1 t\n"), [("error", "numbers")]),
    ],
)
def test_runs_may_be_given_as_anything(runs: Any, expected: list[tuple[str, str]]) -> None:
    found = [one for one in checks(lint(QRELS, runs)) if one[0] != "info"]
    assert found == expected


def test_prepared_data() -> None:
    assert checks(lint(as_qrels(QRELS), as_run({"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}))) == []
    assert checks(lint(as_preferences([("q1", "a", "b")]), {"q1": ["b", "a"]})) == []


def test_judgments_are_let_go_and_their_forms_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    monkeypatch.setattr(spellings, "plain_form", lambda doc: seen.append(doc) or doc)  # type: ignore[func-returns-value]
    qrels = as_qrels(QRELS)
    buffer = weakref.ref(qrels.docs.buffer)
    lint(qrels, {"x": {"q1": ["A"], "q2": ["C"]}, "y": {"q1": ["B"], "q2": ["C"]}})
    assert sorted(seen) == [b"a", b"b", b"c"]
    del qrels
    judge._index.cache_clear()  # the join keeps the judgments of the last runs, which is another matter
    gc.collect()
    assert buffer() is None


def test_python_data_have_places_without_lines() -> None:
    [finding] = [f for f in lint(None, {"mine": {"q1": {"a": float("nan"), "b": 1.0}}}) if f.check == "numbers"]
    assert (finding.where, finding.places[0].line, finding.places[0].text) == ("mine", None, "q1 a nan")


def test_input_is_not_changed() -> None:
    run = {"q1": {"b ": 1.0, "a": float("nan")}}
    lint(QRELS, run)
    assert [*run["q1"]] == ["b ", "a"]


def test_a_simulated_track_has_nothing_to_warn_of() -> None:
    """Systems that neither tie nor fall silent, every one of them judged."""
    track = simulate(systems=8, topics=20, nil=0, contributing=1, kinds=["bm25", "dense", "fused", "rerank"])
    assert lint(track.qrels, track.runs).at_least("warning") == ()


def test_a_written_track_too(tmp_path: Path) -> None:
    track = simulate(systems=4, topics=10, nil=0, contributing=1, kinds=["bm25", "dense"], depth=100)
    paths = [str(path) for path in track.write(tmp_path)]
    assert lint_files(paths).at_least("warning") == ()


def test_ignored_checks_are_not_made(tmp_path: Path) -> None:
    paths = write(tmp_path, run=swap("bm25", "x")(text(clean_run())))
    assert checks(lint(*paths)) == [("info", "tags")]
    assert checks(lint(*paths, ignore=["tags"])) == []
    with pytest.raises(InputError, match="there is no check 'tag' to ignore; there are encoding"):
        lint(*paths, ignore=["tag"])


@pytest.mark.parametrize("cutoff", [0, -1, 2.5, True])
def test_cutoffs_that_are_none(cutoff: Any) -> None:
    with pytest.raises(InputError, match="cutoff"):
        lint(QRELS, cutoff=cutoff)


def test_nothing_to_look_at() -> None:
    with pytest.raises(InputError, match="nothing to look at"):
        lint()


def test_the_result(tmp_path: Path) -> None:
    paths = write(tmp_path, run=swap("401 Q0 FT-2 2 18.5", "401 Q0 FT-2 2 NaN")(text(clean_run())))
    found = lint(*paths)
    assert not found.ok
    assert found.inputs == paths
    assert found[0] == next(iter(found))
    assert (len(found), repr(found)) == (1, "Lint(2 files: 1 error)")
    assert found.at_least("info") == found.findings
    with pytest.raises(FrozenInstanceError):
        found.inputs = ()  # type: ignore[misc]
    document = json.loads(json.dumps(found.to_dict()))
    assert document["ok"] is False
    assert document["findings"][0]["places"] == [{"line": 2, "text": "401 Q0 FT-2 2 NaN bm25"}]
    [record] = found.to_records()
    assert (record["check"], record["line"], record["fixable"]) == ("numbers", 2, True)
    assert "bm25.run:2" in str(found)
    assert "<table" in found._repr_html_()


def test_the_first_file_is_recognised(tmp_path: Path) -> None:
    qrels, run = write(tmp_path)
    assert lint_files([qrels, run]).inputs == (qrels, run)
    assert lint_files([run, run]).inputs == (run, run)
    with pytest.raises(InputError, match="look like qrels"):
        lint_files([run, qrels])


def test_lines_are_numbered_in_files_of_many_chunks(tmp_path: Path) -> None:
    lines = [f"{n // 1000} Q0 d{n} {n % 1000} {2000 - n % 1000} bm25" for n in range(100_000)]
    lines[98_765] = "98 Q0 d98765 765 NaN bm25"
    _, run = write(tmp_path, run=text(lines))
    [finding] = lint(None, run)
    assert (finding.check, finding.places[0].line) == ("numbers", 98_766)


def test_names_of_files_and_data_sets_are_told_apart() -> None:
    with pytest.raises(InputError, match="no such file"):
        lint_files(["no-such-file.txt"])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_every_check_is_documented(check: Any) -> None:
    assert f"\n### {check.name}\n" in PAGE.read_text(encoding="utf-8")


def test_nothing_else_is_documented() -> None:
    found = [line[4:] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("### ")]
    assert found == [check.name for check in CHECKS]


def test_rows_judged_twice_by_python_data() -> None:
    found = lint([("q1", "a", 1), ("q1", "a", 0), ("q1", "b", 0)])
    assert checks(found) == [("error", "contradictions")]


def test_judgments_are_looked_at_once(tmp_path: Path) -> None:
    qrels, run = write(tmp_path, qrels=text([*clean_qrels(), "401 0 x -1"]))
    assert checks(lint(qrels, [run, run])) == [("info", "grades")]


def test_what_cannot_be_is_refused_before_a_file_is_read() -> None:
    with pytest.raises(InputError, match="cutoff"):
        lint_files(["no-such-file.txt"], cutoff=0)


def test_progress_is_told_run_by_run() -> None:
    steps: list[tuple[str, int, int]] = []
    lint(QRELS, {"x": {"q1": ["a"]}, "y": {"q1": ["b"]}}, progress=lambda *step: steps.append(step))
    assert steps == [("x", 1, 2), ("y", 2, 2)]


EMPTY: list[tuple[Any, Any, list[tuple[str, tuple[str, ...]]]]] = [
    ({"q2": {}}, None, [("no-relevant", ("q2",))]),
    ({"#5x": {"d0": 2.0, "d1": 0.0}, "2": {}}, None, [("no-relevant", ("2",))]),
    ({"a": {}, "b": {"d": 1, "e": 0}}, None, [("no-relevant", ("a",))]),
    (None, {"a": {}, "b": {"d": 1}, "c": {}}, []),
    (None, {"b": {"d": 1, "e": 1}, "c": {}}, [("constant-scores", ("b d 1",))]),
    (None, {"a": {}}, []),
]


@pytest.mark.parametrize(("qrels", "run", "expected"), EMPTY)
def test_topics_without_documents_are_named(qrels: Any, run: Any, expected: Any) -> None:
    """They have no row to show: that of the next topic was shown, and where there was none, the check failed."""
    found = [(one.check, tuple(place.text for place in one.places)) for one in lint(qrels, run)]
    assert [one for one in found if one[0] in ("no-relevant", "constant-scores")] == expected
    data = io.StringIO(json.dumps(qrels if run is None else run))
    again = lint(data) if run is None else lint(None, data)
    assert [one.check for one in again] == [check for check, _ in found]


@pytest.mark.parametrize("cutoff", [0, 10**30])
def test_cutoffs_that_are_none_are_refused(cutoff: int) -> None:
    with pytest.raises(InputError, match=r"cutoff is (a whole number from 1 on|at most 1,000,000,000,000,000), not"):
        lint({"q": {"a": 1}}, {"q": {"a": 1.0}}, cutoff=cutoff)
