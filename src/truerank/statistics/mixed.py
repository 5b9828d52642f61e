"""Logistic regression in which groups have effects of their own: those of few cases are drawn to the mean of all."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows, begins
from truerank.data.classes import dataclass

STEPS = 25
"""Newton steps, each with the spread of effects that the step before left: a number that rounding does not change."""
_FIXED = 1e-3
"""What holds back coefficients that cases say nothing of."""
_LEAST = 1e-4
"""The least variance that effects are taken to have."""


@dataclass(frozen=True, eq=False)
class Covariates:
    """What is known of each case: columns with a coefficient each, columns whose coefficients vary, and its group."""

    fixed: Floats
    """Shape (cases, columns); the first is 1."""
    varying: Floats
    """Columns whose coefficients are drawn from one distribution, such as the share of each system."""
    own: Floats
    """Columns whose coefficients each group has for itself, the first is 1."""
    group: Rows

    @property
    def common(self) -> Floats:
        """The columns whose coefficients are the same in all groups."""
        return np.column_stack([self.fixed, self.varying])

    def take(self, some: Rows) -> Covariates:
        """Some of the cases."""
        return Covariates(self.fixed[some], self.varying[some], self.own[some], self.group[some])


@dataclass(frozen=True, eq=False)
class MixedLogit:
    """Coefficients, and how certain they are: the normal distribution around the most likely ones (Laplace)."""

    common: Floats
    own: Floats
    """Shape (groups, columns)."""
    precision: Floats
    """Of the common coefficients, whatever the others are."""
    own_covariance: Floats
    """Of the coefficients of each group, given the common ones."""
    pull: Floats
    """By how much the coefficients of a group fall as each common one rises, shape (groups, columns, common)."""
    spread: tuple[float, ...]
    """Standard deviation of the varying coefficients, and of each column of a group's own."""

    def odds(self, cases: Covariates) -> Floats:
        """Log-odds of each case."""
        found: Floats = np.einsum("nc,c->n", cases.common, self.common)
        return found + np.asarray((cases.own * self.own[cases.group]).sum(axis=-1), np.float64)

    def draw(self, count: int, seed: int, widened: float = 1.0) -> tuple[Floats, Floats]:
        """Coefficients that the cases leave possible, ``count`` of each; ``widened`` times as far apart.

        Shapes are (count, common) and (count, groups, columns).
        """
        rng = np.random.default_rng(seed)
        away = rng.standard_normal((count, len(self.common)))
        # What threads make of the last bits is rounded away, so that draws are the same.
        away = np.round(widened * np.linalg.solve(np.linalg.cholesky(self.precision).T, away.T).T, 9)
        own = rng.standard_normal((count, *self.own.shape))
        root = np.linalg.cholesky(self.own_covariance)
        apart = widened * np.einsum("gij,ngj->ngi", root, own) - np.einsum("gic,nc->ngi", self.pull, away)
        return np.round(self.common + away, 9), np.round(self.own + apart, 9)


def mixed_logit(cases: Covariates, outcome: Floats, groups: int) -> MixedLogit:
    """Fit the chance of an outcome that is 0 or 1.

    How far varying coefficients, and those of groups, lie apart is estimated with them (expectation-maximisation), so
    that they are drawn to their mean as much as the cases call for.

    >>> one, group = np.ones((8, 1)), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> cases = Covariates(one, np.zeros((8, 1)), one, group)
    >>> found = mixed_logit(cases, np.array([1.0, 1, 1, 0, 1, 0, 0, 0]), 2)
    >>> found.odds(cases)[[0, 4]].round(2).tolist()
    [0.53, -0.53]
    """
    order = np.argsort(cases.group, kind="stable")
    cases, outcome = cases.take(order), outcome[order]
    first = np.flatnonzero(begins(cases.group))
    there = cases.group[first]
    # Products are einsum's, which one thread works out: threads that wait for each other cost more than they save here.
    x, own = cases.common, cases.own
    fixed, width = cases.fixed.shape[1], own.shape[1]
    common, effects = np.zeros(x.shape[1]), np.zeros((groups, width))
    varying, each = 1.0, np.ones(width)
    holds = np.full(x.shape[1], _FIXED)
    for step in range(STEPS):
        holds[fixed:] = 1.0 / varying
        chance = 1.0 / (
            1.0 + np.exp(-np.clip(np.einsum("nc,c->n", x, common) + (own * effects[cases.group]).sum(axis=-1), -30, 30))
        )
        weight, left = chance * (1.0 - chance) + 1e-9, outcome - chance
        inner = np.diag(holds) + np.einsum("nc,nd->cd", x, x * weight[:, None])
        weighted = own * weight[:, None]
        block = np.stack(
            [
                np.stack([np.bincount(cases.group, own[:, i] * weighted[:, j], groups) for j in range(width)], axis=-1)
                for i in range(width)
            ],
            axis=1,
        ) + np.diag(1.0 / each)
        cross = np.zeros((groups, width, x.shape[1]))
        for i in range(width):
            cross[there, i] = np.add.reduceat(x * weighted[:, [i]], first, axis=0)
        covariance = np.linalg.inv(block)
        pull = covariance @ cross
        precision = inner - np.einsum("gic,gid->cd", cross, pull)
        slope = np.einsum("nc,n->c", x, left) - holds * common
        found = np.stack([np.bincount(cases.group, own[:, i] * left, groups) for i in range(width)], axis=-1)
        slopes = found - effects / each
        move = np.linalg.solve(precision, slope - np.einsum("gic,gi->c", pull, slopes))
        moves = np.einsum("gij,gj->gi", covariance, slopes) - np.einsum("gic,c->gi", pull, move)
        # A step that is too long for the curve is cut.
        length = max(float(np.abs(move).max(initial=0.0)), float(np.abs(moves).max(initial=0.0)))
        short = min(1.0, 5.0 / length) if length else 1.0
        common, effects = common + short * move, effects + short * moves
        if 2 <= step < STEPS - 1:
            apart = np.linalg.inv(precision)
            if x.shape[1] > fixed:
                varying = max(float((common[fixed:] ** 2 + np.diag(apart)[fixed:]).mean()), _LEAST)
            certain = np.einsum("gii->gi", covariance) + np.einsum("gic,cd,gid->gi", pull, apart, pull)
            each = np.maximum((effects**2 + certain).mean(axis=0), _LEAST)
    spread = (float(np.sqrt(varying)), *np.sqrt(each).tolist())
    return MixedLogit(common, effects, precision, covariance, pull, spread)
