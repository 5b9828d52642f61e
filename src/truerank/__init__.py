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
    from truerank.conventions.axes import Conventions as Conventions
    from truerank.data.errors import InputError as InputError
    from truerank.data.qrels import Qrels as Qrels
    from truerank.data.run import Run as Run
    from truerank.expectation.opaque import Ranking as Ranking
    from truerank.io.trec import write_run as write_run
    from truerank.measures.catalogue import Entry as Entry
    from truerank.measures.core.base import Measure as Measure
    from truerank.measures.grammar import parse as parse
    from truerank.measures.own import measure as measure
    from truerank.questions.agreement.answer import Agreement as Agreement
    from truerank.questions.agreement.question import agreement as agreement
    from truerank.questions.calibrate.answer import Calibration as Calibration
    from truerank.questions.calibrate.question import calibrate as calibrate
    from truerank.questions.choose.answer import Choice as Choice
    from truerank.questions.choose.question import choose as choose
    from truerank.questions.compare.answer import Comparison as Comparison
    from truerank.questions.compare.question import compare as compare
    from truerank.questions.curves.answer import PrecisionRecall as PrecisionRecall
    from truerank.questions.curves.answer import Roc as Roc
    from truerank.questions.curves.question import precision_recall as precision_recall
    from truerank.questions.curves.question import roc as roc
    from truerank.questions.depth.answer import Curves as Curves
    from truerank.questions.depth.question import depth as depth
    from truerank.questions.diff.answer import Diff as Diff
    from truerank.questions.diff.question import diff as diff
    from truerank.questions.evaluate.answer import Score as Score
    from truerank.questions.evaluate.answer import Scores as Scores
    from truerank.questions.evaluate.question import evaluate as evaluate
    from truerank.questions.explain.answer import Explanation as Explanation
    from truerank.questions.explain.question import explain as explain
    from truerank.questions.lint.answer import Finding as Finding
    from truerank.questions.lint.answer import Lint as Lint
    from truerank.questions.lint.question import lint as lint
    from truerank.questions.meta.answer import Meta as Meta
    from truerank.questions.meta.question import meta as meta
    from truerank.questions.nil.answer import Silence as Silence
    from truerank.questions.nil.question import nil as nil
    from truerank.questions.pool.answer import Contribution as Contribution
    from truerank.questions.pool.answer import DocumentPool as DocumentPool
    from truerank.questions.pool.answer import LeaveOut as LeaveOut
    from truerank.questions.pool.answer import Pools as Pools
    from truerank.questions.pool.question import leave_out as leave_out
    from truerank.questions.pool.question import pool as pool
    from truerank.questions.pool.question import pools as pools
    from truerank.questions.pool.question import restrict as restrict
    from truerank.questions.preferences.answer import PreferenceSurvey as PreferenceSurvey
    from truerank.questions.preferences.question import induced_preferences as induced_preferences
    from truerank.questions.preferences.question import induced_qrels as induced_qrels
    from truerank.questions.preferences.question import preferences as preferences
    from truerank.questions.properties.answer import Verdict as Verdict
    from truerank.questions.properties.answer import Verdicts as Verdicts
    from truerank.questions.properties.question import properties as properties
    from truerank.questions.simulate.question import simulate as simulate
    from truerank.questions.stop.answer import Stopping as Stopping
    from truerank.questions.stop.question import fit_rule as fit_rule
    from truerank.questions.stop.question import stop as stop
    from truerank.questions.stop.rule import Rule as Rule
    from truerank.questions.stop.rules import load_rule as load_rule
    from truerank.questions.ties.answer import Ties as Ties
    from truerank.questions.ties.question import ties as ties
    from truerank.questions.truncate.against import Against as Against
    from truerank.questions.truncate.answer import Cut as Cut
    from truerank.questions.truncate.answer import Cuts as Cuts
    from truerank.questions.truncate.question import against as against
    from truerank.questions.truncate.question import truncate as truncate
    from truerank.questions.unjudged.answer import Unjudged as Unjudged
    from truerank.questions.unjudged.question import unjudged as unjudged
    from truerank.questions.why.question import why as why
    from truerank.version import __version__ as __version__
    from truerank.measures.catalogue import measures as measures
    from truerank.io import load

    read_preferences, read_qrels, read_run = load.as_preferences, load.as_qrels, load.as_run

