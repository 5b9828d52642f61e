"""Runs compared, on a page: the verdict, the leaderboard with differences or possible ranks, and every pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.printing import counted, quoted
from truerank.questions.compare.answer import BETTER, OPEN, SAME, WORSE, Comparison, MeasureComparison, PairRow
from truerank.questions.compare.words import how, pair_digits, percent_of
from truerank.report.digits import decimals, p_number, rounded
from truerank.report.pages.bars import steps
from truerank.report.pages.html import packed
from truerank.report.pages.section import Headline, Listing, PageCell, Section, Shade, Strip, Words
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
FEW = 12
"""Runs up to which the leaderboard has differences; with more, it has possible ranks."""
SHOWN = 12
"""Rows of a long leaderboard that are shown at first."""
_VERDICTS = (BETTER, WORSE, OPEN, SAME)
_KINDS = ("better", "worse", "quiet", "quiet")


def verdict(answer: Comparison, measure: str, baseline: str = "") -> Headline:
    """Who is best, or which runs could be, and the closest run; of two runs, whether they differ.

    The sentence, the ranks and the words of the table come from the same p-values.
    """
    each = answer[measure]
    percent = percent_of(answer)
    if len(answer.runs) == 2:
        first, second = answer.runs if baseline in ("", answer.runs[0]) else answer.runs[::-1]
        text, detail = _of_two(each, first, second, percent)
    else:
        text, detail = _leads(each, percent), _closest(each, percent)
        if baseline:
            detail = _against(each, baseline)
    return Headline(text=text, detail=detail, measure=measure)


def _of_two(each: MeasureComparison, first: str, second: str, percent: str) -> tuple[str, str]:
    """What the second of two runs is, compared with the first."""
    pair = each.of(each.runs.index(second), each.runs.index(first))
    if pair.verdict == SAME:
        return f'"{second}" and "{first}" have the same {each.measure} on every topic.', ""
    counts = f"{counted(pair.wins, 'topic')} won, {pair.losses} lost"
    detail = f'"{second}" is {_lower(each, pair, percent)}; {counts}.'
    if pair.verdict == OPEN:
        return f'No significant difference between "{second}" and "{first}".', detail
    return f'"{second}" is significantly {pair.verdict} than "{first}".', detail


def _lower(each: MeasureComparison, pair: PairRow, percent: str) -> str:
    """How far a run is from another: 0.086 nDCG@10 lower (95% CI -0.162 to -0.011)."""
    digits = pair_digits(each, pair)
    if not pair.difference:
        size = f"equal in {each.measure}"
    else:
        size = f"{rounded(abs(pair.difference), digits)} {each.measure} {'lower' if pair.difference < 0 else 'higher'}"
    if math.isnan(pair.low):
        return size
    low, high = (rounded(end, digits, sign=True) for end in (pair.low, pair.high))
    return f"{size} ({percent} CI {low} to {high})"


def _leads(each: MeasureComparison, percent: str) -> str:
    """The best run, and those that could be the best."""
    leader = each.runs[each.order[0]]
    if each.ranks is None:
        return f'"{leader}" has the best {each.measure} of {len(each.runs):,} runs.'
    rest = [run for run, system in each.systems.items() if run != leader and system.rank_low == 1]
    if not rest:
        return f'"{leader}" is the best of these {len(each.runs):,} runs ({percent}).'
    if len(rest) == 1:
        return f'"{leader}" leads; the best run is it or "{rest[0]}" ({percent}).'
    if len(rest) == len(each.runs) - 1:
        return f'"{leader}" leads; any of these {len(each.runs):,} runs could be the best ({percent}).'
    return f'"{leader}" leads; the best run is among it, {quoted(rest)} ({percent}).'


def _closest(each: MeasureComparison, percent: str) -> str:
    """The run below the best."""
    top, next_ = each.order[:2]
    return f'The closest, "{each.runs[next_]}", is {_lower(each, each.of(next_, top), percent)}.'


def _against(each: MeasureComparison, baseline: str) -> str:
    """How runs compare with a baseline that was named."""
    at = each.runs.index(baseline)
    verdicts = [each.of(other, at).verdict for other in range(len(each.runs)) if other != at]
    better, worse = verdicts.count(BETTER), verdicts.count(WORSE)
    return (
        f'Compared with "{baseline}", {counted(better, "run")} {"is" if better == 1 else "are"} significantly better, '
        f"{worse:,} significantly worse and {len(verdicts) - better - worse:,} neither."
    )


def baselines(answer: Comparison, baseline: str) -> tuple[str, ...]:
    """The runs that differences can be seen from, the best first, with the best by each measure and the baseline."""
    order = [[each.runs[at] for at in each.order] for each in answer.values()]
    best = order[0] if len(order[0]) <= MATRIX else order[0][:BASELINES]
    leaders = [runs[0] for runs in order]
    return tuple(dict.fromkeys([*best, *leaders, *([baseline] if baseline else ())]))


def pairs_section(answer: Comparison, baseline: str) -> Section:
    """Every pair: a matrix if runs are few, differences from a baseline if they are many."""
    blocks: list[Listing | Words] = []
    choices = baselines(answer, baseline)
    for place, (measure, each) in enumerate(answer.items()):
        pairs = PairTexts(each)
        if len(answer.runs) > FEW:
            blocks.append(differences(answer, pairs, baseline, choices, f"differences-{place}"))
        if 2 < len(answer.runs) <= MATRIX:
            blocks.append(_matrix(pairs, measure, f"matrix-{place}"))
    title = "Every pair" if len(answer.runs) <= FEW else "Differences from a baseline"
    words = Words(lines=(str(how(answer)),))
    return Section(name="differences", title=title, blocks=(*blocks, words), folded=True)


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


def differences(
    answer: Comparison, pairs: PairTexts, baseline: str, choices: Sequence[str], name: str, *, main: bool = False
) -> Listing:
    """Runs by a measure with their differences from a baseline, or from the best run if it is not named."""
    each = pairs.each
    measure, leader = each.measure, each.runs[each.order[0]]
    start = baseline or leader
    other = each.runs.index(start)
    means = {run: f"{system.mean:.{pairs.digits}f}" for run, system in each.systems.items()}
    alone = None if each.ranks is None else leader if each.systems[leader].rank_high == 1 else ""
    titles = ["best" if run == alone else "leads" if run == leader else "baseline" for run in pairs.runs]
    rows = [
        _row(pairs, place, each.runs.index(run), other, means[run], title)
        for place, (run, title) in enumerate(zip(pairs.runs, titles, strict=True), 1)
    ]
    chosen = [each.runs.index(run) for run in choices]
    shown = [pairs.numbers(each.runs.index(run), at) for at in chosen for run in pairs.runs]
    first = [pairs.numbers(each.runs.index(run), other) for run in pairs.runs]
    unit = 10.0**pairs.digits
    scale = _scale(first, unit)
    percent = percent_of(answer)
    columns = (
        Column("place", head="#", number=True, meaning="rank by the mean"),
        Column("run", meaning="the run"),
        Column("mean", head=measure, number=True, meaning="the mean over topics"),
        Column("drawn", head=_from(baseline), meaning=f"the difference with its {percent} interval, on one scale"),
        Column("diff", number=True, meaning=f"its mean minus that of {baseline or 'the best run'}"),
        Column(f"{percent} CI", number=True, meaning="confidence interval of the difference, corrected as p is"),
        Column("p", number=True, meaning="corrected for all pairs of runs"),
        Column("won:lost", number=True, meaning="topics on which it is better and worse"),
        Column("verdict", head="" if main else "verdict", meaning="whether the difference is significant"),
    )
    data: Mapping[str, object] = {}
    if pairs.fits and len(choices) > 1:
        data = {
            "runs": pairs.runs,
            "means": [means[run] for run in pairs.runs],
            "titles": titles,
            "best": choices.index(leader),
            "digits": pairs.digits,
            "scales": [
                [round(end * unit) for end in _scale(shown[at : at + len(rows)], unit)]
                for at in range(0, len(shown), len(rows))
            ],
            "fields": FIELDS,
            "p": pairs.p,
            "verdicts": _VERDICTS,
            "pairs": packed(number for one in shown for number in one),
        }
    more = "" if len(choices) == len(answer.runs) else f"The {len(choices)} best runs can be chosen as the baseline."
    return Listing(
        name=name,
        caption=f"Runs by {measure}, the best first" if main else f"Differences in {measure}",
        columns=columns,
        rows=rows,
        measure=measure,
        of="run",
        scales={"drawn": scale},
        ticks=steps(scale),
        zero=True,
        main="differences",
        by=("mean", each.sign > 0),
        below=more,
        data=data,
    )


def _from(baseline: str) -> str:
    return f"difference from {baseline or 'the best'}"


def _scale(shown: Sequence[Sequence[int]], unit: float) -> tuple[float, float]:
    """The scale of differences: 0 is on it, with a little room."""
    low, high = extent([0.0, *(end / unit for one in shown for end in one[:3] if end != NONE)], room=0.03)
    return low, high


def _row(pairs: PairTexts, place: int, run: int, other: int, mean: str, title: str) -> tuple[PageCell, ...]:
    name = pairs.each.runs[run]
    if run == other:
        word = Shade(title, kind="best" if title == "best" else "quiet")
        return (
            place,
            name,
            mean,
            Strip(0.0, math.nan, math.nan, "best" if title == "best" else ""),
            None,
            None,
            None,
            None,
            word,
        )
    difference_, low, high, p, wins, losses, is_ = pairs.numbers(run, other)
    unit = 10.0**pairs.digits
    value, least, most = (math.nan if end == NONE else end / unit for end in (difference_, low, high))
    word = Shade(_VERDICTS[is_], kind=_KINDS[is_])
    interval = "" if low == NONE else f"[{pairs.text(low)}, {pairs.text(high)}]"
    drawn = Strip(value, least, most, _KINDS[is_])
    return (place, name, mean, drawn, pairs.text(difference_), interval, pairs.p[p], f"{wins}:{losses}", word)


def possible_ranks(answer: Comparison, measure: str, name: str) -> Listing:
    """Runs by a measure with the ranks that they can have, which are decided by the pairs that differ."""
    each = answer[measure]
    digits, many = usual_digits(each), len(each.runs)
    rows: list[tuple[PageCell, ...]] = []
    for run, one in each.systems.items():
        low, high = one.rank_low, one.rank_high
        known = low is not None and high is not None
        least = math.nan if low is None else low - 0.5
        most = math.nan if high is None else high + 0.5
        drawn = Strip(one.rank, least, most, "ranks best" if low == 1 else "ranks")
        text = f"{low}-{high}" if known else ""
        word = Shade("could be best", kind="best") if low == 1 else None
        if low == high == 1:
            word = Shade("best", kind="best")
        rows.append((one.rank, run, f"{one.mean:.{digits}f}", drawn, text, word))
    scale = (0.5, many + 0.5)
    ends = [tick for tick in steps(scale) if 1 < tick <= many]
    return Listing(
        name=name,
        caption=f"Runs by {measure}, the best first",
        columns=(
            Column("place", head="#", number=True, meaning="rank by the mean"),
            Column("run", meaning="the run"),
            Column("mean", head=measure, number=True, meaning="the mean over topics"),
            Column("drawn", head="possible ranks", meaning="the ranks that differences leave open; a mark at its own"),
            Column("ranks", number=True, meaning="the ranks that significant differences leave open"),
            Column("verdict", head="", meaning="whether it could be the best run"),
        ),
        rows=rows,
        measure=measure,
        of="run",
        scales={"drawn": scale},
        ticks=(1, *ends),
        main="ranks",
        by=("mean", each.sign > 0),
        few=SHOWN if many > 2 * SHOWN else 0,
    )


def _matrix(pairs: PairTexts, measure: str, name: str) -> Listing:
    """All pairs: the run of the row minus that of the column; significant differences are in colour."""
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
        caption=f"Every pair by {measure}: the run of the row minus the run of the column. {significant} of "
        f"{counted(len(each.asked), 'pair')} differ significantly, in bold",
        columns=(Column("run"), *(Column(run) for run in pairs.runs)),
        rows=rows,
        measure=measure,
        of="run",
        sortable=False,
    )
