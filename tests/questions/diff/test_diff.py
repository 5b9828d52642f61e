"""Two runs topic by topic, against evaluation, every order of ties and every grade of unjudged documents."""

from __future__ import annotations

import json
import random
from itertools import combinations, groupby, pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
from tests.quick import first

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.diff.question import diff
from truerank.questions.diff.work import topic_differences

from ...parity.shared import need

Run = dict[str, dict[str, float]]
DOCS = list("abcdefgh")


def collection(seed: int, *, judged: int = 5, listed: int = 5, levels: int = 3) -> tuple[Any, Run, Run]:
    """Judgments, and two runs with ties and unjudged documents; the second leaves a topic out."""
    rng = random.Random(seed)
    qrels = {topic: {doc: rng.choice([0, 1, 2]) for doc in rng.sample(DOCS, judged)} for topic in ("q1", "q2", "q3")}

    def run() -> Run:
        return {t: {d: float(rng.randint(1, levels)) for d in rng.sample(DOCS, listed)} for t in qrels}

    a, b = run(), run()
    del b["q3"]
    return qrels, a, b


def orders(scored: dict[str, float]) -> list[list[str]]:
    """Every list that a topic's scores allow for."""
    ranked = sorted(scored, key=lambda doc: -scored[doc])
    groups = [list(permutations(group)) for _, group in groupby(ranked, key=lambda doc: scored[doc])]
    return [[doc for group in choice for doc in group] for choice in product(*groups)]


def value(qrels: Any, topic: str, listing: Any, measure: str) -> float:
    """The score of a list on one topic; the others keep the scale of grades."""
    scores = tr.evaluate(qrels, {topic: listing} if listing else {"nowhere": ["x"], topic: []}, measure)
    return next(iter(scores.values()))[measure].per_topic[topic]


MEASURES = ("nDCG@3", "AP", "RR@2", "ERR", "RBP(p=0.5)", "SetP", "Q@4", "Bpref", "PrefLoss", "DCGU@3", "GM", "Judged@3")


@pytest.mark.parametrize("measure", MEASURES)
def test_scores_are_those_of_evaluate(measure: str) -> None:
    qrels, a, b = collection(1)
    found = diff(qrels, a, b, measure)[measure]
    scores = [tr.evaluate(qrels, run, measure)["run"][measure] for run in (a, b)]
    assert (found.mean_a, found.mean_b) == tuple(score.mean for score in scores)
    assert found.difference == pytest.approx(scores[1].mean - scores[0].mean)
    assert dict(zip(found.topics, found.a, strict=True)) == scores[0].per_topic
    better = [(y - x) * (1 if found.by.higher_is_better else -1) for x, y in zip(found.a, found.b, strict=True)]
    assert (found.wins, found.losses) == (sum(g > 1e-12 for g in better), sum(g < -1e-12 for g in better))
    assert found.wins + found.losses + found.level == 3


@pytest.mark.parametrize("measure", [measure for measure in MEASURES if measure != "PrefLoss"])
@pytest.mark.parametrize(
    "given", [{}, {"ties": "docid"}, {"ties": "worst"}, {"unjudged": "condensed"}, {"negative": "unjudged"}], ids=str
)
def test_impacts_add_up_to_the_difference(measure: str, given: dict[str, Any]) -> None:
    """But for what reading costs, which no document makes up for."""
    for seed in range(1 if given else 3):
        qrels, a, b = collection(seed)
        found = diff(qrels, a, b, measure, **given)[measure]
        for topic, difference in zip(found.topics, found.differences, strict=True):
            costs = [effort(run.get(topic, {}), qrels[topic], **given) if measure == "DCGU@3" else 0 for run in (a, b)]
            impacts = sum(one.impact for one in found.documents(topic))
            assert impacts == pytest.approx(difference - (costs[0] - costs[1]), abs=1e-12)
            assert found.rest(topic) == pytest.approx(costs[0] - costs[1], abs=1e-12)


def effort(listed: dict[str, float], judged: dict[str, int], unjudged: str = "", **_: str) -> float:
    """What DCGU@3 charges for a list, e being 1/20."""
    read = sum(doc in judged for doc in listed) if unjudged == "condensed" else len(listed)
    return sum(1 / np.log2(rank + 1) for rank in range(1, min(read, 3) + 1)) / 20


