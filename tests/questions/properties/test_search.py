"""The search against brute force, one ranking at a time."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import truerank as tr
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse
from truerank.measures.table import TABLE
from truerank.questions.properties.examples import Example, SearchSpace, drawn
from truerank.questions.properties.question import Verdict, properties
from truerank.questions.properties.scoring import blocks, scales, score
from truerank.report.rows import records

SOME = [
    *SearchSpace(longest=3).examples[::37],
    *SearchSpace().examples[::211],
    drawn((0, 1, 0, 1), (1,)).at(2),
    drawn((1, 2), top=2).at(1),
]


@pytest.mark.parametrize("measure", [each for each in TABLE.values() if each.ending in ("none", "silence")], ids=str)
def test_blocks_score_as_single_rankings_do(measure: Measure) -> None:
    on = scales(measure)[0]
    for example, value in zip(SOME, score(blocks(SOME), on), strict=True):
        plain = measure.core
        takes = plain.takes_cutoff and plain.cutoff is None
        if example.top not in on.grades or (example.depth is not None and not takes):
            assert np.isnan(value)
            continue
        grades = on.grades[example.top]
        at = plain if example.depth is None else plain @ example.depth
        pool = [grades[level] for level in example.pool] + [0.0] * example.others
        # The highest grade is that of the collection, of which these judgments need not be all.
        at = at if not hasattr(at, "max_rel") else at(max_rel=max(grades))
        assert value == pytest.approx(at.of([grades[level] for level in example.grades], pool=pool), nan_ok=True), (
            example
        )


def test_a_terminal_document_is_added() -> None:
    for example, value in zip(SOME, score(blocks(SOME), scales(parse("RBPT(p=0.5)"))[0]), strict=True):
        if example.depth is None:
            gains = np.array(example.grades) / example.top
            share = gains.sum() / (sum(example.pool) / example.top) if example.pool else 1.0
            expected = (gains * 0.5 ** np.arange(1, len(gains) + 1)).sum() + share * 0.5 ** len(gains)
            assert value == pytest.approx(expected), example


def brute_top_weightedness(measure: Measure, longest: int) -> set[str]:
    """Every ranking with a pair of swaps of which the lower one gains as much or more."""
    found = set()
    for length in range(1, longest + 1):
        for grades in product((0, 1), repeat=length):
            correct = [i for i in range(length - 1) if grades[i : i + 2] == (0, 1)]
            for i, j in combinations(correct, 2):
                values = []
                for place in (i, j):
                    swapped = list(map(float, grades))
                    swapped[place], swapped[place + 1] = 1.0, 0.0
                    values.append(measure.of(swapped))
                if values[0] < values[1] - 1e-12:
                    found.add("".join(map(str, grades)))
    return found


def test_the_witness_is_the_smallest() -> None:
    """AP has no counter-example shorter than 8, and of those with 8 the one with the fewest hits is shown."""
    found = brute_top_weightedness(parse("AP"), 8)
    assert found == {"00000101", "00001101"}
    [verdict] = properties("AP", property="top").verdicts
    assert verdict.witness.said.startswith("00000101, R = 2")


def test_all_short_rankings_are_tried_smallest_first() -> None:
    examples = list(SearchSpace(longest=4).short())
    assert [len(example.grades) for example in examples] == sorted(len(example.grades) for example in examples)
    for length in range(1, 5):
        assert {example.grades for example in examples if example.top == 1 and len(example.grades) == length} == set(
            product((0, 1), repeat=length)
        )
    assert len(set(examples)) == len(examples)
    assert {len(example.missing) for example in examples if example.top == 1} == {0, 1, 2}
    assert {example.missing for example in examples if example.top == 2} == {(), (1,), (2,)}
    assert {len(example.grades) for example in SearchSpace().short() if example.top == 2} == {
        *range(1, SearchSpace().graded + 1)
    }


def test_the_seed_draws_other_rankings() -> None:
    one, same, other = (SearchSpace(longest=3, seed=seed).examples for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert [*SearchSpace(longest=3, seed=1).short()] == [*SearchSpace(longest=3, seed=2).short()]


@pytest.mark.parametrize(
    "text", ["RBP(p=0.01)", "RBP(p=0.1)", "RBP(p=0.3)", "RBPU(p=0.2)", "iRBU(p=0.05)", "NERR10(p=0.1)"]
)
def test_small_weights_are_not_taken_for_ties(text: str) -> None:
    """A document that is worth too little to be seen beside another one makes no counter-example."""
    found = properties(text, property=["Priority", "Top"])[text]
    strict = "equal" if text.startswith("NERR") else "strict"
    assert {each.outcome for each in found.values()} == {strict}


@pytest.mark.parametrize("text", ["FlatU(e=0.1)", "FlatU(e=0.3)", "SetF(beta=0.7)", "Utility(a=0.1,b=-0.3)", "R@3"])
def test_rounding_is_not_taken_for_a_difference(text: str) -> None:
    found = properties(text, property=["Priority", "Redundancy"])[text]
    assert {each.outcome for each in found.values()} == {"equal"}


@pytest.mark.parametrize("cutoff", [3, 16, 17, 100])
def test_ranks_past_a_cutoff_are_tried(cutoff: int) -> None:
    [found] = properties(f"nDCG@{cutoff}", property="Priority").verdicts
    assert found.outcome == "equal"
    assert found.witness.length == cutoff + 2


def test_lower_can_be_better() -> None:
    found = properties("PrefLoss", property=["Priority", "Monotonicity"])["PrefLoss"]
    assert found["Priority"].outcome == "strict"
    assert found["Priority"].witness.more_scores < found["Priority"].witness.less_scores


def test_a_small_collection_has_room_for_few_documents() -> None:
    found = properties("OIE(size=30)", property=["Confidence", "Deepness"])["OIE(size=30)"]
    assert found["Confidence"].outcome == "strict"
    assert "tried up to 15" in found["Deepness threshold"].scales[0].readings[0].witness.said


@pytest.mark.parametrize(("text", "binary"), [("AP(rel=2)", True), ("nDCG(rel=3)", True), ("RBP(max_rel=4)", False)])
def test_parameters_of_relevance(text: str, binary: bool) -> None:
    measure = parse(text)
    [found] = scales(measure)
    assert found.grades[1][-1] == (float(measure.rel) if binary else 1.0)  # type: ignore[attr-defined]
    assert (2 in found.grades) is not binary
    assert properties(text, property="Priority")[text]["Priority"].outcome == "strict"


def test_gains_of_ones_own_order_the_levels() -> None:
    measure = parse("nDCG(gains={1: 3, 2: 1})")
    assert scales(measure)[0].grades[2] == (0.0, 2.0, 1.0)
    assert properties(measure, property="Priority")[measure]["Priority"].outcome == "strict"


def test_the_other_scale_is_looked_at_too() -> None:
    found = properties("ERR", property="Priority")["ERR"]["Priority"]
    assert found.outcome == "strict"
    [other] = found.others
    assert (other.scale, other.outcome) == ("Rel = grade / max", "equal")
    assert other.decisive.witness.said == "101, R = 2: 1.0000; swapped to 110: 1.0000"


def test_the_same_search_finds_the_same() -> None:
    several, one = properties("Q AP ERRT", property="Priority, Recall"), properties("AP", property="Priority, Recall")
    assert records([*several["AP"].values()], Verdict) == records([*one["AP"].values()], Verdict)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"measures": "AP(norm='pool')"}, "made the pool"),
        ({"measures": "AP", "longest": 1}, "longest is a whole number from 2 to 12, not 1"),
        ({"measures": "AP", "longest": 3.5}, "longest is"),
        ({"measures": "AP", "seed": -1}, "seed is"),
        ({"measures": "AP", "property": "beauty"}, "there is no property 'beauty'; there are Priority, "),
        ({"measures": "AP", "property": "re"}, "'re' is more than one property"),
        ({"measures": "AP", "property": []}, "no property given"),
        ({"measures": "AP", "property": [3]}, "a property is named"),
        ({"measures": "NoSuch"}, "there is no measure"),
        ({"measures": []}, "no measure given"),
    ],
)
def test_what_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(tr.InputError, match=message.replace("(", r"\(")):
        properties(**given)  # type: ignore[arg-type]


def test_cases_are_written_for_people() -> None:
    assert str(Example((), (1,), 2)) == "nothing, R = 1"
    assert Example((0,) * 9 + (1,) * 5 + (0, 1), (1,) * 6, 10).list == "0^9 1^5 01"
    assert drawn((2, 0), (1,), top=2).at(1).list == "20@1"
