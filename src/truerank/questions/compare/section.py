"""Runs compared, as sections of a page: who leads, differences from a baseline, and a matrix where runs are few."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.printing import counted
from truerank.questions.compare.answer import BETTER, OPEN, SAME, WORSE, Comparison, MeasureComparison
from truerank.questions.compare.verdicts import measure_verdict
from truerank.questions.compare.words import how, method, percent_of
from truerank.report.digits import decimals, p_number
from truerank.report.pages.html import packed
from truerank.report.pages.section import Listing, PageCell, Section, Shade, Strip, Words
from truerank.report.plots.panels import extent
from truerank.report.table import Column

MATRIX = 30
"""Runs up to which there is a matrix of all pairs."""
BASELINES = 15
"""Runs that can be chosen as the baseline: the best ones, where there are more."""
FIELDS = 7
"""Numbers of a pair that a script has: difference, both ends, which p, wins, losses, and which verdict."""
NONE = -(1 << 15)
"""Stands for what is undefined."""
MOST = 32_000
STEPS = 3
"""Neighbours on the leaderboard that are named where they differ."""
_VERDICTS = (BETTER, WORSE, OPEN, SAME)


def verdict(answer: Comparison, measure: str) -> Iterator[str]:
    """Who leads, whether by more than chance, and how many pairs differ; of two runs, all that there is to say."""
    each = answer[measure]
    yield from (f"{note}." for note in answer.doubts)
    yield measure_verdict(answer, each)
    if len(answer.runs) > 2:
        yield from _further(each)


def _further(each: MeasureComparison) -> Iterator[str]:
    pairs = len(each.asked)
    differ = sum(one in (BETTER, WORSE) for one in each.verdicts)
    yield f"{differ:,} of {pairs:,} pairs of runs differ by more than chance ({method(each)}){_steps(each)}."
    if each.checks is not None:
        open_ = sum(any(not check.settles for check in some) for some in each.checks.values())
        if open_:
            yield f"{open_} of {pairs} verdicts depend on ties, unjudged documents or depth."


def _steps(each: MeasureComparison) -> str:
    """Which runs differ from the one below them: where the leaderboard has a step."""
    order = each.order
    steps = [(each.runs[one], each.runs[next_]) for one, next_ in pairwise(order) if each.better[one, next_]]
    if not steps:
        return ", but none does from the one below it"
    if len(steps) == len(order) - 1:
        return ", and each does from the one below it"
    shown = [f"{one} and {other}" for one, other in steps[:STEPS]]
    more = f" and {len(steps) - STEPS} more" if len(steps) > STEPS else ""
    return f"; among neighbours only {', '.join(shown)}{more}"


def baselines(answer: Comparison, baseline: str) -> tuple[str, ...]:
    """The runs that differences can be seen from, the best first; the one that is asked for is among them."""
    each = next(iter(answer.values()))
    order = [each.runs[at] for at in each.order]
    best = order if len(order) <= MATRIX else order[:BASELINES]
    return tuple(best if baseline in best else [baseline, *best])


def section(answer: Comparison, baseline: str, command: str) -> Section:
    """Differences from a baseline with their intervals, sorted; a matrix of all pairs where runs are few."""
    blocks: list[Listing | Words] = []
    choices = baselines(answer, baseline)
    for place, (measure, each) in enumerate(answer.items()):
        pairs = PairTexts(each)
        blocks.append(_differences(answer, pairs, measure, baseline, choices, f"differences-{place}"))
        if 2 < len(answer.runs) <= MATRIX:
            blocks.append(_matrix(pairs, measure, f"matrix-{place}"))
    title = f"Differences from {baseline}" if len(choices) == 1 else "Differences from the baseline"
    return Section(
        name="differences", title=title, blocks=(*blocks, Words(lines=(str(how(answer)),))), commands=(command,)
    )


def usual_digits(each: MeasureComparison) -> int:
    """Decimals that most means are worth; a few runs that hardly vary would add some that are of no use to others."""
    return decimals(float(np.median(each.std_errors)))


class PairTexts:
    """All pairs of runs by a measure in whole numbers of the last digit that is shown: for people and for a script."""

    def __init__(self, each: MeasureComparison) -> None:
        self.each = each
        self.runs = tuple(each.runs[at] for at in each.order)
        estimate, low, high = each.effects.difference, each.differences.low, each.differences.high
        largest = max((abs(end[np.isfinite(end)]).max(initial=0.0) for end in (estimate, low, high)), default=0.0)
        digits = usual_digits(each)
        while digits and largest * 10**digits > MOST:
            digits -= 1
        self.digits = digits
        self.fits = bool(largest * 10**digits <= MOST)
        # Where low values are good, a lower one wins.
        self._counts = (each.effects.wins, each.effects.losses)[:: int(each.sign)]
        self._whole = [self._rounded(end) for end in (estimate, low, high)]
        tested = np.unique(each.corrected.p[each.corrected.tested])
        self.p = sorted({p_number(p, each.settings.alpha) for p in tested.tolist()}) or [""]
        self._p = {text: at for at, text in enumerate(self.p)}

    def _rounded(self, values: Floats) -> list[list[int]]:
        whole = np.where(np.isfinite(values), np.round(np.nan_to_num(values) * 10**self.digits), NONE)
        return [[int(one) for one in row] for row in whole.tolist()]

    def text(self, whole: int, *, sign: bool = True) -> str:
        """A number of last digits as people read it."""
        if whole == NONE:
            return ""
        return f"{whole / 10**self.digits:{'+' if sign and whole > 0 else ''}.{self.digits}f}"

    def numbers(self, run: int, other: int) -> tuple[int, ...]:
        """What a script has of a run against another, by their numbers; nothing of a run against itself."""
        each = self.each
        if run == other:
            return (0, NONE, NONE, NONE, 0, 0, 0)
        p = float(each.corrected.p[run, other])
        same = int(each.effects.ties[run, other]) == len(each.topics)
        is_ = each.verdict(float(each.ways[run, other]), p, same=same)
        return (
            *(end[run][other] for end in self._whole),
            self._p.get(p_number(p, each.settings.alpha), 0),
            *(int(count[run, other]) for count in self._counts),
            _VERDICTS.index(is_),
        )


def _differences(
    answer: Comparison, pairs: PairTexts, measure: str, baseline: str, choices: Sequence[str], name: str
) -> Listing:
    each = pairs.each
    other = each.runs.index(baseline)
    means = {run: f"{system.mean:.{pairs.digits}f}" for run, system in each.systems.items()}
    rows = [_row(pairs, each.runs.index(run), other, means[run]) for run in pairs.runs]
    chosen = [each.runs.index(run) for run in choices]
    shown = [pairs.numbers(each.runs.index(run), at) for at in chosen for run in pairs.runs]
    ends = [end for one in shown for end in one[:3] if end != NONE]
    low, high = extent([*ends, 0.0], room=0.02)
    unit = 10.0**pairs.digits
    percent = percent_of(answer)
    columns = (
        Column("run", meaning="the run, the best mean first"),
        Column("mean", number=True, meaning=f"{measure}, the mean over topics"),
        Column("difference", number=True, meaning="its mean less that of the baseline"),
        Column("drawn", head="drawn", meaning=f"the difference with its {percent} interval, on one scale"),
        Column(f"{percent} interval", number=True, meaning="of the difference"),
        Column("p", number=True, meaning="corrected for all pairs of runs"),
        Column("won:lost", number=True, meaning="topics on which it is better and worse"),
        Column("verdict", meaning="whether the difference is more than chance"),
    )
    caption = f"Differences in {measure} from the baseline,"
    data: Mapping[str, object] = {}
    if pairs.fits and len(choices) > 1:
        data = {
            "runs": pairs.runs,
            "means": [means[run] for run in pairs.runs],
            "said": caption,
            "digits": pairs.digits,
            "scale": [round(low), round(high)],
            "fields": FIELDS,
            "p": pairs.p,
            "verdicts": ["" if one == OPEN else one for one in _VERDICTS],
            "pairs": packed(number for one in shown for number in one),
        }
    more = "" if len(choices) == len(answer.runs) else f"the {len(choices)} best runs can be chosen as the baseline"
    return Listing(
        name=name,
        caption=f"{caption} {baseline}",
        columns=columns,
        rows=rows,
        measure=measure,
        of="run",
        scales={"drawn": (low / unit, high / unit)},
        zero=True,
        below=more,
        data=data,
    )


def _row(pairs: PairTexts, run: int, other: int, mean: str) -> tuple[PageCell, ...]:
    name = pairs.each.runs[run]
    if run == other:
        return (name, mean, None, None, None, None, None, "baseline")
    difference_, low, high, p, wins, losses, is_ = pairs.numbers(run, other)
    unit = 10.0**pairs.digits
    ends = (math.nan if end == NONE else end / unit for end in (difference_, low, high))
    verdict_ = _VERDICTS[is_]
    said_ = Shade("", None) if verdict_ == OPEN else Shade(verdict_, None, verdict_ if verdict_ != SAME else "")
    interval = "" if low == NONE else f"{pairs.text(low)} {pairs.text(high)}"
    return (name, mean, pairs.text(difference_), Strip(*ends), interval, pairs.p[p], f"{wins}:{losses}", said_)


def _matrix(pairs: PairTexts, measure: str, name: str) -> Listing:
    """All pairs: the run of the row less that of the column; what differs by more than chance is in colour."""
    each = pairs.each
    order = [each.runs.index(run) for run in pairs.runs]
    rows: list[tuple[PageCell, ...]] = []
    for one in order:
        cells: list[PageCell] = [each.runs[one]]
        for other in order:
            difference_, *_, is_ = pairs.numbers(one, other)
            verdict_ = _VERDICTS[is_]
            kind = verdict_ if verdict_ in (BETTER, WORSE) else ""
            cells.append(None if one == other else Shade(pairs.text(difference_), None, kind))
        rows.append(tuple(cells))
    significant = sum(one in (BETTER, WORSE) for one in each.verdicts)
    return Listing(
        name=name,
        caption=f"Every pair by {measure}: the run of the row less that of the column. {significant} of "
        f"{counted(len(each.asked), 'pair')} in bold differ by more than chance",
        columns=(Column("run"), *(Column(run) for run in pairs.runs)),
        rows=rows,
        measure=measure,
        of="run",
        sortable=False,
    )
