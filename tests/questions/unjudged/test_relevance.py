"""The model of relevance, and scores in judgments that are drawn from it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.questions.unjudged.relevance import (
    FEWEST,
    NEAR,
    WIDENED,
    ListedDocuments,
    TopicWorlds,
    Worlds,
    ranks_in,
    relevance,
)
from truerank.questions.unjudged.worlds import scores
from truerank.statistics.mixed import Covariates, mixed_logit
from truerank.track.track import Track

from ...parity.shared import need

MEASURES = "AP AP@4 nDCG@3 nDCG RBP P@5 R@3 RR ERR@4 Bpref infAP Rprec Q F@3 Success@2 NumRel"


def collection(seed: int, *, topics: int = 12, runs: int = 6, judged: int = 8) -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs of which the first are good; all that one of them lists high is judged."""
    rng = random.Random(seed)
    docs = [f"d{n}" for n in range(60)]
    truth = {str(t): {d: int(rng.random() < 0.25) for d in docs} for t in range(topics)}
    lists = {
        f"r{n}": {
            t: sorted(docs, key=lambda d: rng.gauss(1.5 * (1 - n / runs) * some[d], 1.0), reverse=True)[:30]
            for t, some in truth.items()
        }
        for n in range(runs)
    }
    pool = {t: {d for some in lists.values() for d in some[t][:judged]} for t in truth}
    return {t: {d: g for d, g in some.items() if d in pool[t]} for t, some in truth.items()}, lists


def test_effects_are_those_of_one_regression_over_all_columns() -> None:
    """Newton steps over all coefficients at once, with the spread of effects that was found."""
    rng = np.random.default_rng(3)
    group, x, share = rng.integers(0, 6, 400), rng.normal(size=(400, 1)), rng.dirichlet(np.ones(4), 400)
    one = np.ones((400, 1))
    odds = -0.5 + x[:, 0] + np.linspace(-1, 1, 6)[group] + share @ np.array([2.0, 0.0, 0.0, -2.0])
    y = (rng.random(400) < 1 / (1 + np.exp(-odds))).astype(float)
    cases = Covariates(np.column_stack([one, x]), share, np.column_stack([one, x]), group)
    found = mixed_logit(cases, y, 6)
    varying, first, second = found.spread
    own = (group[:, None] == np.arange(6)).astype(float)
    every = np.column_stack([one, x, share, own, own * x])
    holds = np.concatenate([[1e-3] * 2, [varying**-2] * 4, [first**-2] * 6, [second**-2] * 6])
    b = np.zeros(len(holds))
    for _ in range(60):
        p = 1 / (1 + np.exp(-every @ b))
        curve = every.T @ (every * (p * (1 - p))[:, None]) + np.diag(holds)
        b = b + np.linalg.solve(curve, every.T @ (y - p) - holds * b)
    assert found.odds(cases) == pytest.approx(every @ b, abs=0.02)
    assert np.diag(np.linalg.inv(found.precision)) == pytest.approx(np.diag(np.linalg.inv(curve))[:6], rel=0.05)
    common, effects = found.draw(4000, 1)
    drawn = common @ cases.common.T + np.einsum("ngi,ci->ncg", effects, cases.own)[:, np.arange(400), group]
    variance = np.einsum("nc,cd,nd->n", every, np.linalg.inv(curve), every)
    assert drawn.var(axis=0) == pytest.approx(variance, rel=0.15)


def test_documents_that_stand_high_in_good_runs_are_likelier_to_be_relevant() -> None:
    qrels, runs = collection(1)
    model = relevance(Track.of(qrels, runs, "AP", {}))
    assert model is not None
    assert (model.listed.quality[:2] > model.listed.quality[-1]).all()
    new = {**runs, "r0": {**runs["r0"], "0": ["high", *runs["r0"]["0"], "low"]}}
    changed = relevance(Track.of(qrels, new, "AP", {}))
    assert changed is not None
    key = tr.read_run({"x": {"0": ["high", "low"]}}["x"]).key.astype(np.uint64)
    high, low = changed.chance_of(0, key)
    assert 0 < low < high < 1


