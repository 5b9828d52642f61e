"""ranx's names on this engine: change ``from ranx import ...`` to ``from truerank.compat.ranx import ...``.

>>> from truerank.compat.ranx import Qrels, Run, evaluate
>>> qrels = Qrels({"q_1": {"d_12": 5, "d_25": 3}})
>>> run = Run({"q_1": {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7}})
>>> round(float(evaluate(qrels, run, "ndcg@5")), 4)
0.943
"""

from __future__ import annotations

from truerank.compat.ranx.compare import Report, compare
from truerank.compat.ranx.evaluate import evaluate
from truerank.compat.ranx.lists import Qrels, Run

__all__ = ["Qrels", "Report", "Run", "compare", "evaluate"]

_ELSEWHERE = ("fuse", "normalize", "optimize_fusion", "plot")


def __getattr__(name: str) -> object:
    if name in _ELSEWHERE:
        raise AttributeError(
            f"truerank evaluates and compares runs and has no {name}; import it from ranx, and evaluate its result here"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
