"""From answers to a measure: the way through the guide, its parameters, and what the data say."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.io.load import as_qrels
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import number
from truerank.measures.grammar import parse
from truerank.questions.calibrate.question import Calibration, calibrate
from truerank.questions.choose.contradictions import contradictions, gathered
from truerank.questions.choose.guide import GUIDE, QUESTIONS, Branch, GuideQuestion, Replies, Reply
from truerank.questions.choose.leaves import Leaf
from truerank.questions.choose.question import IDLE, Alternative, Choice, GuideStep, ParameterValue
from truerank.questions.signature import Ask, Unanswered
from truerank.track.track import Progress

FEW = 4
"""Runs that are named in the command to run."""
DEEPEST = 1_000_000
"""Documents that no reader sees."""


def chosen(
    qrels: Any,
    runs: Any,
    given: Replies,
    *,
    ask: Ask | None,
    engine: Any,
    progress: Progress | None,
) -> Choice:
    """The measure that the answers lead to, held against the data."""
    known = _plain(given)
    _refuse(known, qrels, runs)
    replies, path, leaf = _answered(known, ask=ask)
    _refuse_one(path, leaf)
    judgments = None if qrels is None else as_qrels(qrels)
    highest = 1.0 if judgments is None else judgments.max_grade or 1.0
    setup = set_up(leaf, replies, highest)
    others = _others(replies, path)
    decided = {step.question: step.reply for step in path}
    evidence = None if judgments is None else gathered(decided, setup.measure, judgments, runs, engine, progress)
    notices: list[Note] = _idle(others)
    if setup.calibration is not None:
        notices += (each if isinstance(each, Note) else Note(each) for each in setup.calibration.notices)
    if evidence is not None:
        notices += evidence.notes()
    return Choice(
        path=path,
        other_answers=others,
        leaf=leaf,
        setup=setup,
        alternatives=tuple(
            Alternative(measure=other, when=filled(when, replies))
            for measure, when in leaf.alternatives.items()
            if (other := filled(measure, replies)) != str(setup) and "{" not in other
        ),
        warnings=() if evidence is None else contradictions(evidence),
        notices=tuple(dict.fromkeys(notices)),
        data=_files(qrels, runs),
    )


def _plain(given: Replies) -> dict[str, Reply | None]:
    """The answers, without the types of numpy."""
    replies = cast("Mapping[str, Any]", given)
    return {name: reply.item() if isinstance(reply, np.generic) else reply for name, reply in replies.items()}


def _refuse(given: Mapping[str, Reply | None], qrels: Any, runs: Any) -> None:
    replies = {name: reply for name, reply in given.items() if reply is not None}
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
    replies: dict[str, Reply | None], *, ask: Ask | None
) -> tuple[dict[str, Reply | None], tuple[GuideStep, ...], Leaf]:
    """The answers, the way and where it ends; who is asked once is also asked for what may be left open."""
    asked = False
    while True:
        try:
            path, leaf = walk(replies, every=asked)
        except OpenQuestion as missing:
            if ask is None:
                raise
            replies, asked = {**replies, missing.question.name: ask(missing)}, True
            continue
        if not (asked and ask):
            return replies, path, leaf
        for name in leaf.numbers:
            known = replies.get(name) is not None or (name == "silence_at" and replies.get("pays_for") is not None)
            if (QUESTIONS[name].optional or leaf.leaves_open(name)) and not known:
                replies = {**replies, name: ask(OpenQuestion(QUESTIONS[name], optional=True))}
        asked = False


def _refuse_one(path: tuple[GuideStep, ...], leaf: Leaf) -> None:
    """Readers of one document leave nothing to a measure of how far they go."""
    for step in path:
        if step.question == "depth" and not patience(step.reply) and "{N}" not in leaf.measure:
            raise InputError(
                "with a depth of 1 readers see one document, and nothing below it counts; take P@1 or, where a system "
                "may give no answer, c@1; or give a depth above 1"
            )


def _others(replies: Mapping[str, Reply | None], path: tuple[GuideStep, ...]) -> tuple[GuideStep, ...]:
    asked = {step.question for step in path}
    return tuple(_step(name, replies) for name, reply in replies.items() if reply is not None and name not in asked)


def _idle(others: tuple[GuideStep, ...]) -> list[Note]:
    """Say which of them ask for nothing; what the others ask for, the measure is held against."""
    idle = [step.question for step in others if not step.demands]
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


class OpenQuestion(Unanswered):
    """A question that has to be answered before a measure can be named."""

    def __init__(self, question: GuideQuestion, *, optional: bool = False) -> None:
        optional = optional or question.optional
        super().__init__(question.parameter, question.text, help=question.help, optional=optional)
        self.question = question
        """The question that comes next."""


def walk(replies: Mapping[str, Reply | None], *, every: bool = False) -> tuple[tuple[GuideStep, ...], Leaf]:
    """The questions that were asked with their answers, and the leaf; refuses to go on where an answer is missing.

    A question with a usual answer need not be answered, unless ``every`` one is to be.

    >>> path, leaf = walk({"length": False, "top": True, "exactly": False, "single": True})
    >>> [step.question for step in path], leaf.measure
    (['length', 'top', 'exactly', 'single'], 'RR')
    >>> walk({"length": True})
    Traceback (most recent call last):
    ...
    truerank.questions.choose.work.OpenQuestion: not answered yet: Is a document further down ...
    """
    path: list[GuideStep] = []
    node: Branch | Leaf = GUIDE
    while isinstance(node, Branch):
        if node.usual is not None and replies.get(node.question) is None and not every:
            node = node.next(node.usual)
            continue
        path.append(_step(node.question, replies))
        node = node.next(path[-1].reply)
    asked = {step.question for step in path}
    for name in node.numbers:
        instead = "pays_for" if name == "silence_at" and replies.get(name) is None else name
        may_lack = QUESTIONS[name].optional or node.leaves_open(name)
        if instead not in asked and not (may_lack and replies.get(instead) is None):
            path.append(_step(instead, replies))
    return tuple(path), node


def _step(name: str, replies: Mapping[str, Reply | None]) -> GuideStep:
    reply = replies.get(name)
    if reply is None:
        raise OpenQuestion(QUESTIONS[name])
    return GuideStep(question=name, text=QUESTIONS[name].text, reply=reply)


@dataclass(frozen=True)
class MeasureSetup:
    """A measure with its parameters."""

    measure: Measure
    parameters: tuple[ParameterValue, ...] = ()
    calibration: Calibration | None = None
    """What e or beta means, where there is one."""

    @property
    def label(self) -> str:
        """The measure as people read it, with few digits."""
        if self.calibration is None:
            return str(self.measure)
        return next(iter(self.calibration.values())).label

    def __str__(self) -> str:
        return str(self.measure)


def set_up(leaf: Leaf, replies: Mapping[str, Reply | None], max_grade: float) -> MeasureSetup:
    """The measure of a leaf, with parameters from the answers; costs are such for a hit of the highest grade."""
    known = replies.get("depth") is not None
    measure = parse(filled(leaf.cut if leaf.cut and known else leaf.measure, replies))
    found = [*_read_to(leaf, replies)]
    if measure.collection is not None:
        size = replies.get("size")
        if size is not None:
            measure = measure(size=_whole("size", size))
            found.append(ParameterValue(name="size", value=int(size), because="documents of the collection"))
    if "silence_at" not in leaf.numbers:
        return MeasureSetup(measure, tuple(found))
    aims = {name: replies.get(name) for name in ("pays_for", "silence_at")}
    wanted = {name: None if aim is None else _whole(name, aim) for name, aim in aims.items()}
    calibration = calibrate(
        measure,
        pays_for=wanted["pays_for"],
        silence_at=wanted["silence_at"],
        grade=max_grade,
        max_grade=max_grade,
    )
    [one] = calibration.values()
    assert one.parameter is not None
    assert one.value is not None
    how = [f"{name} = {aim:,}" for name, aim in wanted.items() if aim is not None]
    because = f"so that {how[0]}" if how else "the usual value; silence_at or pays_for finds another"
    found.append(ParameterValue(name=one.parameter, value=one.value, because=because))
    return MeasureSetup(one.by, tuple(found), calibration)


def filled(text: str, replies: Mapping[str, Reply | None]) -> str:
    """A leaf's text with the numbers of the answers.

    >>> filled("RBP(p={p})", {"depth": 10.0}), filled("P@{N}", {"depth": 10.0}), filled("RR", {})
    ('RBP(p=0.9)', 'P@10', 'RR')
    """
    depth = replies.get("depth")
    if depth is None:
        return text
    return text.format(N=math.ceil(depth), p=f"{patience(depth):.15g}")


def patience(depth: float) -> float:
    """The probability to go on with which so many documents are seen on average, 1 / (1 - p) of them.

    >>> patience(10), patience(7), patience(1), patience(123456)
    (0.9, 0.8571, 0.0, 0.9999919)
    """
    number("depth", depth, least=1, most=DEEPEST)
    return round(1 - 1 / depth, max(4, math.ceil(math.log10(depth)) + 1))


def _read_to(leaf: Leaf, replies: Mapping[str, Reply | None]) -> list[ParameterValue]:
    depth = replies.get("depth")
    if depth is None:
        return []
    if "{N}" in leaf.measure:
        because = "the documents that all readers see"
        return [ParameterValue(name="cutoff", value=_whole("depth", depth), because=because)]
    if leaf.cut:
        because = f"readers see {depth:g} documents, and it has no other way to say so"
        return [ParameterValue(name="cutoff", value=math.ceil(depth), because=because)]
    if "{p}" not in leaf.measure:
        return []
    p = patience(depth)
    rank = math.floor(depth)
    past = f"{p**rank:.0%} of the weight lies past rank {rank:,}"
    because = f"1 - 1/{depth:g}, with which readers see {depth:g} documents on average; {past}"
    return [ParameterValue(name="p", value=p, because=because)]


def _whole(name: str, value: Reply) -> int:
    if not float(value).is_integer():
        raise InputError(f"{name} is a whole number here, not {value!r}")
    return int(value)