def test_deeper_documents_are_in_the_rest() -> None:
    qrels, a, b = {"q": {"x": 1, "y": 1}}, {"q": ["x", "u", "y"]}, {"q": ["x", "y", "u"]}
    found = diff(qrels, a, b, "DCG", depth=1)["DCG"]
    assert [one.doc for one in found.documents("q")] == ["x"]
    assert found.rest("q") == pytest.approx(1 / np.log2(3) - 1 / 2)


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "RR@2", "P@2", "ERR@3"])
def test_documents_against_the_lists_themselves(measure: str) -> None:
    k = tr.parse(measure).cutoff or 100
    for seed in range(2):
        qrels, a, b = collection(seed)
        found = diff(qrels, a, b, measure)[measure]
        for topic in found.topics:
            at = [ranks_of(run.get(topic, {})) for run in (a, b)]
            expected = {
                doc: (qrels[topic].get(doc), at[0].get(doc), at[1].get(doc), status(at[0].get(doc), at[1].get(doc), k))
                for doc in DOCS
                if any(ranks.get(doc, (k + 1,))[0] <= k for ranks in at)
            }
            got = found.documents(topic)
            assert {one.doc: (one.grade, one.ranks_a, one.ranks_b, one.status) for one in got} == expected
            assert all(one.score_a == a[topic].get(one.doc) for one in got)
            assert all(one.judged == (one.doc in qrels[topic]) for one in got)
            impacts = [abs(one.impact) for one in got]
            assert all(x >= y - 1e-12 for x, y in pairwise(impacts))


def ranks_of(scored: dict[str, float]) -> dict[str, tuple[int, int]]:
    higher = {doc: sum(other > score for other in scored.values()) for doc, score in scored.items()}
    same = {doc: sum(other == score for other in scored.values()) for doc, score in scored.items()}
    return {doc: (higher[doc] + 1, higher[doc] + same[doc]) for doc in scored}


def status(before: tuple[int, int] | None, after: tuple[int, int] | None, k: int) -> str:
    was, is_ = (ends is not None and ends[0] <= k for ends in (before, after))
    if was != is_:
        return "entered" if is_ else "left"
    return "stayed" if before == after else "moved"


def test_an_order_of_ties_gives_single_ranks() -> None:
    run = {"q": {"x": 1.0, "y": 1.0, "z": 1.0}}
    found = diff({"q": {"x": 1}}, run, {"q": {"x": 2.0, "y": 1.0, "z": 1.0}}, "RR", ties="docid")["RR"]
    assert {one.doc: (one.ranks_a, one.ranks_b) for one in found.documents("q")} == {
        "z": ((1, 1), (2, 2)),
        "y": ((2, 2), (3, 3)),
        "x": ((3, 3), (1, 1)),
    }


def test_condensed_lists_have_no_unjudged_documents() -> None:
    qrels, a, b = {"q": {"x": 1, "y": 0}}, {"q": ["u", "y", "x"]}, {"q": ["x", "v", "w", "y"]}
    found = diff(qrels, a, b, "RR", unjudged="condensed")["RR"]
    assert {one.doc: (one.ranks_a, one.ranks_b) for one in found.documents()} == {
        "x": ((2, 2), (1, 1)),
        "y": ((1, 1), (2, 2)),
    }
    assert found.by_unjudged is None


def test_a_nil_ends_a_list_where_the_end_counts() -> None:
    qrels, a, b = {"q": {"x": 1, "y": 1}}, {"q": ["x", "NIL", "y"]}, {"q": ["x", "y"]}
    found = diff(qrels, a, b, "RBP(p=0.8)", ending="terminal")["RBP(p=0.8)"]
    assert {one.doc: one.ranks_a for one in found.documents()} == {"x": (1, 1), "y": None}
    scores = [tr.evaluate(qrels, run, "RBP(p=0.8)", ending="terminal")["run"]["RBP(p=0.8)"].mean for run in (a, b)]
    assert found.difference == pytest.approx(scores[1] - scores[0])
    assert {one.doc: one.impact for one in found.documents()} == pytest.approx({"x": 0.0, "y": 0.2 * 0.8})
    # The terminal document has found all in b, half of it in a.
    assert found.rest("q") == pytest.approx(0.8**2 - 0.8 / 2)


