from __future__ import annotations

import csv
import io
import json
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.conventions.axes import AXES

MEASURES = "AP nDCG@2 NumRet"


def rows(text: str, delimiter: str = "\t") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def test_tsv_in_a_pipe_has_ten_digits_and_has_the_same_shape_for_one_run(truerank: Any, files: Path) -> None:
    one = truerank("evaluate", files / "qrels.txt", files / "tied.run", "-m", MEASURES)
    two = truerank("evaluate", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", MEASURES)
    scores = tr.evaluate(files / "qrels.txt", files / "tied.run", MEASURES)["tied"]
    assert rows(one.stdout) == [
        ["run", "AP", "nDCG@2", "NumRet"],
        ["tied", *(repr(float(f"{scores[name].mean:.10g}")) for name in ("AP", "nDCG@2")), "4"],
    ]
    assert [row for row in rows(two.stdout) if row[0] != "good"] == rows(one.stdout)
    assert rows(two.stdout)[1] == ["good", "1.0", "1.0", "3"]


def test_measures_may_be_repeated_or_separated(truerank: Any, files: Path) -> None:
    def heads(*options: str) -> list[str]:
        return rows(truerank("evaluate", files / "qrels.txt", files / "tied.run", *options).stdout)[0][1:]

    assert heads("-m", "AP", "-m", "P@1") == heads("-m", "AP P@1") == heads("-m", "AP,P@1") == ["AP", "P@1"]
    assert heads("-m", "nDCG(gains={1: 3, 2: 9})@5") == ["nDCG(gains={1: 3, 2: 9})@5"]
    assert heads() == [f"{measure}" for measure in tr.evaluate({"q": {"a": 1}}, {"q": ["a"]}).measures]


def test_help_names_the_default_measures(truerank: Any) -> None:
    usual = signature(tr.evaluate).parameters["measures"].default
    assert usual in truerank("evaluate", "--help").stdout


def test_per_topic_has_the_summary_last(truerank: Any, files: Path) -> None:
    done = truerank("evaluate", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "P@1", "--per-topic")
    assert rows(done.stdout) == [
        ["run", "topic", "P@1"],
        ["tied", "q1", "1.0"],
        ["tied", "q2", "1.0"],
        ["tied", "all", "1.0"],
        ["good", "q1", "1.0"],
        ["good", "q2", "1.0"],
        ["good", "all", "1.0"],
    ]


def test_bounds_have_columns_for_programs_and_brackets_for_people(truerank: Any, files: Path) -> None:
    args = ("evaluate", files / "qrels.txt", files / "tied.run", "-m", "AP", "--ties", "bounds")
    score = tr.evaluate(files / "qrels.txt", files / "tied.run", "AP", ties="bounds")["tied"]["AP"]
    assert rows(truerank(*args, "--format", "csv").stdout, ",") == [
        ["run", "AP", "AP.low", "AP.high"],
        ["tied", *(repr(float(f"{one:.10g}")) for one in (score.mean, score.low, score.high))],
    ]
    assert f"{score.mean:.4f} [{score.low:.4f}, {score.high:.4f}]" in truerank(*args, "--format", "table").stdout


def test_json_has_the_agreed_form(truerank: Any, files: Path) -> None:
    args = ("evaluate", files / "qrels.txt", files / "tied.run", "-m", "AP", "--format", "json")
    done = truerank(*args)
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert document["conventions"] == {axis.name: axis.default for axis in AXES.values()}
    assert document["max_rel"] == 2.0
    assert document["num_topics"] == 2
    score = tr.evaluate(files / "qrels.txt", files / "tied.run", "AP")["tied"]["AP"]
    assert document["runs"] == [
        {
            "run": "tied",
            "measure": "AP",
            "typed": "AP",
            "mean": score.mean,
            "low": None,
            "high": None,
            "judge": None,
            "topics": score.per_topic,
        }
    ]
    [notice] = document["notes"]
    assert (notice["code"], notice["facts"]["measure"]) == ("TR107", "AP")
    assert "order of ties" in notice["text"]


def test_undefined_is_null_in_json_with_a_reason(truerank: Any, files: Path) -> None:
    (files / "qrels.txt").write_text("q1 0 a 1\nq2 0 d 0\n")
    args = ("evaluate", files / "qrels.txt", files / "good.run", "-m", "AP", "--no-relevant", "nan")
    document = json.loads(truerank(*args, "--format", "json").stdout)
    assert document["runs"][0]["mean"] is None
    assert document["runs"][0]["topics"] == {"q1": 0.5, "q2": None}
    assert any("undefined" in notice["text"] for notice in document["notes"])
    assert rows(truerank(*args).stdout)[1] == ["good", "nan"]


def test_a_topic_left_out_of_one_mean_is_an_empty_cell(truerank: Any, files: Path) -> None:
    (files / "qrels.txt").write_text("q1 0 a 2\nq2 0 d 0\nq3 0 d 1\n")
    measures = "AP(rel=2) P@1"
    args = ("evaluate", files / "qrels.txt", files / "good.run", "-m", measures, "--no-relevant", "skip", "--per-topic")
    assert rows(truerank(*args).stdout)[1:] == [
        ["good", "q1", "0.5", "0.0"],
        ["good", "q3", "", "0.0"],
        ["good", "all", "0.5", "0.0"],
    ]


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_notices_go_to_standard_error(truerank: Any, files: Path, form: str) -> None:
    done = truerank("evaluate", files / "qrels.txt", files / "tied.run", "-m", "AP", "--format", form)
    assert "order of ties" not in done.stdout
    assert any(line.startswith("note: ") and "order of ties" in line for line in done.stderr.splitlines())


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_formats_for_people_have_the_whole_block(truerank: Any, files: Path, form: str) -> None:
    done = truerank("evaluate", files / "qrels.txt", files / "tied.run", "-m", "AP", "--format", form)
    printed = " ".join(done.stdout.replace("\n%", "").split())
    assert all(part in printed for part in ("scores 0.", "order of ties", "2 topics"))
    assert done.stderr == ""
    given = ("evaluate", files / "qrels.txt", files / "tied.run", "-m", "AP", "--format", form)
    assert "order of ties" not in truerank(*given, "--quiet", "TR107").stdout


@pytest.mark.parametrize(("axis", "values"), [(axis.name, tuple(axis.values)) for axis in AXES.values() if axis.values])
def test_every_convention_is_an_option(truerank: Any, files: Path, axis: str, values: tuple[str, ...]) -> None:
    for value in values:
        args = ("evaluate", files / "qrels.txt", files / "good.run", "-m", "AP", "--format", "json")
        done = truerank(*args, f"--{axis.replace('_', '-')}", value)
        assert json.loads(done.stdout)["conventions"][axis] == value


def test_like_and_a_sampled_order(truerank: Any, files: Path) -> None:
    args = ("evaluate", files / "qrels.txt", files / "tied.run", "-m", "AP", "--format", "json")
    found = json.loads(truerank(*args, "--like", "trec_eval-9", "--missing", "empty").stdout)["conventions"]
    assert (found["ties"], found["precision"], found["missing"]) == ("docid", "float32", "empty")
    assert json.loads(truerank(*args, "--ties", "sample(3)").stdout)["conventions"]["ties"] == "sample(3)"


def test_standard_input(truerank: Any, files: Path) -> None:
    text = (files / "good.run").read_text()
    done = truerank("evaluate", files / "qrels.txt", "-", "-m", "AP", input=text)
    assert rows(done.stdout)[1][1] == "1.0"


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        (".json", '{"version": 2, "question": "evaluate"'),
        (".csv", "run,AP"),
        (".md", '**"good" scores 1'),
        (".tex", '% "good" scores 1'),
        (".html", "<!DOCTYPE html>"),
        ("", "run\tAP"),
    ],
)
def test_a_file_is_written_in_the_format_of_its_ending(truerank: Any, files: Path, ending: str, start: str) -> None:
    target = files / f"scores{ending}"
    done = truerank("evaluate", files / "qrels.txt", files / "good.run", "-m", "AP", "--out", target)
    assert (done.exit_code, done.stdout) == (0, "")
    assert target.read_text().startswith(start)
    assert [path.name for path in files.iterdir() if "part" in path.name] == []


def test_a_failed_command_leaves_the_file_as_it_was(truerank: Any, files: Path) -> None:
    target = files / "scores.tsv"
    target.write_text("before")
    assert truerank("evaluate", files / "qrels.txt", files / "none.run", "--out", target).exit_code == 2
    assert target.read_text() == "before"


def test_a_link_stays_a_link(truerank: Any, files: Path) -> None:
    (files / "real.tsv").write_text("before")
    (files / "link.tsv").symlink_to(files / "real.tsv")
    truerank("evaluate", files / "qrels.txt", files / "good.run", "-m", "AP", "--out", files / "link.tsv")
    assert (files / "link.tsv").is_symlink()
    assert (files / "real.tsv").read_text().startswith("run\tAP")
