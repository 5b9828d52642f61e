"""What the study in docs/how-to/stop.md says, on the smallest of its collections."""

from __future__ import annotations

import pytest

from truerank import stop
from truerank.questions.stop.question import Stopping

from .shared import need


@pytest.fixture(scope="module")
def med() -> Stopping:
    folder = need("classic", "med", "qrels.txt").parent
    runs = [str(folder / "runs" / f"{name}.run.gz") for name in ("bm25_lucene_1.2_0.75_stem_stop", "lsi200")]
    return stop(folder / "qrels.txt", runs, "RBPU RBPU(p=0.98) OIE(size=1033) F")


def test_by_f_most_of_the_possible_improvement_is_reached(med: Stopping) -> None:
    for run in med.values():
        assert run["F"].helping() == run["F"].ranking
        assert all(0.65 < run["F"].share(rule) < 0.80 for rule in run["F"])


@pytest.mark.parametrize("measure", ["RBPU", "RBPU(p=0.98)", "OIE(size=1033)"])
def test_elsewhere_no_rule_helps(med: Stopping, measure: str) -> None:
    assert [run[measure].helping() for run in med.values()] == [[], []]


def test_what_is_left_to_the_best_cuts_is_significant(med: Stopping) -> None:
    assert all(one.p_oracle < 0.05 for _, _, found in med.comparisons() for one in found.values())
