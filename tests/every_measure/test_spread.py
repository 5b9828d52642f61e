"""The variance over orders of ties against brute force, for every measure of the table."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from truerank.conventions.axes import Conventions
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import Named
from truerank.track.spread import spread_of
from truerank.track.track import Track

from . import oracle
from .collections import collections
from .oracle import Choice, Collection
from .table import MEASURES
from .test_against_oracle import measure, tried

TOLERANCE = 1e-12


@pytest.mark.parametrize("name", MEASURES)
def test_variance_over_orders(name: str) -> None:
    row = MEASURES[name]
    variants = [params for params in row.variants if params.get("norm") != "pool"]

    @tried(
        name,
        40,
        collections(),
        st.sampled_from(variants),
        st.sampled_from((None, 1, 2, 3, 5)),
        st.sampled_from(("nonrelevant", "condensed")),
        st.sampled_from(("none", "terminal", "terminal-once") if row.terminal else ("none",)),
        st.sampled_from(("judged", "unjudged")),
    )
    def check(
        collection: Collection,
        params: dict[str, Any],
        k: int | None,
        unjudged: str,
        ending: str,
        negative: str,
    ) -> None:
        k = k if row.cutoff else None
        wanted = measure(name, params, k)
        choice = Choice("sample", unjudged, ending, negative=negative)
        conventions = Conventions(**{**asdict(choice), "ties": "expected"})
        qrels, run = as_qrels(collection.qrels), as_run(collection.run)
        lens = Track(qrels, (Named("run", run),), (wanted,), conventions).lens(0)
        found = spread_of(lens, wanted)
        assert not found.error.any()
        for topic, variance in zip(lens.names, found.variance.tolist(), strict=True):
            values = oracle.evaluate(name, params, k, collection, topic, choice)
            assert isinstance(values, list)
            expected = float(np.var(values)) if values and not math.isnan(values[0]) else 0.0
            scale = max(1.0, max((abs(v) for v in values if v == v), default=0.0) ** 2)
            assert abs(variance - expected) <= TOLERANCE * scale, (str(wanted), topic, variance, expected, values)

    check()
