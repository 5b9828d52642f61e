"""The pool of TREC-8, and NIST's experiment with one of depth 10: its documents, its MAPs, its tau."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import truerank as tr
from truerank.io.trec import qrels_lines
from truerank.questions.agreement.files import read_ranking
from truerank.questions.agreement.question import agreement
from truerank.questions.pool.question import leave_out, pool, pools, restrict

from .shared import need

SINGLE = "uwmt8a0"
"""Its scores, such as 100000.1546, differ in double precision and tie in single precision."""


@pytest.fixture(scope="module")
def runs() -> list[Path]:
    return sorted(need("trec8", "runs").glob("*.gz"))


@pytest.fixture(scope="module")
def shallow(runs: list[Path]) -> tr.Qrels:
    """The judgments within depth 10 of all runs, tied documents as they stand in the files."""
    return restrict(need("trec8", "qrels.gz"), runs, 10, contributors="all", ties="input")


@pytest.fixture(scope="module")
def maps(runs: list[Path], shallow: tr.Qrels) -> dict[str, float]:
    """What trec_eval -J prints with them."""
    found = tr.evaluate(shallow, runs, "AP", like="trec_eval-10", unjudged="condensed", missing="empty")
    return {name: round(score["AP"].mean, 4) for name, score in found.items()}


def test_contributors_and_depth_are_found(runs: list[Path]) -> None:
    found = pools(need("trec8", "qrels.gz"), runs)
    assert (found.depth, len(found.contributors), found.ties) == (100, 69, "docid")
    # All their documents are those of other runs.
    assert found.possible == ("Dm8TFidf", "Mer8Adtd1", "Mer8Adtd2")
    assert (found.certainty, found.explained, found.explained_relevant) == ("certain", 86830, 4728)
    assert all(found[name].judged_pool == 1.0 for name in found.contributors)
    assert all(part.judged_pool < 1.0 for part in found.values() if part.contributes is False)


def test_the_documents_are_those_of_depth_10(runs: list[Path], shallow: tr.Qrels) -> None:
    printed = need("trec8", "depth10.qrels").read_text().splitlines()
    assert len(shallow) == 11966
    assert sorted(qrels_lines(shallow).splitlines()) == sorted(line for line in printed if not line.endswith(" -1"))
    # What is in the pool and was never judged has the grade -1 there, and here.
    pooled = pool(runs, 10, qrels=need("trec8", "qrels.gz"), ties="input")
    assert sorted(pooled.to_qrels().splitlines()) == sorted(printed)
    assert len(pooled.to_judge) == 1114


def test_a_pool_of_all_runs_is_found_from_its_judgments(runs: list[Path]) -> None:
    found = pools(need("trec8", "depth10.qrels"), runs)
    assert (found.depth, found.ties, found.certainty) == (10, "input", "certain")
    assert len(found.contributors) + len(found.possible) == 129
    assert (found.judgments, found.not_judged) == (11966, 1114)


def test_every_map_agrees_in_every_digit(maps: dict[str, float]) -> None:
    assert maps == read_ranking(need("trec8", "depth10.map"))


def test_one_run_needs_double_precision(maps: dict[str, float], shallow: tr.Qrels) -> None:
    run = need("trec8", "runs", f"{SINGLE}.gz")
    single = tr.evaluate(shallow, run, "AP", like="trec_eval-9", unjudged="condensed", missing="empty")
    assert (maps[SINGLE], round(single[SINGLE]["AP"].mean, 4)) == (0.3350, 0.3361)


def test_tau_with_the_official_maps(maps: dict[str, float]) -> None:
    official = {}
    for path in sorted(need("trec8", "trec_eval10").glob("*.gz")):
        found = re.search(r"^map\s+all\s+(\S+)$", gzip.decompress(path.read_bytes()).decode(), re.MULTILINE)
        assert found is not None
        official[path.name.removesuffix(".gz")] = float(found[1])
    printed = re.search(r"is (0\.\d+)", need("trec8", "depth10.tau").read_text())
    assert printed is not None
    assert agreement(official, maps).tau_b == pytest.approx(float(printed[1]), abs=1e-14)


def test_a_new_system_would_lose_little(runs: list[Path]) -> None:
    found = leave_out(need("trec8", "qrels.gz"), runs, "AP", unjudged="nonrelevant")
    [summary] = found.summaries
    assert (summary.left_out, summary.systems, summary.verdict) == (72, 129, "fair")
    assert (summary.largest, summary.steepest, summary.steepest_drop.drop) == ("READWARE2", "orcl99man", 2)
    assert summary.tau_b > 0.99
    # The same by way of a pool that never had the run.
    worst = summary.largest_loss
    others = [path for path in runs if path.name.removesuffix(".gz") in found.groups.keys() - {worst.run}]
    without = restrict(need("trec8", "qrels.gz"), others, 100, contributors="all", ties="docid")
    score = tr.evaluate(without, need("trec8", "runs", f"{worst.run}.gz"), "AP")[worst.run]["AP"].mean
    assert len(without) == 86830 - worst.removed
    assert worst.without == pytest.approx(score, abs=1e-12)
