"""Where the drop-in deliberately differs from trec_eval: every entry of the list in the documentation."""

from __future__ import annotations

import gzip
from pathlib import Path

from truerank.compat.trec_eval.program import trec_eval

PERFECT = ("q 0 a 2\nq 0 b 1\nq 0 c 0\n", "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n")


def written(here: Path, qrels: str, run: str) -> None:
    (here / "qrels").write_text(qrels)
    (here / "run").write_text(run)


def test_gains_below_one_count(here: Path) -> None:
    written(here, *PERFECT)
    for measure in ("ndcg", "ndcg_rel", "Rndcg"):
        outcome = trec_eval(["-m", f"{measure}.1=0.2,2=0.9", "qrels", "run"])
        assert outcome.text.split()[2] == "1.0000"
        assert "gains that differ by less than 1" in outcome.notes[0]
    assert trec_eval(["-m", "ndcg.1=3,2=9", "qrels", "run"]).notes == ()
    assert trec_eval(["-m", "rbp.1=0.2,2=0.9", "qrels", "run"]).notes == ()


def test_nothing_is_printed_before_an_error(here: Path) -> None:
    written(here, "q1 0 a 1\nq2 0 a 1\n", "q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq2 Q0 a 2 1 t\n")
    outcome = trec_eval(["-q", "qrels", "run"])
    assert (outcome.text, outcome.code) == ("", 4)


def test_a_document_listed_twice_is_refused_in_any_topic_and_at_any_depth(here: Path) -> None:
    written(here, "q1 0 a 1\n", "q1 Q0 a 1 1 t\nq2 Q0 a 1 2 t\nq2 Q0 a 2 1 t\n")
    assert trec_eval(["-M1", "qrels", "run"]).code == 4


def test_scores_that_are_not_numbers_are_refused(here: Path) -> None:
    for bad in ("abc", "nan", "inf", "1.5x"):
        written(here, "q 0 a 1\n", f"q Q0 a 1 {bad} t\n")
        assert trec_eval(["qrels", "run"]).code == 2
        written(here, f"q 0 a {bad}\n", "q Q0 a 1 1 t\n")
        assert trec_eval(["qrels", "run"]).code == 2


def test_topics_with_negative_grades_only_are_evaluated(here: Path) -> None:
    written(here, "q 0 a -1\n", "q Q0 a 1 1 t\n")
    outcome = trec_eval(["--version", "9", "-m", "all_trec", "qrels", "run"])
    assert outcome.code == 0
    assert {line.split()[2] for line in outcome.text.splitlines()[3:] if "utility" not in line} == {"0", "0.0000"}


def test_blank_lines_and_compressed_files_are_read(here: Path) -> None:
    for version in ("9", "10"):
        written(here, "q 0 a 1\n\n", "\nq Q0 a 1 1 t\n")
        plain = trec_eval(["--version", version, "qrels", "run"]).text
        assert plain
        (here / "run.gz").write_bytes(gzip.compress((here / "run").read_bytes()))
        assert trec_eval(["--version", version, "qrels", "run.gz"]).text == plain


def test_a_run_of_other_topics_is_said_to_be_one(here: Path) -> None:
    written(here, "q1 0 a 1\n", "q2 Q0 a 1 1 t\n")
    outcome = trec_eval(["-c", "-m", "map", "qrels", "run"])
    assert (outcome.text.split()[2], outcome.code) == ("0.0000", 0)
    assert "no topic in common" in outcome.notes[0]


def test_gains_of_one_measure_are_not_those_of_another(here: Path) -> None:
    written(here, *PERFECT)
    names = [line.split()[0] for line in trec_eval(["-m", "dcg.1=3", "-m", "ndcg", "qrels", "run"]).text.splitlines()]
    assert names == ["dcg_1=3", "ndcg"]


def test_a_gain_for_grade_0_is_refused_where_it_has_no_meaning_here(here: Path) -> None:
    written(here, *PERFECT)
    for measure, code in (("Rndcg", 2), ("rbp", 2), ("ndcg_rel", 0), ("G", 0)):
        assert trec_eval(["-m", f"{measure}.0=1", "qrels", "run"]).code == code


def test_debugging_prints_nothing(here: Path) -> None:
    written(here, *PERFECT)
    assert trec_eval(["-D", "6", "qrels", "run"]) == trec_eval(["qrels", "run"])


def test_a_topic_without_means_is_no_error(here: Path) -> None:
    written(here, *PERFECT)
    for topic in ("a", "z"):
        (here / "means").write_text(f"{topic} map 0 1\n")
        assert trec_eval(["-Z", "means", "-m", "map", "qrels", "run"]).text.split()[2] == "-1000000.0000"
