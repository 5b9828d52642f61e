"""Judgments and runs that are given in each other's place: noticed, and nothing else is."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.track.engines.executor import Here

RNG = random.Random(4)
DOCS = [f"d{n}" for n in range(200)]
TOPICS = [f"q{n}" for n in range(40)]
SCORES = {topic: {doc: 20 * RNG.random() for doc in RNG.sample(DOCS, 10)} for topic in TOPICS}
LISTS = {topic: sorted(docs, key=lambda doc: -docs[doc]) for topic, docs in SCORES.items()}
WHOLE = {topic: {doc: 1 + int(score) for doc, score in docs.items()} for topic, docs in SCORES.items()}
SOME = {topic: RNG.sample([*SCORES[topic], *DOCS[:20]], RNG.choice([1, 1, 2, 3])) for topic in TOPICS}
GOLD = {topic: dict.fromkeys(docs, 1) for topic, docs in SOME.items()}
GRADED = {topic: {doc: RNG.choice([0, 1, 2]) for doc in RNG.sample([*SCORES[topic], *DOCS], 8)} for topic in TOPICS}
ONE = {topic: {RNG.choice(LISTS[topic]): 1} for topic in TOPICS}
"""Leave-one-out: a single relevant item for each user."""
FRACTIONS = {topic: {doc: RNG.choice([0, 0.25, 0.5, 1]) for doc in RNG.sample(DOCS, 8)} for topic in TOPICS}
STARS = {topic: {doc: RNG.randint(1, 10) / 2 for doc in RNG.sample(DOCS, RNG.randint(1, 8))} for topic in TOPICS}

RUNS: dict[str, Any] = {"scores": SCORES, "lists": LISTS, "whole scores": WHOLE}
JUDGMENTS: dict[str, Any] = {"gold": GOLD, "lists": SOME, "graded": GRADED, "one": ONE}


def rows(data: dict[str, dict[str, float]]) -> list[tuple[str, str, float]]:
    return [(topic, doc, value) for topic, docs in data.items() for doc, value in docs.items()]


def warned(qrels: Any, run: Any) -> str:
    """What is said first, or in the refusal, if it is about this."""
    try:
        notes = tr.evaluate(qrels, run, "Hit@5").notes()
    except InputError as refused:
        return str(refused)
    assert not any(note.code == "TR119" for note in notes[1:])
    return notes[0] if notes and notes[0].code == "TR119" else ""


@pytest.mark.parametrize("judgments", JUDGMENTS)
@pytest.mark.parametrize("run", RUNS)
def test_swapped_arguments_are_noticed(run: str, judgments: str) -> None:
    assert "give the judgments first, then the runs" in warned(RUNS[run], JUDGMENTS[judgments])
    assert warned(JUDGMENTS[judgments], RUNS[run]) == ""


def test_what_can_only_be_swapped_is_refused() -> None:
    with pytest.raises(InputError, match=r"look like a run \(grades such as .*its scores are 0, 1 and 2"):
        tr.compare(SCORES, {"a": GRADED, "b": GRADED}, "AP")
    # Lists have no scores that could be grades: who means it can go on.
    assert tr.evaluate(SCORES, {topic: [*docs] for topic, docs in GRADED.items()}, "Hit@5")


@pytest.mark.parametrize("form", ["rows", "frame", "file"])
def test_in_any_form(form: str, tmp_path: Path) -> None:
    given: list[Any] = [SCORES, GOLD]
    if form == "rows":
        given = [rows(one) for one in given]
    elif form == "frame":
        pandas = pytest.importorskip("pandas")
        given = [pandas.DataFrame(rows(one), columns=["topic", "doc", "grade"]) for one in given]
        given[1] = given[1].rename(columns={"grade": "score"})
    else:
        for place, one in enumerate(given):
            (tmp_path / f"{place}.json").write_text(json.dumps(one))
        given = [str(tmp_path / f"{place}.json") for place in range(2)]
    assert "give the judgments first" in warned(*given)


def test_pieces_of_a_run_are_looked_at_together(tmp_path: Path) -> None:
    """Judgments with columns of their own, which may hold scores as well."""
    (tmp_path / "qrels.csv").write_text("topic,doc,grade\n" + "".join(f"{t},{d},{s}\n" for t, d, s in rows(SCORES)))
    (tmp_path / "run.csv").write_text("topic,doc,score\n" + "".join(f"{t},{d},{s}\n" for t, d, s in rows(GOLD)))
    engine = tr.Engine()
    vars(engine)["executor"] = Here(cuts_at=200)
    with pytest.raises(InputError, match="give the judgments first"):
        tr.evaluate(str(tmp_path / "qrels.csv"), str(tmp_path / "run.csv"), "AP", engine=engine)


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (FRACTIONS, SCORES),
        (FRACTIONS, LISTS),
        (FRACTIONS, WHOLE),
        (FRACTIONS, GOLD),
        (STARS, LISTS),
        (STARS, {topic: docs[:1] for topic, docs in LISTS.items()}),
        (STARS, {topic: {docs[0]: 1.0} for topic, docs in LISTS.items()}),
        # Few documents of each topic, and more of each list.
        ({topic: docs[:5] for topic, docs in LISTS.items()}, {topic: docs[::-1] for topic, docs in LISTS.items()}),
        # Two topics say nothing.
        ({topic: LISTS[topic] for topic in TOPICS[:2]}, {topic: SOME[topic] for topic in TOPICS[:2]}),
        # Scores by rank, and a scale of ten.
        ({topic: {doc: RNG.randint(1, 10) for doc in docs} for topic, docs in LISTS.items()}, WHOLE),
        (FRACTIONS, {topic: dict(zip(docs[:3], (3, 2, 1), strict=True)) for topic, docs in LISTS.items()}),
    ],
)
def test_ordinary_data_are_not_suspected(qrels: Any, run: Any) -> None:
    assert warned(qrels, run) == ""


def test_grades_of_any_size_can_be_looked_at() -> None:
    qrels = {topic: {"a": 1e308, "b": -1e308, "c": 1.7e308} for topic in TOPICS}
    assert warned(qrels, {topic: ["a", "b"] for topic in TOPICS}) == ""
