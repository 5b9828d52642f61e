"""What e and beta mean, against the scores of the lists that they are about."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse
from truerank.questions.calibrate.price import LONGEST
from truerank.questions.calibrate.question import calibrate
from truerank.questions.calibrate.words import said
from truerank.statistics.level import EQUAL

EFFORT = ("FlatU", "DCGU", "ERRU", "RBPU", "RBU")
SEEN = 25
"""Lengths that are tried one by one."""


def above(measure: Measure, ranking: list[float], num_rel: int = 1, grade: float = 1) -> int:
    """Whether a list is better (1) or worse (-1) than silence, or the same up to rounding."""
    pool = [grade] * num_rel
    score, silence = measure.of(ranking, pool=pool), measure.of([], pool=pool)
    if math.isclose(score, silence, rel_tol=EQUAL, abs_tol=EQUAL):
        return 0
    return 1 if score > silence else -1


def first(length: int, grade: float = 1) -> list[float]:
    return [grade] + [0.0] * (length - 1)


def lone(rank: int, grade: float = 1) -> list[float]:
    return [0.0] * (rank - 1) + [grade]


def tried(measure: Measure, lists: Any, num_rel: int = 1) -> int:
    """The last length up to ``SEEN`` at which lists are no worse than silence, by scoring each."""
    return sum(above(measure, lists(length), num_rel) >= 0 for length in range(1, SEEN + 1))


def measure_of(name: str, p: float, **more: float) -> Measure:
    return parse(name)(**({"p": p} if name in ("RBPU", "RBU") else {}), **more)


@pytest.mark.parametrize("name", EFFORT)
@given(e=st.floats(0.005, 1.5), p=st.floats(0.05, 0.99))
@settings(max_examples=15, deadline=None)
def test_effort_against_every_list(name: str, e: float, p: float) -> None:
    measure = measure_of(name, p, e=e)
    [found] = calibrate(measure).values()
    assert found.pays_for is not None
    assert found.silence_at is not None
    assert min(found.pays_for.last, SEEN) == tried(measure, first)
    assert min(found.silence_at.last, SEEN) == tried(measure, lone)


@given(beta=st.floats(1.0, 3.0), size=st.integers(60, 10**9), num_rel=st.integers(1, 20))
@settings(max_examples=20, deadline=None)
def test_information_against_every_list(beta: float, size: int, num_rel: int) -> None:
    measure = parse("OIE")(beta=beta, size=size)
    [found] = calibrate(measure, num_rel=num_rel).values()
    assert found.pays_for is not None
    assert found.silence_at is not None
    assert min(found.pays_for.last, SEEN) == tried(measure, first, num_rel)
    assert min(found.silence_at.last, SEEN) == tried(measure, lone, num_rel)
    assert found.silence == pytest.approx(measure.of([], pool=[1] * num_rel), abs=1e-9)


@pytest.mark.parametrize("aim", ["pays_for", "silence_at"])
@pytest.mark.parametrize("name", EFFORT)
@given(number=st.integers(1, 200), patience=st.floats(0.01, 0.99), grade=st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_there_and_back_by_effort(aim: str, name: str, number: int, patience: float, grade: int) -> None:
    # Much less than a millionth of the weight left could not be seen beside what was read.
    p = min(max(1e-6 ** (patience / number), 0.05), 0.999)
    asked: Any = {aim: number}
    found = calibrate(measure_of(name, p), grade=grade, max_grade=3, **asked)
    [one] = found.values()
    assert getattr(one, aim).last == number
    assert getattr(one, aim).equal
    ranking = first(number, grade) if aim == "pays_for" else lone(number, grade)
    assert one.by(max_rel=3).of(ranking) == pytest.approx(0, abs=1e-9)
    assert not found.notices


@pytest.mark.parametrize("aim", ["pays_for", "silence_at"])
@given(number=st.integers(2, 2000), size=st.integers(10**5, 10**9), num_rel=st.integers(1, 30))
@settings(max_examples=40, deadline=None)
def test_there_and_back_by_information(aim: str, number: int, size: int, num_rel: int) -> None:
    asked: Any = {aim: number}
    [one] = calibrate(parse("OIE")(size=size), num_rel=num_rel, **asked).values()
    assert getattr(one, aim).last == number
    assert getattr(one, aim).equal


@pytest.mark.parametrize("name", ["OIE(size=20000)", "FlatU", "DCGU", "ERRU", "RBPU(p=0.9)", "RBU(p=0.5)"])
@pytest.mark.parametrize("num_rel", [1, 7])
@pytest.mark.parametrize("number", [2, 20])
@pytest.mark.parametrize(("aim", "lists"), [("pays_for", first), ("silence_at", lone)])
def test_solutions_against_the_scores_alone(name: str, num_rel: int, number: int, aim: str, lists: Any) -> None:
    """A score is linear in e and in beta, so that two of them tell where it meets silence."""
    parameter = "beta" if name.startswith("OIE") else "e"

    def over(value: float) -> float:
        measure, pool = parse(name)(**{parameter: value}), [1.0] * num_rel
        return measure.of(lists(number), pool=pool) - measure.of([], pool=pool)

    asked: Any = {aim: number}
    [found] = calibrate(name, num_rel=num_rel, **asked).values()
    assert found.value == pytest.approx(1 + over(1) / (over(1) - over(2)), rel=1e-9)


@pytest.mark.parametrize(("weight", "e", "p"), [("FlatU", 0.03, 0.8), ("RBPU", 0.3, 0.8), ("RBU", 0.07, 0.95)])
def test_exact_break_even_lies_between_the_ranks(weight: str, e: float, p: float) -> None:
    [found] = calibrate(measure_of(weight, p, e=e)).values()
    for reach in (found.pays_for, found.silence_at):
        assert reach is not None
        assert reach.exact is not None
        assert reach.last <= reach.exact < reach.last + 1
    x = found.gain or 0.0
    assert found.silence_at is not None
    rank = found.silence_at.exact or 0.0
    if weight != "FlatU":
        assert x * (1 - p) * p ** (rank - 1) == pytest.approx(e * (1 - p**rank))


@pytest.mark.parametrize("measure", ["RBPU(p=0.9)", "DCGU(e=0.2)", "FlatU", "RBU(p=0.7)", "ERRU(e=0.02)"])
@given(ranking=st.lists(st.sampled_from([0.0, 1.0]), max_size=12))
@settings(max_examples=25, deadline=None)
def test_chances_balance_one_more_document(measure: str, ranking: list[float]) -> None:
    [found] = calibrate(measure).values()
    hits = int(sum(ranking)) if found.kind == "cascade" else 0
    scored = found.by(max_rel=1)
    hit, miss, now = scored.of([*ranking, 1]), scored.of([*ranking, 0]), scored.of(ranking)
    if hits < len(found.chances):
        chance = found.chances[hits]
        assert chance * hit + (1 - chance) * miss == pytest.approx(now, abs=1e-12)
    else:
        assert hit < now


@given(ranking=st.lists(st.sampled_from([0.0, 1.0]), max_size=12), more=st.integers(2, 9))
@settings(max_examples=50, deadline=None)
def test_chances_of_information(ranking: list[float], more: int) -> None:
    measure = parse("OIE(size=20000)")
    last = int(sum(ranking)) + 1
    for num_rel, found, start in ((last, [0.0, 1.0], ranking), (more, [0.0, 1.0], [])):
        chances = calibrate(measure, num_rel=num_rel)["OIE(size=20000)"].chances
        chance = chances[-1] if start is ranking else chances[0]
        miss, hit = (measure.of([*start, each], pool=[1.0] * num_rel) for each in found)
        assert chance * hit + (1 - chance) * miss == pytest.approx(measure.of(start, pool=[1.0] * num_rel))


@given(ranking=st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=30), e=st.floats(0.01, 0.99))
@settings(max_examples=50, deadline=None)
def test_the_share_of_hits_that_flat_utility_asks_for(ranking: list[float], e: float) -> None:
    [share] = calibrate(f"FlatU(e={e})")[f"FlatU(e={e})"].chances
    better = sum(ranking) / len(ranking) >= share
    assert better == (parse(f"FlatU(e={e},max_rel=1)").of(ranking) >= 0) or math.isclose(
        sum(ranking) / len(ranking), share
    )


@pytest.mark.parametrize("name", ["RRT", "RBPT", "nDCGT", "APT", "ERRT"])
def test_what_is_said_of_terminal_documents(name: str) -> None:
    [found] = calibrate(name).values()
    assert "no parameter to choose" in said(found)
    lists = ["0", "1", "0001", "1^1 0^60", "0^60 1", "0101"]
    some = [calibrate(name, ranking=ranking, num_rel=2).lengths for ranking in lists]
    for ranking, lengths in zip(lists, some, strict=True):
        assert lengths is not None
        scores = lengths[name]
        assert scores[0] == 0
        assert scores.min() >= 0
        assert (scores[-1] > 0) == ("1" in ranking.replace("0^", "").replace("^1", ""))
    none = calibrate(name, ranking="0^9").lengths
    assert none is not None
    assert all(one > other for one, other in zip(none[name], none[name][1:], strict=False))


SENTENCES = {
    "FlatU": "a hit at rank 1 pays for exactly 20 documents, itself included; a lone hit equals silence at rank 20; "
    "a list is no worse than silence exactly if at least 5% (1 in 20) of it are hits",
    "FlatU(e=2)": "a hit at rank 1 does not pay for itself; a lone hit is worse than silence even at rank 1; "
    "one more document never pays",
    "RBPU(e=0)": "a hit at rank 1 pays for any number of documents; a lone hit is never worse than silence; "
    "one more document pays if it is a hit with a chance of at least 0%",
    "RBPU": "a hit at rank 1 pays for any number of documents; a lone hit is better than silence down to rank 8, and "
    "worse further down (break-even at 8.03); one more document pays if it is a hit with a chance of at least 5% "
    "(1 in 20)",
    "ERRU": "a hit at rank 1 pays for 12,366 documents, itself included; a lone hit is better than silence down to "
    "rank 4, and worse further down; one more document pays if it is a hit with a chance of at least 10% (1 in 10); "
    "20% after 1 hit; 40% after 2 hits; 80% after 3 hits; never after 4 hits",
    "DCGU(e=1e-06)": "a hit at rank 1 pays for 1,000,000 documents, itself included, or more; a lone hit is better "
    "than silence down to rank 920,030, and worse further down; one more document pays if it is a hit with a chance "
    "of at least 1 in 1,000,000",
    "OIE(size=20000)": "a hit at rank 1 pays for 27 documents, itself included; a lone hit is better than silence down "
    "to rank 18, and worse further down; one more document pays if it is the relevant one with a chance of at least "
    "4.8% (1 in 21)",
    "OIE(beta=1.0)": "a hit at rank 1 pays for any number of documents; a lone hit is never worse than silence; one "
    "more document pays if it is the relevant one with a chance of at least 0%",
    "OIE(beta=0.5)": "a beta below 1 rewards documents without relevance, so nothing has to be paid for",
    "AP": "no e or beta to choose",
}


@pytest.mark.parametrize(("measure", "sentence"), SENTENCES.items())
def test_sentences(measure: str, sentence: str) -> None:
    [found] = calibrate(measure).values()
    assert said(found) == f"{measure}: {sentence}"


@pytest.mark.parametrize(
    ("arguments", "gain", "e"),
    [
        ({"measures": "FlatU"}, 1.0, 1 / 20),
        ({"measures": "FlatU", "max_grade": 2}, 0.5, 1 / 40),
        ({"measures": "RBU"}, 0.5, 0.5 * 0.2 / (1 - 0.8**20)),
        ({"measures": "RBU", "grade": 2}, 0.75, 0.75 * 0.2 / (1 - 0.8**20)),
        ({"measures": "RBU", "grade": 1, "max_grade": 2}, 0.25, 0.25 * 0.2 / (1 - 0.8**20)),
        ({"measures": "RBU(gains={1: 1})"}, 1.0, 0.2 / (1 - 0.8**20)),
        ({"measures": "RBPU(rel=2)", "grade": 2}, 1.0, 0.2 / (1 - 0.8**20)),
        ({"measures": "FlatU(max_rel=4)", "grade": 3}, 0.75, 0.75 / 20),
        ({"measures": "ERRU", "max_grade": 1}, 0.5, 0.5 / sum(1 / i for i in range(1, 21))),
    ],
)
def test_the_scale_is_the_measures_own(arguments: dict[str, Any], gain: float, e: float) -> None:
    [found] = calibrate(**arguments, pays_for=20).values()
    assert found.gain == pytest.approx(gain)
    assert found.value == pytest.approx(e)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pays_for": 3, "silence_at": 3}, "each decide the parameter"),
        ({"pays_for": 0}, "pays_for is a whole number from 1 on"),
        ({"silence_at": 2.5}, "silence_at is a whole number"),
        ({"grade": 0}, "grade is a number above 0"),
        ({"grade": 3, "max_grade": 2}, "grade=3 is above max_grade=2"),
        ({"measures": "RBPU(rel=2)", "grade": 1, "max_grade": 3}, "grade 1 has no gain for RBPU"),
        ({"measures": "RBPU@10"}, "write it without @10"),
        ({"measures": "RBPT@10"}, "write it without @10"),
        ({"measures": "RBPU(p=1)"}, "p is a number from 0 to less than 1"),
        ({"measures": "RBPU(p=0)", "silence_at": 2}, "gives rank 2 no weight"),
        ({"measures": "AP nDCG", "pays_for": 20}, "no measure has e or beta"),
        ({"measures": "RBPU", "size": 1000}, "size is the collection's for OIE"),
        ({"measures": "OIE(size=5)", "num_rel": 5}, "smaller than size"),
        ({"measures": "OIE", "pays_for": 1}, "by OIE .* whatever beta is"),
        ({"measures": "OIE AP", "pays_for": 1}, "by OIE .* whatever beta is"),
        ({"measures": "OIE(size=100)", "silence_at": 101}, "no rank 101"),
        ({"measures": "OIE(size=100)", "num_rel": 10, "silence_at": 10}, "chance has one by rank 10"),
        ({"ranking": "0011", "topic": "q1"}, "leave one of them out"),
        ({"run": {"q1": ["a"]}}, "give qrels and topic too"),
        ({"ties": "bounds", "ranking": "01"}, "'bounds' gives two numbers"),
        ({"ending": "terminal"}, "ending='terminal' cannot be chosen here"),
        ({"ranking": ""}, "no documents"),
        ({"ranking": "1^2 x"}, "'x' is no part of a ranking"),
        ({"ranking": f"0^{LONGEST} 1^1"}, "too long"),
        ({"ranking": [0, "one"]}, "a list of grades"),
        ({"ranking": "0011", "num_rel": 1}, "has 2 relevant documents"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        calibrate(**arguments)


@pytest.mark.parametrize("asked", [{"pays_for": 1}, {"silence_at": 1}])
def test_a_measure_without_such_a_parameter_leaves_the_others_alone(asked: dict[str, Any]) -> None:
    found = calibrate("FlatU OIE", **asked)
    assert [one.by.name for one in found.values()] == ["FlatU"]
    assert any(
        note.startswith("OIE is left out: by OIE the only relevant document at rank 1") for note in found.notices
    )


def test_grades_may_be_high() -> None:
    found = calibrate("RBU ERRU", grade=1e9)
    assert [one.gain for one in found.values()] == [1.0, 1.0]
    with pytest.raises(InputError, match=r"e is a number from 0 to 1e\+100"):
        calibrate("FlatU(e=1e308)")


@pytest.mark.parametrize(
    ("ranking", "rows", "said"), [("0^3 1^4 0", 9, ""), ("0^19 1", 21, ""), ("0^30 1", 11, "11 of 32")]
)
def test_lengths_that_are_left_out_are_spoken_of(ranking: str, rows: int, said: str) -> None:
    table = calibrate("FlatU", ranking=ranking).table("lengths")
    assert len(table.rows) == rows
    assert table.below.endswith(f"{said} lengths are shown" if said else "relevant document" + "s" * (rows == 9))


def test_what_cannot_be_told_apart_is_said() -> None:
    found = calibrate("RBPU(p=0.5)", pays_for=80)
    assert found["RBPU(p=0.5,e=0.5)"].pays_for is not None
    assert math.isinf(found["RBPU(p=0.5,e=0.5)"].pays_for.last)
    assert "asked was 80, and no e can be told from one that means more" in str(found)


def test_measures_that_differ_by_the_parameter_only_become_one() -> None:
    assert calibrate("FlatU(e=0.1) FlatU(e=0.2)", pays_for=5).measures == ("FlatU(e=0.2)",)


def test_results_in_other_forms() -> None:
    found = calibrate("FlatU RBPU AP OIE(size=1000)")
    [flat, endless, none, information] = found.to_records()
    assert (flat["pays_for"], flat["pays_for_equal"], flat["pays_for_any"]) == (20, True, False)
    assert (endless["pays_for"], endless["pays_for_any"]) == (None, True)
    assert (none["pays_for"], none["pays_for_any"], none["value"]) == (None, False, None)
    assert (information["size"], information["num_rel"]) == (1000, 1)
    document = found.to_dict()
    assert {key: value for key, value in document["measures"][0].items() if key.startswith("pays_for")} == {
        "pays_for": 20,
        "pays_for_equal": True,
        "pays_for_exact": 20.0,
        "pays_for_at_least": False,
        "pays_for_any": False,
    }
    assert (document["measures"][0]["chances"], flat["chances"]) == ([0.05], "0.05")
    assert (document["lengths"], document["ranking"]) == ([], None)
    with pytest.raises(InputError, match="give a ranking"):
        found.to_records("lengths")
    with pytest.raises(InputError, match="measures, lengths"):
        found.to_records("topics")
    assert "FlatU" in found.to_markdown()
