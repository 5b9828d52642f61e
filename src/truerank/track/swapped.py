"""Judgments and a run that may have been given in each other's place."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows, begins, distinct, stretches
from truerank.data.chances import Chances
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.parts import Part, part_field
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.data.ties import all_tie_groups
from truerank.io.direction import LISTED

FEW = 6
"""Grades that judgments have at most, as scores of a run would have them if it were judgments."""
LOWEST, HIGHEST = -2.0, 10.0
"""Grades, as people give them."""
MANY = 12
"""Values past which grades look like scores."""
_STEP, _CLOSE = 0.05, 1e-6
"""Steps of the finest scale that people grade on."""
TOPICS = 5
"""Topics from which on lists of one length are no chance."""
_OTHER = float("inf")
"""Stands for scores that are no grades."""
REMEDY = "give the judgments first, then the runs"


class JudgmentShape(NamedTuple):
    """What about judgments looks like a run."""

    differ: bool = False
    """Whether nearly no two documents of a topic have the same grade, on no scale that people grade on."""
    values: bool = False
    """Whether there are many grades."""
    length: int = 0
    """How many documents nearly all topics have, all of them relevant; 0 if that differs."""
    example: float = 0.0

    @property
    def is_odd(self) -> bool:
        """Whether there is anything."""
        return self.differ or self.values or self.length > 0


@dataclass(frozen=True, eq=False, kw_only=True)
class RunShape(Part):
    """What about a run looks like judgments."""

    lists: int = part_field(merge="sum")
    documents: int = part_field(merge="sum")
    grades: tuple[float, ...] = part_field(merge="union")
    """Its scores, if these could be grades."""
    alike: int = part_field(merge="sum")
    """Documents that are alone in their list, or share their score with another one."""

    @property
    def has_grades(self) -> bool:
        """Whether its scores look like grades: few numbers, and not different for all documents of nearly all lists."""
        return 0 < len(self.grades) <= FEW and _OTHER not in self.grades and 10 * self.alike >= self.documents

    @property
    def scores(self) -> str:
        """The scores in words."""
        *some, last = [f"{value:g}" for value in sorted(self.grades)]
        return f"{', '.join(some)} and {last}" if some else f"all {last}"


@lru_cache(maxsize=2)
def judgment_shape(qrels: Qrels) -> JudgmentShape:
    """What about judgments looks like a run.

    >>> from truerank.io.load import as_qrels
    >>> judgment_shape(as_qrels({f"q{n}": {"a": 2.71, "b": 1.41, "c": 0.58} for n in range(5)}))
    JudgmentShape(differ=True, values=False, length=3, example=2.71)
    >>> judgment_shape(as_qrels({f"q{n}": {"a": 2, "b": 1, "c": 0} for n in range(5)})).is_odd
    False
    """
    if isinstance(qrels, (Preferences, Chances)) or not len(qrels):
        return JudgmentShape()
    grade, count = qrels.grade, np.diff(qrels.offsets)
    count = count[count > 0]
    usual = int(np.median(count))
    same = len(count) >= TOPICS and usual > 2 and bool((count == usual).mean() >= 0.9) and bool((grade > 0).all())
    whole = grade == np.floor(grade)
    differ = values = False
    if whole.mean() <= 0.5 or grade.max() > HIGHEST:
        topic = stretches(qrels.offsets)
        order = np.lexsort((grade, topic))
        alike = ~begins(topic[order], grade[order])
        values = len(distinct(grade)) > MANY
        off = np.fmod(np.abs(grade), _STEP)
        odd = bool((np.minimum(off, _STEP - off) > _CLOSE).mean() > 0.5)
        differ = usual > 2 and (values or odd) and bool(alike.sum() <= 0.05 * len(grade))
    return JudgmentShape(differ, values, usual if same else 0, float(grade.max() if whole.all() else grade[~whole][0]))


def run_shape(run: Run, judgments: Qrels, topics: Rows) -> RunShape:
    """What about a run looks like judgments, if these look like a run; ``topics`` are those of a part.

    >>> from truerank.io.load import as_qrels, as_run
    >>> scored = as_qrels({"q": {"a": 2.71, "b": 1.41, "c": 0.58}})
    >>> shape = run_shape(as_run({"q": {"a": 1, "b": 0, "c": 0}, "r": {"a": 2}}), scored, np.array([0]))
    >>> shape.grades, shape.alike, shape.documents
    ((0.0, 1.0, 2.0), 3, 4)
    """
    grades: tuple[float, ...] = ()
    alike = 0
    if judgment_shape(judgments).is_odd and run.rank is None and LISTED not in run.notes and len(run):
        count = np.diff(run.offsets)
        tied = all_tie_groups(run.score, run.offsets)[1] > 1
        alike = int((tied | np.repeat(count == 1, count)).sum())
        grades = tuple(distinct(run.score).tolist()) if _are_grades(run.score) else (_OTHER,)
    return RunShape(topics=topics, lists=len(run.topics), documents=len(run), grades=grades, alike=alike)


def _are_grades(score: Floats) -> bool:
    return bool((score == np.floor(score)).all()) and score.min() >= LOWEST and score.max() <= HIGHEST


def refuse(judgments: Qrels, run: RunShape, name: str) -> None:
    """Refuse judgments that can only be a run, with a run that can only be judgments."""
    shape = judgment_shape(judgments)
    if shape.differ and run.has_grades:
        raise InputError(
            f"the judgments look like a run (grades such as {shape.example:g}, different for nearly all documents), "
            f"and run {name!r} looks like judgments (its scores are {run.scores}); {REMEDY}. If they are right, give "
            "the run as lists of documents without scores, best first"
        )


class Suspicion(NamedTuple):
    """What makes it likely that judgments and a run are in each other's place."""

    form: str
    """What it rests on: "values" or the length of lists, with "grades" or "lists" of the run."""
    facts: dict[str, Any]


def suspicion(judgments: Qrels, run: RunShape) -> Suspicion | None:
    """What makes it likely that judgments and a run are in each other's place, if anything does."""
    shape = judgment_shape(judgments)
    scores = [f"{score:g}" for score in sorted(run.grades)]
    if shape.values and run.has_grades:
        return Suspicion("values", {"most": MANY, "scores": scores})
    if not shape.length or run.lists < TOPICS:
        return None
    if run.has_grades:
        return Suspicion("grades", {"relevant": shape.length, "scores": scores})
    if 2 * run.documents <= run.lists * shape.length:
        return Suspicion("lists", {"relevant": shape.length, "listed": run.documents / run.lists})
    return None
