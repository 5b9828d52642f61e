"""A measure of a list cut anywhere is the measure of a run that had listed no more."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.opaque import ORDERINGS
from truerank.io.load import as_preferences, as_qrels, as_run
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import _one_by_one, prefixes
from truerank.measures.grammar import parse, parse_all
from truerank.measures.own import measure as own
from truerank.measures.table import TABLE
from truerank.track.lens import Lens
from truerank.track.pools import JudgmentPools

from . import oracle
from .collections import collections
from .oracle import Choice, Collection
from .table import MEASURES
from .test_against_oracle import measure, same, tried
from .test_depths import block, ended
from .test_liu_table1 import ROWS
from .test_papers import gained
from .test_preferences import Pairs, loss, orders, preferences

ENDINGS = ("none", "terminal", "terminal-once")


def found(collection: Collection, wanted: Measure, choice: Choice) -> dict[str, Floats]:
    """Values at every length by topic, from the rankings that an evaluation reads."""
    runs = named_runs({"run": collection.run} | {f"other{i}": run for i, run in enumerate(collection.others)})
    qrels, conventions = as_qrels(collection.qrels), Conventions(**vars(choice))
    lens = Lens(qrels, runs[0].data, JudgmentPools(qrels, runs, (wanted,)), conventions)
    values = {}
    for some in lens.rankings(wanted, ties=choice.ties, unjudged=choice.unjudged):
        for topic, row, length in zip(some.topic, prefixes(wanted, some), some.length, strict=True):
            assert np.isnan(row[length + 1 :]).all()
            values[qrels.topics[topic].decode()] = row[: length + 1]
    return values


@pytest.mark.parametrize("name", [name for name in MEASURES if name not in ("NumQ", "NumRel")])
def test_against_the_oracle(name: str) -> None:
    row = MEASURES[name]

    @tried(
        name + "prefixes",
        12,
        collections(),
        st.builds(
            Choice,
            ties=st.sampled_from(("expected", "expected", "docid")),
            unjudged=st.sampled_from(("nonrelevant", "condensed")),
            ending=st.sampled_from(ENDINGS if row.terminal and row.ending == "none" else ("none",)),
            negative=st.sampled_from(("judged", "unjudged")),
        ),
        st.sampled_from(row.variants),
        st.sampled_from((None, None, 0, 1, 3)),
    )
    def check(collection: Collection, choice: Choice, params: dict[str, Any], k: int | None) -> None:
        k = k if row.cutoff else None
        for topic, values in found(collection, measure(name, params, k), choice).items():
            groups = oracle.tie_groups(collection.qrels[topic], collection.run.get(topic, {}))
            assume(len(list(oracle.orders(groups))) <= ORDERINGS)
            for length, value in enumerate(values):
                wanted = oracle.evaluate(name, params, k, collection, topic, choice, cut=length)
                assert isinstance(wanted, oracle.Value)
                assert same(value, wanted.value), f"{name}{params}@{k} of {length}: {value}, not {wanted.value}"

    check()


@tried("preferences cut", 40, preferences())
def test_preferences(drawn: tuple[Pairs, dict[str, float]]) -> None:
    pairs, run = drawn
    judgments = as_preferences({"q": pairs})
    lens = Lens(judgments, as_run({"q": run}), JudgmentPools(judgments, [], []), Conventions())
    (r,) = lens.rankings(parse("PrefLoss"), ties="expected", unjudged="nonrelevant")
    every = orders(run)
    assume(len(every) <= 200)
    for length, value in enumerate(prefixes(parse("PrefLoss"), r)[0]):
        assert same(value, sum(loss(order[:length], pairs) for order in every) / len(every))


SUMS = [
    *(m for m in TABLE.values() if m.reads_list and not m.name.endswith("T")),
    *parse_all("AP(norm='min') AP(norm='pool') Q(norm='min',beta=2) Q@3 nDCG@4 RBP(p=0.95)@5 ERR@4 OIE(size=40)@4"),
]
OPAQUE = {"INST", "BPM", "NERR8", "NERR9", "NERR10", "NERR11", "Compat", "infAP", "IPrec", "IPrecAvg"}
OPAQUE |= {"G", "BinG", "nDCGRel", "RnDCG"}


@pytest.mark.parametrize("ties", ["none", "some", "all"])
@pytest.mark.parametrize("wanted", [m for m in SUMS if m.name not in OPAQUE], ids=str)
def test_one_pass_is_each_length_on_its_own(wanted: Measure, ties: str) -> None:
    """Lists of several lengths side by side, and groups of up to a dozen documents."""
    for terminal in ("", "tail", "once") if wanted.takes_terminal else ("",):
        r = ended(block(len(str(wanted)), ties), terminal)
        np.testing.assert_allclose(prefixes(wanted, r), _one_by_one(wanted, r, 12), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("wanted", SUMS, ids=str)
def test_nothing_listed_and_no_topics(wanted: Measure) -> None:
    for terminal in ("", "tail") if wanted.takes_terminal else ("",):
        empty = ended(replace(Rankings.single([], pool=[1.0]), pool_rank=np.ones((1, 1), np.int64)), terminal)
        np.testing.assert_array_equal(prefixes(wanted, empty)[:, 0], wanted.score(empty))
        assert prefixes(wanted, ended(block(1, "some"), terminal).take(np.arange(0)), 5).shape == (0, 6)


@pytest.mark.parametrize("wanted", SUMS, ids=str)
def test_a_row_has_the_same_bits_alone(wanted: Measure) -> None:
    for terminal in ("", "tail") if wanted.takes_terminal else ("",):
        r = ended(block(1, "some"), terminal)
        whole = prefixes(wanted, r)
        for row, length in enumerate(r.length):
            alone = r.take(np.array([row]))
            assert np.array_equal(prefixes(wanted, alone)[0], whole[row, : length + 1], equal_nan=True)


@pytest.mark.parametrize("wanted", parse_all("AP nDCGT OIE(size=50) Bpref AUC infAP"), ids=str)
def test_some_lengths_are_those_of_all(wanted: Measure) -> None:
    r = ended(block(2, "some"), "tail" if wanted.ending == "terminal" else "")
    whole = prefixes(wanted, r)
    np.testing.assert_array_equal(prefixes(wanted, r, 3), whole[:, :4])
    longer = prefixes(wanted, r, 15)
    np.testing.assert_array_equal(longer[:, :13], whole)
    assert np.isnan(longer[:, 13:]).all()


def test_a_function_of_ones_own_and_a_geometric_mean() -> None:
    r = block(3, "none")
    np.testing.assert_array_equal(prefixes(own(len), r)[3], np.arange(13.0))
    np.testing.assert_array_equal(prefixes(parse("GM(measure=RBP)"), r), prefixes(parse("RBP"), r))


REFUSED = [("NumQ", "", "same for every list"), ("NumRel(rel=2)", "", "same for every list")]
REFUSED += [("Bpref", "tail", "no form with a terminal document")]


@pytest.mark.parametrize(("text", "terminal", "why"), REFUSED)
def test_what_has_no_meaning_is_refused(text: str, terminal: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        prefixes(parse(text), ended(block(0, "none"), terminal))


def test_bounds_are_refused() -> None:
    with pytest.raises(InputError, match="goes on with nothing"):
        prefixes(parse("RBP"), replace(block(0, "none"), beyond=1.0))


@pytest.mark.parametrize("ties", ["none", "all"])
def test_a_terminal_document_has_no_more_than_all_there_is(ties: str) -> None:
    """More is found where unjudged documents are taken to be relevant, as in high bounds."""
    r = ended(block(1, ties), "once")
    r = replace(r, judgment=np.where(r.grade == 3, -1, r.judgment), pool=np.where(r.pool == 3, 0.0, r.pool))
    last = prefixes(parse("RBP"), r)[np.arange(4), r.length]
    np.testing.assert_allclose(last, parse("RBP").score(r), rtol=1e-12)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_liu_table_1(row: tuple[Any, ...]) -> None:
    """Each ranking of the table as the beginning of a longer one."""
    ranking, relevant, _, *cells = row
    pool = [1.0] * relevant
    r = Rankings.single([float(grade) for grade in ranking + "01"], pool=pool)
    for text, cell in zip(("RRT", "RBPT(p=0.5)", "nDCGT", "APT"), cells, strict=True):
        assert round(prefixes(parse(text), ended(replace(r, max_grade=1.0), "tail"))[0, len(ranking)], 3) == cell


FIGURE_1 = Rankings.single([0.0] * 10 + [1.0] * 50)
"""Ten documents without relevance, then relevant ones only (Amigó et al. 2022)."""


def test_amigo_figure_1() -> None:
    half = prefixes(parse("RBU(p=0.98)"), FIGURE_1)[0]
    assert half.argmax() == 14
    assert (np.diff(half[14:]) < 0).all()
    assert prefixes(parse("RBU(p=0.9)"), FIGURE_1)[0].max() == 0.0
    sure = prefixes(parse("RBU(p=0.98,gains={1:1})"), FIGURE_1)[0]
    assert sure.argmax() == 11
    for gain, first in ((0.5, 22), (1.0, 13)):
        values = prefixes(parse(f"RBPU(p=0.8,gains={{1:{gain}}})"), FIGURE_1)[0]
        assert np.flatnonzero(values > 0).tolist() == list(range(first, 61))


@pytest.mark.parametrize(("rank", "worth"), [(18, 0.270), (19, -0.134), (20, -0.534)])
def test_oie_breaks_even(rank: int, worth: float) -> None:
    values = prefixes(parse("OIE(size=20000)"), Rankings.single([0.0] * (rank - 1) + [1.0]))[0]
    assert round(values[rank] - values[0], 3) == worth
    assert values[rank] - values[0] == pytest.approx(gained(rank, 1.05, 20_000), abs=1e-12)
    # A document without relevance only costs: all that comes before the relevant one is best left out.
    assert values[:rank].argmax() == 0


@pytest.mark.parametrize(("judged", "said"), [([1.0], [0.0] * 5), ([0.0], [1.0] * 5)])
def test_silence_is_right_where_there_is_no_answer(judged: list[float], said: list[float]) -> None:
    r = ended(Rankings.single([0.0, 0.0], pool=judged), "tail")
    assert [prefixes(parse(text), r)[0, 0] for text in ("RBPT", "nDCGT", "ERRT", "RRT", "APT")] == said
    assert math.isnan(prefixes(parse("nDCG"), Rankings.single([0.0]))[0, 0])
