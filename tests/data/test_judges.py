"""Judges side by side, and what they say together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.chances import Chances, chances, first_wrong, likeliest, mean, median
from truerank.data.errors import InputError
from truerank.data.judges import COMBINED, Judges, _numbered
from truerank.data.qrels import Qrels
from truerank.io.load import as_preferences, as_qrels

SAID = st.dictionaries(
    st.sampled_from(["q1", "q2", "q10"]),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), min_size=1),
    min_size=1,
)


def pairs_of(qrels: Qrels) -> list[tuple[bytes, bytes]]:
    topics = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.offsets))
    return [(qrels.topics[topic], doc) for topic, doc in zip(topics, qrels.docs.tolist(), strict=True)]


@given(st.lists(SAID, min_size=1, max_size=4))
def test_pairs_are_those_that_some_judge_judged_each_once(said: list[dict[str, dict[str, int]]]) -> None:
    judges = Judges(tuple("wxyz"[: len(said)]), tuple(map(as_qrels, said)))
    pairs = pairs_of(judges.pairs)
    wanted = {(topic.encode(), doc.encode()) for one in said for topic, docs in one.items() for doc in docs}
    assert sorted(pairs) == sorted(wanted)
    assert [topic for topic, _ in pairs] == sorted(topic for topic, _ in pairs)
    for one, grades in zip(said, judges.grades, strict=True):
        found = {pair: grade for pair, grade in zip(pairs, grades.tolist(), strict=True) if grade == grade}
        assert found == {(t.encode(), d.encode()): grade for t, docs in one.items() for d, grade in docs.items()}


@given(st.lists(SAID, min_size=1, max_size=4))
def test_what_they_say_together_is_what_numpy_says(said: list[dict[str, dict[str, int]]]) -> None:
    judges = Judges(tuple("wxyz"[: len(said)]), tuple(map(as_qrels, said)))
    grades = judges.grades
    assert judges.combined("mean").grade == pytest.approx(np.nanmean(grades, axis=0), abs=1e-12)
    assert judges.combined("median").grade.tolist() == np.nanmedian(grades, axis=0).tolist()
    for found, column in zip(judges.combined("majority").grade, grades.T, strict=True):
        known = column[column == column].tolist()
        assert found == min(known, key=lambda grade: (-known.count(grade), grade))


def test_what_all_say_is_sure() -> None:
    said = as_qrels({"q1": {"a": 2, "b": 0.3}})
    judges = Judges.of({str(place): said for place in range(6)})
    assert judges.chances.is_sure
    for how in COMBINED:
        assert judges.combined(how).grade.tolist() == said.grade.tolist()


def test_documents_that_share_a_key_are_told_apart() -> None:
    qrels = as_qrels({"q1": {"a": 1, "b": 2}})
    key = np.zeros(2, np.uint64)
    assert _numbered(np.zeros(2, np.intp), key, qrels.docs).tolist() == [0, 1]


def test_probabilities_of_one_judge_count_beside_the_grades_of_another() -> None:
    unsure = chances(as_qrels({"q1": {"a": 0}}), [[0, 1]], [[0.5, 0.5]])
    judges = Judges.of({"people": as_qrels({"q1": {"a": 1, "b": 1}}), "machine": unsure})
    assert judges.chances.options.tolist() == [[0, 1], [1, 1]]
    assert judges.chances.chance.tolist() == [[0.25, 0.75], [1, 0]]
    assert judges.grades.tolist()[1][0] == 0


def test_some_pairs_alone() -> None:
    judges = Judges.of(
        {"a": as_qrels({"q1": {"x": 1, "y": 0}, "q2": {"z": 1}}), "b": as_qrels({"q1": {"x": 2}})}, given="b"
    )
    kept = judges.only(np.array([False, True, True]))
    assert kept.names == ("a",)
    assert kept.given is None
    assert pairs_of(kept.pairs) == [(b"q1", b"y"), (b"q2", b"z")]


@pytest.mark.parametrize(
    ("judges", "said"),
    [
        ([("a", {"q1": {"d": 1}}), ("a", {"q1": {"d": 1}})], "the judge 'a' is given twice; give each judge a name"),
        ([("a", {"q1": {"d": 1}}), ("b", {"1": {"d": 1}})], "'a' has no pair of topic and document in common with 'b'"),
        ([], "there is no judge; give at least one"),
    ],
)
def test_refused(judges: list[tuple[str, dict[str, dict[str, int]]]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Judges.of([(name, as_qrels(data)) for name, data in judges])


def test_preferences_are_no_grades() -> None:
    with pytest.raises(InputError, match="the judge 'a' gives preferences"):
        Judges.of({"a": as_preferences([("q1", "d1", "d2")])})


def test_an_unknown_judge_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="there is no judge 'c'; there is a"):
        Judges.of({"a": as_qrels({"q1": {"d": 1}})})["c"]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=6).filter(
        lambda s: any(w for _, w in s)
    )
)
def test_grades_with_probabilities(said: list[tuple[int, int]]) -> None:
    total = sum(weight for _, weight in said)
    every = sorted(grade for grade, weight in said for _ in range(weight))
    found: Chances = chances(
        as_qrels({"q1": {"a": 0}}), [[grade for grade, _ in said]], [[weight / total for _, weight in said]]
    )
    assert (found.options[0, 1:] >= found.options[0, :-1]).all()
    assert mean(found)[0] == pytest.approx(np.mean(every), abs=1e-12)
    assert median(found)[0] == np.median(every)
    assert likeliest(found)[0] == min(every, key=lambda grade: (-every.count(grade), grade))


def test_probabilities_that_do_not_add_up() -> None:
    assert first_wrong(np.array([[0.3, 0.7], [0.333, 0.666], [1.5, -0.5]])) == 2
    assert first_wrong(np.array([[0.3, 0.7]])) is None
    assert first_wrong(np.array([[0.3, 0.7], [np.nan, 1.0]])) == 1
