"""Distributions that tests and intervals need: Student's t, the normal, F, chi-square, the binomial, the noncentral t.

The one place that computes them, with numpy alone. Tails are accurate to a relative 1e-12, however small they are: what
is subtracted from 1 has lost its digits, so each function gives the tail that is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats

_TINY = 1e-300
"""In place of a zero denominator in a continued fraction."""
_STEPS = 20_000
"""Steps of a series or a fraction after which it does not converge any more."""
_LONG = 500.0
"""Degrees of freedom from which on the tail of t is integrated."""
_HEAVY = 60.0
"""Degrees of freedom up to which a quantile is first looked for where the tail is that of a power."""
_GONE = 45.0
"""exp(-45) is less than the last digit of what it is added to."""


def normal_tail(x: npt.ArrayLike) -> Floats:
    """The chance of more than ``x`` under the standard normal distribution.

    >>> normal_tail([0.0, 1.959963984540054]).round(12).tolist()
    [0.5, 0.025]
    """
    values = np.asarray(x, np.float64)
    return 0.5 * _erfc(values.ravel() * math.sqrt(0.5)).reshape(values.shape)


def normal_quantile(p: npt.ArrayLike) -> Floats:
    """The value below which a standard normal variable lies with probability ``p``.

    >>> float(normal_quantile(0.975).round(6))
    1.959964
    """
    quantile = NormalDist().inv_cdf
    return _each(lambda value: quantile(value) if 0 < value < 1 else math.copysign(math.inf, value - 0.5), p)


def t_tail(freedom: npt.ArrayLike, t: npt.ArrayLike) -> Floats:
    """The chance of more than ``t`` under Student's t distribution.

    >>> t_tail(49, [0.0, 2.0, -2.0]).round(6).tolist()
    [0.5, 0.02553, 0.97447]
    """
    free, value = np.broadcast_arrays(np.asarray(freedom, np.float64), np.asarray(t, np.float64))
    shape, free, value = free.shape, free.ravel(), value.ravel()
    size = np.abs(value)
    tail = np.full(len(free), np.nan)
    long = free >= _LONG
    tail[long] = _integrated(free[long], size[long])
    short = (free > 0) & ~long & ~np.isnan(size)
    tail[short] = _by_fraction(free[short], size[short])
    tail[np.isinf(size) & (free > 0)] = 0.0
    return np.where(value < 0, 1.0 - tail, tail).reshape(shape)


def t_quantile(freedom: npt.ArrayLike, p: npt.ArrayLike) -> Floats:
    """The value above which Student's t lies with probability ``p``; for tails far below 1e-16, which 1 - p has not.

    >>> float(t_quantile(49, 0.025).round(6))
    2.009575
    """
    free, tail = np.broadcast_arrays(np.asarray(freedom, np.float64), np.asarray(p, np.float64))
    if free.size == 1:
        return np.full(free.shape, _t_quantile(float(free.ravel()[0]), float(tail.ravel()[0])))
    kinds, places = np.unique(np.stack([free.ravel(), tail.ravel()]), axis=1, return_inverse=True)
    if kinds.shape[1] < free.size:
        return t_quantile(kinds[0], kinds[1])[places.ravel()].reshape(free.shape)
    return _t_quantiles(free.ravel(), tail.ravel()).reshape(free.shape)


@lru_cache(4096)
def _t_quantile(freedom: float, p: float) -> float:
    return float(_t_quantiles(np.array([freedom]), np.array([p]))[0])


def _t_quantiles(free: Floats, p: Floats) -> Floats:
    """Newton's steps on the logarithm of the tail, between ends that close in on it."""
    upper = np.minimum(p, 1.0 - p)
    defined = (free > 0) & (upper > 0) & (upper < 0.5)
    found = np.where(free > 0, np.where(upper == 0.5, 0.0, np.where(upper == 0, np.inf, np.nan)), np.nan)
    nu, wanted = free[defined], upper[defined]
    # The tail of the normal is lighter, and far out it is that of a power.
    log_heavy = (_log_density_at_0(nu) + 0.5 * (nu - 1.0) * np.log(nu) - np.log(wanted)) / nu
    t = np.maximum(-normal_quantile(wanted), 1e-3)
    t = np.where(nu < _HEAVY, np.maximum(t, np.exp(np.minimum(log_heavy, 705.0))), t)
    low, high = np.zeros(len(t)), np.full(len(t), np.inf)
    open_ = np.arange(len(t))
    for _ in range(100):
        at, free_, aim = t[open_], nu[open_], wanted[open_]
        tail = t_tail(free_, at)
        low[open_], high[open_] = np.where(tail > aim, at, low[open_]), np.where(tail < aim, at, high[open_])
        below, above = low[open_], high[open_]
        # In the middle t itself, far out its logarithm is nearly linear in that of the tail.
        known = np.maximum(tail, 5e-324)
        odds, log = np.exp(np.log(known) - _log_density(free_, at)), np.log(known / aim)
        step = np.where(
            tail > 0.1, at + odds * (tail - aim) / known, at * np.exp(np.clip(log * odds / at, -40.0, 40.0))
        )
        middle = np.where(np.isinf(above), 2.0 * at, np.where(below > 0, np.sqrt(below) * np.sqrt(above), above / 2.0))
        t[open_] = np.where((step >= below) & (step <= above), step, middle)
        # The next step would be the square of this one.
        open_ = open_[np.abs(t[open_] - at) > 1e-9 * at]
        if not len(open_):
            break
    found[defined] = t
    return np.where(p > 0.5, -found, found)


