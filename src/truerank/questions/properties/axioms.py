"""The seven properties of Amigó, Mizzaro & Spina (2022)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.properties.examples import Example, SearchSpace
from truerank.questions.properties.property import OUTCOMES, ByReading, Property, Trial, Trials, Universal
from truerank.questions.properties.scoring import ExampleScores


class Priority(Universal):
    """A more relevant document moved up, in place of a less relevant one, raises the score.

    >>> from truerank.questions.properties.examples import drawn
    >>> for trial in Priority().compare(drawn((0, 1, 1))):
    ...     print(trial.more[0].list, ">", trial.less[0].list)
    101 > 011
    110 > 011
    """

    name = "Priority"
    statement = "Swapping two documents so that the more relevant one comes first raises the score."
    formula = "Rel(d_i) < Rel(d_j), i < j  =>  M(d with i and j swapped) > M(d)"
    remark = "Moffat's top-weightedness, a swap within the first k, says the same."

    def compare(self, example: Example) -> Iterator[Trial]:
        """Every swap of two documents in the wrong order."""
        for i, j in combinations(range(len(example.grades)), 2):
            if example.grades[i] < example.grades[j]:
                yield Trial((example.swapped(i, j),), (example,))

    def said(self, trial: Trial) -> str:
        return f"{trial.less[0]}: {{1}}; swapped to {trial.more[0].list}: {{0}}"


class TopWeightedness(Universal):
    """A correct swap of neighbours gains more, the higher up they stand.

    >>> from truerank.questions.properties.examples import drawn
    >>> for trial in TopWeightedness().compare(drawn((0, 1, 0, 1))):
    ...     print(trial.more[0].list, ">", trial.less[0].list)
    1001 > 0110
    """

    name = "Top-weightedness"
    statement = "Of two swaps that bring neighbours into the right order, the one higher up raises the score more."
    formula = (
        "Rel(d_i) = Rel(d_j) < Rel(d_i+1) = Rel(d_j+1), i < j  "
        "=>  M(d with i and i+1 swapped) > M(d with j and j+1 swapped)"
    )
    remark = "As printed, both sides have the same swap; the right-hand one is that of j and j+1."

    def compare(self, example: Example) -> Iterator[Trial]:
        """Every two such swaps."""
        grades = example.grades
        correct = [i for i in range(len(grades) - 1) if grades[i] < grades[i + 1]]
        for i, j in combinations(correct, 2):
            if grades[i] == grades[j] and grades[i + 1] == grades[j + 1]:
                yield Trial((example.swapped(i, i + 1),), (example.swapped(j, j + 1),), of=example)

    def said(self, trial: Trial) -> str:
        assert trial.of is not None
        first, second = (_where(trial.of, each[0]) for each in (trial.more, trial.less))
        return f"{trial.of}: the swap at rank {first} gives {{0}}, the swap at rank {second} gives {{1}}"


def _where(example: Example, swapped: Example) -> int:
    return next(rank for rank, (a, b) in enumerate(zip(example.grades, swapped.grades, strict=True), 1) if a != b)


DEEPEST = 2000
_EACH = 64
"""Up to here every n is tried, then some."""
_STEPS = (80, 100, 128, 160, 200, 256, 320, 400, 500, 640, 800, 1000, 1250, 1600, DEEPEST)
FARTHER = (2500, 3200, 4000, 5000, 6400, 8000, 10000)
"""Where a measure is told how large the collection is, n may have to be a good part of it."""


class ThresholdProperty(ByReading):
    """Compares 1... with 0^n 1^n, the single document alone or padded to length 2n.

    R is n, or the same for all n, and then as large as the largest of them: a smaller R would end the search early, and
    a measure that does not look at R would seem to depend on it. Only where the collection has a size n goes farther.
    """

    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """Every n, reading by reading."""
        farther = [n for n in FARTHER if search.size is not None and 2 * n <= search.size]
        every = (*range(1, _EACH + 1), *_STEPS)
        for relevant, tried in (("n", (*every, *farther)), (DEEPEST, every)):
            for padded in (False, True):
                reading = f"R = {relevant} {'padded' if padded else 'truncated'}"
                for n in tried:
                    pool = (1,) * (n if relevant == "n" else DEEPEST)
                    others = 2 * n if search.size is None else search.size - len(pool)
                    low = Example((*[0] * n, *[1] * n), pool, others)
                    high = low.ranked((1, *[0] * (2 * n - 1)) if padded else (1,))
                    yield Trial((high,), (low,), reading=reading, number=n)

    def said(self, trial: Trial) -> str:
        (high,), (low,) = trial.more, trial.less
        return f"{high}: {{0}}; {low.list}: {{1}}"

    def margin(self, trials: Trials, scores: ExampleScores) -> Floats:
        return scores.margin(trials.more, trials.less)


class Deepness(ThresholdProperty):
    """One document at the top beats any number of them that nobody reads as far as to.

    >>> from truerank.questions.properties.examples import SearchSpace
    >>> first = next(Deepness().trials(SearchSpace()))
    >>> first.more[0].list, first.less[0].list, first.reading
    ('1', '01', 'R = n truncated')
    """

    name = "Deepness threshold"
    statement = "From some n on, one relevant document at the top is better than n of them after n without relevance."
    formula = "there is n_0: for all n >= n_0, M(1, ...) > M(0^n 1^n)"
    remark = (
        "As printed, one n is enough, which n = 1 is for any measure with Priority. Here it holds for all n tried from "
        "some n_0 on, n_0 at most half of the largest. R and what follows the single document are not given in the "
        f"paper: R = n and R = {DEEPEST} are tried, and the document alone (truncated) or with others after it (padded "
        "to 2n)."
    )

    def decide(self, trials: Trials, here: Rows, margin: Floats, scores: ExampleScores) -> tuple[str, int, str]:
        """The least outcome in the larger half of the n tried, and the smallest n that shows it."""
        number = trials.number[here]
        least = float(margin[number > number[-1] // 2].min())
        same = margin == least
        if same[number > number[-1] // 2].all():
            others = np.flatnonzero(~same)
            first = int(others[-1]) + 1 if len(others) else 0
            note = f"so from n = {number[first]} on, tried up to {number[-1]}"
        else:
            first, last = (int(np.flatnonzero(same)[end]) for end in (0, -1))
            note = f"last so at n = {number[last]}, tried up to {number[-1]}"
        return OUTCOMES[least], int(here[first]), note


class Shallowness(ThresholdProperty):
    """Among ranks that everybody reads, more documents beat one a little higher up.

    >>> from truerank.questions.properties.examples import SearchSpace
    >>> first = next(Shallowness().trials(SearchSpace()))
    >>> first.more[0].list, first.less[0].list
    ('1', '01')
    """

    name = "Shallowness threshold"
    statement = "For some m, m relevant documents after m without relevance are better than one at the top."
    formula = "there is m: M(1, ...) < M(0^m 1^m)"
    remark = (
        f"As for the deepness threshold, R = m and R = {DEEPEST} are tried, and the single document "
        "truncated or padded."
    )

    def decide(self, trials: Trials, here: Rows, margin: Floats, scores: ExampleScores) -> tuple[str, int, str]:
        """The smallest m that will do; or the one that comes nearest."""
        least = float(margin.min())
        number = trials.number[here]
        if least < 1.0:
            at = int(np.argmax(margin == least))
            words = "m = {m}" if least < 0 else "equal at m = {m}, never better, tried up to {last}"
        else:
            first, other = scores.value[trials.more[here, 0]], scores.value[trials.less[here, 0]]
            size = np.maximum(np.abs(first), np.abs(other))
            at = int(np.argmin(np.round(np.abs(first - other) / size, 12)))
            words = "m = {m} comes nearest, tried up to {last}"
        return OUTCOMES[-least], int(here[at]), words.format(m=number[at], last=number[-1])


class Confidence(Universal):
    """Noise at the end of a list lowers the score.

    >>> from truerank.questions.properties.examples import drawn
    >>> for trial in Confidence().compare(drawn((1,))):
    ...     print(trial.more[0].list, ">", trial.less[0].list)
    1 > 10
    """

    name = "Confidence"
    statement = "A document without relevance added at the end of the list lowers the score."
    formula = "M(d_1, ..., d_n) > M(d_1, ..., d_n, d'), Rel(d') = 0"
    remark = (
        "n is at least 1, and the collection the same on both sides; collections without a relevant document count."
    )

    def compare(self, example: Example) -> Iterator[Trial]:
        """The ranking without and with another document."""
        yield Trial((example,), (example.ranked((*example.grades, 0)),))

    def said(self, trial: Trial) -> str:
        return f"{trial.more[0]}: {{0}}; extended to {trial.less[0].list}: {{1}}"


class Recall(Universal):
    """What could have been found lowers the score of what was.

    >>> from truerank.questions.properties.examples import drawn
    >>> for trial in Recall().compare(drawn((1,))):
    ...     print(trial.more[0], ">", trial.less[0])
    1, R = 1 > 1, R = 2
    """

    name = "Recall"
    statement = "A relevant document more in the collection that is not retrieved lowers the score."
    formula = "M_D(d) > M_{D + d'}(d), Rel(d') > 0, d has a relevant document and not d'"
    reading = "R grows by one"
    remark = "The collection has as many documents on both sides: one of them that is not retrieved becomes relevant."

    def compare(self, example: Example) -> Iterator[Trial]:
        """One more relevant document, of each level."""
        if example.hits:
            for grade in range(1, example.top + 1):
                yield Trial((example,), (example.with_relevant(grade),))

    def said(self, trial: Trial) -> str:
        (more,), (less,) = trial.more, trial.less
        return f"{more.list}: {{0}} with {more.relevant}, {{1}} with {less.relevant}"


_FEWEST = 2
"""Relevant documents: one side retrieves two."""
_MISSING = 3


class Redundancy(Universal):
    """The first relevant document is worth more than the second.

    As sums: M(0..001) + M(0..010) > M(0..000) + M(0..011).

    >>> [each] = Redundancy().compare(Example((0, 1), (1, 1), 3))
    >>> [example.list for example in each.more], [example.list for example in each.less]
    (['01', '10'], ['00', '11'])
    """

    name = "Redundancy"
    statement = "A relevant document raises the score more as the first one of the list than right after another one."
    formula = "M(0^n 1) - M(0^n 0) > M(0^(n-1) 1 1) - M(0^(n-1) 1 0)"
    reading = "R = 2 to 4, the same in all four"
    remark = "R is the same in all four, and at least 2."

    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """One document after n others, for every n and R."""
        for n in range(1, search.farthest):
            for relevant in range(_FEWEST, _FEWEST + _MISSING):
                yield from self.compare(Example((*[0] * n, 1), (1,) * relevant, n + 2))

    def compare(self, example: Example) -> Iterator[Trial]:
        """The last document of a ranking, and that before it, relevant or not."""
        rest = example.grades[:-2]
        first, none, both, before = (example.ranked((*rest, *end)) for end in ((0, 1), (0, 0), (1, 1), (1, 0)))
        yield Trial((first, before), (none, both))

    def said(self, trial: Trial) -> str:
        (first, before), (none, both) = trial.more, trial.less
        return (
            f"{first.relevant}: the hit adds {{4}} from {none.list} to {first.list} ({{2}} to {{0}}), "
            f"{{5}} from {before.list} to {both.list} ({{1}} to {{3}})"
        )

    def added(self, more: tuple[float, ...], less: tuple[float, ...]) -> tuple[float, ...]:
        return more[0] - less[0], less[1] - more[1]


SEVEN: tuple[Property, ...] = (
    Priority(),
    TopWeightedness(),
    Deepness(),
    Shallowness(),
    Confidence(),
    Recall(),
    Redundancy(),
)
