"""Old names of questions work, say what they are called now, and are listed nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

import truerank as tr
from truerank.cli.main import COMMANDS, program
from truerank.questions.aliases import ALIASES, Alias

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def old_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ALIASES, "grade", Alias("evaluate"))
    monkeypatch.setitem(
        ALIASES,
        "swapped",
        Alias(
            "evaluate",
            files=lambda files: [*files[1:], files[0]],
            call=lambda run, qrels, *more, **keywords: ((qrels, run, *more), keywords),
        ),
    )


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    Path("x.run").write_text("1 Q0 b 1 2.0 x\n1 Q0 a 2 1.0 x\n")


def asked(*args: str) -> Result:
    return CliRunner().invoke(program, args)


def test_an_old_command_is_the_new_one_and_says_so(files: None) -> None:
    expected = asked("evaluate", "qrels.txt", "x.run", "-m", "RR AP")
    for old in (
        ["grade", "qrels.txt", "x.run", "-m", "RR AP"],
        ["swapped", "-m", "RR AP", "x.run", "qrels.txt"],
        ["swapped", "x.run", "--measure=RR AP", "qrels.txt"],
        ["swapped", "x.run", "-mRR AP", "--", "qrels.txt"],
    ):
        found = asked(*old)
        assert found.exit_code == 0
        assert found.stdout == expected.stdout
        [said] = [line for line in found.stderr.splitlines() if "is now" in line]
        assert said == f"truerank {old[0]} is now truerank evaluate"


def test_errors_and_help_are_those_of_the_new_command(files: None) -> None:
    wrong = asked("grade", "qrels.txt", "x.run", "--nothing")
    assert wrong.exit_code == 2
    assert "see: truerank evaluate --help" in wrong.stderr or "evaluate --help" in wrong.stderr
    for words in (["grade", "--help"], ["help", "grade"]):
        found = asked(*words)
        assert found.exit_code == 0
        assert "Score runs against judgments." in found.stdout
        assert "grade is now" in found.stderr


def test_an_old_function_is_the_new_one_and_warns() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": ["b", "a"]}
    expected = tr.evaluate(qrels, run, "RR").to_records()
    calls: list[Any] = [lambda: tr.grade(qrels, run, measures="RR"), lambda: tr.swapped(run, qrels, "RR")]  # type: ignore[attr-defined]
    for call in calls:
        with pytest.warns(DeprecationWarning, match=r"truerank\.\w+ is now truerank\.evaluate") as caught:
            assert call().to_records() == expected
        assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert callable(tr.grade)  # type: ignore[attr-defined]


def test_old_names_are_listed_nowhere() -> None:
    assert ALIASES.keys().isdisjoint(COMMANDS)
    assert ALIASES.keys().isdisjoint(dir(tr))
    listed = asked("--help").stdout
    complete = [item.value for item in ShellComplete(program, {}, "truerank", "_X").get_completions([], "")]
    assert "evaluate" in complete
    for name in ALIASES:
        assert not re.search(rf"^  {name} ", listed, re.MULTILINE)
        assert name not in complete


@pytest.mark.parametrize("name", [*ALIASES])
def test_old_names_are_in_no_document(name: str) -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        assert not re.search(rf"truerank {name}\b|\btr\.{name}\(", page.read_text(encoding="utf-8")), page


def test_completing_an_old_command_says_nothing() -> None:
    code = "from truerank.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"_TRUERANK_COMPLETE": "bash_complete", "COMP_WORDS": "truerank order --di", "COMP_CWORD": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


def test_an_old_name_stands_for_a_question() -> None:
    for alias in ALIASES.values():
        assert alias.now in COMMANDS
        assert (alias.function or alias.now) in dir(tr)
