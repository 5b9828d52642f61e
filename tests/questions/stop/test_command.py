from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import truerank as tr
from truerank.cli.main import program
from truerank.io.load import as_run


def truerank_stop(*args: object) -> Result:
    return CliRunner().invoke(program, ["stop", *(str(arg) for arg in args)], prog_name="truerank")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Judgments and two runs of ten topics; documents of the first score high where they are relevant."""
    rng = np.random.default_rng(0)
    judgments, lines = [], {"good.run": [], "bad.run": []}  # type: ignore[var-annotated]
    for topic in range(10):
        relevant = rng.integers(1, 6)
        for place in range(15):
            judgments.append(f"q{topic} 0 d{place} {int(place < relevant)}\n")
            score = round(float(rng.normal() + 4 * (place < relevant)), 1)
            lines["good.run"].append(f"q{topic} Q0 d{place} {place} {score} tagged\n")
            lines["bad.run"].append(f"q{topic} Q0 d{place} {place} {rng.random():.3f} t\n")
    (tmp_path / "qrels.txt").write_text("".join(judgments))
    for name, text in lines.items():
        (tmp_path / name).write_text("".join(text))
    return tmp_path


def test_compare_prints_a_row_a_rule(files: Path) -> None:
    done = truerank_stop("compare", files / "qrels.txt", files / "good.run", files / "bad.run", "-m", "F RBPU")
    assert done.exit_code == 0, done.output
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head[:6] == ["measure", "run", "rule", "mean", "gain", "share"]
    assert len(rows) == 2 * 2 * 7
    assert "note: F, good: " in done.stderr
    assert "of the possible improvement" in done.stderr


@pytest.mark.parametrize("show", ["rules", "fitted", "topics"])
@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
def test_other_formats(files: Path, form: str, show: str) -> None:
    args = ["compare", files / "qrels.txt", files / "good.run", "-m", "F", "--rule", "fixed", "--show", show]
    done = truerank_stop(*args, "--format", form)
    assert done.exit_code == 0, done.output
    assert "fixed" in done.stdout


def test_json_and_options(files: Path) -> None:
    args = ["compare", files / "qrels.txt", files / "good.run", "-m", "F", "--rule", "fixed tail", "--folds", 2]
    document = json.loads(truerank_stop(*args, "--seed", 3, "--format", "json").stdout)
    assert (document["folds"], document["seed"], document["test"]) == (2, 3, "randomization")
    assert [row["rule"] for row in document["rules"]] == ["whole list", "fixed", "tail", "oracle"]


def test_a_figure(files: Path) -> None:
    pytest.importorskip("altair")
    args = ["compare", files / "qrels.txt", files / "good.run", "-m", "F", "--rule", "fixed"]
    assert truerank_stop(*args, "--plot", files / "rules.json").exit_code == 0
    assert "Where to stop" in (files / "rules.json").read_text()


def test_fit_apply_and_compare_what_was_fitted(files: Path) -> None:
    done = truerank_stop(
        "fit", files / "qrels.txt", files / "good.run", "-m", "F", "--rule", "threshold", "--save", files / "rule.json"
    )
    assert done.exit_code == 0, done.output
    assert "note: it keeps documents whose scores " in done.stderr
    done = truerank_stop("apply", files / "rule.json", files / "good.run", "--out", files / "cut.run")
    assert (done.exit_code, done.stdout) == (0, "")
    kept = len((files / "cut.run").read_text().splitlines())
    assert f"{kept} of 150 documents are left" in done.stderr
    assert {line.split()[5] for line in (files / "cut.run").read_text().splitlines()} == {"tagged"}
    whole, cut = as_run(files / "good.run"), as_run(files / "cut.run")
    for topic in cut.topics:
        ranking = cut.ranking(topic)
        assert ranking == whole.ranking(topic)[: len(ranking)]
    args = ["compare", files / "qrels.txt", files / "good.run", "-m", "F", "--rule", files / "rule.json"]
    done = truerank_stop(*args)
    assert "used as it is" in done.stderr
    assert "threshold(at=" in done.stdout


def test_apply_writes_to_standard_output_and_marks_silence(files: Path) -> None:
    (files / "rule.json").write_text(
        json.dumps(
            {
                "truerank": "stopping rule",
                "version": 1,
                "rule": "threshold",
                "parameters": {"at": 2.0, "scale": "raw"},
            }
        )
    )
    (files / "two.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2.50 t\nq1 Q0 c 3 1 t\nq2 Q0 d 1 1 t\n")
    done = truerank_stop("apply", files / "rule.json", files / "two.run")
    assert done.stdout == "q1 Q0 a 1 3 t\nq1 Q0 b 2 2.50 t\n"
    assert "1 of 2 topics has nothing left and is not in the file; --nil writes a NIL for it" in done.stderr
    done = truerank_stop("apply", files / "rule.json", files / "two.run", "--nil")
    assert done.stdout.splitlines()[-1] == "q2 Q0 NIL 1 0.0 t"
    assert "1 of 2 topics has nothing left and has a NIL" in done.stderr


def test_apply_reads_other_forms(files: Path) -> None:
    (files / "rule.json").write_text(
        '{"truerank": "stopping rule", "version": 1, "rule": "fixed", "parameters": {"k": 1}}'
    )
    (files / "x.csv").write_text("qid,docno,distance\nq1,a,0.5\nq1,b,0.25\n")
    columns = ["--columns", "topic=qid,doc=docno,score=distance", "--lower-is-better"]
    done = truerank_stop("apply", files / "rule.json", files / "x.csv", *columns)
    assert done.stdout == "q1 Q0 b 1 0.25 x\n"


@pytest.mark.parametrize("rule", ["fixed", "threshold"])
def test_distances_stay_distances(files: Path, rule: str) -> None:
    """Fit, cut, written and read again with --lower-is-better, a run scores what the rule was fitted for."""
    rows = [line.split() for line in (files / "good.run").read_text().splitlines()]
    given = {(row[0], row[2]): 0.0 - float(row[4]) for row in rows}
    (files / "far.run").write_text("".join(f"{q} Q0 {d} 1 {score} t\n" for (q, d), score in given.items()))
    fit = ["fit", files / "qrels.txt", files / "far.run", "-m", "F", "--rule", rule, "--save", files / "rule.json"]
    assert "the rule is about negated scores" in truerank_stop(*fit, "--lower-is-better").stderr
    saved = json.loads((files / "rule.json").read_text())["fitted"]
    assert saved["higher_is_better"] is False
    apply = ["apply", files / "rule.json", files / "far.run", "--out", files / "cut.run"]
    done = truerank_stop(*apply, "--lower-is-better")
    assert "the rule is about negated scores" in done.stderr
    assert "the other way" not in done.stderr
    cut = [line.split() for line in (files / "cut.run").read_text().splitlines()]
    assert 0 < len(cut) < len(rows)
    assert all(float(row[4]) == given[row[0], row[2]] for row in cut)
    scores = tr.evaluate(files / "qrels.txt", as_run(files / "cut.run", higher_is_better=False), "F")
    assert scores["cut"]["F"].mean == pytest.approx(saved["mean"])
    done = truerank_stop(*apply)
    assert "whose low scores are best (--lower-is-better), and this one is read the other way" in done.stderr


def test_each_table_has_its_caption(files: Path) -> None:
    args = ["compare", files / "qrels.txt", files / "good.run", "-m", "F", "--rule", "fixed", "--format", "table"]
    shown = {show: " ".join(truerank_stop(*args, "--show", show).output.split()) for show in ("fitted", "topics")}
    assert "good, 10 topics; what each rule does once it is fitted to all topics" in shown["fitted"]
    assert "how many documents are left, and their score" in shown["topics"]
    assert not any("Holm" in text for text in shown.values())


def test_a_run_that_cannot_be_written_leaves_the_old_file(files: Path) -> None:
    (files / "rule.json").write_text(
        '{"truerank": "stopping rule", "version": 1, "rule": "fixed", "parameters": {"k": 1}}'
    )
    (files / "x.json").write_text('{"q 1": {"a": 1.0}}')
    (files / "out.run").write_text("old")
    done = truerank_stop("apply", files / "rule.json", files / "x.json", "--out", files / "out.run")
    assert (done.exit_code, (files / "out.run").read_text()) == (2, "old")
    assert "no line of a run can hold" in done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["compare", "QRELS", "RUN", "--rule", "fuzzy"], "there is no rule 'fuzzy'"),
        (["compare", "QRELS", "RUN", "--rule", "nowhere.json"], "nowhere.json: not readable"),
        (["compare", "QRELS", "RUN", "--folds", 1], "1 is not in the range"),
        (["compare", "QRELS", "RUN", "-m", "OIEE"], "OIEE"),
        (["compare", "QRELS", "RUN", "--plot", "x.gif"], "does not say what figure"),
        (["fit", "QRELS", "RUN", "-m", "F", "--save", "nowhere/rule.json"], "there is no folder nowhere"),
        (["apply", "QRELS", "RUN", "--out", "nowhere/cut.run"], "there is no folder nowhere"),
        (["compare", "QRELS", "RUN", "--unjudged", "condensed"], "no such option"),
        (["fit", "QRELS", "RUN"], "missing option '-m'"),
        (["fit", "QRELS", "RUN", "-m", "F AP"], "for one measure, not for 2"),
        (["fit", "QRELS", "RUN", "-m", "F", "--rule", "fuzzy"], "'fuzzy' is not one of"),
        (["apply", "QRELS", "RUN"], "this is no JSON"),
        (["aply"], "did you mean apply?"),
    ],
)
def test_errors_are_one_line(files: Path, args: list[Any], said: str) -> None:
    place = {"QRELS": files / "qrels.txt", "RUN": files / "good.run"}
    done = truerank_stop(*(place.get(arg, arg) for arg in args))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in re.sub(r"\s+", " ", done.stderr.lower() if said not in done.stderr else done.stderr)
