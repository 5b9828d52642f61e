"""What the guide says of its measures, held against the search for counter-examples and against brute force."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from tests.parity.shared import need
from tests.questions.choose.leaves import LEAVES

import truerank as tr
from truerank.measures.table import TABLE
from truerank.questions.choose.leaves import DEEP
from truerank.questions.choose.question import Choice, broken, choose
from truerank.questions.choose.work import patience
from truerank.questions.properties.question import properties
from truerank.statistics.correlations import kendall, kendall_b, spearman

BROKEN_SOMEWHERE = {
    "R@20": {"Recall"},
    "RR": {"Top-weightedness"},
    "AP": {"Top-weightedness"},
    "nDCGRel": {"Recall"},
    "F": {"Confidence"},
    "nDCGT": {"Confidence"},
}
BROKEN_EVERYWHERE = {"OIE(size=20000)": {"Redundancy"}}


@cache
def chosen(place: int) -> Choice:
    return choose(**LEAVES[place][0])


@pytest.mark.parametrize("place", range(len(LEAVES)), ids=[measure for _, measure, _ in LEAVES])
def test_what_was_asked_for_is_there_or_said_to_be_missing(place: int) -> None:
    found, measure = chosen(place), LEAVES[place][1]
    share = {each.property: (broken(each) or 0) / each.scales[0].decisive.tried for each in found.lacking}
    assert {name for name, lost in share.items() if lost < 0.5} == BROKEN_SOMEWHERE.get(measure, set())
    assert {name for name, lost in share.items() if lost == 1} == BROKEN_EVERYWHERE.get(measure, set())
    assert set(share) == BROKEN_SOMEWHERE.get(measure, set()) | BROKEN_EVERYWHERE.get(measure, set())
    needless = [name for name, asked in found.asked.items() if not asked and found.verdicts[name].holds]
    assert needless == []


def test_another_measure_is_taken_where_that_of_the_figure_never_has_what_was_asked_for() -> None:
    found = chosen([measure for _, measure, _ in LEAVES].index("nDCGT"))
    [recall] = properties(found.figure, property="Recall").verdicts
    assert (recall.outcome, broken(recall)) == ("equal", recall.scales[0].decisive.tried)
    assert found.verdicts["Recall"].holds


@pytest.mark.parametrize(
    ("measure", "name", "holds"),
    [
        (f"iRBU(p={patience(DEEP)})", "Shallowness threshold", True),
        (f"iRBU(p={patience(DEEP - 1)})", "Shallowness threshold", False),
        ("ERR", "Shallowness threshold", False),
        ("ERRU", "Shallowness threshold", False),
        ("nDCG", "Top-weightedness", True),  # An alternative to AP.
        ("FlatU", "Confidence", True),  # To F.
        ("OIE(rel=1)", "Confidence", True),  # To nDCGT, with Recall and without Redundancy.
        ("OIE(rel=1)", "Recall", True),
        ("OIE(rel=1)", "Redundancy", False),
        ("ERRT", "Recall", True),  # To OIE: both to the letter.
        ("ERRT", "Redundancy", True),
    ],
)
def test_properties_that_remarks_and_alternatives_name(measure: str, name: str, holds: bool) -> None:
    assert properties(measure, property=name)[measure][name].holds is holds


def test_err_prefers_one_hit_at_the_top_to_any_number_below() -> None:
    assert tr.parse("ERR").of([0.0, *[1.0] * 500]) < tr.parse("ERR").of([1.0])


def test_with_two_grades_auc_orders_lists_as_spearman_and_kendall_do() -> None:
    found = []
    for grades in sorted(set(permutations([1.0, 1.0, 0.0, 0.0, 0.0]))):
        order, row = np.arange(5.0, 0.0, -1.0)[None], np.array([grades])
        signs = [np.sign(grades[i] - grades[j]) for i in range(5) for j in range(i + 1, 5)]
        auc = tr.parse("AUC").of([*grades])
        assert 2 * auc - 1 == pytest.approx(sum(signs) / 6)
        found.append((auc, float(kendall_b(order, row)[0]), float(spearman(order, row)[0])))
    for one, other in zip(sorted(found), sorted(found)[1:], strict=False):
        assert np.allclose(one, other) or all(a < b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("grades", [[2.0, 0.0, 1.0, 1.0], [3.0, 2.0, 1.0, 0.0]])
def test_preference_loss_is_kendall_over_pairs_that_differ(grades: list[float]) -> None:
    for listed in permutations(grades):
        signs = [np.sign(listed[i] - listed[j]) for i in range(4) for j in range(i + 1, 4) if listed[i] != listed[j]]
        loss = tr.parse("PrefLoss").of([*listed])
        assert 1 - 2 * loss == pytest.approx(sum(signs) / len(signs))
        if len(set(grades)) == len(grades):
            tau: Any = kendall(np.arange(4.0, 0.0, -1.0), np.array(listed))
            assert 1 - 2 * loss == pytest.approx(float(tau))


def test_errt_ranks_systems_of_trec_8_as_err_does() -> None:
    runs = sorted(need("trec8", "runs").glob("*.gz"))[::4]
    scores = tr.evaluate(need("trec8", "qrels.gz"), runs, "ERR ERRT R@1000")
    by = {m: np.array([scores[run][m].mean for run in scores]) for m in ("ERR", "ERRT", "R@1000")}
    assert kendall_b(by["ERR"], by["ERRT"]) > 0.999
    assert kendall_b(by["ERR"], by["R@1000"]) < 0.8


@pytest.mark.thorough
def test_few_measures_have_recall_and_redundancy() -> None:
    names = ("Top-weightedness", "Recall", "Redundancy")
    have = set()
    for name in TABLE:
        try:
            found = properties(name, property=[*names])[name]
        except tr.InputError:
            continue  # Measures of other measures, and of judgments alone.
        tried = [each.scales[0].decisive for each in found.values()]
        if all(one.counts.get("strict", 0) > 0.9 * one.tried for one in tried):
            have.add(name)
    # Those divided by their ideal know how much there is to find; ERRT asks for the end of a list.
    assert have == {"nDCGRel", "ERRT", "nERR", "niRBU", "WPrefLoss"}


def test_ndcgrel_orders_systems_of_trec_8_between_ndcg_and_err() -> None:
    runs = sorted(need("trec8", "runs").glob("*.gz"))[::6]
    scores = tr.evaluate(need("trec8", "qrels.gz"), runs, "nDCG nDCGRel ERR")
    ndcg, between, err = (np.array([scores[run][m].mean for run in scores]) for m in ("nDCG", "nDCGRel", "ERR"))
    assert kendall_b(ndcg, err) < 0.6
    assert kendall_b(ndcg, between) > 0.8
    assert kendall_b(between, err) > 0.7
