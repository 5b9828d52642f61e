"""What unjudged documents leave open, against every way of judging them."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from tests.quick import first

import truerank as tr
from truerank.conventions.axes import Conventions
from truerank.data.errors import InputError
from truerank.measures.table import TABLE
from truerank.questions.unjudged.next import is_additive
from truerank.questions.unjudged.outlook import Outlook
from truerank.questions.unjudged.question import UnjudgedPair, likely_note, unjudged
from truerank.track.lens import Lens
from truerank.track.pools import JudgmentPools

from ...parity.shared import need

QRELS = {"q": {"a": 2, "b": 0, "c": 1}, "r": {"a": 1}}
RUNS = {
    "one": {"q": ["u", "a", "v", "c"], "r": ["a", "w"]},
    "two": {"q": ["a", "c", "u"], "r": ["w", "a", "x"]},
    "three": {"q": ["b", "v"], "r": ["x"]},
}
SUMS = ["RBP(p=0.5)@4", "P@4", "DCG@4", "RR", "ERR@4", "Success@2", "SDCG@4", "CG@3", "iRBU(p=0.5)@4", "RBPU@3"]
"""Measures that do not ask how many relevant documents there are."""
SHARES = [
    "AP",
    "AP@2",
    "nDCG@3",
    "nDCG",
    "Q",
    "Bpref",
    "infAP",
    "R@2",
    "F@3",
    "Rprec",
    "SetAP",
    "IPrecAvg",
    "RnDCG",
    "G",
]
"""Measures that do."""


def completions(grades: tuple[int, ...] = (0, 1, 2)) -> list[dict[str, dict[str, int]]]:
    """The judgments, with every listed document judged in every way."""
    open_ = [(t, d) for t in QRELS for d in sorted({d for run in RUNS.values() for d in run[t]} - {*QRELS[t]})]
    found = []
    for choice in product(grades, repeat=len(open_)):
        judged = {topic: dict(some) for topic, some in QRELS.items()}
        for (topic, doc), grade in zip(open_, choice, strict=True):
            judged[topic][doc] = grade
        found.append(judged)
    return found


@pytest.mark.parametrize("text", first(8, [*SUMS, *SHARES]))
def test_no_way_of_judging_leaves_the_bounds(text: str) -> None:
    found = unjudged(QRELS, RUNS, [text])
    every = [tr.evaluate(judged, RUNS, [text]) for judged in completions()[::3]]
    for name in RUNS:
        score = found[name][text]
        values = [scores[name][text].mean for scores in every]
        assert score.low - 1e-12 <= min(values)
        assert max(values) <= score.high + 1e-12
    for pair in found.pairs:
        if not pair.can_reverse:
            assert all(s[pair.run][text].mean >= s[pair.compared_with][text].mean - 1e-12 for s in every)


def test_the_low_end_is_met_and_so_is_the_high_one_without_a_tail() -> None:
    found = unjudged(QRELS, RUNS, "CG@2 DCG@2")
    for text in ("CG@2", "DCG@2"):
        values = [tr.evaluate(judged, {"one": RUNS["one"]}, text)["one"][text].mean for judged in completions((0, 2))]
        assert (found["one"][text].low, found["one"][text].high) == pytest.approx((min(values), max(values)))


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_the_residual_of_moffat_and_zobel(p: float) -> None:
    """The weight of the ranks of unjudged documents, and of all ranks past the end: p to the length of the list."""
    text = f"RBP(p={p},rel=1)"
    found = unjudged(QRELS, RUNS, [text])
    for name, run in RUNS.items():
        residual = 0.0
        for topic, docs in run.items():
            residual += sum((1 - p) * p**i for i, doc in enumerate(docs) if doc not in QRELS[topic]) + p ** len(docs)
        assert found[name][text].residual == pytest.approx(residual / 2, abs=1e-15)


def random_collection(seed: int) -> tuple[Any, Any]:
    rng = random.Random(seed)
    docs = list("abcdefgh")
    qrels = {t: {d: rng.choice([0, 0, 1, 2]) for d in rng.sample(docs, 6)} for t in ("q1", "q2")}
    return qrels, {f"s{n}": {t: rng.sample(docs, rng.randint(2, 6)) for t in qrels} for n in range(5)}


@pytest.mark.parametrize("seed", range(5))
def test_pairs_places_and_scores(seed: int) -> None:
    qrels, runs = random_collection(seed)
    measures = ["RBP", "nDCG@3", "AP", "ERR@2"]
    found = unjudged(qrels, runs, measures)
    bounds, condensed = (tr.evaluate(qrels, runs, measures, unjudged=u) for u in ("bounds", "condensed"))
    for text in measures:
        for name in runs:
            one, other = found[name][text], bounds[name][text]
            assert (one.low, one.score, one.high) == (other.low, other.mean, other.high)
            assert one.condensed == condensed[name][text].mean
        open_ = [frozenset((v.run, v.compared_with)) for v in found.undecided(text)]
        pairs = [pair for pair in found.pairs if pair.measure == text]
        assert {frozenset((v.run, v.compared_with)) for v in pairs} == {
            frozenset(pair) for pair in combinations(runs, 2)
        }
        for pair in pairs:
            assert pair.difference == bounds[pair.run][text].mean - bounds[pair.compared_with][text].mean >= 0
            # A difference is never farther open than the two scores are.
            one, other = bounds[pair.run][text], bounds[pair.compared_with][text]
            assert one.low - other.high - 1e-12 <= pair.low <= pair.difference + 1e-12
            assert pair.difference - 1e-12 <= pair.high <= one.high - other.low + 1e-12
        for name, standing in found.standings(text).items():
            assert standing.undecided == sum(name in pair for pair in open_)
            assert standing.best_rank <= standing.rank <= standing.worst_rank


def test_the_cases_above_have_both() -> None:
    pairs = [pair for seed in range(5) for pair in unjudged(*random_collection(seed), "RBP nDCG@3").pairs]
    assert {pair.can_reverse for pair in pairs} == {True, False}


def test_bounds_that_touch_decide() -> None:
    found = unjudged({"q": {"a": 1, "b": 0}}, {"x": {"q": ["a"]}, "y": {"q": ["u"]}}, "P@1")
    [pair] = found.pairs
    assert (pair.run, pair.compared_with, pair.low, pair.can_reverse) == ("x", "y", 0.0, False)
    assert (found.standings("P@1")["x"].undecided, found.standings("P@1")["y"].undecided) == (0, 0)


def test_judged_shares() -> None:
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1}, "s": {"a": 1}}
    run = {"q": ["a", "u", "b", "v"], "r": ["a"]}
    found = unjudged(qrels, run, "RBP", cutoff=[3, 1])["run"]["RBP"]
    assert found.judged_at == {1: 1.0, 3: pytest.approx((2 / 3 + 1) / 2)}
    assert found.judged == (2 / 4 + 1) / 2
    assert unjudged(qrels, run, "RBP", cutoff=2)["run"]["RBP"].judged_at == {2: 0.75}


@pytest.mark.parametrize("measure", [m for m in TABLE.values() if not m.has_bounds], ids=str)
def test_measures_without_bounds_say_so(measure: tr.Measure) -> None:
    found = unjudged(QRELS, RUNS, measure)
    score = found["one"][str(measure)]
    assert (score.low, score.high, score.residual) == (None, None, None)
    assert found.pairs == ()
    assert found.to_records()[0]["undecided"] is None
    assert any("no bounds" in notice for notice in found.notices)
    assert str(measure) in str(found)


@pytest.mark.parametrize("measure", [m for m in TABLE.values() if m.has_bounds], ids=str)
def test_every_measure_with_bounds(measure: tr.Measure) -> None:
    score = unjudged(QRELS, RUNS, measure)["one"][str(measure)]
    assert score.low <= score.score <= score.high
    assert score.residual >= 0


ADDITIVE = {
    **dict.fromkeys(["RBP", "P@4", "DCG@3", "RBPU"], True),
    **dict.fromkeys(["AP", "nDCG@3", "ERR", "R"], False),
}


@pytest.mark.parametrize(("text", "expected"), ADDITIVE.items())
def test_which_measures_are_sums(text: str, expected: bool) -> None:
    qrels, run = tr.read_qrels(QRELS), tr.read_run(RUNS["one"])
    measure = tr.parse(text)
    pools, deepest = JudgmentPools(qrels, [], []), measure.cutoff or 0
    lens = Lens(qrels, run, pools, Conventions(unjudged="bounds"), deepest=deepest)
    assert is_additive(lens, measure) is expected
    by_order = Lens(qrels, run, pools, Conventions(unjudged="bounds", ties="docid"), deepest=deepest)
    assert not is_additive(by_order, measure)


def test_exports() -> None:
    found = unjudged(QRELS, RUNS, "RBP nDCG@3", next=3)
    frames = found.to_pandas("runs").shape[0], found.to_polars("runs").shape[0], found.to_arrow("runs").num_rows
    assert (*frames, len(found.to_pandas("pairs"))) == (6, 6, 6, 6)
    assert found.to_records() == found.to_records("next")
    assert unjudged(QRELS, RUNS, "RBP nDCG@3").to_records() == found.to_records("runs")
    assert (
        found.to_tsv(show="next").splitlines()[0]
        == "topic\tdoc\tchance\tapart\tgain\tif_nonrelevant\tif_relevant\tranks"
    )
    document = json.loads(found.to_json())
    [one] = [row for row in document["runs"] if (row["run"], row["measure"]) == ("one", "RBP")]
    assert one["residual"] == found["one"]["RBP(p=0.8)"].residual
    assert document["next"][0]["ranks"] == found.next[0].ranks
    assert found.to_records("next")[0]["ranks"] == " ".join(f"{run}:{r}" for run, r in found.next[0].ranks.items())
    assert "next: it says most about" in found._repr_html_()


WRONG = [
    ({"cutoff": 0}, "cutoff is a whole number"),
    ({"cutoff": [1.5]}, "cutoff is a whole number"),
    ({"next": -1}, "next is -1"),
    ({"depth": 0}, "depth is 0"),
    ({"aim": "runs"}, "aim is 'pairs' or 'scores'"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_numbers(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        unjudged(QRELS, RUNS, "RBP", **given)


def test_what_has_no_score_has_no_place() -> None:
    found = unjudged({**QRELS, "z": {"a": 0}}, RUNS, "AP", no_relevant="nan")
    assert (found.pairs, found.standings("AP")) == ((), {})
    assert found.to_records()[0]["rank"] is None


def test_a_run_without_documents() -> None:
    found = unjudged(QRELS, {"q": {}}, "RBP")["run"]["RBP"]
    assert found.judged != found.judged
    assert (found.low, found.high) == (0.0, 1.0)


def test_preferences_are_refused() -> None:
    with pytest.raises(InputError, match="preferences have no unjudged documents"):
        unjudged(tr.read_preferences([("q", "a", "b")]), {"q": ["a"]}, "PrefLoss")


def test_ids_that_are_not_text() -> None:
    found = unjudged({"q": {"a": 1}}, {"q": [b"\xff\xfe", b"a"]}, "RBP", next=1)
    assert found.next[0].doc == "\udcff\udcfe"
    assert found.to_pandas("next")["doc"].tolist() == [r"\xff\xfe"]


def test_trec8() -> None:
    """Runs that made the pool are judged to its depth; those that did not leave much undecided."""
    qrels = tr.read_qrels(need("trec8", "qrels.gz"))
    names = ("READWARE2", "orcl99man", "UB99SW", "isa25t")
    found = unjudged(qrels, [str(need("trec8", "runs", f"{name}.gz")) for name in names], "RBP nDCG@10", next=3)
    assert found["orcl99man"]["RBP"].judged_at == {10: 1.0, 100: 1.0}
    assert round(found["UB99SW"]["RBP"].judged_at[10], 2) == 0.71
    assert found["orcl99man"]["RBP"].residual < 1e-6
    assert {(v.run, v.compared_with) for v in found.undecided("RBP")} == {("UB99SW", "isa25t")}
    [pair] = found.undecided("RBP")
    assert pair.chance is not None
    assert 0 < pair.chance < 1
    # What both list at the same rank tells nothing about them, and what neither does nothing at all.
    assert all({"UB99SW", "isa25t"} & one.ranks.keys() for one in found.next)
    assert all(one.chance is not None and one.apart for one in found.next)


def test_pairs_that_divide_by_other_numbers_of_relevant_documents_are_not_decided() -> None:
    """Judging u and v puts B above A: 1/3 and 5/9 by AP."""
    found = unjudged({"q": {"a": 1, "n": 0}}, {"A": {"q": ["a"]}, "B": {"q": ["u", "n", "v"]}}, "AP")
    assert found["A"]["AP"].low == pytest.approx(1 / 3)
    assert [pair.can_reverse for pair in found.pairs] == [True]


def test_documents_that_no_run_of_a_pair_lists_can_reverse_it() -> None:
    """They weigh on one topic alone: once all of them are relevant there, .75 and .5 are .3 and .5."""
    qrels = {"1": {"a": 1}, "2": {"c": 1, "y": 0}}
    runs = {
        "A": {"1": ["a"], "2": ["y", "c"]},
        "B": {"1": ["x"], "2": ["c"]},
        "C": {"1": [f"u{n}" for n in range(9)], "2": ["c"]},
    }
    pairs = {
        frozenset((p.run, p.compared_with)): p.can_reverse
        for p in unjudged(qrels | {"1": {"a": 1, "x": 0}}, runs, "AP").pairs
    }
    assert pairs[frozenset("AB")] is True
    alone = {name: runs[name] for name in "AB"}
    assert [p.can_reverse for p in unjudged(qrels | {"1": {"a": 1, "x": 0}}, alone, "AP").pairs] == [False]
    more = unjudged(qrels | {"1": {"a": 1, "x": 0}}, alone, "AP", unseen=9)
    assert [p.can_reverse for p in more.pairs] == [True]


def test_shared_documents_move_both_runs() -> None:
    found = unjudged({"q": {"a": 1}}, {"A": {"q": ["u", "v", "a"]}, "B": {"q": ["u", "v", "x"]}}, "P@3")
    [pair] = found.pairs
    assert (pair.run, pair.low, pair.can_reverse) == ("A", 0.0, False)
    assert tr.diff({"q": {"a": 1}}, {"q": ["u", "v", "a"]}, {"q": ["u", "v", "x"]}, "P@3")["P@3"].depends_on(0) == ()


def test_the_high_end_of_bpref_is_not_passed() -> None:
    score = unjudged({"q": {"d0": 0, "m0": 1}}, {"q": ["d0", "d1", "d2"]}, "Bpref")["run"]["Bpref"]
    judged = tr.evaluate({"q": {"d0": 0, "m0": 1, "d1": 1, "d2": 0}}, {"q": ["d0", "d1", "d2"]}, "Bpref")
    assert score.high >= judged["run"]["Bpref"].mean == 0.25


@pytest.mark.parametrize("depth", [10, 20, 50])
def test_what_is_decided_on_a_shallow_pool_of_trec8_stays_so(depth: int) -> None:
    """Judgments hidden but for a pool of the first documents; benchmarks/unjudged.py has more runs."""
    qrels = tr.read_qrels(need("trec8", "qrels.gz"))
    folder = need("trec8", "runs")
    runs = {path.name: tr.read_run(path) for path in sorted(folder.glob("*.gz"))[::12]}
    hidden: dict[str, dict[str, float]] = {}
    known = _grades(qrels)
    for name in qrels.topics:
        top = {doc for run in runs.values() if name in run.topics for doc, _ in run.ranking(name)[:depth]}
        hidden[name.decode()] = {doc: grade for doc, grade in known[name.decode()].items() if doc in top}
    _hold(unjudged(hidden, runs, "nDCG@10 P@10 RBP AP", draws=0), tr.evaluate(qrels, runs, "nDCG@10 P@10 RBP AP"))


def test_what_is_decided_after_a_round_of_trec_covid_stays_so() -> None:
    """Later rounds judged nearly six times as much; documents of the first one are in none of the runs."""
    before, after, early = (
        _grades(tr.read_qrels(need("covid2", f"qrels{name}.gz"))) for name in ("", "-complete", "-rounds-1-2")
    )
    every = {
        t: {**{d: g for d, g in after[t].items() if d in some or d not in early[t]}, **some}
        for t, some in before.items()
    }
    paths = sorted(need("covid2", "runs").iterdir())[::14]
    runs = {path.name: tr.read_run(path) for path in paths}
    found = unjudged(before, runs, "nDCG@10 P@10 RBP", draws=0)
    _hold(found, tr.evaluate(every, runs, "nDCG@10 P@10 RBP"))
    assert any(not pair.can_reverse for pair in found.pairs)


def _grades(qrels: Any) -> dict[str, dict[str, float]]:
    return {
        topic.decode(): {
            qrels.docs[row].decode(): float(qrels.grade[row])
            for row in range(int(qrels.offsets[at]), int(qrels.offsets[at + 1]))
        }
        for at, topic in enumerate(qrels.topics)
    }


def _hold(found: Any, after: Any) -> None:
    """No pair that is decided is reversed, and no score leaves its bounds."""
    for pair in found.pairs:
        if not pair.can_reverse:
            assert after[pair.run][pair.measure].mean >= after[pair.compared_with][pair.measure].mean - 1e-12, pair
    for row in found.open_scores:
        assert row.low - 1e-12 <= after[row.run][row.measure].mean <= row.high + 1e-12, row


def test_chances_and_likely_scores_are_shares_of_worlds() -> None:
    """Of 39 worlds, the better run is behind in 9 and level in 1: (9 + 1/2) / (39 + 1)."""
    measure, nothing = tr.parse("RBP"), None
    apart = np.concatenate([np.full(9, -0.01), [0.0], np.linspace(0.001, 0.1, 29)])
    outlook = Outlook(nothing, nothing, {measure: np.array([0.5 + apart, np.full(39, 0.5)])})  # type: ignore[arg-type]
    assert outlook.reversed(measure, 0, 1) == 9.5 / 40
    assert outlook.reversed(measure, 1, 0) == 29.5 / 40
    assert outlook.reversed(tr.parse("AP"), 0, 1) is None
    assert outlook.interval(measure, 0) == pytest.approx(np.quantile(0.5 + apart, (0.05, 0.95)))
    # A world without a value says nothing of the others.
    undefined = Outlook(nothing, nothing, {measure: np.array([[0.1, np.nan], [0.2, 0.3]])})  # type: ignore[arg-type]
    assert (undefined.reversed(measure, 1, 0), undefined.interval(measure, 0)) == (None, None)
    assert undefined.interval(measure, 1) is not None
    # Where lower is better, the run that is higher is behind.
    lower = tr.parse("ESL")
    assert Outlook(nothing, nothing, {lower: outlook.scores[measure]}).reversed(lower, 0, 1) == 29.5 / 40  # type: ignore[arg-type]


def judged_by_lot(seed: int, *, zeros: bool = True) -> tuple[dict[str, dict[str, int]], dict[str, Any]]:
    """Ten topics, four runs, half of the documents judged."""
    rng = random.Random(seed)
    docs = [f"d{n}" for n in range(40)]
    qrels = {str(t): {d: int(rng.random() < 0.4) for d in rng.sample(docs, 20)} for t in range(10)}
    runs = {f"r{n}": {t: rng.sample(docs, 25) for t in qrels} for n in range(4)}
    kept = qrels if zeros else {t: {d: g for d, g in some.items() if g} for t, some in qrels.items()}
    return kept, runs


def test_likely_scores_do_not_wait_for_an_open_pair() -> None:
    qrels, runs = judged_by_lot(1)
    found = unjudged(qrels, {"only": runs["r0"]}, "AP P@5")
    assert found.pairs == ()
    for row in found.open_scores:
        assert row.low <= row.likely_low < row.likely_high <= row.high
    # One run lists judged documents alone, relevant ones first: nothing can reverse the two.
    sure = {t: sorted(some, key=lambda d: -some[d]) for t, some in qrels.items()}
    both = unjudged(qrels, {"sure": sure, "other": {t: some[:2] for t, some in runs["r0"].items()}}, "P@5")
    assert [pair.can_reverse for pair in both.pairs] == [False]
    assert both["sure"]["P@5"].likely_low == both["sure"]["P@5"].likely_high == both["sure"]["P@5"].score
    assert both["other"]["P@5"].likely_high > both["other"]["P@5"].score


def test_judgments_without_grade_0_give_no_chances_and_a_line_says_why() -> None:
    qrels, runs = judged_by_lot(2, zeros=False)
    found = unjudged(qrels, runs, "AP", next=1)
    assert {pair.chance for pair in found.pairs} == {None}
    assert (found.draws, found.relevant, found.next[0].chance) == (0, (), None)
    assert {(row.likely_low, row.likely_high) for row in found.open_scores} == {(None, None)}
    lines = [note for note in found.notes(whole=True) if note.code == "TR247"]
    why = "no document is judged not relevant (grade 0)"
    assert lines == [f"no chances of reversal, likely scores or estimates: {why}"]
    assert found.no_model == why
    with pytest.raises(InputError, match=r"no estimates: no document is judged not relevant \(grade 0\)"):
        tr.estimate_relevant(qrels, runs)
    # With some of grade 0, but fewer than ten, the number is named; without draws nothing was asked for.
    few = {t: {**some, f"z{t}": 0} for t, some in qrels.items()}
    assert "the model needs 10 relevant and 10 non-relevant judged documents" in str(unjudged(few, runs, "AP"))
    assert unjudged(qrels, runs, "AP", draws=0).no_model is None


def test_what_is_said_holds_for_documents_that_these_runs_list() -> None:
    qrels, runs = judged_by_lot(3)
    found = unjudged(qrels, runs, "AP")
    [undecided, likely] = [note for note in found.notes(whole=True) if note.code in ("TR241", "TR244")]
    start = "AP: judging the unjudged documents that these runs list could reverse 6 of 6 pairs of runs; the farthest"
    assert undecided.startswith(start)
    assert likely.startswith("AP: ")
    assert likely.endswith((" (under 5%), by a model of relevance", "(over 80%), by a model of relevance"))
    assert "possible ranks hold for judging documents that these runs list" in " ".join(str(found).split())
    decided = unjudged({"q": {"a": 1, "b": 0}}, {"x": {"q": ["a"]}, "y": {"q": ["b"]}}, "P@1")
    assert "P@1: judging the unjudged documents that these runs list cannot reverse any two runs" in decided.notes()


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ([0.01], "the undecided pair is unlikely to reverse (under 5%)"),
        ([0.01, 0.04, 0.0], "all 3 undecided pairs are unlikely to reverse (under 5%)"),
        (
            [0.01, 0.5, 0.9],
            "1 of 3 undecided pairs is unlikely to reverse (under 5%), 1 is likely to (over 80%)",
        ),
        ([0.6], "0 of 1 undecided pair are unlikely to reverse (under 5%), 0 are likely to (over 80%)"),
    ],
)
def test_how_likely_pairs_reverse_in_words(chances: list[float], said: str) -> None:
    assert likely_note("AP", chances) == f"AP: {said}, by a model of relevance"


@pytest.mark.parametrize(
    ("chance", "word"),
    [
        (0.0, "under 5%"),
        (0.049, "under 5%"),
        (0.05, "5 to 20%"),
        (0.2, "20 to 50%"),
        (0.5, "50 to 80%"),
        (0.8, "over 80%"),
    ],
)
def test_classes_of_chances(chance: float, word: str) -> None:
    pair = UnjudgedPair(
        measure="AP",
        run="a",
        compared_with="b",
        difference=0.1,
        low=-0.2,
        high=0.3,
        can_reverse=True,
        chance=chance,
    )
    assert pair.reversal == word
    assert replace(pair, can_reverse=False, chance=0.0).reversal == "never"
    assert replace(pair, chance=None).reversal is None


def test_of_runs_without_a_score_yet_the_one_that_cannot_fall_behind_is_the_better() -> None:
    qrels = {"q": {"n": 0}}
    runs = {"less": {"q": ["u"]}, "more": {"q": ["u", "v"]}, "other": {"q": ["v"]}}
    found = unjudged(qrels, runs, "R", no_relevant="skip", draws=0)
    assert {(pair.run, pair.compared_with, pair.can_reverse) for pair in found.pairs} == {
        ("more", "less", False),
        ("more", "other", False),
        ("less", "other", True),
    }
