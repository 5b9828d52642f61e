"""What Amigó, Mizzaro & Spina (2022) say of e, of beta and of their figure 1, and what is true of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.parity.shared import need

import truerank as tr
from truerank import calibrate, truncate
from truerank.data.arrays import Floats
from truerank.measures.grammar import parse
from truerank.questions.truncate.lengths import shortest_best

ONE, HALF = "gains={1:1}", "gains={1:0.5}"
"""Relevance of 1, and the 1/2 that (2^1 - 1) / 2^1 is."""
FIGURE = "0^10 1^90"


def curve(measure: str, ranking: Any = FIGURE, **more: Any) -> Floats:
    lengths = calibrate(measure, ranking=ranking, **more).lengths
    assert lengths is not None
    return lengths[measure]


def test_a_twentieth_pays_for_twenty_documents_by_flat_utility_only() -> None:
    paid = {name: one.pays_for for name, one in calibrate("FlatU RBPU(p=0.8) RBU(p=0.8) DCGU ERRU").items()}
    assert {name: reach.last for name, reach in paid.items() if reach is not None} == {
        "FlatU": 20,
        "RBPU": math.inf,
        "RBU": math.inf,
        "DCGU": 93,
        "ERRU": 12366,
    }
    hit, effort = parse("RBPU(e=0)").of([1.0]), -parse("RBPU").of([0.0] * 20)
    assert (round(hit, 4), round(effort, 4)) == (0.2, 0.0494)


@pytest.mark.parametrize(("size", "beta"), [(10**3, 1.0426), (20_000, 1.0464), (10**6, 1.0485), (10**9, 1.0500)])
def test_beta_for_rank_20(size: int, beta: float) -> None:
    [found] = calibrate("OIE", size=size, silence_at=20).values()
    assert found.value == pytest.approx(beta, abs=5e-5)
    assert found.value == pytest.approx(
        (20 * math.log(size) - math.lgamma(21)) / (19 * math.log(size) - math.lgamma(20)), rel=1e-12
    )
    assert found.value is not None
    assert found.value < 20 / 19


def test_break_even_of_the_papers_beta() -> None:
    measure = parse("OIE(size=20000)")
    over = {rank: measure.of([0.0] * (rank - 1) + [1.0]) - measure.of([], pool=[1.0]) for rank in (18, 19, 20)}
    assert {rank: round(value, 3) for rank, value in over.items()} == {18: 0.270, 19: -0.134, 20: -0.534}
    reach = calibrate(measure)["OIE(size=20000)"].silence_at
    assert reach is not None
    assert reach.last == 18


def test_bound_on_beta_is_of_the_leading_order_only() -> None:
    """One relevant document at rank 1 against m after m others: beta below (2m - 1) / m is not enough."""

    def over(beta: float) -> float:
        measure = parse("OIE")(beta=beta, size=20_000)
        return measure.of([0.0, 0.0, 1.0, 1.0]) - measure.of([1.0], pool=[1.0, 1.0])

    assert over(1) / (over(1) - over(2)) + 1 == pytest.approx(1.388, abs=5e-4)


@pytest.mark.parametrize(
    "measure", ["FlatU", "DCGU", "ERRU", "RBPU(p=0.99)", "RBPU(p=0.8)", "RBU(p=0.98)", "RBU(p=0.9)"]
)
def test_every_measure_penalises_the_first_ten(measure: str) -> None:
    assert (np.diff(curve(measure)[:11]) < 0).all()


@pytest.mark.parametrize(
    ("measure", "best", "positive"),
    [
        ("RBU(p=0.98)", 14, (12, 19)),
        (f"RBU(p=0.98,{ONE})", 11, (11, 19)),
        ("RBU(p=0.9)", 0, None),
        (f"RBU(p=0.9,{ONE})", 11, (11, 11)),
        ("RBU(p=0.8)", 0, None),
        ("ERRU", 0, None),
        (f"RBPU(p=0.8,{HALF})", None, (22, 100)),
        (f"RBPU(p=0.8,{ONE})", None, (13, 100)),
    ],
)
def test_where_ten_documents_are_compensated(measure: str, best: int | None, positive: tuple[int, int] | None) -> None:
    found = curve(measure)
    above = np.flatnonzero(found > 1e-12)
    assert (None if not len(above) else (above[0], above[-1])) == positive
    if best is not None:
        assert shortest_best(found[None])[0] == best
        assert (np.diff(found[best or 14 :]) < 0).all()


def test_impatient_measures_punish_the_first_ten_more() -> None:
    scaled = {name: np.abs(curve(name)[10] / np.abs(curve(name)).max()) for name in IMPATIENT + PATIENT}
    assert min(scaled[name] for name in IMPATIENT) > max(scaled[name] for name in PATIENT)


IMPATIENT = ("ERRU", f"RBPU(p=0.8,{HALF})", "RBU(p=0.8)", "RBU(p=0.9)")
PATIENT = ("RBU(p=0.98)", "DCGU", "RBPU(p=0.99)", "RBPU(p=0.98)")


def test_curves_that_overlap() -> None:
    """RBPU and RBU are the same until a hit; scaled they are only where RBPU, too, has relevance of 1/2."""
    assert curve("RBPU")[:11] == pytest.approx(curve("RBU")[:11])
    by = {name: calibrate(name, ranking=FIGURE).lengths for name in ("RBU", f"RBPU({HALF})", f"RBPU({ONE})")}
    scaled = {name: lengths.scaled(name)[:11] for name, lengths in by.items() if lengths is not None}
    assert scaled["RBU"] == pytest.approx(scaled[f"RBPU({HALF})"])
    assert abs(scaled["RBU"] - scaled[f"RBPU({ONE})"]).max() > 0.2


@pytest.mark.parametrize("relevance", [ONE, HALF])
@pytest.mark.parametrize(("longest", "nearest"), [(25, 0.98), (30, 0.98), (50, 0.99), (100, 0.99)])
def test_which_rbpu_dcgu_is_like(relevance: str, longest: int, nearest: float) -> None:
    """The text says p = .9 and the caption .98: it is never .9, and .98 or .99 by how far the figure goes."""

    def scaled(measure: str) -> Floats:
        found = curve(measure)[: longest + 1]
        return found / np.abs(found).max()

    apart = {
        p: np.abs(scaled(f"DCGU({relevance})") - scaled(f"RBPU(p={p},{relevance})")).max()
        for p in (0.8, 0.9, 0.98, 0.99)
    }
    assert min(apart, key=lambda p: apart[p]) == nearest


RANKINGS = ("0^10 1^20", "1 0 0 1", "3 0 1 2 0", "000", "1", "2 2 0^5 3")


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize(
    "measure",
    ["FlatU", "RBPU(p=0.9)", "RBU", "ERRU", "DCGU", "OIE(size=50)", "F", "RBPT", "nDCGT", "ERRT", "RRT", "P@3"],
)
def test_scores_by_length_against_lists_of_that_length(measure: str, ranking: str) -> None:
    found = calibrate(measure, ranking=ranking, num_rel=20, max_grade=3)
    grades = found.lengths and np.array(tr_grades(ranking))
    assert grades is not None
    names = [f"d{place}" for place in range(len(grades))]
    missing = {f"m{place}": 1 for place in range(20 - int((grades > 0).sum()))}
    qrels = {"q": {**dict(zip(names, grades, strict=True)), **missing}, "top": {"x": 3}}
    each = [tr.evaluate(qrels, {"q": names[:n], "top": ["x"]}, measure)["run"][measure] for n in range(len(names) + 1)]
    assert curve(measure, ranking, num_rel=20, max_grade=3) == pytest.approx([one.per_topic["q"] for one in each])


def tr_grades(ranking: str) -> list[float]:
    """The notation once more, by hand."""
    words = [word.split("^") for word in ranking.split()]
    return [float(g) for word in words for g in ([word[0]] * int(word[1]) if len(word) == 2 else word[0])]


def test_a_topic_of_a_real_run() -> None:
    qrels, run = need("classic", "cranfield", "qrels.txt"), need("classic", "cranfield", "runs", "bm25_int.run.gz")
    measures = "RBPU(p=0.9) OIE(size=1400) RBU RBPT F"
    cuts = truncate(qrels, {"bm25": tr.read_run(run)}, measures)["bm25"]
    for topic in ("1", "40", "225"):
        lengths = calibrate(measures, qrels=qrels, run=run, topic=topic).lengths
        assert lengths is not None
        for measure, cut in cuts.items():
            place = cut.topics.index(topic)
            assert lengths.best[measure] == cut.length[place]
            assert lengths[measure][-1] == pytest.approx(cut.whole[place])


def test_a_topic_that_is_not_there() -> None:
    qrels, run = {"q1": {"a": 1}}, {"q1": ["a"]}
    with pytest.raises(tr.InputError, match="no topic 'q2' in the judgments"):
        calibrate("RBPU", qrels=qrels, run=run, topic="q2")
    with pytest.raises(tr.InputError, match="run 'run' has no list for topic 'q2'"):
        calibrate("RBPU", qrels={**qrels, "q2": {"b": 1}}, run=run, topic="q2")
