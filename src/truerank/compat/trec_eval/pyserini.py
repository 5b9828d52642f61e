"""What pyserini adds to trec_eval's command line: ``-remove-unjudged`` and ``-m judged.5,10``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.compat.trec_eval.parameters import cutoffs
from truerank.data.arrays import Mask, offsets
from truerank.data.judge import judge
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.direction import input_order

REMOVE = "-remove-unjudged"
_MEASURE = "judged."
_OPTIONS = ("-m", "--measure")


def split_arguments(words: list[str]) -> tuple[list[str], bool, tuple[int, ...]]:
    """The arguments of trec_eval itself, whether unjudged documents are removed, and the depths of judged shares.

    >>> split_arguments(["-m", "judged.5,10", "-m", "map", "qrels.txt", "run.txt", "-remove-unjudged"])
    (['-m', 'map', 'qrels.txt', 'run.txt'], True, (5, 10))
    """
    left: list[str] = []
    depths: list[int] = []
    for word in words:
        if word.startswith(_MEASURE) and left and left[-1] in _OPTIONS:
            left.pop()
            depths += map(int, cutoffs(word.removeprefix(_MEASURE)))
        elif word != REMOVE:
            left.append(word)
    return left, REMOVE in words, tuple(depths)


def only_judged(run: Run, qrels: Qrels) -> Run:
    """The run without documents that have no line in the judgments, and without topics that are left with none.

    >>> from truerank.io.load import as_qrels, as_run
    >>> only_judged(as_run({"q": ["a", "b"], "r": ["c"]}), as_qrels({"q": {"b": -1}, "r": {"x": 1}})).ranking("q")
    [('b', 1.0)]
    """
    keep = _is_judged(run, qrels)
    count = np.diff(offsets(keep)[run.offsets])
    some = run.take(np.flatnonzero(keep), offsets(count[count > 0]))
    return replace(some, topics=tuple(topic for topic, left in zip(run.topics, count, strict=True) if left))


def judged_shares(run: Run, qrels: Qrels, depths: tuple[int, ...]) -> str:
    """Lines of the shares of first documents that are judged, of all topics of the run together.

    First are those that stand first in the file, as they do for pyserini.

    >>> from truerank.io.load import as_qrels, as_run
    >>> judged_shares(as_run({"q": ["a", "b", "c"]}), as_qrels({"q": {"b": 1}}), (1, 2))
    'judged_1              \\tall\\t0.0000\\njudged_2              \\tall\\t0.5000\\n'
    """
    order = input_order(run)
    judged = _is_judged(run, qrels)[order]
    place = np.arange(len(run)) - np.repeat(run.offsets[:-1], np.diff(run.offsets))
    shares = [(depth, judged[place < depth]) for depth in depths]
    return "".join(f"judged_{depth:<15}\tall\t{float(first.mean()):.4f}\n" for depth, first in shares if first.size)


def _is_judged(run: Run, qrels: Qrels) -> Mask:
    found = np.zeros(len(run), np.bool_)
    found[judge(qrels, run).row] = True
    return found
