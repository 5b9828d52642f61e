"""Judges, probabilities and confidence, in the forms that they come in."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerank.data.chances import Chances
from truerank.data.errors import InputError
from truerank.data.judges import Judges
from truerank.io.judges import as_judges
from truerank.io.load import as_qrels, as_run

WIDE = "qid,docid,people,machine\nq1,a,2,1\nq1,b,0,\nq2,a,,1\nq2,c,1,1\n"
LONG = (
    "qid,docid,assessor,label\nq1,a,people,2\nq1,b,people,0\nq2,c,people,1\n"
    "q1,a,machine,1\nq2,a,machine,1\nq2,c,machine,1\n"
)
GRADES = {"people": {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}, "machine": {"q1": {"a": 1}, "q2": {"a": 1, "c": 1}}}


def told(judges: Judges) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, qrels in zip(judges.names, judges.each, strict=True):
        topics = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.offsets))
        for topic, doc, grade in zip(topics, qrels.docs.tolist(), qrels.grade.tolist(), strict=True):
            found.setdefault(name, {}).setdefault(qrels.topics[topic].decode(), {})[doc.decode()] = grade
    return found


def of_text(tmp_path: Path, text: str, name: str = "labels.csv", **how: Any) -> Judges:
    file = tmp_path / name
    file.write_text(text)
    return as_judges(file, **how)


def qrels_files(folder: Path) -> list[Path]:
    for name, topics in GRADES.items():
        lines = [f"{topic} 0 {doc} {grade}\n" for topic, docs in topics.items() for doc, grade in docs.items()]
        (folder / f"{name}.qrels").write_text("".join(lines))
    return [folder / f"{name}.qrels" for name in GRADES]


def test_dicts_by_name() -> None:
    assert told(as_judges(GRADES)) == GRADES


def test_files_a_folder_and_names(tmp_path: Path) -> None:
    files = qrels_files(tmp_path)
    assert told(as_judges(files)) == GRADES
    assert told(as_judges({"people": files[0], "machine": str(files[1])})) == GRADES
    assert as_judges(tmp_path).names == ("machine", "people")
    assert as_judges([f"NIST={files[0]}", f"GPT={files[1]}"]).names == ("NIST", "GPT")


@pytest.mark.parametrize("text", [WIDE, LONG, WIDE.replace(",", "\t")], ids=["wide", "long", "tabs"])
def test_a_table_of_several_judges(tmp_path: Path, text: str) -> None:
    assert told(of_text(tmp_path, text)) == GRADES


def test_records_of_several_judges(tmp_path: Path) -> None:
    head, *rows = [line.split(",") for line in WIDE.split()]
    records = [
        {
            name: value if place < 2 else float(value)
            for place, (name, value) in enumerate(zip(head, row, strict=True))
            if value
        }
        for row in rows
    ]
    assert told(as_judges(records)) == GRADES
    assert told(of_text(tmp_path, "\n".join(map(json.dumps, records)), "labels.jsonl")) == GRADES
    pandas = pytest.importorskip("pandas")
    assert told(as_judges(pandas.DataFrame(records))) == GRADES
    polars = pytest.importorskip("polars")
    assert told(as_judges(polars.DataFrame(records))) == GRADES


def test_judges_among_other_columns_are_declared(tmp_path: Path) -> None:
    text = "qid,docid,label,people,machine,length\nq1,a,0,2,1,80\n"
    assert told(of_text(tmp_path, text)) == {"labels": {"q1": {"a": 0}}}
    found = of_text(tmp_path, text, columns={"judges": "people+machine"})
    assert told(found) == {"people": {"q1": {"a": 2}}, "machine": {"q1": {"a": 1}}}
    assert told(of_text(tmp_path, text, columns={"grade": "length"})) == {"labels": {"q1": {"a": 80}}}


PROBABLE = {
    "columns.csv": "qid,docid,p0,p1,p2\nq1,a,0.5,0.25,0.25\nq1,b,0,0,1\n",
    "spaces.txt": "qid docid prob_0 prob_1 prob_2\nq1 a 0.5 0.25 0.25\nq1 b 0 0 1\n",
    "list.jsonl": '{"qid": "q1", "docid": "a", "probabilities": [0.5, 0.25, 0.25]}\n'
    '{"qid": "q1", "docid": "b", "probabilities": [0, 0, 1]}\n',
    "object.jsonl": '{"qid": "q1", "docid": "a", "probs": {"0": 0.5, "1": 0.25, "2": 0.25}}\n'
    '{"qid": "q1", "docid": "b", "probs": {"2": 1}}\n',
    "dict.json": '{"q1": {"a": [0.5, 0.25, 0.25], "b": [0.0, 0.0, 1.0]}}',
    "rag.jsonl": '{"query": {"qid": "q1", "text": "who?"}, "candidates": ['
    '{"docid": "a", "p0": 0.5, "p1": 0.25, "p2": 0.25}, {"docid": "b", "p0": 0, "p1": 0, "p2": 1}]}\n',
}


@pytest.mark.parametrize("name", PROBABLE)
def test_probabilities_over_grades(tmp_path: Path, name: str) -> None:
    judges = of_text(tmp_path, PROBABLE[name], name)
    (found,) = judges.each
    assert judges.names == (name.partition(".")[0],)
    assert isinstance(found, Chances)
    assert found.options.tolist() == [[0, 1, 2], [2, 2, 2]]
    assert found.chance.tolist() == [[0.5, 0.25, 0.25], [1, 0, 0]]
    assert not found.labelled


def test_a_label_with_confidence(tmp_path: Path) -> None:
    (found,) = of_text(tmp_path, "qid,docid,label,confidence\nq1,a,2,0.5\nq1,b,1,1\nq1,c,0,0.8\n").each
    assert isinstance(found, Chances)
    assert found.labelled
    assert found.grade.tolist() == [2, 1, 0]
    assert found.options.tolist() == [[0, 1, 2], [1, 1, 1], [0, 1, 2]]
    assert found.chance == pytest.approx(np.array([[0.25, 0.25, 0.5], [1, 0, 0], [0.8, 0.1, 0.1]]))


def test_a_label_beside_probabilities_is_the_grade(tmp_path: Path) -> None:
    (found,) = of_text(tmp_path, "qid,docid,label,p0,p1\nq1,a,0,0.4,0.6\n").each
    assert isinstance(found, Chances)
    assert (found.labelled, found.grade.tolist(), found.chance.tolist()) == (True, [0], [[0.4, 0.6]])


def test_a_fraction_is_a_grade_unless_declared_a_probability(tmp_path: Path) -> None:
    (grade,) = of_text(tmp_path, "q1 0 a 0.25\nq1 0 b 1\n", "bot.qrels").each
    assert not isinstance(grade, Chances)
    assert grade.grade.tolist() == [0.25, 1]
    for text, name in (("q1 0 a 0.25\nq1 0 b 1\n", "bot.qrels"), ("qid,docid,score\nq1,a,0.25\nq1,b,1\n", "bot.csv")):
        (chance,) = of_text(tmp_path, text, name, probabilities=True).each
        assert isinstance(chance, Chances)
        assert chance.options.tolist() == [[0, 1], [1, 1]]
        assert chance.chance.tolist() == [[0.75, 0.25], [1, 0]]


UMBRELA = (
    '{"query": {"text": "who?", "qid": "q1"}, "candidates": '
    '[{"doc": {"segment": "..."}, "docid": "a", "score": 9.5, "judgment": 3}, {"docid": "b", "judgment": 0}]}\n'
    '{"query": {"text": "why?", "qid": "q2"}, "candidates": [{"docid": "a", "judgment": 1}]}\n'
)


def test_judgments_of_umbrela(tmp_path: Path) -> None:
    wanted = {"q1": {"a": 3, "b": 0}, "q2": {"a": 1}}
    assert told(of_text(tmp_path, UMBRELA, "umbrela.jsonl")) == {"umbrela": wanted}
    assert told(Judges.of({"x": as_qrels(tmp_path / "umbrela.jsonl")})) == {"x": wanted}
    first = UMBRELA.split("\n")[0]
    assert told(of_text(tmp_path, first, "one.jsonl")) == {"one": {"q1": wanted["q1"]}}


def test_candidates_are_a_run(tmp_path: Path) -> None:
    file = tmp_path / "rerank.jsonl"
    file.write_text(
        '{"query": {"qid": 7}, "candidates": [{"docid": "a", "score": 0.5}, {"docid": "b", "score": 0.75}]}'
    )
    assert as_run(file).ranking("7") == [("b", 0.75), ("a", 0.5)]


@pytest.mark.parametrize(
    ("text", "how", "said"),
    [
        (
            "qid,docid,p0,p1\nq1,a,0.5,0.5\nq1,b,0.5,0.25\n",
            {},
            "labels.csv:3: the probabilities of document 'b' of topic 'q1' are 0.5, 0.25, which add up to 0.75; give",
        ),
        ("qid,docid,p0,p1\nq1,a,0.5,x\n", {}, "labels.csv:2: the probability in column 'p1' is 'x'; give a finite"),
        (
            "qid,docid,label,confidence\nq1,a,1,95\n",
            {},
            "labels.csv:2: the confidence in column 'confidence' is '95'; ",
        ),
        (
            "qid,docid,label,confidence\nq1,a,1,0.5\n",
            {},
            "labels.csv: all labels are 1, so that confidence leaves open",
        ),
        (
            "qid,docid,x,y\nq1,a,1,\nq1,b,,1\n",
            {},
            "labels.csv: the judge 'x' has no pair of topic and document in common",
        ),
        ("qid,docid,judge,label\nq1,a,,1\n", {}, "labels.csv:2: there is nothing in column 'judge', which says who"),
        (
            "qid,docid,x,y\nq1,a,1,high\n",
            {"columns": {"judges": ["x", "y"]}},
            "labels.csv:2: the grade in column 'y' is",
        ),
        ("qid,docid,x\nq1,a,1\n", {"columns": {"judges": "x+z"}}, "labels.csv: there is no column 'z' for the judge"),
        (
            "q1 0 a 0.5\nq1 0 b 2\n",
            {"probabilities": True},
            "labels.csv:2: document 'b' of topic 'q1' has 2, which is no",
        ),
        (
            "qid,docid,judge,label\nq1,a,x,1\nq1,a,x,2\nq1,a,y,1\n",
            {},
            "labels.csv:3: document 'a' of topic 'q1' is judged",
        ),
        ("qid,better,worse\nq1,a,b\n", {}, "labels.csv: these are preferences between documents"),
    ],
)
def test_refused_in_one_line(tmp_path: Path, text: str, how: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        of_text(tmp_path, text, **how)
    message = str(error.value).replace(f"{tmp_path}/", "")
    assert message.startswith(said), message
    assert "\n" not in message


def test_a_judge_given_twice(tmp_path: Path) -> None:
    people, _ = qrels_files(tmp_path)
    with pytest.raises(InputError, match=r"people\.qrels: the judge 'people' is given twice, first by"):
        as_judges([people, people])


def test_several_judges_under_one_name(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(WIDE)
    with pytest.raises(InputError, match=r"the judge 'x' holds several \(people, machine\); give it without a name"):
        as_judges([f"x={file}"])
