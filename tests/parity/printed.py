"""Comparing with what trec_eval printed, digit by digit."""

from __future__ import annotations

from typing import Any

import truerank as tr

from . import known_differences as known
from .names import MEANS, NAMES

Printed = dict[tuple[str, str], str]
"""Values as printed, by measure and topic."""


def parse(text: str) -> Printed:
    """Values of lines with measure, topic and value."""
    rows = (line.split() for line in text.splitlines())
    return {(measure, topic): value for measure, topic, value in rows}


def agree(theirs: Printed, qrels: Any, run: Any, **conventions: str) -> int:
    """Assert that every value we have too is printed the same; return how many there are."""
    listed = {name for name, _ in theirs if not known.differs("trec_eval-10", name)}
    names = {name: ours for name, ours in {**NAMES, **MEANS}.items() if name in listed}
    scores = next(iter(tr.evaluate(qrels, run, names.values(), like="trec_eval-10", **conventions).values()))
    ours: Printed = {}
    for name, our_name in names.items():
        score = scores[our_name]
        for topic, value in {"all": score.mean, **({} if name in MEANS else score.per_topic)}.items():
            if (name, topic) in theirs:
                ours[name, topic] = f"{value:.4f}" if "." in theirs[name, topic] else f"{value:.0f}"
    assert ours == {key: theirs[key] for key in ours}
    return len(ours)
