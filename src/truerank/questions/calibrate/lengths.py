"""Scores of one list cut at every length, after Amigó, Mizzaro & Spina 2022, figure 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.notes import Note
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.run import Run
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import Named
from truerank.measures.core.base import Measure
from truerank.questions.calibrate.answer import Lengths
from truerank.questions.calibrate.notation import grades_of, in_short
from truerank.questions.truncate.best import prefix_scores, shortest_best
from truerank.track.facts import READ_JUDGMENTS, READ_RUN
from truerank.track.lens import Lens
from truerank.track.pools import JudgmentPools, OnePool


@dataclass(frozen=True, eq=False)
class GradedList:
    """One list with its judgments."""

    name: str
    qrels: Qrels
    """Of one topic."""
    run: Run
    max_grade: float
    """The highest grade of the collection."""
    notes: tuple[Note, ...] = ()

    @property
    def num_rel(self) -> int:
        """Relevant documents of the judgments."""
        return int(self.qrels.num_rel.sum())


def given_list(
    ranking: str | Sequence[float] | None,
    qrels: Any,
    run: Any,
    topic: str | None,
    *,
    grade: float,
    num_rel: int | None,
    max_grade: float | None,
) -> GradedList | None:
    """The list that is to be scored at every length; None where there is none."""
    of_run = {"qrels": qrels, "run": run, "topic": topic}
    missing = [name for name, value in of_run.items() if value is None]
    if ranking is not None and len(missing) < len(of_run):
        raise InputError("a list is given as a ranking, or as the topic of a run; leave one of them out")
    if ranking is not None:
        return written_out(ranking, grade, num_rel, max_grade)
    if topic is not None and not missing:
        return of_topic(qrels, run, str(topic), max_grade)
    if len(missing) < len(of_run):
        raise InputError(f"a list of a run needs qrels, run and topic; give {' and '.join(missing)} too")
    return None


def written_out(
    ranking: str | Sequence[float], grade: float, num_rel: int | None, max_grade: float | None
) -> GradedList:
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
    top = max(every) if max_grade is None else max_grade
    return GradedList(in_short(grades), judged, as_run({"ranking": docs}), top)


def of_topic(qrels: Any, run: Any, topic: str, max_grade: float | None) -> GradedList:
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
    notes = (*map(READ_JUDGMENTS, judgments.notes), *map(READ_RUN, listed.notes))
    return GradedList(f"{listed.name}, topic {topic}", one, listed, top, notes)


def by_length(listed: GradedList, wanted: Sequence[Measure], choice: Conventions) -> Lengths:
    """Score the list cut at every length."""
    measures = tuple(wanted)
    pool = JudgmentPools(listed.qrels, [Named(listed.run.name, listed.run)], measures).under(choice)
    lens = Lens(listed.qrels, listed.run, OnePool(replace(pool, max_grade=listed.max_grade)), choice)
    scores = {str(measure): prefix_scores(lens, measure)[0] for measure in measures}
    best = {
        str(measure): int(shortest_best(scores[str(measure)][None], higher_is_better=measure.higher_is_better)[0])
        for measure in measures
    }
    return Lengths(name=listed.name, num_rel=listed.num_rel, scores=scores, best=best)


def _some(judgments: Qrels) -> str:
    return ", ".join(topic.decode("utf-8", "backslashreplace") for topic in judgments.topics[:3])
