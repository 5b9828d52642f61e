"""Scores of one list cut at every length, after Amigó, Mizzaro & Spina 2022, figure 1.

In short, 0^10 1^90 is ten documents of grade 0, then ninety of grade 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.notes import Note
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.run import Run
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.questions.calibrate.price import LONGEST
from truerank.questions.calibrate.question import Lengths
from truerank.questions.truncate.lengths import prefix_scores, shortest_best
from truerank.track.facts import READ_RUN, of_judgments
from truerank.track.lens import Lens
from truerank.track.pools import JudgmentPools, OnePool

_REPEATED = re.compile(r"(-?\d+(?:\.\d+)?)\^(\d+)")


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
    # The command line has () for runs that are not given.
    of_run = {"qrels": qrels, "run": None if isinstance(run, (list, tuple)) and not run else run, "topic": topic}
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
    judgments, runs = as_qrels(qrels), named_runs(run)
    if len(runs) > 1:
        raise InputError(f"there are {len(runs)} runs, and one list is scored at every length; give one run")
    listed = runs[0].read()
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
    notes = (*of_judgments(judgments), *(READ_RUN(read=one) for one in listed.notes))
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


def grades_of(ranking: str | Iterable[float]) -> tuple[float, ...]:
    """The grades of a ranking, from rank 1 on.

    In text, ``g^n`` is n documents of grade g, and a word of digits has a document a digit; spaces part them.

    >>> grades_of("0^3 1 02^2")
    Traceback (most recent call last):
    ...
    truerank.data.errors.InputError: '02^2' is two grades or one; write 0 2^2, with a space between documents
    >>> grades_of("0^3 12 2.5^2")
    (0.0, 0.0, 0.0, 1.0, 2.0, 2.5, 2.5)
    """
    if isinstance(ranking, str):
        return _read(ranking)
    try:
        grades = tuple(float(grade) for grade in ranking)
    except (TypeError, ValueError):
        grades = (math.nan,)
    if not all(map(math.isfinite, grades)):
        raise InputError(f"a ranking is text such as '0^10 1^90', or a list of grades, not {ranking!r}")
    return grades


def in_short(grades: Iterable[float]) -> str:
    """A ranking as text that reads back.

    >>> in_short([0, 0, 0, 2, 1, 1, 0.5])
    '0^3 2 1^2 0.5^1'
    """
    runs = ((f"{grade:g}", len([*same])) for grade, same in groupby(grades))
    return " ".join(grade if count == 1 and len(grade) == 1 else f"{grade}^{count}" for grade, count in runs)


def _read(text: str) -> tuple[float, ...]:
    grades: list[float] = []
    for word in text.split():
        repeated = _REPEATED.fullmatch(word)
        if repeated is None and not re.fullmatch(r"[0-9]+", word):
            raise InputError(f"{word!r} is no part of a ranking; write grades like 0^10 1^90, 0010 or 0 0 1 0")
        if repeated is None:
            grades += map(float, word)
            continue
        grade, count = repeated.groups()
        if re.fullmatch(r"\d{2,}", grade):
            raise InputError(
                f"{word!r} is two grades or one; write {_apart(grade)}^{count}, with a space between documents"
            )
        if len(grades) + int(count) > LONGEST:
            raise InputError(f"a ranking of more than {LONGEST:,} documents is too long; repeat fewer of them")
        grades += [float(grade)] * int(count)
    return tuple(grades)


def _apart(digits: str) -> str:
    return f"{digits[:-1]} {digits[-1]}"
