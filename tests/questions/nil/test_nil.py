"""NilAnswer and what it is worth, on cases whose numbers are known, and Liu et al.'s statements on simulated runs."""

from __future__ import annotations

import json
import math
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.rr import RR
from truerank.questions.nil.question import Cases, NilAnswer, nil
from truerank.questions.nil.work import ListsPart, length_bins

from ...every_measure.test_liu_table1 import ROWS
from ...parity.shared import need

QRELS = {"has1": {"a": 1, "x": 0}, "has2": {"b": 1}, "nil1": {"c": 0}, "nil2": {}, "nil3": {"NIL": 1}}
RUNS: dict[str, dict[str, list[str]]] = {
    "eager": {"has1": ["a", "x"], "has2": ["b"], "nil1": ["c"], "nil2": ["y"], "nil3": ["z"]},
    "wary": {"has1": ["NIL", "a"], "has2": ["b", "NIL"], "nil1": [], "nil3": ["NIL"]},
    "mute": {"has1": ["NIL"], "elsewhere": ["a"]},
}


def topics(cases: Cases) -> tuple[Any, ...]:
    """The topics of the four cases; the counts are those of them."""
    unanswered = (cases.wrongly_unanswered_topics, cases.correctly_unanswered_topics)
    found = (cases.answered_topics, cases.false_answer_topics, *unanswered)
    counts = (cases.answered, cases.false_answers, cases.wrongly_unanswered, cases.correctly_unanswered)
    assert tuple(map(len, found)) == counts
    assert sum(counts) == cases.topics
    return found


def said(found: NilAnswer, show: str | None = None) -> list[str]:
    """What is said where a sheet is shown, or at all."""
    return list(dict.fromkeys(note for one in ([show] if show else found.sheets) for note in found.own_notes(one)))


def test_the_four_cases() -> None:
    found = nil(QRELS, RUNS, "RR", limit=2)
    assert found.nil_topics == ("nil1", "nil2", "nil3")
    has, nils = ("has1", "has2"), ("nil1", "nil2", "nil3")
    assert topics(found.cases["eager"]) == (has, nils, (), ())
    assert topics(found.cases["wary"]) == (("has2",), (), ("has1",), nils)
    assert topics(found.cases["mute"]) == ((), (), has, nils)
    numbers = {
        name: [round(getattr(cases, n), 4) for n in ("precision", "recall", "f", "accuracy")]
        for name, cases in found.cases.items()
    }
    assert numbers["wary"] == [0.75, 1.0, 0.8571, 0.8]
    assert numbers["mute"] == [0.6, 1.0, 0.75, 0.6]
    assert math.isnan(numbers["eager"][0])
    assert numbers["eager"][1:] == [0.0, 0.0, 0.4]
    # One of five topics is answered correctly at rank 1, and four are left open.
    assert [cases.c for cases in found.cases.values()] == pytest.approx([0.4, 0.2 + 0.2 * 0.8, 0.0])


def test_scores_by_both_methodologies_by_hand() -> None:
    found = nil(QRELS, RUNS, "RR", limit=2)
    # eager: has1 is at the limit; the others are shorter, and the end of a nil list has rank 2.
    assert [*found["eager"]["RR"].scores.values()] == pytest.approx([2 / 5, (1 + 1 + 3 / 2) / 5])
    # wary: NIL counts where it is listed on a nil topic; then silence on all three, and has1 ends before a.
    assert [*found["wary"]["RR"].scores.values()] == pytest.approx([(1 / 2 + 1 + 1) / 5, (1 + 3) / 5])
    assert [*found["mute"]["RR"].scores.values()] == pytest.approx([0.0, 3 / 5])
    records = {record["run"]: record for record in found.to_records("runs")}
    assert {name: (r["rank.original"], r["rank.modified"]) for name, r in records.items()} == {
        "wary": (1, 1),
        "eager": (2, 2),
        "mute": (3, 3),
    }
    assert [round(record["ended"], 4) for record in found.to_records("cases")] == [0.8, 1.0, 1.0]


