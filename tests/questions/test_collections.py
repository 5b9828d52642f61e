"""One mechanism for several collections: what is found of each is what is found without others, and means are means."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from click.testing import Result

import truerank as tr
from truerank.questions import QUESTIONS
from truerank.report.answer import Answer
from truerank.report.schema import schema

Command = Callable[..., Result]


def collection(seed: int, topics: int, names: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    draw = random.Random(seed)
    docs = [f"d{n}" for n in range(14)]
    qrels = {f"q{t}": {doc: draw.choice([0, 0, 1, 2]) for doc in docs[:9]} | {"d0": 1} for t in range(topics)}
    runs = {
        name: {topic: {doc: float(draw.randrange(6)) for doc in draw.sample(docs, 10)} for topic in qrels}
        for name in names
    }
    return qrels, runs


ONE, OTHER = collection(1, 12, ("x", "y", "z", "only")), collection(2, 7, ("x", "z", "y"))
ALSO = {"other": OTHER}
ASKED: dict[str, Callable[..., Answer]] = {
    "evaluate": lambda qrels, runs, **more: tr.evaluate(qrels, runs, "AP nDCG@5", **more),
    "evaluate, bounds": lambda qrels, runs, **more: tr.evaluate(qrels, runs, "AP", unjudged="bounds", **more),
    "ties": lambda qrels, runs, **more: tr.ties(qrels, runs, "AP nDCG@5", **more),
    "depth": lambda qrels, runs, **more: tr.depth(qrels, runs, "AP P", condensed=True, **more),
    "nil": lambda qrels, runs, **more: tr.nil(qrels, runs, "RR AP", limit=10, **more),
    "truncate": lambda qrels, runs, **more: tr.truncate(qrels, runs, "F RBPU", **more),
    "meta": lambda qrels, runs, **more: tr.meta(qrels, runs, "AP P@5", reference="P@5 RR", splits=4, pairs=9, **more),
    "compare": lambda qrels, runs, **more: tr.compare(qrels, runs, "AP", settled=False, permutations=99, **more),
    "pool": lambda qrels, runs, **more: tr.pools(qrels, runs, **more),
    "pool, leaving out": lambda qrels, runs, **more: tr.leave_out(
        qrels, runs, "AP", contributors="all", depth=3, **more
    ),
    "report": lambda qrels, runs, **more: tr.report(qrels, runs, "AP", **more),
}


@cache
def several(name: str) -> Answer:
    """Asked once for all tests."""
    return ASKED[name](*ONE, also=ALSO, name="one")


@cache
def alone(name: str) -> Answer:
    return ASKED[name](*ONE)


def close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    return bool(one == other)


@pytest.mark.parametrize("name", ASKED)
def test_what_is_found_of_each_is_what_is_found_of_it_alone(name: str) -> None:
    together, each = several(name), {"one": alone(name), "other": ASKED[name](*OTHER)}
    assert [*together.collections] == ["one", "other"]
    for sheet, told in together.sheets.items():
        if told.spans or (name == "report" and sheet == "files"):
            continue
        found = together.to_records(sheet)
        for which, answer in each.items():
            here = [
                {k: v for k, v in row.items() if k not in ("collection", "collections")}
                for row in found
                if row["collection"] == which
            ]
            expected = answer.to_records(sheet)
            # What the other collection has and this one lacks stands last, and is empty.
            assert len(here) >= len(expected)
            for row, same in zip(here, expected, strict=False):
                assert all(close(row[key], value) for key, value in same.items()), (sheet, row, same)
            for row in here[len(expected) :]:
                assert all(value is None or isinstance(value, (str, int)) for value in row.values())


@pytest.mark.parametrize("name", ASKED)
def test_means_are_those_of_what_each_has(name: str) -> None:
    together = several(name)
    checked = 0
    for sheet, told in together.sheets.items():
        averaged = [one for one in told.row.described.values() if one.over == "mean" and one.kind == "cell"]
        keys = [one.column_name for one in told.row.described.values() if one.is_key and not one.for_people]
        if told.spans or not averaged or name == "report":
            continue
        rows = together.to_records(sheet)
        for mean in (row for row in rows if row["collection"] == "mean"):
            same = [
                row
                for row in rows
                if row["collection"] != "mean" and all(row.get(key) == mean.get(key) for key in keys)
            ]
            there = [row for row in same if any(row.get(one.column_name) is not None for one in averaged)]
            for one in averaged:
                known = [row.get(one.column_name) for row in there]
                known = [value for value in known if value is not None and not math.isnan(value)]
                here = mean.get(one.column_name)
                if known:
                    assert here == pytest.approx(fmean(known), abs=1e-12), (sheet, one.name)
                    checked += 1
    assert checked or name in ("report",)


@pytest.mark.parametrize("name", ASKED)
def test_every_form_has_all_collections(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="checks documents against schemas")
    together = several(name)
    document = json.loads(together.to_json())
    assert [one["collection"] for one in document["collections"]] == ["one", "other"]
    faults = jsonschema.Draft202012Validator(schema(type(together.collections["one"]))).iter_errors(document)
    assert [error.message for error in faults] == []
    for sheet, told in together.sheets.items():
        if not told.spans and together.rows(sheet):
            lines = (together.to_tsv(show=sheet) or "").splitlines()
            assert lines[0].startswith("collection\t")
            assert {line.split("\t")[0] for line in lines[1:]} >= {"one", "other"}
        assert str(together.render("table", sheet))
        assert together.to_markdown(sheet)


@pytest.mark.parametrize("name", [name for name in ASKED if name != "report"])
@pytest.mark.parametrize("asked", [several, alone])
def test_data_frames_have_all_collections(name: str, asked: Callable[[str], Answer]) -> None:
    for library in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(library, reason="data frames are made with it")
    found = asked(name)
    for sheet in found.sheets:
        for wide in (False, True):
            frames = [make(sheet, wide=wide) for make in (found.to_pandas, found.to_polars, found.to_arrow)]
            assert len({frame.shape for frame in frames}) == 1


def test_what_a_collection_lacks_is_empty_and_counted() -> None:
    found = tr.evaluate(*ONE, "AP", also=ALSO, name="one")
    rows = found.to_records()
    assert [row for row in rows if row["collection"] == "other" and row["run"] == "only"] == [
        {"collection": "other", "collections": None, "run": "only", "measure": "AP", "mean": None}
    ]
    [mean] = [row for row in rows if row["collection"] == "mean" and row["run"] == "only"]
    assert mean["collections"] == 1
    assert mean["mean"] == found["only"]["AP"].mean
    [note] = [note for note in found.notes() if note.code == "TR121"]
    assert (
        note
        == "1 of 8 rows is missing in one of 2 collections, and empty; 1 mean is over fewer collections than others"
    )
    assert "only" not in found.collections["other"]
    assert found.collections["one"].means() == found.means() == tr.evaluate(*ONE, "AP").means()


def test_a_column_without_a_mean_has_none() -> None:
    rows = tr.ties(*ONE, "AP", also=ALSO).to_records()
    means = [row for row in rows if row["collection"] == "mean"]
    assert means
    assert all(row["documents"] is None and row["extremes"] is None for row in means)


def test_the_best_of_each_collection_stands_out() -> None:
    table = tr.evaluate(*ONE, "AP", also=ALSO).table()
    where = {row for row, _ in table.best()}
    assert {table.rows[row][0] for row in where} == {"collection", "other", "mean"}


def test_curves_of_a_mean_go_as_far_as_all_do() -> None:
    found = tr.depth(*ONE, "P", also={"other": (OTHER[0], {"x": {t: [*r][:4] for t, r in OTHER[1]["x"].items()}})})
    [mean] = [row for row in json.loads(found.to_json())["means"]["curves"] if row["run"] == "x"]
    assert len(mean["value"]) == found.collections["other"].max_depth == 4
    for depth, value in enumerate(mean["value"]):
        assert value == pytest.approx(fmean(one["x"]["P"][depth] for one in found.collections.values()))


# Groups of topics, by the same mechanism.

SPLIT = ("ties", "depth", "nil", "truncate", "meta", "report")
GROUPS = {f"q{n}": "low" if n < 5 else "high" for n in range(12)}


@pytest.mark.parametrize("name", SPLIT)
def test_groups_are_asked_about_as_collections_are(name: str) -> None:
    qrels, runs = ONE
    parts = {
        which: ({topic: qrels[topic] for topic, group in GROUPS.items() if group == which}, runs)
        for which in ("low", "high")
    }
    together = ASKED[name](*ONE, group=GROUPS)
    # The order of groups is that in which topics come: q0, q1, q10, q11, q2, ...
    assert [*together.collections] == ["low", "high"]
    apart = ASKED[name](*parts["low"], also={"high": parts["high"]}, name="low")
    assert not any("without judgments" in note or "as asked" in note for note in together.notes())
    for sheet, told in together.sheets.items():
        if told.spans or (name == "report" and sheet == "files"):
            continue
        for one, other in zip(together.to_records(sheet), apart.to_records(sheet), strict=True):
            assert one.pop("group") == other.pop("collection")
            assert one.pop("groups", None) == other.pop("collections", None)
            assert all(close(one[key], other[key]) for key in other), (sheet, one, other)
    jsonschema = pytest.importorskip("jsonschema", reason="checks documents against schemas")
    document = json.loads(together.to_json())
    assert [one["group"] for one in document["groups"]] == ["low", "high"]
    faults = jsonschema.Draft202012Validator(schema(type(together.collections["low"]))).iter_errors(document)
    assert [error.message for error in faults] == []


def test_gains_of_a_group_are_relative_to_the_grade_of_all() -> None:
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2, "b": 0}}
    runs = {"x": {"q1": ["a", "b"], "q2": ["b", "a"]}}
    found = tr.depth(qrels, runs, "ERR", group={"q1": "g", "q2": "h"})
    whole = tr.evaluate(qrels, runs, "ERR")["x"]["ERR"].per_topic
    assert found.collections["g"]["x"]["ERR"][-1] == whole["q1"]
    assert found.collections["h"]["x"]["ERR"][-1] == whole["q2"]


def test_groups_and_other_collections_are_not_mixed(truerank: Command, files: Path) -> None:
    with pytest.raises(tr.InputError, match="groups are those of one collection"):
        tr.ties(*ONE, "AP", also=ALSO, group=GROUPS)
    with pytest.raises(tr.InputError, match="have no group"):
        tr.ties(*ONE, "AP", group={"q1": "x"})
    (files / "groups.txt").write_text("q1 g\nq2 h\n")
    done = truerank("ties", files / "qrels.txt", files / "tied.run", "--group", files / "groups.txt", "-m", "AP")
    assert done.exit_code == 0, done.output
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["group", "g", "h", "mean"]


# On the command line.


@pytest.fixture
def both(files: Path) -> list[object]:
    (files / "more").mkdir()
    for name in ("tied.run", "good.run"):
        (files / "more" / name).write_text((files / name).read_text())
    (files / "more" / "qrels").mkdir()
    (files / "more" / "qrels" / "qrels.txt").write_text((files / "qrels.txt").read_text())
    return [
        files / "qrels.txt",
        files / "tied.run",
        "--also",
        f"b={files / 'more' / 'qrels' / 'qrels.txt'}",
        files / "more",
    ]


@pytest.mark.parametrize("name", ["evaluate", "ties", "depth", "nil", "truncate", "pool", "compare", "meta", "report"])
def test_commands_take_other_collections(truerank: Command, files: Path, both: list[object], name: str) -> None:
    given = [*both[:2], files / "good.run", *both[2:]]
    if name != "pool":
        given += ["-m", "AP"]
    done = truerank(name, *given, "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert [one["collection"] for one in document["collections"]] == ["qrels", "b"]
    assert "--also QRELS RUNS" in truerank(name, "--help").stdout


def test_the_first_collection_may_have_a_name(truerank: Command, both: list[object]) -> None:
    for word in ("a=", ""):
        done = truerank("evaluate", f"{word}{both[0]}", *both[1:], "-m", "AP", "--show", "runs", "--format", "tsv")
        rows = [*csv.DictReader(io.StringIO(done.stdout), delimiter="\t")]
        assert {row["collection"] for row in rows} == {word.removesuffix("=") or "qrels", "b", "mean"}
    done = truerank("evaluate", f"a={both[0]}", both[1], "-m", "AP")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].split("\t")[0] == "run"


def test_outputs_are_not_put_over_judgments_of_others(truerank: Command, both: list[object]) -> None:
    path = str(both[3]).partition("=")[2]
    before = Path(path).read_text()
    done = truerank("evaluate", *both, "--out", path, "--format", "tsv")
    assert done.exit_code == 2
    assert Path(path).read_text() == before


@pytest.mark.parametrize(
    ("also", "said"),
    [
        ({"mean": OTHER}, "a collection is called 'mean', as the mean over collections is"),
        ({"one": OTHER}, "two collections are called 'one'"),
        ([OTHER[0]], "also= takes pairs of judgments and runs"),
        ([("nowhere.qrels", {"x": {"q1": ["a"]}})], "nowhere.qrels: no such file"),
    ],
)
def test_what_is_no_other_collection_is_refused(also: Any, said: str) -> None:
    with pytest.raises(tr.InputError) as error:
        tr.evaluate(*ONE, "AP", also=also, name="one")
    assert said in str(error.value)


def test_an_error_names_its_collection() -> None:
    with pytest.raises(tr.InputError, match=r"^other: run 'x' and the judgments have no topic in common"):
        tr.evaluate(*ONE, "AP", also={"other": ({"z9": {"a": 1}}, {"x": {"q1": ["a"]}})})


def test_files_are_written_of_one_collection(truerank: Command, both: list[object], tmp_path: Path) -> None:
    done = truerank("pool", *both, "--depth", "1", "--all-runs", "--restrict", tmp_path / "out")
    assert done.exit_code == 2
    assert "a file is written of one collection" in done.stderr
    assert not (tmp_path / "out").exists()


def test_gates_hold_in_every_collection(truerank: Command, files: Path, both: list[object]) -> None:
    given = [*both[:2], files / "good.run", *both[2:], "-m", "AP", "--gate", "better", "--no-settled"]
    done = truerank("compare", *given)
    assert done.exit_code == 1
    assert [line.partition(":")[0] for line in done.stderr.splitlines() if "UNDECIDED" in line] == ["qrels", "b"]


def test_questions_that_are_asked_of_several_collections_say_so() -> None:
    """Whoever declares the parameter has an answer whose JSON is told of with collections."""
    from truerank.cli.command import QuestionCommand, command

    found = set()
    for name in QUESTIONS:
        made = command(name)
        if isinstance(made, QuestionCommand) and any(each.name == "also" for each in made.own):
            if made.described.together:
                # It has one answer about all of them.
                continue
            found.add(name)
            assert all(answer.by_collection or not answer.sheets for answer in made.answers), name
    assert found == {"evaluate", "ties", "depth", "nil", "truncate", "pool", "compare", "meta", "report"}
