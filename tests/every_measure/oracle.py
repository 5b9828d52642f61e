"""Every measure, slowly: a function of one explicit ranking, written from the definitions and the papers.

Nothing here imports truerank. Conventions are taken literally: ties by going through every order, unjudged documents by
dropping or grading them, an ending by appending its document.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

Grade = float | None
Gain = Callable[[float], float]


@dataclass(frozen=True)
class Listing:
    """One ranking in one order, with what the judgments say of its topic."""

    grades: tuple[Grade, ...]
    """In rank order; None where unjudged."""
    judged: tuple[float, ...]
    """Grades of all judged documents of the topic, retrieved or not."""
    top: float
    """Highest grade of the collection."""
    listed: int
    """Documents that the system listed; those after them were never seen."""
    ending: str = "none"
    endless: Grade = None
    """Grade of every document past the end, for ever on."""
    negative_judged: bool = True
    pooled: Callable[[int], list[float]] | None = None
    """Grades of the judged documents among the first k of some contributing run."""

    def is_judged(self, grade: Grade) -> bool:
        return grade is not None and (grade >= 0 or self.negative_judged)

    def gains(self, gain: Gain) -> list[float]:
        """Gains in rank order, the terminal document's at the end."""
        x = [gain(g) if g is not None and g > 0 else 0.0 for g in self.grades]
        return x if self.ending == "none" else [*x, self.share(gain)]

    def share(self, gain: Gain) -> float:
        """r_t: the share of the gain that was found; 1 where there is none to find."""
        total = math.fsum(self.pool(gain))
        found = math.fsum(gain(g) for g in self.grades if g is not None and g > 0)
        return min(found / total, 1.0) if total > 0 else 1.0

    def pool(self, gain: Gain) -> list[float]:
        """Positive gains of the judgments, best first."""
        return sorted((gain(g) for g in self.judged if g > 0 and gain(g) > 0), reverse=True)

    def ideal(self, gain: Gain) -> list[float]:
        return self.pool(gain) + [1.0] * (self.ending != "none")

    def relevant(self, gain: Gain) -> int:
        return len(self.ideal(gain))

    def depth(self, k: int | None) -> int:
        return k if k is not None else len(self.grades) + (self.ending != "none")


# --- gain maps -------------------------------------------------------------------------------------------------------


def binary(rel: float = 1) -> Gain:
    return lambda grade: float(grade >= rel)


def graded(
    scale: str,
    top: float,
    rel: float | None = None,
    gains: Mapping[float, float] | None = None,
    max_rel: float | None = None,
    dcg: str = "log2",
) -> Gain:
    """The gain map of a graded measure; ``rel`` makes the grade 0 or 1, and the highest grade 1."""
    highest = max_rel or (top if rel is None else 1.0) or 1.0

    def gain(grade: float) -> float:
        if rel is not None:
            grade = float(grade >= rel)
            if not grade:
                return 0.0
        if gains is not None and grade in gains:
            return float(gains[grade])
        if dcg == "exp-log2":
            return 2**grade - 1
        if scale == "identity":
            return grade
        return grade / highest if scale == "linear" else (2**grade - 1) / 2**highest

    return gain


# --- sums over ranks -------------------------------------------------------------------------------------------------


def reciprocal(i: int) -> float:
    return 1 / i


def logarithmic(i: int) -> float:
    return 1 / math.log2(i + 1)


def geometric(p: float) -> Callable[[int], float]:
    return lambda i: (1 - p) * p ** (i - 1)


def one(i: int) -> float:
    return 1.0


def weighted(x: Sequence[float], k: int | None, weight: Callable[[int], float]) -> float:
    return math.fsum(weight(i) * g for i, g in enumerate(x[:k], 1))


def cascade(x: Sequence[float], k: int | None, weight: Callable[[int], float], endless: float = 0.0) -> float:
    """A reader who stops at a document with the chance of its gain; without a depth, endless such documents follow."""
    total, reached = [], 1.0
    for i, g in enumerate(x[:k], 1):
        total.append(weight(i) * g * reached)
        reached *= 1 - g
    i = len(x)
    while k is None and endless > 0 and reached > 1e-18:
        i += 1
        total.append(weight(i) * endless * reached)
        reached *= 1 - endless
    return math.fsum(total)


def effort(one_list: Listing, k: int | None, weight: Callable[[int], float], e: float) -> float:
    """What reading the system's own documents costs."""
    read = one_list.listed if k is None else min(k, one_list.listed)
    return e * math.fsum(weight(i) for i in range(1, read + 1))


def over(a: float, b: float) -> float:
    return a / b if b else math.nan


# --- measures --------------------------------------------------------------------------------------------------------


