from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.questions.choose.leaves import LEAVES

from truerank.cli.main import program
from truerank.questions.choose.guide import QUESTIONS, Guide, Replies
from truerank.questions.choose.question import Choice
from truerank.report.schema import schema

RBP = ["--no-length", "--top", "--no-exactly", "--no-single", "--no-recall", "--no-redundancy", "--depth", "10"]


def choose(*args: object, typed: str | None = None) -> Result:
    return CliRunner().invoke(program, ["choose", *map(str, args)], prog_name="truerank", input=typed)


def options(answers: dict[str, Any]) -> list[str]:
    """Answers as a person types them."""
    given = []
    for name, answer in answers.items():
        dashed = name.replace("_", "-")
        given += [f"--{dashed}", str(answer)] if not isinstance(answer, bool) else [f"--{'no-' * (not answer)}{dashed}"]
    return given


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone is there to answer."""
    someone = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr("truerank.cli.ask.sys", SimpleNamespace(stdin=someone, stdout=someone))


@pytest.mark.parametrize(("answers", "measure", "box"), LEAVES, ids=[measure for _, measure, _ in LEAVES])
def test_flags_reach_every_leaf(answers: dict[str, Any], measure: str, box: str) -> None:
    document = json.loads(choose(*options(answers), "--show", "path", "--format", "json").stdout)
    assert (document["measure"], document["figure"]) == (measure, box)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("answers", "measure", "box"), LEAVES, ids=[measure for _, measure, _ in LEAVES])
def test_questions_reach_every_leaf(answers: dict[str, Any], measure: str, box: str) -> None:
    typed = [{True: "y", False: "n"}.get(a, str(a)) for a in answers.values()]
    done = choose("--format", "table", typed="\n".join([*typed, "", "", ""]))
    assert done.exit_code == 0
    assert f'-m "{measure}"' in done.stdout
    assert max(map(len, done.stdout.split("take ")[0].splitlines())) <= 80
    said = " ".join(done.stdout.split())
    for name in answers:
        assert said.count(QUESTIONS[name].text) == 1
        assert QUESTIONS[name].help in said


@pytest.mark.usefixtures("terminal")
def test_a_wrong_answer_is_asked_for_again_and_flags_are_not() -> None:
    done = choose(*RBP[:-3], "--format", "table", typed="perhaps\nn\nten\n0\n20\n")
    assert 'truerank evaluate QRELS RUN... -m "RBP(p=0.95)"' in done.stdout
    assert done.stdout.count("[y/n]") == 2
    assert done.stdout.count("How many documents do readers see?") == 3
    assert "Is one relevant document enough?" not in done.stdout


@pytest.mark.usefixtures("terminal")
def test_costs_are_asked_for_and_may_be_left_open() -> None:
    args = ["--length", "--top", "--no-recall", "--no-redundancy", "--format", "table"]
    usual = choose(*args, typed="10\n\n")
    assert '-m "RBPU(p=0.9)"' in usual.stdout
    chosen = choose(*args, typed="10\nx\n20\n")
    assert '-m "RBPU(p=0.9,e=0.0153' in chosen.stdout
    paid = choose(*args, "--pays-for", 20, typed="10\n")
    assert '-m "RBPU(p=0.9,e=0.1138' in paid.stdout
    complete = choose(*args, "--depth", 10)
    assert "[Enter" not in complete.stdout  # Nothing was asked, so nothing more is.


@pytest.mark.usefixtures("terminal")
def test_leaving_is_no_error() -> None:
    done = choose("--length", typed="y\n")  # Then the input ends, as with Ctrl-D; Ctrl-C is told in the same way.
    assert done.exit_code == 130
    assert done.stderr == ""
    assert not done.stdout.endswith(" ")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "Does the system decide how long each list is, and should that count? Give --length or --no-length; see:"),
        (RBP[:-2], "How many documents do readers see? Give --depth N; see: truerank choose --help"),
        ([*RBP[:-1], "0"], "invalid value for '--depth'"),
        ([*RBP[:-1], "many"], "invalid value for '--depth'"),
        ([*RBP, "no-such-file"], "no-such-file: there is no such file"),
        ([*RBP, "--show", "orders"], "'orders' is not one of"),
        (["--length", "--top", "--recall", "--redundancy", "--silence-at", "1"], "ask for 2 or more"),
        (["--length", "--no-top", "--silence-at", "5", "--pays-for", "5"], "give one of them"),
    ],
)
def test_errors_are_one_line_and_nothing_waits_in_a_pipe(args: list[str], said: str) -> None:
    done = choose(*args)
    assert (done.exit_code, done.stderr.count("\n"), done.stdout) == (2, 1, "")
    assert said in done.stderr


def test_data_contradict(files: Path) -> None:
    nil = [*RBP[:4], "--recall", "--no-graded", files / "qrels.txt"]
    done = choose(*nil, files / "tied.run", files / "good.run", "--show", "path")
    assert done.exit_code == 0
    assert "note: warning: relevant documents have 2 grades, from 1 to 2: AP takes all" in done.stderr
    assert "note: warning: 2 of 2 runs: lists differ in length, from 1 to 3 in tied" in done.stderr
    assert "note: the order of ties can move a printed digit of 1 run" in done.stderr
    command = json.loads(choose(*nil, files / "good.run", "--format", "json").stdout)["command"]
    assert command == f'truerank evaluate {files}/qrels.txt {files}/good.run -m "AP"'
    assert choose(*nil, "--qrels-columns", "topic=0,doc=2,grade=3").exit_code == 2
    assert "there are none" in choose(*RBP, "--qrels-columns", "topic=a", "--show", "path").stderr


@pytest.mark.parametrize("form", ["tsv", "csv", "markdown", "latex", "html", "table"])
def test_formats(form: str) -> None:
    done = choose(*RBP, "--format", form)
    assert done.exit_code == 0
    assert "Top-weightedness" in done.stdout
    assert "note: p = 0.9" in done.stderr


def test_a_row_a_property_in_a_pipe() -> None:
    head, *rows = (line.split("\t") for line in choose(*RBP).stdout.splitlines())
    assert head == ["measure", "property", "asked", "verdict", "holds", "broken", "tried", "witness"]
    assert [row[:5] for row in rows][4:6] == [
        ["RBP(p=0.9)", "Confidence", "no", "equal", "no"],
        ["RBP(p=0.9)", "Recall", "no", "equal", "no"],
    ]


def test_the_guide(tmp_path: Path) -> None:
    text = choose("--show", "guide", "--format", "table").stdout
    assert text.startswith("length: Does the system decide")
    assert "─ yes: OIE (figure: OIE)" in text
    choose("--show", "guide", "--format", "table", "--out", tmp_path / "guide.txt")
    assert (tmp_path / "guide.txt").read_text(encoding="utf-8") == text
    rows = choose("--show", "guide").stdout.splitlines()
    assert rows[0].split("\t") == ["answers", "measure", "figure", "numbers"]
    assert "length yes, top yes, recall yes, redundancy no\tnDCGT\tDCGU\t" in rows


def test_keywords_are_the_questions() -> None:
    assert list(Replies.__annotations__) == list(QUESTIONS)
    for name, question in QUESTIONS.items():
        assert Replies.__annotations__[name].__forward_arg__ == f"{question.type.__name__} | None"


@pytest.mark.parametrize("measure", ["RBPU(p=0.9)", "nDCGT", "AP"])
def test_documents_fit_their_schemas(files: Path, measure: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    [answers] = [answers for answers, name, _ in LEAVES if name == measure]
    for data in ([], [files / "qrels.txt", files / "tied.run", files / "good.run"]):
        done = choose(*options(answers), *data, "--format", "json")
        jsonschema.validate(json.loads(done.stdout), schema(Choice))
    jsonschema.validate(json.loads(choose("--show", "guide", "--format", "json").stdout), schema(Guide))


def test_help_names_every_question() -> None:
    text = choose("--help").stdout
    for part in ("--length / --no-length", "--depth N", "--silence-at N", "Example:"):
        assert part in text


@pytest.mark.parametrize("show", ["properties", "path", "alternatives"])
def test_programs_get_the_measure_and_the_command_beside_the_rows(show: str) -> None:
    done = choose(*RBP, "--show", show, "--format", "tsv")
    assert "note: take RBP(p=0.9)\n" in done.stderr
    assert 'note: run: truerank evaluate QRELS RUN... -m "RBP(p=0.9)"\n' in done.stderr
    assert "note" not in done.stdout
