"""The pool of TREC-COVID round 2, whose contributing runs are published."""

from __future__ import annotations

import csv

import pytest

import truerank as tr

from .shared import need


@pytest.fixture(scope="module")
def covid() -> tuple[tr.Pools, dict[str, bool]]:
    with need("covid2", "official.csv").open() as lines:
        official = {row["tag"]: row["contributed judgments"] == "yes" for row in csv.DictReader(lines)}
    return tr.pools(need("covid2", "qrels.gz"), sorted(need("covid2", "runs").iterdir())), official


def test_trec_covid_round_2(covid: tuple[tr.Pools, dict[str, bool]]) -> None:
    found, official = covid
    assert {part.run for part in found.parts} == official.keys()
    told = {part.run: part.contributes for part in found.parts}
    assert not [run for run, contributes in told.items() if contributes is not None and contributes != official[run]]
    assert len(found.contributors) == 48
    # Their first documents are the same as those of a run of the same team, or all but one.
    assert found.possible == (
        "BBGhelani1",
        "BBGhelani2",
        "BBGhelani3",
        "ES_Covid_ML",
        "req_rec_run1",
        "req_rec_run3",
        "run1",
        "run3",
    )
    assert found["run1"].reason == "what no contributing run has of its documents, run3 has too"
    assert found["ES_Covid_ML"].reason.endswith("1 of them judged: too few to tell")
    # The five topics that were new in this round were judged deeper.
    assert {one.topic for one in found.topics if one.depth == 15} == {"31", "32", "33", "34", "35"}
    assert {one.depth for one in found.topics} == {7, 15}