def test_unjudged_documents_count_as_not_relevant_in_the_quality_of_a_run() -> None:
    """Otherwise a run with one judged document, which is relevant, would look better than all others."""
    qrels = {"q": {f"d{n}": n % 2 for n in range(20)}}
    runs = {"judged": {"q": [f"d{n}" for n in range(20)]}, "new": {"q": ["d1", *(f"u{n}" for n in range(19))]}}
    track = Track.of(qrels, runs, "AP", {})
    quality = ListedDocuments.of(track.each(ranks_in), 1).quality
    near = NEAR / (NEAR + np.arange(20.0))
    relevant = np.array([near[1::2].sum(), near[0]])
    mean = relevant.sum() / (2 * near.sum())
    assert quality == pytest.approx((relevant + FEWEST * mean) / (near.sum() + FEWEST))
    assert quality[0] > quality[1]


def test_worlds_are_shifted_as_a_whole_and_by_run() -> None:
    """How many relevant documents worlds have, by the method as it is written: document by document."""
    qrels, runs = collection(6)
    model = relevance(Track.of(qrels, runs, "AP", {}))
    assert model is not None
    drawn = model.worlds(4000, 3)
    count = np.sum([np.bincount(one.world, minlength=4000) for one in drawn.topics.values()], axis=0)
    cases = model.listed.cases(model.unjudged, model.centre, model.scale)
    common, own = model.fitted.draw(4000, 7, WIDENED)
    rng, expected = np.random.default_rng(5), []
    for coefficients, topics in zip(common, own, strict=True):
        odds = cases.common @ coefficients + (cases.own * topics[cases.group]).sum(axis=-1)
        odds += rng.normal(-1.0, 0.8) + cases.varying @ rng.normal(0.0, 0.5, len(runs))
        expected.append((rng.random(len(odds)) < 1 / (1 + np.exp(-odds))).sum())
    assert count.mean() == pytest.approx(np.mean(expected), rel=0.03)
    assert count.std() == pytest.approx(np.std(expected), rel=0.06)


def test_the_order_of_runs_and_rows_and_workers_do_not_matter(tmp_path: Path) -> None:
    qrels, runs = collection(2, topics=6, judged=4)
    paths = {}
    for name, some in runs.items():
        rows = [f"{t} Q0 {d} {n} {-n} x\n" for t, docs in some.items() for n, d in enumerate(docs, 1)]
        random.Random(1).shuffle(rows)
        paths[name] = tmp_path / f"{name}.run"
        paths[name].write_text("".join(rows))
    as_given = tr.unjudged(qrels, runs, "AP RBP", next=5)
    shuffled = {t: dict(random.Random(3).sample([*some.items()], len(some))) for t, some in reversed(qrels.items())}
    reversed_runs = {name: str(path) for name, path in reversed(paths.items())}
    again = tr.unjudged(shuffled, reversed_runs, "AP RBP", next=5, engine=tr.Engine(workers=2))
    assert {(p.measure, p.run, p.compared_with): p.chance for p in again.pairs} == {
        (p.measure, p.run, p.compared_with): p.chance for p in as_given.pairs
    }
    assert {(r.run, r.measure): (r.likely_low, r.likely_high) for r in again.open_scores} == {
        (r.run, r.measure): (r.likely_low, r.likely_high) for r in as_given.open_scores
    }
    assert again.relevant == as_given.relevant
    assert [(j.topic, j.doc, j.chance) for j in again.next] == [(j.topic, j.doc, j.chance) for j in as_given.next]
    assert max(p.chance or 0.0 for p in as_given.pairs) > 0.1