@pytest.mark.parametrize(
    ("measure", "given", "rest"),
    [
        ("RR", {"nil": "answer"}, (0, 0, 0)),
        # A pair of the terminal document with another one has one over its rank, of which it has half.
        ("AP", {"ending": "terminal"}, ((1 / 3 + 1 / 3 / 2) / 2 - (1 / 2 + 1 / 2 / 2) / 2, 1 / 2 - 1, 3 / 8 - 0)),
        # A list of two documents has none, unless it has a NIL.
        ("RBP(p=0.5)", {"ending": "terminal", "limit": 2}, (0 - 1 / 2, 1 / 2 - 1, 1 / 2 - 0)),
        ("nDCG@3", {"relevant": "run"}, (0, 0, 0)),
        ("ERRT", {}, (1 / 3 / 2 - 1 / 2 / 2, 1 / 2 - 1, 1 / 2 / 2 - 0)),
        ("AP(norm='pool')@2", {}, (0, 0, 0)),
    ],
)
def test_endings_and_pools(measure: str, given: dict[str, Any], rest: tuple[float, ...]) -> None:
    """What documents do not account for is what the terminal document of b adds, less that of a."""
    qrels = {"1": {"x": 1, "y": 0}, "2": {"z": 0}, "3": {"x": 1, "NIL": 1}}
    a = {"1": ["x", "NIL", "y"], "2": ["NIL"], "3": ["NIL", "x"]}
    b = {"1": ["y", "x"], "2": ["z", "NIL"], "3": ["x"]}
    found = diff(qrels, a, b, measure, **given)[measure]
    scores = tr.evaluate(qrels, {"a": a, "b": b}, measure, **given)
    assert (found.mean_a, found.mean_b) == (scores["a"][measure].mean, scores["b"][measure].mean)
    assert [found.rest(topic) for topic in found.topics] == pytest.approx(rest)


@pytest.mark.parametrize("measure", first(2, ["nDCG@3", "AP", "RR@2", "PrefLoss", "IPrecAvg"]))
def test_ties_that_can_turn_a_topic_around(measure: str) -> None:
    turned = 0
    for seed in range(5):
        qrels, a, b = collection(seed, listed=4, levels=2)
        found = diff(qrels, a, b, measure)[measure]
        for place, topic in enumerate(found.topics):
            every = [[value(qrels, topic, order, measure) for order in orders(run.get(topic, {}))] for run in (a, b)]
            low, high = min(every[1]) - max(every[0]), max(every[1]) - min(every[0])
            assert (found.by_ties.low[place], found.by_ties.high[place]) == pytest.approx((low, high), abs=1e-12)
            assert ("ties" in found.depends_on(place)) == (low < -1e-12 and high > 1e-12)
            turned += low < -1e-12 and high > 1e-12
    assert turned


def differences(qrels: Any, a: Run, b: Run, topic: str, measure: str) -> list[float]:
    """The difference of a topic for all grades that unjudged documents may have."""
    open_ = sorted({*a.get(topic, {}), *b.get(topic, {})} - {*qrels[topic]})
    found = []
    for grades in product([0, 2], repeat=len(open_)):
        judged = {**qrels, topic: {**qrels[topic], **dict(zip(open_, grades, strict=True))}}
        values = [value(judged, topic, run.get(topic, {}), measure) for run in (a, b)]
        found.append(values[1] - values[0])
    return found


@pytest.mark.parametrize("measure", first(2, ["P@3", "DCG@3", "RBP(p=0.5)", "DCGU@3", "DCG"]))
@pytest.mark.parametrize("ties", ["expected", "docid"])
def test_bounds_of_sums_are_reached(measure: str, ties: str) -> None:
    opened = 0
    for seed in range(2):
        qrels, a, b = collection(seed, judged=4)
        qrels["scale"] = {"z": 2}
        found = diff(qrels, a, b, measure, ties=ties)[measure]
        bounds = found.by_unjudged
        assert bounds is not None
        for place, topic in enumerate(found.topics[:3]):
            if ties != "expected":
                lists = [{topic: one} for one in (listing(run.get(topic, {})) for run in (a, b))]
            else:
                lists = [a, b]
            every = differences(qrels, lists[0], lists[1], topic, measure)
            assert bounds.low[place] == pytest.approx(min(every), abs=1e-12)
            assert bounds.high[place] == pytest.approx(max(every), abs=1e-12)
            opened += bool(bounds.open[place])
    assert opened


def listing(scored: dict[str, float]) -> Any:
    """A list without ties, in the order of trec_eval."""
    ranked = sorted(scored, key=lambda doc: (scored[doc], doc), reverse=True)
    return {doc: float(-rank) for rank, doc in enumerate(ranked)}


