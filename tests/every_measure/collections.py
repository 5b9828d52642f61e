"""Random small collections: ties, unjudged documents, odd grades, short and empty lists, missing topics."""

from __future__ import annotations

from hypothesis import strategies as st

from .oracle import Collection

NAMES = ("a", "b", "ab", "B", "é", "doc-10", "doc-9")
"""Ids whose order by bytes is neither that of their letters nor of their lengths."""
GRADES = (None, None, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 0.5, -1.0)
SCORES = (None, 3.0, 3.0, 2.0, 2.0, 1.0, 0.0, -0.0)


@st.composite
def topics(draw: st.DrawFn) -> tuple[dict[str, float], dict[str, float] | None]:
    """Judgments of a topic, and its list; None where the run leaves the topic out."""
    size = draw(st.sampled_from([0, 1, 2, 3, 4, 5, 6, 6, 6, 7]))
    grades = draw(st.lists(st.sampled_from(GRADES), min_size=size, max_size=size))
    scores = draw(st.lists(st.sampled_from(SCORES), min_size=size, max_size=size))
    qrels = {doc: g for doc, g in zip(NAMES, grades, strict=False) if g is not None}
    order = draw(st.permutations(range(size)))
    run = {NAMES[i]: s for i in order if (s := scores[i]) is not None}
    missing = not run and draw(st.booleans())
    return qrels or {"z": draw(st.sampled_from([0.0, 1.0]))}, None if missing else run


@st.composite
def collections(draw: st.DrawFn) -> Collection:
    """One topic or two, judged; the run also has a topic that no one judged, the other run helped to make the pool."""
    drawn = {f"q{i}": draw(topics()) for i in range(1, draw(st.integers(1, 2)) + 1)}
    qrels = {topic: judged for topic, (judged, _) in drawn.items()}
    run = {topic: documents for topic, (_, documents) in drawn.items() if documents is not None} or {"q1": {}}
    other = {topic: {doc: float(s) for s, doc in enumerate(judged)} for topic, judged in qrels.items()}
    return Collection(qrels, {**run, "unjudged": {"a": 1.0}}, (other,))
