from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.data.qrels import Preferences
from truerank.data.run import Run
from truerank.io.load import as_preferences, as_qrels, as_run
from truerank.io.source import open_source

ROWS = [("q2", "d1", "-1"), ("q1", "d1", "0.5"), ("q1", "d2", "2")]
EXPECTED = {"q1": [("d2", 2.0), ("d1", 0.5)], "q2": [("d1", -1.0)]}


def text(names: str, delimiter: str = ",", end: str = "\n") -> str:
    return end.join(delimiter.join(row) for row in [names.split(), *ROWS]) + end


def contents(run: Run) -> dict[str, list[tuple[str, float]]]:
    return {topic.decode(): run.ranking(topic) for topic in run.topics}


HEADERS = [
    "query_id doc_id score",
    "qid docno score",
    "q_id doc_id score",
    "query-id corpus-id score",
    "Query-ID DocNo SCORE",
    "topic_id document_id score",
    "user_id item_id score",
    "qid pid score",
]


@pytest.mark.parametrize("names", HEADERS)
@pytest.mark.parametrize("delimiter", [",", "\t", ";", " "])
def test_columns_are_known_by_the_names_of_other_tools(names: str, delimiter: str) -> None:
    run = as_run(io.StringIO(text(names, delimiter)))
    assert contents(run) == EXPECTED
    assert run.notes == ()


CURIOUS = {
    "byte order mark": "\ufeff" + text("qid docno score"),
    "carriage returns": text("qid docno score", end="\r\n"),
    "no last line end": text("qid docno score").rstrip(),
    "comments above": "# made by me\n\n" + text("qid docno score"),
    "blank lines": text("qid docno score", end="\n\n") + "  \n",
    "quotes": '"qid","docno","score"\n"q2","d1","-1"\n"q1","d1",0.5\n"q1",d2,"2"\n',
    "spaces": "qid, docno, score\nq2, d1, -1\nq1, d1 ,0.5\nq1,d2, 2\n",
    "other order": "score;docno;text;qid\n-1;d1;a b;q2\n0.5;d1;;q1\n2;d2;x;q1\n",
    "an index": ",qid,docno,score\n0,q2,d1,-1\n1,q1,d1,0.5\n2,q1,d2,2\n",
    "line ends in quotes": 'qid,docno,text,score\nq2,d1,"two\nlines",-1\nq1,d1,,0.5\nq1,d2,,2\n',
    "trec columns": "qid Q0 docno rank score tag\nq2 Q0 d1 1 -1 t\nq1 Q0 d1 2 0.5 t\nq1 Q0 d2 1 2 t\n",
}


@pytest.mark.parametrize("written", CURIOUS.values(), ids=CURIOUS)
def test_ways_to_write_a_file(written: str, tmp_path: Path) -> None:
    assert contents(as_run(io.StringIO(written))) == EXPECTED
    path = tmp_path / "bm25.csv.gz"
    path.write_bytes(gzip.compress(written.encode()))
    assert contents(as_run(path)) == EXPECTED
    assert as_run(path).name == "bm25"


def test_beir_judgments() -> None:
    qrels = as_qrels(io.StringIO("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n"))
    assert qrels.grade.tolist() == [1, 0]
    assert qrels.notes == ()


def test_judgments_may_be_true_or_false() -> None:
    assert as_qrels(io.StringIO("qid,docno,label\nq,a,True\nq,b,false\nq,c,2\n")).grade.tolist() == [1, 0, 2]


def test_preferences_are_known_by_their_names() -> None:
    written = "query_id,better,worse\nq1,d2,d1\n"
    for found in (as_qrels(io.StringIO(written)), as_preferences(io.StringIO(written))):
        assert isinstance(found, Preferences)
        assert found.docs.tolist() == [b"d2", b"d1"]


def test_ids_that_are_not_utf8_survive() -> None:
    for written in (b"qid,docno,score\nq\xff,d\xfe,1\n", b'qid,docno,score\n"q\xff",d\xfe,1\n'):
        run = as_run(io.BytesIO(written))
        assert run.topics == (b"q\xff",)
        assert run.docs.tolist() == [b"d\xfe"]


