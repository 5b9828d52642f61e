"""Each check finds a file that has the problem, and says nothing about one that has not."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from truerank.questions.lint.question import SEVERITIES, lint
from truerank.questions.lint.work import CHECKS

from .files import clean_qrels, clean_run, column, swap, text, write

Edit = Callable[[bytes], bytes]


class Trouble(NamedTuple):
    check: str
    severity: str
    run: Edit | None = None
    qrels: Edit | None = None
    count: int = 1
    line: int | None = 1
    says: str = ""
    """A part of what the finding says, in any of its sentences."""


def same(data: bytes) -> bytes:
    return data


TROUBLES = [
    Trouble("encoding", "error", lambda d: d.decode().encode("utf-16"), line=None, says="UTF-16"),
    Trouble("encoding", "error", lambda d: d.decode().encode("utf-16-le"), line=None, says="UTF-16"),
    Trouble("encoding", "error", lambda d: d.replace(b"\n", b"\r"), line=None, says="carriage return"),
    Trouble("encoding", "info", lambda d: b"\xef\xbb\xbf" + d, says="byte order mark"),
    Trouble("encoding", "info", lambda d: d.replace(b"\n", b"\r\n"), count=36, says="Windows"),
    Trouble("encoding", "info", lambda d: d + b"401 Q0 caf\xe9 13 1 bm25\n", line=37, says="UTF-8"),
    Trouble("encoding", "warning", swap("401 Q0 FT-2 ", "401 Q0 FT\0-2 "), line=2, says="NUL"),
    Trouble("encoding", "info", qrels=lambda d: b"\xef\xbb\xbf" + d, says="byte order mark"),
    Trouble(
        "columns", "error", swap("401 Q0 FT-2 2 18.5 bm25", "401 FT-2 18.5"), line=2, says="3 columns instead of 6"
    ),
    Trouble("columns", "error", swap("401 Q0 FT-2 2 18.5 bm25", "401 FT-2 2 18.5 bm25"), line=2, says="5 columns"),
    Trouble("columns", "error", swap(" bm25\n", "\n"), count=36, says="tag"),
    Trouble("columns", "warning", swap("401 Q0 FT-2 ", "401 Q0 FT 2 "), line=2, says="where the others have six"),
    Trouble("columns", "error", column(2, lambda row, n: "my doc"), count=36, says="7 columns instead of 6"),
    Trouble("columns", "error", qrels=swap("402 0 FT-1 ", "402 0 FT 1 "), line=13, says="5 columns instead of 4"),
    Trouble("cut-short", "error", lambda d: d[:-10], line=36, says="half written"),
    Trouble("cut-short", "warning", lambda d: d[:-2], line=36, says="'bm2'"),
    Trouble("cut-short", "error", qrels=lambda d: d[:-3], line=36, says="half written"),
    Trouble("numbers", "error", swap("401 Q0 FT-2 2 18.5", "401 Q0 FT-2 2 NaN"), line=2, says="1 score in 1 topic"),
    Trouble("numbers", "error", swap("401 Q0 FT-2 2 18.5", "401 Q0 FT-2 2 1e999"), line=2),
    Trouble("numbers", "error", column(4, lambda row, n: "inf"), count=36, says="36 scores in 3 topics"),
    Trouble("numbers", "error", qrels=swap("401 0 FT-2 2", "401 0 FT-2 yes"), line=2, says="1 grade"),
    Trouble("duplicates", "error", swap("401 Q0 FT-2 ", "401 Q0 FT-1 "), line=2, says="1 with another score"),
    Trouble("duplicates", "error", lambda d: d + d[: d.index(b"\n") + 1], line=37, says="the same score"),
    Trouble("contradictions", "error", qrels=swap("401 0 FT-3 0", "401 0 FT-1 0"), says="1 and 0"),
    Trouble("contradictions", "info", qrels=swap("401 0 FT-4 1", "401 0 FT-1 1"), line=4, says="twice"),
    Trouble("id-marks", "warning", swap("401 Q0 FT-2 ", '401 Q0 "FT-2" '), line=2, says='"FT-2"'),
    Trouble("id-marks", "warning", swap("401 Q0 FT-2 ", "401 Q0 FT-2\u200b "), line=2),
    Trouble("id-marks", "warning", swap("401 ", "'401' "), line=1, says="topic"),
    Trouble("topic-ids", "warning", swap("401 ", "0401 "), says="leading zeros"),
    Trouble("topic-ids", "warning", swap("401 ", "401.0 "), says="a .0"),
    Trouble("topic-ids", "error", column(0, lambda row, n: row[0] + ".0"), count=3, says="nothing can be scored"),
    Trouble("topic-ids", "error", column(0, lambda row, n: "x"), says="no topic is judged"),
    Trouble("document-ids", "warning", swap("401 Q0 FT-", "401 Q0 ft-"), count=12, says="in case"),
    Trouble("document-ids", "error", swap(" FT-", " ft-"), count=36, says="every score is 0"),
    Trouble("missing-topics", "warning", lambda d: d[: d.index(b"403")], line=None, says="'403'"),
    Trouble("extra-topics", "info", lambda d: d + d[: d.index(b"402")].replace(b"401", b"499"), line=37, says="'499'"),
    Trouble("judged-share", "info", column(2, lambda row, n: row[2] + "x" * (n % 4 == 0)), line=None, says="up to"),
    Trouble("judged-share", "warning", column(2, lambda row, n: row[2] + "x" * (n % 4 > 0)), line=None, says="up to"),
    Trouble("judged-share", "error", swap("FT-", "AP-"), count=36, says="every score is 0"),
    Trouble("ranks", "warning", column(3, lambda row, n: str(n % 12 // 2 * 2 + 1 + (n + 1) % 2)), count=18, line=1),
    Trouble("ranks", "info", swap("402 Q0 FT-1 1 ", "402 Q0 FT-1 first "), line=13, says="not a number"),
    Trouble("direction", "warning", column(4, lambda row, n: row[3]), count=33, line=2, says="distances"),
    Trouble("constant-scores", "warning", column(4, lambda row, n: "0"), count=3, says="though their ranks differ"),
    Trouble("constant-scores", "warning", column(4, lambda row, n: "1" if n < 12 else row[4]), says="1 topic "),
    Trouble(
        "ties",
        "warning",
        column(4, lambda row, n: str(9 - n % 12 // 4)),
        count=36,
        says="can change the score",
    ),
    Trouble("float32", "warning", column(4, lambda row, n: f"100000.00{99 - n % 12}"), count=36, says="trec_eval 9"),
    Trouble("negative-scores", "info", column(4, lambda row, n: "-" + row[3]), count=36, says="negative"),
    Trouble("list-lengths", "info", lambda d: d[: d.index(b"403 Q0 FT-4")], line=25, says="down to 3"),
    Trouble(
        "list-lengths",
        "info",
        lambda d: d + text([f"401 Q0 x{n} {n} -{n} bm25" for n in range(13, 1013)]),
        says="AP@1000",
    ),
    Trouble("identical-ids", "warning", column(2, lambda row, n: row[0] if row[3] == "1" else row[2]), count=3),
    Trouble("nil-documents", "info", swap("402 Q0 FT-3 ", "402 Q0 NIL "), line=15),
    Trouble(
        "hedged-nil",
        "warning",
        column(2, lambda row, n: "NIL" if row[3] == "5" else row[2]),
        count=3,
        line=5,
        says="rank 5 of every list",
    ),
    Trouble("tags", "warning", swap("403 Q0 FT-3 3 17.5 bm25", "403 Q0 FT-3 3 17.5 dense"), count=2, line=1),
    Trouble("tags", "info", swap("bm25", "anserini"), says="'bm25.run'"),
    Trouble("grades", "info", qrels=swap("401 0 FT-2 2", "401 0 FT-2 -1"), line=2, says="trec_eval"),
    Trouble("grades", "warning", qrels=swap("401 0 FT-2 2", "401 0 FT-2 0.5"), line=2, says="fraction"),
    Trouble("grades", "warning", qrels=swap("401 0 FT-2 2", "401 0 FT-2 250"), line=2, says="up to 250"),
    Trouble("no-relevant", "info", qrels=column(3, lambda row, n: "0" if n < 12 else row[3]), says="above 0.6667"),
    Trouble("no-relevant", "error", qrels=column(3, lambda row, n: "0"), count=36),
    Trouble("only-relevant", "info", qrels=column(3, lambda row, n: "1"), count=36, says="all 36 grades are 1"),
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda t: f"{t.check}-{t.severity}-{'run' if t.run else 'qrels'}")
def test_a_check_finds_what_it_is_for(tmp_path: Path, trouble: Trouble) -> None:
    qrels, run = (trouble.qrels or same)(text(clean_qrels())), (trouble.run or same)(text(clean_run()))
    paths = write(tmp_path, qrels, run)
    found = [f for f in lint(*paths) if (f.check, f.severity) == (trouble.check, trouble.severity)]
    assert [f.count for f in found] == [trouble.count]
    [finding] = found
    assert finding.file == paths[trouble.run is not None]
    assert trouble.says in f"{finding.message}; {finding.effect}"
    assert finding.effect
    assert finding.remedy
    assert len(finding.places) <= 3
    assert (finding.places[0].line if finding.places else None) == trouble.line
    if trouble.line and trouble.check != "encoding":
        data = (run if trouble.run else qrels).decode("utf-8", "replace")
        assert finding.places[0].text == data.split("\n")[trouble.line - 1]


def test_every_check_and_severity_has_its_file() -> None:
    assert {trouble.check for trouble in TROUBLES} == {check.name for check in CHECKS}
    assert {trouble.severity for trouble in TROUBLES} == {*SEVERITIES}


def test_nothing_is_found_in_files_without_trouble(tmp_path: Path) -> None:
    qrels, run = write(tmp_path)
    assert [*lint(qrels, run)] == []
    assert [*lint(qrels)] == []
    assert [*lint(None, run)] == []


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: text(sorted(d.decode().splitlines(), reverse=True)),
        lambda d: text(sorted(d.decode().splitlines(), key=lambda line: line.split()[3])),
        column(3, lambda row, n: str(int(row[3]) - 1)),
        column(3, lambda row, n: "0"),
        column(4, lambda row, n: f"-{n}e-3" if n else "1e-3"),
        lambda d: d.replace(b" ", b"\t"),
        lambda d: b"# team: none\n\n" + d,
        lambda d: d[:-1],
        column(2, lambda row, n: row[2] if row[3] != "11" else row[0]),
        lambda d: d.replace(b"bm25\n", b"bm25 more\n"),
    ],
    ids=[
        "topics-descend",
        "by-rank",
        "ranks-from-0",
        "no-ranks",
        "negative",
        "tabs",
        "comments",
        "no-last-end",
        "own-id",
        "7-columns",
    ],
)
def test_what_is_fine_is_not_found(tmp_path: Path, edit: Edit) -> None:
    paths = write(tmp_path, run=edit(text(clean_run())))
    assert [f for f in lint(*paths) if f.severity != "info"] == []
    assert {f.check for f in lint(*paths)} <= {"judged-share"}


def test_ids_that_differ_in_case_may_be_different_documents(tmp_path: Path) -> None:
    """Where a run lists both, they are not two names of one."""
    run = text([*clean_run(), *(f"{topic} Q0 ft-1 13 1 bm25" for topic in ("401", "402", "403"))])
    assert "document-ids" not in {f.check for f in lint(*write(tmp_path, run=run))}


def test_numbers_of_topics_and_documents_may_coincide(tmp_path: Path) -> None:
    """As in Cranfield: document 1 is not topic 1."""
    topics = range(1, 31)
    run = text(
        [f"{t} Q0 {(t * 37 + r) % 997} {r} {50 - r} bm25" for t in topics for r in range(1, 13)]
        + ["30 Q0 30 13 1 bm25"]
    )
    assert "identical-ids" not in {f.check for f in lint(None, write(tmp_path, run=run)[1])}


def test_numbers_tell_what_a_problem_does(tmp_path: Path) -> None:
    """The scores in the sentences are those that evaluation gives."""
    from truerank.questions.evaluate.question import evaluate

    tied = column(4, lambda row, n: str(9 - n % 12 // 4))(text(clean_run()))
    paths = write(tmp_path, run=tied)
    [finding] = [f for f in lint(*paths) if f.check == "ties"]
    score = max(
        evaluate(*paths, "nDCG@10 AP", ties="bounds")["bm25"].values(),
        key=lambda score: (score.high or 0) - (score.low or 0),
    )
    assert f"{score.measure} {score.low:.4f} to {score.high:.4f}" in finding.effect


@pytest.mark.parametrize(
    ("file", "tag", "said"),
    [
        ("sys.txt", "sys.txt", None),
        ("sys.txt", "sys", None),
        ("sys.run.gz", "sys.run", None),
        ("sys.run.gz", "sys.run.gz", None),
        ("sys.txt", "other", "the tag is 'other', and the file is called 'sys.txt'"),
        ("sys.fixed.run", "sys", None),
    ],
)
def test_a_file_is_called_what_it_is_called(tmp_path: Path, file: str, tag: str, said: str | None) -> None:
    text = f"q1 Q0 a 1 2 {tag}\n".encode()
    (tmp_path / file).write_bytes(gzip.compress(text) if file.endswith(".gz") else text)
    found = [one.message for one in lint(None, tmp_path / file).findings if one.check == "tags"]
    assert found == ([said] if said else [])


def test_the_effect_is_a_number_and_the_verdict_has_the_largest(tmp_path: Path) -> None:
    tied = column(4, lambda row, n: "1.5")
    found = lint(*write(tmp_path, text(clean_qrels()), tied(text(clean_run()))))
    [finding] = [one for one in found if one.check == "constant-scores"]
    assert finding.measure == "nDCG@10"
    assert finding.low is not None
    assert finding.high is not None
    assert finding.moves == finding.high - finding.low > 0.1
    assert f"nDCG@10 {finding.low:.4f} to {finding.high:.4f}" in finding.effect
    assert f"nDCG@10 may be off by up to {finding.moves:.2g}." in found.verdict("findings")