def test_without_a_limit_every_list_is_ended_and_scored_so() -> None:
    qrels, run = {"q1": {"a": 1}, "n": {"x": 0}}, {"q1": ["a", "x"], "n": ["x", "y"]}
    free, full = nil(qrels, {"r": run}, "RR"), nil(qrels, {"r": run}, "RR", limit=2)
    modified = [found["r"]["RR"].scores["modified"] for found in (free, full)]
    assert modified == pytest.approx([(1 + 1 / 3) / 2, 1 / 2])
    assert [found.to_records()[0]["ended"] for found in (free, full)] == [1.0, 0.0]
    assert [found.cases["r"].was_ended.tolist() for found in (free, full)] == [[True, True], [False, False]]


def test_each_methodology_is_an_evaluation() -> None:
    rng = random.Random(4)
    docs = [*"abcdef", "NIL"]
    qrels = {f"q{t}": {d: rng.choice([0, 1, 2]) * (t > 2) for d in docs[:-1]} for t in range(9)}
    runs = {f"r{n}": {t: {d: rng.choice([1.0, 2.0]) for d in rng.sample(docs, 4)} for t in qrels} for n in range(5)}
    for given in ({}, {"limit": 3}, {"ending": "terminal-once"}, {"ties": "worst", "unjudged": "condensed"}):
        conventions: dict[str, Any] = {"ending": "terminal", **given}
        found = nil(qrels, runs, "nDCG@3 RBP", **conventions)
        modified = tr.evaluate(qrels, runs, "nDCG@3 RBP", **conventions).means()
        plain = {axis: value for axis, value in given.items() if axis not in ("ending", "limit")}
        original = tr.evaluate(qrels, runs, "nDCG@3 RBP", nil="answer", **plain).means()
        for name, run in found.items():
            assert {m: row.scores["modified"] for m, row in run.items()} == modified[name]
            assert {m: row.scores["original"] for m, row in run.items()} == original[name]


@pytest.mark.parametrize(("relevant", "limit"), [(0, None), (3, None), (3, 6)])
def test_table_1_from_files(tmp_path: Path, relevant: int, limit: int | None) -> None:
    rows = [row for row in ROWS if row[1] == relevant]
    judged = "".join(f"q 0 rel{n} 1\n" for n in range(relevant)) + "q 0 not 0\n"
    (tmp_path / "qrels.txt").write_text(judged)
    paths = []
    for ranking, *_ in rows:
        docs = [f"rel{ranking[:i].count('1')}" if r == "1" else f"other{i}" for i, r in enumerate(ranking)]
        lines = [f"q Q0 {doc} {rank} {9 - rank} x\n" for rank, doc in enumerate([*docs, "NIL", "late"], 1)]
        # What stands below NIL is not read, and a list without one ends as well.
        paths.append(tmp_path / f"x{ranking}.run")
        paths[-1].write_text("".join(lines if limit is None else lines[: len(docs)]))
    found = nil(str(tmp_path / "qrels.txt"), [str(path) for path in paths], limit=limit)
    for ranking, _, _, *cells in rows:
        assert [round(row.scores["modified"], 3) for row in found[f"x{ranking}"].values()] == [
            cells[0],
            cells[2],
            cells[1],
            cells[3],
        ]


def naive_tau(x: list[float], y: list[float]) -> float:
    pairs = [(a, b) for a, b in permutations(range(len(x)), 2) if a < b]
    return sum(np.sign(x[a] - x[b]) * np.sign(y[a] - y[b]) for a, b in pairs) / len(pairs)