# Names are imported when first used: the command line answers --help without waiting for numpy.
_HOMES = {
    "Against": "truerank.questions.truncate.against",
    "Agreement": "truerank.questions.agreement.answer",
    "Calibration": "truerank.questions.calibrate.answer",
    "Choice": "truerank.questions.choose.answer",
    "Comparison": "truerank.questions.compare.answer",
    "Contribution": "truerank.questions.pool.answer",
    "Conventions": "truerank.conventions.axes",
    "Curves": "truerank.questions.depth.answer",
    "Cut": "truerank.questions.truncate.answer",
    "Cuts": "truerank.questions.truncate.answer",
    "Diff": "truerank.questions.diff.answer",
    "DocumentPool": "truerank.questions.pool.answer",
    "Entry": "truerank.measures.catalogue",
    "Explanation": "truerank.questions.explain.answer",
    "Finding": "truerank.questions.lint.answer",
    "InputError": "truerank.data.errors",
    "LeaveOut": "truerank.questions.pool.answer",
    "Lint": "truerank.questions.lint.answer",
    "Measure": "truerank.measures.core.base",
    "Meta": "truerank.questions.meta.answer",
    "Pools": "truerank.questions.pool.answer",
    "PrecisionRecall": "truerank.questions.curves.answer",
    "PreferenceSurvey": "truerank.questions.preferences.answer",
    "Qrels": "truerank.data.qrels",
    "Ranking": "truerank.expectation.opaque",
    "Roc": "truerank.questions.curves.answer",
    "Rule": "truerank.questions.stop.rule",
    "Run": "truerank.data.run",
    "Score": "truerank.questions.evaluate.answer",
    "Scores": "truerank.questions.evaluate.answer",
    "Silence": "truerank.questions.nil.answer",
    "Stopping": "truerank.questions.stop.answer",
    "Ties": "truerank.questions.ties.answer",
    "Unjudged": "truerank.questions.unjudged.answer",
    "Verdict": "truerank.questions.properties.answer",
    "Verdicts": "truerank.questions.properties.answer",
    "__version__": "truerank.version",
    "against": "truerank.questions.truncate.question",
    "agreement": "truerank.questions.agreement.question",
    "calibrate": "truerank.questions.calibrate.question",
    "choose": "truerank.questions.choose.question",
    "compare": "truerank.questions.compare.question",
    "depth": "truerank.questions.depth.question",
    "diff": "truerank.questions.diff.question",
    "evaluate": "truerank.questions.evaluate.question",
    "explain": "truerank.questions.explain.question",
    "fit_rule": "truerank.questions.stop.question",
    "induced_preferences": "truerank.questions.preferences.question",
    "induced_qrels": "truerank.questions.preferences.question",
    "leave_out": "truerank.questions.pool.question",
    "lint": "truerank.questions.lint.question",
    "load_rule": "truerank.questions.stop.rules",
    "measure": "truerank.measures.own",
    "meta": "truerank.questions.meta.question",
    "nil": "truerank.questions.nil.question",
    "parse": "truerank.measures.grammar",
    "pool": "truerank.questions.pool.question",
    "pools": "truerank.questions.pool.question",
    "precision_recall": "truerank.questions.curves.question",
    "preferences": "truerank.questions.preferences.question",
    "properties": "truerank.questions.properties.question",
    "restrict": "truerank.questions.pool.question",
    "roc": "truerank.questions.curves.question",
    "simulate": "truerank.questions.simulate.question",
    "stop": "truerank.questions.stop.question",
    "ties": "truerank.questions.ties.question",
    "truncate": "truerank.questions.truncate.question",
    "unjudged": "truerank.questions.unjudged.question",
    "why": "truerank.questions.why.question",
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
