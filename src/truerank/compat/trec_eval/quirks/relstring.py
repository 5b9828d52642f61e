"""The grades of the first documents as a string, one character each."""

from __future__ import annotations

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.ties import broken_by_order, topics_of
from truerank.conventions.unjudged import condensed
from truerank.data.judge import judge
from truerank.data.qrels import Qrels
from truerank.data.run import Run


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
    text = np.full((len(judged.length), depth), ord("-"), np.uint8)
    top = np.flatnonzero(judged.above < depth)
    grade = judged.grade[top]
    character = np.where(grade < 0, ord("."), np.where(grade > 9, ord(">"), ord("0") + np.clip(grade, 0, 9)))
    text[topics_of(judged)[top], judged.above[top]] = character.astype(np.uint8)
    ends = np.minimum(judged.length, depth).tolist()
    return [row[:end].tobytes().decode("ascii") for row, end in zip(text, ends, strict=True)]
