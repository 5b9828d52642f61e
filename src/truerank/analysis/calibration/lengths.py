"""Scores of one list cut at every length, after Amigó, Mizzaro & Spina 2022, figure 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.analysis.calibration.notation import grades_of, in_short
from truerank.analysis.cuts.best import prefix_scores, shortest_best
from truerank.analysis.keyed import ByMeasure
from truerank.analysis.reading import refuse_bounds
from truerank.analysis.seen import pool, refuse
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.run import Run
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import Named
from truerank.measures.core.base import Measure


@dataclass(frozen=True, eq=False)
class Listed:
    """One list with its judgments."""

    name: str
    qrels: Qrels
    """Of one topic."""
    run: Run
    max_grade: float
    """The highest grade of the collection."""
    notes: tuple[str, ...] = ()

    @property
    def num_rel(self) -> int:
        """Relevant documents of the judgments."""
        return int(self.qrels.num_rel.sum())


@dataclass(frozen=True, eq=False)
class Lengths(ByMeasure[Floats]):
    """The scores of one list cut after 0, 1, 2, ... documents, by measure."""

    name: str
    """The ranking in short, or run and topic."""
    num_rel: int
    scores: dict[str, Floats]
    best: dict[str, int]
    """The length that scores best, by measure; the shortest of several, -1 where there is no value."""

    def scaled(self, measure: str | Measure) -> Floats:
        """Scores less that of silence, over the largest magnitude: from -1 to 1, with silence at 0."""
        silence = float(self[measure][0])
        above: Floats = self[measure] - (silence if np.isfinite(silence) else 0.0)
        largest = float(np.abs(above[np.isfinite(above)]).max(initial=0.0))
        return above / largest if largest > 0 else above

    def to_records(self) -> list[dict[str, Any]]:
        """One record a measure and length."""
        return [
            {"measure": name, "length": length, "score": float(score), "scaled": float(scaled)}
            for name, scores in self.items()
            for length, (score, scaled) in enumerate(zip(scores, self.scaled(name), strict=True))
        ]

    def as_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        curves = {
            name: {"best": self.best[name] if self.best[name] >= 0 else None, "scores": scores.tolist()}
            for name, scores in self.items()
        }
        return {"list": self.name, "num_rel": self.num_rel, "measures": curves}


def written_out(ranking: str | Sequence[float], grade: float, num_rel: int | None, max_grade: float | None) -> Listed:
    """A ranking given by its grades; relevant documents that it lacks have the grade of the hit."""
    grades = grades_of(ranking)
    if not grades:
        raise InputError("the ranking has no documents; write one like 0^10 1^90")
    found = sum(one > 0 for one in grades)
    if num_rel is not None and num_rel < found:
        raise InputError(f"the ranking has {found} relevant documents, and num_rel={num_rel} is less; give them all")
    missing = (found if num_rel is None else num_rel) - found
    docs = [f"{rank}" for rank in range(1, len(grades) + 1)]
    every = [*grades, *[grade] * missing]
    names = Ids.pack([*docs, *(f"missing {place}" for place in range(missing))])
    judged = collect([b"ranking"], [0, len(every)], names, every)
    return Listed(in_short(grades), judged, as_run({"ranking": docs}), max(every) if max_grade is None else max_grade)


def of_topic(qrels: Any, run: Any, topic: str, max_grade: float | None) -> Listed:
    """The list of a run for one topic."""
    judgments, listed = as_qrels(qrels), as_run(run)
    if isinstance(judgments, Preferences):
        raise InputError(
            "these judgments are preferences (three columns), and lengths are scored by grades; give qrels"
        )
    name = topic.encode("utf-8", "surrogateescape")
    if name not in judgments.topics:
        raise InputError(f"there is no topic {topic!r} in the judgments; there are such as {_some(judgments)}")
    if name not in listed.topics:
        raise InputError(f"run {listed.name!r} has no list for topic {topic!r}; choose another topic")
    place = judgments.topics.index(name)
    rows = np.arange(judgments.offsets[place], judgments.offsets[place + 1])
    one = collect([name], [0, len(rows)], judgments.docs.take(rows), judgments.grade[rows])
    top = judgments.max_grade if max_grade is None else max_grade
    return Listed(f"{listed.name}, topic {topic}", one, listed, top, (*judgments.notes, *listed.notes))


def by_length(listed: Listed, wanted: Sequence[Measure], choice: Conventions) -> Lengths:
    """Score the list cut at every length."""
    refuse_bounds(choice, "a curve has one at each length")
    measures = tuple(wanted)
    refuse(listed.qrels, measures, choice)
    judged_pool = pool(listed.qrels, [Named(listed.run.name, listed.run)], measures, choice)
    views = Views(listed.qrels, listed.run, replace(judged_pool, max_grade=listed.max_grade), choice, 0)
    scores = {str(measure): prefix_scores(views, measure)[0] for measure in measures}
    best = {
        str(measure): int(shortest_best(scores[str(measure)][None], higher_is_better=measure.higher_is_better)[0])
        for measure in measures
    }
    return Lengths(name=listed.name, num_rel=listed.num_rel, scores=scores, best=best)


def _some(judgments: Qrels) -> str:
    return ", ".join(topic.decode("utf-8", "backslashreplace") for topic in judgments.topics[:3])
