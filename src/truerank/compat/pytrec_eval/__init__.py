"""pytrec_eval's names on this engine: change ``import pytrec_eval`` to ``from truerank.compat import pytrec_eval``.

>>> from truerank.compat import pytrec_eval
>>> evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut_10"})
>>> evaluator.evaluate({"q1": {"d1": 0.5, "d2": 2.0}})
{'q1': {'map': 0.5, 'ndcg_cut_10': 0.6309297535714575}}
"""

from __future__ import annotations

from truerank.compat.pytrec_eval.evaluator import RelevanceEvaluator
from truerank.compat.pytrec_eval.lines import parse_qrel, parse_run
from truerank.compat.pytrec_eval.measures import compute_aggregated_measure, supported_measures, supported_nicknames

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]