def noncentral_t_tail(freedom: npt.ArrayLike, shift: npt.ArrayLike, t: npt.ArrayLike) -> Floats:
    """The chance of more than ``t`` under the noncentral t distribution: that of (Z + shift) / sqrt(chi2 / freedom).

    >>> noncentral_t_tail(49, [0.0, 3.0], 2.009575).round(6).tolist()
    [0.025, 0.836643]
    """
    free, shifted, value = np.broadcast_arrays(*(np.asarray(each, np.float64) for each in (freedom, shift, t)))
    shape, free, shifted, value = free.shape, free.ravel(), shifted.ravel(), value.ravel()
    found = np.where(np.isinf(value) & (free > 0), np.where(value > 0, 0.0, 1.0), np.nan)
    # Over the logarithm of sqrt(chi2 / freedom) everything is smooth, and equal steps lose nothing.
    defined = (free > 0) & np.isfinite(shifted) & np.isfinite(value)
    nu = np.where(defined, free, 1.0)
    lowest = 1.0 - 2.0 * np.sqrt(_GONE / nu)
    begin = np.where(lowest > 0.1, 0.5 * np.log(np.maximum(lowest, 0.1)), -(_GONE + 2.0) / nu - 1.2)
    end = 0.5 * np.log1p(2.0 * np.sqrt(_GONE / nu) + 2.0 * _GONE / nu)
    finest = np.minimum(
        1.0 / np.sqrt(2.0 * nu), 1.0 / np.maximum(np.abs(np.where(defined, value, 0.0)) * np.exp(end), 1.0)
    )
    steps = 40 << np.clip(np.ceil(np.log2((end - begin) / (20.0 * finest))), 0, 9).astype(np.intp)
    for count in np.unique(steps[defined]).tolist():
        for rows in _blocks(np.flatnonzero(defined & (steps == count)), (1 << 18) // count):
            at = begin[rows, None] + ((end - begin)[rows] / count)[:, None] * np.arange(count + 1)
            # Of the density at its peak, where it is 1, so that constants cancel in the ratio of two sums.
            weight = np.exp(nu[rows, None] * (at - np.expm1(2.0 * at) / 2.0))
            chance = normal_tail(value[rows, None] * np.exp(at) - shifted[rows, None])
            found[rows] = (weight * chance).sum(axis=1) / weight.sum(axis=1)
    return found.reshape(shape)


def f_tail(between: float, within: float, f: npt.ArrayLike) -> Floats:
    """The chance of more than ``f`` under the F distribution.

    >>> float(f_tail(3, 20, 4.0).round(6))
    0.022077
    """
    value = np.maximum(np.asarray(f, np.float64), 0.0)
    shape, value = value.shape, value.ravel()
    with np.errstate(over="ignore", invalid="ignore"):
        x, y = within / (within + between * value), between * value / (within + between * value)
    infinite = np.isinf(value) | np.isinf(between * value)
    x, y = np.where(infinite, 0.0, x), np.where(infinite, 1.0, y)
    return _beta_share(np.full(len(x), within / 2.0), np.full(len(x), between / 2.0), x, y).reshape(shape)


def f_quantile(between: npt.ArrayLike, within: npt.ArrayLike, p: float) -> Floats:
    """The value above which F lies with probability ``p``.

    >>> float(f_quantile(3, 20, 0.05).round(6))
    3.098391
    """
    one, other = np.broadcast_arrays(np.asarray(between, np.float64), np.asarray(within, np.float64))
    found = [_f_quantile(*each, p) for each in zip(one.ravel().tolist(), other.ravel().tolist(), strict=True)]
    return np.array(found, np.float64).reshape(one.shape)


@lru_cache(4096)
def _f_quantile(between: float, within: float, p: float) -> float:
    if not 0 < p < 1 or not between > 0 or not within > 0:
        return math.inf if p == 0 else 0.0 if p == 1 else math.nan
    low, high = 0.0, 1.0
    while float(f_tail(between, within, high)) > p:
        low, high = high, 2.0 * high
    f = high
    for _ in range(200):
        tail = float(f_tail(between, within, f))
        low, high = (f, high) if tail > p else (low, f)
        x = within / (within + between * f)
        # The density of F at f is that of the beta distribution at x times x (1 - x) / f.
        a, b = within / 2.0, between / 2.0
        density = a * b / (a + b) * _binomial(a, b, x, 1.0 - x) / f if 0 < x < 1 else 0.0
        step = f + math.log(max(tail, 5e-324) / p) * tail / density if density > 0 else (low + high) / 2.0
        step = step if low < step < high else (low + high) / 2.0
        if abs(step - f) <= 1e-15 * f:
            return step
        f = step
    return f


def noncentral_f_tail(between: npt.ArrayLike, within: npt.ArrayLike, shift: npt.ArrayLike, f: npt.ArrayLike) -> Floats:
    """The chance of more than ``f`` under the noncentral F distribution: a mixture over the Poisson numbers.

    >>> float(noncentral_f_tail(3, 20, 10.0, 3.098391).round(6))
    0.667753
    """
    every = np.broadcast_arrays(*(np.asarray(each, np.float64) for each in (between, within, shift, f)))
    rows = zip(*(each.ravel().tolist() for each in every), strict=True)
    return np.array([_noncentral_f_tail(*row) for row in rows], np.float64).reshape(every[0].shape)


def _noncentral_f_tail(between: float, within: float, shift: float, f: float) -> float:
    if not (between > 0 and within > 0 and 0 <= shift < math.inf) or math.isnan(f):
        return math.nan
    half = shift / 2.0
    reach = math.sqrt(2.0 * _GONE * half) + _GONE
    count = np.arange(max(0, math.floor(half - reach)), math.ceil(half + reach) + 1, dtype=np.float64)
    weight = np.array([_poisson(k, half) if half > 0 else float(k == 0) for k in count.tolist()])
    x, y = within / (within + between * f), between * f / (within + between * f)
    some = np.ones(len(count))
    share = _beta_share(within / 2.0 * some, between / 2.0 + count, x * some, y * some)
    return float((weight * share).sum() / weight.sum())


def chi2_tail(freedom: float, x: npt.ArrayLike) -> Floats:
    """The chance of more than ``x`` under the chi-square distribution.

    >>> float(chi2_tail(3, 7.814727903251178).round(12))
    0.05
    """
    return _each(lambda value: _gamma_tail(freedom / 2.0, value / 2.0), x)


def chi2_quantile(freedom: float, p: npt.ArrayLike) -> Floats:
    """The value above which chi-square lies with probability ``p``.

    >>> chi2_quantile(3, [0.05, 0.95]).round(6).tolist()
    [7.814728, 0.351846]
    """
    return _each(lambda value: _chi2_quantile(float(freedom), value), p)


@lru_cache(8192)
def _chi2_quantile(freedom: float, p: float) -> float:
    if not 0 < p < 1:
        return math.nan if not 0 <= p <= 1 else (math.inf if p == 0 else 0.0)
    a = freedom / 2.0
    # Wilson and Hilferty's cube, or the power that the lower end is.
    cube = (
        1.0
        - 2.0 / (9.0 * freedom)
        + NormalDist().inv_cdf(1.0 - p if p > 1e-15 else 1.0 - 1e-15) * math.sqrt(2.0 / (9.0 * freedom))
    )
    x = a * cube**3 if cube > 0.1 else math.exp((math.log1p(-p) + math.lgamma(a + 1.0)) / a)
    low, high = 0.0, math.inf
    x = max(x, 1e-300)
    for _ in range(200):
        tail, head = _gamma_both(a, x)
        low, high = (x, high) if (tail > p if p <= 0.5 else head < 1.0 - p) else (low, x)
        density = a / x * _poisson(a, x)
        # By the logarithm of the smaller end, which has its digits.
        if p <= 0.5:
            step = x + math.log(tail / p) * tail / density if tail > 0 else x / 2.0
        else:
            step = x * math.exp(min(40.0, math.log((1.0 - p) / head) * head / (density * x))) if head > 0 else 2.0 * x
        if not low < step < high:
            step = 2.0 * x if math.isinf(high) else (low + high) / 2.0
        if abs(step - x) <= 2e-16 * x:
            return 2.0 * step
        x = step
    return 2.0 * x


def binomial_head(k: int, n: int) -> float:
    """The chance of at most ``k`` heads in ``n`` throws of a fair coin: exact, but for the last rounding.

    >>> binomial_head(0, 5), binomial_head(2, 5)
    (0.03125, 0.5)
    """
    if k < 0:
        return 0.0
    if 2 * k + 1 > n:
        return 1.0 - binomial_head(n - k - 1, n)
    return _fair(k, n)


@lru_cache(65536)
def _fair(k: int, n: int) -> float:
    term = total = 1
    for heads in range(k):
        term = term * (n - heads) // (heads + 1)
        total += term
    # Of whole numbers of any size Python gives the nearest float.
    return total / (1 << n)


def gamma_ratio(x: float) -> float:
    """Gamma(x + 1/2) / Gamma(x).

    >>> round(gamma_ratio(0.5) ** 2 * 3.141592653589793, 12)
    1.0
    """
    return math.exp(_log_gamma_ratio(x))


def _log_gamma_ratio(x: float) -> float:
    if x < 20.0:
        return math.log(math.gamma(x + 0.5) / math.gamma(x)) if x > 1e-300 else math.log(x) + math.lgamma(0.5)
    return x * math.log1p(0.5 / x) - 0.5 + 0.5 * math.log(x) + _stirling(x + 0.5) - _stirling(x)


def _stirling(x: float) -> float:
    """What Stirling's formula lacks: ln Gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2."""
    if x < 16.0:
        return math.lgamma(x) - (x - 0.5) * math.log(x) + x - 0.5 * math.log(2.0 * math.pi)
    square = 1.0 / (x * x)
    total = 0.0
    for coefficient in reversed(_STIRLING):
        total = total * square + coefficient
    return total / x


_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)


