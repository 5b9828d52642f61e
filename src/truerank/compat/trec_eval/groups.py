"""Judgments by groups: values of preferences, and of measures over judgment groups.

Over judgment groups, several people judge a topic, and a score is the mean over them:

- ``map_avgjg``: average precision;
- ``P_avgjg_K``: precision at K;
- ``Rprec_mult_avgjg_X``: precision at X times the number of documents that the group finds relevant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

import numpy as np

from truerank.compat.trec_eval import prefs
from truerank.compat.trec_eval.absent import NoTopicError, refuse_absent, with_one_document
from truerank.compat.trec_eval.arguments import Arguments
from truerank.compat.trec_eval.files import GROUPED_QRELS, WHOLE_GROUPED_QRELS, GroupLines, first_documents, read_lines
from truerank.compat.trec_eval.names import PrintedName
from truerank.compat.trec_eval.output import PrintedColumn, Printout
from truerank.conventions.presets import conventions
from truerank.data.arrays import Rows, offsets
from truerank.data.ids import text
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run
from truerank.io.source import Readable
from truerank.io.trec import GROUPED
from truerank.measures.ap import AP
from truerank.measures.core.base import Measure
from truerank.measures.p import P
from truerank.measures.rprec import Rprec
from truerank.questions.evaluate.work import score

_LAYOUTS = {"prefs": GROUPED, "qrels_prefs": GROUPED_QRELS, "qrels_jg": WHOLE_GROUPED_QRELS}
"""What lines hold, by the form of the judgments; preferences between grades with a fraction are preferences."""


def grouped_values(run: Run, asked: Arguments, wanted: list[PrintedName]) -> Printout:
    """Values of all topics that count, of judgments in which several people may have judged a document."""
    lines = read_lines(asked.qrels, _LAYOUTS[asked.judgments])
    known = set(run.topics)
    absent = [topic for topic in lines.topics if topic not in known]
    if asked.setting.version >= 10:
        refuse_absent(lines.topics, absent, asked)
        run = with_one_document(run, absent)
    found = _evaluated(lines, run, asked, wanted)
    listed = [topic for topic in map(text, lines.topics) if topic in found]
    return Printout(
        topics=tuple(listed),
        columns=tuple(
            PrintedColumn(name, family, np.array([found[topic].get(name, 1.0) for topic in listed], np.float64))
            for name, family, _ in wanted
            if family.name != "runid"
        ),
        count=len(lines.topics) if asked.complete else len(listed),
        notes=(*lines.notes, *((NoTopicError().message,) if len(absent) == len(lines.topics) else ())),
    )


def _evaluated(lines: GroupLines, run: Run, asked: Arguments, wanted: list[PrintedName]) -> dict[str, dict[str, float]]:
    precision = conventions(f"trec_eval-{asked.setting.version}").precision
    level = asked.setting.level
    if asked.judgments != "qrels_jg":
        form = cast(Literal["prefs", "qrels_prefs"], asked.judgments)
        return prefs.evaluate(lines, run, form, level=level, precision=precision, depth=asked.depth)
    return evaluate(
        lines,
        run if asked.depth is None else first_documents(run, asked.depth, precision),
        level=level,
        cutoffs=[given for _, family, given in wanted if family.name == "P_avgjg"],
        multiples=[given for _, family, given in wanted if family.name == "Rprec_mult_avgjg"],
        precision=precision,
        unjudged="condensed" if asked.judged_only else "nonrelevant",
    )


def evaluate(
    source: Readable | GroupLines,
    run: Run,
    *,
    level: float,
    cutoffs: Sequence[int],
    multiples: Sequence[float],
    precision: str = "float64",
    unjudged: str = "nonrelevant",
) -> dict[str, dict[str, float]]:
    """Evaluate the topics that both the judgments and the run have: values by topic and measure.

    ``source`` holds qrels whose second column is the group. Relevant is what has a grade of at least ``level``; one
    below 0 is no judgment. ``precision`` and ``unjudged`` are conventions, others are trec_eval's.

    >>> import io
    >>> from truerank.io.load import as_run
    >>> qrels = io.StringIO("q ann a 1\\nq ann b 0\\nq bob a 0\\nq bob b 1")
    >>> evaluate(qrels, as_run({"q": ["a", "b"]}), level=1, cutoffs=[1], multiples=[1.0])  # ann 1, bob 1/2
    {'q': {'map_avgjg': 0.75, 'P_avgjg_1': 0.5, 'Rprec_mult_avgjg_1.00': 0.5}}
    """
    lines = read_lines(source, WHOLE_GROUPED_QRELS)
    wanted = _measures(cutoffs, multiples)
    choice = conventions("trec_eval-10", missing="skip", precision=precision, unjudged=unjudged)
    found: dict[str, list[dict[str, float]]] = {}
    for qrels in _layers(lines, level):
        scores = score(qrels, run, tuple(wanted.values()), choice)
        by_measure = {name: scores[measure].per_topic for name, measure in wanted.items()}
        for topic in by_measure["map_avgjg"]:
            found.setdefault(topic, []).append({name: values[topic] for name, values in by_measure.items()})
    return {
        topic: {name: sum(values[name] for values in groups) / len(groups) for name in wanted}
        for topic, groups in found.items()
    }


def _measures(cutoffs: Sequence[int], multiples: Sequence[float]) -> dict[str, Measure]:
    return {
        "map_avgjg": AP(),
        **{f"P_avgjg_{cutoff}": P(cutoff=cutoff) for cutoff in cutoffs},
        **{f"Rprec_mult_avgjg_{multiple:.2f}": Rprec(mult=multiple) for multiple in multiples},
    }


def _layers(lines: GroupLines, level: float) -> list[Qrels]:
    """Qrels of the first group of each topic, of the second group of those that have one, and so on."""
    layers: list[list[tuple[bytes, Rows]]] = []
    for topic, name in enumerate(lines.topics):
        for number, parts in enumerate(lines.groups(topic).values()):
            layers[number:] = layers[number:] or [[]]
            layers[number].append((name, np.concatenate(list(parts.values()))))
    return [_qrels(lines, layer, level) for layer in layers]


def _qrels(lines: GroupLines, layer: list[tuple[bytes, Rows]], level: float) -> Qrels:
    """Judgments of one group a topic, 1 for relevant."""
    topics, rows = zip(*layer, strict=True)
    row = np.concatenate(rows)
    grade = lines.grade[row]
    bounds = offsets(np.array([len(each) for each in rows]))
    binary = np.where(grade < 0, grade, grade >= level)
    return collect(topics, bounds, lines.docs.take(row), binary, origin=lines.origin)
