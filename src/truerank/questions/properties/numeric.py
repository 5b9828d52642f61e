"""Moffat's (2013) numeric properties, but for the one that is Priority."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.properties.examples import Example, SearchSpace, drawn
from truerank.questions.properties.property import FACTS, MOFFAT, ByReading, Property, Trial, Trials, Universal, Witness
from truerank.questions.properties.question import ReadingVerdict
from truerank.questions.properties.scoring import ExampleScores
from truerank.statistics.level import EQUAL

LIST = "lists of length k"
DEPTH = "lists read to depth k"
SHALLOW = 6
"""Length of lists up to which every depth is tried."""


_DOUBLED = tuple(1 << power for power in range(6, 11))
"""Lengths of lists that tell whether scores go on growing."""
_STEADY = 0.9
"""Share of the growth over one doubling that the next one has at least, where there is no bound: by logarithms 1."""
RANGE, GROWTH = "declared range", "lists that grow"


class Boundedness(Property):
    """Scores stay in a range: the declared one, or one that can be seen.

    >>> from truerank.questions.properties.examples import SearchSpace
    >>> [str(next(Boundedness().trials(SearchSpace())).more[0])]
    ['0, R = 1']
    """

    name = "Boundedness"
    statement = "Scores stay within the range that the measure declares; where it declares none, they stop growing."
    formula = "low <= M(d) <= high"
    citation = MOFFAT
    remark = f"Without a declared bound, lists of {_DOUBLED[0]} to {_DOUBLED[-1]} documents tell whether there is one."
    satisfied = ("holds",)

    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """Every ranking, and families that grow, each with its next."""
        for example in search.examples:
            yield Trial((example,), reading=RANGE)
        families = zip(*(_growing(n) for n in _DOUBLED), strict=True)
        for number, family in enumerate(families):
            for smaller, larger in pairwise(family):
                yield Trial((larger,), (smaller,), reading=GROWTH, number=number)

    def verdicts(self, trials: Trials, scores: ExampleScores) -> list[ReadingVerdict]:
        """Scores outside of the range, or without an end."""
        low, high = scores.measure.range
        value = scores.value[trials.more[:, 0]]
        here = np.flatnonzero(~np.isnan(value))
        if not len(here):
            return [self.undefined(scores)]
        slack = EQUAL * max(scores.unit, *(abs(end) for end in (low, high) if np.isfinite(end)), 0.0)
        outside = here[(value[here] < low - slack) | (value[here] > high + slack) | np.isinf(value[here])]
        reading = f"declared range {_end(low)} to {_end(high)}"
        if len(outside):
            return [self.verdict(scores, reading, "fails", self.witness(trials, int(outside[0]), scores), len(here))]
        endless = _endless(trials, scores.value, [sign for sign, end in ((-1, low), (1, high)) if np.isinf(end)])
        if endless is not None:
            note = "and no bound in sight"
            return [self.verdict(scores, reading, "fails", self.witness(trials, endless, scores, note), len(here))]
        least, most = (int(here[find(value[here])]) for find in (np.argmin, np.argmax))
        extremes = Trial(trials[most].more[:1], trials[least].more[:1])
        witness = Witness.of(
            extremes,
            (float(value[most]),),
            (float(value[least]),),
            f"from {{1}} ({extremes.less[0]}) to {{0}} ({extremes.more[0]})",
        )
        return [self.verdict(scores, reading, "holds", witness, len(here))]


def _growing(n: int) -> tuple[Example, ...]:
    """Nothing but relevant documents, none, one half of each, and one of many."""
    hit, miss = (1,) * n, (0,) * n
    return tuple(Example(grades, hit, n + 1) for grades in (hit, miss, miss + hit, hit + miss, (1,)))


def _endless(trials: Trials, value: Floats, signs: list[int]) -> int | None:
    """The last trial of a family whose scores grow as much with every doubling as with the one before."""
    for sign in signs:
        for family in range(int(trials.number.max(initial=0)) + 1):
            rows: Rows = np.flatnonzero((trials.less[:, 0] >= 0) & (trials.number == family))
            growth = sign * (value[trials.more[rows, 0]] - value[trials.less[rows, 0]])
            if growth[-1] > 0 and growth[-1] >= _STEADY * growth[-2] > 0:
                return int(rows[-1])
    return None


def _end(bound: float) -> str:
    return f"{bound:g}".replace("inf", "infinity")


class Monotonicity(Universal):
    """Looking one document deeper never lowers the score.

    >>> from truerank.questions.properties.examples import drawn
    >>> for trial in Monotonicity().compare(drawn((1, 0))):
    ...     print(trial.more[0].list, ">=", trial.less[0].list)
    100 >= 10
    10@2 >= 10@1
    """

    name = "Monotonicity"
    statement = "A list that goes on for one more document, or is read one deeper, never scores less."
    formula = "M(d_1, ..., d_k+1) >= M(d_1, ..., d_k), and M@(k+1)(d) >= M@k(d)"
    citation = MOFFAT
    satisfied = ("strict", "equal")

    def compare(self, example: Example) -> Iterator[Trial]:
        """Lists that grow, and depths."""
        for grade in sorted({0, *example.missing}):
            yield Trial((example.ranked((*example.grades, grade)),), (example,), reading=LIST)
        if len(example.grades) <= SHALLOW:
            for k in range(1, len(example.grades)):
                yield Trial((example.at(k + 1),), (example.at(k),), reading=DEPTH)

    def said(self, trial: Trial) -> str:
        return f"{trial.less[0]}: {{1}}; {trial.more[0].list}: {{0}}"


class Convergence(Universal):
    """A more relevant document from outside, in place of a less relevant one inside, raises the score.

    >>> from truerank.questions.properties.examples import drawn
    >>> for trial in Convergence().compare(drawn((0, 1), missing=(1,))):
    ...     print(trial.more[0].list, ">", trial.less[0].list)
    11 > 01
    10@1 > 01@1
    """

    name = "Convergence"
    statement = "A document of the first k replaced by a more relevant one from outside of them raises the score."
    formula = "Rel(d_i) < Rel(d_j), i <= k < j  =>  M@k(d with i and j swapped) > M@k(d)"
    citation = MOFFAT
    remark = "Outside are documents that are not retrieved or, for measures with a cutoff, ranks past it."

    def compare(self, example: Example) -> Iterator[Trial]:
        """Documents that are not retrieved, and those past a depth."""
        grades = example.grades
        for i, grade in enumerate(grades):
            for better in sorted({each for each in example.missing if each > grade}):
                yield Trial((example.ranked((*grades[:i], better, *grades[i + 1 :])),), (example,), reading=LIST)
        if len(grades) <= SHALLOW:
            for k in range(1, len(grades)):
                for i in range(k):
                    for j in range(k, len(grades)):
                        if grades[i] < grades[j]:
                            yield Trial((example.swapped(i, j).at(k),), (example.at(k),), reading=DEPTH)

    def said(self, trial: Trial) -> str:
        return f"{trial.less[0]}: {{1}}; {trial.more[0].list}: {{0}}"


class Localisation(Universal):
    """The first k documents are all that the score depends on.

    >>> from truerank.questions.properties.examples import drawn
    >>> for trial in Localisation().compare(drawn((1,))):
    ...     print(trial.more[0], "=", trial.less[0])
    1, R = 1 = 1, R = 2
    1@1, R = 1 = 10@1, R = 1
    """

    name = "Localisation"
    statement = "The score at depth k can be computed from the first k documents alone."
    formula = "M@k(d) = M'@k(d') wherever d and d' agree in the first k, whatever else there is"
    citation = MOFFAT
    reading = "R, and documents past the first k, change"
    outcomes = FACTS
    satisfied = ("holds",)

    def compare(self, example: Example) -> Iterator[Trial]:
        """Other relevant documents in the collection, and other documents past the depth."""
        for grade in range(1, example.top + 1):
            yield Trial((example,), (example.with_relevant(grade),))
        if (k := len(example.grades)) <= SHALLOW:
            for grade in sorted({0, *example.missing}):
                yield Trial((example.at(k),), (example.ranked((*example.grades, grade)).at(k),))

    def margin(self, trials: Trials, scores: ExampleScores) -> Floats:
        return -np.abs(super().margin(trials, scores))


_LENGTHS = range(1, 4)


class Completeness(Universal):
    """There is a score even where nothing is relevant.

    >>> from truerank.questions.properties.examples import SearchSpace
    >>> [str(trial.more[0]) for trial in Completeness().trials(SearchSpace())]
    ['0, R = 0', '00, R = 0', '000, R = 0']
    """

    name = "Completeness"
    statement = "There is a score also for topics without a relevant document."
    formula = "M(d) is defined for R = 0"
    citation = MOFFAT
    reading = "R = 0"
    outcomes = FACTS
    satisfied = ("holds",)

    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """Lists from a collection with nothing to find."""
        for length in _LENGTHS:
            yield from self.compare(drawn((0,) * length))

    def compare(self, example: Example) -> Iterator[Trial]:
        """The ranking alone."""
        yield Trial((example,))

    def margin(self, trials: Trials, scores: ExampleScores) -> Floats:
        return np.where(np.isnan(scores.value[trials.more[:, 0]]), -1.0, 0.0)


_MOST = 5
"""Depths and numbers of relevant documents that are tried."""


class Realisability(ByReading):
    """The highest score can be reached at any depth, whatever there is to find.

    >>> from truerank.questions.properties.examples import SearchSpace
    >>> [str(next(Realisability().trials(SearchSpace())).more[0])]
    ['0, R = 1']
    """

    name = "Realisability"
    statement = "Where anything is relevant, some list of k documents has the highest score there is."
    formula = "for all k and R >= 1: max over d_1, ..., d_k of M(d) = highest score"
    citation = MOFFAT
    satisfied = ("holds",)

    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """All rankings of each length from each collection."""
        for k, relevant in product(range(1, _MOST + 1), repeat=2):
            for grades in product((0, 1), repeat=k):
                if sum(grades) <= relevant:
                    example = Example(grades, (1,) * relevant, k + 1)
                    yield Trial((example,), reading=LIST, number=k * (_MOST + 1) + relevant)
                    yield Trial((example.at(k),), reading=DEPTH, number=k * (_MOST + 1) + relevant)

    def verdicts(self, trials: Trials, scores: ExampleScores) -> list[ReadingVerdict]:
        """The best list of each length and collection."""
        if np.isinf(_highest(scores)):
            return [self.undefined(scores, because="no highest score is declared")]
        return super().verdicts(trials, scores)

    def margin(self, trials: Trials, scores: ExampleScores) -> Floats:
        merit: Floats = scores.measure.sign * scores.value[trials.more[:, 0]]
        return merit

    def decide(self, trials: Trials, here: Rows, margin: Floats, scores: ExampleScores) -> tuple[str, int, str]:
        """Whether the best list of each length and collection has the highest score; the first one that has not."""
        highest, number = _highest(scores), trials.number[here]
        enough = scores.measure.sign * highest - EQUAL * max(1.0, abs(highest))
        best = []
        for group in dict.fromkeys(number.tolist()):
            rows = np.flatnonzero(number == group)
            at = int(rows[np.argmax(margin[rows])])
            if margin[at] < enough:
                k, relevant = divmod(group, _MOST + 1)
                note = f"the best of all lists with k = {k} and R = {relevant}; the highest score is {highest:g}"
                return "fails", int(here[at]), note
            best.append(int(here[at]))
        return "holds", best[0], ""


def _highest(scores: ExampleScores) -> float:
    return scores.measure.range[scores.measure.higher_is_better]


NUMERIC: tuple[Property, ...] = (
    Boundedness(),
    Monotonicity(),
    Convergence(),
    Localisation(),
    Completeness(),
    Realisability(),
)
