"""Runs looked at one after the other: joined with the judgments, and refused where they cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from truerank.analysis.notices import Facts, notices
from truerank.analysis.reading import refuse_missing
from truerank.analysis.views import Views, ending_of
from truerank.conventions.choices import Conventions
from truerank.conventions.ending import TERMINAL
from truerank.conventions.reading import answers, listed
from truerank.conventions.ties import broken_by_order
from truerank.data.block import Pool, pool_of
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.judge import Judged, judge
from truerank.data.qrels import Preferences, Qrels
from truerank.io.runs import Named, one_by_one
from truerank.measures.core.base import Measure


def seen(
    judgments: Qrels,
    named: Sequence[Named],
    wanted: tuple[Measure, ...],
    choices: Sequence[Conventions],
    *,
    progress: Callable[[str], object] | None = None,
) -> Iterator[tuple[str, list[Views]]]:
    """Each run by name, under each choice of conventions; ``progress`` is called with the name when it is done.

    >>> from truerank.io.load import as_qrels
    >>> from truerank.io.runs import named_runs
    >>> from truerank.measures.grammar import parse_all
    >>> runs = named_runs({"mine": {"q1": ["b", "a"]}, "yours": {"q1": ["a"]}})
    >>> for name, [views] in seen(as_qrels({"q1": {"a": 1}}), runs, parse_all("RR"), [Conventions()]):
    ...     print(name, views.judged.length.tolist())
    mine [2]
    yours [1]
    """
    for choice in choices:
        refuse(judgments, wanted, choice)
    # A pool does not depend on what becomes of unjudged documents, nor on how ties are read.
    alike = [replace(choice, unjudged="nonrelevant", ties="expected") for choice in choices]
    pools = {choice: pool(judgments, named, wanted, choice) for choice in dict.fromkeys(alike)}

    def each() -> Iterator[tuple[str, list[Views]]]:
        for name, run in one_by_one(named):
            views = [
                Views(judgments, run, pools[same], choice, deepest_of(wanted))
                for choice, same in zip(choices, alike, strict=True)
            ]
            for one in views:
                refuse_strangers(name, one.judged)
                refuse_missing(one)
            yield name, views
            if progress is not None:
                progress(name)

    return each()


def deepest_of(wanted: Sequence[Measure]) -> int:
    """The largest cutoff of some measures, 0 without one."""
    return max((measure.cutoff for measure in wanted if measure.cutoff is not None), default=0)


def noticed(judgments: Qrels, facts: Sequence[Facts], choice: Conventions) -> tuple[str, ...]:
    """What there is to know about the judgments and the runs that were seen."""
    return (*judgments.notes, *notices(facts, choice, len(judgments.topics)))


def refuse(judgments: Qrels, wanted: tuple[Measure, ...], choice: Conventions) -> None:
    """Refuse measures that judgments or conventions leave without a meaning."""
    for measure in wanted:
        if isinstance(judgments, Preferences) and measure.needs != "preferences":
            raise InputError(
                f"{measure} needs grades, and these judgments are preferences (three columns: topic, better, worse); "
                "use PrefLoss with them, or give qrels (four columns: topic, iteration, document, grade)"
            )
        # c@1 ends lists its own way, whatever is chosen.
        if choice.ending != "none" and measure.ending == "none" and not measure.takes_terminal:
            raise InputError(f"{measure} has no form with a terminal document; evaluate it with ending='none'")
        if choice.nil == "answer" and TERMINAL[ending_of(measure, choice)]:
            raise InputError(
                f"{measure} with a terminal document takes the end of a list for an answer, and nil='answer' NIL; "
                "evaluate it with nil='end', or without a terminal document"
            )
    if choice.nil == "answer" and isinstance(judgments, Preferences):
        raise InputError("nil='answer' gives NIL a grade, and preferences have none; give qrels, or leave nil out")
    if choice.limit is not None and not any(TERMINAL[ending_of(measure, choice)] for measure in wanted):
        raise InputError(
            f"limit={choice.limit} says which lists were ended by their systems, which counts with a terminal document "
            "only; choose ending='terminal', or leave limit out"
        )


def refuse_strangers(name: str, judged: Judged) -> None:
    """Refuse a run that has nothing to do with the judgments: its scores would be zeros that look like results."""
    if (judged.run_topic < 0).all():
        theirs, ours = text(judged.run.topics[0]), text(judged.qrels.topics[0])
        raise InputError(
            f"run {name!r} and the judgments have no topic in common: one has topics such as {theirs!r}, the other "
            f"such as {ours!r}; check that both name topics alike"
        )


def pool(judgments: Qrels, runs: Sequence[Named], wanted: tuple[Measure, ...], choice: Conventions) -> Pool:
    """What the judgments say of each topic; the best rank of each document in the runs, where a measure needs it."""
    judgments = answers(judgments, choice)
    best_rank = None
    if any(measure.needs_pool for measure in wanted):
        best_rank = np.full(len(judgments.grade), np.iinfo(np.int64).max)
        for _, run in one_by_one(runs):
            # Pools are made of single rankings, so ties are in the order that trec_eval has for them.
            judged = broken_by_order(judge(judgments, listed(run, choice), precision=choice.precision), "docid")
            np.minimum.at(best_rank, judged.judgment, judged.above + 1)
    return pool_of(judgments, negative_judged=choice.negative == "judged", best_rank=best_rank)
