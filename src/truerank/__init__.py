"""truerank: evaluate rankings, with every choice that a score hides made explicit.

>>> import truerank as tr
>>> scores = tr.evaluate({"q1": {"a": 1}}, {"q1": ["b", "a"]}, "RR nDCG@10")
>>> scores["run"]["RR"].mean
0.5
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from truerank.analysis.catalogue import Entry as Entry
    from truerank.analysis.catalogue import measures as measures
    from truerank.analysis.evaluate import evaluate as evaluate
    from truerank.analysis.scores import Score as Score
    from truerank.analysis.scores import Scores as Scores
    from truerank.analysis.simulate import simulate as simulate
    from truerank.conventions.choices import Conventions as Conventions
    from truerank.data.errors import InputError as InputError
    from truerank.data.qrels import Qrels as Qrels
    from truerank.data.run import Run as Run
    from truerank.expectation.opaque import Ranking as Ranking
    from truerank.io import load
    from truerank.measures.base import Measure as Measure
    from truerank.measures.grammar import parse as parse
    from truerank.measures.own import measure as measure
    from truerank.version import __version__ as __version__

    read_preferences, read_qrels, read_run = load.as_preferences, load.as_qrels, load.as_run

# Names are imported when first used: the command line answers --help without waiting for numpy.
_HOMES = {
    "Conventions": "truerank.conventions.choices",
    "Entry": "truerank.analysis.catalogue",
    "InputError": "truerank.data.errors",
    "Measure": "truerank.measures.base",
    "Qrels": "truerank.data.qrels",
    "Ranking": "truerank.expectation.opaque",
    "Run": "truerank.data.run",
    "Score": "truerank.analysis.scores",
    "Scores": "truerank.analysis.scores",
    "__version__": "truerank.version",
    "evaluate": "truerank.analysis.evaluate",
    "measure": "truerank.measures.own",
    "parse": "truerank.measures.grammar",
    "simulate": "truerank.analysis.simulate",
}

# What reads a file also takes Python data.
_READERS = {"read_preferences": "as_preferences", "read_qrels": "as_qrels", "read_run": "as_run"}


def __getattr__(name: str) -> Any:
    if name == "measures":
        return import_module("truerank.measures")
    if name in _READERS:
        return getattr(import_module("truerank.io.load"), _READERS[name])
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if not name.startswith("_"):
        from truerank.measures.grammar import parse
        from truerank.measures.table import ALIASES, TABLE

        if name in TABLE or name in ALIASES:
            return parse(name)
    raise AttributeError(f"module 'truerank' has no attribute {name!r}")


def __dir__() -> list[str]:
    from truerank.measures.table import TABLE

    return sorted([*_HOMES, *_READERS, "measures", *TABLE])
