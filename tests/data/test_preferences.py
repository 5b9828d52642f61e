"""Preferences made of rows, and of grades."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from truerank.data import preferences as module
from truerank.data.errors import InputError, Origin
from truerank.data.ids import Ids
from truerank.data.preferences import higher, induced, prefer
from truerank.data.qrels import Preferences, collect


def named(found: Preferences, rows: np.ndarray) -> list[tuple[str, str]]:
    docs = [doc.decode() for doc in found.docs.tolist()]
    return [(docs[one], docs[other]) for one, other in rows.tolist()]


def test_rows_are_brought_together_by_topic_and_each_counts() -> None:
    preferences = prefer([b"q2", b"q1"], [0, 2, 4], Ids.pack("abxx"), Ids.pack("bcyy"))
    assert preferences.topics == (b"q1", b"q2")
    assert preferences.docs.tolist() == [b"x", b"y", b"a", b"b", b"c"]
    assert preferences.offsets.tolist() == [0, 2, 5]
    assert preferences.pairs.tolist() == [[0, 1], [0, 1], [2, 3], [3, 4]]
    assert preferences.pair_offsets.tolist() == [0, 2, 4]
    assert preferences.tie_offsets.tolist() == [0, 0, 0]
    assert np.isnan(preferences.grade).all()
    assert preferences.max_grade == 0
    assert repr(preferences) == "Preferences(2 topics, 4 preferences)"


def test_people_may_disagree_but_not_compare_a_document_with_itself() -> None:
    assert prefer([b"q"], [0, 2], Ids.pack("ab"), Ids.pack("ba")).pairs.tolist() == [[0, 1], [1, 0]]
    origin = Origin("prefs.txt", lambda offset: offset // 2 + 1)
    with pytest.raises(InputError, match=r"^prefs.txt:2: document 'b' of topic 'q' is compared with itself"):
        prefer([b"q"], [0, 2], Ids.pack("ab"), Ids.pack("bb"), origin=origin)


@pytest.mark.parametrize("collide", [False, True])
def test_against_dictionaries(collide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of mixed topics, also where all documents share a key."""
    if collide:
        monkeypatch.setattr(Ids, "keys", lambda ids: np.zeros(len(ids), np.uint64))
    rng = np.random.default_rng(7)
    topics, first = rng.integers(0, 4, 200), rng.integers(0, 9, 200)
    second, outcome = (first + rng.integers(1, 9, 200)) % 9, rng.integers(-1, 2, 200)
    ids = [f"document-{number}" for number in range(9)]
    found = prefer(
        [b"q0", b"q1", b"q2", b"q3"],
        None,
        Ids.pack([ids[one] for one in first]),
        Ids.pack([ids[one] for one in second]),
        outcome,
        segment=topics,
    )
    for topic in range(4):
        rows = np.flatnonzero(topics == topic)
        pairs = [(ids[first[r]], ids[second[r]])[:: outcome[r]] for r in rows if outcome[r]]
        ties = [(ids[first[r]], ids[second[r]]) for r in rows if not outcome[r]]
        mine, tied = (slice(*at[topic : topic + 2].tolist()) for at in (found.pair_offsets, found.tie_offsets))
        assert named(found, found.pairs[mine]) == pairs
        assert named(found, found.ties[tied]) == ties
        met = dict.fromkeys(ids[one] for r in rows for one in (first[r], second[r]))
        docs = found.docs.tolist()[found.offsets[topic] : found.offsets[topic + 1]]
        assert [doc.decode() for doc in docs] == [*met]


def test_the_slow_way_agrees_where_keys_differ() -> None:
    ids, topic = Ids.pack("xyxzyx"), np.array([0, 0, 0, 1, 1, 1])
    fast, slow = module._numbered(ids, topic), module._one_by_one(ids, topic)
    assert [part.tolist() for part in fast] == [part.tolist() for part in slow] == [[0, 1, 0, 2, 3, 4], [0, 1, 3, 4, 5]]


def test_no_rows() -> None:
    found = prefer([b"q"], [0, 0], Ids.pack([]), Ids.pack([]))
    assert (found.topics, len(found), found.pair_offsets.tolist()) == ((b"q",), 0, [0, 0])


def test_grades_induce_all_pairs_that_differ() -> None:
    rng = np.random.default_rng(3)
    grade = rng.integers(-1, 4, 40).astype(float)
    offsets = np.array([0, 0, 12, 13, 40])
    pairs, bounds = higher(offsets, grade)
    for begin, end, first, last in zip(offsets[:-1], offsets[1:], bounds[:-1], bounds[1:], strict=True):
        expected = {
            (one, other) if grade[one] > grade[other] else (other, one)
            for one, other in combinations(range(begin, end), 2)
            if grade[one] != grade[other]
        }
        assert len(pairs[first:last]) == len(expected)
        assert set(map(tuple, pairs[first:last].tolist())) == expected


def test_grades_below_zero_are_zero() -> None:
    found = induced(collect([b"q", b"r"], [0, 3, 4], Ids.pack("abcd"), [0, -2, 1, 1]))
    assert named(found, found.pairs) == [("c", "a"), ("c", "b")]
    assert (found.pair_offsets.tolist(), len(found.ties)) == ([0, 2, 2], 0)
