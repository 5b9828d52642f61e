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
    from truerank.analysis.agreement.between import Agreement as Agreement
    from truerank.analysis.agreement.between import agreement as agreement
    from truerank.analysis.calibrate import calibrate as calibrate
    from truerank.analysis.calibration.results import Calibration as Calibration
    from truerank.analysis.catalogue import Entry as Entry
    from truerank.analysis.catalogue import measures as measures
    from truerank.analysis.choose import choose as choose
    from truerank.analysis.choosing.results import Choice as Choice
    from truerank.analysis.compare import compare as compare
    from truerank.analysis.comparing.results import Comparison as Comparison
    from truerank.analysis.criteria.results import Meta as Meta
    from truerank.analysis.cuts.against import Against as Against
    from truerank.analysis.cuts.against import against as against
    from truerank.analysis.cuts.cut import Cut as Cut
    from truerank.analysis.cuts.results import Cuts as Cuts
    from truerank.analysis.depth import depth as depth
    from truerank.analysis.depths.curves import Curves as Curves
    from truerank.analysis.diff import diff as diff
    from truerank.analysis.differences.results import Diff as Diff
    from truerank.analysis.evaluate import evaluate as evaluate
    from truerank.analysis.explain import explain as explain
    from truerank.analysis.explaining.results import Explanation as Explanation
    from truerank.analysis.judging.results import Unjudged as Unjudged
    from truerank.analysis.lint.findings import Finding as Finding
    from truerank.analysis.lint.findings import Lint as Lint
    from truerank.analysis.lint.lint import lint as lint
    from truerank.analysis.meta import meta as meta
    from truerank.analysis.nil import nil as nil
    from truerank.analysis.pooling.leave_out import leave_out as leave_out
    from truerank.analysis.pooling.losses import LeaveOut as LeaveOut
    from truerank.analysis.pooling.pool import DocumentPool as DocumentPool
    from truerank.analysis.pooling.pool import pool as pool
    from truerank.analysis.pooling.pools import Contribution as Contribution
    from truerank.analysis.pooling.pools import Pools as Pools
    from truerank.analysis.pooling.pools import pools as pools
    from truerank.analysis.pooling.restrict import restrict as restrict
    from truerank.analysis.precision_recall import precision_recall as precision_recall
    from truerank.analysis.preferences import preferences as preferences
    from truerank.analysis.preferring.grades import induced_preferences as induced_preferences
    from truerank.analysis.preferring.grades import induced_qrels as induced_qrels
    from truerank.analysis.preferring.results import PreferenceSurvey as PreferenceSurvey
    from truerank.analysis.properties.check import properties as properties
    from truerank.analysis.properties.results import Verdict as Verdict
    from truerank.analysis.properties.results import Verdicts as Verdicts
    from truerank.analysis.roc import roc as roc
    from truerank.analysis.scores import Score as Score
    from truerank.analysis.scores import Scores as Scores
    from truerank.analysis.silence.results import Silence as Silence
    from truerank.analysis.simulate import simulate as simulate
    from truerank.analysis.stop import fit_rule as fit_rule
    from truerank.analysis.stop import stop as stop
    from truerank.analysis.stopping.base import Rule as Rule
    from truerank.analysis.stopping.results import Stopping as Stopping
    from truerank.analysis.stopping.rules import load_rule as load_rule
    from truerank.analysis.tied.results import Ties as Ties
    from truerank.analysis.ties import ties as ties
    from truerank.analysis.tradeoffs.results import PrecisionRecall as PrecisionRecall
    from truerank.analysis.tradeoffs.results import Roc as Roc
    from truerank.analysis.truncate import truncate as truncate
    from truerank.analysis.unjudged import unjudged as unjudged
    from truerank.analysis.why import why as why
    from truerank.conventions.choices import Conventions as Conventions
    from truerank.data.errors import InputError as InputError
    from truerank.data.qrels import Qrels as Qrels
    from truerank.data.run import Run as Run
    from truerank.expectation.opaque import Ranking as Ranking
    from truerank.io import load
    from truerank.io.trec import write_run as write_run
    from truerank.measures.base import Measure as Measure
    from truerank.measures.grammar import parse as parse
    from truerank.measures.own import measure as measure
    from truerank.version import __version__ as __version__

    read_preferences, read_qrels, read_run = load.as_preferences, load.as_qrels, load.as_run