@pytest.mark.parametrize("space", ["\xa0", "\x85", "\u2028", "\u3000", "\x1c", "\x1f"], ids=ascii)
def test_ids_keep_what_is_whitespace_beyond_ascii(space: str) -> None:
    lines = f"q1 Q0 d{space}1 1 0.5 t\nq1\rQ0  d2{space}\t2 0.25 t\r\n"
    headed = as_run(io.BytesIO(f"qid iter docno rank score tag\n{lines}".encode()))
    trec = as_run(io.BytesIO(lines.encode()))
    assert headed.topics == trec.topics == (b"q1",)
    assert headed.ranking("q1") == trec.ranking("q1") == [(f"d{space}1", 0.5), (f"d2{space}", 0.25)]


def test_what_is_guessed_is_noted() -> None:
    run = as_run(io.StringIO("query,id,similarity\nq1,d1,2\n"))
    assert run.notes == (
        "read 'query' for the topic and 'id' for the document and 'similarity' for the score, going by the name",
    )
    assert "'score' for the grade" in as_qrels(io.StringIO("qid,docno,score\nq,a,1")).notes[0]


def test_columns_may_be_named() -> None:
    written = "a,b,c,score\nq1,d1,3,0.1\nq1,d2,4,0.2\n"
    run = as_run(io.StringIO(written), columns={"topic": "a", "doc": "b", "score": "c"})
    assert run.ranking("q1") == [("d2", 4.0), ("d1", 3.0)]
    assert run.notes == ()
    assert as_qrels(io.StringIO(written), columns={"topic": "a", "doc": "b", "grade": "c"}).grade.tolist() == [3, 4]


def test_ranks_instead_of_scores() -> None:
    written = "qid,docno,rank\nq,b,2\nq,a,1\nq,c,3\n"
    run = as_run(io.StringIO(written))
    assert run.ranking("q") == [("a", -1.0), ("b", -2.0), ("c", -3.0)]
    assert run.notes == ("scores are made of ranks: the first rank is best",)
    both = "qid,docno,score,rank\nq,b,9,2\nq,a,1,1\n"
    assert as_run(io.StringIO(both)).ranking("q")[0][0] == "b"
    assert as_run(io.StringIO(both), columns={"rank": "rank"}).ranking("q")[0][0] == "a"
    trec = "q Q0 b 2 9 t\nq Q0 a 1 1 t\n"
    assert as_run(io.StringIO(trec), columns={"rank": "rank"}).ranking("q") == [("a", -1.0), ("b", -2.0)]


def test_low_scores_may_be_best() -> None:
    for written in ("qid,docno,distance\nq,a,0.5\nq,b,0.0\n", "q Q0 a 1 0.5 t\nq Q0 b 2 0 t\n"):
        run = as_run(io.StringIO(written), higher_is_better=False)
        assert run.ranking("q") == [("b", 0.0), ("a", -0.5)]
        assert run.notes == ("low scores are best, as declared: scores are negated",)
    assert as_run(io.StringIO("qid,docno,distance\nq,a,1\nq,b,2\n"), higher_is_better=True).ranking("q")[0][0] == "b"


def test_three_columns_are_a_list_with_ranks() -> None:
    run = as_run(io.StringIO("7\td2\t2\n7\td1\t1\n8\td1\t1\n"), "mine")
    assert contents(run) == {"7": [("d1", -1.0), ("d2", -2.0)], "8": [("d1", -1.0)]}
    assert run.notes == ("3 columns are taken for topic, document and rank: scores are made of ranks",)


def test_two_columns_are_a_list_best_first() -> None:
    run = as_run(io.StringIO("7 d2\n8 d1\n7 d1\n"))
    assert contents(run) == {"7": [("d2", 2.0), ("d1", 1.0)], "8": [("d1", 1.0)]}
    assert run.notes == ("2 columns are taken for topic and document, best first: scores are made of places",)


def test_a_list_of_judgments_stays_preferences() -> None:
    assert isinstance(as_qrels(io.StringIO("q a b\n")), Preferences)


def test_trec_files_are_read_as_before() -> None:
    for written in ("qid 0 docno 1\n", "query Q0 doc 1 2.0 score\n", "query_id\tQ0\tdoc_id\t1\t2.0\tt\n"):
        data = as_qrels(io.StringIO(written)) if written.endswith(" 1\n") else as_run(io.StringIO(written))
        assert len(data) == 1
        assert data.notes == ()


def test_a_form_may_be_declared() -> None:
    odd = "query doc rank item user id\n"
    with pytest.raises(InputError, match="the score is 'user'; give a finite number"):
        as_run(io.StringIO(odd), form="trec")
    assert as_run(io.StringIO('{"a" Q0 d 1 2 t\n'), form="trec").topics == (b'{"a"',)
    with pytest.raises(
        InputError, match=r"form='xml' is not one of 'trec', 'list', 'csv', 'json', 'letor', 'parquet'; choose"
    ):
        as_run(io.StringIO(odd), form="xml")
    with pytest.raises(InputError, match="form='csv' is for files, and this is a dict; leave it out"):
        as_run({"q": {"a": 1}}, form="csv")


