"""Values of the measures of preferences and of judgment groups."""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np

from truerank.compat.trec_eval import groups, prefs
from truerank.compat.trec_eval.arguments import Arguments
from truerank.compat.trec_eval.cut import first_documents
from truerank.compat.trec_eval.families import Family
from truerank.compat.trec_eval.prefs_lines import PREFS, QRELS, read_lines
from truerank.compat.trec_eval.quirks.absent import with_one_document
from truerank.compat.trec_eval.settings import NoTopicError, refuse_absent
from truerank.compat.trec_eval.values import Column, Values
from truerank.conventions.presets import conventions
from truerank.data.run import Run


def grouped_values(run: Run, asked: Arguments, wanted: list[tuple[str, Family, Any]]) -> Values:
    """Values of all topics that count, of judgments in which several people may have judged a document."""
    topics = read_lines(asked.qrels, PREFS if asked.judgments == "prefs" else QRELS).topics
    known = set(run.topics)
    absent = [topic for topic in topics if topic not in known]
    if asked.setting.version >= 10:
        refuse_absent(absent, len(topics), asked.complete)
        run = with_one_document(run, absent)
    found = _evaluated(run, asked, wanted)
    listed = [topic.decode("utf-8", "surrogateescape") for topic in topics]
    listed = [topic for topic in listed if topic in found]
    return Values(
        topics=tuple(listed),
        columns=tuple(
            Column(name, family, np.array([found[topic].get(name, 1.0) for topic in listed], np.float64))
            for name, family, _ in wanted
            if family.name != "runid"
        ),
        count=len(topics) if asked.complete else len(listed),
        notes=(NoTopicError().message,) if len(absent) == len(topics) else (),
    )


def _evaluated(run: Run, asked: Arguments, wanted: list[tuple[str, Family, Any]]) -> dict[str, dict[str, float]]:
    precision = conventions(f"trec_eval-{asked.setting.version}").precision
    level = asked.setting.level
    if asked.judgments != "qrels_jg":
        form = cast(Literal["prefs", "qrels_prefs"], asked.judgments)
        return prefs.evaluate(asked.qrels, run, form, level=level, precision=precision, depth=asked.depth)
    return groups.evaluate(
        asked.qrels,
        run if asked.depth is None else first_documents(run, asked.depth, precision),
        level=level,
        cutoffs=[given for _, family, given in wanted if family.name == "P_avgjg"],
        multiples=[given for _, family, given in wanted if family.name == "Rprec_mult_avgjg"],
        precision=precision,
        unjudged="condensed" if asked.judged_only else "nonrelevant",
    )
