"""Pools against the same told slowly, in dicts and loops."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.judge import judge
from truerank.io.load import as_qrels, as_run
from truerank.pooling.judged_depth import ENDLESS, judged_depth, pool_depth
from truerank.questions.pool.question import leave_out, pool, pools, restrict
from truerank.report.answer import Answer
from truerank.report.schema import schema

Lists = dict[str, dict[str, dict[str, float]]]
Judgments = dict[str, dict[str, int]]


def ranked(documents: dict[str, float], ties: str) -> list[str]:
    """Documents best first, ties in an order."""
    listed = [*documents]
    if ties == "docid":
        listed.sort(reverse=True)
    elif ties == "docid-asc":
        listed.sort()
    return sorted(listed, key=lambda document: -documents[document])


def some_lists(seed: int, *, systems: int = 6, topics: int = 4) -> Lists:
    """Lists of different lengths, with ties, and now and then a topic left out."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(40)]
    return {
        f"s{system}": {
            f"q{topic}": {
                document: float(chance.randrange(6)) for document in chance.sample(documents, chance.randrange(3, 20))
            }
            for topic in range(topics)
            if topic == 0 or chance.random() < 0.9
        }
        for system in range(systems)
    }


def pooled(lists: Lists, names: Any, depth: int, ties: str) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """For each topic and document within a depth, the runs that have it there, with their ranks."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for name in names:
        for topic, documents in lists[name].items():
            for rank, document in enumerate(ranked(documents, ties)[:depth], 1):
                found.setdefault((topic, document), []).append((name, rank))
    return found


def judged_pool(lists: Lists, names: Any, depth: int, ties: str, seed: int = 0) -> Judgments:
    """Judgments of a pool."""
    chance = random.Random(seed)
    qrels: Judgments = {}
    for topic, document in sorted(pooled(lists, names, depth, ties)):
        qrels.setdefault(topic, {})[document] = chance.choice([0, 0, 1, 2])
    return qrels


def pairs(qrels: tr.Qrels) -> set[tuple[str, str]]:
    topic = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.offsets)).tolist()
    return {(qrels.topics[t].decode(), d.decode()) for t, d in zip(topic, qrels.docs.tolist(), strict=True)}


@pytest.mark.parametrize("ties", ["docid", "docid-asc", "input"])
@pytest.mark.parametrize("seed", range(10))
def test_judged_depth(seed: int, ties: str) -> None:
    lists = some_lists(seed)
    qrels = judged_pool(lists, ["s0", "s1"], 4, ties)
    judgments = as_qrels(qrels)
    for name, topics in lists.items():
        depths = []
        for topic, documents in topics.items():
            gaps = [place for place, one in enumerate(ranked(documents, ties)) if one not in qrels.get(topic, {})]
            if topic in qrels:
                depths.append(gaps[0] if gaps else ENDLESS)
        assert judged_depth(judge(judgments, as_run(topics)), ties) == min(depths), name


@pytest.mark.parametrize(
    ("judged_to", "longest", "depth"),
    [
        ([100, 100, 103, 2, 0], None, 100),
        ([0, 0], None, None),
        ([], None, None),
        ([ENDLESS], None, None),
        ([ENDLESS, 3], None, 3),
        ([ENDLESS], [7], 7),
        ([ENDLESS, ENDLESS, 2], [50, 10, 80], 50),
        ([20, 20, ENDLESS, 0], [1000, 1000, 5, 1000], 20),
        ([0], [1000], None),
    ],
)
def test_pool_depth(judged_to: list[int], longest: list[int] | None, depth: int | None) -> None:
    assert pool_depth(judged_to, longest) == depth


@pytest.mark.parametrize("ties", ["docid", "docid-asc", "input"])
@pytest.mark.parametrize("seed", range(5))
def test_each_part_in_a_pool(seed: int, ties: str) -> None:
    lists = some_lists(seed)
    names = ["s0", "s2", "s3", "s5"]
    qrels = judged_pool(lists, names, 5, ties)
    found = pools(qrels, lists, depth=5, contributors=names, ties=ties)
    slow = pooled(lists, names, 5, ties)
    assert found.contributors == tuple(names)
    assert (found.judgments, found.explained, found.certainty) == (len(slow), len(slow), "certain")
    for name, part in found.items():
        alone = [key for key, holders in slow.items() if [one for one, _ in holders] == [name]]
        assert part.unique == len(alone)
        assert part.unique_relevant == sum(qrels[topic][document] > 0 for topic, document in alone)
        for depth, share in ((5, part.judged_pool), (10, part.judged_10), (100, part.judged_100)):
            top = [(topic, one) for topic in lists[name] for one in ranked(lists[name][topic], ties)[:depth]]
            judged = [one in qrels[topic] for topic, one in top if topic in qrels]
            assert share == pytest.approx(sum(judged) / len(judged))


@pytest.mark.parametrize("seed", range(5))
def test_a_simulated_pool_is_found_with_its_runs_and_depth(seed: int) -> None:
    track = tr.simulate(systems=12, topics=12, seed=seed, pool_depth=15, depth=100)
    found = pools(track.qrels, track.runs)
    assert (found.depth, found.contributors, found.ties) == (15, track.contributing, "input")
    assert found.certainty in ("certain", "likely")


def test_the_order_of_ties_is_the_one_that_explains_the_judgments() -> None:
    lists = {f"s{n}": {"q1": dict.fromkeys(random.Random(n).sample("abcdefghijklmnop", 16), 1.0)} for n in range(3)}
    for ties in ("docid", "docid-asc", "input"):
        found = pools(judged_pool(lists, lists, 3, ties), lists)
        assert (found.ties, found.depth, found.certainty) == (ties, 3, "certain")


def test_words() -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 1, "z": 0}}
    runs = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["b", "a", "y"]}, "new": {"q1": ["x", "y"]}}
    found = pools(qrels, runs)
    # Two documents at two ranks are no evidence of anything.
    assert [note.code for note in found.notes()] == ["TR261"]
    assert (found.depth, found.certainty, found["one"].contributes) == (None, "unclear", False)
    found = pools({"q1": {"a": 1, "b": 0}}, runs)
    assert found.notes() == (
        "the pool is 2 deep, of 0 to 2 of 3 runs: 100% of its documents are judged",
        "it holds all 2 judged documents, so that nothing else was judged",
        "for 2 runs it cannot be determined whether documents of theirs were pooled: one and two have no "
        "document alone",
    )
    assert [note.code for note in found.notes()] == ["TR262", "TR263", "TR264"]
    assert "the pool is 2 deep" in str(found)
    assert found["one"].reason == "what no contributing run has of its documents, two has too"
    nothing = pools(qrels, {"new": {"q1": ["x", "a"]}})
    assert (nothing.depth, nothing.contributors, nothing.certainty) == (None, (), "unclear")
    assert "no pool of these runs" in nothing.notes()[0]
    taken = pools(qrels, runs, depth=2, contributors="all")
    varied = replace(found, deepest=5, outside=0.5, topics=tuple(replace(found.topics[0], depth=n) for n in (2, 5, 5)))
    assert varied.notes()[0] == (
        "the pool is 2 to 5 deep, depending on the topic (2 for 1 topic; 5 for 2 topics), of 0 to 2 of 3 runs: 100% of "
        "its documents are judged, and 50% of those just past it"
    )
    by_run = replace(found, deepest=5, parts=(replace(found["one"], pool_depth=5), *found.parts[1:]))
    assert "depending on the run (2 for 1 run; 5 for 1 run), of" in by_run.notes()[0]
    various = replace(found, deepest=5, topics=tuple(replace(found.topics[0], depth=n) for n in (2, 3, 4, 5)))
    assert various.notes()[0].startswith("the pool is 2 to 5 deep, depending on the topic, of 0 to 2 of 3 runs: 100%")
    rest = replace(found, explained=1, not_judged=3)
    assert rest.notes()[1] == (
        "it holds 1 of 2 judged documents (50%); the other 1 were found in other ways, or by other runs; 3 more are in "
        "the pool and not judged"
    )
    few = replace(found, parts=(replace(found["one"], own=2), *found.parts[1:]))
    assert few.notes()[2].endswith("were pooled: two has no document alone; one has too few alone")
    assert taken.notes()[0] == "the pool is taken to be 2 deep, of 3 of 3 runs; 1 of these is not judged to that depth"


@pytest.mark.parametrize("ties", ["docid", "docid-asc", "input"])
@pytest.mark.parametrize("depth", [1, 4, 100])
def test_the_documents_of_a_pool(depth: int, ties: str) -> None:
    lists = some_lists(3)
    found = pool(lists, depth, ties=ties)
    slow = pooled(lists, lists, depth, ties)
    assert {(one.topic, one.document): (one.runs, one.best_rank) for one in found} == {
        key: (len(holders), min(rank for _, rank in holders)) for key, holders in slow.items()
    }
    assert [*found] == sorted(found, key=lambda one: (one.topic, -one.runs, one.best_rank, one.document))
    assert found[0] is found.documents[0]
    assert sum(map(len, found.by_topic().values())) == len(found) == len(found.to_records())


def test_a_pool_with_what_is_judged_of_it() -> None:
    found = pool({"one": {"q1": ["a", "b", "c"]}}, 3, qrels={"q1": {"a": 2, "b": -1}, "q9": {"c": 1}})
    assert [one.grade for one in found] == [2.0, None, None]
    assert found.to_qrels() == "q1 0 a 2\nq1 0 b -1\nq1 0 c -1\n"
    assert found.to_qrels(judged=False) == "q1 0 b -1\nq1 0 c -1\n"
    assert pairs(as_qrels({"q1": {one.document: 0 for one in found}})) == {("q1", d) for d in "abc"}


def test_names_that_are_no_text_survive() -> None:
    rows = [("q1", "caf\udce9", 2.0), ("q1", "na\u00efve", 1.0)]
    lines = pool(rows, 2).to_qrels()
    assert lines.encode("utf-8", "surrogateescape") == b"q1 0 caf\xe9 -1\nq1 0 na\xc3\xafve -1\n"


@pytest.mark.parametrize("contributors", [["s0", "s1", "s4"], "all"])
@pytest.mark.parametrize("ties", ["docid", "docid-asc", "input"])
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_judgments_of_a_shallower_pool(depth: int, ties: str, contributors: Any) -> None:
    lists = some_lists(5)
    qrels = judged_pool(lists, ["s0", "s1", "s4"], 5, ties)
    shallow = restrict(qrels, lists, depth, contributors=contributors, ties=ties)
    names = [*lists] if contributors == "all" else contributors
    expected = pooled(lists, names, depth, ties).keys() & pooled(lists, ["s0", "s1", "s4"], 5, ties).keys()
    assert pairs(shallow) == expected
    assert [topic.decode() for topic in shallow.topics] == sorted(qrels)
    grades = dict(zip(sorted(pairs(shallow)), [qrels[t][d] for t, d in sorted(pairs(shallow))], strict=True))
    assert len(grades) == len(shallow.grade)
    assert sorted(shallow.grade.tolist()) == sorted(map(float, grades.values()))
    assert shallow.notes[-1].startswith(f"judgments are those of a pool {depth} deep of {len(names)} runs: ")


def test_contributors_are_found_before_the_pool_is_cut() -> None:
    track = tr.simulate(systems=10, topics=10, seed=1, pool_depth=20)
    found = restrict(track.qrels, track.runs, 5)
    named = restrict(track.qrels, track.runs, 5, contributors=track.contributing, ties="input")
    assert pairs(found) == pairs(named)
    assert 0 < len(found) < len(track.qrels)
    assert tr.evaluate(found, track.runs, "AP").topics == tr.evaluate(track.qrels, track.runs, "AP").topics


QRELS = {"q1": {"a": 1, "b": 0}}
RUNS = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["b", "a"]}}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: pools(QRELS, RUNS, depth=10**30), "depth is at most 1,000,000,000,000,000"),
        (lambda: pools(QRELS, RUNS, depth=0), "depth is a whole number from 1 on, not 0"),
        (lambda: pools(QRELS, RUNS, depth=True), "depth is a whole number from 1 on, not True"),
        (lambda: pools(QRELS, RUNS, ties="expected"), "ties='expected' is none"),
        (lambda: pools(QRELS, RUNS, precision="float16"), "precision='float16'"),
        (lambda: pools(QRELS, RUNS, contributors=["three"]), "there is no run 'three'"),
        (lambda: pools({"q9": {"a": 1}}, RUNS), "no topic in common"),
        (lambda: pools(tr.read_preferences([("q1", "a", "b")]), RUNS), "preferences"),
        (lambda: pool(RUNS, 0), "depth is a whole number from 1 on, not 0"),
        (lambda: pool({"one": {"q1": {"a": 1, "b": 1}}}, 2, ties="rank"), "no rank column"),
        (lambda: pool({"one": {"q1": ["a b"]}}, 2).to_qrels(), "'a b' is blank or has a blank"),
        (lambda: restrict(QRELS, RUNS, 3), "cannot be restricted to depth 3: it is 2 deep"),
        (lambda: restrict(QRELS, {"new": {"q1": ["x"]}}, 1), "these runs do not tell of one"),
    ],
)
def test_what_cannot_be_done_is_refused(call: Any, said: str) -> None:
    with pytest.raises(tr.InputError, match=said.replace("(", r"\(")):
        call()


@pytest.mark.parametrize(
    "found",
    [
        pools(QRELS, RUNS),
        pools(QRELS, {"new": {"q1": ["x"]}}),
        pool(RUNS, 2, qrels=QRELS),
        leave_out(QRELS, RUNS, depth=1, contributors="all", by="group", groups=lambda name: name[0]),
    ],
    ids=lambda found: repr(found),
)
def test_json_has_the_form_that_is_promised(found: Answer) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(found.to_json()), schema(type(found)))
    assert {note["code"] for note in found.to_dict()["notes"]} <= {f"TR26{n}" for n in range(1, 7)}


def test_documents_of_a_pool_are_rows_of_a_sheet() -> None:
    found = pool(RUNS, 1, qrels=QRELS)
    assert found.to_dict()["documents"] == found.to_records()
    assert found.to_csv() == "topic,document,runs,best_rank,grade\nq1,a,1,1,1.0\nq1,b,1,1,0.0\n"
    assert (found.by_topic(), found.to_dict()["runs"]) == ({"q1": ["a", "b"]}, ["one", "two"])


def test_a_depth_past_the_end_of_every_list() -> None:
    """Found by fuzzing: ranks that no list has were looked up among the octaves of ranks that lists have."""
    qrels = {
        "q1": {"d2": 1.0, "B": 0.0, "d3": 1.0, "b": 0.0, "é": 1.0, "NIL": 0.5},
        "q2": {"B": 0.0, "b": -1.0, "doc-9": 3.0, "d3": -1.0, "d2": 0.0},
    }
    one = {"q1": {"é": 1.5}, "q2": {"doc-9": 2.0, "ab": 0.0}}
    other = {
        "q1": {"d3": 1.5, "a": 2, "doc-10": 2, "é": 1, "d2": 2, "B": 3, "x/y:z": 2},
        "q2": {"doc-10": -1.25, "d2": 1.5},
    }
    assert list(pools(qrels, {"one": one, "other": other}, depth=1000)) == ["one", "other"]