def precision(r: Listing, k: int | None, rel: float = 1, relative: bool = False) -> float:
    hits, depth = math.fsum(r.gains(binary(rel))[:k]), r.depth(k)
    if relative:
        return over(hits, min(depth, r.relevant(binary(rel))))
    return hits / depth if depth else 1.0


def recall(r: Listing, k: int | None, rel: float = 1) -> float:
    return over(math.fsum(r.gains(binary(rel))[:k]), r.relevant(binary(rel)))


def f(r: Listing, k: int | None, rel: float = 1, beta: float = 1.0) -> float:
    hits = math.fsum(r.gains(binary(rel))[:k])
    return over((1 + beta**2) * hits, r.depth(k) + beta**2 * r.relevant(binary(rel)))


def set_precision(r: Listing, k: None, rel: float = 1, relative: bool = False) -> float:
    hits, size = sum(r.gains(binary(rel))), len(r.grades)
    best = min(size, r.relevant(binary(rel))) if relative else size
    return hits / best if best else 0.0


def set_average(r: Listing, k: None, rel: float = 1) -> float:
    hits, size = sum(r.gains(binary(rel))), len(r.grades)
    return over(hits * (hits / size if size else 0.0), r.relevant(binary(rel)))


def average_precision(r: Listing, k: int | None, rel: float = 1, norm: str = "R") -> float:
    x, total = r.gains(binary(rel)), r.relevant(binary(rel))
    found = math.fsum(x[i - 1] * math.fsum(x[:i]) / i for i in range(1, min(r.depth(k), len(x)) + 1))
    if norm == "pool":
        assert r.pooled is not None
        total = sum(g >= rel for g in r.pooled(r.depth(k))) + (r.ending != "none")
    return over(found, min(total, r.depth(k)) if norm == "min" else total)


def reciprocal_rank(r: Listing, k: int | None, rel: float = 1) -> float:
    endless = 0.0 if r.endless is None else binary(rel)(r.endless)
    return cascade(r.gains(binary(rel)), k, reciprocal, endless)


def success(r: Listing, k: int | None, rel: float = 1) -> float:
    endless = 0.0 if r.endless is None else binary(rel)(r.endless)
    return cascade(r.gains(binary(rel)), k, one, endless)


def cumulative_gain(r: Listing, k: int | None, scale: str = "identity", **gain: Any) -> float:
    return weighted(r.gains(graded(scale, r.top, **gain)), k, one)


def discounted(r: Listing, k: int | None, scale: str = "identity", **gain: Any) -> float:
    return weighted(r.gains(graded(scale, r.top, **gain)), k, logarithmic)


def normalised_discounted(r: Listing, k: int | None, **gain: Any) -> float:
    worth = graded("identity", r.top, **gain)
    cut = k
    if r.ending == "terminal":
        cut = len(r.grades) + 1 if k is None else min(k, len(r.grades) + 1)
    return over(weighted(r.gains(worth), k, logarithmic), weighted(r.ideal(worth), cut, logarithmic))


def rank_biased(r: Listing, k: int | None, p: float = 0.8, **gain: Any) -> float:
    worth, n = graded("linear", r.top, **gain), len(r.grades)
    if r.ending == "terminal":
        seen = replace(r, ending="none")
        tail = p**n - (0.0 if k is None else p ** max(k, n))
        return weighted(seen.gains(worth), k, geometric(p)) + r.share(worth) * tail
    tail = 0.0 if r.endless is None or r.endless <= 0 or k is not None else worth(r.endless) * p**n
    return weighted(r.gains(worth), k, geometric(p)) + tail


def squares(a: float) -> float:
    """1/a^2 + 1/(a + 1)^2 + ...: fifty terms, and the rest by Euler and Maclaurin."""
    far = a + 50
    rest = 1 / far + 1 / (2 * far**2) + 1 / (6 * far**3) - 1 / (30 * far**5) + 1 / (42 * far**7)
    return math.fsum([*(1 / (a + j) ** 2 for j in range(50)), rest])


def inverse_square(r: Listing, k: int | None, T: float = 1.0, **gain: Any) -> float:
    worth, n, whole = graded("linear", r.top, **gain), len(r.grades), squares(2 * T)

    def weight(i: int) -> float:
        return 1 / (i + 2 * T - 1) ** 2 / whole

    if r.ending == "terminal":
        seen = replace(r, ending="none")
        tail = (squares(n + 2 * T) - (0.0 if k is None else squares(max(k, n) + 2 * T))) / whole
        return weighted(seen.gains(worth), k, weight) + r.share(worth) * tail
    goes_on = r.endless is not None and r.endless > 0 and k is None
    tail = worth(r.endless) * squares(n + 2 * T) / whole if goes_on else 0.0  # type: ignore[arg-type]
    return weighted(r.gains(worth), k, weight) + tail