def _log_density_at_0(free: Floats) -> Floats:
    # Most have the same degrees of freedom.
    kinds, place = np.unique(free, return_inverse=True)
    return _each(lambda nu: _log_gamma_ratio(nu / 2.0) - 0.5 * math.log(nu * math.pi), kinds)[place.reshape(free.shape)]


def _log_density(free: Floats, t: Floats) -> Floats:
    """The logarithm of Student's density."""
    result: Floats = _log_density_at_0(free) - (free + 1.0) / 2.0 * _log1p_square(t, free)
    return result


def _log1p_square(t: Floats, free: Floats) -> Floats:
    """ln(1 + t^2 / free), also where the square has no float."""
    root = t / np.sqrt(free)
    result: Floats = np.where(root > 1e150, 2.0 * np.log(np.maximum(root, 1.0)), np.log1p(np.minimum(root, 1e150) ** 2))
    return result


def _integrated(free: Floats, t: Floats) -> Floats:
    """The tail of t by Gauss and Legendre's rule, down to where the density is too small to matter."""
    found = np.zeros(len(free))
    node, share = _legendre()
    for rows in _blocks(np.flatnonzero(np.isfinite(t)), 4096):
        nu, begin = free[rows], t[rows]
        fall = np.expm1(2.0 * _GONE / (nu + 1.0))
        total = nu + begin**2
        length = fall * total / (begin + np.sqrt(begin**2 + fall * total))
        at = length[:, None] * node
        drop = (nu[:, None] + 1.0) / 2.0 * np.log1p(at * (2.0 * begin[:, None] + at) / total[:, None])
        found[rows] = np.exp(_log_density(nu, begin)) * length * (np.exp(-drop) * share).sum(axis=1)
    return found


