"""How likely verdicts change if unjudged documents were judged."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest

from truerank.questions.compare import likely
from truerank.questions.compare.likely import LEAST, likelihood
from truerank.questions.compare.question import compare
from truerank.questions.unjudged.relevance import SEED, relevance
from truerank.track.track import Track

pytest.importorskip("scipy")

TOPICS, DEPTH = 16, 12


def shown(seed: int, systems: int, judged: float, *, zeros: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments of a share of the documents that runs list, the rest of which nobody judged."""
    rng = np.random.default_rng(seed)
    qrels: dict[str, Any] = {}
    runs: dict[str, Any] = {f"s{at}": {} for at in range(systems)}
    for topic in (f"t{at:02}" for at in range(TOPICS)):
        relevant = rng.random(40) < 0.3
        known = rng.random(40) < judged
        qrels[topic] = {f"d{at}": int(relevant[at]) for at in np.flatnonzero(known) if zeros or relevant[at]}
        qrels[topic].setdefault("d99", 1)
        for at, run in enumerate(runs.values()):
            score = relevant * (1.0 - 0.25 * at) + rng.normal(0, 0.8, 40)
            run[topic] = [f"d{doc}" for doc in np.argsort(-score)[:DEPTH]]
    return qrels, runs


QRELS, RUNS = shown(1, 3, 0.5)


def test_verdicts_are_those_of_the_runs_scored_again_in_each_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likely, "DRAWS", 12)
    found = compare(QRELS, RUNS, "P@5 nDCG@10")
    track = Track.of(QRELS, RUNS, "P@5 nDCG@10", {})
    model = relevance(track)
    assert model is not None
    worlds = model.worlds(12, SEED)
    changed = {(row.measure, row.run, row.compared_with): 0 for row in found.every_change}
    names = {lens.run.key[row]: doc for lens in track.lenses() for row, doc in enumerate(_documents(lens))}
    for world in range(12):
        judged = copy.deepcopy(QRELS)
        for at, name in enumerate(track.topics):
            if at in worlds.topics:
                drawn = worlds.topics[at]
                judged[name] |= {names[key]: 0 for key in drawn.key.tolist()}
                here = drawn.world == world
                grades = zip(drawn.document[here].tolist(), drawn.grade[here].tolist(), strict=True)
                judged[name] |= {names[drawn.key[doc].item()]: int(grade) for doc, grade in grades}
        again = compare(judged, RUNS, "P@5 nDCG@10")
        for measure, each in again.items():
            for pair, before in zip(each.pairs, found[measure].pairs, strict=True):
                changed[measure, pair.run, pair.compared_with] += pair.verdict != before.verdict
    assert {key: count / 12 for key, count in changed.items()} == pytest.approx(
        {(row.measure, row.run, row.compared_with): row.chance for row in found.every_change}
    )
    assert any(changed.values())


def _documents(lens: Any) -> list[str]:
    run = RUNS[lens.run.name]
    return [doc for topic in lens.run.topics for doc in run[topic.decode() if isinstance(topic, bytes) else topic]]


def test_it_is_drawn_with_a_fixed_seed_and_does_not_depend_on_the_order_of_runs() -> None:
    first, again = (compare(QRELS, RUNS, "P@5", seed=seed).every_change for seed in (0, 3))
    assert [row.chance for row in first] == [row.chance for row in again]
    other = compare(QRELS, dict(reversed(RUNS.items())), "P@5").every_change
    both = ({frozenset((row.run, row.compared_with)): row.chance for row in rows} for rows in (first, other))
    assert next(both) == next(both)


def test_people_read_the_most_likely_change_and_programs_have_a_sheet() -> None:
    found = compare(QRELS, {name: RUNS[name] for name in ("s0", "s1")}, "P@5")
    [row] = found.every_change
    assert row.chance >= LEAST
    said = f'If the unjudged documents that these runs list were judged, this could become "{row.then}" '
    assert f"{said}({likelihood(row.chance)})" in found.notes()
    [read] = json.loads(found.to_json())["changes"]
    assert (read["verdict"], read["then"], read["chance"]) == (row.verdict, row.then, row.chance)
    several = [note for note in compare(QRELS, RUNS, "P@5 RR").notes() if note.code == "TR310"]
    assert several
    assert all(note.startswith(f"{note.facts['measure']}: if the unjudged documents") for note in several)


def test_it_is_found_when_it_is_read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(likely, "relevance", lambda track: calls.append(track))
    found = compare(QRELS, RUNS, "P@5")
    for form in ("tsv", "csv"):
        found.render(form)
    found.whole()
    assert not calls
    assert found.every_change == ()
    assert len(calls) == 1
    assert str(found)
    assert len(calls) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"test": "randomization", "permutations": 99},
        {"test": "tukey"},
        {"unjudged": "condensed"},
        {"system": {"a": ["s0", "s1"], "b": ["s2"]}},
    ],
)
def test_where_it_is_not_known_nothing_is_said(given: dict[str, Any]) -> None:
    found = compare(QRELS, RUNS, "P@5", **given)
    assert found.every_change == ()
    assert "could become" not in str(found)


def test_without_grade_0_or_unjudged_documents_nothing_is_said() -> None:
    qrels, runs = shown(1, 3, 0.5, zeros=False)
    assert compare(qrels, runs, "P@5").every_change == ()
    qrels, runs = shown(1, 3, 1.0)
    assert {row.chance for row in compare(qrels, runs, "P@5").every_change} <= {0.0}


def test_an_answer_goes_to_another_process_with_what_it_found() -> None:
    found = compare(QRELS, RUNS, "P@5")
    assert found.changes is not None
    assert pickle.loads(pickle.dumps(found.changes)).read() == found.every_change


def test_with_one_family_for_all_measures_p_is_corrected_for_all_of_them() -> None:
    found = compare(QRELS, RUNS, "P@5 nDCG@10", family="all")
    assert {row.measure for row in found.every_change} == {"P@5", "nDCG@10"}