# Names are imported when first used: the command line answers --help without waiting for numpy.
_HOMES = {
    "Against": "truerank.analysis.cuts.against",
    "Agreement": "truerank.analysis.agreement.between",
    "Calibration": "truerank.analysis.calibration.results",
    "Choice": "truerank.analysis.choosing.results",
    "Comparison": "truerank.analysis.comparing.results",
    "Contribution": "truerank.analysis.pooling.pools",
    "Conventions": "truerank.conventions.choices",
    "Curves": "truerank.analysis.depths.curves",
    "Cut": "truerank.analysis.cuts.cut",
    "Cuts": "truerank.analysis.cuts.results",
    "Diff": "truerank.analysis.differences.results",
    "DocumentPool": "truerank.analysis.pooling.pool",
    "Entry": "truerank.analysis.catalogue",
    "Explanation": "truerank.analysis.explaining.results",
    "Finding": "truerank.analysis.lint.findings",
    "InputError": "truerank.data.errors",
    "LeaveOut": "truerank.analysis.pooling.losses",
    "Lint": "truerank.analysis.lint.findings",
    "Measure": "truerank.measures.base",
    "Meta": "truerank.analysis.criteria.results",
    "Pools": "truerank.analysis.pooling.pools",
    "PrecisionRecall": "truerank.analysis.tradeoffs.results",
    "PreferenceSurvey": "truerank.analysis.preferring.results",
    "Qrels": "truerank.data.qrels",
    "Ranking": "truerank.expectation.opaque",
    "Roc": "truerank.analysis.tradeoffs.results",
    "Rule": "truerank.analysis.stopping.base",
    "Run": "truerank.data.run",
    "Score": "truerank.analysis.scores",
    "Scores": "truerank.analysis.scores",
    "Silence": "truerank.analysis.silence.results",
    "Stopping": "truerank.analysis.stopping.results",
    "Ties": "truerank.analysis.tied.results",
    "Unjudged": "truerank.analysis.judging.results",
    "Verdict": "truerank.analysis.properties.results",
    "Verdicts": "truerank.analysis.properties.results",
    "__version__": "truerank.version",
    "against": "truerank.analysis.cuts.against",
    "agreement": "truerank.analysis.agreement.between",
    "calibrate": "truerank.analysis.calibrate",
    "choose": "truerank.analysis.choose",
    "compare": "truerank.analysis.compare",
    "depth": "truerank.analysis.depth",
    "diff": "truerank.analysis.diff",
    "evaluate": "truerank.analysis.evaluate",
    "explain": "truerank.analysis.explain",
    "fit_rule": "truerank.analysis.stop",
    "induced_preferences": "truerank.analysis.preferring.grades",
    "induced_qrels": "truerank.analysis.preferring.grades",
    "leave_out": "truerank.analysis.pooling.leave_out",
    "lint": "truerank.analysis.lint.lint",
    "load_rule": "truerank.analysis.stopping.rules",
    "measure": "truerank.measures.own",
    "meta": "truerank.analysis.meta",
    "nil": "truerank.analysis.nil",
    "parse": "truerank.measures.grammar",
    "pool": "truerank.analysis.pooling.pool",
    "pools": "truerank.analysis.pooling.pools",
    "precision_recall": "truerank.analysis.precision_recall",
    "preferences": "truerank.analysis.preferences",
    "properties": "truerank.analysis.properties.check",
    "restrict": "truerank.analysis.pooling.restrict",
    "roc": "truerank.analysis.roc",
    "simulate": "truerank.analysis.simulate",
    "stop": "truerank.analysis.stop",
    "ties": "truerank.analysis.ties",
    "truncate": "truerank.analysis.truncate",
    "unjudged": "truerank.analysis.unjudged",
    "why": "truerank.analysis.why",
    "write_run": "truerank.io.trec",
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