HEAD = "qid,docno,score\n"
REFUSED: list[tuple[str, int | None, str]] = [
    ("", None, "the file holds no lines"),
    ("\n# nothing\n", None, "the file holds no lines"),
    (HEAD, 1, "there is nothing below the header line; add rows"),
    ("\ufeff# x\n" + HEAD + "\n\n", 2, "there is nothing below the header line"),
    (HEAD + "q,a,1\nq,b\n", 3, "2 values where the header line has 3 names; give every row a value for each column"),
    (HEAD + "\nq,a,1\n\nq,b,2,x\n", 5, "4 values where the header line has 3 names; remove what is too much"),
    (HEAD + 'q,"a\nb",1\nq,b\n', 4, "2 values where"),
    (HEAD + "q,a,1\nq,b,x\n", 3, "the score is 'x'; give a finite number"),
    (HEAD + "q,a,1\nq,b,\n", 3, "the score is ''; give a finite number"),
    (HEAD + "q,a,nan\n", 2, "the score is 'nan'; give a finite number"),
    (HEAD + "q,a,1e999\n", 2, "the score is '1e999'"),
    (HEAD + "q,a,1_000\n", 2, "the score is '1_000'"),
    (HEAD + "q,a,True\n", 2, "the score is 'True'"),
    (HEAD + "q,,1\n", 2, "there is nothing in column 'docno'; give every row a value"),
    (HEAD + "q,a,1\n ,b,1\n", 3, "there is nothing in column 'qid'"),
    (HEAD + "q,a,1\nq,b,2\nq,a,3\n", 4, "document 'a' is listed twice for topic 'q' (first on line 2); keep one"),
    (HEAD + 'q,"a",1\nq,"b b",2\nq,a,3\n', 4, "document 'a' is listed twice for topic 'q' (first on line 2); keep one"),
    (HEAD + 'q,"a"b,1\n', 2, "quotes do not match"),
    (HEAD + f'q,"{"a" * 140_000}",1\n', 2, "quotes do not match, or a value is too long"),
    (HEAD + 'q,a,1\nq,"b,1\n', 3, "quotes do not match"),
    ("a,b,c\nq,d,1\n", None, "no column is known to hold the topic and doc and score among 'a', 'b', 'c'; say which"),
    ("a\tb\tc\nq\td\t1\n", None, "no column is known to hold the topic and doc and score among 'a', 'b', 'c'"),
    ("qid,docno\nq,d\n", None, "no column is known to hold the score"),
    ("qid,docno,score,Score\nq,d,1,1\n", None, "both 'score' and 'Score' could hold the score"),
    ("qid,docno,distance\nq,d,1\n", None, "the score is called 'distance'; if a small one is good"),
    ("<!DOCTYPE html>\n<p>not found", None, "this is a page of HTML or XML, perhaps of a failed download; fetch"),
    ("<html><body>not found</body></html>\n", None, "this is a page of HTML or XML"),
    ("q1,d1,0.5\n", 1, "these look like values without a header line; begin the file with one such as query_id,doc_id"),
    (
        "q1 d1 0.5\n",
        1,
        "the third column holds 0.5, which makes no ranks (1, 2, 3, ... in each topic); if it is a score",
    ),
    ("q1 d1 1\nq1 d2 1\n", 2, "the third column holds 1, which makes no ranks"),
    ("q1 d1 1\nq2 d2 3\n", 2, "the third column holds 3, which makes no ranks"),
    ("q1 d1 1\nq1 d2 2.5\n", 2, "the third column holds 2.5, which makes no ranks"),
    ("q1 d1 1\nq1 d2\n", 2, "2 columns where a list has 3 (topic document rank)"),
    ("q1 d1\nq1 Q0 d1 1 2 t\n", 2, "6 columns where a list has 2 (topic document); these look like a run"),
    ("q1 d1\nq1 d1\n", 2, "document 'd1' is listed twice for topic 'q1'"),
]


