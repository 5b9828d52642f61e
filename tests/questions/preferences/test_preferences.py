"""Preferences against runs and grades."""

from __future__ import annotations

import json
import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data import preferences as judgments
from truerank.data.errors import InputError
from truerank.io.load import as_preferences
from truerank.questions.preferences.question import REPEATED, PreferenceSurvey, induced_preferences, preferences
from truerank.report.schema import schema

from ...parity.shared import need
from . import made

CIRCLE = [("q", "a", "b"), ("q", "b", "c"), ("q", "c", "a"), ("q", "a", "d")]
FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex", "html")


def outcome(run: dict[str, float], better: str, worse: str) -> str:
    """What a run does with a preference, told by its scores."""
    if better not in run and worse not in run:
        return "neither"
    high, low = run.get(better, -np.inf), run.get(worse, -np.inf)
    return "kept" if high > low else "violated" if low > high else "tied"


@pytest.mark.parametrize("seed", range(15))
def test_counts_and_loss_against_looking_at_each_preference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = made.rows(seed, docs=7, count=30)
    run = {
        topic: {f"d{doc}": float(rng.integers(0, 4)) for doc in rng.choice(9, rng.integers(1, 9), replace=False)}
        for topic in ("q0", "q1")
    }
    found = preferences(rows, run)["run"]
    losses = []
    for counts in found.lists:
        topic = counts.topic
        pairs = made.strict(made.of_topic(rows, topic))
        told = [outcome(run[topic], *pair) for pair in pairs]
        assert {name: getattr(counts, name) for name in set(told)} == {name: told.count(name) for name in set(told)}
        assert counts.preferences == len(pairs)
        half = (told.count("tied") + told.count("neither")) / 2
        losses.append((told.count("violated") + half) / len(told))
        assert counts.loss == found.score.per_topic[topic] == pytest.approx(losses[-1])
    assert found.violated == sum(counts.violated for counts in found.lists)
    assert found.loss == pytest.approx(np.mean(losses))
    assert found.loss == tr.evaluate(as_preferences(rows), run, "PrefLoss")["run"]["PrefLoss"].mean


@pytest.mark.thorough
def test_no_ranking_is_below_the_least_loss_and_the_order_found_is_at_it() -> None:
    for seed in range(10):
        rows = made.rows(seed, docs=5, count=25, topics=1, signs="<>")
        found = preferences(rows)
        ids = made.documents(rows)
        runs = {str(place): {"q0": list(order)} for place, order in enumerate(_orders(ids))}
        losses = [run.loss for run in preferences(rows, runs).values()]
        assert min(losses) == pytest.approx(found.total.least_loss)
        # A ranking and its reverse share the preferences between them.
        assert max(losses) == pytest.approx(1 - found.total.least_loss)


def test_what_is_only_bounded_is_shown_as_bounds() -> None:
    """A tournament of 40 documents, whose least loss is not found; the best order found has the loss that is told."""
    rng = np.random.default_rng(3)
    docs = [f"d{number:02}" for number in range(40)]
    rows = [("q", *(pair if rng.random() < 0.5 else pair[::-1])) for pair in combinations(docs, 2)]
    found = preferences(rows, {"run": {"q": docs}})
    total, run, [cycle] = found.total, found["run"], found.cycles
    assert [one.exact for one in (total, run, cycle)] == [False] * 3
    assert total.least < total.least_found == cycle.least_found
    best = preferences(rows, {"run": {"q": list(cycle.order)}})["run"]
    assert best.loss == pytest.approx(run.least_found) == pytest.approx(total.least_loss_found)
    assert (run.excess, run.excess_low) == pytest.approx((run.loss - run.least, run.loss - run.least_found))
    # Of the best order found it is not known either whether there is a better one.
    assert best.excess_low == pytest.approx(0.0)
    assert best.excess > 0.01
    lines = {show: found.layout(show).text()[0] for show in ("runs", "topics", "lists", "cycles")}
    for line in lines.values():
        assert any(" to " in cell for cell in line)
    assert f"{run.least:.4f} to {run.least_found:.4f}" in lines["runs"]
    assert f"{run.excess_low:.4f} to {run.excess:.4f}" in lines["runs"]
    assert any("at least" in str(note) for note in found.notes("topics"))


def _orders(ids: list[str]) -> list[tuple[str, ...]]:
    return [order for order in product(ids, repeat=len(ids)) if len(set(order)) == len(ids)]


@pytest.mark.parametrize(("ties", "loss"), [("expected", 0.5), ("best", 0.25), ("worst", 0.75), ("docid", 1 / 4)])
def test_what_a_tie_costs(ties: str, loss: float) -> None:
    """Two of four preferences are tied, one is violated; trec_eval puts the last id first, which keeps both."""
    rows = [("q", "b", "a"), ("q", "d", "c"), ("q", "a", "x"), ("q", "y", "a")]
    run = {"q": {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0}}
    found = preferences(rows, run, ties=ties)["run"]
    assert found.loss == loss
    assert (found.tied, found.violated) == (0 if ties == "docid" else 2, 1)


