"""Scores of arrays against those of runs, to the bit, for every measure and way to read ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from truerank.questions.evaluate.question import evaluate
from truerank.questions.evaluate.score_arrays import ArrayScorer

from .collections import collections
from .oracle import Collection
from .table import MEASURES
from .test_against_oracle import measure, tried

VECTORS = 3


@pytest.mark.parametrize("name", MEASURES)
def test_arrays_are_scored_as_runs_are(name: str) -> None:
    row = MEASURES[name]
    variants = [params for params in row.variants if params.get("norm") != "pool"]

    @tried(
        name,
        25,
        collections(),
        st.sampled_from(variants),
        st.sampled_from((None, 0, 1, 2, 4)),
        st.sampled_from(("expected", "best", "worst", "input")),
        st.sampled_from(("nonrelevant", "condensed")),
        st.sampled_from(("judged", "unjudged")),
        st.sampled_from(("none", "terminal")),
        st.sampled_from(("zero", "nan")),
        st.integers(0, 99),
    )
    def check(
        collection: Collection,
        params: dict[str, object],
        k: int | None,
        ties: str,
        unjudged: str,
        negative: str,
        ending: str,
        no_relevant: str,
        seed: int,
    ) -> None:
        wanted = measure(name, params, k if row.cutoff else None)
        choice = {
            "ties": ties,
            "unjudged": unjudged,
            "negative": negative,
            "ending": ending if row.terminal else "none",
            "no_relevant": no_relevant,
        }
        documents = [
            (topic, doc)
            for topic, judged in collection.qrels.items()
            for doc in dict.fromkeys([*collection.run.get(topic, {}), *judged])
        ]
        grades = np.array([collection.qrels[topic].get(doc, np.nan) for topic, doc in documents])
        counts = [sum(topic == of for of, _ in documents) for topic in collection.qrels]
        first = [collection.run.get(topic, {}).get(doc, np.nan) for topic, doc in documents]
        rng = np.random.default_rng(seed)
        scores = np.array([first, *rng.choice([1.0, 2.0, 3.0, np.nan], (VECTORS - 1, len(documents)))])
        scorer = ArrayScorer(grades, np.cumsum([0, *counts]), wanted, **choice)  # type: ignore[arg-type]
        found = scorer(scores)
        assert found.shape == (VECTORS, len(counts))
        for vector, values in zip(scores, found, strict=True):
            run: dict[str, dict[str, float]] = {topic: {} for topic in collection.qrels}
            for (topic, doc), score in zip(documents, vector, strict=True):
                if score == score:
                    run[topic][doc] = float(score)
            expected = evaluate(collection.qrels, {"run": run}, wanted, **choice)["run"][str(wanted)].values  # type: ignore[arg-type]
            np.testing.assert_array_equal(values, expected)
            np.testing.assert_array_equal(scorer(vector), expected)

    check()
