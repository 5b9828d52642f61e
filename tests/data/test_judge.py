from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.ids import Ids
from truerank.data.judge import JudgedRun, by_lookup, every_document, judge
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run, arrange

Ranked = dict[bytes, dict[bytes, float]]
topics = st.sampled_from([b"q1", b"q2", b"q3", b"zz"])
docs = st.integers(0, 25).map(lambda number: b"doc-%d" % number) | st.sampled_from([b"a" * 17, b"a" * 16 + b"b", b"x"])
runs = st.dictionaries(topics, st.dictionaries(docs, st.sampled_from([1.0, 2.0, 3.0, 3.0000000001, 0.5]), max_size=25))
judgments = st.dictionaries(topics, st.dictionaries(docs, st.integers(-1, 3).map(float), max_size=25))


def columns(data: Ranked) -> tuple[list[bytes], list[int], Ids, list[float]]:
    bounds = [0, *np.cumsum([len(each) for each in data.values()], dtype=int).tolist()]
    packed = Ids.pack([doc for each in data.values() for doc in each])
    return list(data), bounds, packed, [value for each in data.values() for value in each.values()]


def built(run: Ranked, qrels: Ranked) -> tuple[Run, Qrels]:
    names, bounds, ids, score = columns(run)
    return arrange("run", names, bounds, ids, score), collect(*columns(qrels))


def naive(run: Ranked, qrels: Ranked, *, everything: bool, precision: str) -> list[tuple[object, ...]]:
    cast = np.dtype(precision).type
    found: list[tuple[object, ...]] = []
    for topic in sorted(qrels):
        ranking = sorted(run.get(topic, {}).items(), key=lambda item: -item[1])
        for doc, score in ranking:
            if everything or doc in qrels[topic]:
                above = sum(bool(cast(other) > cast(score)) for _, other in ranking)
                size = sum(bool(cast(other) == cast(score)) for _, other in ranking)
                found.append((topic, doc, qrels[topic].get(doc), above, size))
    return found


def listed(judged: JudgedRun) -> list[tuple[object, ...]]:
    names = [
        name for name, count in zip(judged.qrels.topics, np.diff(judged.offsets), strict=True) for _ in range(count)
    ]
    grades = [None if grade != grade else grade for grade in judged.grade.tolist()]
    ids = judged.run.docs.take(judged.row).tolist()
    return [*zip(names, ids, grades, judged.above.tolist(), judged.size.tolist(), strict=True)]


@given(runs, judgments, st.sampled_from(["float64", "float32"]))
def test_judge_is_a_join_with_tie_groups(run: Ranked, qrels: Ranked, precision: str) -> None:
    judged = judge(*reversed(built(run, qrels)), precision=precision)
    assert listed(judged) == naive(run, qrels, everything=False, precision=precision)
    assert judged.length.tolist() == [len(run.get(topic, {})) for topic in judged.qrels.topics]
    for topic, index in zip(judged.qrels.topics, judged.run_topic.tolist(), strict=True):
        assert (topic in run) == (index >= 0)
        assert index < 0 or judged.run.topics[index] == topic
    assert judged.qrels.docs.take(judged.judgment).tolist() == judged.run.docs.take(judged.row).tolist()
    assert (judged.first <= judged.row).all()
    assert (judged.row < judged.first + judged.size).all()


@given(runs, judgments, st.none() | st.integers(0, 8), st.sampled_from(["float64", "float32"]))
def test_every_document(run: Ranked, qrels: Ranked, depth: int | None, precision: str) -> None:
    judged = every_document(judge(*reversed(built(run, qrels)), precision=precision), depth)
    expected = naive(run, qrels, everything=True, precision=precision)
    assert listed(judged) == [row for row in expected if depth is None or row[3] < depth]  # type: ignore[operator]
    assert ((judged.judgment >= 0) == ~np.isnan(judged.grade)).all()


