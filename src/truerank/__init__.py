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
    from truerank.analysis.calibrate import calibrate as calibrate
    from truerank.analysis.calibration.results import Calibration as Calibration
    from truerank.analysis.catalogue import Entry as Entry
    from truerank.analysis.catalogue import measures as measures
    from truerank.analysis.choose import choose as choose
    from truerank.analysis.choosing.results import Choice as Choice
    from truerank.analysis.compare import compare as compare
    from truerank.analysis.comparing.results import Comparison as Comparison
    from truerank.analysis.cuts.against import Against as Against
    from truerank.analysis.cuts.against import against as against
    from truerank.analysis.cuts.cut import Cut as Cut
    from truerank.analysis.cuts.results import Cuts as Cuts
    from truerank.analysis.diff import diff as diff
    from truerank.analysis.differences.results import Diff as Diff
    from truerank.analysis.explain import explain as explain
    from truerank.analysis.explaining.results import Explanation as Explanation
    from truerank.analysis.judging.results import Unjudged as Unjudged
    from truerank.analysis.lint.findings import Finding as Finding
    from truerank.analysis.lint.findings import Lint as Lint
    from truerank.analysis.lint.lint import lint as lint
    from truerank.analysis.nil import nil as nil
    from truerank.analysis.precision_recall import precision_recall as precision_recall
    from truerank.analysis.properties.check import properties as properties
    from truerank.analysis.properties.results import Verdict as Verdict
    from truerank.analysis.properties.results import Verdicts as Verdicts
    from truerank.analysis.roc import roc as roc
    from truerank.analysis.silence.results import Silence as Silence
    from truerank.analysis.simulate import simulate as simulate
    from truerank.analysis.stop import fit_rule as fit_rule
    from truerank.analysis.stop import stop as stop
    from truerank.analysis.stopping.base import Rule as Rule
    from truerank.analysis.stopping.results import Stopping as Stopping
    from truerank.analysis.stopping.rules import load_rule as load_rule
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
    from truerank.io.trec_lines import write_run as write_run
    from truerank.measures.base import Measure as Measure
    from truerank.measures.grammar import parse as parse
    from truerank.measures.own import measure as measure
    from truerank.questions.agreement.answer import Agreement as Agreement
    from truerank.questions.agreement.question import agreement as agreement
    from truerank.questions.depth.answer import Curves as Curves
    from truerank.questions.depth.question import depth as depth
    from truerank.questions.evaluate.answer import Score as Score
    from truerank.questions.evaluate.answer import Scores as Scores
    from truerank.questions.evaluate.question import evaluate as evaluate
    from truerank.questions.meta.answer import Meta as Meta
    from truerank.questions.meta.question import meta as meta
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
    from truerank.questions.ties.answer import Ties as Ties
    from truerank.questions.ties.question import ties as ties
    from truerank.version import __version__ as __version__

    read_preferences, read_qrels, read_run = load.as_preferences, load.as_qrels, load.as_run

# Names are imported when first used: the command line answers --help without waiting for numpy.
_HOMES = {
    "Against": "truerank.analysis.cuts.against",
    "Agreement": "truerank.questions.agreement.answer",
    "Calibration": "truerank.analysis.calibration.results",
    "Choice": "truerank.analysis.choosing.results",
    "Comparison": "truerank.analysis.comparing.results",
    "Contribution": "truerank.questions.pool.answer",
    "Conventions": "truerank.conventions.choices",
    "Curves": "truerank.questions.depth.answer",
    "Cut": "truerank.analysis.cuts.cut",
    "Cuts": "truerank.analysis.cuts.results",
    "Diff": "truerank.analysis.differences.results",
    "DocumentPool": "truerank.questions.pool.answer",
    "Entry": "truerank.analysis.catalogue",
    "Explanation": "truerank.analysis.explaining.results",
    "Finding": "truerank.analysis.lint.findings",
    "InputError": "truerank.data.errors",
    "LeaveOut": "truerank.questions.pool.answer",
    "Lint": "truerank.analysis.lint.findings",
    "Measure": "truerank.measures.base",
    "Meta": "truerank.questions.meta.answer",
    "Pools": "truerank.questions.pool.answer",
    "PrecisionRecall": "truerank.analysis.tradeoffs.results",
    "PreferenceSurvey": "truerank.questions.preferences.answer",
    "Qrels": "truerank.data.qrels",
    "Ranking": "truerank.expectation.opaque",
    "Roc": "truerank.analysis.tradeoffs.results",
    "Rule": "truerank.analysis.stopping.base",
    "Run": "truerank.data.run",
    "Score": "truerank.questions.evaluate.answer",
    "Scores": "truerank.questions.evaluate.answer",
    "Silence": "truerank.analysis.silence.results",
    "Stopping": "truerank.analysis.stopping.results",
    "Ties": "truerank.questions.ties.answer",
    "Unjudged": "truerank.analysis.judging.results",
    "Verdict": "truerank.analysis.properties.results",
    "Verdicts": "truerank.analysis.properties.results",
    "__version__": "truerank.version",
    "against": "truerank.analysis.cuts.against",
    "agreement": "truerank.questions.agreement.question",
    "calibrate": "truerank.analysis.calibrate",
    "choose": "truerank.analysis.choose",
    "compare": "truerank.analysis.compare",
    "depth": "truerank.questions.depth.question",
    "diff": "truerank.analysis.diff",
    "evaluate": "truerank.questions.evaluate.question",
    "explain": "truerank.analysis.explain",
    "fit_rule": "truerank.analysis.stop",
    "induced_preferences": "truerank.questions.preferences.question",
    "induced_qrels": "truerank.questions.preferences.question",
    "leave_out": "truerank.questions.pool.question",
    "lint": "truerank.analysis.lint.lint",
    "load_rule": "truerank.analysis.stopping.rules",
    "measure": "truerank.measures.own",
    "meta": "truerank.questions.meta.question",
    "nil": "truerank.analysis.nil",
    "parse": "truerank.measures.grammar",
    "pool": "truerank.questions.pool.question",
    "pools": "truerank.questions.pool.question",
    "precision_recall": "truerank.analysis.precision_recall",
    "preferences": "truerank.questions.preferences.question",
    "properties": "truerank.analysis.properties.check",
    "restrict": "truerank.questions.pool.question",
    "roc": "truerank.analysis.roc",
    "simulate": "truerank.analysis.simulate",
    "stop": "truerank.analysis.stop",
    "ties": "truerank.questions.ties.question",
    "truncate": "truerank.analysis.truncate",
    "unjudged": "truerank.analysis.unjudged",
    "why": "truerank.analysis.why",
    "write_run": "truerank.io.trec_lines",
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
