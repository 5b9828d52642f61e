"""Pool depth by evaluation depth, against pools that are made and evaluated by hand; runs that made the pool."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

import truerank as tr

Command = Callable[..., Result]
DEPTH = 6


def pooled_track(seed: int = 3, topics: int = 12) -> tuple[dict[str, Any], dict[str, Any]]:
    """Four runs whose first documents were judged, and one that came later; no two documents of a list are tied."""
    draw = random.Random(seed)
    docs = [f"d{n}" for n in range(60)]
    truth = {f"q{t}": {doc: int(draw.random() < 0.3) for doc in docs} for t in range(topics)}
    runs: dict[str, Any] = {}
    for name, skill in (("a", 0.9), ("b", 0.6), ("c", 0.4), ("d", 0.1), ("late", 0.5)):
        runs[name] = {}
        for topic, grades in truth.items():
            scores = {doc: skill * grade + draw.random() for doc, grade in grades.items()}
            if name == "late":
                scores = {f"x{doc}" if n % 2 else doc: score for n, (doc, score) in enumerate(scores.items())}
            best = sorted(scores, key=lambda doc: -scores[doc])[:20]
            runs[name][topic] = {doc: scores[doc] for doc in best}
    qrels = {
        topic: {
            doc: grades[doc]
            for name in "abcd"
            for doc in sorted(runs[name][topic], key=lambda doc, of=runs[name][topic]: -of[doc])[:DEPTH]
        }
        for topic, grades in truth.items()
    }
    return qrels, runs


QRELS, RUNS = pooled_track()


def test_the_pool_of_the_track_is_found() -> None:
    found = tr.pools(QRELS, RUNS)
    assert (found.depth, found.contributors) == (DEPTH, ("a", "b", "c", "d"))


@cache
def pairs(pool_depth: int | None, measure: str) -> Any:
    """Pairs of runs by t-tests, each judged once: those of the whole pool stand beside every other."""
    judged = QRELS if pool_depth is None else tr.restrict(QRELS, RUNS, pool_depth)
    return tr.compare(judged, RUNS, measure, correction="none", settled=False)[measure]


def tau(one: list[float], other: list[float]) -> float:
    pairs = [*itertools.combinations(range(len(one)), 2)]
    return sum(np.sign(one[i] - one[j]) * np.sign(other[i] - other[j]) for i, j in pairs) / len(pairs)


def test_every_cell_is_that_of_a_pool_made_by_hand() -> None:
    """``restrict`` makes the judgments, ``evaluate`` the scores, ``compare`` the t-tests."""
    found = tr.depth(QRELS, RUNS, "AP", grid=True)
    assert [*dict.fromkeys(cell.pool_depth for cell in found.grid)] == [1, 2, 3, 5, None]
    last = max(cell.depth for cell in found.grid)
    truth = [tr.evaluate(QRELS, RUNS, f"AP@{last}")[run][f"AP@{last}"].mean for run in RUNS]
    for cell in found.grid:
        measure = f"AP@{cell.depth}"
        judged = QRELS if cell.pool_depth is None else tr.restrict(QRELS, RUNS, cell.pool_depth)
        means = [tr.evaluate(judged, RUNS, measure)[run][measure].mean for run in RUNS]
        assert cell.tau_a == pytest.approx(tau(means, truth))
        here, full = pairs(cell.pool_depth, measure), pairs(None, measure)
        findings = [pair for pair in here.pairs if pair.significant]
        assert cell.discrimination == pytest.approx(len(findings) / 10)
        if findings:
            whole = {(pair.a, pair.b): pair for pair in full.pairs}
            turned = [p for p in findings if np.sign(p.difference) != np.sign(whole[p.a, p.b].difference)]
            gone = [p for p in findings if not whole[p.a, p.b].significant]
            assert cell.reversed_share == pytest.approx(len(turned) / len(findings))
            assert cell.gained_share == pytest.approx(len(gone) / len(findings))
        else:
            assert np.isnan(cell.reversed_share)
        assert cell.judgments == (
            sum(map(len, QRELS.values())) if cell.pool_depth is None else len(tr.restrict(QRELS, RUNS, cell.pool_depth))
        )
    [end] = [cell for cell in found.grid if cell.pool_depth is None and cell.depth == last]
    assert (end.tau_a, end.reversed_share, end.gained_share) == (1.0, 0.0, 0.0)


def test_only_runs_that_made_the_pool() -> None:
    found = tr.depth(QRELS, RUNS, "AP AP(norm='pool')", contributors=True, condensed=True)
    made = {name: RUNS[name] for name in "abcd"}
    alone = tr.depth(QRELS, made, "AP AP(norm='pool')", condensed=True)
    assert [*found] == [*made]
    for run, measure in itertools.product(made, found.measures):
        assert (found[run][measure] == alone[run][measure]).all()
    assert (found.pool_depth, found.deep_pool) == (DEPTH, str(DEPTH))
    assert found.notices[0] == "4 of 5 runs made the pool, and only these are shown"
    # What AP is divided by is about the runs of the pool, whichever others are evaluated beside them.
    whole = tr.depth(QRELS, RUNS, "AP(norm='pool')")
    assert np.allclose(whole["a"]["AP(norm='pool')"], found["a"]["AP(norm='pool')"])


def test_a_pool_that_is_deeper_in_some_topics_is_told_with_a_plus() -> None:
    simulated = tr.simulate(systems=12, topics=20, seed=3, pool_depth=60, depth=60, contributing=1.0)
    runs = {name: run for name, run in simulated.runs.items() if "boolean" not in name}
    qrels: dict[str, dict[str, int]] = {}
    for name in sorted(runs)[:7]:
        for topic in (text.decode() for text in runs[name].topics):
            number = int(topic)
            first = runs[name].ranking(topic)[: 10 if number % 2 else 30]
            qrels.setdefault(topic, {}).update({document: sum(map(ord, document)) % 2 for document, _ in first})
    found = tr.depth(qrels, runs, "P", contributors=True)
    pool = tr.pools(qrels, runs)
    assert (found.pool_depth, found.pool_deepest) == (pool.depth, pool.deepest)
    assert (found.pool_depth, found.pool_deepest, found.deep_pool) == (10, 30, "10+")
    assert f"pool depth {found.pool_depth}+" in found.caption("stability")
    assert f"pool depth {found.pool_depth}+" in json.dumps(found.plot().spec)


def test_runs_that_tell_of_no_pool() -> None:
    qrels = {"q1": {"u": 1, "v": 0}, "q2": {"u": 1}}
    runs = {"x": {"q1": ["a", "u", "v"], "q2": ["b", "u"]}, "y": {"q1": ["c", "v", "u"], "q2": ["d", "e", "u"]}}
    with pytest.raises(tr.InputError, match="do not tell which of them made the pool"):
        tr.depth(qrels, runs, "AP", contributors=True)
    found = tr.depth(qrels, runs, "AP", grid=True)
    assert any(note.code == "TR223" for note in found.notices)
    assert [*dict.fromkeys(cell.pool_depth for cell in found.grid)] == [1, None]
    with pytest.raises(tr.InputError, match="a grid is about the ordering of runs"):
        tr.depth(qrels, runs["x"], "AP", grid=True)


def test_tables_and_figures(tmp_path: Path) -> None:
    found = tr.depth(QRELS, RUNS, "AP P", grid=True)
    assert found.usual() == "grid"
    table = str(found).splitlines()
    assert table[0].split()[:6] == ["measure", "unjudged", "pool", "depth", "judgments", "tau_a@10"]
    assert sum(line.split()[2:3] == ["all"] for line in table) == 2
    assert (found.to_tsv() or "").splitlines()[0].split("\t")[:4] == ["measure", "unjudged", "pool_depth", "depth"]
    plot = found.plot("grid")
    assert len(plot.spec["concat"]) == 6
    assert plot.render("svg").count(b"<path") > 100
    with pytest.raises(tr.InputError, match="there is no grid"):
        tr.depth(QRELS, RUNS, "AP").plot("grid")


def test_on_the_command_line(truerank: Command, files: Path) -> None:
    for name, scored in RUNS.items():
        rows = [f"{t} Q0 {d} 0 {s!r} {name}" for t, docs in scored.items() for d, s in docs.items()]
        (files / f"{name}.run").write_text("\n".join(rows) + "\n")
    (files / "pooled.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in QRELS.items() for d, g in docs.items()))
    given = [files / "pooled.txt", *(files / f"{name}.run" for name in RUNS), "-m", "AP"]
    done = truerank("depth", *given, "--contributors", "--grid", "--format", "json", "--plot", files / "grid.svg")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert {cell["pool_depth"] for cell in document["grid"]} == {1, 2, 3, 5, None}
    assert document["pool_deepest"] == DEPTH
    assert (files / "grid.svg").exists()
    assert "--show grid needs --grid" in truerank("depth", *given, "--show", "grid").stderr


def test_two_forms_of_a_measure_stand_side_by_side() -> None:
    spec = tr.depth(QRELS, RUNS, "AP AP(norm='pool')").plot().spec
    assert spec["columns"] == len(spec["concat"]) == 2
