"""Two sets of judgments against plain Python: what changed, and what that does to runs."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import truerank as tr

Command = Callable[..., Result]


def track(seed: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    draw = random.Random(seed)
    docs = [f"d{n}" for n in range(30)]
    old = {f"q{t}": {doc: draw.randrange(3) for doc in draw.sample(docs, 15)} for t in range(15)}
    new = {t: {d: draw.randrange(3) if draw.random() < 0.3 else g for d, g in its.items()} for t, its in old.items()}
    for its in new.values():
        for doc in draw.sample(docs, 6):
            its[doc] = draw.randrange(3)
        for doc in draw.sample([*its], 3):
            del its[doc]
    del new["q14"]
    new["q99"] = {"d1": 1, "d2": 0}
    topics = [*old, "q99"]
    runs = {
        f"r{n}": {
            t: sorted(docs, key=lambda d, t=t, n=n: draw.random() * 2 - old.get(t, {}).get(d, 0) * n / 4)[:20]
            for t in topics
        }
        for n in range(5)
    }
    return old, new, runs


OLD, NEW, RUNS = track(4)


def compared(measures: str, runs: Any = RUNS, **keywords: Any) -> tr.JudgesCompared:
    return tr.judges({"old": OLD, "new": NEW}, measures, runs=runs, **keywords)


def test_changes_of_judgments() -> None:
    found = compared("AP")
    rows = {row.topic: row for row in found.by_topic}
    assert {*rows} == {*OLD, *NEW}
    for topic, row in rows.items():
        old, new = OLD.get(topic, {}), NEW.get(topic, {})
        both = old.keys() & new.keys()
        assert row.documents == len(both)
        assert (row.added, row.removed) == (len(new.keys() - old.keys()), len(old.keys() - new.keys()))
        assert row.raised == sum(new[doc] > old[doc] for doc in both)
        assert row.lowered == sum(new[doc] < old[doc] for doc in both)
        assert row.turned == sum((new[doc] > 0) != (old[doc] > 0) for doc in both)
        assert row.relevant == sum(grade > 0 for grade in new.values())
        assert row.reference_relevant == sum(grade > 0 for grade in old.values())
    pairs = Counter(
        (OLD.get(t, {}).get(d), NEW.get(t, {}).get(d)) for t in {*OLD, *NEW} for d in {*OLD.get(t, {}), *NEW.get(t, {})}
    )
    assert {(row.grade, row.other_grade): row.documents for row in found.grades} == pairs
    assert sum(row.share for row in found.grades if row.grade == 1 and row.share is not None) == pytest.approx(1)


@pytest.mark.parametrize("measure", ["AP", "nDCG@5", "ESL"])
def test_runs_orders_and_pairs(measure: str) -> None:
    found = compared(measure)
    scores = [tr.evaluate(one, RUNS, measure) for one in (OLD, NEW)]
    sign = 1 if scores[0].wanted[0].higher_is_better else -1
    means = [{run: sign * one[run][measure].mean for run in RUNS} for one in scores]
    for run in RUNS:
        row = found[run][measure]
        assert (row.scores["old"], row.scores["new"]) == tuple(one[run][measure].mean for one in scores)
        ranks = [1 + sum(other > one[run] for other in one.values()) for one in means]
        assert [row.ranks["old"], row.ranks["new"]] == ranks
        assert (row.best_rank, row.worst_rank) == (min(ranks), max(ranks))
        old, new = (one[run][measure].per_topic for one in scores)
        common = old.keys() & new.keys()
        assert row.changed_topics["new"] == sum(abs(old[topic] - new[topic]) > 1e-9 for topic in common)
        assert row.better_topics["new"] == sum(sign * (new[topic] - old[topic]) > 1e-9 for topic in common)
    [order] = found.orders
    pairs = [*itertools.combinations(RUNS, 2)]
    same = [(means[0][a] - means[0][b]) * (means[1][a] - means[1][b]) for a, b in pairs]
    assert order.reversed == sum(one < 0 for one in same)
    assert order.tau_a == pytest.approx((sum(one > 0 for one in same) - sum(one < 0 for one in same)) / len(pairs))
    # Pairs are tested on the topics that both judge.
    common = OLD.keys() & NEW.keys()
    old_pairs, new_pairs = (
        {
            (p.a, p.b): p.significant
            for p in tr.compare({t: one[t] for t in common}, RUNS, measure, settled=False)[measure].pairs
        }
        for one in (OLD, NEW)
    )
    assert order.significant == sum(old_pairs.values())
    assert order.lost == sum(old_pairs[pair] and not new_pairs[pair] for pair in pairs)
    assert order.gained == sum(new_pairs[pair] and not old_pairs[pair] for pair in pairs)


def test_a_contradiction_is_told_first() -> None:
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(8)}
    other = {topic: {"a": 0, "b": 1} for topic in qrels}
    runs = {"x": {t: ["a", "b"] for t in qrels}, "y": {t: ["b", "a"] for t in qrels}}
    runs["x"]["q0"] = ["b", "z", "a"]
    found = tr.judges({"old": qrels, "new": other}, "RR", runs=runs)
    [order], [pair] = found.orders, found.dependent
    assert (order.reversed, order.contradicted, order.lost, order.gained, order.tau_a) == (1, 1, 0, 0, -1.0)
    assert pair.depends == "contradicted"
    # In the measure's own sign.
    assert pair.differences["old"] > 0 > pair.differences["new"]
    assert any(
        "1 of 1 pair of runs changes order with the judge, 1 of these significantly both ways" in note
        for note in found.notes()
    )


def test_the_same_judgments_change_nothing() -> None:
    found = tr.judges({"old": OLD, "new": OLD}, "AP nDCG", runs=RUNS)
    assert all(order.tau_a == 1 and not (order.reversed or order.lost or order.gained) for order in found.orders)
    assert not found.dependent
    assert all(row.differences["new"] == 0 and not row.changed_topics["new"] for row in found.board)
    assert not any("changes most" in note for note in found.notes())


def test_one_run_and_a_measure_that_is_no_mean() -> None:
    [row] = compared("AP", {"r1": RUNS["r1"]}).board
    assert row.ranks == {"old": 1, "new": 1}
    found = compared("GM")
    assert found.orders[0].lost is None
    assert not found.bias
    assert found.orders[0].tau_a == found.orders[0].tau_a


def test_a_judge_may_have_any_name() -> None:
    found = tr.judges({"run": OLD, "measure": NEW}, "AP", runs=RUNS)
    record = found.to_records("runs")[0]
    assert record["run"] in RUNS
    assert record["measure"] == "AP"
    assert record["score.run"] == found[record["run"]]["AP"].scores["run"]


def test_the_old_command_still_works(truerank: Command, files: Path) -> None:
    (files / "new.txt").write_text((files / "qrels.txt").read_text().replace(" 0\n", " 1\n", 1) + "q1 0 zz 2\n")
    given = [files / "qrels.txt", files / "new.txt", files / "tied.run", files / "good.run", "-m", "AP"]
    done = truerank("rejudged", *given, "--show", "orders")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0].split("\t")[:5] == ["measure", "variant", "other", "runs", "tau_a"]
    assert "truerank rejudged is now truerank judges" in done.stderr
    assert "compared with old, new has 1 judgment more and lacks 0" in done.stderr
    document = json.loads(truerank("rejudged", *given, "--format", "json").stdout)
    assert {"orders", "runs", "pairs", "topics", "grades"} <= document.keys()
    with pytest.warns(DeprecationWarning, match=r"truerank.rejudged is now truerank.judges"):
        assert tr.rejudged(OLD, NEW, RUNS, "AP").orders == compared("AP").orders  # type: ignore[attr-defined]


def test_no_note_says_what_stays() -> None:
    judges = {"old": {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}, "new": {"q1": {"a": 0, "b": 1}, "q2": {"c": 1}}}
    first, second = {"q1": ["a", "b"], "q2": ["c"]}, {"q1": [], "q2": ["c"]}
    said = {
        len(runs): [str(note) for note in tr.judges(judges, "RR", runs=runs).notes()]
        for runs in ({"x": first}, {"x": first, "y": second})
    }
    assert not any("ranked first" in note for note in said[1])
    assert any("x is ranked first by every judge" in note for note in said[2])
    assert any(note.startswith("RR: x changes most, by -0.2500 under new") for note in said[2])
    same = tr.judges({"old": judges["old"], "new": judges["old"]}, "RR", runs={"x": first, "y": second})
    assert not any("changes most" in str(note) for note in same.notes())
