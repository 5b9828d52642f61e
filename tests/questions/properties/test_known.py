"""Counter-examples that are known are found, and what is said of the paper's slips is so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse
from truerank.questions.properties.axioms import Recall, Redundancy, TopWeightedness
from truerank.questions.properties.examples import Example, SearchSpace, drawn
from truerank.questions.properties.question import Verdict, properties
from truerank.questions.properties.scoring import blocks, scales, score
from truerank.questions.properties.work import PROPERTIES


def verdict(measure: str | Measure, name: str) -> Verdict:
    [found] = properties([measure], property=name).verdicts
    return found


def test_average_precision_is_not_top_weighted() -> None:
    found = verdict("AP", "Top-weightedness")
    assert found.outcome == "reversed"
    assert found.witness.said == "00000101, R = 2: the swap at rank 5 gives 0.2250, the swap at rank 7 gives 0.2262"
    assert found.witness.more_scores == pytest.approx([(1 / 5 + 2 / 8) / 2])
    assert found.witness.less_scores == pytest.approx([(1 / 6 + 2 / 7) / 2])


def test_recall_is_captured_by_a_terminal_document() -> None:
    found = verdict("RBPT", "Recall")
    assert found.outcome == "strict"
    assert (found.witness.more[0].list, *map(str, found.witness.less)) == ("1", "1, R = 2")
    assert (*found.witness.more_scores, *found.witness.less_scores) == pytest.approx((1.0, 0.6))


@pytest.mark.parametrize("measure", ["F", "SetF", "RRT", "RBPT", "nDCGT", "APT", "ERRT"])
def test_confidence_is_lost_without_a_hit(measure: str) -> None:
    found = verdict(measure, "Confidence")
    assert found.outcome == "equal"
    assert [str(found.witness.more[0]), found.witness.less[0].list] == ["0, R = 1", "00"]
    assert found.witness.more_scores == found.witness.less_scores == (0.0,)


@pytest.mark.parametrize(
    ("p", "outcome"),
    [(0.75, "reversed"), (0.76, "strict"), (0.75487, "reversed"), (0.75488, "strict"), (0.8, "strict")],
)
def test_shallowness_of_rbp_depends_on_p(p: float, outcome: str) -> None:
    """p^m (1 - p^m) > 1 - p has a solution from the root of p^2 (1 - p^2) = 1 - p, 0.754878, on."""
    assert any(p**m * (1 - p**m) > 1 - p for m in range(1, 200)) == (outcome == "strict")
    assert verdict(f"RBP(p={p})", "Shallowness threshold").outcome == outcome


def test_top_weightedness_compares_two_swaps_the_higher_one_with_the_lower() -> None:
    """In print both sides have the same swap, so that no measure would have the property."""
    for each in TopWeightedness().trials(SearchSpace(longest=5)):
        assert each.of is not None
        swaps = [[example for example in side if example is not None] for side in (each.more, each.less)]
        high, low = (
            next(place for place in range(len(example.grades) - 1) if each.of.swapped(place, place + 1) == example)
            for [example] in swaps
        )
        assert high < low
        assert each.of.grades[high : high + 2] == each.of.grades[low : low + 2]


@pytest.mark.parametrize("measure", ["AP", "nDCG", "DCG", "Q", "DCGU"])
def test_the_printed_deepness_is_nothing_but_priority(measure: str) -> None:
    """With n = 1 one relevant document at the top beats one below; for all n from some n_0 on it is another thing."""
    on = scales(parse(measure))[0]
    top, below = score(blocks([Example((1, 0), (1,), 2), Example((0, 1), (1,), 2)]), on)
    assert top > below
    assert verdict(measure, "Priority").outcome in ("strict", "reversed" if measure == "Q" else "strict")
    assert verdict(measure, "Deepness threshold").outcome == "reversed"


@pytest.mark.parametrize("measure", [*map(parse, ("Spearman", "Kendall", "AUC", "AUC(size=5000)"))], ids=str)
def test_correlations_have_priority_and_weigh_all_adjacent_swaps_the_same(measure: Measure) -> None:
    assert verdict(measure, "Priority").outcome == "strict"
    [found] = verdict(measure, "Top-weightedness").scales[0].readings
    assert found.counts["equal"] > 500
    assert found.counts["strict"] == found.counts["reversed"] == 0


@pytest.mark.parametrize("measure", ["DCGU", "RBPU", "FlatU", "RBU", "ERRU"])
def test_utilities_do_not_ask_what_was_missed(measure: str) -> None:
    [found] = verdict(measure, "Recall").scales[0].readings
    assert found.verdict == "equal"
    assert found.counts["strict"] == 0


@pytest.mark.parametrize("found", [0, 1, 2])
def test_what_one_more_relevant_document_does_to_oie(found: int) -> None:
    """Both entropies grow to the same extent only if no relevant document is retrieved."""
    size, missing = 20000, 3
    relevant = found + missing
    examples = [drawn((1,) * found + (0,), (1,) * more) for more in (missing, missing + 1)]
    apart, together = (score(blocks(examples), scales(parse(f"OIE(beta={b},size={size})"))[0]) for b in (0, 1))
    of_judgments = float(np.diff(apart)[0])
    of_both = float(np.diff(apart - together)[0])
    log = math.log(size)
    grown = (relevant + 1) * math.log(relevant + 1) - relevant * math.log(relevant)
    assert of_judgments == pytest.approx(log - grown)
    assert of_both == pytest.approx(
        log - (missing + 1) * math.log(relevant + 1) + missing * math.log(relevant), rel=1e-9
    )
    assert (of_judgments == pytest.approx(of_both)) == (found == 0)


def test_the_second_hit_adds_more_to_oie_than_the_first() -> None:
    """By beta ln 2, whatever n and R are."""
    trials = list(Redundancy().trials(SearchSpace()))
    examples = [example for each in trials for example in (*each.more, *each.less)]
    value = score(blocks(examples), scales(parse("OIE(beta=1.2)"))[0]).reshape(-1, 4)
    assert value @ [1, 1, -1, -1] == pytest.approx(np.full(len(trials), -1.2 * math.log(2)))
    assert verdict("OIE(beta=1.2)", "Redundancy").outcome == "reversed"


@pytest.mark.parametrize(
    ("measure", "name", "outcome"),
    [
        ("Q", "Priority", "reversed"),
        ("Q(rel=1)", "Priority", "strict"),
        ("OIE", "Priority", "reversed"),
        ("OIE(rel=1)", "Priority", "strict"),
        ("iRBU(p=0.83)", "Shallowness threshold", "reversed"),
        ("iRBU(p=0.84)", "Shallowness threshold", "strict"),
        ("RBU(p=0.8)", "Shallowness threshold", "reversed"),
        ("RBU(p=0.98)", "Shallowness threshold", "strict"),
        ("OIE(size=20000)", "Deepness threshold", "depends"),
        ("P@10", "Deepness threshold", "strict"),
        ("RBP(p=0.99)", "Deepness threshold", "strict"),
        ("P", "Monotonicity", "reversed"),
        ("nDCG", "Monotonicity", "depends"),
        ("nDCG", "Realisability", "depends"),
        ("RR", "Realisability", "holds"),
        ("AP", "Localisation", "fails"),
        ("RBP", "Localisation", "holds"),
        ("RR", "Convergence", "equal"),
        ("AP", "Convergence", "strict"),
        ("DCG", "Boundedness", "fails"),
        ("ERRU", "Boundedness", "fails"),
        ("RBPU", "Boundedness", "holds"),
        ("Kendall(rel=1)", "Recall", "strict"),
        ("Spearman(rel=1)", "Recall", "strict"),
        ("Kendall", "Recall", "reversed"),
        ("Spearman", "Recall", "reversed"),
        ("AUC", "Recall", "strict"),
        ("AUC(size=5000)", "Recall", "strict"),
        ("nDCG", "Completeness", "fails"),
        ("RBP", "Completeness", "holds"),
    ],
)
def test_outcomes(measure: str, name: str, outcome: str) -> None:
    assert verdict(measure, name).outcome == outcome


def test_recall_compares_collections_of_one_size() -> None:
    """A collection that grows has other correlations for that alone."""
    for trial in Recall().trials(SearchSpace(longest=4, spare=(1, 2, 5))):
        [more], [less] = trial.more, trial.less
        assert (more.documents, len(more.pool) + 1) == (less.documents, len(less.pool))
    falls = [Example((0, 1, 0, 0), (1,) * relevant, 5 - relevant) for relevant in (1, 2)]
    for name, expected in (("Spearman", 1 / math.sqrt(8)), ("Kendall", 1 / math.sqrt(10))):
        before, after = score(blocks(falls), scales(parse(f"{name}(rel=1)"))[0])
        assert before == pytest.approx(expected)
        assert after < 0
    for name in ("Kendall", "Spearman"):
        assert str(verdict(name, "Recall").witness).endswith("with R = 3, not retrieved: 1 1 (of 3 documents)")


def test_a_collection_whose_size_is_told_has_it() -> None:
    assert "(of 5000 documents)" in str(verdict("AUC(size=5000)", "Recall").witness)


def test_a_priority_that_grades_break_can_be_computed_by_hand() -> None:
    """OIE: H(S, G) has the logarithm of 1 2 3 1 2 for 00021 and of 1 2 1 1 5 for 00120."""
    low, high = score(blocks([drawn((0, 0, 0, 2, 1), top=2), drawn((0, 0, 1, 2, 0), top=2)]), scales(parse("OIE"))[0])
    assert low - high == pytest.approx(1.05 * (math.log(12) - math.log(10)))


def test_every_property_says_what_it_states() -> None:
    for each in PROPERTIES.values():
        assert each.statement.endswith(".")
        assert each.formula
        assert each.citation in ("Amigó, Mizzaro & Spina 2022", "Moffat 2013", "Ferrante, Ferro & Fuhr 2021")
        assert next(each.trials(SearchSpace(longest=2)))