def test_orders_against_counting() -> None:
    track = tr.simulate(systems=12, topics=20, seed=3, nil=0.3, depth=30)
    found = nil(track.qrels, track.runs, limit=30)
    assert len(found.dependent) > 3
    for order in found.orders:
        scores = {name: run[order.measure].scores for name, run in found.items()}
        both = [{name: score[variant] for name, score in scores.items()} for variant in ("original", "modified")]
        original, modified = both
        assert order.tau_a == pytest.approx(naive_tau([*original.values()], [*modified.values()]))
        turned = {(a, b) for a, b in permutations(found, 2) if original[a] > original[b] and modified[a] < modified[b]}
        pairs = found.reversed_pairs(order.measure)
        assert {(pair.run, pair.compared_with) for pair in pairs} == turned
        assert order.reversed == len(turned)
        sums = [sum(map(abs, pair.differences.values())) for pair in pairs]
        assert sums == sorted(sums, reverse=True)
        for pair in pairs:
            assert pair.differences == pytest.approx(
                {name: scores[pair.run][name] - scores[pair.compared_with][name] for name in found.variants}
            )
        for name, run in found.items():
            ranks = [1 + sum(other > some[name] for other in some.values()) for some in both]
            assert [*run[order.measure].ranks.values()] == ranks


def lists(seed: int = 7, **more: Any) -> tuple[Any, dict[str, dict[str, list[str]]]]:
    """Lists of four documents, of six systems on topics of which a third have no answer."""
    track = tr.simulate(systems=6, topics=60, seed=seed, nil=0.33, depth=4, kinds=["bm25", "dense"], **more)
    topics = [topic.encode() for topic in track.topics]
    runs = {
        name: {t.decode(): [doc for doc, _ in run.ranking(t)] for t in topics if t in run.topics}
        for name, run in track.runs.items()
    }
    return track.qrels, runs


def test_nil_first_everywhere_gains_as_a_document_and_loses_as_an_end() -> None:
    qrels, runs = lists()
    for name, run in runs.items():
        hedged = {topic: ["NIL", *docs] for topic, docs in run.items()}
        found = nil(qrels, {name: run, "hedged": hedged}, "RR", limit=5)
        plain, hedge = found[name]["RR"].scores, found["hedged"]["RR"].scores
        assert hedge["original"] > plain["original"]
        assert hedge["modified"] < plain["modified"]
        assert hedge["modified"] == pytest.approx(len(found.nil_topics) / 60)
        assert found.reversed_pairs("RR")[0].run == "hedged"
        assert found.cases["hedged"].wrongly_unanswered == 60 - len(found.nil_topics)


def test_nil_last_everywhere_gains_as_a_document_and_nothing_as_an_end() -> None:
    qrels, runs = lists()
    for name, run in runs.items():
        closed = {topic: [*docs, "NIL"] for topic, docs in run.items()}
        found = nil(qrels, {name: run, "closed": closed}, limit=5)
        for measure in found.measures:
            assert found["closed"][measure].scores["modified"] == found[name][measure].scores["modified"]
            assert found["closed"][measure].scores["original"] > found[name][measure].scores["original"]


def test_a_nil_above_relevant_documents_costs_and_one_below_them_pays() -> None:
    qrels = {"q": {"a": 1}}
    late, early = (nil(qrels, {"q": docs}, limit=5)["run"] for docs in (["a", "NIL", "x"], ["x", "NIL", "a"]))
    assert all(early[measure].differences["modified"] < 0 for measure in early)
    assert late["RBP(p=0.5)"].differences["modified"] > 0
    # RR never gains on a topic with an answer: the terminal document stands below the relevant one.
    assert late["RR"].differences["modified"] == 0


def test_lengths_before_and_after() -> None:
    found = nil(QRELS, RUNS, "RR")
    lengths = [(one.length, one.before, one.after) for one in found.lengths]
    assert lengths == [("empty", 6, 9), ("1", 6, 5), ("2", 3, 1)]
    assert [(cases.nil, found.longest) for cases in found.cases.values()] == [(0, 2), (3, 2), (1, 2)]


