"""Drafts hold what the readers read, and go on where those stop."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.io.drafts import draft_qrels, draft_run, read_draft
from truerank.io.load import as_run
from truerank.io.source import Source, open_source
from truerank.io.trec import read_qrels, read_run


def source(data: bytes) -> Source:
    return Source("x.run", "x", np.frombuffer(data, dtype=np.uint8))


def lines(number: int, seed: int) -> list[bytes]:
    chance = np.random.default_rng(seed)
    return [
        b"q%d%sQ0 d%d %d %.3f tag"
        % (chance.integers(5), chance.choice([b" ", b"\t", b"  "]), n, n, chance.normal() * 10)
        for n in range(number)
    ]


@pytest.mark.parametrize("chunk", [1, 100, 1 << 21])
@pytest.mark.parametrize("seed", range(5))
def test_good_lines_are_read_as_by_the_strict_reader(tmp_path: Path, chunk: int, seed: int) -> None:
    data = b"\n".join(lines(200, seed)) + b"\n"
    (tmp_path / "x.run").write_bytes(data)
    ours, theirs = read_draft(source(data), "run", chunk=chunk).run(), read_run(tmp_path / "x.run")
    assert ours is not None
    assert (ours.name, ours.topics) == (theirs.name, theirs.topics)
    assert all(ours.ranking(topic) == theirs.ranking(topic) for topic in theirs.topics)


@pytest.mark.parametrize("chunk", [1, 64, 1 << 21])
def test_bad_lines_do_not_touch_the_others(chunk: int) -> None:
    good = lines(50, 1)
    bad = [b"q1 Q0", b"# comment", b"", b"q1 Q0 dx 1 oops tag", b"a b c d e f g h", b"q1 Q0 d 1 2", b"q1 Q0 d x y"]
    mixed = [line for pair in zip(good, (bad * 8)[:50], strict=True) for line in pair]
    draft = read_draft(source(b"\n".join(mixed)), "run", chunk=chunk)
    kept = {doc for doc in draft.docs.tolist() if doc.startswith(b"d") and doc not in (b"dx", b"d")}
    assert kept == {line.split()[2] for line in good}
    assert sorted(draft.malformed.values()) == [2] * 8 + [5] * 7 + [8] * 7
    assert len(draft.unreadable) == 7
    assert draft.untagged.count == 7
    for place, count in draft.malformed.items():
        number, text = draft.line(place)
        assert mixed[number - 1] == text
        assert len(text.split()) == count


@pytest.mark.filterwarnings("error")
def test_numbers_at_the_end_of_what_there_is() -> None:
    draft = read_draft(source(b"1 0 L 1e308 1e308\n"), "run")
    assert draft.docs.tolist() == [b"L"]
    assert draft.untagged.count == 1


def test_very_long_ids_and_lines() -> None:
    long = b"x" * 70_000
    draft = read_draft(source(b"q Q0 %s 1 2 t\nq Q0 d 2 1 t\n" % long), "run", chunk=1)
    assert draft.docs.tolist() == [long, b"d"]


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_bytes(b"# nothing\n\n")
    with pytest.raises(InputError, match="no lines"):
        draft_run(tmp_path / "x.run")


def test_other_kinds_of_files_are_refused_as_everywhere(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"q 0 d 1\n")
    with pytest.raises(InputError, match="look like qrels"):
        draft_run(tmp_path / "x")


@pytest.mark.parametrize("line", ["q a > b", "q a b <"])
def test_preferences_with_signs_are_recognised(tmp_path: Path, line: str) -> None:
    (tmp_path / "x").write_text(f"{line}\n")
    assert draft_qrels(tmp_path / "x").kind == "preferences"


def test_preferences_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"q d2 d1\n")
    assert draft_qrels(tmp_path / "x").kind == "preferences"


@pytest.mark.parametrize(
    "data",
    [
        {"q": {"a": float("nan"), "b": 1.0}},
        {"q": [("a", None), ("b", 1)]},
        [("q", "a", "high"), ("q", "b", 1)],
        (("q", doc, score) for doc, score in (("a", True), ("b", 1))),
        {"q": {"a": 10**400, "b": 1}},
    ],
)
def test_python_data_that_readers_refuse(data: object) -> None:
    draft = draft_run(data, "mine")
    assert (draft.name, draft.docs.tolist(), draft.unreadable.tolist()) == ("mine", [b"a", b"b"], [0])
    run = draft.run()
    assert run is not None
    assert run.ranking("q") == [("b", 1.0)]


def test_a_list_that_repeats_a_document() -> None:
    draft = draft_run({"q": ["a", "b", "a"]})
    assert draft.pairs.tolist() == [[0, 2]]
    assert draft.kept.tolist() == [0, 1]


def test_qrels_are_read_as_by_the_strict_reader(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("q2 0 a 1\nq1 0 b 0\nq2 0 a 1\n")
    ours, theirs = draft_qrels(tmp_path / "q").qrels(), read_qrels(tmp_path / "q")
    assert ours is not None
    assert (ours.topics, ours.docs.tolist(), ours.grade.tolist()) == (
        theirs.topics,
        theirs.docs.tolist(),
        theirs.grade.tolist(),
    )


def test_a_stream_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"q Q0 d 1 2 t\n")
    with open(tmp_path / "x", "rb") as file:
        assert draft_run(open_source(file)).docs.tolist() == [b"d"]


NAMED = [{"qid": "q", "docno": "a", "score": None}, {"qid": "q", "docno": "b", "score": 1}]
RANKED = [{"qid": "q", "docno": doc, "rank": rank} for doc, rank in (("a", 1), ("b", 2), ("a", 3))]


def test_records_that_readers_refuse() -> None:
    assert draft_run(NAMED).unreadable.tolist() == [0]
    draft = draft_run(RANKED)
    assert (draft.number.tolist(), draft.pairs.tolist(), draft.kept.tolist()) == ([-1, -2, -3], [[0, 2]], [0, 1])


def test_true_and_false_stay_grades_beside_what_is_refused() -> None:
    draft = draft_qrels({"q": {"a": True, "b": float("inf")}})
    assert draft.number.tolist()[:1] == [1.0]
    assert draft.unreadable.tolist() == [1]


def test_a_frame_that_readers_refuse() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"qid": ["q", "q", "q"], "docno": ["a", "b", "a"], "score": [1.0, np.inf, 3.0]})
    draft = draft_run(frame)
    assert draft.unreadable.tolist() == [1]
    assert draft.repeated.tolist() == [0]
    assert [(finding.severity, finding.check) for finding in tr.lint(None, frame)][:2] == [
        ("error", "numbers"),
        ("error", "duplicates"),
    ]


@pytest.mark.parametrize("data", [{"q": {"a": 1}, "r": ["b"]}, [("q", "a")], {"q": {None: 1.0}}])
def test_data_without_rows_to_speak_of_stay_refused(data: object) -> None:
    with pytest.raises(InputError) as strict:
        as_run(data)
    with pytest.raises(InputError) as tolerant:
        draft_run(data)
    assert str(tolerant.value) == str(strict.value)


def test_a_stream_is_named_after_the_tag_of_its_first_line() -> None:
    lines = b"q Q0 a 1 4 zz\nq Q0 b 2 3 aa\nq Q0 c 3 2 mm\nq Q0\n"
    assert draft_run(io.BytesIO(lines)).name == "zz"


def test_utf16_with_carriage_returns_is_made_readable_as_a_whole() -> None:
    draft = read_draft(source("q Q0 a 1 2 t\rq Q0 b 2 1 t\r".encode("utf-16")), "run")
    assert (draft.foreign, draft.docs.tolist()) == ("UTF-16", [b"a", b"b"])
