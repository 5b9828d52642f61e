"""Lengths that score nearly alike, against scores in fractions, which have no rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import truerank as tr

Values = list[Fraction]


def err_terminal(hits: list[int], relevant: int) -> Values:
    """ERRT of binary lists cut after 0, 1, ... documents: a reader is satisfied with a chance of one half."""
    found, total, reached, seen = [], Fraction(0), Fraction(1), 0
    for rank in range(1, len(hits) + 2):
        found.append(total + reached * Fraction(seen, relevant) / rank)
        if rank <= len(hits) and hits[rank - 1]:
            total += reached / 2 / rank
            reached, seen = reached / 2, seen + 1
    return found


def rbp_effort(p: Fraction) -> Any:
    """RBPU with e = 1/20."""

    def values(hits: list[int], relevant: int) -> Values:
        found = [Fraction(0)]
        for place, hit in enumerate(hits):
            found.append(found[-1] + (hit - Fraction(1, 20)) * (1 - p) * p**place)
        return found

    return values


MEASURES = {
    "ERRT": err_terminal,
    "RBPU(p=0.75)": rbp_effort(Fraction(3, 4)),
    "RBPU(p=0.875)": rbp_effort(Fraction(7, 8)),
}


def track(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, list[str]], dict[str, list[int]]]:
    """Lists of 300 documents, of which most are relevant: the last ones weigh 1e-20 and less."""
    rng = np.random.default_rng(seed)
    hits = {f"q{topic}": (rng.random(300) < 0.6).astype(int).tolist() for topic in range(8)}
    qrels = {topic: {f"d{place}": hit for place, hit in enumerate(some)} for topic, some in hits.items()}
    return qrels, {topic: [f"d{place}" for place in range(300)] for topic in hits}, hits


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(3))
def test_without_a_tolerance_the_best_length_is_that_of_exact_arithmetic(measure: str, seed: int) -> None:
    qrels, run, hits = track(seed)
    found = tr.truncate(qrels, {"mine": run}, measure, tolerance=0)["mine"][measure]
    near = tr.truncate(qrels, {"mine": run}, measure)["mine"][measure]
    for topic, length, shorter in zip(found.topics, found.length.tolist(), near.length.tolist(), strict=True):
        values = MEASURES[measure](hits[topic], sum(hits[topic]))
        assert length == values.index(max(values))
        assert shorter == next(at for at, value in enumerate(values) if value >= max(values) - Fraction(1, 10**12))
    assert found.exact.tolist() == found.length.tolist() == near.exact.tolist()
    assert (near.length < near.exact).any()


def test_rounding_is_no_difference() -> None:
    """A relevant document pays for 19 others: as often as it does, the score is back at 0, and the list best empty."""
    qrels = {"q": {f"r{place}": 1 for place in range(30)}}
    run = {"q": [doc for place in range(30) for doc in (*(f"x{place}.{n}" for n in range(19)), f"r{place}")]}
    found = tr.truncate(qrels, {"mine": run}, "FlatU", tolerance=0)["mine"]["FlatU"]
    assert found.length.tolist() == [0]


def test_it_says_where_the_tolerance_decides() -> None:
    qrels, run, _ = track(0)
    found = tr.truncate(qrels, {"mine": run}, "ERRT F")
    for show in ("summary", "bins"):
        [note] = [note for note in found.own_notes(show) if note.code == "TR455"]
        assert note.facts["measure"] == "ERRT"
        assert note.facts["median"] < note.facts["exact"]
    assert not [note for note in tr.truncate(qrels, {"mine": run}, "ERRT", tolerance=0).own_notes("summary")
                if note.code == "TR455"]  # fmt: skip


def test_the_tolerance_is_told() -> None:
    qrels, run, _ = track(0)
    runs = {"mine": run}
    assert tr.truncate(qrels, runs, "ERRT").tolerance == 1e-12
    assert tr.truncate(qrels, runs, "ERRT", tolerance=0).tolerance == 0


@pytest.mark.parametrize("tolerance", [-1e-12, 1.5, float("nan"), True])
def test_a_tolerance_is_from_0_to_1(tolerance: float) -> None:
    with pytest.raises(tr.InputError, match="tolerance"):
        tr.truncate({"q": {"a": 1}}, {"mine": {"q": ["a"]}}, "F", tolerance=tolerance)
