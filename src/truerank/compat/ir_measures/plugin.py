"""truerank's measures inside an installed ir_measures, and so in whatever uses it, such as PyTerrier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from truerank.compat.ir_measures.families import FAMILIES, NOT_PROVIDED, OTHER_NAMES, MeasureFamily
from truerank.compat.ir_measures.measures import Summary
from truerank.compat.ir_measures.providers import silenced, topic_values
from truerank.compat.ir_measures.records import judgments, ranked
from truerank.data.ids import text
from truerank.measures.table import TABLE

NAME = "truerank"


def register() -> SimpleNamespace:
    """Make truerank's measures known to the installed ir_measures, and return them.

    They are those that ir_measures lacks, such as RBPU, OIE and nDCGT, and its own with a name that ends in ``_TA``,
    such as ``nDCG_TA@10``: tie-aware, the mean over all orders of documents with equal scores. ir_measures' own
    measures are read as before; those that no installed provider of it can calculate, such as RBP without cwl-eval,
    are calculated here. Doing this again changes nothing.

    >>> import ir_measures
    >>> _ = register()
    >>> ir_measures.parse_measure("nDCG_TA(dcg='exp-log2')@10")
    nDCG_TA(dcg='exp-log2')@10
    """
    try:
        irm: Any = import_module("ir_measures")
    except ImportError:
        raise ImportError("register() needs ir_measures; install it with: pip install ir-measures") from None
    known = irm.providers.registry.get(NAME)
    if known is None:
        known = irm.providers.register(_provider(irm))
        irm.DefaultPipeline.providers.append(known)
    names: SimpleNamespace = known.names
    return names


def _provider(irm: Any) -> Any:
    made = {}
    for name, family in FAMILIES.items():
        if family.like is None and name not in irm.measures.registry:
            made[name] = _measure(irm, family)
            aliases = [alias for alias, meant in OTHER_NAMES.items() if meant == name]
            irm.measures.register(made[name], [alias for alias in aliases if alias not in irm.measures.registry])

    class Truerank(irm.Provider):  # type: ignore[misc]
        """truerank: tie-aware measures, and measures of truncated lists."""

        NAME = NAME
        SUPPORTED_MEASURES = list(made.values())
        names = SimpleNamespace(**made)

        def supports(self, measure: Any) -> bool:
            measure.validate_params()
            return bool(measure.NAME in FAMILIES and FAMILIES[measure.NAME].ours)

        def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Any:
            return _evaluator(irm, measures, qrels)

    return Truerank()


def _measure(irm: Any, family: MeasureFamily) -> Any:
    """A measure of ir_measures that stands for one of ours."""

    def aggregator(self: Any) -> Summary:
        return Summary(family.reading(self.params).measure)

    members = {
        "__name__": family.name,
        "__doc__": type(TABLE[family.ours]).__doc__,
        "NAME": family.name,
        "PRETTY_NAME": family.name,
        "SHORT_DESC": TABLE[family.ours].formula,
        "AT_PARAM": family.at,
        "SUPPORTED_PARAMS": {name: _info(irm, info) for name, info in family.parameters.items()},
        "aggregator": aggregator,
    }
    return type(f"_{family.name}", (irm.Measure,), members)()


def _info(irm: Any, info: Any) -> Any:
    # Values are checked when a measure is calculated, with a message that says what is wrong.
    known = {} if info.default is NOT_PROVIDED else {"default": info.default}
    return irm.ParamInfo(desc=info.desc, **known)


def _evaluator(irm: Any, measures: Iterable[Any], qrels: Any) -> Any:
    given = judgments(qrels)
    topics = () if given is None else given.topics
    readings = {measure: FAMILIES[measure.NAME].reading(measure.params) for measure in measures}

    class Evaluator(irm.Evaluator):  # type: ignore[misc]
        """Scores runs on our engine."""

        def _iter_calc(self, run: Any) -> Iterator[Any]:
            if given is None:
                return
            have = ranked(run)
            found = topic_values(given, have.run, readings.values())
            for measure, reading in readings.items():
                values = found[reading]
                if FAMILIES[measure.NAME].like is not None:
                    # Of ir_measures' own measures, topics that the run leaves out have ir_measures' default.
                    values = {topic: value for topic, value in values.items() if topic in have.order}
                elif not reading.measure.averages:
                    values = silenced(values, have)
                for topic, value in values.items():
                    yield irm.Metric(topic, measure, value)

    return Evaluator(list(readings), {text(topic) for topic in topics})