def test_documents_that_stand_deep_count_as_if_they_were_not_shared() -> None:
    judged = {f"d{place}": 0 for place in range(105)}
    a = {"q": [*judged, "x", "u"]}
    b = {"q": [*judged, "u", "x"]}
    bounds = diff({"q": {**judged, "x": 1}}, a, b, "RBP(p=0.98)")["RBP(p=0.98)"].by_unjudged
    assert bounds is not None
    weight = {place: 0.02 * 0.98**place for place in (105, 106)}
    assert bounds.exact is False
    assert bounds.high[0] == pytest.approx(weight[106] - weight[105] + weight[105])
    assert bounds.low[0] == pytest.approx(weight[106] - weight[105] - weight[106])


def test_a_document_of_both_lists_has_one_grade() -> None:
    qrels, a, b = {"q": {"x": 1}}, {"q": ["x", "u"]}, {"q": ["u", "x"]}
    bounds = diff(qrels, a, b, "P@2")["P@2"].by_unjudged
    assert bounds is not None
    assert (bounds.low.tolist(), bounds.high.tolist(), bounds.exact) == ([0.0], [0.0], True)
    apart = tr.evaluate(qrels, {"a": a, "b": b}, "P@2", unjudged="bounds")
    assert apart["b"]["P@2"].high > apart["a"]["P@2"].low


@pytest.mark.parametrize("measure", first(2, ["AP@3", "RR@3", "ERR@3", "Q@3", "nDCG@3"]))
def test_other_bounds_are_not_left(measure: str) -> None:
    """Judgments that are added also add to what is divided by."""
    for seed in range(2):
        qrels, a, b = collection(seed, judged=4)
        found = diff(qrels, a, b, measure)[measure]
        bounds = found.by_unjudged
        assert bounds is not None
        assert not bounds.exact
        for place, topic in enumerate(found.topics):
            assert bounds.low[place] - 1e-12 <= found.differences[place] <= bounds.high[place] + 1e-12
            every = differences(qrels, a, b, topic, measure)
            assert bounds.low[place] - 1e-12 <= min(every) <= max(every) <= bounds.high[place] + 1e-12


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "RR", "RBP(p=0.5)", "Bpref", "PrefLoss"])
@pytest.mark.parametrize("ties", ["expected", "docid-asc"])
def test_if_relevant_is_what_another_judgment_would_change(measure: str, ties: str) -> None:
    seen = 0
    for seed in range(2):
        qrels, a, b = collection(seed, judged=4)
        found = diff(qrels, a, b, measure, ties=ties)[measure]
        for one in found.documents():
            if one.judged:
                assert one.if_relevant is None
                continue
            judged = {**qrels, one.topic: {**qrels[one.topic], one.doc: 2}}
            after = diff(judged, a, b, measure, ties=ties, topics=one.topic)[measure]
            before = found.differences[found.topics.index(one.topic)]
            assert one.if_relevant == pytest.approx(after.differences[0] - before, abs=1e-12)
            seen += 1
    assert seen


@pytest.mark.parametrize("seed", range(12))
def test_concentration_against_every_set_of_topics(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 9, (2, 7)) / 8
    found = topic_differences(tr.AP, tuple("1234567"), a, b)
    rests, total = found.concentration, (b - a).sum()
    if abs(total) < 1e-12:
        assert rests is None
        return
    assert rests is not None
    gains = (b - a) * np.sign(total)

    def fewest(enough: Any) -> int:
        sets = (some for size in range(8) for some in combinations(range(7), size))
        return next(len(some) for some in sets if enough(gains[list(some)].sum()))

    assert rests.half == fewest(lambda part: part >= gains[gains > 0].sum() / 2 - 1e-12)
    assert rests.turning == fewest(lambda part: gains.sum() - part <= 1e-12)
    top = int(rests.topic) - 1
    assert gains[top] == gains.max()
    assert rests.without == pytest.approx(np.delete(b - a, top).mean())