def test_bounds_of_ties() -> None:
    found = preferences(CIRCLE, {"q": dict.fromkeys("abcd", 1.0)}, ties="bounds")["run"]
    assert (found.loss_low, found.loss, found.loss_high) == (0, 0.5, 1)


def test_auc_is_one_minus_the_loss_of_induced_pairs() -> None:
    """Of two grades, over the judged documents; a relevant document that was not retrieved stands below all."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        qrels = {"q": {f"d{n}": int(rng.integers(0, 2)) for n in range(10)} | {"d0": 1, "d1": 0}}
        run = {"q": {doc: float(rng.integers(0, 5)) for doc in qrels["q"]}}
        auc = tr.evaluate(qrels, run, "AUC", unjudged="condensed")["run"]["AUC"].mean
        found = preferences(induced_preferences(qrels), run)["run"]
        assert found.loss == pytest.approx(1 - auc)
        assert found.auc == pytest.approx(auc)
        assert tr.evaluate(qrels, run, "PrefLoss")["run"]["PrefLoss"].mean == pytest.approx(1 - auc)


def test_auc_of_several_grades_is_over_all_pairs_that_differ() -> None:
    """Levels 2, 1 and 0: a over c was not judged, but follows."""
    found = preferences([("q", "a", "b"), ("q", "b", "c")], {"q": ["c", "a", "b"]})["run"]
    assert (found.loss, found.auc) == (1 / 2, pytest.approx(1 / 3))


@pytest.mark.parametrize("seed", range(8))
def test_agreement_with_grades(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = made.rows(seed, docs=8, count=40)
    qrels = {topic: {f"d{doc}": int(rng.integers(-1, 3)) for doc in range(6)} for topic in ("q0", "q1")}
    found = preferences(rows, qrels=qrels)
    for record in found.to_records("agreement"):
        grade = {doc: max(value, 0) for doc, value in qrels[record["topic"]].items()}
        names = [name for name in record if name not in ("topic", "somers_d", "gamma")]
        expected = dict.fromkeys(names, 0)
        for _, one, sign, other in made.of_topic(rows, record["topic"]):
            a, b = (one, other) if sign == ">" else (other, one)
            if a not in grade or b not in grade:
                expected["equal_unjudged" if sign == "=" else "unjudged"] += 1
            elif sign == "=":
                expected["equal" if grade[a] == grade[b] else "coarser"] += 1
            else:
                higher = np.sign(grade[a] - grade[b])
                expected[("contradict", "finer", "agree")[higher + 1]] += 1
        assert {name: record[name] for name in names} == expected
        decided = record["agree"] + record["contradict"]
        assert record["gamma"] == pytest.approx((record["agree"] - record["contradict"]) / decided)
    assert found.agreement_total is not None
    assert found.agreement_total.agree == sum(one.agree for one in found.agreement)


def test_the_coefficient_is_kendalls_where_all_pairs_were_compared() -> None:
    kendall = pytest.importorskip("scipy.stats").kendalltau
    rng = np.random.default_rng(4)
    order, grade = rng.permutation(12), rng.permutation(12)
    rows = [("q", f"d{a}", ">" if order[a] > order[b] else "<", f"d{b}") for a in range(12) for b in range(a)]
    found = preferences(rows, qrels={"q": {f"d{doc}": int(grade[doc]) for doc in range(12)}}).agreement_total
    assert found is not None
    assert found.somers_d == found.gamma == pytest.approx(kendall(order, grade).statistic)


def test_orderings_of_runs() -> None:
    """By preferences one is best and three worst; by grades two and three change places."""
    rows = [("q", "a", "b"), ("q", "b", "c"), ("q", "a", "c"), ("r", "x", "y")]
    runs = {
        "one": {"q": ["a", "b", "c"], "r": ["x", "y"]},
        "two": {"q": ["b", "a", "c"], "r": ["x", "y"]},
        "three": {"q": ["b", "c", "a"], "r": ["x", "y"]},
    }
    found = preferences(rows, runs, {"q": {"a": 2, "b": 0, "c": 2}, "s": {"z": 1}}, "RR AP")
    rr, ap = found.orderings
    assert (rr.measure, rr.runs, rr.pairs, rr.reversed) == ("RR", 3, 3, 0)
    assert (ap.reversed, ap.tau_a) == (0, pytest.approx(2 / 3))
    assert any("1 topic of the preferences without grades" in note for note in found.notices)
    assert any("1 topic of the qrels without preferences" in note for note in found.notices)


def test_losses_are_over_the_topics_of_the_grades_where_orderings_are_compared() -> None:
    rows = [("q", "a", "b"), ("r", "x", "y"), ("r", "x", "z")]
    runs = {"one": {"q": ["a", "b"], "r": ["z", "y", "x"]}, "two": {"q": ["b", "a"], "r": ["x", "y", "z"]}}
    found = preferences(rows, runs, {"q": {"a": 1, "b": 0}}, "AP")
    assert found["one"].loss == found["two"].loss == 0.5
    assert (found.orderings[0].ordered_pairs, found.orderings[0].reversed, found.orderings[0].tau_b) == (1, 0, 1)


def test_repeated_judgments_may_count_once_or_by_majority() -> None:
    rows = [("q", "a", "b"), ("q", "a", "b"), ("q", "b", "a"), ("q", "b", "c")]
    losses = {how: preferences(rows, {"q": ["a", "b", "c"]}, repeated=how) for how in ("each", "once", "majority")}
    assert [one["run"].loss for one in losses.values()] == [1 / 4, 1 / 3, 0]
    assert [one.total.least for one in losses.values()] == [1, 1, 0]


def test_topics_without_a_preference_are_left_out_unless_asked_for() -> None:
    rows = [("q", "a", ">", "b"), ("r", "a", "=", "b")]
    run = {"q": ["a", "b"], "r": ["a", "b"]}
    found = preferences(rows, run)
    assert (found["run"].loss, found["run"].score.names) == (0, ("q",))
    assert any("left out of the mean" in note for note in found.notices)
    # No number says that there was nothing to prefer, not even the worst.
    assert math.isnan(preferences(rows, run, no_relevant="zero")["run"].loss)
    assert found.topics["r"].least_loss != found.topics["r"].least_loss


def test_order_of_rows_and_of_topics_does_not_matter() -> None:
    rows = made.rows(6, docs=9, count=200, topics=3)
    run = {f"q{topic}": [f"d{doc}" for doc in range(6)] for topic in range(3)}
    qrels = {f"q{topic}": {f"d{doc}": doc % 3 for doc in range(9)} for topic in range(3)}
    expected = preferences(rows, run, qrels).to_dict()
    shuffled = [rows[place] for place in np.random.default_rng(0).permutation(len(rows))]
    assert preferences(shuffled, run, qrels).to_dict() == expected


def test_nothing_changes_its_input() -> None:
    given = as_preferences(CIRCLE)
    before = [part.copy() for part in (given.pairs, given.offsets, given.grade)]
    preferences(given, {"q": ["a", "b"]}, repeated="majority")
    assert all(
        np.array_equal(a, b, equal_nan=True)
        for a, b in zip(before, (given.pairs, given.offsets, given.grade), strict=True)
    )


EDGES: list[Any] = [
    [("q", "a", "b")],
    [("q", "a", "=", "b")],
    CIRCLE,
    [("q", b"\xff", b"\xfe"), (b"\xfd", b"\xff", b"b")],
    [("q", "a", "b"), ("q", "b", "a")],
]


@pytest.mark.parametrize("rows", EDGES, ids=range(len(EDGES)))
@pytest.mark.parametrize("form", FORMATS)
def test_every_kind_in_every_format(rows: Any, form: str) -> None:

    survey = preferences(rows, [{"q": ["b", "a"]}, {"q": ["a", "z"]}], {"q": {"a": 1, "b": 0}})
    alone = preferences(rows)
    for show in (None, *survey.sheets):
        for found in (survey, alone):
            text = found.render(form, show)
            assert text
            if form == "json":
                json.loads(text)


def test_records_and_frames() -> None:
    found = preferences(CIRCLE, {"q": ["a", "b"]}, {"q": {"a": 1, "b": 0}})
    assert found.to_records("triples") == [{"topic": "q", "a": "a", "b": "b", "c": "c"}]
    assert [(one["document"], one["grade"]) for one in found.to_records("grades")] == [
        ("a", 2),
        ("b", 1),
        ("c", 1),
        ("d", 0),
    ]
    [cycle] = found.to_records("cycles")
    assert (cycle["size"], cycle["cycle"], cycle["least"]) == (3, "a b c", 1)
    assert found.to_records() == found.to_records("runs")
    assert found.to_csv(show="lists").splitlines()[0].startswith("run,topic,preferences,kept")  # type: ignore[union-attr]
    with pytest.raises(InputError, match="show='all' is not one of topics, runs, lists"):
        found.to_records("all")
    pandas = pytest.importorskip("pandas")
    assert isinstance(found.to_pandas("topics"), pandas.DataFrame)
    assert repr(found) == "PreferenceSurvey(1 topics, 4 preferences, 1 runs)"


def test_words() -> None:
    text = str(preferences(CIRCLE, {"bm25": {"q": ["b", "a"]}}, {"q": {"a": 1, "b": 0, "c": 0}}))
    for said in (
        "4 preferences between 4 documents of 1 topic; 67% of all pairs were compared",
        "1 intransitive triple in 1 topic, 100% of 1 triple with all pairs compared",
        "1 topic with cycles, the largest of 3 documents (topic q)",
        "no ranking can satisfy more than 75% of the preferences: 1 judgment must be violated",
        "bm25 violates 50% of the preferences; loss 0.5000",
        "grades agree with 33% of the preferences, contradict 33%, and tie 33%; Somers' d 0.000; 1 preference with",
    ):
        assert said in text
    assert "rankings can satisfy all preferences" in str(preferences([("q", "a", "b")]))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"preferences": []}, "there are no rows"),
    ({"preferences": [("q", "a", "a")]}, "document 'a' of topic 'q' is compared with itself"),
    ({"runs": {"x": {"z": ["a"]}}}, "run 'x' and the judgments have no topic in common"),
    ({"qrels": {"z": {"a": 1}}}, "the preferences and the qrels have no topic in common"),
    ({"qrels": as_preferences(CIRCLE)}, "qrels= are preferences too"),
    ({"measures": "AP"}, "measures= orders runs by grades; give qrels and runs"),
    ({"measures": "AP", "runs": {"q": ["a"]}}, "measures= orders runs by grades; give qrels and runs"),
    ({"ending": "terminal"}, "ending='terminal' cannot be chosen here"),
    ({"grades": "elo"}, "grades='elo' is not a choice"),
    ({"repeated": "never"}, "repeated='never' is not a choice"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        preferences(**{"preferences": CIRCLE, **given})


def test_missing_topics() -> None:
    rows = [*CIRCLE, ("r", "a", "b")]
    run = {"q": ["a", "b", "c", "d"]}
    found = preferences(rows, run)
    assert found["run"].score.per_topic["r"] == 0.5
    assert preferences(rows, run, missing="skip")["run"].score.names == ("q",)
    with pytest.raises(InputError):
        preferences(rows, run, missing="error")


def test_real_groups_of_trec_eval() -> None:
    """Preferences of groups that contradict one another, and the run that trec_eval is tested with."""
    found = preferences(need("trec_eval", "prefs.test"), need("trec_eval", "prefs.results.test"))
    assert isinstance(found, PreferenceSurvey)
    assert (found.total.preferences, found.total.contradictory, found.total.cyclic) == (331, 15, 0)
    # Where no pair is repeated and nothing is inferred, trec_eval's counts are ours.
    fulfilled = {}
    for line in need("trec_eval", "out.test.prefs").read_text().splitlines():
        name, topic, value = line.split()
        if name in ("prefs_num_prefs_poss", "prefs_num_prefs_ful") and topic != "all":
            fulfilled[topic, name] = int(value)
    [run] = found.values()
    same = 0
    for counts in run.lists:
        topic = counts.topic
        if found.topics[topic].repeated or topic == "40.PA.tran":
            continue
        assert counts.preferences == fulfilled[topic, "prefs_num_prefs_poss"]
        assert counts.kept == fulfilled[topic, "prefs_num_prefs_ful"]
        same += 1
    assert same == 13


def test_many_preferences() -> None:
    rng = np.random.default_rng(0)
    docs = rng.permutation(400)
    one, other = rng.integers(0, 400, (2, 100_000))
    kept = one != other
    rows = [("q", f"d{max(a, b)}", f"d{min(a, b)}") for a, b in zip(docs[one[kept]], docs[other[kept]], strict=True)]
    found = preferences(rows, {"q": [f"d{doc}" for doc in range(399, -1, -1)]})
    assert found.total.preferences == len(rows)
    assert found.total.cyclic == found.total.least == 0
    assert found["run"].loss == 0
    assert found.orders == {"q": "levels"}


@pytest.mark.parametrize("rows", EDGES, ids=range(len(EDGES)))
def test_json_has_the_form_that_is_promised(rows: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    runs, qrels = {"one": {"q": ["b", "a"]}, "two": {"q": ["a", "z"]}}, {"q": {"a": 1, "b": 0}}
    for found in (preferences(rows), preferences(rows, runs, qrels), preferences(rows, runs, ties="bounds")):
        jsonschema.validate(json.loads(found.to_json()), schema(PreferenceSurvey))


def test_qrels_may_be_read_for_the_preferences_that_they_stand_for() -> None:
    qrels = {"q": {"a": 2, "b": 1, "c": 1}}
    found = preferences(qrels, induced=True)
    assert found.to_qrels(lowest=1) == "q 0 a 2\nq 0 b 1\nq 0 c 1\n"
    assert "".join(found.preference_lines()) == "q a b\nq a c\n"


def test_the_choices_are_those_of_the_data() -> None:
    assert REPEATED == judgments.REPEATED
