"""TREC files, read and written."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import truerank as tr
from truerank.data.errors import InputError
from truerank.data.run import Run
from truerank.io.columns import read_columns
from truerank.io.compression import compression
from truerank.io.load import as_run
from truerank.io.source import open_source
from truerank.io.trec import RUN, read_preferences, read_qrels, read_run, run_lines, tag_of, write_run
from truerank.questions.stop.thresholds import FixedRule, ThresholdRule

Parsed = dict[bytes, list[tuple[bytes, float]]]


def naive(text: bytes) -> Parsed:
    """A reader too simple to be wrong."""
    rows: Parsed = {}
    for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            topic, _, doc, _, score, *_ = fields
            rows.setdefault(topic, []).append((doc, float(score)))
    return {topic: sorted(rows[topic], key=lambda row: -row[1]) for topic in sorted(rows)}


def contents(run: Run) -> Parsed:
    docs, score, offsets = run.docs.tolist(), run.score.tolist(), run.offsets.tolist()
    return {
        topic: [*zip(docs[begin:end], score[begin:end], strict=True)]
        for topic, begin, end in zip(run.topics, offsets[:-1], offsets[1:], strict=True)
    }


letters = st.binary(min_size=1, max_size=12).map(lambda raw: raw.translate(None, b" \t\n\r\v\f#\xef") or b"x")
topics = st.sampled_from([b"401", b"402", b"q-with-a-long-name", b"\xc3\xa9"]) | letters
numbers = st.sampled_from([b"1", b"-2.5", b"17.345600", b"1e-3", b"+4", b".5", b"12.", b"0", b"-0.0", b"9" * 25])
spaces = st.sampled_from([b" ", b" ", b" ", b"\t", b"  ", b" \t ", b"\v"])
ends = st.sampled_from([b"\n", b"\n", b"\r\n", b" \n", b"\n\n", b"\n# a comment 1 2 3 4 5\n", b"\n  \t\n", b" extra\n"])


@st.composite
def run_files(draw: st.DrawFn) -> bytes:
    regular = draw(st.booleans())
    rows = draw(st.lists(st.tuples(topics, letters | st.just(b"d" * 30)), unique=True, min_size=1, max_size=30))
    text = b"\xef\xbb\xbf" if draw(st.integers(0, 9)) == 0 else b""
    for topic, doc in rows:
        fields = [topic, b"Q0", doc, b"1", draw(numbers), b"tag"]
        if regular:
            text += b" ".join(fields) + b"\n"
        else:
            text += b"".join(field + draw(spaces) for field in fields[:-1]) + fields[-1] + draw(ends)
    return text.rstrip(b"\n") if draw(st.booleans()) else text


@given(run_files(), st.sampled_from([1, 7, 40, 200, 1 << 21]), st.sampled_from([1, 2]))
def test_reads_what_a_naive_reader_reads(text: bytes, chunk: int, threads: int) -> None:
    assume(compression(text) is None)
    run = read_run(io.BytesIO(text), chunk=chunk, threads=threads)
    assert contents(run) == naive(text)
    assert run.key.tolist() == run.docs.keys().tolist()


def lines(count: int, *, shuffled: bool) -> bytes:
    random = np.random.default_rng(2)
    rows = [b"%d Q0 D%d %d %.4f t" % (n // 100, n * 7919 % 100_003, n, random.random()) for n in range(count)]
    if shuffled:
        rows = [rows[place] for place in random.permutation(count)]
    return b"\n".join(rows) + b"\n"


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("chunk", [100, 5000, 1 << 21])
def test_many_topics_in_many_chunks(shuffled: bool, chunk: int) -> None:
    text = lines(20_000, shuffled=shuffled)
    assert contents(read_run(io.BytesIO(text), chunk=chunk, threads=2)) == naive(text)


def test_topics_in_other_than_bytewise_order() -> None:
    text = b"".join(b"%d Q0 D%d 1 %d t\n" % (topic, doc, -doc) for topic in (30, 4, 100) for doc in range(300))
    assert contents(read_run(io.BytesIO(text))) == naive(text)


def test_an_id_longer_than_65535_bytes() -> None:
    text = b"q Q0 %s 1 2 t\nq Q0 d 2 1 t\n" % (b"x" * 70_000)
    assert contents(read_run(io.BytesIO(text), chunk=100)) == naive(text)


def test_control_characters_are_not_whitespace() -> None:
    assert contents(read_run(io.BytesIO(b"q Q0 a\x00b 1 2 t\nq Q0 \x01 1 1 t\n"))) == {
        b"q": [(b"a\x00b", 2.0), (b"\x01", 1.0)]
    }


ok = "q Q0 d{} {} 1.5 t\n"
RUN_ERRORS = [
    ("q Q0 a 1 x t\n", 1, "the score is 'x'; give a finite number"),
    (ok.format(1, 1) + "\n# note\nq Q0 a 1 nan t\n", 4, "the score is 'nan'; give a finite number"),
    (ok.format(1, 1) + "q Q0 a 1 inf t\n", 2, "the score is 'inf'; give a finite number"),
    (ok.format(1, 1) + "q Q0 a 1 1e999 t", 2, "the score is '1e999'; give a finite number"),
    (ok.format(1, 1) + "q Q0 a 1 1.0\n", 2, "5 columns where a run has 6 (topic Q0 document rank score tag); add"),
    ("401 0 FT911-3 1\n", 1, "4 columns where a run has 6 (topic Q0 document rank score tag); these look like qrels"),
    (ok.format(1, 1) + "q\n", 2, "1 column where a run has 6"),
    (ok.format(1, 1) + ok.format(2, 2) + ok.format(1, 3), 3, "document 'd1' is listed twice for topic 'q' (first on"),
    ("q Q0 a 1 x t\nq Q0\n", 1, "the score is 'x'"),
    ("q Q0\nq Q0 a 1 x t\n", 1, "2 columns"),
    ("", None, "the file holds no lines; give a run with lines of: topic Q0 document rank score tag"),
    ("\n \n# nothing\n", None, "the file holds no lines"),
    ("q Q0 a 1 1 t\rq Q0 b 2 1 t\r", None, "lines end in a carriage return alone"),
]


@pytest.mark.parametrize("chunk", [1, 30, 1 << 21])
@pytest.mark.parametrize(("text", "line", "message"), RUN_ERRORS)
def test_bad_runs_are_refused_with_their_line(
    text: str, line: int | None, message: str, chunk: int, tmp_path: Path
) -> None:
    path = tmp_path / "bm25.run"
    path.write_bytes(text.encode())
    with pytest.raises(InputError) as error:
        read_run(path, chunk=chunk, threads=2)
    place = f"{path}:{line}: " if line else f"{path}: "
    assert str(error.value).startswith(place + message)


def test_both_lines_of_a_repeated_document_are_named() -> None:
    text = "".join(ok.format(number % 50, 1) if number != 20 else "# note\n" for number in range(52))
    with pytest.raises(InputError, match=r"^<stream>:51: document 'd0' .* \(first on line 1\); keep one of the two$"):
        read_run(io.StringIO(text))


def test_repeats_with_different_scores_name_the_later_line() -> None:
    with pytest.raises(InputError, match=r":3: document 'a' is listed twice for topic 'q' \(first on line 1\)"):
        read_run(io.StringIO("q Q0 a 1 1.0 t\nq Q0 b 1 2.0 t\nq Q0 a 1 3.0 t\n"))


def test_utf16_is_refused() -> None:
    with pytest.raises(InputError, match="the text is UTF-16; save it as UTF-8"):
        read_run(io.BytesIO("q Q0 a 1 1 t".encode("utf-16")))


def test_qrels() -> None:
    qrels = read_qrels(io.StringIO("q2 0 b 1\nq1\t0\ta\t-1\nq1 0 c 0.5\r\n\nq1 0 a -1"))
    assert qrels.topics == (b"q1", b"q2")
    assert qrels.docs.tolist() == [b"a", b"c", b"b"]
    assert qrels.grade.tolist() == [-1, 0.5, 1]


QRELS_ERRORS = [
    ("q 0 a 1\nq 0 b high\n", 2, "the grade is 'high'; give a finite number"),
    ("q 0 a\n", 1, "3 columns where qrels have 4 (topic iteration document grade); these look like preferences"),
    ("q 0\n", 1, "2 columns where qrels have 4 (topic iteration document grade); add what is missing"),
    ("q Q0 a 1 1.5 t\n", 1, "6 columns where qrels have 4 (topic iteration document grade); these look like a run"),
    ("q 0 a 1 x\n", 1, "5 columns where qrels have 4 (topic iteration document grade); remove what is too much"),
    ("q 0 a 1\nq 0 b 1\nq 0 a 2\n", 3, "document 'a' of topic 'q' is judged 2 and 1 (first on line 1); keep one"),
    ("", None, "the file holds no lines; give qrels"),
]


@pytest.mark.parametrize(("text", "line", "message"), QRELS_ERRORS)
def test_bad_qrels_are_refused_with_their_line(text: str, line: int | None, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_qrels(io.StringIO(text))
    assert str(error.value).startswith((f"<stream>:{line}: " if line else "<stream>: ") + message)


def test_preferences() -> None:
    preferences = read_preferences(io.StringIO("q1 a b\nq1 a c\nq1 b c\n"))
    assert preferences.docs.tolist() == [b"a", b"b", b"c"]
    assert preferences.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]


def test_a_document_preferred_to_itself_is_refused() -> None:
    with pytest.raises(InputError, match=r"^<stream>:2: document 'a' of topic 'q1' is compared with itself"):
        read_preferences(io.StringIO("q1 a b\nq1 a a\n"))


@pytest.mark.parametrize(
    ("file", "name"), [("bm25.run.gz", "bm25"), ("bm25.k1=0.9.txt", "bm25.k1=0.9"), ("run", "run"), (".run", ".run")]
)
def test_a_run_is_named_after_its_file(file: str, name: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("q Q0 a 1 1 tag\n")
    assert read_run(tmp_path / file).name == name
    assert read_run(str(tmp_path / file), "mine").name == "mine"


def test_a_run_from_a_stream_is_named_after_its_tag() -> None:
    assert read_run(io.StringIO("# note\nq Q0 a 1 1 bm25 more\n")).name == "bm25"


def test_offsets_are_compact_where_they_fit() -> None:
    source = open_source(io.BytesIO(b"q Q0 a 1 1 t\n"))
    assert read_columns(source, RUN).ids[0].start.dtype == np.uint32


def test_an_id_with_a_space_is_found_out_by_its_rank(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 0.9 two words\n1 Q0 zz one 1 0.9 t\n")
    with pytest.raises(InputError, match=r"run:2: 7 columns where a run has 6 .* a space inside an id"):
        read_run(tmp_path / "run")
    (tmp_path / "run").write_text("1 Q0 a 1 0.9 two words\n1 Q0 b 2 0.8 two words\n")
    assert read_run(tmp_path / "run").ranking("1") == [("a", 0.9), ("b", 0.8)]


LINES = "q1 Q0 a 0 3.50 my-tag\nq1 Q0 b 1 3.50 my-tag\nq1 Q0 c 7 1e-3 my-tag\nq2 Q0 d 0 -2 my-tag\n"


def test_ids_ranks_scores_and_tag_are_kept(tmp_path: Path) -> None:
    (tmp_path / "bm25.run").write_text(LINES)
    run = as_run(tmp_path / "bm25.run")
    write_run(run, tmp_path / "copy.run")
    assert (tmp_path / "copy.run").read_text() == LINES
    write_run(FixedRule(k=1).apply(run), tmp_path / "cut.run")
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
    assert b"".join(run_lines(as_run(tmp_path / "x.run"), "t")) == b"q Q0 a 1 2 t\nq Q0 b 2 1 t\n"


def test_scores_that_were_turned_are_written_anew(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text("q Q0 a 1 6 t\nq Q0 b 2 7.50 t\n")
    run = as_run(tmp_path / "x.run", higher_is_better=False)
    assert b"".join(run_lines(run, "t")) == b"q Q0 a 1 -6.0 t\nq Q0 b 2 -7.5 t\n"
    assert b"".join(run_lines(run, "t", as_given=True)) == b"q Q0 a 1 6 t\nq Q0 b 2 7.50 t\n"


def test_silence_is_a_nil_or_nothing() -> None:
    cut = ThresholdRule(at=1.0, scale="raw").apply(as_run({"q1": {"a": 2.0}, "q2": {"b": 0.5}}))
    assert b"".join(run_lines(cut, "t")) == b"q1 Q0 a 1 2.0 t\n"
    assert b"".join(run_lines(cut, "t", nil=True)) == b"q1 Q0 a 1 2.0 t\nq2 Q0 NIL 1 0.0 t\n"
    nothing = FixedRule(k=0).apply(cut)
    assert (b"".join(run_lines(nothing, "t")), tag_of(nothing)) == (b"", "run")


@pytest.mark.parametrize("ending", ["terminal", "terminal-once"])
def test_a_nil_says_what_an_empty_list_says(ending: str, tmp_path: Path) -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}
    cut = ThresholdRule(at=1.0, scale="raw").apply(
        as_run({"q1": {"a": 2.0}, "q2": {"b": 0.5}, "q3": {"x": 0.1, "c": 0.0}})
    )
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


def test_the_tag_is_that_of_the_file_or_else_the_name() -> None:
    assert tag_of(as_run(io.StringIO("q Q0 a 1 1 bm25\n"), "mine")) == "bm25"
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1.0], "rank": [3]})
    run = as_run(frame, "mine")
    assert tag_of(run) == "mine"
    assert b"".join(run_lines(run, "t")) == b"q Q0 a 3 1.0 t\n"
