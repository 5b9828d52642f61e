"""The question: where are lists best cut?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.questions.truncate.against import Against
from truerank.questions.truncate.answer import Cuts
from truerank.report.signature import Option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(
    # A list that is cut was ended by its cut, however many documents there could have been.
    fixed={"limit": None, "relevant": "judgments"},
    refused=one_number("the best length is that of one"),
)
USUAL = " ".join(
    (
        *("FlatU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)", "DCGU", "ERRU", "RBPU", "RBPU(p=0.9)", "RBPU(p=0.98)"),
        *("nDCGT", "ERRT", "RBPT", "RBPT(p=0.9)", "RBPT(p=0.98)", "OIE(size=20000)", "F"),
    )
)
"""Measures that know where a list ends: with an effort, with a terminal document, and OIE and F."""


@question(RULES)
def truncate(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = USUAL,
    *,
    against: Annotated[
        Any,
        Option("Measures of whole lists to compare the cut ones with; repeatable.", metavar="MEASURE", many=True),
    ] = (),
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    tolerance: Annotated[float, Option("Scores that differ by no more are equal.", least=0, most=1)] = 1e-12,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Cuts:
    """Find the length at which each list scores best, and what it loses as it is.

    The judgments say where that is, so this is what a system could gain by knowing where to stop. Of lengths that score
    equally the shortest is taken; 0 is an empty list. Scores are equal if they differ by no more than --tolerance (a
    share of the score above 1). With --tolerance 0 every difference counts that is not rounding, however small.
    Without -m the measures are those of Amigó, Mizzaro & Spina (2022). With --show against, the figure is about the
    order of systems.

    Example:
      truerank truncate qrels.txt *.run -m "OIE(size=20000) RBPU(p=0.98)"
      truerank truncate qrels.txt *.run --show bins --plot lengths.svg
      truerank truncate qrels.txt *.run --against "AP nDCG" --also other.qrels "other/*.run"
      truerank truncate qrels.txt *.run -m F --against AP --show against --plot systems.svg

    In Python it takes what ``evaluate`` takes. Measures given as ``against`` score the whole lists, for ``tr.against``.
    ``also`` are pairs of judgments and runs, or such pairs by name; the first collection has a ``name``, too.

    >>> qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    >>> run = {"q1": ["a", "x", "b", "y", "z"], "q2": ["u", "v", "w"]}
    >>> cut = truncate(qrels, {"mine": run}, "RBPU(p=0.9)")["mine"]["RBPU(p=0.9)"]
    >>> cut.length.tolist(), round(cut.mean_whole, 4), round(cut.mean_best, 4)
    ([3, 0], 0.0735, 0.0837)
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.truncate.work import CutMeasures, conclude, look, whole_measures
    from truerank.track.track import Track

    if isinstance(tolerance, bool) or not 0 <= tolerance <= 1:
        raise InputError(f"tolerance={tolerance!r}; give a number from 0 to 1, such as 1e-12")
    wanted = CutMeasures(parse_all(measures), whole_measures(against), float(tolerance))
    track = Track.of(qrels, runs, (*wanted.cut, *wanted.whole), given, RULES, engine=engine)
    return conclude(track, track.each(look, progress=progress, wanted=wanted), wanted)


def against(cuts: Cuts | Mapping[str, Cuts]) -> Against:
    """Compare the order of systems by lists cut at their best length with the order by whole lists.

    Takes the answer of ``truncate(..., against=...)`` for a collection, or for several by name: then tau is given for
    each and on average. Every system is at its best length on every topic, so this is what a system could reach
    that knew where to stop.

    >>> qrels = {"q1": {"a": 1, "b": 1}}
    >>> runs = {"x": {"q1": ["a", "u", "v", "b"]}, "y": {"q1": ["u", "a", "b"]}, "z": {"q1": ["u", "v", "a"]}}
    >>> against(truncate(qrels, runs, "F", against="RR")).tau("RR", "F")
    0.3333333333333333
    """
    from truerank.questions.truncate.work import compare_orders

    return compare_orders(cuts)
