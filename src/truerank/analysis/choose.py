"""Choosing a measure: questions about readers, systems and judgments that end in one."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.analysis.choosing.contradictions import contradictions
from truerank.analysis.choosing.evidence import Evidence, look
from truerank.analysis.choosing.guide import Step, walk
from truerank.analysis.choosing.leaves import Alternative, Leaf
from truerank.analysis.choosing.questions import QUESTIONS, Answer
from truerank.analysis.choosing.results import Choice
from truerank.analysis.choosing.settle import filled, patience, settle
from truerank.analysis.notices import notices
from truerank.conventions.choices import Conventions
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.io.load import as_qrels
from truerank.measures.core.parameters import number

FEW = 4
"""Runs that are named in the command to run."""


def choose(
    qrels: Any = None,
    runs: Any = None,
    *,
    length: bool | None = None,
    top: bool | None = None,
    exactly: bool | None = None,
    single: bool | None = None,
    recall: bool | None = None,
    redundancy: bool | None = None,
    graded: bool | None = None,
    depth: float | None = None,
    silence_at: int | None = None,
    pays_for: int | None = None,
    size: int | None = None,
    published: bool = False,
    progress: Callable[[str], object] | None = None,
) -> Choice:
    """Choose a measure by what is known of readers, systems and judgments.

    The guide is that of Amigó, Mizzaro & Spina (SIGIR 2022, figure 4). Only the answers on the way to the measure have
    to be given; where one is missing, the error has the next question as ``error.question``.

    - ``length``: systems decide how long a list is, and that should count
    - ``top``: documents further down are less likely to be seen
    - ``exactly``: readers see just the first ``depth`` documents
    - ``single``: one relevant document is enough
    - ``recall``: it matters how many relevant documents there are
    - ``redundancy``: a second relevant document adds less than the first
    - ``graded``: relevance has several grades
    - ``depth``: how many documents readers see, on average where they do not see ``exactly`` so many
    - ``silence_at`` or ``pays_for``: what a document costs, as ``calibrate`` has it; ``size``: documents of the
      collection, for OIE; without them, usual values are taken

    With ``qrels``, and ``runs``, as ``evaluate`` takes them, the result says where they contradict the answers.
    ``published`` takes the measure in the figure also where it does not have what was asked for.

    >>> found = choose(length=False, top=True, exactly=False, single=False, recall=False, redundancy=False, depth=10)
    >>> found.measure, found.command
    (RBP(p=0.9), 'truerank evaluate QRELS RUN... -m "RBP(p=0.9)"')
    >>> choose({"q1": {"a": 1}}, length=False, top=False, graded=True).warnings[0].message
    'several grades were answered, but all relevant documents have grade 1'
    """
    given: dict[str, Any] = {
        "length": length,
        "top": top,
        "exactly": exactly,
        "single": single,
        "recall": recall,
        "redundancy": redundancy,
        "graded": graded,
        "depth": depth,
        "silence_at": silence_at,
        "pays_for": pays_for,
        "size": size,
    }
    answers: dict[str, Answer | None] = {
        name: value.item() if isinstance(value, np.generic) else value for name, value in given.items()
    }
    _refuse(answers, qrels, runs)
    path, leaf = walk(answers, published=published)
    _refuse_one(path, leaf)
    judgments = None if qrels is None else as_qrels(qrels)
    highest = 1.0 if judgments is None else judgments.max_grade or 1.0
    settled = settle(leaf, answers, highest)
    evidence = None if judgments is None else look(path, settled.measure, judgments, runs, progress)
    return Choice(
        path=path,
        leaf=leaf,
        settled=settled,
        published=None if leaf.published is None else settle(leaf.published, answers, highest),
        alternatives=tuple(
            Alternative(filled(each.measure, answers), filled(each.when, answers)) for each in leaf.alternatives
        ),
        warnings=() if evidence is None else contradictions(evidence),
        notices=tuple(
            dict.fromkeys(
                [
                    *_unused(answers, path),
                    *(() if settled.calibration is None else settled.calibration.notices),
                    *(() if evidence is None else _noticed(evidence)),
                ]
            )
        ),
        files=_files(qrels, runs),
    )


def _refuse(answers: Mapping[str, Answer | None], qrels: Any, runs: Any) -> None:
    for name, answer in answers.items():
        if answer is None:
            continue
        if QUESTIONS[name].number:
            number(name, answer, least=1)
        elif not isinstance(answer, bool):
            raise InputError(f"{name} is True or False, not {answer!r}: {QUESTIONS[name].text}")
    if answers["depth"] is not None:
        patience(answers["depth"])
    if answers["silence_at"] is not None and answers["pays_for"] is not None:
        raise InputError("silence_at and pays_for each decide what a document costs; give one of them")
    if qrels is None and runs is not None:
        raise InputError("runs are looked at with judgments; give qrels too")


def _refuse_one(path: tuple[Step, ...], leaf: Leaf) -> None:
    """Readers of one document leave nothing to a measure of how far they go."""
    for step in path:
        if step.question.name == "depth" and not patience(step.answer) and "{N}" not in leaf.measure:
            raise InputError(
                "with a depth of 1 readers see one document, and nothing below it counts; take P@1 or, where a system "
                "may give no answer, c@1; or give a depth above 1"
            )


def _unused(answers: Mapping[str, Answer | None], path: tuple[Step, ...]) -> list[str]:
    asked = {step.question.name for step in path}
    idle = [name for name, answer in answers.items() if answer is not None and name not in asked]
    return [f"{', '.join(idle)}: answered, and of no consequence after the other answers"] if idle else []


def _noticed(evidence: Evidence) -> list[str]:
    """What ``evaluate`` would say of the measure; what contradictions say is not said again."""
    empty = {
        text(topic) for topic, relevant in zip(evidence.qrels.topics, evidence.relevant, strict=True) if not relevant
    }
    facts = []
    for run in evidence.runs:
        others = {name: [t for t in topics if t not in empty] for name, topics in run.facts.undefined.items()}
        facts.append(replace(run.facts, unjudged={}, undefined={name: some for name, some in others.items() if some}))
    return [*evidence.qrels.notes, *notices(facts, Conventions(), len(evidence.qrels.topics))]


def _files(qrels: Any, runs: Any) -> tuple[str, ...]:
    """The files for the command; placeholders for what is no file, and for many."""
    if qrels is None:
        return ()
    several = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    named = [each for each in several if isinstance(each, (str, os.PathLike))]
    listed = [shlex.quote(os.fspath(each)) for each in named]
    first = shlex.quote(os.fspath(qrels)) if isinstance(qrels, (str, os.PathLike)) else "QRELS"
    return (first, *(listed if 0 < len(listed) == len(several) <= FEW else ["RUN..."]))