def test_topics_that_got_worse() -> None:
    a, b = np.array([0.5, 0.5, 0.5, 0.5, 0.2]), np.array([0.4, 0.9, 0.5, 0.1, np.nan])
    found = topic_differences(tr.AP, tuple("12345"), a, b)
    assert [one.topic for one in found.worse()] == ["4", "1"]
    assert [one.topic for one in found.worse(1)] == ["4"]
    assert [one.topic for one in found.better()] == ["2"]
    assert (found.wins, found.losses, found.level, found.undefined) == (1, 2, 1, 1)
    assert found.by_impact.tolist() == [1, 3, 0, 2, 4]
    lower = topic_differences(tr.parse("PrefLoss"), tuple("12345"), a, b)
    assert [one.topic for one in lower.worse()] == ["2"]


def test_topics_can_be_chosen() -> None:
    qrels, a, b = collection(3)
    every, one = (diff(qrels, a, b, "RBP(p=0.5)", topics=topics)["RBP(p=0.5)"] for topics in (None, ["q2"]))
    assert one.topics == ("q2",)
    assert one.differences[0] == every.differences[1]
    assert one.mean_a == every.a[1]
    assert one.documents() == every.documents("q2")
    with pytest.raises(KeyError, match="'q1' was not compared"):
        one.documents("q1")
    for topics in (7, [7], b"7", "7"):
        assert diff({7: {"x": 1}, 8: {"x": 1}}, {7: ["x"]}, {8: ["x"]}, topics=topics).topics == ("7",)


def test_notices_are_about_the_topics_that_are_compared() -> None:
    qrels, run = {"q1": {"x": 1, "y": 0}, "q2": {"x": 1}}, {"q1": ["x", "y"], "q2": ["u", "v", "x"]}
    assert any("of the top 2 documents are unjudged" in note for note in diff(qrels, run, run, "P@2").notices)
    assert not any("unjudged" in note for note in diff(qrels, run, run, "P@2", topics="q1").notices)


def test_missing_topics() -> None:
    qrels, a, b = collection(2)
    assert diff(qrels, a, b).topics == ("q1", "q2", "q3")
    assert diff(qrels, a, b, missing="skip").topics == ("q1", "q2")
    with pytest.raises(InputError, match="has no documents for topic q3"):
        diff(qrels, a, b, missing="error")
    with pytest.raises(InputError, match="no judged topic in common; choose missing='empty'"):
        diff(qrels, {"q1": a["q1"]}, {"q2": b["q2"]}, missing="skip")
    apart = diff(qrels, {"q1": {"x": 1.0}}, {"q2": {"x": 1.0}})
    assert len(apart["nDCG@10"].documents()) == 2
    with pytest.raises(InputError, match="has no documents for q3; ask for other topics"):
        diff(qrels, a, b, missing="skip", topics="q3")


def test_undefined_topics() -> None:
    qrels, a, b = {"q1": {"x": 1}, "q2": {"x": 0}}, {"q1": ["x"], "q2": ["u"]}, {"q1": ["u", "x"], "q2": ["x"]}
    assert diff(qrels, a, b, "AP")["AP"].level == 1
    assert diff(qrels, a, b, "AP", no_relevant="skip")["AP"].topics == ("q1",)
    kept = diff(qrels, a, b, "AP", no_relevant="nan")["AP"]
    assert (kept.undefined, kept.losses, kept.concentration) == (1, 1, None)
    [measure] = json.loads(diff(qrels, a, b, "AP", no_relevant="nan").to_json())["measures"]
    assert (measure["mean_a"], measure["undefined"]) == (None, 1)


def test_runs_are_told_apart(tmp_path: Any) -> None:
    qrels, a, b = collection(4)
    names = [(one.a, one.b) for one in (diff(qrels, a, b), diff(qrels, {"x": a}, b), diff(qrels, {"x": a}, {"x": b}))]
    assert names == [("A", "B"), ("x", "run"), ("A", "B")]
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bm25.run").write_text("q1 Q0 a 1 2 t\n")
    same = diff(qrels, str(tmp_path / "old/bm25.run"), str(tmp_path / "new/bm25.run"))
    assert (same.a, same.b) == ("old/bm25.run", "new/bm25.run")
    with pytest.raises(InputError, match="this run is given twice"):
        diff(qrels, str(tmp_path / "old/bm25.run"), str(tmp_path / "old/bm25.run"))


def test_ids_that_are_no_text_survive() -> None:
    qrels = {b"q\xe9": {b"caf\xe9": 1}}
    found = diff(qrels, {b"q\xe9": [b"x", b"caf\xe9"]}, {b"q\xe9": [b"caf\xe9"]}, "RR")["RR"]
    [topic] = found.topics
    assert topic.encode("utf-8", "surrogateescape") == b"q\xe9"
    assert found.documents(topic)[0].doc.encode("utf-8", "surrogateescape") == b"caf\xe9"


