"""Every measure, slowly: a function of one explicit ranking, written from the definitions and the papers.

Nothing here imports truerank.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
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
    return over(found, min(total, r.depth(k)) if norm == "min" else total) if k != 0 else math.nan


def graded_average_precision(r: Listing, k: int | None, norm: str = "R", **gain: Any) -> float:
    """With a terminal document, equation (4) of Liu et al.: over the total gain + 1."""
    worth = graded("linear", r.top, **gain)
    x, total = r.gains(worth), math.fsum(r.ideal(worth)) if r.ending != "none" else r.relevant(worth)
    found = math.fsum(x[i - 1] * math.fsum(x[:i]) / i for i in range(1, min(r.depth(k), len(x)) + 1))
    return over(found, min(total, r.depth(k)) if norm == "min" else total) if k != 0 else math.nan


def reciprocal_rank(r: Listing, k: int | None, rel: float = 1) -> float:
    endless = 0.0 if r.endless is None else binary(rel)(r.endless)
    return cascade(r.gains(binary(rel)), k, reciprocal, endless)


def success(r: Listing, k: int | None, rel: float = 1) -> float:
    endless = 0.0 if r.endless is None else binary(rel)(r.endless)
    return cascade(r.gains(binary(rel)), k, one, endless)


def search_length(r: Listing, k: int | None, rel: float = 1, want: int = 1, size: int | None = None) -> float:
    """Read on until enough is found, past the list through ranks without relevance or a collection in random order."""
    x = r.gains(binary(rel))
    read = found = 0
    for hit in x if k is None else (x + [0.0] * k)[:k]:
        if found == want:
            break
        found, read = found + int(hit), read + int(1 - hit)
    if found == want or k is not None or (r.endless is not None and binary(rel)(r.endless)):
        return float(read)
    missing = max(len(r.pool(binary(rel))) - found, 0)
    others = max((size or 1_000_000) - len(x) - missing, 0)
    # Each of the others stands in one of the gaps that the relevant ones leave, all as likely.
    gaps = [gap < want - found for gap in range(missing + 1)]
    return read + others * sum(gaps) / len(gaps)


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


def normalised_rank_biased(r: Listing, k: int | None, p: float = 0.8, **gain: Any) -> float:
    worth = graded("linear", r.top, **gain)
    best = weighted(r.pool(worth), k, geometric(p))
    goes_on = r.endless is not None and r.endless > 0 and k is None
    tail = worth(r.endless) * p ** len(r.grades) if goes_on else 0.0  # type: ignore[arg-type]
    return over(weighted(r.gains(worth), k, geometric(p)) + tail, best)


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
    return read_by(r, k, lambda i, g, so_far: (1 - g) * p, lambda i, so_far: 1 / (1 - p) if p < 1 else math.inf, **gain)


def nearly_err_11(r: Listing, k: None, T: float = 1.0, **gain: Any) -> float:
    def goes_on(i: int, g: float, so_far: float) -> float:
        return (1 - g) * ((i + 2 * T - 1) / (i + 2 * T)) ** 2

    return read_by(r, k, goes_on, lambda i, so_far: (i + 2 * T) ** 2 * squares(i + 2 * T), **gain)


def compatibility(r: Listing, k: None, p: float = 0.95, deepest: int | None = 1000, normalise: bool = True) -> float:
    """Rank-biased overlap with the ideal ranking, which has documents of one grade as the list has them."""
    grades = sorted((g for g in r.judged if g > 0), reverse=True)
    if not grades:
        return math.nan
    ideal: list[object] = []
    for level in sorted(set(grades), reverse=True):
        here: list[object] = [i for i, g in enumerate(r.grades) if g == level]
        ideal += here + [object() for _ in range(grades.count(level) - len(here))]
    depth = max(len(r.grades), len(ideal)) if deepest is None else deepest

    def overlap(one: list[object]) -> float:
        end = max(len(one), len(ideal))
        common = [len(set(one[:i]) & set(ideal[:i])) for i in range(1, min(depth, end) + 1)]
        common += common[-1:] * (depth - len(common))
        return math.fsum(p ** (i - 1) * c / i for i, c in enumerate(common, 1))

    best = overlap(ideal) if normalise else math.fsum(p**i for i in range(depth))
    return overlap(list(range(len(r.grades)))) / best


def expected_reciprocal(r: Listing, k: int | None, weight: Callable[[int], float] = reciprocal, **gain: Any) -> float:
    worth = graded("err", r.top, **gain)
    endless = 0.0 if r.endless is None or r.endless <= 0 else worth(r.endless)
    return cascade(r.gains(worth), k, weight, endless)


def intentwise(r: Listing, k: int | None, p: float = 0.8, **gain: Any) -> float:
    return expected_reciprocal(r, k, geometric(p), **gain)


def normalised_reciprocal(r: Listing, k: int | None, weight: Callable[[int], float] = reciprocal, **gain: Any) -> float:
    return over(expected_reciprocal(r, k, weight, **gain), cascade(r.pool(graded("err", r.top, **gain)), k, weight))


def normalised_intentwise(r: Listing, k: int | None, p: float = 0.8, **gain: Any) -> float:
    return normalised_reciprocal(r, k, geometric(p), **gain)


def q_measure(r: Listing, k: int | None, beta: float = 1.0, norm: str = "R", **gain: Any) -> float:
    worth = graded("identity", r.top, **gain)
    hits, x, ideal = r.gains(lambda g: float(worth(g) > 0)), r.gains(worth), r.ideal(worth)
    total = math.fsum(
        hits[i - 1] * (math.fsum(hits[:i]) + beta * math.fsum(x[:i])) / (i + beta * math.fsum(ideal[:i]))
        for i in range(1, min(r.depth(k), len(x)) + 1)
    )
    return over(total, min(len(ideal), r.depth(k)) if norm == "min" else len(ideal)) if k != 0 else math.nan


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
            divisor = (min(total, others) if norm == "min" else total) or 1
            # More above than are judged non-relevant: only where unjudged documents are taken to be.
            value += 1 - min(above, total, divisor) / divisor
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
    return over(value, sum(g >= rel for g in r.judged)) if k != 0 else math.nan


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


def area(r: Listing, k: None, rel: float = 1, size: int | None = None) -> float:
    """Every pair of a relevant document and another one: of the judged documents, or of a collection."""
    counts = [g is not None and g >= rel if size is not None or r.is_judged(g) else None for g in r.grades]
    listed = [(float(i), hit) for i, hit in enumerate(counts) if hit is not None]
    relevant = sum(g >= rel for g in r.judged)
    missing = relevant - sum(hit for _, hit in listed)
    unlisted = (len(r.judged) if size is None else size) - len(listed)
    documents = [*listed, *[(math.inf, True)] * missing, *[(math.inf, False)] * (unlisted - missing)]
    right = [
        1.0 if one < other else 0.5 * (one == other)
        for one, hit in documents
        if hit
        for other, another in documents
        if not another
    ]
    return over(math.fsum(right), len(right))


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


def weighted_preference_loss(r: Listing, k: None) -> float:
    """Each violated pair by the rank of its worse document, over the same for the order turned around."""
    retrieved = [(i + 1, max(g, 0.0)) for i, g in enumerate(r.grades) if g is not None and r.is_judged(g)]
    missing = [*(Counter(max(g, 0.0) for g in r.judged) - Counter(g for _, g in retrieved)).elements()]
    past = range(len(r.grades) + 1, len(r.grades) + len(missing) + 1)
    costs = [logarithmic(rank) for rank, g in retrieved for other, h in retrieved if other > rank and h > g]
    costs += [logarithmic(rank) for rank, g in retrieved for h in missing if h > g]
    # Of two that are missing the worse one may have any rank, and the better one any other.
    places = [logarithmic(one) * (one < other) for one in past for other in past if one != other]
    costs += [math.fsum(places) / len(places) for g in missing for h in missing if h > g]
    worst = sorted(max(g, 0.0) for g in r.judged)
    most = [logarithmic(i + 1) for i, g in enumerate(worst) for h in worst if h > g]
    return over(math.fsum(costs), math.fsum(most))


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


def whole_order(r: Listing, size: int | None, **gain: Any) -> tuple[list[float], list[float]]:
    """Ranks and gains of every document of the collection; those that were not retrieved share the last rank."""
    worth = graded("identity", r.top, **gain)
    listed = r.gains(worth)
    missing = list((Counter(r.pool(worth)) - Counter(g for g in listed if g > 0)).elements())
    unseen = len(r.judged) - sum(r.is_judged(g) for g in r.grades) if size is None else size - len(listed)
    n = len(listed)
    ranks = [*map(float, range(1, n + 1)), *[n + (unseen + 1) / 2] * unseen]
    return ranks, [*listed, *missing, *[0.0] * (unseen - len(missing))]


def tau_b(r: Listing, k: None, size: int | None = None, **gain: Any) -> float:
    ranks, gains = whole_order(r, size, **gain)
    pairs = [(a - b, x - y) for i, (a, x) in enumerate(zip(ranks, gains, strict=True))
             for b, y in zip(ranks[:i], gains[:i], strict=True)]  # fmt: skip
    surplus = sum((a < 0 < x) + (x < 0 < a) - (a > 0 < x) - (a < 0 > x) for a, x in pairs)
    apart, unlike = sum(a != 0 for a, _ in pairs), sum(x != 0 for _, x in pairs)
    if not r.grades and unlike:
        return 0.0
    return over(surplus, math.sqrt(apart * unlike))


def rho(r: Listing, k: None, size: int | None = None, **gain: Any) -> float:
    ranks, gains = whole_order(r, size, **gain)
    places = [sum(y > x for y in gains) + (gains.count(x) + 1) / 2 for x in gains]
    n = len(ranks)
    mean = (n + 1) / 2
    together = math.fsum((a - mean) * (b - mean) for a, b in zip(ranks, places, strict=True))
    spreads = [math.fsum((a - mean) ** 2 for a in each) for each in (ranks, places)]
    if not r.grades and spreads[1]:
        return 0.0
    return over(together, math.sqrt(spreads[0] * spreads[1]))


def square_root(i: int) -> float:
    return 1 / math.sqrt(i)


def any_utility(
    r: Listing,
    k: int | None,
    discount: Any = "log2",
    e: float = 0.05,
    p: float = 0.8,
    T: float = 1.0,
    stops: bool = False,
    **gain: Any,
) -> float:
    """The scheme (gain - e) f(i), and what the terminal document has where ranks past the list have a sum."""
    named = {
        "flat": one,
        "log2": logarithmic,
        "harmonic": reciprocal,
        "geometric": geometric(p),
        "inverse-square": lambda i: 1 / (i + 2 * T - 1) ** 2 / squares(2 * T),
    }
    weight = (lambda i: discount.get(i, 0.0)) if isinstance(discount, dict) else named.get(discount, discount)
    cost = effort(r, k, weight, e)
    if stops:
        return expected_reciprocal(r, k, weight, **gain) - cost
    if discount == "geometric":
        return rank_biased(r, k, p, **gain) - cost
    if discount == "inverse-square":
        return inverse_square(r, k, T, **gain) - cost
    worth, n = graded("linear", r.top, **gain), len(r.grades)
    tail = sum(weight(i) for i in range(n + 1, 1 + (10 if k is None else k))) if isinstance(discount, dict) else None
    if r.ending == "terminal" and tail is not None:
        return weighted(replace(r, ending="none").gains(worth), k, weight) + r.share(worth) * tail - cost
    goes_on = r.endless is not None and r.endless > 0 and k is None
    beyond = worth(r.endless) * tail if goes_on and tail else 0.0  # type: ignore[arg-type]
    return weighted(r.gains(worth), k, weight) + beyond - cost


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
