"""Which runs measures over the pool take for those that made it."""

from __future__ import annotations

import pytest

import truerank as tr

# Two runs were pooled to depth 2; the third came later, and has the relevant document c, which was pooled from rank 2,
# first.
QRELS = {"q": {"a": 1, "b": 0, "c": 1}}
ONE, TWO = {"q": ["a", "b", "x", "c"]}, {"q": ["a", "c", "y", "z"]}
LATER = {"q": ["c", "w", "a", "b"]}


def test_only_the_runs_that_made_the_pool_count() -> None:
    found = tr.evaluate(QRELS, {"one": ONE, "two": TWO, "later": LATER}, "AP(norm='pool')@1 AP(norm='pool')")
    # At depth 1 the pool has one relevant document; with the later run it would have two.
    assert found["one"]["AP(norm='pool')@1"].mean == 1.0
    assert found["later"]["AP(norm='pool')@1"].mean == 1.0
    [note] = [note for note in found.notices if note.code == "TR112"]
    assert str(note) == ("AP(norm='pool')@1 and AP(norm='pool'): the pool is taken to be 2 deep, of 2 of 3 runs")
    assert note.facts == {
        "measures": ["AP(norm='pool')@1", "AP(norm='pool')"],
        "contributors": 2,
        "runs": 3,
        "depth": 2,
    }
    assert tr.pools(QRELS, {"one": ONE, "two": TWO, "later": LATER}).contributors == ("one", "two")


@pytest.mark.parametrize(
    "measure", ["AP(norm='pool')@1", "GM(measure=AP(norm='pool')@1)", "APT(norm='pool')@1", "APT(norm='pool')"]
)
def test_a_run_that_made_nothing_changes_nothing(measure: str) -> None:
    pooled = {"one": ONE, "two": TWO}
    alone, beside = tr.evaluate(QRELS, pooled, measure), tr.evaluate(QRELS, {**pooled, "later": LATER}, measure)
    for run in pooled:
        assert alone[run][measure].mean == beside[run][measure].mean


def test_all_runs_are_taken_where_the_judgments_do_not_tell() -> None:
    found = tr.evaluate(QRELS, {"two": TWO, "later": LATER}, "AP(norm='pool')@1 nDCG")
    assert found["later"]["AP(norm='pool')@1"].mean == 0.5
    [note] = [note for note in found.notices if note.code == "TR112"]
    assert "do not show which runs made the pool; all 2 that are evaluated together are taken" in note
    [note] = [note for note in tr.evaluate(QRELS, LATER, "AP(norm='pool')@1").notices if note.code == "TR112"]
    assert "the one given is taken" in note
    assert not [note for note in tr.evaluate(QRELS, LATER, "AP").notices if note.code == "TR112"]