def scaled_discounted(r: Listing, k: int | None, **gain: Any) -> float:
    x = r.gains(graded("linear", r.top, **gain))
    return over(weighted(x, k, logarithmic), math.fsum(map(logarithmic, range(1, r.depth(k) + 1))))


FAR = 25


def read_by(
    r: Listing,
    k: int | None,
    goes_on: Callable[[int, float, float], float],
    rest: Callable[[int, float], float] | None = None,
    **gain: Any,
) -> float:
    """Gain per document of a reader who goes on after rank i with a chance by its gain, and by all gain so far.

    Past the list there is no gain. The reader stops at the cutoff or the end; or goes far past it, where ``rest`` says
    how many documents follow, given the rank and the gain so far.
    """
    worth = graded("linear", r.top, **gain)
    if not r.pool(worth):
        return math.nan
    x = r.gains(worth)[:k]
    last = len(x) + FAR if rest is not None else r.depth(k)
    found, looked, reaches, so_far = [], [], 1.0, 0.0
    for i in range(1, last + 1):
        g = x[i - 1] if i <= len(x) else 0.0
        so_far += g
        found.append(reaches * g)
        looked.append(reaches)
        reaches *= goes_on(i, g, so_far)
    if rest is not None and reaches:
        looked.append(reaches * rest(last, so_far))
    return over(math.fsum(found), math.fsum(looked))


def bejeweled(r: Listing, k: int | None, T: float = 1.0, **gain: Any) -> float:
    return read_by(r, k, lambda i, g, so_far: float(so_far < T - 1e-12), **gain)


def insatiable(r: Listing, k: None, T: float = 1.0, **gain: Any) -> float:
    """INST."""

    def goes_on(i: int, g: float, so_far: float) -> float:
        left = T - so_far
        return ((i + T + left - 1) / (i + T + left)) ** 2

    def rest(i: int, so_far: float) -> float:
        return (i + 2 * T - so_far) ** 2 * squares(i + 2 * T - so_far)

    return read_by(r, k, goes_on, rest, **gain)


def nearly_err_8(r: Listing, k: int | None, **gain: Any) -> float:
    return read_by(r, k, lambda i, g, so_far: 1 - g, **gain)


def nearly_err_9(r: Listing, k: int | None, **gain: Any) -> float:
    return read_by(r, k, lambda i, g, so_far: (1 - g) * i / (i + 1), **gain)


def nearly_err_10(r: Listing, k: None, p: float = 0.9, **gain: Any) -> float:
    return read_by(r, k, lambda i, g, so_far: (1 - g) * p, lambda i, so_far: 1 / (1 - p) if p < 1 else INF, **gain)


def nearly_err_11(r: Listing, k: None, T: float = 1.0, **gain: Any) -> float:
    def goes_on(i: int, g: float, so_far: float) -> float:
        return (1 - g) * ((i + 2 * T - 1) / (i + 2 * T)) ** 2

    return read_by(r, k, goes_on, lambda i, so_far: (i + 2 * T) ** 2 * squares(i + 2 * T), **gain)


def compatibility(r: Listing, k: None, p: float = 0.95, normalise: bool = True) -> float:
    """Rank-biased overlap with the ideal ranking, which has documents of one grade as the list has them."""
    grades = sorted((g for g in r.judged if g > 0), reverse=True)
    if not grades:
        return math.nan
    ideal: list[object] = []
    for level in sorted(set(grades), reverse=True):
        here: list[object] = [i for i, g in enumerate(r.grades) if g == level]
        ideal += here + [object() for _ in range(grades.count(level) - len(here))]
    depth = max(len(r.grades), len(ideal))

    def overlap(one: list[object]) -> float:
        common = [len(set(one[:i]) & set(ideal[:i])) for i in range(1, depth + 1)]
        return math.fsum(p ** (i - 1) * c / i for i, c in enumerate(common, 1))

    best = overlap(ideal) if normalise else math.fsum(p**i for i in range(depth))
    return overlap(list(range(len(r.grades)))) / best


def expected_reciprocal(r: Listing, k: int | None, weight: Callable[[int], float] = reciprocal, **gain: Any) -> float:
    worth = graded("err", r.top, **gain)
    endless = 0.0 if r.endless is None or r.endless <= 0 else worth(r.endless)
    return cascade(r.gains(worth), k, weight, endless)


def intentwise(r: Listing, k: int | None, p: float = 0.8, **gain: Any) -> float:
    return expected_reciprocal(r, k, geometric(p), **gain)


