"""Whether systems differ by more than chance, and whether that depends on how the data are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truerank.analysis.comparing.gates import gates
from truerank.analysis.comparing.outcomes import outcomes
from truerank.analysis.comparing.results import Comparison
from truerank.analysis.comparing.scored import Stage, scored
from truerank.analysis.comparing.settings import Settings
from truerank.analysis.comparing.settled import checks
from truerank.analysis.comparing.statistics import asked, compared
from truerank.analysis.diff import SINGLE
from truerank.analysis.reading import refuse_bounds
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.io.load import as_qrels
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "nDCG@10"
FEW = 10
"""Pairs up to which other readings of the data are tried without being asked for."""


def compare(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    baseline: str | Iterable[str] | None = None,
    test: str = "student",
    correction: str | None = None,
    alpha: float = 0.05,
    margin: float | None = None,
    interval: str | None = None,
    gate: str | Iterable[str] | None = None,
    settled: bool | None = None,
    depths: Iterable[int] | None = None,
    permutations: int = 10_000,
    seed: int = 0,
    progress: Stage | None = None,
    **given: Unpack[Given],
) -> Comparison:
    """Compare runs by measures: means and differences with intervals, effect sizes, tests, and verdicts in words.

    Judgments and runs are given as to ``evaluate``. All pairs of runs are compared, or each run with the ``baseline``,
    or several, by name. Of a pair (a, b) the differences are scores of b less scores of a.

    - ``test``: "student" (paired t; or "t"), "wilcoxon", "wilcoxon-pratt", "sign", "randomization", "bootstrap-shift",
      "bootstrap-percentile", "tukey" (blocked by topic), "randomized-tukey"
    - ``correction`` for the pairs of a measure: "holm", "bonferroni", "benjamini-hochberg", "none"; Holm's by default,
      and none for Tukey's tests, which allow for all pairs by themselves
    - ``alpha``: a pair differs significantly if its corrected p is below; intervals have the confidence 1 - alpha
    - ``margin``: a difference that does not matter, for tests of being equivalent and of being no worse
    - ``interval`` of differences: "t", "bootstrap", "bca", "tukey"; by default the one that goes with the test
    - ``gate``: what every run must be, compared with the baseline, by default the first run: "no worse than 0.005 at
      0.05", "better [by 1%] [at 0.05]", "equivalent within 0.01", "not significantly worse"; or several
    - ``settled``: whether to compare each pair also with ties and unjudged documents in favour of either, and at other
      ``depths``, by default half and twice that of the measure; done without being asked for where there are few pairs
    - ``permutations`` and ``seed`` of what is drawn at random: the same seed gives the same bits

    ``progress`` is called with what is being done, how much of it is done, and of how much.

    >>> qrels = {f"q{n}": {"x": 1} for n in range(8)}
    >>> base = {f"q{n}": ["y", "z", "x"] if n % 3 else ["y", "x"] for n in range(8)}
    >>> new = {f"q{n}": ["x", "y"] if n else ["y", "z", "x"] for n in range(8)}
    >>> found = compare(qrels, {"base": base, "new": new}, "RR", settled=False)
    >>> pair = found["RR"].pair("base", "new")
    >>> pair.verdict, round(pair.difference, 3), (pair.wins, pair.ties, pair.losses), round(pair.p, 4)
    ('better', 0.521, (7, 0, 1), 0.0014)
    """
    choice = chosen(given)
    refuse_bounds(choice, SINGLE)
    settings = Settings(
        test=test,
        correction=correction or "",
        alpha=alpha,
        margin=margin,
        interval=interval or "",
        permutations=permutations,
        seed=seed,
    )
    wanted = parse_all(measures)
    wanted_gates = gates(gate, alpha, wanted)
    named = named_runs(runs)
    if len(named) < 2:
        raise InputError("a comparison is of two runs or more, and there is one; give another")
    if baseline is None and wanted_gates:
        baseline = named[0].name
    baselines = None if baseline is None else _places(named, baseline)
    again = len(asked(len(named), baselines)) <= FEW if settled is None else settled
    found = scored(as_qrels(qrels), named, wanted, choice, keep=again, progress=progress)
    other = None if depths is None else _checked(depths)
    results = {}
    for measure in wanted:
        one = compared(found, measure, settings, baselines, progress)
        if again:
            one = replace(one, checks=checks(one, found, baselines, other, progress))
        results[str(measure)] = one
    return Comparison(
        runs=found.runs,
        scores=results,
        baselines=() if baselines is None else tuple(found.runs[at] for at in baselines),
        settings=settings,
        topics=found.names,
        gates=tuple(outcomes(wanted_gates, results.values())),
        conventions=choice,
        notices=found.notices,
    )


def _places(named: Sequence[Named], baseline: str | Iterable[str]) -> list[int]:
    """Numbers of the runs that are baselines, by name or by the path they are read from."""
    wanted = [baseline] if isinstance(baseline, (str, os.PathLike)) else list(baseline)
    if not wanted:
        raise InputError("no baseline is named; name one, or leave baseline out to compare all pairs")
    found = []
    for name in map(os.fspath, wanted):
        at = [at for at, one in enumerate(named) if one.name == name]
        at = at or [at for at, one in enumerate(named) if _is_read_from(one, name)]
        if not at:
            every = ", ".join(one.name for one in named)
            raise InputError(f"there is no run {name!r} to be the baseline; there are {every:.200}")
        found.append(at[0])
    return list(dict.fromkeys(found))


def _is_read_from(one: Named, path: str) -> bool:
    return isinstance(one.data, (str, os.PathLike)) and os.path.abspath(os.fspath(one.data)) == os.path.abspath(path)


def _checked(depths: Iterable[int]) -> tuple[int, ...]:
    found = tuple(depths)
    for depth in found:
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
            raise InputError(f"a depth is a whole number from 1 on, not {depth!r}")
    return found