def test_preferences_have_no_grades() -> None:
    qrels = tr.read_preferences([("q", "x", "y"), ("q", "x", "z")])
    found = diff(qrels, {"q": ["y", "x", "u"]}, {"q": ["x", "y", "u"]}, "PrefLoss")["PrefLoss"]
    assert (found.wins, found.differences.tolist(), found.by_unjudged) == (1, [-0.5], None)
    assert {one.doc: (one.judged, one.grade) for one in found.documents()} == {
        "x": (True, None),
        "y": (True, None),
        "u": (False, None),
    }


def test_the_order_of_rows_does_not_matter() -> None:
    qrels, a, b = collection(6)
    turned = [{t: dict(reversed(run[t].items())) for t in reversed(run)} for run in (a, b)]
    assert diff(qrels, a, b, "nDCG@3 AP").to_json() == diff(qrels, turned[0], turned[1], "nDCG@3 AP").to_json()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"depth": 0}, "depth is 0; give 1 or more"),
        ({"top": 0}, "top is 0; give 1 or more"),
        ({"topics": "q9"}, "topic 'q9' is not judged; topics are such as 'q"),
        ({"unjudged": "bounds"}, "unjudged='bounds' gives two numbers for a score"),
        ({"ties": "bounds"}, "ties='bounds' gives two numbers"),
        ({"run_a": {"x": {"q1": ["a"]}, "y": {"q1": ["b"]}}}, "run_a holds 2 runs; give one"),
        ({"run_b": {"other": ["a"]}}, "have no topic in common"),
        ({"measures": "nDGC"}, "nDGC"),
    ],
)
def test_errors(given: dict[str, Any], message: str) -> None:
    qrels, a, b = collection(0)
    with pytest.raises(InputError, match=message):
        diff(**{"qrels": qrels, "run_a": a, "run_b": b, **given})


def test_trec8() -> None:
    qrels, *runs = (need("trec8", *parts) for parts in (("qrels.gz",), ("runs", "Flab8as.gz"), ("runs", "CL99XT.gz")))
    found = diff(str(qrels), *map(str, runs), "nDCG@10 AP", depth=1000)
    scores = tr.evaluate(str(qrels), list(map(str, runs)), "nDCG@10 AP")
    for name, each in found.items():
        assert [each.mean_a, each.mean_b] == [score[name].mean for score in scores.values()]
        for topic in each.topics[:3]:
            assert each.rest(topic) == pytest.approx(0, abs=1e-12)
    assert (found["nDCG@10"].wins, found["nDCG@10"].losses, found["nDCG@10"].level) == (37, 10, 3)


def test_chances_are_those_of_unjudged() -> None:
    """By the same model of the two runs; none is told without draws, and none where nothing can turn the mean."""
    rng = random.Random(6)
    docs = [f"d{n}" for n in range(50)]
    qrels = {str(t): {d: int(rng.random() < 0.4) for d in docs[:30]} for t in range(8)}
    a, b = ({t: rng.sample(docs, 25) for t in qrels} for _ in range(2))
    found = tr.diff(qrels, {"a": a}, {"b": b}, "AP P@5", draws=50)
    [expected] = tr.unjudged(qrels, {"a": a, "b": b}, "AP", draws=50).pairs
    assert expected.chance
    assert (found["AP"].chance, found["AP"].reversal) == (expected.chance, expected.reversal)
    notes = [note for note in found.notes() if note.code == "TR350"]
    assert [note.facts["measure"] for note in notes] == ["AP", "P@5"]
    assert f'ahead of "{expected.run}" with a chance of {expected.reversal}' in notes[0]
    assert tr.diff(qrels, {"a": a}, {"b": b}, "AP")["AP"].chance is None
    judged = {t: {d: some.get(d, 0) for d in docs} for t, some in qrels.items()}
    certain = tr.diff(judged, {"a": a}, {"b": b}, "AP", draws=50)["AP"]
    assert (certain.chance, certain.reversal) == (0.0, "never")
    only = {t: {d: g for d, g in some.items() if g} for t, some in qrels.items()}
    without = tr.diff(only, {"a": a}, {"b": b}, "AP", draws=50)
    assert without["AP"].chance is None
    assert "no chance of a reversal: no document is judged not relevant (grade 0)" in without.notes(whole=True)
