"""Two judges of pairs: agreement and the order in which documents were named, by hand and on real judgments."""

from __future__ import annotations

import gzip
from collections import defaultdict

import pytest
from tests.parity.shared import need

import truerank as tr

PEOPLE = [
    ("q1", "a", "b", "a"),
    ("q1", "b", "a", "a"),
    ("q1", "a", "c", "a"),
    ("q1", "c", "a", "c"),
    ("q2", "d", "e", "e"),
]


def test_agreement_of_two_judges() -> None:
    found = tr.preferences(PEOPLE, other=[("q1", "a", "b"), ("q1", "c", "a"), ("q2", "d", "e"), ("q3", "x", "y")])
    rows = {row.topic: row for row in found.between}
    # Of a and c people say both: undecided.
    assert (rows["all"].document_pairs, rows["all"].same, rows["all"].opposite, rows["all"].share) == (3, 1, 1, 0.5)
    assert (rows["q1"].same, rows["q2"].opposite) == (1, 1)
    assert found.usual() == "topics"
    assert "prefer the same document in 50%" in str(found.notes("judges"))


def test_pairs_that_were_named_both_ways() -> None:
    [row] = tr.preferences(PEOPLE).shown
    assert (row.judgments, row.first, row.both_ways) == (5, 3, 2)
    assert (row.same, row.always_first, row.always_second) == (1, 1, 0)
    second = [(topic, a, b, b) for topic, a, b, _ in PEOPLE]
    [row] = tr.preferences(second).shown
    assert (row.first, row.always_second) == (0, 2)
    # Where the better one is named first by the form of the file, nothing is told.
    assert tr.preferences([("q", "a", "b")]).shown == ()
    assert tr.preferences(PEOPLE, repeated="majority").shown == ()


def test_a_judge_who_likes_what_comes_first_is_named() -> None:
    many = [
        (f"q{topic}", f"a{at}", f"b{at}", f"a{at}" if at % 5 else f"b{at}") for topic in range(9) for at in range(20)
    ]
    assert "the document that is named first is preferred in 80%" in str(tr.preferences(many).notes("shown"))


def test_topics_that_are_asked_for_keep_the_order() -> None:
    [row] = tr.preferences(PEOPLE, topics="q2").shown
    assert (row.judgments, row.first) == (1, 0)


def test_judges_without_a_common_pair() -> None:
    with pytest.raises(tr.InputError, match="both judges compared no two documents of the same topic"):
        tr.preferences(PEOPLE, other=[("q1", "a", "z")])


def test_people_and_a_machine() -> None:
    people, machine = need("dl21", "preferences-human.gz"), need("dl21", "preferences-gpt.gz")
    found = tr.preferences(str(people), other=str(machine))
    said: dict[tuple[str, ...], int] = defaultdict(int)
    with gzip.open(people, "rt") as lines:
        for topic, one, other, winner in map(str.split, lines):
            said[(topic, *sorted((one, other)))] += 1 if winner == min(one, other) else -1
    with gzip.open(machine, "rt") as lines:
        theirs = {(topic, *sorted((a, b))): 1 if a < b else -1 for topic, a, b in map(str.split, lines)}
    both = [(said[pair], theirs[pair]) for pair in said.keys() & theirs.keys()]
    whole = found.between[0]
    assert (whole.document_pairs, whole.same, whole.opposite) == (
        len(both),
        sum(a * b > 0 for a, b in both),
        sum(a * b < 0 for a, b in both),
    )
