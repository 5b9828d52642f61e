"""Grades of documents that were only compared."""

from __future__ import annotations

import io

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.io.load import as_preferences, as_qrels
from truerank.io.trec import preference_lines
from truerank.questions.preferences.grades import graded
from truerank.questions.preferences.graph import Graph
from truerank.questions.preferences.question import induced_preferences, induced_qrels

from . import made


def named(rows: object, method: str | None = None) -> dict[str, float]:
    qrels = induced_qrels(rows, method)
    return {doc.decode(): grade for doc, grade in zip(qrels.docs.tolist(), qrels.grade.tolist(), strict=True)}


def compare(*pairs: str) -> list[tuple[str, ...]]:
    """Pairs such as "ab" or "a=b"."""
    return [("q", pair[0], "=" if len(pair) == 3 else ">", pair[-1]) for pair in pairs]


CASES = [
    (("ab", "bc"), {"a": 2, "b": 1, "c": 0}),
    (("ab", "cd", "bc", "ad"), {"a": 3, "b": 2, "c": 1, "d": 0}),
    (("ab", "b=c"), {"a": 1, "b": 0, "c": 0}),
    (("ab", "bc", "a=d", "d=e"), {"a": 2, "b": 1, "c": 0, "d": 2, "e": 2}),
    (("a=b",), {"a": 0, "b": 0}),
    # b is as good as a and as c, though a is better than c: the tie gives way.
    (("ac", "a=b", "b=c"), {"a": 1, "b": 0, "c": 0}),
    (("ab", "ab", "ba"), {"a": 1, "b": 0}),
    # A circle, all of whose documents are better than d: wins less losses.
    (("ab", "bc", "ca", "ad", "bd", "cd"), {"a": 4, "b": 4, "c": 4, "d": 0}),
]


@pytest.mark.parametrize(("pairs", "expected"), CASES, ids=["".join(pairs) for pairs, _ in CASES])
def test_by_hand(pairs: tuple[str, ...], expected: dict[str, float]) -> None:
    assert named(compare(*pairs)) == expected


def test_copeland_by_hand() -> None:
    """Wins less losses are 3, 0, -2 and -1."""
    assert named(compare("ab", "ac", "bc", "ad"), "copeland") == {"a": 5, "b": 2, "c": 0, "d": 1}


def test_levels_violate_nothing_and_keep_ties_where_they_can() -> None:
    kept = {True: 0, False: 0}
    for seed in range(60):
        rows = made.rows(seed, docs=7, count=7, topics=1)
        graph = Graph.of(as_preferences(rows))
        found = graded(graph)
        if not found.by_level[0]:
            continue
        assert (found.grade[graph.better] > found.grade[graph.worse]).all()
        tied = np.flatnonzero(~graph.decided)
        same = found.grade[graph.compared.first[tied]] == found.grade[graph.compared.second[tied]]
        if found.keeps_ties[0]:
            assert same.all()
        kept[bool(found.keeps_ties[0])] += len(tied) > 0
    assert min(kept.values()) > 3


def test_a_circle_has_no_levels() -> None:
    with pytest.raises(InputError, match="the preferences of topic 'q' go in a circle, so that it has no levels"):
        induced_qrels(compare("ab", "bc", "ca"), "levels")
    with pytest.raises(InputError, match="grades='elo' is not a choice; take one of levels, copeland"):
        induced_qrels(compare("ab"), "elo")


def test_the_lowest_grade() -> None:
    assert induced_qrels(compare("ab"), lowest=1).grade.tolist() == [2, 1]


def test_there_and_back() -> None:
    """Grades without a gap come back from the preferences that they stand for; documents alone in a topic are lost."""
    qrels = as_qrels({"q": {"a": 2, "b": 1, "c": 0, "d": 1}, "r": {"x": 1, "y": 0}})
    back = induced_qrels(induced_preferences(qrels))
    assert (back.topics, back.docs.tolist(), back.grade.tolist()) == (
        qrels.topics,
        qrels.docs.tolist(),
        qrels.grade.tolist(),
    )
    with pytest.raises(InputError, match="these judgments are preferences already"):
        induced_preferences(as_preferences([("q", "a", "b")]))


def test_any_measure_takes_them() -> None:
    qrels = induced_qrels(compare("ab", "bc", "ad"))
    assert tr.evaluate(qrels, {"q": ["a", "b", "c", "d"]}, "nDCG@2")["run"]["nDCG@2"].mean == 1


@pytest.mark.parametrize("signs", ["<>", "<=>"])
def test_lines_are_read_back(signs: str) -> None:
    given = as_preferences(made.rows(4, docs=6, count=40, signs=signs))
    text = "".join(preference_lines(given))
    again = as_preferences(io.StringIO(text))
    for rows in ("pairs", "ties"):
        ours, theirs = (
            sorted((each.docs[int(a)], each.docs[int(b)]) for a, b in getattr(each, rows)) for each in (given, again)
        )
        assert ours == theirs
    assert text.startswith("q0 d")
    assert (" > " in text) == (signs == "<=>")


def test_an_id_with_a_blank_has_no_line() -> None:
    with pytest.raises(InputError, match="the id 'a b' is blank or has a blank"):
        "".join(preference_lines(as_preferences([("q", "a b", "c")])))
