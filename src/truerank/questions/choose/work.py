"""From answers to a measure: the way through the guide, its parameters, and what the data say."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.io.load import as_qrels
from truerank.measures.core.parameters import number
from truerank.questions.choose.answer import IDLE, Alternative, Choice, GuideStep
from truerank.questions.choose.contradictions import contradictions
from truerank.questions.choose.evidence import gathered
from truerank.questions.choose.guide import OpenQuestion, walk
from truerank.questions.choose.leaves import Leaf
from truerank.questions.choose.questions import QUESTIONS, Replies, Reply
from truerank.questions.choose.settle import filled, patience, settle
from truerank.questions.signature import Ask
from truerank.track.track import Progress

FEW = 4
"""Runs that are named in the command to run."""


def chosen(
    qrels: Any, runs: Any, given: Replies, *, published: bool, ask: Ask | None, progress: Progress | None
) -> Choice:
    """The measure that the answers lead to, held against the data."""
    _refuse(given, qrels, runs)
    replies, path, leaf = _answered(_plain(given), published=published, ask=ask)
    _refuse_one(path, leaf)
    judgments = None if qrels is None else as_qrels(qrels)
    highest = 1.0 if judgments is None else judgments.max_grade or 1.0
    settled = settle(leaf, replies, highest)
    decided = {step.question: step.reply for step in path}
    evidence = None if judgments is None else gathered(decided, settled.measure, judgments, runs, progress)
    notices: list[Note] = _idle(replies, path)
    if settled.calibration is not None:
        notices += (each if isinstance(each, Note) else Note(each) for each in settled.calibration.notices)
    if evidence is not None:
        notices += evidence.notes()
    return Choice(
        path=path,
        leaf=leaf,
        settled=settled,
        published=None if leaf.published is None else settle(leaf.published, replies, highest),
        alternatives=tuple(
            Alternative(measure=filled(measure, replies), when=filled(when, replies))
            for measure, when in leaf.alternatives.items()
        ),
        warnings=() if evidence is None else contradictions(evidence),
        notices=tuple(dict.fromkeys(notices)),
        data=_files(qrels, runs),
    )


def _plain(given: Replies) -> dict[str, Reply | None]:
    """The answers, without the types of numpy."""
    replies = cast("Mapping[str, Any]", given)
    return {name: reply.item() if isinstance(reply, np.generic) else reply for name, reply in replies.items()}


def _refuse(given: Replies, qrels: Any, runs: Any) -> None:
    replies = {name: reply for name, reply in _plain(given).items() if reply is not None}
    for name, reply in replies.items():
        if name not in QUESTIONS:
            raise InputError(f"there is no question {name!r}; there are {', '.join(QUESTIONS)}")
        if QUESTIONS[name].number:
            number(name, reply, least=1)
        elif not isinstance(reply, bool):
            raise InputError(f"{name} is True or False, not {reply!r}: {QUESTIONS[name].text}")
    if "depth" in replies:
        patience(replies["depth"])
    if "silence_at" in replies and "pays_for" in replies:
        raise InputError("silence_at and pays_for each decide what a document costs; give one of them")
    if qrels is None and runs is not None:
        raise InputError("runs are looked at with judgments; give qrels too")


def _answered(
    replies: dict[str, Reply | None], *, published: bool, ask: Ask | None
) -> tuple[dict[str, Reply | None], tuple[GuideStep, ...], Leaf]:
    """The answers, the way and where it ends; who is asked once is also asked for what may be left open."""
    asked = False
    while True:
        try:
            path, leaf = walk(replies, published=published)
        except OpenQuestion as missing:
            if ask is None:
                raise
            replies, asked = {**replies, missing.question.name: ask(missing)}, True
            continue
        if not (asked and ask):
            return replies, path, leaf
        for name in leaf.numbers:
            known = replies.get(name) is not None or (name == "silence_at" and replies.get("pays_for") is not None)
            if QUESTIONS[name].optional and not known:
                replies = {**replies, name: ask(OpenQuestion(QUESTIONS[name]))}
        asked = False


def _refuse_one(path: tuple[GuideStep, ...], leaf: Leaf) -> None:
    """Readers of one document leave nothing to a measure of how far they go."""
    for step in path:
        if step.question == "depth" and not patience(step.reply) and "{N}" not in leaf.measure:
            raise InputError(
                "with a depth of 1 readers see one document, and nothing below it counts; take P@1 or, where a system "
                "may give no answer, c@1; or give a depth above 1"
            )


def _idle(replies: Mapping[str, Reply | None], path: tuple[GuideStep, ...]) -> list[Note]:
    asked = {step.question for step in path}
    idle = [name for name, reply in replies.items() if reply is not None and name not in asked]
    return [IDLE(answers=", ".join(idle))] if idle else []


def _files(qrels: Any, runs: Any) -> tuple[str, ...]:
    """The files for the command; placeholders for what is no file, and for many."""
    if qrels is None:
        return ()
    several = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    named = [each for each in several if isinstance(each, (str, os.PathLike))]
    listed = [shlex.quote(os.fspath(each)) for each in named]
    first = shlex.quote(os.fspath(qrels)) if isinstance(qrels, (str, os.PathLike)) else "QRELS"
    return (first, *(listed if 0 < len(listed) == len(several) <= FEW else ["RUN..."]))