@lru_cache(1)
def _legendre() -> tuple[Floats, Floats]:
    """Nodes and weights between 0 and 1."""
    node, weight = np.polynomial.legendre.leggauss(96)
    return (node + 1.0) / 2.0, weight / 2.0


def _by_fraction(free: Floats, t: Floats) -> Floats:
    """The tail of t as half of a share of a beta distribution."""
    log1p = _log1p_square(t, free)
    a, x, y = free / 2.0, np.exp(-log1p), -np.expm1(-log1p)
    # x may have no float where its power has one.
    with np.errstate(divide="ignore"):
        front = np.exp(_log_density_at_0(free) + 0.5 * np.log(free) - a * log1p + 0.5 * np.log(y))
    tail = x * (a + 2.5) < a + 1.0
    half = np.full(len(a), 0.5)
    found = np.empty(len(a))
    found[tail] = (front / a * 0.5)[tail] * _fraction(a[tail], half[tail], x[tail])
    middle = ~tail
    found[middle] = 0.5 - front[middle] * _fraction(half[middle], a[middle], y[middle])
    return found


def _beta_share(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """The share of a beta distribution below x = 1 - y."""
    found = np.where(x <= 0, 0.0, np.where(y <= 0, 1.0, np.nan))
    inside = (x > 0) & (y > 0)
    a, b, x, y = a[inside], b[inside], x[inside], y[inside]
    # a b / (a + b) times the binomial density is x^a y^b / B(a, b), without numbers that cancel.
    binomial = [_binomial(*each) for each in zip(a.tolist(), b.tolist(), x.tolist(), y.tolist(), strict=True)]
    front = a * b / (a + b) * np.array(binomial)
    below = x < (a + 1.0) / (a + b + 2.0)
    share = np.empty(len(a))
    share[below] = front[below] / a[below] * _fraction(a[below], b[below], x[below])
    above = ~below
    share[above] = 1.0 - front[above] / b[above] * _fraction(b[above], a[above], y[above])
    found[inside] = share
    return found


def _fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """The continued fraction of the incomplete beta function, by Lentz's steps."""
    c, d = np.ones(len(a)), 1.0 / _not_0(1.0 - (a + b) * x / (a + 1.0))
    total, done = d, np.zeros(len(a), np.bool_)
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for term in (even, odd):
            d, c = 1.0 / _not_0(1.0 + term * d), _not_0(1.0 + term / c)
            total = np.where(done, total, total * (d * c))
        # What has converged stays: a value has the same bits whatever stands beside it.
        done |= ~(np.abs(d * c - 1.0) > 3e-16)
        if done.all():
            break
    return total


def _not_0(x: Floats) -> Floats:
    result: Floats = np.where(np.abs(x) > _TINY, x, _TINY)
    return result


def _binomial(a: float, b: float, p: float, q: float) -> float:
    """The binomial density at ``a`` of ``a + b``, for any real numbers (Loader 2000)."""
    n = a + b
    log = _stirling_1(n) - _stirling_1(a) - _stirling_1(b) - _deviance(a, n * p) - _deviance(b, n * q)
    return math.exp(log) * math.sqrt(n / (2.0 * math.pi * a * b))


def _poisson(k: float, x: float) -> float:
    """The Poisson density at ``k``, for any real number."""
    if k == 0:
        return math.exp(-x)
    return math.exp(-_stirling_1(k) - _deviance(k, x)) / math.sqrt(2.0 * math.pi * k)


def _stirling_1(x: float) -> float:
    """The same of Gamma(x + 1) = x Gamma(x), by powers of x."""
    if x < 16.0:
        return math.lgamma(x + 1.0) - (x + 0.5) * math.log(x) + x - 0.5 * math.log(2.0 * math.pi)
    return _stirling(x)


def _deviance(x: float, mean: float) -> float:
    """x ln(x / mean) + mean - x, without cancelling where both are near."""
    difference = x - mean
    if abs(difference) < 0.1 * (x + mean):
        v = difference / (x + mean)
        total, term, k = difference * v, 2.0 * x * v, 1
        while True:
            term *= v * v
            larger = total + term / (2 * k + 1)
            if larger == total:
                return total
            total, k = larger, k + 1
    return x * math.log(x / mean) + mean - x


def _gamma_tail(a: float, x: float) -> float:
    if math.isnan(x) or not a > 0:
        return math.nan
    return 1.0 if x <= 0 else 0.0 if math.isinf(x) else _gamma_both(a, x)[0]


def _gamma_both(a: float, x: float) -> tuple[float, float]:
    """The upper and the lower share of a gamma distribution."""
    front = _poisson(a, x)
    if x < a + 1.0:
        term = total = 1.0
        for n in range(1, _STEPS):
            term *= x / (a + n)
            total += term
            if term < total * 1e-17:
                break
        head = front * total
        return 1.0 - head, head
    b = x + 1.0 - a
    c, d = 1.0 / _TINY, 1.0 / b
    total = d
    for n in range(1, _STEPS):
        term = -n * (n - a)
        b += 2.0
        d = term * d + b
        c = b + term / c
        d = 1.0 / (d if abs(d) > _TINY else _TINY)
        c = c if abs(c) > _TINY else _TINY
        total *= d * c
        if abs(d * c - 1.0) < 1e-16:
            break
    tail = front * a * total
    return tail, 1.0 - tail


def _erfc(x: Floats) -> Floats:
    """The complement of the error function, by Cody's rational approximations (1969)."""
    size = np.abs(x)
    found = np.where(np.isnan(x), np.nan, 0.0)
    small, middle = size <= 0.46875, (size > 0.46875) & (size <= 4.0)
    large = (size > 4.0) & (size < 27.0)
    found[small] = 1.0 - x[small] * _rational(_SMALL, x[small] ** 2)
    for where, ratio in ((middle, _MIDDLE), (large, None)):
        y = size[where]
        if ratio is not None:
            value = _rational(ratio, y)
        else:
            inverse = 1.0 / (y * y)
            value = (1.0 / math.sqrt(math.pi) - inverse * _rational(_LARGE, inverse)) / y
        # The square in two parts, of which the first has no digits to lose.
        first = np.trunc(y * 16.0) / 16.0
        found[where] = np.exp(-first * first) * np.exp(-(y - first) * (y + first)) * value
    return np.where((x < 0) & ~small, 2.0 - found, found)


def _rational(both: tuple[tuple[float, ...], tuple[float, ...]], x: Floats) -> Floats:
    """A polynomial over another, highest power first."""
    top, bottom = (np.polyval(each, x) for each in both)
    result: Floats = top / bottom
    return result


_SMALL = (
    (
        1.85777706184603153e-1,
        3.16112374387056560e00,
        1.13864154151050156e02,
        3.77485237685302021e02,
        3.20937758913846947e03,
    ),
    (1.0, 2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03, 2.84423683343917062e03),
)
_MIDDLE = (
    (
        2.15311535474403846e-8,
        5.64188496988670089e-1,
        8.88314979438837594e00,
        6.61191906371416295e01,
        2.98635138197400131e02,
        8.81952221241769090e02,
        1.71204761263407058e03,
        2.05107837782607147e03,
        1.23033935479799725e03,
    ),
    (
        1.0,
        1.57449261107098347e01,
        1.17693950891312499e02,
        5.37181101862009858e02,
        1.62138957456669019e03,
        3.29079923573345963e03,
        4.36261909014324716e03,
        3.43936767414372164e03,
        1.23033935480374942e03,
    ),
)
_LARGE = (
    (
        1.63153871373020978e-2,
        3.05326634961232344e-1,
        3.60344899949804439e-1,
        1.25781726111229246e-1,
        1.60837851487422766e-2,
        6.58749161529837803e-4,
    ),
    (
        1.0,
        2.56852019228982242e00,
        1.87295284992346725e00,
        5.27905102951428412e-1,
        6.05183413124413191e-2,
        2.33520497626869185e-3,
    ),
)
"""For small, middle and large numbers."""


def _each(function: Callable[[float], float], x: npt.ArrayLike) -> Floats:
    """A function of one number, of each."""
    values = np.asarray(x, np.float64)
    return np.array([function(value) for value in values.ravel().tolist()], np.float64).reshape(values.shape)


def _blocks(rows: npt.NDArray[np.intp], size: int) -> list[npt.NDArray[np.intp]]:
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]
