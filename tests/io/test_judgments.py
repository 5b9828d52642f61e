"""Preference judgments in the forms that data sets have them in."""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.data.preferences import Comparisons, settled
from truerank.data.qrels import Preferences
from truerank.io.judgments import NUMBERED
from truerank.io.load import as_preferences, as_qrels

from ..parity.shared import need

BETTER = [("a", "b"), ("c", "b")]
EQUAL = [("a", "c")]


class Named(NamedTuple):
    query_id: str
    doc_a: str
    doc_b: str
    winner: str


@dataclass
class Compared:
    topic: str
    left: str
    right: str
    verdict: str


def said(found: Preferences) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    docs = [doc.decode("utf-8", "surrogateescape") for doc in found.docs.tolist()]
    pairs, ties = ([(docs[one], docs[other]) for one, other in rows.tolist()] for rows in (found.pairs, found.ties))
    return pairs, ties


def lines(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def read(data: Any) -> Preferences:
    """Read Python data, or a text as a file."""
    return as_preferences(io.StringIO(data) if isinstance(data, str) else data)


PLAIN: dict[str, Any] = {
    "winner": lines("q a b a", "q b c c", "q a c tie"),
    "sign behind": lines("q a b >", "q b c <", "q a c ="),
    "sign between": lines("q a > b", "q b < c", "q a = c"),
    "header, winner": lines("query_id,doc_a,doc_b,winner", "q,a,b,a", "q,b,c,c", "q,a,c,Tie"),
    "header, sides": lines("qid\tleft\tright\tpreferred", "q\ta\tb\ta", "q\tb\tc\tc", "q\ta\tc\tboth"),
    "header, columns": lines("topic doc1 doc2 relation", "q a b >", "q b c <", "q a c =="),
    "json lines": lines(
        *(
            json.dumps({"qid": "q", "doc_1": one, "doc_2": two, "winner": best})
            for one, two, best in (("a", "b", "a"), ("b", "c", "c"), ("a", "c", "equal"))
        )
    ),
    "rows": [("q", "a", "b", "a"), ("q", "b", "c", "c"), ("q", "a", "c", "=")],
    "rows, sign between": [("q", "a", ">", "b"), ("q", "b", "<", "c"), ("q", "a", "~", "c")],
    "by topic": {"q": [("a", "b", ">"), ("b", "c", "<"), ("a", "c", "=")]},
    "by topic, sign between": {"q": [("a", ">", "b"), ("b", "<", "c"), ("a", "=", "c")]},
    "dicts by topic": {
        "q": [{"a": "a", "b": "b", "sign": ">"}, {"a": "b", "b": "c", "sign": "<"}, {"a": "a", "b": "c", "sign": "="}]
    },
    "namedtuples": [Named("q", "a", "b", "a"), Named("q", "b", "c", "c"), Named("q", "a", "c", "same")],
    "dataclasses": [Compared("q", "a", "b", ">"), Compared("q", "b", "c", "<"), Compared("q", "a", "c", "=")],
    "records": [{"qid": "q", "pairs": [["a", "b", ">"], ["b", "c", "<"], ["a", "c", "="]]}],
}
NUMBERS: dict[str, Any] = {
    "lines": lines("q a b -1", "q b c 1", "q a c 0"),
    "rows": [("q", "a", "b", -1), ("q", "b", "c", 1.0), ("q", "a", "c", np.int64(0))],
    "header": lines("qid;doc_a;doc_b;preference", "q;a;b;-1", "q;b;c;+1", "q;a;c;0.0"),
    "json": '[["q", "a", "b", -1], ["q", "b", "c", 1], ["q", "a", "c", 0]]',
}


@pytest.mark.parametrize("data", PLAIN.values(), ids=PLAIN)
def test_relations_in_words(data: Any) -> None:
    found = read(data)
    assert said(found) == (BETTER, EQUAL)
    assert found.notes == ()


@pytest.mark.parametrize("data", NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_read_as_in_the_first_collection_and_said_so(data: Any) -> None:
    found = read(data)
    assert said(found) == (BETTER, EQUAL)
    assert found.notes == (NUMBERED,)


@pytest.mark.parametrize("relation", [["a", "c", "tie"], [-1, 1, 0], [-1.0, 1.0, 0.0], [">", "<", "="]])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library: str, relation: list[Any]) -> None:
    frame = pytest.importorskip(library).DataFrame(
        {"qid": ["q"] * 3, "doc_a": ["a", "b", "a"], "doc_b": ["b", "c", "c"], "preference": relation}
    )
    for convert in (as_preferences, as_qrels):
        found = convert(frame)
        assert isinstance(found, Preferences)
        assert said(found) == (BETTER, EQUAL)
    renamed = frame.rename(**({"columns": {"doc_a": "x"}} if library == "pandas" else {"mapping": {"doc_a": "x"}}))
    assert said(as_preferences(renamed, columns={"first": "x"})) == (BETTER, EQUAL)


@pytest.mark.parametrize("text", ["q a > b\n", "q a b >\n", "q a b\n", "qid,doc_a,doc_b,winner\nq,a,b,a\n"])
def test_judgments_that_can_only_be_preferences_are_taken_for_them(text: str) -> None:
    found = as_qrels(io.StringIO(text))
    assert isinstance(found, Preferences)
    assert said(found) == ([("a", "b")], [])
    assert tr.evaluate(io.StringIO(text), {"q": ["b", "a"]}, "PrefLoss")["run"]["PrefLoss"].mean == 1


def test_documents_called_like_columns_are_documents() -> None:
    for line in ("q doc1 doc2", "q left right", "q a b", "q first second"):
        assert said(as_preferences(io.StringIO(f"{line}\n"))) == ([tuple(line.split()[1:])], [])


def test_many_winners_and_ties() -> None:
    rows = [("q", f"d{n}", f"d{n + 1}", f"d{n + n % 2}" if n % 5 else "tie") for n in range(500)]
    pairs, ties = said(as_preferences(rows))
    assert len(ties) == 100
    assert pairs[:2] == [("d2", "d1"), ("d2", "d3")]


REFUSED: list[tuple[Any, str]] = [
    (lines("q 0 a 1", "q 0 b 2"), r"these look like qrels; give preferences"),
    (lines("q a b >", "q a b what"), r"^<stream>:2: the relation of two documents is 'what'; give the better document"),
    (lines("q a b c"), r"^<stream>:1: the relation of two documents is 'c'"),
    *(
        (lines("q x y x", f"q x y {said}"), rf"^<stream>:2: the relation of two documents is '{said}'; give the better")
        for said in ("a", "b", "A", "left", "second", "or")
    ),
    (
        lines("q a ? b"),
        r"^<stream>:1: '\?' is no sign for the relation of two documents; give the better .* tie",
    ),
    (lines("q a > b", "q a >> b"), r"^<stream>:2: '>>' is no sign"),
    (lines("q a > b", "q a b >"), r"^<stream>:2: 'b' stands where other rows have a sign; give all the same form"),
    (lines("q a > b", "q a tie b"), r"^<stream>:2: 'tie' stands where"),
    ([("q", "a", "?", "b")], r"the relation of two documents is 'b'"),
    (lines("qid,left,right,preferred", "q,a,b,left"), r"^<stream>:2: the relation of two documents is 'left'"),
    (lines("q a b 2", "q b c 1"), r"^<stream>:1: 2 marks a bad document"),
    (lines("q 0 1 1", "q 1 0 1"), r"'1' may be the better document, or say that the first or second is; name the"),
    (lines("q a b", "q a b c"), r"^<stream>:2: 4 columns where preferences have 3"),
    (lines("q a > a"), r"^<stream>:1: document 'a' of topic 'q' is compared with itself"),
    (lines("qid,doc_a,doc_b,winner", "q,a,b,", "q,a,b,a"), r"^<stream>:2: there is nothing in column 'winner'"),
    (lines("qid,doc_a,doc_b,winner", "q,a,b,a", "q,a,b,c"), r"^<stream>:3: the relation of two documents is 'c'"),
    ([("q", "a", "b", None)], r"the relation of two documents is None; give the better document"),
    ([("q", "a", "b", True)], r"the relation of two documents is True"),
    ([("q", "a", "b", 0.5)], r"the relation of two documents is 0.5"),
    ([("q", "a", "b", "="), ("q", "a", "b")], r"a row has 4 fields"),
    ([], "there are no rows"),
    ("", "the file holds no lines"),
]


@pytest.mark.parametrize(("data", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_meant_is_refused(data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(data)


def test_bytes_that_are_not_utf8_survive() -> None:
    found = as_preferences(io.BytesIO(b"q\xff a\xfe = b\nq\xff b > c\xff\n"))
    assert (found.topics, found.docs.tolist()) == ((b"q\xff",), [b"a\xfe", b"b", b"c\xff"])
    assert as_preferences([(b"q\xff", b"a\xfe", b"b", b"a\xfe")]).pairs.tolist() == [[0, 1]]


def test_repeated_judgments() -> None:
    """a > b twice and b > a once; c and d each way once; e = f twice and e > f once."""
    rows = ["ab", "ab", "ba", "cd", "dc", "e=f", "e=f", "ef"]
    data = [("q", row[0], "=" if len(row) == 3 else ">", row[-1]) for row in rows]
    each, once, majority = (
        Counter(said(as_preferences(data, repeated=how))[0]) for how in ("each", "once", "majority")
    )
    assert each == {("a", "b"): 2, ("b", "a"): 1, ("c", "d"): 1, ("d", "c"): 1, ("e", "f"): 1}
    assert once == dict.fromkeys(each, 1)
    assert majority == {("a", "b"): 1}
    assert said(as_preferences(data, repeated="once"))[1] == [("e", "f")]
    assert said(as_preferences(data, repeated="majority"))[1] == [("c", "d"), ("e", "f")]
    run = {"q": ["b", "a", "d", "c", "f", "e"]}
    losses = [tr.evaluate(as_preferences(data, repeated=how), run, "PrefLoss")["run"]["PrefLoss"].mean
              for how in ("each", "once", "majority")]  # fmt: skip
    assert losses == [4 / 6, 3 / 5, 1]
    with pytest.raises(InputError, match="repeated='twice' is not a choice; take one of each, once, majority"):
        as_preferences(data, repeated="twice")


def test_settled_topics_keep_their_pairs_apart() -> None:
    rng = np.random.default_rng(5)
    rows = [(f"q{t}", f"d{a}", "<=>"[s], f"d{(a + b) % 6}") for t, a, b, s in zip(
        rng.integers(0, 3, 200), rng.integers(0, 6, 200), rng.integers(1, 6, 200), rng.integers(0, 3, 200), strict=True
    )]  # fmt: skip
    given = as_preferences(rows)
    for how in ("once", "majority"):
        found = settled(given, how)
        for topic in range(3):
            alone = as_preferences([row for row in rows if row[0] == f"q{topic}"], repeated=how)
            mine, tied = (slice(*at[topic : topic + 2].tolist()) for at in (found.pair_offsets, found.tie_offsets))
            first = int(found.offsets[topic])
            assert (found.pairs[mine] - first).tolist() == alone.pairs.tolist()
            assert (found.ties[tied] - first).tolist() == alone.ties.tolist()


def test_comparisons_count_what_was_said() -> None:
    given = as_preferences([("q", "b", ">", "a"), ("q", "a", ">", "b"), ("q", "a", ">", "b"), ("q", "a", "=", "c")])
    found = Comparisons.of(given)  # b is document 0
    assert [part.tolist() for part in (found.first, found.second)] == [[0, 1], [1, 2]]
    assert [part.tolist() for part in (found.better, found.worse, found.equal)] == [[1, 0], [2, 0], [0, 1]]
    assert (found.times.tolist(), found.margin.tolist(), found.offsets.tolist()) == ([3, 1], [-1, 0], [0, 2])
    renamed = Comparisons.of(given, np.array([1, 0, 2]))  # bytewise: a, b, c
    assert (renamed.first.tolist(), renamed.better.tolist()) == ([0, 0], [2, 0])


def test_groups_of_trec_eval() -> None:
    text = "q ann 1 a 2\nq ann 1 b 1\nq bob 1 a 1\nq bob 1 b 2\nq bob 2 b 1\nq bob 2 c 1\nr ann 1 x 1\n"
    found = as_preferences(io.StringIO(text))
    assert found.topics == (b"q", b"r")
    assert said(found) == ([("a", "b"), ("b", "a")], [])


def test_real_groups_of_trec_eval() -> None:
    """Every pair of documents that one subgroup gave different grades to, counted by hand."""
    path = need("trec_eval", "prefs.test")
    judged: dict[tuple[str, ...], list[tuple[str, float]]] = {}
    for line in Path(path).read_text().splitlines():
        topic, group, subgroup, doc, grade = line.split()
        judged.setdefault((topic, group, subgroup), []).append((doc, float(grade)))
    expected: Counter[tuple[str, str, str]] = Counter()
    for (topic, *_), grades in judged.items():
        expected.update((topic, a, b) for a, high in grades for b, low in grades if high > low)
    found = as_preferences(path)
    docs = [doc.decode() for doc in found.docs.tolist()]
    topic = np.repeat(np.arange(len(found.topics)), np.diff(found.pair_offsets))
    counted = Counter(
        (found.topics[t].decode(), docs[a], docs[b]) for t, (a, b) in zip(topic, found.pairs.tolist(), strict=True)
    )
    assert counted == expected
    assert len(found.pairs) == 331
    with_comments = as_preferences(need("trec_eval", "prefs.comment.test"))
    assert with_comments.pairs.tolist() == found.pairs.tolist()


@pytest.mark.parametrize("value", [{}, {"": ""}, [], [1], None, True, 1.5])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_rows_of_anything_are_read_or_refused(value: Any, count: int) -> None:
    """What stands where a sign would may be anything that JSON has."""
    for rows in ([[value] * count], [["q", *[value] * (count - 1)]]):
        for read in (tr.read_preferences, tr.read_qrels, tr.read_run):
            with contextlib.suppress(InputError):
                read(json.loads(json.dumps(rows)))
