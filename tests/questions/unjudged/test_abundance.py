"""How many relevant documents there are: captures, and intervals that hold where judgments are hidden."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.unjudged.abundance import captures, chao
from truerank.questions.unjudged.relevance import ListedDocuments, ranks_in
from truerank.track.track import Track

from ...parity.shared import need


def test_a_run_found_what_stands_above_its_first_unjudged_document() -> None:
    qrels = {"q": {"a": 1, "b": 0, "c": 2, "d": 1}}
    runs = {"x": {"q": ["a", "b", "c", "u", "d"]}, "y": {"q": ["c", "d"]}, "z": {"q": ["u", "a", "b", "c", "d"]}}
    track = Track.of(qrels, runs, "AP", {})
    listed = ListedDocuments.of(track.each(ranks_in), 1)
    names = {int(key): doc for doc, key in zip("abcdu", _keys("abcdu"), strict=True)}
    found = {names[int(key)]: int(often) for key, often in zip(listed.key, captures(listed), strict=True)}
    assert found == {"a": 1, "b": 0, "c": 2, "d": 1, "u": 0}


def _keys(docs: str) -> list[int]:
    keys: list[int] = tr.read_run({"q": list(docs)}).key.astype(np.uint64).tolist()
    return keys


def test_chao_is_a_least_number_where_documents_are_not_alike() -> None:
    """Each of 60 documents has a chance of its own to be found by a run: what is told is seldom more than there is."""
    rng = np.random.default_rng(4)
    alike, apart = [], []
    for _ in range(300):
        for kept, chance in ((alike, np.full(60, 0.2)), (apart, rng.beta(0.4, 1.6, 60))):
            often = (rng.random((60, 8)) < chance[:, None]).sum(axis=1)
            once, twice = (np.array([(often == count).sum()]) for count in (1, 2))
            kept.append((often > 0).sum() + float(chao(once, twice)[0]) * 7 / 8)
    assert np.mean(alike) == pytest.approx(60, abs=2)
    assert 35 < np.mean(apart) < 57


def _collection(seed: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
    """Runs of unequal quality, what is judged, and how many relevant documents they list."""
    rng = random.Random(seed)
    docs = [f"d{n}" for n in range(80)]
    truth = {str(t): {d: int(rng.random() < rng.choice([0.1, 0.3])) for d in docs} for t in range(20)}
    lists = {
        f"r{n}": {t: sorted(docs, key=lambda d: -rng.gauss(2 * (1 - n / 6) * g[d], 1))[:50] for t, g in truth.items()}
        for n in range(6)
    }
    pool = {t: {d for some in lists.values() for d in some[t][:8]} for t in truth}
    listed = {t: {d for some in lists.values() for d in some[t]} for t in truth}
    count = {t: sum(truth[t][d] for d in listed[t]) for t in truth}
    return {t: {d: g for d, g in some.items() if d in pool[t]} for t, some in truth.items()}, lists, count


def test_intervals_hold_in_nine_topics_of_ten() -> None:
    held, told = [], []
    for seed in range(6):
        qrels, runs, count = _collection(seed)
        found = tr.estimate_relevant(qrels, runs)
        held += [row.low <= count[topic] <= row.high for topic, row in found.items()]
        told += [row.estimate / max(count[topic], 1) for topic, row in found.items()]
        assert all(row.relevant <= row.low <= row.estimate <= row.high for row in found.values())
        assert all(row.relevant == sum(qrels[topic].values()) for topic, row in found.items())
    assert np.mean(held) >= 0.9
    assert 0.7 < np.median(told) < 1.4


def test_unjudged_has_the_same_and_scores_that_are_likely() -> None:
    qrels, runs, _ = _collection(1)
    found = tr.unjudged(qrels, runs, "AP P@5")
    assert {row.topic: row for row in found.relevant} == tr.estimate_relevant(qrels, runs)
    for row in found.open_scores:
        if row.likely_low is not None:
            assert row.low <= row.likely_low <= row.likely_high <= row.high
    assert found["r0"]["AP"].likely_high - found["r0"]["AP"].likely_low > 0.01
    assert tr.unjudged(qrels, runs, "AP", draws=0).relevant == ()
    # What there is to find decides what the end of a list is worth.
    ended = tr.unjudged(qrels, runs, "AP", ending="terminal")["r0"]["AP"]
    assert ended.likely_low < ended.likely_high


def test_too_few_judgments_are_refused() -> None:
    with pytest.raises(InputError, match="no estimates: the model needs 10 relevant and 10 non-relevant"):
        tr.estimate_relevant({"q": {"a": 1, "b": 0}}, {"x": {"q": ["a", "b"]}})
    with pytest.raises(InputError, match="draws is 0"):
        tr.estimate_relevant({"q": {"a": 1}}, {"x": {"q": ["a", "b"]}}, draws=0)


def test_on_trec8_with_judgments_hidden() -> None:
    """Pools of the first 10 documents: intervals hold what judging 100 found in nearly nine topics of ten."""
    data = need("trec8/qrels.gz").parent
    paths = sorted((data / "runs").glob("*.gz"))[:30:3]
    qrels = tr.read_qrels(str(data / "qrels.gz"))
    lists = {path.name: tr.read_run(str(path)) for path in paths}
    tops = {
        name: {t.decode(): [d for d, _ in run.ranking(t.decode())[:100]] for t in run.topics}
        for name, run in lists.items()
    }
    grade = {
        (qrels.topics[at].decode(), qrels.docs[row].decode()): qrels.grade[row]
        for at in range(len(qrels.topics))
        for row in range(qrels.offsets[at], qrels.offsets[at + 1])
    }
    topics = [t.decode() for t in qrels.topics]
    pool = {t: {d for some in tops.values() for d in some.get(t, [])[:10] if (t, d) in grade} for t in topics}
    found = tr.estimate_relevant({t: {d: grade[t, d] for d in pool[t]} for t in topics}, tops)
    true = {t: len({d for some in tops.values() for d in some.get(t, []) if grade.get((t, d), 0) > 0}) for t in topics}
    held = [found[t].low <= true[t] <= found[t].high for t in topics]
    assert np.mean(held) >= 0.8
    assert np.mean([found[t].recaptured <= true[t] + 1 for t in topics]) >= 0.85
