"""The public names and where they live; ``__init__.py`` reads them from here, and imports each when first used."""

from typing import Any

from truerank.conventions.axes import Conventions as Conventions
from truerank.data.errors import InputError as InputError
from truerank.data.judges import Judges as Judges
from truerank.data.qrels import Qrels as Qrels
from truerank.data.run import Run as Run
from truerank.expectation.opaque import Ranking as Ranking
from truerank.io import features, load
from truerank.io.judges import read_judges as read_judges
from truerank.io.trec import write_run as write_run
from truerank.measures.catalogue import Entry as Entry
from truerank.measures.catalogue import measures as measures
from truerank.measures.core.base import Measure as Measure
from truerank.measures.grammar import parse as parse
from truerank.measures.own import measure as measure
from truerank.questions.agreement.question import Agreement as Agreement
from truerank.questions.agreement.question import AgreementByTopic as AgreementByTopic
from truerank.questions.agreement.question import agreement as agreement
from truerank.questions.agreement.question import agreement_by_topic as agreement_by_topic
from truerank.questions.audit.question import Audit as Audit
from truerank.questions.audit.question import audit as audit
from truerank.questions.calibrate.question import Calibration as Calibration
from truerank.questions.calibrate.question import calibrate as calibrate
from truerank.questions.choose.question import Choice as Choice
from truerank.questions.choose.question import choose as choose
from truerank.questions.compare.answer import Comparison as Comparison
from truerank.questions.compare.question import compare as compare
from truerank.questions.curves.question import PrecisionRecall as PrecisionRecall
from truerank.questions.curves.question import Roc as Roc
from truerank.questions.curves.question import curves as curves
from truerank.questions.curves.question import precision_recall as precision_recall
from truerank.questions.curves.question import roc as roc
from truerank.questions.depth.question import Curves as Curves
from truerank.questions.depth.question import depth as depth
from truerank.questions.design.question import Design as Design
from truerank.questions.design.question import design as design
from truerank.questions.diff.question import Diff as Diff
from truerank.questions.diff.question import diff as diff
from truerank.questions.evaluate.question import Score as Score
from truerank.questions.evaluate.question import Scores as Scores
from truerank.questions.evaluate.question import evaluate as evaluate
from truerank.questions.evaluate.score_arrays import ArrayScorer as ArrayScorer
from truerank.questions.evaluate.score_arrays import score_arrays as score_arrays
from truerank.questions.explain.question import Explanation as Explanation
from truerank.questions.explain.question import explain as explain
from truerank.questions.judges.question import JudgesCompared as JudgesCompared
from truerank.questions.judges.question import judges as judges
from truerank.questions.lint.question import Finding as Finding
from truerank.questions.lint.question import Lint as Lint
from truerank.questions.lint.question import lint as lint
from truerank.questions.meta.question import Meta as Meta
from truerank.questions.meta.question import meta as meta
from truerank.questions.negatives.question import SampledNegatives as SampledNegatives
from truerank.questions.negatives.question import negatives as negatives
from truerank.questions.nil.question import NilAnswer as NilAnswer
from truerank.questions.nil.question import nil as nil
from truerank.questions.pool.losses import LeaveOut as LeaveOut
from truerank.questions.pool.question import Contribution as Contribution
from truerank.questions.pool.question import DocumentPool as DocumentPool
from truerank.questions.pool.question import Pools as Pools
from truerank.questions.pool.question import leave_out as leave_out
from truerank.questions.pool.question import pool as pool
from truerank.questions.pool.question import pools as pools
from truerank.questions.pool.question import restrict as restrict
from truerank.questions.preferences.question import PreferenceSurvey as PreferenceSurvey
from truerank.questions.preferences.question import click_preferences as click_preferences
from truerank.questions.preferences.question import induced_preferences as induced_preferences
from truerank.questions.preferences.question import induced_qrels as induced_qrels
from truerank.questions.preferences.question import preferences as preferences
from truerank.questions.properties.question import Verdict as Verdict
from truerank.questions.properties.question import Verdicts as Verdicts
from truerank.questions.properties.question import properties as properties
from truerank.questions.report.answer import Report as Report
from truerank.questions.report.question import report as report
from truerank.questions.reproduce.answer import Reproduction as Reproduction
from truerank.questions.reproduce.question import reproduce as reproduce
from truerank.questions.simulate.question import simulate as simulate
from truerank.questions.stop.question import Stopping as Stopping
from truerank.questions.stop.question import fit_rule as fit_rule
from truerank.questions.stop.question import stop as stop
from truerank.questions.stop.rule import Rule as Rule
from truerank.questions.stop.rules import load_rule as load_rule
from truerank.questions.ties.question import Ties as Ties
from truerank.questions.ties.question import ties as ties
from truerank.questions.truncate.against import Against as Against
from truerank.questions.truncate.question import Cut as Cut
from truerank.questions.truncate.question import Cuts as Cuts
from truerank.questions.truncate.question import against as against
from truerank.questions.truncate.question import truncate as truncate
from truerank.questions.unjudged.question import TopicRelevant as TopicRelevant
from truerank.questions.unjudged.question import Unjudged as Unjudged
from truerank.questions.unjudged.question import estimate_relevant as estimate_relevant
from truerank.questions.unjudged.question import unjudged as unjudged
from truerank.questions.why.question import why as why
from truerank.track.engine import Engine as Engine
from truerank.version import __version__ as __version__

# What reads a file also takes Python data.
read_features = features.read_features
read_preferences = load.as_preferences
read_qrels = load.as_qrels
read_run = load.as_run

def at_home(name: str) -> Any: ...

# Measures, by name: truerank.nDCG @ 10
def __getattr__(name: str) -> Any: ...