def test_of_documents_that_nobody_judged_as_many_are_expected_as_there_are() -> None:
    """On TREC-8, with a pool of other runs. A model that is not shifted expects half as many again."""
    data = need("trec8/qrels.gz").parent
    qrels = tr.read_qrels(str(data / "qrels.gz"))
    grade = {
        (qrels.topics[at].decode(), qrels.docs[row].decode()): qrels.grade[row]
        for at in range(len(qrels.topics))
        for row in range(qrels.offsets[at], qrels.offsets[at + 1])
    }
    tops: dict[str, dict[str, list[str]]] = {}
    for path in sorted((data / "runs").glob("*.gz"))[::4]:
        run = tr.read_run(str(path))
        lists = {t.decode(): [d for d, _ in run.ranking(t.decode())[:100]] for t in run.topics}
        if all((t, d) in grade for t, docs in lists.items() for d in docs):
            tops[path.name] = lists
    names = [*tops]
    assert len(names) >= 12
    compared = {name: tops[name] for name in names[::3]}
    others = [tops[name] for name in names if name not in compared]
    pool = {t: {d for some in others for d in some.get(t, [])[:20]} for t in {t for t, _ in grade}}
    track = Track.of({t: {d: grade[t, d] for d in some} for t, some in pool.items()}, compared, "AP", {})
    model = relevance(track)
    assert model is not None
    listed = {(t, d) for some in compared.values() for t, docs in some.items() for d in docs if d not in pool[t]}
    there = sum(grade[one] > 0 for one in listed)
    worlds = model.worlds(100, 0)
    found = np.sum([np.bincount(one.world, minlength=100) for one in worlds.topics.values()], axis=0)
    assert 0.6 < np.mean(found) / there < 1.5
    low, high = np.quantile(found, (0.05, 0.95))
    assert low < there < high


def test_too_few_judgments_tell_nothing() -> None:
    qrels, runs = collection(1, topics=1)
    few = {t: dict(list(some.items())[:FEWEST]) for t, some in qrels.items()}
    assert relevance(Track.of(few, runs, "AP", {})) is None
    only = {t: {d: 1 for d, g in some.items() if g} for t, some in collection(1)[0].items()}
    assert relevance(Track.of(only, collection(1)[1], "AP", {})) is None


@pytest.mark.parametrize("ties", ["expected", "docid"])
@pytest.mark.parametrize("text", MEASURES.split())
def test_scores_in_a_world_are_those_of_its_judgments(text: str, ties: str) -> None:
    rng = random.Random(4)
    docs = [f"d{n}" for n in range(12)]
    qrels = {t: dict(zip(rng.sample(docs, 5), [0, 2, 1, 0, 1], strict=True)) for t in "pq"}
    runs = {n: {t: {d: float(rng.choice([1, 2, 3, 4])) for d in rng.sample(docs, 8)} for t in "pq"} for n in "xy"}
    track = Track.of(qrels, runs, text, {"unjudged": "bounds", "ties": ties})
    names = {int(k): d for d, k in zip(docs, tr.read_run({"p": docs}).key.astype(np.uint64).tolist(), strict=True)}
    topics, every = {}, [dict(qrels) for _ in range(3)]
    for at, t in enumerate("pq"):
        open_ = sorted(k for k, d in names.items() if d not in qrels[t] and any(d in run[t] for run in runs.values()))
        found = [(n, w, float(rng.choice([1, 2]))) for n in range(len(open_)) for w in range(3) if rng.random() < 0.4]
        # Each world once more: worlds that are the same are scored once.
        found = [(n, w + again, g) for n, w, g in found for again in (0, 3)]
        topics[at] = TopicWorlds(
            at,
            np.array(open_, np.uint64),
            *(np.array([one[i] for one in found], kind) for i, kind in enumerate((np.int64, np.int64, np.float64))),
        )
        for world in range(3):
            grades = {names[open_[n]]: g for n, w, g in found if w == world}
            every[world] = {
                **every[world],
                t: {**dict.fromkeys((names[k] for k in open_), 0), **qrels[t], **grades},
            }
    for lens in track.lenses():
        expected = [tr.evaluate(judged, runs, text, ties=ties)[lens.name][text].mean for judged in every]
        assert scores(lens, track.measures[0], Worlds(6, topics)).tolist() == pytest.approx(expected * 2)


def test_chances_of_reversal() -> None:
    qrels, runs = collection(5)
    found = tr.unjudged(qrels, runs, "AP")
    assert found.draws == 200
    for pair in found.pairs:
        assert pair.chance is not None
        assert (pair.chance == 0) is not pair.can_reverse
    # The farther apart two runs are, the less likely it is.
    near, far = ([p.chance or 0.0 for p in found.pairs if (p.difference > 0.1) == apart] for apart in (False, True))
    assert np.mean(near) > np.mean(far)
    again = tr.unjudged(qrels, runs, "AP")
    assert [p.chance for p in again.pairs] == [p.chance for p in found.pairs]
    assert {p.chance for p in tr.unjudged(qrels, runs, "AP", draws=0).undecided("AP")} == {None}