def q_measure(r: Listing, k: int | None, beta: float = 1.0, norm: str = "R", **gain: Any) -> float:
    worth = graded("identity", r.top, **gain)
    hits, x, ideal = r.gains(lambda g: float(worth(g) > 0)), r.gains(worth), r.ideal(worth)
    total = math.fsum(
        hits[i - 1] * (math.fsum(hits[:i]) + beta * math.fsum(x[:i])) / (i + beta * math.fsum(ideal[:i]))
        for i in range(1, min(r.depth(k), len(x)) + 1)
    )
    return over(total, min(len(ideal), r.depth(k)) if norm == "min" else len(ideal))


def r_precision(r: Listing, k: None, rel: float = 1, mult: float = 1.0) -> float:
    total = r.relevant(binary(rel))
    depth = total if mult == 1 else math.floor(mult * total + 0.9)
    return over(math.fsum(r.gains(binary(rel))[:depth]), depth) if total else math.nan


def binary_preference(r: Listing, k: int | None, rel: float = 1, norm: str = "min") -> float:
    total = sum(g >= rel for g in r.judged)
    others = len(r.judged) - total
    value = 0.0
    for i, g in enumerate(r.grades[:k]):
        if g is not None and g >= rel:
            above = sum(r.is_judged(other) and other < rel for other in r.grades[:i])  # type: ignore[operator]
            divisor = min(total, others) if norm == "min" else total
            # None are judged non-relevant, and some above: only where unjudged documents are taken to be.
            value += 1 - min(above, total) / (divisor or 1)
    return over(value, total)


def inferred(r: Listing, k: int | None, rel: float = 1) -> float:
    """trec_eval's m_infap.c: a negative grade is in the pool and not sampled, an unjudged document not in the pool."""
    eps = 0.00001
    found = nonrel = unsampled = 0
    value = 0.0
    for j, g in enumerate(r.grades[:k]):
        if g is None:
            continue
        if g < 0:
            unsampled += 1
        elif g < rel:
            nonrel += 1
        else:
            value += 1 / (j + 1)
            if j:
                share = (found + nonrel + unsampled) / j
                value += j / (j + 1) * share * (found + eps) / (found + nonrel + 2 * eps)
            found += 1
    return over(value, sum(g >= rel for g in r.judged))


def interpolated(r: Listing, level: Fraction, rel: float) -> float:
    total = sum(g >= rel for g in r.judged)
    if not total:
        return math.nan
    hits, best = 0, 0.0
    for k, g in enumerate(r.grades, 1):
        hits += g is not None and g >= rel
        if Fraction(hits, total) >= level:
            best = max(best, hits / k)
    return best


def interpolated_precision(r: Listing, k: None, rel: float = 1, recall: float = 0.1) -> float:
    return interpolated(r, Fraction(str(recall)), rel)


def interpolated_average(r: Listing, k: None, rel: float = 1, points: int = 11) -> float:
    return math.fsum(interpolated(r, Fraction(i, points - 1), rel) for i in range(points)) / points


def area(r: Listing, k: None, rel: float = 1) -> float:
    total, others = sum(g >= rel for g in r.judged), 0
    wrong = hits = 0
    for g in r.grades:
        if g is not None and g >= rel:
            hits += 1
            wrong += others
        else:
            others += 1
    wrong += (total - hits) * others
    return 1 - wrong / (total * others) if total and others else math.nan


def preference_loss(r: Listing, k: None) -> float:
    retrieved = [(i, max(g, 0.0)) for i, g in enumerate(r.grades) if g is not None and r.is_judged(g)]
    missing = Counter(max(g, 0.0) for g in r.judged) - Counter(g for _, g in retrieved)
    documents = retrieved + [(math.inf, g) for g in missing.elements()]
    costs = []
    for one_rank, one_grade in documents:
        for other_rank, other_grade in documents:
            if one_grade > other_grade:
                both_missing = one_rank == other_rank == math.inf
                costs.append(0.5 if both_missing else float(other_rank < one_rank))
    return over(math.fsum(costs), len(costs))


def flat_utility(r: Listing, k: int | None, e: float = 0.05, **gain: Any) -> float:
    return cumulative_gain(r, k, "linear", **gain) - effort(r, k, one, e)


def discounted_utility(r: Listing, k: int | None, e: float = 0.05, **gain: Any) -> float:
    return discounted(r, k, "linear", **gain) - effort(r, k, logarithmic, e)


def rank_biased_utility(r: Listing, k: int | None, e: float = 0.05, p: float = 0.8, **gain: Any) -> float:
    return intentwise(r, k, p, **gain) - effort(r, k, geometric(p), e)


def err_utility(r: Listing, k: int | None, e: float = 0.05, **gain: Any) -> float:
    return expected_reciprocal(r, k, **gain) - effort(r, k, reciprocal, e)


