"""No difference, bound or interval of ``compare`` is outside what the measure can have."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import truerank as tr
from truerank.measures.catalogue import TABLE
from truerank.track.outcomes import differences, outcomes
from truerank.track.track import Track

pytest.importorskip("scipy")

CUTOFFS = (1, 3, 10)
NAMES = [
    text
    for name, kind in TABLE.items()
    if tr.parse(name).averages and math.isfinite(tr.parse(name).range[1] - tr.parse(name).range[0])
    for text in (name, *(f"{name}@{depth}" for depth in CUTOFFS if kind.takes_cutoff))
]
"""The measures of the catalogue that have a least and a most score, whole and at some depths."""


def single_documents() -> tuple[Any, dict[str, Any]]:
    """One graded document a topic, first in one run and last in the other, among documents that nobody judged."""
    qrels = {f"u{at}": {"x": 1 + at % 5} for at in range(8)}
    first = {topic: ["x", *(f"d{at}" for at in range(9))] for topic in qrels}
    return qrels, {"a": first, "b": {topic: [*(f"e{at}" for at in range(9)), "x"] for topic in qrels}}


def star_ratings() -> tuple[Any, dict[str, Any]]:
    """Grades from 1 to 5 and none of 0, with tied scores."""
    rng, docs = random.Random(1), [f"m{at}" for at in range(40)]
    qrels = {f"u{at}": {doc: rng.randint(1, 5) for doc in rng.sample(docs, rng.randint(1, 9))} for at in range(8)}
    return qrels, {
        name: {topic: {doc: rng.randint(1, 4) for doc in rng.sample(docs, 12)} for topic in qrels} for name in "ab"
    }


def empty_topics() -> tuple[Any, dict[str, Any]]:
    """Topics without a relevant document, without a judged one in the lists, and without a list."""
    rng, docs = random.Random(2), [f"m{at}" for at in range(20)]
    qrels = {
        f"u{at}": {doc: rng.choice([-1, 0, 0, 1, 2]) for doc in rng.sample(docs, 6)} if at % 3 else {"m1": 0}
        for at in range(9)
    }
    listed = [topic for at, topic in enumerate(qrels) if at % 4]
    return qrels, {
        name: {topic: {doc: rng.randint(1, 4) for doc in rng.sample(docs, 12)} for topic in listed} for name in "ab"
    }


@pytest.mark.parametrize("collection", [single_documents, star_ratings, empty_topics])
def test_nothing_that_is_said_of_a_pair_is_outside_of_the_measure(collection: Any) -> None:
    qrels, runs = collection()
    # If no document is judged non-relevant, no two documents differ to AUC.
    sized = [name if name != "AUC" else "AUC(size=100)" for name in NAMES]
    scores = tr.evaluate(qrels, runs, sized)["a"]
    defined = [name for name in scores if not all(map(math.isnan, scores[name].per_topic.values()))]
    assert {*scores} - {*defined} <= {"PrefLoss", "WPrefLoss"}
    found = tr.compare(qrels, runs, defined, settled=True, permutations=50)
    for each in found.values():
        least, most = each.by.range
        widest = most - least + 1e-9
        [pair] = each.pairs
        ends = [pair.difference, pair.low, pair.high, *(check.difference for check in pair.checks or ())]
        assert all(-widest <= end <= widest for end in ends if not math.isnan(end)), (each.measure, ends)
        for system in each.systems.values():
            ends = [system.mean, system.low, system.high, system.bootstrap_low, system.bootstrap_high]
            assert all(least - 1e-9 <= end <= most + 1e-9 for end in ends if not math.isnan(end)), (each.measure, ends)
        assert not pair.detectable > widest or pair.detectable == math.inf
    for line in [*found.verdicts, *map(str, found.own_notes("systems"))]:
        widest = max(tr.parse(name).range[1] - tr.parse(name).range[0] for name in NAMES if name in line)
        assert all(abs(float(number)) <= widest for number in re.findall(r"[+-]\d+\.\d+", line)), line


@st.composite
def graded(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """A topic with grades up to 5, and two lists of documents of which some are judged; perhaps tied."""
    docs = st.sampled_from([f"d{at}" for at in range(12)])
    judged = draw(st.dictionaries(docs, st.integers(0, 5), min_size=1, max_size=6))
    lists = {name: {"q": draw(st.dictionaries(docs, st.integers(0, 3), min_size=1, max_size=8))} for name in ("a", "b")}
    return {"q": judged}, lists


@pytest.mark.parametrize("names", [["nDCG@3"], ["nRBP@3"], ["nDCG@1"], NAMES], ids=lambda names: names[0])
@given(data=st.data(), collection=graded(), unseen=st.integers(0, 2))
def test_a_difference_is_bounded_by_the_bounds_of_both_scores(
    names: list[str], data: st.DataObject, collection: tuple[Any, dict[str, Any]], unseen: int
) -> None:
    text = data.draw(st.sampled_from(names))
    qrels, runs = collection
    track = Track.of(qrels, runs, text, {"unjudged": "bounds", "unseen": unseen})
    [measure] = track.measures
    if not measure.has_bounds:
        return
    found = differences(
        *(outcomes(track.lens(place), measure) for place in range(2)), undefined=measure.undefined_counts_as
    )
    score = tr.evaluate(qrels, runs, text, unjudged="bounds", unseen=unseen)
    a, b = (score[name][text] for name in "ab")
    assert found.low[0] - 1e-9 <= b.mean - a.mean <= found.high[0] + 1e-9
    assert b.low - a.high - 1e-9 <= found.low[0]
    assert found.high[0] <= b.high - a.low + 1e-9


def test_a_mean_that_does_not_vary_has_the_usual_digits() -> None:
    """The standard error of equal scores is 0, and no rounding noise that eight decimals would be read from."""
    qrels, runs = single_documents()
    found = tr.compare(qrels, runs, "nDCG@10", settled=False)
    assert [one.std_error for one in found["nDCG@10"].systems.values()] == [0.0, 0.0]
    assert re.findall(r"^[ab] +([\d.]+)", str(found), re.MULTILINE) == ["1.0000", "0.2891"]
