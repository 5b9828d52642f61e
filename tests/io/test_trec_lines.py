"""Runs as TREC files."""

from __future__ import annotations

from pathlib import Path

import pytest

import truerank as tr
from truerank.analysis.stopping.fixed import Fixed
from truerank.analysis.stopping.threshold import Threshold
from truerank.data.errors import InputError
from truerank.io.load import as_run
from truerank.io.trec import run_lines, tag_of, write_run

LINES = "q1 Q0 a 0 3.50 my-tag\nq1 Q0 b 1 3.50 my-tag\nq1 Q0 c 7 1e-3 my-tag\nq2 Q0 d 0 -2 my-tag\n"


def test_ids_ranks_scores_and_tag_are_kept(tmp_path: Path) -> None:
    (tmp_path / "bm25.run").write_text(LINES)
    run = as_run(tmp_path / "bm25.run")
    write_run(run, tmp_path / "copy.run")
    assert (tmp_path / "copy.run").read_text() == (
        "q1 Q0 a 0 3.5 my-tag\nq1 Q0 b 1 3.5 my-tag\nq1 Q0 c 7 0.001 my-tag\nq2 Q0 d 0 -2.0 my-tag\n"
    )
    write_run(Fixed(k=1).apply(run), tmp_path / "cut.run")
    assert as_run(tmp_path / "cut.run").ranking("q1") == [("a", 3.5), ("b", 3.5)]


@pytest.mark.parametrize("scores", [[0.1 + 0.2, 1e-300, -1e308, 5e-324], [1 / 3, 2 / 3, 1e16 + 2, 0.0]])
def test_scores_survive_to_the_last_bit(scores: list[float], tmp_path: Path) -> None:
    run = as_run({"q": {f"d{place}": score for place, score in enumerate(scores)}})
    write_run(run, tmp_path / "x.run")
    assert as_run(tmp_path / "x.run").score.tolist() == run.score.tolist()


def test_ids_of_any_bytes_are_kept(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_bytes(b"q\xff Q0 d\xc3\xa9 1 2.0 t\n")
    write_run(as_run(tmp_path / "x.run"), tmp_path / "y.run")
    assert (tmp_path / "y.run").read_bytes() == b"q\xff Q0 d\xc3\xa9 1 2.0 t\n"


def test_a_rank_column_without_numbers_is_counted_anew(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text("q Q0 a first 2 t\nq Q0 b second 1 t\n")
    assert b"".join(run_lines(as_run(tmp_path / "x.run"), "t")) == b"q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n"


def test_silence_is_a_nil_or_nothing() -> None:
    cut = Threshold(at=1.0, scale="raw").apply(as_run({"q1": {"a": 2.0}, "q2": {"b": 0.5}}))
    assert b"".join(run_lines(cut, "t")) == b"q1 Q0 a 1 2.0 t\n"
    assert b"".join(run_lines(cut, "t", nil=True)) == b"q1 Q0 a 1 2.0 t\nq2 Q0 NIL 1 0.0 t\n"
    nothing = Fixed(k=0).apply(cut)
    assert (b"".join(run_lines(nothing, "t")), tag_of(nothing)) == (b"", "run")


@pytest.mark.parametrize("ending", ["terminal", "terminal-once"])
def test_a_nil_says_what_an_empty_list_says(ending: str, tmp_path: Path) -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}
    cut = Threshold(at=1.0, scale="raw").apply(as_run({"q1": {"a": 2.0}, "q2": {"b": 0.5}, "q3": {"x": 0.1, "c": 0.0}}))
    for nil in (False, True):
        write_run(cut, tmp_path / f"{nil}.run", nil=nil)
    scores = tr.evaluate(qrels, [str(tmp_path / "True.run"), str(tmp_path / "False.run")], "RBP RR", ending=ending)
    assert scores["True"]["RBP"].per_topic == scores["False"]["RBP"].per_topic
    assert scores["True"]["RR"].per_topic == scores["False"]["RR"].per_topic


@pytest.mark.parametrize("run", [{"q 1": ["a"]}, {"q": ["a b"]}, {"q": ["a\nq Q0 b 1 1 t"]}])
def test_ids_that_a_line_cannot_hold_are_refused(run: dict[str, list[str]]) -> None:
    with pytest.raises(InputError, match="no line of a run can hold"):
        b"".join(run_lines(as_run(run), "t"))


def test_a_tag_has_no_blanks() -> None:
    assert b"".join(run_lines(as_run({"q": {"a": 1.0}}), "my own\trun")) == b"q Q0 a 1 1.0 my_own_run\n"
