"""Values of the measures of graded judgments, by the engine that truerank evaluates with."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np

from truerank.compat.trec_eval.absent import NoTopicError, refuse_absent, with_what_is_left
from truerank.compat.trec_eval.arguments import Arguments
from truerank.compat.trec_eval.files import NotedQrels, first_documents
from truerank.compat.trec_eval.names import Family, PrintedName
from truerank.compat.trec_eval.output import LEAST, PrintedColumn, Printout, Texts
from truerank.compat.trec_eval.parameters import Pairs, gains_of
from truerank.conventions.axes import Conventions
from truerank.conventions.presets import conventions
from truerank.conventions.ties import broken_by_order, topics_of
from truerank.conventions.unjudged import condensed
from truerank.data.arrays import Floats
from truerank.data.ids import text
from truerank.data.judge import judge
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.measures.core.base import Measure
from truerank.questions.evaluate.work import score

_SORTED = ("G", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg")
"""Measures for which gains are sorted."""


def graded_values(judgments: NotedQrels, run: Run, asked: Arguments, wanted: list[PrintedName]) -> Printout:
    """Values of all topics that count."""
    qrels = judgments.qrels
    version = asked.setting.version
    choice = conventions(
        f"trec_eval-{version}",
        missing="empty" if version >= 10 else "skip",
        unjudged="condensed" if asked.judged_only else "nonrelevant",
    )
    known = set(run.topics)
    here = np.array([topic in known for topic in qrels.topics])
    if version < 10 and not here.any():
        raise NoTopicError
    if version >= 10:
        refuse_absent(qrels.topics, [qrels.topics[topic] for topic in np.flatnonzero(~here)], asked)
    if asked.depth is not None:
        run = first_documents(run, asked.depth, choice.precision)
    measures = {name: family.make(asked.setting, given) for name, family, given in wanted if family.make is not None}
    values = _scores(qrels, run, measures, choice, raise_grades=asked.setting.level == 0)
    listed = np.flatnonzero(here | (version >= 10))
    absent = len(qrels.topics) - len(listed) if asked.complete else 0
    columns: list[PrintedColumn | Texts] = []
    for name, family, given in wanted:
        if family.name == "relstring":
            texts = relstring(qrels, run, choice, int(given[0]))
            columns.append(Texts(name, family, tuple(f"'{texts[topic]}'" for topic in listed)))
        elif family.make is not None:
            columns.append(_column(name, family, values[name], absent))
    if asked.complete:
        columns = [_all_relevant(column, qrels) for column in columns]
    found = Printout(
        topics=tuple(text(qrels.topics[topic]) for topic in listed),
        columns=tuple(columns),
        count=len(listed) + absent,
        notes=(*judgments.notes, *_notes(qrels, wanted), *(() if here.any() else (NoTopicError().message,))),
    )
    return with_what_is_left(found, ~here[listed], wanted, asked) if version >= 10 else found


def _scores(
    qrels: Qrels, run: Run, measures: dict[str, Measure], choice: Conventions, *, raise_grades: bool
) -> dict[str, Floats]:
    if not raise_grades:
        found = score(qrels, run, tuple(dict.fromkeys(measures.values())), choice)
        return {name: found[measure].values for name, measure in measures.items()}
    # Grade 0 is relevant, which measures that ask for relevant documents do not know of: they see higher grades.
    by_level = {name: measure for name, measure in measures.items() if _asks_level(measure)}
    rest = {name: measure for name, measure in measures.items() if name not in by_level}
    up = replace(qrels, grade=np.where(qrels.grade >= 0, qrels.grade + 1, qrels.grade))
    return {
        **_scores(up, run, by_level, choice, raise_grades=False),
        **_scores(qrels, run, rest, choice, raise_grades=False),
    }


def _asks_level(measure: Measure) -> bool:
    inner = getattr(measure, "measure", measure)
    return getattr(inner, "rel", None) is not None


def _column(name: str, family: Family, values: Floats, absent: int) -> PrintedColumn:
    if family.geometric:
        return PrintedColumn(name, family, np.log(np.maximum(values, LEAST)), absent * float(np.log(LEAST)))
    return PrintedColumn(name, family, values)


def _all_relevant(column: PrintedColumn | Texts, qrels: Qrels) -> PrintedColumn | Texts:
    """With -c, the summary counts all documents with a grade above 0 as relevant, whatever -l says."""
    if not isinstance(column, PrintedColumn) or column.name != "num_rel":
        return column
    return replace(column, total=float((qrels.grade > 0).sum()))


def relstring(qrels: Qrels, run: Run, choice: Conventions, length: int) -> list[str]:
    """For each topic a digit a document, > above 9, - without a judgment, . where its grade is negative.

    >>> from truerank.io.load import as_qrels, as_run
    >>> qrels = as_qrels({"q": {"a": 1, "b": 12, "c": -1}})
    >>> relstring(qrels, as_run({"q": ["a", "x", "b", "c"]}), Conventions(ties="docid"), 10)
    ['1->.']
    """
    judged = broken_by_order(judge(qrels, run, precision=choice.precision), "docid")
    if choice.condenses:
        judged = condensed(judged, negative_judged=False)
    depth = max(0, min(length, int(judged.length.max(initial=0))))
    signs = np.full((len(judged.length), depth), ord("-"), np.uint8)
    top = np.flatnonzero(judged.above < depth)
    grade = judged.grade[top]
    character = np.where(grade < 0, ord("."), np.where(grade > 9, ord(">"), ord("0") + np.clip(grade, 0, 9)))
    signs[topics_of(judged)[top], judged.above[top]] = character.astype(np.uint8)
    ends = np.minimum(judged.length, depth).tolist()
    return [row[:end].tobytes().decode("ascii") for row, end in zip(signs, ends, strict=True)]


def _notes(qrels: Qrels, wanted: list[PrintedName]) -> tuple[str, ...]:
    return tuple(
        f"{name}: trec_eval takes gains that differ by less than 1 for equal, and may give 0 for a perfect ranking; "
        "here every gain counts as it is"
        for name, family, given in wanted
        if family.kind == "pairs" and family.name in _SORTED and _unordered(given, qrels.max_grade)
    )


def _unordered(pairs: Pairs, max_grade: float) -> bool:
    """Whether trec_eval, which sorts gains by their whole differences, may take some of these for equal.

    >>> _unordered((("1", 0.2), ("2", 0.9)), 2), _unordered((("1", 3.0), ("2", 9.0)), 2)
    (True, False)
    """
    own = gains_of(pairs)
    if own is None:
        return False
    named = dict(own)
    # Grades that are not named are their own gains, a whole number apart; those beside a named gain are the nearest.
    beside = {
        grade
        for gain in named.values()
        for grade in (math.floor(gain), math.ceil(gain))
        if grade <= max_grade and grade not in named
    }
    return any(high - low < 1 for low, high in pairwise(sorted({*named.values(), *beside})))