@pytest.mark.parametrize("longest", [0, 1, 19, 20, 21, 64, 65, 1000])
def test_bins_hold_every_length(longest: int) -> None:
    before = np.arange(longest + 1)
    mask = before > 3
    none = np.zeros_like(before)
    lists = ListsPart(
        topics=before, before=before, after=before // 2, nil_rank=none, found=none, below=none, was_ended=mask
    )
    found = list(length_bins([lists]))
    assert sum(one.before for one in found) == sum(one.after for one in found) == longest + 1
    assert all(one.before == max(min(longest, one.high) - one.low + 1, 0) for one in found)
    names = ["empty", "1", "2"] if longest <= 20 else ["empty", "1-4", "5-8"]
    assert [one.length for one in found[:3]] == names[: longest + 1]
    assert [one.after for one in found] == [sum(one.low <= n // 2 <= one.high for n in before) for one in found]


def test_without_nil_and_nil_topics_it_says_so() -> None:
    found = nil({"p": {"a": 1}, "q": {"a": 1}}, {"p": ["a", "b"], "q": ["b", "a"]}, "RR AP", limit=2)
    assert said(found) == [
        "every topic has an answer, so that an empty list is never correct",
        "no run leaves a topic unanswered",
        "RR: no score changes with the methodology",
        "AP: no score changes with the methodology",
        "no run lists a NIL, so that lists end where they do",
        "no list is shorter than 2, so that none has a terminal document",
        "RR: no kind of ending changes the score",
        "AP: no kind of ending changes the score",
    ]
    cases = found.cases["run"]
    assert (cases.accuracy, [math.isnan(one) for one in (cases.precision, cases.recall, cases.f)]) == (1.0, [True] * 3)
    assert math.isnan(found.orders[0].tau_a)


def test_words() -> None:
    found = nil(QRELS, RUNS, "RR", limit=2)
    assert said(found, "cases") == [
        "3 of 5 topics have no answer: an empty list is correct there",
        "mute leaves 5 topics unanswered, 3 of them correctly",
        "wary leaves 4 topics unanswered, 3 of them correctly",
        "1 run answers every topic",
    ]
    assert said(found, "lengths") == [
        "2 runs list NIL, in 4 of 15 lists",
        "14 of 15 lists (93.3%) were ended by their systems, by a NIL, or before 2 documents",
    ]
    assert said(found, "runs")[:2] == [
        "RR: no pair of runs changes order with the methodology (tau-b 1.000); wary is ranked first by every "
        "methodology",
        "RR: mute changes most, by +0.6000 under modified, from 0.0000 to 0.6000",
    ]
    free = said(nil(QRELS, RUNS, "RR"), "lengths")
    assert free[1].startswith("without a limit every list counts as ended by its system; the longest has 2")
    assert "no list reaches the limit of 9; the longest has 2" in said(nil(QRELS, RUNS, "RR", limit=9))
    many = {f"r{n:02d}": {"has1": ["NIL"]} for n in range(14)}
    assert "4 other runs leave some topics unanswered" in said(nil(QRELS, many, "RR"))


def test_ties_and_lists_past_the_limit_are_spoken_of() -> None:
    qrels, run = {"p": {"a": 1}, "q": {"a": 1}}, {"p": ["a", "b"], "q": ["b", "a", "c", "NIL"]}
    found = nil(qrels, {"one": run, "same": run, "worse": {"p": ["b"], "q": ["b", "a"]}}, "P@1", limit=2)
    longer = "2 lists have more documents than the limit of 2, which cuts no list; if lists could be longer, give a "
    assert f"{longer}higher limit" in said(found, "cases")
    [order] = found.orders
    assert (order.tau_a < 1, order.tau_b, order.reversed) == (True, 1.0, 0)


def test_undefined_scores_have_no_rank() -> None:
    runs = {"full": {"nil1": ["a", "b"], "has1": ["a"]}, "short": {"has1": ["a"]}, "other": {"has1": ["x"]}}
    found = nil(QRELS, runs, "AP RR", limit=2, no_relevant="nan")
    record = next(r for r in found.to_records("runs") if (r["measure"], r["run"]) == ("AP", "full"))
    assert (record["rank.modified"], record["rank.original"]) == (None, 1)
    assert [order.runs for order in found.orders] == [2, 3]
    assert found.to_records("runs")[-1]["measure"] == "RR"
    assert "undefined" in found.to_markdown("runs")


def test_topics_at_the_limit_are_undefined_in_one_sentence() -> None:
    rng = random.Random(1)
    qrels = {f"q{n}": {"a": int(n > 5)} for n in range(10)}
    runs = {f"r{n}": {t: ["a", "b", "c"][: rng.choice([1, 3])] for t in qrels} for n in range(8)}
    for notices in (nil(qrels, runs, "AP", limit=3), tr.evaluate(qrels, runs, "AP", ending="terminal", limit=3)):
        undefined = [notice for notice in notices.notices if "undefined" in notice]
        assert len(undefined) == 1
        assert "topics of each run" in undefined[0]


class Cost(RR):
    """A measure whose low values are good, and which has a form with a terminal document."""

    name = "Cost"
    higher_is_better = False


def test_where_lower_is_better_places_and_pairs_turn_around() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "n": {"a": 0}}
    runs = {"plain": {topic: ["x", "a"] for topic in qrels}, "hedged": {topic: ["NIL", "x", "a"] for topic in qrels}}
    high, low = (nil(qrels, runs, measure) for measure in (RR(), Cost()))
    [up], [down] = high.dependent, low.dependent
    assert (up.run, up.compared_with, down.run, down.compared_with) == ("hedged", "plain", "plain", "hedged")
    # Differences are in the measure's own sign.
    assert [*up.differences.values()] == pytest.approx([-one for one in down.differences.values()])
    for found, first in ((high, "hedged"), (low, "plain")):
        assert next((row.run, *row.ranks.values()) for row in found.board) == (first, 1, 2)


def test_one_run() -> None:
    assert nil(QRELS, {"has1": ["a"]}, "RR").to_records("orders")[0]["pairs"] == 0


def test_exports() -> None:
    found = nil(QRELS, RUNS, "RR RBP(p=0.8)", limit=2)
    assert repr(found) == "NilAnswer(3 runs, 2 measures, 3 nil topics)"
    sizes = [3, 3, 6, 2, len(found.dependent), len(found.endings), 2 * 3 * 5, 3]
    assert [len(found.to_records(show)) for show in (None, *found.sheets)] == sizes
    assert found.to_pandas("runs").shape == (6, 9)
    assert found.to_csv(show="lengths").splitlines()[0] == "low,high,before,after"  # type: ignore[union-attr]
    assert "<table" in found._repr_html_()
    assert [record["wrongly_unanswered_topics"] for record in found.to_records()] == ["", "has1", "has1 has2"]
    document = json.loads(found.to_json())
    original, modified = document["original"], document["conventions"]
    assert (original["nil"], original["limit"], original["ending"]) == ("answer", None, "none")
    assert (modified["nil"], modified["limit"], modified["ending"]) == ("end", 2, "terminal")
    cases = {row["run"]: row for row in document["cases"]}
    assert cases["wary"]["wrongly_unanswered_topics"] == ["has1"]
    assert (cases["eager"]["precision"], cases["eager"]["c@1"]) == (None, 0.4)
    assert (cases["wary"]["before"], cases["wary"]["after"]) == ([2, 2, 0, 0, 1], [0, 1, 0, 0, 0])
    assert [row["run"] for row in document["runs"][:3]] == ["wary", "eager", "mute"]
    assert "mute: lists 1 of 5 judged topics" in document["notes"][0]["text"]
    assert document["notes"][2]["text"] == "3 of 5 topics have no answer: an empty list is correct there"
    assert found["wary"]["RBP(p=0.8)"].measure == "RBP"
    with pytest.raises(InputError, match="cases, runs, orders, pairs, endings, topics, lengths"):
        found.to_records("scores")
    with pytest.raises(KeyError, match="no run 'x'"):
        found["x"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ending": "none"}, "ending='none' does not count the end of a list as an answer"),
        ({"nil": "answer"}, "nil='answer' cannot be chosen here"),
        ({"missing": "skip"}, "missing='skip' cannot be chosen here"),
        ({"unjudged": "bounds"}, "unjudged='bounds' gives two numbers"),
        ({"ties": "bounds"}, "ties='bounds' gives two numbers"),
        ({"measures": "RRT"}, "RRT has a terminal document of its own"),
        ({"measures": "c@1"}, "c@1 has no form with a terminal document to compare with"),
        ({"limit": 0}, "limit=0"),
    ],
)
def test_what_has_no_meaning_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        nil(QRELS, RUNS, **given)
    assert message in str(refused.value)


