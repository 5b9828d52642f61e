"""How the program ends: trec_eval's exit codes, and one line that says what to do."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from truerank.compat.trec_eval.program import trec_eval

TWICE = "q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("-m nonsense qrels run", 1, "nonsense"),
        ("qrels", 1, "two files"),
        ("-c qrels nowhere", 2, "nowhere: there is no such file"),
        ("-c nowhere run", 2, "nowhere: there is no such file"),
        ("-c run qrels", 2, "run:1: 6 columns where qrels have 4"),
        ("-c qrels .", 2, "directory"),
        ("-c -R nonsense qrels run", 2, "'nonsense'; take one of qrels, prefs"),
        ("-c -T nonsense qrels run", 2, "there is trec_results"),
        ("-c -R prefs -m prefs qrels run", 2, "columns"),
        ("-c -m P.0 qrels run", 2, "above 0"),
        ("-c -m P.5,5 qrels run", 2, "given twice"),
        ("-c -m ndcg.1 qrels run", 2, "pairs such as 1=3"),
        ("-c -m ndcg.1=-3 qrels run", 2, "gains from 0 on"),
        ("-c -m rbp.p=2 qrels run", 2, "p is a number from 0 to 1"),
        ("-c -m utility.1,-1,0,1 qrels run", 2, "give -N"),
        ("--version 9 qrels -", 2, "standard input"),
        ("-c -m utility.1,2 qrels run", 4, "four weights"),
        ("-c -m prefs qrels run", 4, "not for judgments of the form qrels"),
        ("-c -R qrels_jg -m map qrels run", 4, "not for judgments of the form qrels_jg"),
        ("qrels run", 4, "no documents for topic 'q3'; give -c"),
        ("-R qrels_jg -m qrels_jg qrels run", 4, "no documents for topic 'q3'; give -c"),
        ("-c qrels twice", 4, "document 'a' is listed twice"),
        ("-c judged_twice run", 4, "stand there twice"),
        ("-c judged_otherwise run", 4, "is judged"),
        ("-D 0.q3 qrels run", 4, "no documents for topic 'q3'; give -c"),
        ("qrels strangers", 4, "no topic in common"),
        ("--version 9 qrels strangers", 7, "no topic in common"),
        ("--version 9 -c qrels strangers", 7, "no topic in common"),
        ("-c -D 0.q7 qrels run", 7, "no topic in common"),
        ("-c -Z nowhere qrels run", 255, "nowhere: there is no such file"),
        ("-c -Z run qrels run", 255, "run:1: 6 columns"),
    ],
)
def test_exit_code(here: Path, words: str, code: int, message: str) -> None:
    (here / "twice").write_text(TWICE)
    (here / "judged_twice").write_text("q1 0 a 1\nq1 0 b 1\nq1 0 a 1\n")
    (here / "judged_otherwise").write_text("q1 0 a 1\nq1 0 a 0\n")
    (here / "strangers").write_text("q8 Q0 a 1 2 t\n")
    outcome = trec_eval(shlex.split(words))
    assert (outcome.code, outcome.text, len(outcome.notes)) == (code, "", 1)
    assert message in outcome.notes[0]
    assert "\n" not in outcome.notes[0]


@pytest.mark.parametrize("which", ["qrels", "run"])
def test_comments_are_for_version_10(here: Path, which: str) -> None:
    path = here / which
    path.write_text("# made by hand\n" + path.read_text() + "# the end")
    assert trec_eval(["-c", "qrels", "run"]).code == 0
    outcome = trec_eval(["--version", "9", "-c", "qrels", "run"])
    assert outcome.code == 2
    assert f"{which}:1: trec_eval 9 takes no comments" in outcome.notes[0]


def test_a_mark_inside_an_id_is_no_comment(here: Path) -> None:
    (here / "qrels").write_text("q#1 0 #a 1\n")
    (here / "run").write_text("q#1 Q0 #a 1 2 #t\n")
    assert trec_eval(["--version", "9", "-m", "map", "-m", "runid", "qrels", "run"]).text.split()[2] == "#t"


@pytest.mark.parametrize("words", ["-c -m map - run", "-c -m map qrels -", "-c -R qrels_jg -m qrels_jg - run"])
def test_standard_input(here: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = (here / ("qrels" if "- run" in words else "run")).read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    expected = trec_eval([*shlex.split(words)[:-2], "qrels", "run"]).text
    assert expected
    assert trec_eval(shlex.split(words)).text == expected


@pytest.mark.parametrize(
    ("words", "code"), [("-c -m map qrels run", 0), ("-x", 1), ("qrels nowhere", 2), ("qrels run", 4), ("-v", 0)]
)
def test_the_command_ends_with_that_code(here: Path, words: str, code: int) -> None:
    command = [sys.executable, "-m", "truerank", "trec_eval", *words.split()]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stdout == ("map                   \tall\t0.2963\n" if words.startswith("-c") else "")
    assert len(done.stderr.splitlines()) == (not words.startswith("-c"))
