"""Whose judgments count: one grade for each document, of those that judges give."""

from __future__ import annotations

from dataclasses import replace

from truerank.conventions.axes import Conventions
from truerank.data.chances import Chances, likeliest
from truerank.data.errors import InputError
from truerank.data.judges import Judges, combined
from truerank.data.printing import named
from truerank.data.qrels import Qrels

_WAYS = "majority, median or mean for one grade of all, or expected; evaluate also takes each and bounds"


def chosen(judgments: Qrels | Judges, choice: Conventions) -> Qrels:
    """The judgments that count; ``Chances`` where a score is the mean over random ones.

    >>> from truerank.data.ids import Ids
    >>> from truerank.data.qrels import collect
    >>> said = [collect([b"q"], [0, 1], Ids.pack(["d"]), [grade]) for grade in (0, 1, 1)]
    >>> judges = Judges.of(zip("abc", said))
    >>> [chosen(judges, Conventions(judges=how)).grade.tolist() for how in ("a", "majority", "mean")]
    [[0.0], [1.0], [0.6666666666666666]]
    """
    if isinstance(judgments, Qrels):
        if choice.judge is not None:
            raise InputError(
                f"judges={choice.judge!r} is no judge here: these judgments are by one, who has no name; leave it out, "
                "or give judges by name"
            )
        return _one(judgments, choice)
    if choice.judge is not None:
        return _one(judgments[choice.judge], choice)
    if len(judgments) == 1:
        return _one(judgments.each[0], choice)
    if choice.combines_judges:
        return combined(judgments.chances, choice.judges)
    if choice.averages_judgments or choice.each_judge or choice.judge_bounds:
        return _sure(judgments.chances)
    if judgments.given is not None:
        return _one(judgments[judgments.given], choice)
    raise InputError(
        f"there are {len(judgments)} judges ({named(judgments.names, most=8)}); say with judges= whose judgments "
        f"count: one of them by name, {_WAYS}"
    )


def each(judgments: Judges, choice: Conventions) -> dict[str, Qrels]:
    """The judgments of each judge by name, where each has a result of their own."""
    if len(judgments) < 2 or not (choice.each_judge or choice.judge_bounds):
        return {}
    return {name: _one(judgments[name], choice) for name in judgments}


def others(judgments: Judges, choice: Conventions) -> dict[str, Qrels]:
    """Where the judgments of one judge count, those of the others at hand; of those that are sure, or have labels."""
    counting = choice.judge or judgments.given
    if not choice.one_judge or counting is None:
        return {}
    found = {name: judgments[name] for name in judgments if name != counting}
    return {
        name: _one(judged, choice)
        for name, judged in found.items()
        if not isinstance(judged, Chances) or judged.labelled
    }


def _one(judged: Qrels, choice: Conventions) -> Qrels:
    """Judgments of one judge, which may not be sure."""
    if not isinstance(judged, Chances):
        return judged
    if choice.averages_judgments:
        return _sure(judged)
    if choice.combines_judges:
        return combined(judged, choice.judges)
    if judged.labelled:
        return _plain(judged)
    raise InputError(
        "these judgments are probabilities of grades; say with judges= what is made of them: expected for the mean "
        "over random judgments, or majority (the most likely grade), median or mean for one grade"
    )


def _sure(judged: Chances) -> Qrels:
    """What is sure is as good as plain judgments."""
    likely = replace(judged, grade=likeliest(judged))
    return _plain(likely) if judged.is_sure else likely


def _plain(judged: Qrels) -> Qrels:
    return Qrels(judged.topics, judged.offsets, judged.grade, judged.docs, judged.key, notes=judged.notes)