@given(runs, judgments, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(run: Ranked, qrels: Ranked, random: object) -> None:
    def shuffled(data: Ranked) -> Ranked:
        rows = [(topic, list(each.items())) for topic, each in data.items()]
        random.shuffle(rows)  # type: ignore[attr-defined]
        for _, each in rows:
            random.shuffle(each)  # type: ignore[attr-defined]
        return {topic: dict(each) for topic, each in rows}

    plain = listed(judge(*reversed(built(run, qrels))))
    other = listed(judge(*reversed(built(shuffled(run), shuffled(qrels)))))
    assert sorted(plain, key=repr) == sorted(other, key=repr)


@given(runs, judgments)
def test_documents_that_share_a_key_are_told_apart(run: Ranked, qrels: Ranked) -> None:
    ranked, judged = built(run, qrels)
    names, bounds, ids, score = columns(run)
    ranked = arrange("run", names, bounds, ids, score, key=ids.keys() & np.uint64(3 << 60))
    judged = Qrels(judged.topics, judged.offsets, judged.grade, judged.docs, judged.key & np.uint64(3 << 60))
    assert listed(judge(judged, ranked)) == naive(run, qrels, everything=False, precision="float64")


def test_many_topics_and_documents() -> None:
    rng = np.random.default_rng(5)
    run = {b"%d" % t: {b"%d" % d: float(s) for d, s in enumerate(rng.integers(0, 50, 900))} for t in range(200)}
    qrels = {topic: {b"%d" % d: 1.0 for d in rng.choice(2000, 30, replace=False)} for topic in list(run)[::2]}
    assert listed(judge(*reversed(built(run, qrels)))) == naive(run, qrels, everything=False, precision="float64")


def test_scores_beyond_float32_tie_there() -> None:
    run, qrels = built({b"q": {b"a": 1e300, b"b": 1e299}}, {b"q": {b"b": 1.0}})
    assert judge(qrels, run).above.tolist() == [1]
    assert judge(qrels, run, precision="float32").size.tolist() == [2]


def test_unknown_precision_and_depth_are_refused() -> None:
    run, qrels = built({b"q": {b"a": 1.0}}, {b"q": {b"a": 1.0}})
    with pytest.raises(ValueError, match="precision is 'double'"):
        judge(qrels, run, precision="double")
    with pytest.raises(ValueError, match="depth is -1"):
        every_document(judge(qrels, run), -1)


def test_a_join_is_kept_for_the_same_judgments_only() -> None:
    run = arrange("x", [b"q"], [0, 3], Ids.pack("abc"), [3, 2, 1])
    one, other = (collect([b"q"], [0, 1], Ids.pack(doc), [1]) for doc in "bc")
    assert judge(one, run).row.tolist() == judge(one, run).row.tolist() == [1]
    assert judge(other, run).row.tolist() == [2]
    cut = replace(run, offsets=np.array([0, 1]), score=run.score[:1], docs=run.docs.take(np.arange(1)), key=run.key[:1])
    assert judge(other, cut).row.tolist() == []


@given(run=runs, qrels=judgments, precision=st.sampled_from(["float64", "float32"]))
def test_documents_looked_up_one_by_one_are_those_of_the_join(run: Ranked, qrels: Ranked, precision: str) -> None:
    ranked, judged = built(run, qrels)
    both = [place for place, topic in enumerate(judged.topics) if topic in run]
    index = {
        (topic, doc): row
        for topic, first, last in zip(judged.topics, judged.offsets[:-1], judged.offsets[1:], strict=True)
        for row, doc in enumerate(judged.docs.tolist()[first:last], int(first))
    }
    rows = [(judged.topics[place], doc, score) for place in both for doc, score in run[judged.topics[place]].items()]
    found, tied = by_lookup(
        judged,
        np.array(both, np.intp),
        np.array([len(run[judged.topics[place]]) for place in both], np.intp),
        np.array([score for *_, score in rows]),
        np.array([index.get((topic, doc), -1) for topic, doc, _ in rows], np.intp),
        precision,
    )
    apart = [judged.topics[place] for place, one in zip(both, tied.tolist(), strict=True) if one]
    every = judge(judged, ranked, precision=precision)
    ties = np.bincount(
        np.repeat(np.arange(len(judged.topics)), np.diff(every.offsets))[every.size > 1], minlength=len(judged.topics)
    )
    assert apart == [judged.topics[place] for place in both if ties[place]]
    joined = judge(judged, built({t: docs for t, docs in run.items() if t not in apart}, qrels)[0], precision=precision)
    # Rows and topics are counted without the topics of the run that are not judged.
    for name in ("length", "offsets", "judgment", "grade", "above", "size"):
        np.testing.assert_array_equal(found[name], getattr(joined, name))
