"""ir_measures' interface on truerank's engine: ``from truerank.compat import ir_measures`` in place of the import.

``register()`` does the opposite: it makes truerank's measures known to an installed ir_measures.

>>> from truerank.compat import ir_measures
>>> ir_measures.calc_aggregate([ir_measures.nDCG @ 10], {"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}})
{nDCG@10: 0.6309297535714575}
"""

from __future__ import annotations

from typing import Any

from truerank.compat.ir_measures import measures, providers, util
from truerank.compat.ir_measures.measures import (
    BaseMeasure,
    MeanAgg,
    Measure,
    ParamInfo,
    SumAgg,
    define,
    define_byquery,
)
from truerank.compat.ir_measures.plugin import register
from truerank.compat.ir_measures.providers import DefaultPipeline, Evaluator, Provider
from truerank.compat.ir_measures.util import *  # noqa: F403
from truerank.version import __version__

evaluator = DefaultPipeline.evaluator
calc_ctxt = DefaultPipeline.calc_ctxt
iter_calc = DefaultPipeline.iter_calc
calc_aggregate = DefaultPipeline.calc_aggregate
calc = DefaultPipeline.calc
run_inputs = DefaultPipeline.run_inputs
qrel_inputs = DefaultPipeline.qrel_inputs

__all__ = [
    "BaseMeasure",
    "DefaultPipeline",
    "Evaluator",
    "MeanAgg",
    "Measure",
    "ParamInfo",
    "Provider",
    "SumAgg",
    "__version__",
    "calc",
    "calc_aggregate",
    "calc_ctxt",
    "define",
    "define_byquery",
    "evaluator",
    "iter_calc",
    "measures",
    "providers",
    "qrel_inputs",
    "register",
    "run_inputs",
    "util",
    *util.__all__,
    *measures.registry,
    *providers.registry,
]


def __getattr__(name: str) -> Any:
    for known in (measures.registry, providers.registry):
        if name in known:
            return known[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
