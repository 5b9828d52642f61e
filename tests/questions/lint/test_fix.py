"""A copy without what can be mended: readable, without errors, and the original as it was."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from truerank.data.errors import InputError
from truerank.io.trec import read_qrels, read_run
from truerank.questions.lint.question import FixedCopy, Lint, lint_files

from .files import clean_run, text, write

MESS = (
    b"\xef\xbb\xbf# team: none\r\n"
    b'q1 Q0 "a" 1 3.0 x\r\n'
    b"q1 Q0 b 2 4.0 x\r\n"
    b"q1 Q0 a 3 1.0 x\r\n"
    b"q1 Q0 c 4 nan x\r\n"
    b"q2\tQ0\td\t1\t2.50\r\n"
    b"nonsense\r\n"
    b"q2 Q0 d\0 2 7.0 x\r\n" + b"".join(b"q3 Q0 e%d %d %d x\r\n" % (n, n, 40 - n) for n in range(1, 31)) + b"q2 Q0"
)
"""High scores are best: in the last topic they fall with the rank."""
MENDED = b"# team: none\nq1 Q0 b 1 4.0 x\nq1 Q0 a 2 3.0 x\nq2 Q0 d 1 7.0 x\n" + b"".join(
    b"q3 Q0 e%d %d %d x\n" % (n, n, 40 - n) for n in range(1, 31)
)


def fixed(*paths: str, **options: bool) -> Lint:
    return lint_files(paths, fix=True, **options)


def test_a_mess_is_mended(tmp_path: Path) -> None:
    _, run = write(tmp_path, run=MESS)
    [copy] = fixed(run).fixed
    assert copy.copy == str(tmp_path / "bm25.fixed.run")
    assert (tmp_path / "bm25.fixed.run").read_bytes() == MENDED
    assert Path(run).read_bytes() == MESS
    assert sorted(copy.done) == sorted(
        [
            "byte order mark removed",
            "38 lines ended in a line feed alone",
            "NUL bytes taken out",
            "2 lines with wrong columns dropped",
            "1 line without a finite number dropped",
            "2 lines with a repeated document dropped",
            "ids bared in 2 lines",
            "tag added to 1 line",
            "ranks rewritten in 5 lines",
        ]
    )
    assert {path.name for path in tmp_path.iterdir()} == {"qrels.txt", "bm25.run", "bm25.fixed.run"}


def test_judgments_are_mended_and_contradictions_are_left(tmp_path: Path) -> None:
    qrels, _ = write(tmp_path, qrels=b"q1 0 a 1\r\nq1 0 a 1\r\nq1 0 'b' 0\r\nq1 0 c 1\r\nq1 0 c 2\r\nq1 0 d x\r\n")
    found = fixed(qrels)
    [copy] = found.fixed
    assert (tmp_path / "qrels.fixed.txt").read_bytes() == b"q1 0 a 1\nq1 0 b 0\nq1 0 c 1\nq1 0 c 2\n"
    assert copy.left == ("not fixed: contradictions",)
    assert [f.check for f in found.at_least("error") if not f.fixable] == ["contradictions"]


@pytest.mark.parametrize(
    ("ending", "pack", "unpack"),
    [
        (".gz", gzip.compress, gzip.decompress),
        (".bz2", bz2.compress, bz2.decompress),
        (".xz", lzma.compress, lzma.decompress),
    ],
)
def test_a_copy_is_compressed_as_its_original(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes], unpack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"a.b.run{ending}"
    path.write_bytes(pack(MESS))
    fixed(str(path))
    assert unpack((tmp_path / f"a.b.fixed.run{ending}").read_bytes()) == MENDED


def test_utf16_becomes_utf8(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(text(clean_run()).decode().encode("utf-16"))
    fixed(str(path))
    assert (tmp_path / "run.fixed").read_bytes() == text(clean_run())


def test_files_without_trouble_have_no_copy(tmp_path: Path) -> None:
    found = fixed(*write(tmp_path))
    assert [copy.copy for copy in found.fixed] == [None, None]
    assert {path.name for path in tmp_path.iterdir()} == {"qrels.txt", "bm25.run"}


def test_a_copy_is_not_overwritten_unless_forced(tmp_path: Path) -> None:
    _, run = write(tmp_path, run=MESS)
    copy = tmp_path / "bm25.fixed.run"
    copy.write_text("mine")
    with pytest.raises(InputError, match="there already"):
        fixed(run)
    assert copy.read_text() == "mine"
    fixed(run, force=True)
    assert copy.read_bytes() == MENDED


def test_nothing_is_written_where_nothing_would_be_left(tmp_path: Path) -> None:
    _, run = write(tmp_path, run=b"q1 Q0 a 1 nan x\nq1 Q0 b 2 nan x\n")
    assert fixed(run).fixed == (FixedCopy(file=run, copy=None, done=(), left=("no line would be left",)),)


def test_scores_that_rise_are_left_alone(tmp_path: Path) -> None:
    """Ranks are right there, and scores are not: only the caller can say so."""
    lines = [f"q1 Q0 d{n} {n} {n}.5 bm25" for n in range(1, 20)]
    _, run = write(tmp_path, run=text(lines))
    [copy] = fixed(run).fixed
    assert copy.copy is None
    assert "not fixed: direction" in copy.left


@pytest.mark.parametrize("documents", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("topics", [1, 3])
def test_a_short_list_of_distances_is_not_turned_upside_down(tmp_path: Path, topics: int, documents: int) -> None:
    """Too few rises to say that they are distances are too few to say that the ranks are wrong."""
    lines = [f"q{t} Q0 d{n} {n} {n / 8} dense" for t in range(topics) for n in range(1, documents + 1)]
    _, run = write(tmp_path, run=text(lines))
    found = fixed(run)
    [copy] = found.fixed
    assert copy.copy is None
    assert "not fixed: direction" in copy.left
    assert [(one.check, one.fixable) for one in found if one.check in ("ranks", "direction")] == [("direction", False)]


def test_a_topic_of_distances_is_left_alone_where_others_have_scores(tmp_path: Path) -> None:
    lines = [f"q{t} Q0 d{n} {n} {9 - n} x" for t in range(9) for n in range(1, 8)]
    lines[1], lines[2] = "q0 Q0 d2 3 7 x", "q0 Q0 d3 2 6 x"
    lines += [f"far Q0 d{n} {n} {n} x" for n in range(1, 8)]
    _, run = write(tmp_path, run=text(lines))
    found = fixed(run)
    assert [(one.check, one.count, one.fixable) for one in found if one.check in ("ranks", "direction")] == [
        ("ranks", 1, True),
        ("direction", 6, False),
    ]
    mended = (tmp_path / "bm25.fixed.run").read_text().splitlines()
    assert mended[:3] == ["q0 Q0 d1 1 8 x", "q0 Q0 d2 2 7 x", "q0 Q0 d3 3 6 x"]
    assert mended[-7:] == lines[-7:]


@pytest.mark.parametrize("count", [3, 30])
def test_of_repeated_documents_with_distances_none_is_dropped(tmp_path: Path, count: int) -> None:
    """The nearest is the best there, and it is not for a copy to say so; what is the same twice is dropped."""
    lines = [f"q1 Q0 d{n} {n} {n / 8} dense" for n in range(1, count + 1)]
    again = [f"q1 Q0 d1 {count + 1} {count} dense", f"q1 Q0 d2 {count + 2} 0.25 dense"]
    _, run = write(tmp_path, run=text([*lines, *again]))
    found = fixed(run)
    [one] = [each for each in found if each.check == "duplicates"]
    assert not one.fixable
    assert "1 of them only you know" in one.remedy
    assert (tmp_path / "bm25.fixed.run").read_text().splitlines() == [*lines, again[0]]
    assert found.exit_code == 1


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_wrong_a_copy_can_be_read(tmp_path: Path, seed: int) -> None:
    """Lines are damaged in all ways at once, some of them so that mending one thing brings about another."""
    chance = random.Random(seed)
    damage: list[Callable[[list[str]], list[str]]] = [
        lambda row: row,
        lambda row: row[:-1],
        lambda row: row[: chance.randrange(1, 4)],
        lambda row: [*row[:4], chance.choice(["nan", "-inf", "1e999", "x", "1e5", "-0.0"]), *row[5:]],
        lambda row: [*row[:2], f'"{row[2]}"', *row[3:]],
        lambda row: [f"'{row[0]}'", *row[1:]],
        lambda row: [*row[:2], f"d{chance.randrange(9)}\u00a0", *row[3:]],
        lambda row: [*row[:3], str(chance.randrange(9)), *row[4:]],
    ]
    rows = [
        [f"q{chance.randrange(4)}", "Q0", f"d{chance.randrange(9)}", str(n), str((chance.randrange(40) - n) / 4), "x"]
        for n in range(40)
    ]
    lines = [" ".join(chance.choice(damage)(row)) for row in rows]
    # With a list like this one it is known that high scores are best.
    lines += [f"sane Q0 d{n} {n} {999 - n} x" for n in range(400)]
    data = chance.choice(["\n", "\r\n"]).join(lines).encode() + b"\n" * chance.randrange(2)
    _, run = write(tmp_path, run=data)
    [copy] = fixed(run).fixed
    assert copy.copy is not None
    mended = read_run(copy.copy)
    assert lint_files([copy.copy], ignore=["ties", "constant-scores"]).at_least("warning") == ()
    assert lint_files([copy.copy], fix=True).fixed[0].copy is None
    best: dict[tuple[str, str], float] = {}
    for line in lines:
        fields = line.replace("\u00a0", "").split()
        if len(fields) < 5 or fields[4] in ("nan", "-inf", "1e999", "x"):
            continue
        key = fields[0].strip("'"), fields[2].strip('"')
        best[key] = max(best.get(key, float(fields[4])), float(fields[4]))
    got = {(topic.decode(), doc): score for topic in mended.topics for doc, score in mended.ranking(topic)}
    assert got == best


def test_mended_judgments_can_be_read(tmp_path: Path) -> None:
    qrels, _ = write(tmp_path, qrels=b'q1 0 a 1\nq1 0 "a" 1\nq1 0 b 0\nq1 0 b\nq2 0 c inf\nq2 0 d 2')
    fixed(qrels)
    mended = read_qrels(tmp_path / "qrels.fixed.txt")
    assert mended.docs.tolist() == [b"a", b"b", b"d"]


@pytest.mark.parametrize("data", [b"q1 Q0 d1 0 nan\n", b"q1 Q0 d1 x 1\nq1 Q0 d2 x 1\n", b"q1 Q0 d1 x 1"])
def test_a_run_without_a_line_that_can_be_read(tmp_path: Path, data: bytes) -> None:
    _, run = write(tmp_path, run=data)
    found = fixed(run)
    assert {finding.check for finding in found.at_least("error")} <= {"columns", "cut-short"}
    assert sum(finding.count for finding in found.at_least("error")) == len(data.splitlines())
    assert str(found.fixed[0]) == f"{run}: no copy written; no line would be left"


@pytest.mark.parametrize(
    ("name", "said"),
    [("a.run", True), ("BM25_run.txt", True), ("runs.run.gz", True), ("qrels.run1", False), ("trunk.txt", False)],
)
def test_a_guess_against_the_name_of_a_file_is_said(tmp_path: Path, name: str, said: bool) -> None:
    path = tmp_path / name
    data = b"\xef\xbb\xbfq1 0 a 1\r\nq1 0 b 0\r\n"
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    found = fixed(str(path))
    guess = "read as judgments, for its lines have 4 columns"
    assert [(f.severity, f.message) for f in found if f.check == "columns"] == said * [
        ("info", f"named as a run, and {guess}")
    ]
    assert found.fixed[0].copy is not None
    assert found.fixed[0].left == said * (guess,)
