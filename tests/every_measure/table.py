"""The table of all measures as the definitions have them: one row each, which all tests of the whole table read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import definitions as slow

Params = list[dict[str, Any]]

FRACTIONAL = {1: 0.5, 2: 1.5}
TURNED = {1: 0.75, 2: 0.25, 3: 0.5}
"""A gain map that does not grow with the grade, and stays a probability."""

BINARY: Params = [{}, {"rel": 2}, {"rel": 0.5}]
GRADED: Params = [{}, {"rel": 2}, {"gains": FRACTIONAL}, {"gains": TURNED}, {"gains": {2: 0}}]
LINEAR: Params = [*GRADED[:2], {"gains": TURNED}, {"max_rel": 4}, {"rel": 2, "max_rel": 2}]


@dataclass(frozen=True)
class Row:
    """A measure of the table, as the definitions have it."""

    value: Callable[..., float]
    """Its value for a listing and a depth, given parameters."""
    variants: Params
    """The parameters that it is tried with."""
    scale: str | None = None
    """The gain map of a graded measure: "identity", "linear" or "err"."""
    cutoff: bool = True
    """Whether it is read at a depth of one's choice."""
    fixed: int | None = None
    """The depth it is always read at."""
    terminal: bool = True
    """Whether it has a form with a terminal document."""
    bounded: bool = True
    """Whether unjudged documents give bounds."""
    range: tuple[float, float] = (0.0, 1.0)
    raised: bool = False
    """Whether gains of one's own above 1 raise the upper end of the range."""
    sorts: bool = True
    """Whether gain higher up is never worse."""
    unsampled: bool = False
    """Whether a negative grade is no judgment, under any convention."""
    lower_is_better: bool = False
    ending: str = "none"
    ends: bool = False
    """Whether a list that ends says something by it, so that nothing may follow."""
    aggregate: Callable[[Sequence[float], Sequence[bool]], float] = slow.mean


INF = math.inf
UTILITY = (-INF, INF)