@pytest.mark.parametrize(("written", "line", "message"), REFUSED)
def test_bad_files_are_refused_with_their_line(written: str, line: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bm25.csv"
    path.write_bytes(written.encode())
    with pytest.raises(InputError) as error:
        as_run(path)
    assert str(error.value).startswith(f"{path}:{line}: {message}" if line else f"{path}: {message}")


OPTIONS: list[tuple[Any, dict[str, Any], str]] = [
    ("qid,docno,score\nq,a,1\n", {"columns": {"doc": "id"}}, "there is no column 'id' for the doc; there are 'qid'"),
    ("qid,docno,score\nq,a,1\n", {"columns": {"grade": "score"}}, "'grade'; a run has topic, doc, score, rank"),
    ("q Q0 a 1 1 t\n", {"columns": {"doc": "docno"}}, "columns= names columns of a header line, and this file has no"),
    ("q a 1\n", {"columns": {"doc": "docno"}}, "columns= names columns of a header line, and this file has none such"),
    ("q a 1\n", {"higher_is_better": False}, "there are no scores for higher_is_better=False to reverse"),
    ("qid,docno,rank\nq,a,1\n", {"higher_is_better": False}, "there are no scores for higher_is_better=False to rev"),
    ({"q": ["a"]}, {"higher_is_better": False}, "there are no scores for higher_is_better=False to reverse"),
    ({"q": {"a": 1}}, {"columns": {"doc": "a"}}, "columns= names the parts of rows, and these have no names; leave it"),
    ([("q", "a", 1)], {"columns": {"doc": "a"}}, "columns= names the parts of rows, and these have no names"),
    ({"q": {"a": 1}}, {"aggregate": "sum"}, "aggregate='sum' is for chunks; say how they are named, as in chunks='#'"),
]


@pytest.mark.parametrize(("data", "options", "message"), OPTIONS)
def test_options_that_do_not_fit_are_refused(data: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        as_run(io.StringIO(data) if isinstance(data, str) else data, **options)
    assert message in str(error.value)


def test_what_is_read_already_takes_no_options_of_reading() -> None:
    run, qrels = as_run({"q": {"a": 1.0, "b": 1.0, "c": 2.0}}), as_qrels({"q": ["a"]})
    assert as_run(run, higher_is_better=False).ranking("q") == [("a", -1.0), ("b", -1.0), ("c", -2.0)]
    for refused in (lambda: as_run(run, columns={"doc": "x"}), lambda: as_qrels(qrels, form="csv")):
        with pytest.raises(InputError, match="says how to read data, and these are read already; leave it out"):
            refused()


values = st.text("abc01#,;\t \"'é\n\r", max_size=4)
numbers = st.sampled_from(["1", "-2.5", "1e-3", "x", "", " 3", "nan"])


@given(st.lists(st.tuples(values, values, numbers), min_size=1, max_size=6), st.sampled_from(",\t;"), st.booleans())
def test_the_quick_reader_reads_what_the_careful_one_reads(
    rows: list[tuple[str, str, str]], delimiter: str, written_well: bool
) -> None:
    stream = io.StringIO(newline="")
    if written_well:
        csv.writer(stream, delimiter=delimiter).writerows([("qid", "docno", "score"), *rows])
    else:
        stream.write("\n".join(delimiter.join(row) for row in [("qid", "docno", "score"), *rows]))

    def outcome() -> Any:
        try:
            return contents(as_run(io.BytesIO(stream.getvalue().encode())))
        except InputError as error:
            return str(error)

    quick = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("truerank.io.csv_text._simple", lambda *_: None)
        assert outcome() == quick


def test_a_large_file_is_read_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    written = 'qid,docno,score\n"q",a0,0\n' + "".join(f"q,a{n},{n}\n" for n in range(1, 50))
    whole = as_run(io.StringIO(written))
    monkeypatch.setattr("truerank.io.csv_text._BATCH", 7)
    assert contents(as_run(io.StringIO(written))) == contents(whole)
    with pytest.raises(InputError, match=r":42: 2 values where"):
        as_run(io.StringIO(written.replace("a40,40", "a40")))


def test_a_source_is_opened_once() -> None:
    source = open_source(io.StringIO("qid,docno,score\nq,a,1\n"))
    assert contents(as_run(source)) == contents(as_run(source)) == {"q": [("a", 1.0)]}


def test_names_of_columns_are_listed_as_far_as_a_line_goes() -> None:
    header = ",".join(f"{'x' * 200}{column}" for column in range(500))
    with pytest.raises(
        InputError, match="no column is known to hold the topic and doc and score among 'xxx"
    ) as refused:
        as_run(io.BytesIO(f"{header}\n".encode()))
    assert len(str(refused.value)) < 2000
