"""Two sets of judgments against plain Python: what changed, what moved, what turned."""

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


def test_changes_of_judgments() -> None:
    found = tr.rejudged(OLD, NEW, RUNS, "AP")
    rows = {row.topic: row for row in found.by_topic}
    assert [*rows] == sorted({*OLD, *NEW})
    for topic, row in rows.items():
        old, new = OLD.get(topic, {}), NEW.get(topic, {})
        both = old.keys() & new.keys()
        assert (row.before, row.after) == (len(old), len(new))
        assert (row.added, row.removed) == (len(new.keys() - old.keys()), len(old.keys() - new.keys()))
        assert row.raised == sum(new[doc] > old[doc] for doc in both)
        assert row.lowered == sum(new[doc] < old[doc] for doc in both)
        assert row.turned == sum((new[doc] > 0) != (old[doc] > 0) for doc in both)
        assert row.relevant_after == sum(grade > 0 for grade in new.values())
    pairs = Counter(
        (OLD.get(t, {}).get(d), NEW.get(t, {}).get(d)) for t in {*OLD, *NEW} for d in {*OLD.get(t, {}), *NEW.get(t, {})}
    )
    assert {(row.before, row.after): row.documents for row in found.grades} == pairs
    assert (found.topics_before, found.topics_after) == (15, 15)


@pytest.mark.parametrize("measure", ["AP", "nDCG@5", "ESL"])
def test_runs_orders_and_findings(measure: str) -> None:
    found = tr.rejudged(OLD, NEW, RUNS, measure, correction="none")
    scores = [tr.evaluate(one, RUNS, measure) for one in (OLD, NEW)]
    sign = 1 if scores[0].wanted[0].higher_is_better else -1
    means = [{run: sign * one[run][measure].mean for run in RUNS} for one in scores]
    for run in RUNS:
        row = found[run][measure]
        assert (row.before, row.after) == tuple(one[run][measure].mean for one in scores)
        places = [1 + sum(other > one[run] for other in one.values()) for one in means]
        assert [row.place_before, row.place_after] == places
        topics = [one[run][measure].per_topic for one in scores]
        assert row.changed_topics == sum(
            abs(topics[0][topic] - topics[1][topic]) > 1e-9 for topic in topics[0].keys() & topics[1].keys()
        )
    [order] = found.orders
    pairs = [*itertools.combinations(RUNS, 2)]
    same = [(means[0][a] - means[0][b]) * (means[1][a] - means[1][b]) for a, b in pairs]
    assert order.swapped == sum(one < 0 for one in same)
    assert order.tau == pytest.approx((sum(one > 0 for one in same) - sum(one < 0 for one in same)) / len(pairs))
    old, new = (
        {(p.a, p.b): p for p in tr.compare(one, RUNS, measure, correction="none", settled=False)[measure].pairs}
        for one in (OLD, NEW)
    )
    assert order.found_before == sum(pair.significant for pair in old.values())
    assert order.found_after == sum(pair.significant for pair in new.values())
    assert order.lost == sum(old[pair].significant and not new[pair].significant for pair in old)
    assert order.gained == sum(new[pair].significant and not old[pair].significant for pair in old)
    turned = {
        pair
        for pair in old
        if old[pair].verdict != new[pair].verdict and (old[pair].significant or new[pair].significant)
    }
    assert {(row.compared_with, row.run) for row in found.pairs} == turned
    assert order.reversed == sum(old[pair].significant and new[pair].significant for pair in turned)


def test_a_finding_that_is_reversed_comes_first() -> None:
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(8)}
    other = {topic: {"a": 0, "b": 1} for topic in qrels}
    runs = {"x": {t: ["a", "b"] for t in qrels}, "y": {t: ["b", "a"] for t in qrels}}
    runs["x"]["q0"] = ["b", "z", "a"]
    found = tr.rejudged(qrels, other, runs, "RR")
    [order], [pair] = found.orders, found.pairs
    assert (order.reversed, order.lost, order.gained, order.tau) == (1, 0, 0, -1.0)
    assert (pair.before, pair.after) == ("worse", "better")
    assert any("of 1 finding 1 reversed and 0 lost, 0 new" in note for note in found.notes())


def test_the_same_judgments_change_nothing() -> None:
    found = tr.rejudged(OLD, OLD, RUNS, "AP nDCG")
    assert all(order.tau == 1 and not (order.swapped or order.lost or order.gained) for order in found.orders)
    assert not found.pairs
    assert all(row.difference == 0 and not row.changed_topics for row in found.moves)
    assert "moves most" not in str(found)


def test_one_run_and_a_measure_that_is_no_mean() -> None:
    assert tr.rejudged(OLD, NEW, RUNS["r1"], "AP").usual() == "runs"
    found = tr.rejudged(OLD, NEW, RUNS, "GM")
    assert found.orders[0].found_before is None
    assert found.orders[0].tau == found.orders[0].tau


def test_on_the_command_line(truerank: Command, files: Path) -> None:
    (files / "new.txt").write_text((files / "qrels.txt").read_text().replace(" 0\n", " 1\n", 1) + "q1 0 zz 2\n")
    given = [files / "qrels.txt", files / "new.txt", files / "tied.run", files / "good.run", "-m", "AP"]
    done = truerank("rejudged", *given)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0].split("\t")[:3] == ["measure", "runs", "tau"]
    assert "note: 1 judgments were added, 0 removed, 1 raised and 0 lowered" in done.stderr
    document = json.loads(truerank("rejudged", *given, "--format", "json").stdout)
    assert {"orders", "runs", "pairs", "topics", "grades"} <= document.keys()
    (files / "prefs.txt").write_text("q1 a b\n")
    assert "these judgments are preferences" in truerank("rejudged", files / "prefs.txt", *given[1:]).stderr