def rbp_utility(r: Listing, k: int | None, e: float = 0.05, p: float = 0.8, **gain: Any) -> float:
    return rank_biased(r, k, p, **gain) - effort(r, k, geometric(p), e)


def information(
    r: Listing,
    k: int | None,
    beta: float = 1.05,
    size: int = 1_000_000,
    normalise: bool = False,
    places: Sequence[int] | None = None,
    **gain: Any,
) -> float:
    """OIE of documents that stand at ``places``, by default one at each rank."""
    worth = graded("identity", r.top, **gain)
    x = r.gains(worth)[:k]
    place = list(places) if places is not None else list(range(1, len(x) + 1))
    missing = (Counter(r.pool(worth)) - Counter(g for g in x if g > 0)).elements()

    def told(count: int) -> float:
        return math.log(size / count)

    def as_good(g: float) -> int:
        return sum(other >= g for other in r.pool(worth))

    def together(i: int) -> int:
        return sum(place[j] <= place[i] and x[j] >= x[i] for j in range(len(x)))

    by_rank = math.fsum(told(i) for i in place)
    by_gain = math.fsum(told(as_good(g)) for g in r.pool(worth))
    both = [told(together(i)) for i in range(len(x))] + [told(as_good(g)) for g in missing]
    return (by_rank + by_gain - beta * math.fsum(both)) / (size if normalise else 1)


def g_measure(r: Listing, k: int | None, **gain: Any) -> float:
    """trec_eval's G: a gain is discounted by how far what was found is behind the ideal."""
    worth = graded("identity", r.top, **gain)
    x, ideal = r.gains(worth)[:k], r.ideal(worth)
    if not ideal:
        return math.nan
    value, behind = 0.0, 0.0
    for i, g in enumerate(x):
        behind += max(ideal[i] if i < len(ideal) else 0.0, 1.0) - g
        value += g / math.log2(2 + max(behind, 0.0))
    return value / math.fsum(ideal)


def binary_g(r: Listing, k: int | None, rel: float = 1) -> float:
    value, others = 0.0, 0
    for g in r.gains(binary(rel))[:k]:
        others += not g
        value += g / math.log2(2 + others)
    return over(value, r.relevant(binary(rel)))


def normalised_at_relevant(r: Listing, k: None, **gain: Any) -> float:
    worth = graded("identity", r.top, **gain)
    x, ideal = r.gains(worth), r.ideal(worth)

    def at(i: int) -> float:
        return weighted(x, i, logarithmic) / weighted(ideal, i, logarithmic)

    if not ideal:
        return math.nan
    found = [at(i) for i, g in enumerate(x, 1) if g > 0]
    rest = max(len(ideal) - len(found), 0) * weighted(x, None, logarithmic) / weighted(ideal, None, logarithmic)
    return (math.fsum(found) + rest) / len(ideal)


def normalised_at_falls(r: Listing, k: None, **gain: Any) -> float:
    worth = graded("identity", r.top, **gain)
    x, ideal = r.gains(worth), r.ideal(worth)
    if not ideal:
        return math.nan
    falls = [sum(g >= level for g in ideal) for level in set(ideal)]
    depths = falls + ([len(x)] if len(x) > len(ideal) + 1 else [])
    return math.fsum(weighted(x, c, logarithmic) / weighted(ideal, c, logarithmic) for c in depths) / len(depths)


def utility(
    r: Listing,
    k: None,
    rel: float = 1,
    a: float = 1.0,
    b: float = -1.0,
    c: float = 0.0,
    d: float = 0.0,
    size: int = 0,
) -> float:
    hits, relevant, n = sum(r.gains(binary(rel))), r.relevant(binary(rel)), len(r.grades)
    return a * hits + b * (n - hits) + c * (relevant - hits) + (d * (size - n - relevant + hits) if d else 0.0)


def nonrelevant_retrieved(r: Listing, k: None, rel: float = 1) -> float:
    return float(sum(r.is_judged(g) and g < rel for g in r.grades))  # type: ignore[operator]


def judged_share(r: Listing, k: int | None) -> float:
    depth = len(r.grades) if k is None else min(k, len(r.grades))
    return sum(map(r.is_judged, r.grades[:depth])) / depth if depth else 0.0


def retrieved(r: Listing, k: None, rel: float | None = None) -> float:
    return float(sum(rel is None or (g is not None and g >= rel) for g in r.grades))