def test_a_tool_that_skips_missing_topics_still_leaves_them_unanswered() -> None:
    found = nil(QRELS, RUNS, "RR", like="trec_eval-9")
    assert found.cases["mute"].unanswered == 5
    assert found.modified.missing == "empty"


def test_the_order_of_rows_and_runs_does_not_matter() -> None:
    shuffled = {name: dict(reversed(run.items())) for name, run in reversed(RUNS.items())}
    one, other = nil(QRELS, RUNS, limit=2), nil(dict(reversed(QRELS.items())), shuffled, limit=2)
    assert {name: dict(run) for name, run in one.items()} == {name: dict(run) for name, run in other.items()}
    assert {name: list(map(sorted, topics(cases))) for name, cases in one.cases.items()} == {
        name: list(map(sorted, topics(cases))) for name, cases in other.cases.items()
    }


@pytest.mark.parametrize("name", ["boolean_and", "bm25_top10"])
def test_real_runs_that_are_silent(name: str) -> None:
    need("classic", "cranfield", "qrels.txt")
    folder = need("classic", "cranfield", "runs")
    [path] = folder.glob(f"{name}.*")
    found = nil(str(need("classic", "cranfield", "qrels.txt")), str(path), "RR AP", limit=100)
    [cases] = found.cases.values()
    assert (cases.unanswered, cases.topics, found.nil_topics) == ({"boolean_and": 42, "bm25_top10": 0}[name], 225, ())
    assert str(found).startswith("Every topic has an answer")