MEASURES: dict[str, Row] = {
    "P": Row(slow.precision, [*BINARY, {"relative": True}]),
    "R": Row(slow.recall, BINARY),
    "F": Row(slow.f, [*BINARY, {"beta": 2.0}, {"beta": 0.5, "rel": 2}, {"beta": 0}]),
    "SetP": Row(slow.set_precision, [*BINARY, {"relative": True}], cutoff=False, terminal=False),
    "SetR": Row(slow.recall, BINARY, cutoff=False, terminal=False),
    "SetF": Row(slow.f, [*BINARY, {"beta": 3}], cutoff=False, terminal=False),
    "SetAP": Row(slow.set_average, BINARY, cutoff=False, terminal=False),
    "AP": Row(slow.average_precision, [*BINARY, {"norm": "min"}, {"norm": "pool"}, {"norm": "min", "rel": 2}]),
    "gAP": Row(slow.graded_average_precision, [*LINEAR, {"norm": "min"}, {"norm": "min", "rel": 2}], scale="linear"),
    "RR": Row(slow.reciprocal_rank, BINARY),
    "Success": Row(slow.success, BINARY),
    "ESL": Row(
        slow.search_length,
        [*BINARY, {"want": 2}, {"want": 3, "size": 20}, {"want": 2, "rel": 2, "size": 3}],
        terminal=False,
        range=(0, INF),
        lower_is_better=True,
    ),
    "CG": Row(slow.cumulative_gain, GRADED, scale="identity", range=(0, INF)),
    "DCG": Row(
        slow.discounted,
        [*GRADED, {"dcg": "exp-log2"}, {"dcg": "exp-log2", "gains": TURNED}],
        scale="identity",
        range=(0, INF),
    ),
    "nDCG": Row(
        slow.normalised_discounted,
        [*GRADED, {"dcg": "exp-log2"}, {"dcg": "exp-log2", "gains": TURNED}, {"max_rel": 4}],
        scale="identity",
    ),
    "SDCG": Row(slow.scaled_discounted, [*LINEAR, {"gains": {1: 3, 3: 0.5}}], scale="linear", raised=True),
    "RBP": Row(
        slow.rank_biased,
        [*LINEAR, {"p": 0.5}, {"p": 0.95, "rel": 1}, {"gains": {1: 3, 3: 0.5}}, {"p": 0}, {"p": 0.999}],
        scale="linear",
        raised=True,
    ),
    "INSQ": Row(
        slow.inverse_square,
        [*LINEAR, {"T": 2}, {"T": 0.3, "rel": 1}, {"gains": {1: 3, 3: 0.5}}],
        scale="linear",
        raised=True,
    ),
    "INST": Row(
        slow.insatiable,
        [*LINEAR, {"T": 2.5}, {"T": 0.5, "rel": 1}],
        scale="linear",
        cutoff=False,
        terminal=False,
        bounded=False,
        sorts=False,
    ),
    "BPM": Row(
        slow.bejeweled, [*LINEAR, {"T": 2}, {"T": 0.5}], scale="linear", terminal=False, bounded=False, sorts=False
    ),
    "ERR": Row(slow.expected_reciprocal, [*LINEAR, {"gains": {1: 0.1, 2: 1.0}}], scale="err"),
    "nERR": Row(slow.normalised_reciprocal, [*LINEAR, {"gains": {1: 0.1, 2: 1.0}}], scale="err", terminal=False),
    "nRBP": Row(
        slow.normalised_rank_biased,
        [*LINEAR, {"p": 0.5}, {"p": 0.95, "rel": 1}, {"gains": {1: 3, 3: 0.5}}, {"p": 0}],
        scale="linear",
        terminal=False,
    ),
    "NERR8": Row(slow.nearly_err_8, LINEAR, scale="linear", terminal=False, bounded=False, sorts=False),
    "NERR9": Row(slow.nearly_err_9, LINEAR, scale="linear", terminal=False, bounded=False, sorts=False),
    "NERR10": Row(
        slow.nearly_err_10,
        [*LINEAR, {"p": 0.5}, {"p": 0}, {"p": 1}],
        scale="linear",
        cutoff=False,
        terminal=False,
        bounded=False,
        sorts=False,
    ),
    "NERR11": Row(
        slow.nearly_err_11,
        [*LINEAR, {"T": 2.5}],
        scale="linear",
        cutoff=False,
        terminal=False,
        bounded=False,
        sorts=False,
    ),
    "Compat": Row(
        slow.compatibility,
        [
            {},
            {"p": 0.5},
            {"p": 1, "deepest": None},
            {"normalise": False, "p": 0.8},
            {"p": 0},
            {"deepest": None},
            {"deepest": 3},
            {"deepest": 12, "normalise": False, "p": 1},
        ],
        cutoff=False,
        terminal=False,
        bounded=False,
        sorts=False,
    ),
    "Q": Row(slow.q_measure, [*GRADED, {"beta": 0}, {"beta": 2.5}, {"norm": "min"}], scale="identity"),
    "G": Row(slow.g_measure, GRADED, scale="identity", terminal=False, sorts=False),
    "BinG": Row(slow.binary_g, BINARY, terminal=False),
    "nDCGRel": Row(slow.normalised_at_relevant, GRADED, scale="identity", cutoff=False, terminal=False, bounded=False),
    "RnDCG": Row(slow.normalised_at_falls, GRADED, scale="identity", cutoff=False, terminal=False),
    "Utility": Row(
        slow.utility,
        [*BINARY, {"a": 3, "b": -0.5, "c": -1}, {"d": 0.25, "size": 50}],
        cutoff=False,
        terminal=False,
        range=UTILITY,
    ),
    "Rprec": Row(slow.r_precision, [*BINARY, {"mult": 0.5}, {"mult": 2.0}], cutoff=False),
    "Bpref": Row(slow.binary_preference, [*BINARY, {"norm": "R"}], terminal=False),
    "infAP": Row(slow.inferred, BINARY, terminal=False, sorts=False, unsampled=True),
    "IPrec": Row(
        slow.interpolated_precision,
        [{"recall": 0.1}, {"recall": 0}, {"recall": 0.5}, {"recall": 1.0}, {"recall": 0.5, "rel": 2}],
        cutoff=False,
        terminal=False,
    ),
    "IPrecAvg": Row(slow.interpolated_average, [*BINARY, {"points": 3}], cutoff=False, terminal=False),
    "AUC": Row(slow.area, [*BINARY, {"size": 60}, {"size": 64, "rel": 2}], cutoff=False, terminal=False, bounded=False),
    "Kendall": Row(
        slow.tau_b,
        [{}, {"rel": 2}, {"size": 60}, {"size": 64, "gains": TURNED}],
        scale="identity",
        cutoff=False,
        terminal=False,
        bounded=False,
        range=(-1, 1),
    ),
    "Spearman": Row(
        slow.rho,
        [{}, {"rel": 2}, {"size": 60}, {"size": 64, "gains": TURNED}],
        scale="identity",
        cutoff=False,
        terminal=False,
        bounded=False,
        range=(-1, 1),
    ),
    "PrefLoss": Row(slow.preference_loss, [{}], cutoff=False, terminal=False, bounded=False, lower_is_better=True),
    "WPrefLoss": Row(
        slow.weighted_preference_loss, [{}], cutoff=False, terminal=False, bounded=False, lower_is_better=True
    ),
    "iRBU": Row(slow.intentwise, [*LINEAR, {"p": 0.5}], scale="err"),
    "niRBU": Row(slow.normalised_intentwise, [*LINEAR, {"p": 0.5}], scale="err", terminal=False),
    "FlatU": Row(slow.flat_utility, [*LINEAR, {"e": 0.5}], scale="linear", range=UTILITY),
    "RBU": Row(slow.rank_biased_utility, [*LINEAR, {"p": 0.98, "e": 0.3}], scale="err", range=(-INF, 1)),
    "DCGU": Row(slow.discounted_utility, [*LINEAR, {"e": 0.5}, {"dcg": "exp-log2"}], scale="linear", range=UTILITY),
    "ERRU": Row(slow.err_utility, [*LINEAR, {"e": 0.5}], scale="err", range=(-INF, 1)),
    "RBPU": Row(slow.rbp_utility, [*LINEAR, {"p": 0.5, "e": 0.3}], scale="linear", raised=True, range=(-INF, 1)),
    "DiscountU": Row(
        slow.any_utility,
        [
            *LINEAR,
            {"discount": "flat", "e": 0.5},
            {"discount": "harmonic"},
            {"discount": "geometric", "p": 0.5},
            {"discount": "inverse-square", "T": 2},
            {"discount": {1: 3, 2: 3, 3: 0.5}, "e": 0},
            {"discount": slow.square_root, "e": 0.2},
            {"discount": "harmonic", "stops": True, "e": 0.2},
            {"discount": slow.square_root, "stops": True, "gains": TURNED},
        ],
        scale="linear",
        range=UTILITY,
    ),
    "OIE": Row(
        slow.information,
        [{"size": 100}, {"size": 100, "beta": 1.2, "rel": 2}, {"normalise": True}, {"size": 64, "gains": TURNED}],
        scale="identity",
        terminal=False,
        bounded=False,
        range=UTILITY,
    ),
    "c": Row(slow.precision, BINARY, cutoff=False, fixed=1, terminal=False, ends=True, aggregate=slow.credited),
    "RRT": Row(slow.reciprocal_rank, BINARY, ending="terminal"),
    "RBPT": Row(slow.rank_biased, [*LINEAR, {"p": 0.5}], scale="linear", raised=True, ending="terminal"),
    "nDCGT": Row(slow.normalised_discounted, [*GRADED, {"dcg": "exp-log2"}], scale="identity", ending="terminal"),
    "APT": Row(slow.average_precision, [*BINARY, {"norm": "min"}, {"norm": "pool"}], ending="terminal"),
    "gAPT": Row(slow.graded_average_precision, [*LINEAR, {"norm": "min"}], scale="linear", ending="terminal"),
    "ERRT": Row(slow.expected_reciprocal, LINEAR, scale="err", ending="terminal"),
    "Judged": Row(slow.judged_share, [{}], terminal=False, bounded=False),
    "NumQ": Row(lambda r, k: 1.0, [{}], cutoff=False, terminal=False, range=(0, INF), aggregate=slow.total),
    "NumRet": Row(
        slow.retrieved, [{}, {"rel": 1}, {"rel": 2}], cutoff=False, terminal=False, range=(0, INF), aggregate=slow.total
    ),
    "NumNonrelRet": Row(
        slow.nonrelevant_retrieved, BINARY, cutoff=False, terminal=False, range=(0, INF), aggregate=slow.total
    ),
    "NumRel": Row(
        lambda r, k, rel=1: float(sum(g >= rel for g in r.judged)),
        BINARY,
        cutoff=False,
        terminal=False,
        range=(0, INF),
        aggregate=slow.total,
    ),
}
"""All but GM, which has the values of another measure and only means them otherwise."""