def mean(values: Sequence[float], answered: Sequence[bool]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def total(values: Sequence[float], answered: Sequence[bool]) -> float:
    return math.fsum(values)


def geometric_mean(floor: float) -> Callable[[Sequence[float], Sequence[bool]], float]:
    return lambda values, answered: math.exp(mean([math.log(max(v, floor)) for v in values], answered))


def credited(values: Sequence[float], answered: Sequence[bool]) -> float:
    """c@1."""
    n = len(values)
    correct = math.fsum(v for v, a in zip(values, answered, strict=True) if a)
    return correct / n + correct / n * sum(not a for a in answered) / n


@dataclass(frozen=True)
class Entry:
    """A measure of the table, as the definitions have it."""

    value: Callable[..., float]
    cutoff: bool = True
    """Whether it is read at a depth of one's choice."""
    fixed: int | None = None
    """The depth it is always read at."""
    terminal: bool = True
    """Whether it has a form with a terminal document."""
    bounded: bool = True
    """Whether unjudged documents give bounds."""
    range: tuple[float, float] = (0.0, 1.0)
    sorts: bool = True
    """Whether gain higher up is never worse."""
    lower_is_better: bool = False
    ending: str = "none"
    ends: bool = False
    """Whether a list that ends says something by it, so that nothing may follow."""
    aggregate: Callable[[Sequence[float], Sequence[bool]], float] = mean


INF = math.inf
UTILITY = (-INF, INF)

MEASURES: dict[str, Entry] = {
    "P": Entry(precision),
    "R": Entry(recall),
    "F": Entry(f),
    "SetP": Entry(set_precision, cutoff=False, terminal=False),
    "SetR": Entry(recall, cutoff=False, terminal=False),
    "SetF": Entry(f, cutoff=False, terminal=False),
    "SetAP": Entry(set_average, cutoff=False, terminal=False),
    "AP": Entry(average_precision),
    "RR": Entry(reciprocal_rank),
    "Success": Entry(success),
    "CG": Entry(cumulative_gain, range=(0, INF)),
    "DCG": Entry(discounted, range=(0, INF)),
    "nDCG": Entry(normalised_discounted),
    "SDCG": Entry(scaled_discounted),
    "RBP": Entry(rank_biased),
    "INSQ": Entry(inverse_square),
    "INST": Entry(insatiable, cutoff=False, terminal=False, bounded=False, sorts=False),
    "BPM": Entry(bejeweled, terminal=False, bounded=False, sorts=False),
    "ERR": Entry(expected_reciprocal),
    "NERR8": Entry(nearly_err_8, terminal=False, bounded=False, sorts=False),
    "NERR9": Entry(nearly_err_9, terminal=False, bounded=False, sorts=False),
    "NERR10": Entry(nearly_err_10, cutoff=False, terminal=False, bounded=False, sorts=False),
    "NERR11": Entry(nearly_err_11, cutoff=False, terminal=False, bounded=False, sorts=False),
    "Compat": Entry(compatibility, cutoff=False, terminal=False, bounded=False, sorts=False),
    "Q": Entry(q_measure),
    "G": Entry(g_measure, terminal=False, sorts=False),
    "BinG": Entry(binary_g, terminal=False),
    "nDCGRel": Entry(normalised_at_relevant, cutoff=False, terminal=False, bounded=False),
    "RnDCG": Entry(normalised_at_falls, cutoff=False, terminal=False),
    "Utility": Entry(utility, cutoff=False, terminal=False, range=UTILITY),
    "Rprec": Entry(r_precision, cutoff=False),
    "Bpref": Entry(binary_preference, terminal=False),
    "infAP": Entry(inferred, terminal=False, sorts=False),
    "IPrec": Entry(interpolated_precision, cutoff=False, terminal=False),
    "IPrecAvg": Entry(interpolated_average, cutoff=False, terminal=False),
    "AUC": Entry(area, cutoff=False, terminal=False, bounded=False),
    "PrefLoss": Entry(preference_loss, cutoff=False, terminal=False, bounded=False, lower_is_better=True),
    "iRBU": Entry(intentwise),
    "FlatU": Entry(flat_utility, range=UTILITY),
    "RBU": Entry(rank_biased_utility, range=(-INF, 1)),
    "DCGU": Entry(discounted_utility, range=UTILITY),
    "ERRU": Entry(err_utility, range=(-INF, 1)),
    "RBPU": Entry(rbp_utility, range=(-INF, 1)),
    "OIE": Entry(information, terminal=False, bounded=False, range=UTILITY),
    "c": Entry(precision, cutoff=False, fixed=1, terminal=False, ends=True, aggregate=credited),
    "RRT": Entry(reciprocal_rank, ending="terminal"),
    "RBPT": Entry(rank_biased, ending="terminal"),
    "nDCGT": Entry(normalised_discounted, ending="terminal"),
    "APT": Entry(average_precision, ending="terminal"),
    "ERRT": Entry(expected_reciprocal, ending="terminal"),
    "Judged": Entry(judged_share, terminal=False, bounded=False),
    "NumQ": Entry(lambda r, k: 1.0, cutoff=False, terminal=False, range=(0, INF), aggregate=total),
    "NumRet": Entry(retrieved, cutoff=False, terminal=False, range=(0, INF), aggregate=total),
    "NumNonrelRet": Entry(nonrelevant_retrieved, cutoff=False, terminal=False, range=(0, INF), aggregate=total),
    "NumRel": Entry(
        lambda r, k, rel=1: float(sum(g >= rel for g in r.judged)),
        cutoff=False,
        terminal=False,
        range=(0, INF),
        aggregate=total,
    ),
}
"""All but GM, which has the values of another measure and only means them otherwise."""


# --- conventions -----------------------------------------------------------------------------------------------------

Groups = list[list[tuple[str, Grade]]]
"""Tie groups, best first, each of documents with grades."""


@dataclass(frozen=True)
class Choice:
    ties: str = "expected"
    unjudged: str = "nonrelevant"
    ending: str = "none"
    relevant: str = "judgments"
    negative: str = "judged"


@dataclass(frozen=True)
class Collection:
    qrels: dict[str, dict[str, float]]
    run: dict[str, dict[str, float]]
    others: tuple[dict[str, dict[str, float]], ...] = ()
    """Further runs that contributed to the pool."""

    @property
    def top(self) -> float:
        return max([0.0, *(g for topic in self.qrels.values() for g in topic.values())])

    @property
    def levels(self) -> set[float]:
        return {g for topic in self.qrels.values() for g in topic.values()}


@dataclass(frozen=True)
class Value:
    value: float
    low: float | None = None
    high: float | None = None


def tie_groups(qrels: Mapping[str, float], run: Mapping[str, float]) -> Groups:
    scores = sorted(set(run.values()), reverse=True)
    return [[(doc, qrels.get(doc)) for doc, s in run.items() if s == score] for score in scores]


def arranged(groups: Groups, ties: str) -> Groups:
    """Singletons in the order that a policy picks; as they are where it goes by what orders are worth."""
    if ties in ("docid", "docid-asc"):
        flip = ties == "docid"
        return [[d] for g in groups for d in sorted(g, key=lambda d: d[0].encode(), reverse=flip)]
    return [[d] for g in groups for d in g] if ties == "input" else groups


def orders(groups: Groups) -> Iterator[tuple[Grade, ...]]:
    """Every order that differs in grades; each stands for as many orders of documents."""
    each = [sorted(set(permutations(g for _, g in group)), key=str) for group in groups]
    for choice in product(*each):
        yield tuple(g for part in choice for g in part)


SCALES = {
    "identity": ("CG", "DCG", "nDCG", "nDCGT", "Q", "OIE", "G", "nDCGRel", "RnDCG"),
    "linear": (
        *("RBP", "RBPT", "RBPU", "FlatU", "DCGU", "SDCG", "INSQ", "INST", "BPM"),
        *("NERR8", "NERR9", "NERR10", "NERR11"),
    ),
    "err": ("ERR", "ERRT", "ERRU", "iRBU", "RBU"),
}
"""The gain maps of the graded measures; the others are binary."""


def gain_map(name: str, params: Mapping[str, Any], top: float) -> Gain:
    scale = next((scale for scale, names in SCALES.items() if name in names), None)
    if scale is None:
        return binary(params.get("rel") or 1)
    return graded(scale, top, **{p: v for p, v in params.items() if p in ("rel", "gains", "max_rel", "dcg")})


def best_grade(name: str, params: Mapping[str, Any], collection: Collection) -> float:
    """The grade that an unjudged document might have: the top one, or what an own gain map values most up to it.

    It is 1 where nothing is relevant.
    """
    top = collection.top
    if params.get("rel") is None and params.get("max_rel") is not None:
        top = params["max_rel"]
    gain, named = gain_map(name, params, collection.top), params.get("gains") or {}
    possible = {g for g in collection.levels | set(named) | {top} if 0 < g <= top}
    return max(possible, key=lambda g: (gain(g), g), default=1.0)


def evaluate(
    name: str,
    params: Mapping[str, Any],
    k: int | None,
    collection: Collection,
    topic: str,
    choice: Choice,
    cut: int | None = None,
) -> Value | list[float]:
    """A topic's value and bounds; under "sample" the values of all orders. ``cut`` ends its list after so many."""
    entry = MEASURES[name]
    k = k if entry.fixed is None else entry.fixed
    least, most = entry.range
    if name in ("RBP", "RBPU", "RBPT", "SDCG", "INSQ"):
        most = max([1.0, *params.get("gains", {}).values()])
    ending = entry.ending if entry.ending != "none" else choice.ending
    qrels, run = collection.qrels[topic], collection.run.get(topic, {})
    counted = {d: g for d, g in qrels.items() if g >= 0 or choice.negative == "judged"}
    judged = {d: g for d, g in counted.items() if choice.relevant == "judgments" or d in run}
    groups = tie_groups(qrels, run)
    assumed = best_grade(name, params, collection)

    def pooled(depth: int) -> list[float]:
        runs = [collection.run, *collection.others] if choice.relevant == "judgments" else [collection.run]
        first = set()
        for other in runs:
            ranked = arranged(tie_groups(qrels, other.get(topic, {})), "docid")
            first |= {d for group in ranked[:depth] for d, _ in group}
        return [g for d, g in judged.items() if d in first]

    def listing(grades: tuple[Grade, ...], listed: int, endless: Grade) -> Listing:
        return Listing(
            grades, tuple(judged.values()), collection.top, listed, ending, endless, choice.negative == "judged", pooled
        )

    def read(reading: str) -> Groups:
        if reading == "condensed":
            return [kept for group in groups if (kept := [d for d in group if d[0] in counted])]
        if reading == "nonrelevant":
            return groups
        grade = assumed if reading == "high" else 0.0
        return [[(d, g if d in counted else grade) for d, g in group] for group in groups]

    def lists_of(reading: str, ties: str) -> tuple[Groups, int, Grade]:
        """Tie groups as a policy leaves them, how many documents the system listed, and the grade of those after."""
        lists = arranged(read(reading), ties)
        listed = sum(map(len, lists))
        if reading != "high" or ending != "none" or entry.ends:
            return lists, listed, None
        unseen = [[("", assumed)]] * max((k or 0) - listed, 0)
        return lists + unseen, listed, assumed if k is None else None

    def values(reading: str, ties: str) -> list[float]:
        lists, listed, endless = lists_of(reading, ties)
        if name == "OIE" and ties == "expected":
            down_to = min((depth for depth in (k, cut) if depth is not None), default=None)
            return [information_of_ties(lists, down_to, listing, params)]
        listed = listed if cut is None else min(listed, cut)
        return [entry.value(listing(order[:cut], listed, endless), k, **params) for order in orders(lists)]

    def one(reading: str, ties: str) -> float:
        found = values(reading, ties)
        if ties in ("best", "worst"):
            value = (max if (ties == "best") != entry.lower_is_better else min)(found)
        else:
            value = math.fsum(found) / len(found)
        worth = gain_map(name, params, collection.top)
        if reading == "high" and math.isnan(value) and assumed > 0 and worth(assumed) > 0:
            # It would have a value, were a document relevant that has no judgment and is looked at.
            marked = [[(d, float(d not in counted)) for d, _ in group] for group in lists_of(reading, ties)[0]]
            looked_at = [any(order[:k]) for order in orders(marked)]
            if (all if ties == "worst" and entry.sorts else any)(looked_at):
                value = most
        return min(max(value, least), most) if reading in ("low", "high") else value

    if choice.ties.startswith("sample"):
        return values("nonrelevant" if choice.unjudged == "bounds" else choice.unjudged, "expected all")
    tie_bounds, unjudged_bounds = choice.ties == "bounds", choice.unjudged == "bounds"
    ties = "expected" if tie_bounds else choice.ties
    reading = "nonrelevant" if unjudged_bounds else choice.unjudged
    value = one(reading, ties)
    if not tie_bounds and not (unjudged_bounds and entry.bounded):
        return Value(value)
    ends = [value]
    for order, assumption in (("worst", "low"), ("best", "high")):
        ends.append(one(assumption if unjudged_bounds and entry.bounded else reading, order if tie_bounds else ties))
    known = [v for v in ends if not math.isnan(v)]
    # A topic without a value may get one if unjudged documents are relevant: that raises its high end only.
    low = ends[1] if math.isnan(value) else min(known)
    return Value(value, low, max(known, default=math.nan))


def information_of_ties(
    groups: Groups, k: int | None, listing: Callable[..., Listing], params: Mapping[str, Any]
) -> float:
    """OIE's own answer: a tied document takes its group's last place; the mean is over who is kept at the depth."""
    grades: list[Grade] = []
    places: list[int] = []
    for group in groups:
        room = len(group) if k is None else min(len(group), k - len(grades))
        if room < len(group):
            values = [
                information(
                    listing((*grades, *(g for _, g in kept)), k, None),
                    None,
                    places=[*places, *[k] * room],  # type: ignore[list-item]
                    **params,
                )
                for kept in combinations(group, room)
            ]
            return math.fsum(values) / len(values)
        grades += [g for _, g in group]
        places += [len(grades)] * len(group)
    return information(listing(tuple(grades), len(grades), None), None, places=places, **params)
