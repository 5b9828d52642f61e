"""Evaluation with ir_measures' interface. There is one engine; ir_measures' names for its providers all mean it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from truerank.compat.ir_measures.families import FamilyReading
from truerank.compat.ir_measures.grammar import parse_measure
from truerank.compat.ir_measures.measures import Defined, Measure, Silent
from truerank.compat.ir_measures.records import FIELDS, CalcResults, Metric, Ranked, judgments, ranked
from truerank.conventions.axes import Conventions
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.measures.core import base
from truerank.questions.evaluate.work import score


def topic_values(qrels: Qrels, run: Run, readings: Iterable[FamilyReading]) -> dict[FamilyReading, dict[str, float]]:
    """The value of each judged topic, by reading; measures that share conventions are read together."""
    together: dict[Conventions, dict[base.Measure, None]] = {}
    for measure, choice in readings:
        together.setdefault(choice, {})[measure] = None
    found: dict[FamilyReading, dict[str, float]] = {}
    for choice, measures in together.items():
        scores = score(qrels, run, tuple(measures), choice)
        for measure in measures:
            of = scores[str(measure)]
            found[FamilyReading(measure, choice)] = dict(zip(of.names, of.values.tolist(), strict=True))
    return found


def silenced(values: dict[str, float], run: Ranked) -> dict[str, float]:
    """Values where those of topics without documents are marked as such."""
    sizes = zip(run.run.topics, (run.run.offsets[1:] - run.run.offsets[:-1]).tolist(), strict=True)
    known = {text(topic) for topic, size in sizes if size}
    return {topic: value if topic in known else Silent(value) for topic, value in values.items()}


class Evaluator:
    """Scores runs with some measures, against judgments that are read once."""

    def __init__(self, measures: Iterable[Measure | Defined | str], qrels: Any) -> None:
        given = [measures] if isinstance(measures, (Measure, Defined, str)) else measures
        wanted = [m if isinstance(m, (Measure, Defined)) else parse_measure(str(m)) for m in given]
        self.measures: list[Any] = list(dict.fromkeys(wanted))
        self._defined = [m for m in self.measures if isinstance(m, Defined)]
        for defined in self._defined:
            defined.validate_params()
        self._readings = {m: m.reading for m in self.measures if isinstance(m, Measure)}
        self._rows = list(qrels) if self._defined and isinstance(qrels, Iterator) else qrels
        self._qrels = judgments(self._rows) if self._readings else None

    @property
    def qrel_qids(self) -> set[str]:
        """The judged topics."""
        topics = () if self._qrels is None else self._qrels.topics
        return {text(topic) for topic in topics}

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each topic: those of the run as they come in it, then those it leaves out."""
        rows = list(run) if self._defined and isinstance(run, Iterator) else run
        for defined in self._defined:
            yield from defined.iter_calc(self._rows, rows)
        if self._qrels is None:
            return
        have = ranked(rows)
        values = topic_values(self._qrels, have.run, self._readings.values())
        found = {}
        for measure, reading in self._readings.items():
            found[measure] = values[reading]
            if not reading.measure.averages:
                found[measure] = silenced(values[reading], have)
        judged = self.qrel_qids
        for topic in have.order:
            if topic in judged:
                for measure, of in found.items():
                    if not (measure.family.leaves_out and math.isnan(of[topic])):
                        yield Metric(topic, measure, of[topic])
        missing = sorted(judged.difference(have.order))
        for measure in sorted(found, key=str):
            for topic in () if measure.family.leaves_out else missing:
                # ir_measures gives topics that the run leaves out its default, whatever the measure.
                yield Metric(topic, measure, found[measure][topic] if measure.family.like is None else measure.DEFAULT)

    def calc_aggregate(self, run: Any) -> dict[Any, float]:
        """One number a measure."""
        return self.calc(run).aggregated  # type: ignore[no-any-return]

    def calc(self, run: Any) -> CalcResults:
        """One number a measure, and the value of each topic."""
        per_query = list(self.iter_calc(run))
        summaries = {measure: measure.aggregator() for measure in self.measures}
        for metric in per_query:
            summaries[metric.measure].add(metric.value)
        return CalcResults({measure: summary.result() for measure, summary in summaries.items()}, per_query)


class Provider:
    """ir_measures' interface to something that evaluates; here it is always the same engine."""

    def __init__(self, name: str) -> None:
        self.NAME = name

    def evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        """What scores runs with these measures, against judgments that are read once."""
        return Evaluator(measures, qrels)

    def iter_calc(self, measures: Iterable[Any], qrels: Any, run: Any) -> Iterator[Metric]:
        """The value of each topic."""
        return self.evaluator(measures, qrels).iter_calc(run)

    def calc_aggregate(self, measures: Iterable[Any], qrels: Any, run: Any) -> dict[Any, float]:
        """One number a measure: for most the mean over the judged topics.

        >>> DefaultPipeline.calc_aggregate([parse_measure("RR")], {"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}})
        {RR: 0.5}
        """
        return self.evaluator(measures, qrels).calc_aggregate(run)

    def calc(self, measures: Iterable[Any], qrels: Any, run: Any) -> CalcResults:
        """One number a measure, and the value of each topic."""
        return self.evaluator(measures, qrels).calc(run)

    @contextmanager
    def calc_ctxt(self, measures: Iterable[Any], qrels: Any) -> Iterator[Any]:
        """ir_measures' former name of ``evaluator``."""
        yield self.evaluator(measures, qrels).iter_calc

    def supports(self, measure: Any) -> bool:
        """Whether there is such a measure."""
        try:
            measure.validate_params()
        except InputError:
            return False
        return True

    def is_available(self) -> bool:
        """The engine always is."""
        return True

    def run_inputs(self, measures: Iterable[Any]) -> list[str]:
        """What runs need to have."""
        return _inputs("run", measures)

    def qrel_inputs(self, measures: Iterable[Any]) -> list[str]:
        """What judgments need to have."""
        return _inputs("qrels", measures)


def _inputs(kind: str, measures: Iterable[Any]) -> list[str]:
    """The columns that some measures need, each once."""
    needed = [m.inputs[kind] if isinstance(m, Defined) else FIELDS[kind] for m in measures]
    return list(dict.fromkeys(name for names in needed for name in names))


DefaultPipeline = Provider("truerank")
CLASSES = {
    "AccuracyProvider": "accuracy",
    "CompatProvider": "compat",
    "CwlEvalProvider": "cwl_eval",
    "GdevalProvider": "gdeval",
    "JudgedProvider": "judged",
    "MsMarcoProvider": "msmarco",
    "PyNdEvalProvider": "pyndeval",
    "PytrecEvalProvider": "pytrec_eval",
    "RanxProvider": "ranx",
    "RuntimeProvider": "runtime",
    "TrectoolsProvider": "trectools",
}
"""ir_measures' classes of providers, and the names of their objects."""
registry: dict[str, Provider] = {name: Provider(name) for name in CLASSES.values()}
"""ir_measures' providers by name."""


def __getattr__(name: str) -> Any:
    if name in CLASSES:
        return partial(Provider, CLASSES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