def test_the_usual_ndcg_has_the_limit_for_its_cutoff() -> None:
    """Liu et al.'s NDCG@d: no list of two can follow an ideal one of four."""
    qrels, runs = {"q": dict.fromkeys("abcd", 1)}, {"full": {"q": ["a", "b"]}}
    found = nil(qrels, runs, limit=2)
    assert found.measures == ("RR", "nDCG@2", "RBP(p=0.5)", "AP")
    assert found["full"]["nDCG@2"].scores["original"] == 1.0
    assert nil(qrels, runs).measures == ("RR", "nDCG", "RBP(p=0.5)", "AP")


@pytest.mark.parametrize(
    ("measure", "limit", "noted"),
    [("nDCG", 2, True), ("nDCG", 4, True), ("nDCG", 5, False), ("nDCG@2", 2, False), ("nDCG", None, False)]
    + [(measure, 2, False) for measure in ("RR", "RBP(p=0.5)", "AP", "P@2")],
)
def test_a_measure_without_a_cutoff_beside_a_limit_is_noted(measure: str, limit: int | None, noted: bool) -> None:
    found = nil({"q": dict.fromkeys("abcd", 1)}, {"full": {"q": ["a", "b"]}}, measure, limit=limit)
    codes = {note.code for note in found.notices}
    assert ("TR435" in codes) == noted
