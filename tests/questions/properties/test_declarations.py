"""What measures declare of themselves, certified for the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse
from truerank.measures.table import TABLE
from truerank.questions.properties.axioms import Priority
from truerank.questions.properties.examples import Example, SearchSpace
from truerank.questions.properties.numeric import LIST
from truerank.questions.properties.property import Trial, Trials, Universe
from truerank.questions.properties.question import ReadingVerdict, Verdicts
from truerank.questions.properties.scoring import Block, blocks, scales, scores


class Neighbours(Priority):
    """Priority of neighbours: swaps of them lead from any order of ties to the best and the worst."""

    def compare(self, example: Example) -> Iterator[Trial]:
        for place in range(len(example.grades) - 1):
            if example.grades[place] < example.grades[place + 1]:
                yield Trial((example.swapped(place, place + 1),), (example,))


@cache
def neighbours() -> tuple[tuple[Block, ...], Trials]:
    universe = Universe()
    asked = universe.ask(Neighbours().trials(SearchSpace()))
    return blocks(universe.examples), asked


def swapped(measure: Measure, scale: int = 0) -> ReadingVerdict:
    layout, asked = neighbours()
    [found] = Neighbours().verdicts(asked, scores(layout, scales(measure)[scale], measure))
    return found


@pytest.mark.parametrize("measure", [each for each in TABLE.values() if each.sorts_ties], ids=str)
def test_ties_can_be_sorted(measure: Measure) -> None:
    for scale in range(len(scales(measure))):
        found = swapped(measure, scale)
        assert found.verdict != "reversed", found.witness.said


@pytest.mark.parametrize(
    "text", ["Q(norm='min')", "DCG(dcg='exp-log2')", "OIE(beta=1.5)", "P(relative=True)", "RBPU(e=0.5)"]
)
def test_ties_can_be_sorted_with_other_parameters(text: str) -> None:
    assert swapped(parse(text)).verdict in ("strict", "equal")


def test_ties_cannot_be_sorted_for_the_bejeweled_player() -> None:
    assert not parse("BPM").sorts_ties
    assert swapped(parse("BPM")).verdict == "reversed"


@pytest.mark.parametrize("measure", [each for each in TABLE.values() if np.isfinite(each.range).all()], ids=str)
def test_scores_stay_in_the_declared_range(measure: Measure, catalogue: Verdicts) -> None:
    found = catalogue[measure]["Boundedness"]
    assert found.outcome == "holds", found.witness


@pytest.mark.parametrize("measure", [each for each in TABLE.values() if not np.isfinite(each.range).all()], ids=str)
def test_declared_bounds_hold_where_there_is_one(measure: Measure, catalogue: Verdicts) -> None:
    """Where a side is open, scores may grow on that side only: the witness is a list and one twice as long."""
    found = catalogue[measure]["Boundedness"]
    if found.outcome == "fails":
        [larger], [smaller] = found.witness.more, found.witness.less
        assert len(larger.pool) == 2 * len(smaller.pool)
        grows = found.witness.more_scores > found.witness.less_scores
        assert np.isinf(measure.range[grows])


@pytest.mark.parametrize("measure", [each for each in TABLE.values() if each.has_bounds], ids=str)
def test_relevance_of_one_more_document_moves_scores_one_way(measure: Measure, catalogue: Verdicts) -> None:
    """Then the scores with all and with none of the unjudged documents relevant are bounds."""
    for scale in catalogue[measure]["Convergence"].scales:
        [found] = [each for each in scale.readings if each.reading == LIST]
        assert not (found.counts["strict"] and found.counts["reversed"]), found.witness.said


def test_ndcg_at_relevant_documents_has_no_bounds(catalogue: Verdicts) -> None:
    """A document of a lower grade can push better ones below where the ideal ranking has them."""
    assert not TABLE["nDCGRel"].has_bounds
    found = catalogue["nDCGRel"]["Convergence"].scales[0].readings[0]
    assert found.verdict == "reversed"
    assert found.counts["strict"] > 0
