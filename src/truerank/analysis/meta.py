"""Measures compared on the systems of a collection: how alike they are, how sure, and what they cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.criteria.compare import compare
from truerank.analysis.criteria.published import COVERAGE, REFERENCE
from truerank.analysis.criteria.results import Meta, Settings
from truerank.analysis.criteria.together import together
from truerank.analysis.reading import refuse_bounds
from truerank.analysis.significance.table import procedure
from truerank.conventions.choices import Conventions
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = " ".join(COVERAGE)
DEFAULT_REFERENCE = " ".join(REFERENCE)
"""Those of Amigó, Mizzaro & Spina 2022, table 3."""


def meta(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    reference: str | Measure | Iterable[str | Measure] = DEFAULT_REFERENCE,
    depth: int | None = None,
    test: str = "student",
    alpha: float = 0.05,
    permutations: int = 10_000,
    splits: int = 1000,
    fuzziness: float = 0.05,
    pairs: int = 1000,
    seed: int = 0,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Meta:
    """Compare measures by what they say of the same runs.

    Takes what ``evaluate`` takes, and several runs. With ``depth``, lists are cut there first. Measures are compared on
    the topics for which every run has a value by every measure. They are ranked by

    - discrimination: the share of pairs of runs that differ by ``test`` at ``alpha``; a test that draws at random does
      so ``permutations`` times
    - sensitivity: the share of differences seen on half of the topics that are large enough to be relied on: from there
      on at most one in twenty has the opposite sign on the other half; the topics are split ``splits`` times
    - tau_halves: Kendall's tau between the orders of runs by both halves
    - minority: how often two runs stand in the order that they have less often, over ``splits`` sets of topics drawn
      with replacement, ties left out; also with differences up to ``fuzziness``, a share of the score, taken for ties
    - coverage: Spearman's rho of differences with the Unanimous Improvement Ratio by the measures of ``reference``;
      also estimated from ``pairs`` of topics

    >>> qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1, "e": 1}, "q4": {"f": 1}}
    >>> good = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d", "x"], "q4": ["x", "f"]}
    >>> fair = {"q1": ["a", "x"], "q2": ["x", "c"], "q3": ["x", "y"], "q4": ["x", "y", "f"]}
    >>> poor = {"q1": ["x", "a"], "q2": ["x", "y"], "q3": ["y", "x"], "q4": ["x", "y"]}
    >>> found = meta(qrels, {"good": good, "fair": fair, "poor": poor}, "AP RR", reference="P@2 RR")
    >>> found["AP"].coverage, found.tau("AP", "RR"), found.uir("good", "poor")
    (1.0, 1.0, 0.9375)
    """
    # A list that is cut was ended by its cut, however many documents there could have been.
    choice = chosen(given, limit=None, relevant="judgments")
    settings = Settings(depth, test, alpha, permutations, splits, fuzziness, pairs, seed)
    wanted, covered = parse_all(measures), parse_all(reference)
    every = parse_all([*wanted, *covered])
    _refuse(choice, settings, every)
    scores = together(qrels, runs, every, choice, depth=depth, progress=progress)
    return compare(scores, wanted, covered, settings, choice)


def _refuse(choice: Conventions, settings: Settings, measures: Iterable[Measure]) -> None:
    refuse_bounds(choice, "systems are ordered by one")
    for measure in measures:
        if not measure.averages:
            raise InputError(
                f"{measure} is not a mean over topics, which comparisons are made of; choose another measure"
            )
    for name, least in (("depth", 1), ("permutations", 1), ("splits", 1), ("pairs", 1), ("seed", 0)):
        value = getattr(settings, name)
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and value >= least) and not (name == "depth" and value is None):
            raise InputError(f"{name}={value!r}; give a whole number from {least} on")
    if not 0 <= settings.fuzziness < 1:
        raise InputError(f"fuzziness={settings.fuzziness!r}; give a share from 0 to below 1, such as 0.05")
    if not 0 < settings.alpha < 1:
        raise InputError(f"alpha={settings.alpha!r}; give a number between 0 and 1, such as 0.05")
    procedure(settings.test)
