"""Numbers made under known conventions are traced back to them."""

from __future__ import annotations

import random

import pytest

import truerank as tr
from truerank.conventions.axes import AXES, Conventions
from truerank.conventions.presets import PRESETS
from truerank.questions.why.question import why
from truerank.questions.why.work import Attempts, Reported

WORDS = {
    axis.name: {value: meaning.because for value, meaning in axis.values.items() if meaning.because}
    for axis in AXES.values()
    if axis.values
}
REFUSED = {
    "ties": {"bounds", "sample"},
    "unjudged": {"bounds", "residual"},
    "missing": {"error"},
    "no_relevant": {"nan"},
    # Whose judgments a number was made with is not to be found out from the judgments of one.
    "judges": {"majority", "median", "mean", "each", "bounds", "expected"},
}


def collection(seed: int = 5) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Ties, unjudged documents, a missing topic, one without relevant documents, negative grades, near scores."""
    draw = random.Random(seed)
    qrels = {f"q{t}": {f"d{d}": draw.choice([-1, 0, 0, 1, 2]) for d in range(12)} for t in range(8)}
    qrels["q7"] = {f"d{d}": 0 for d in range(5)}
    run = {
        topic: {f"d{d}": draw.choice([1.0, 1.00000001, 2.0, 2.5, 3.0]) for d in draw.sample(range(18), 14)}
        for topic in list(qrels)[1:]
    }
    run["q3"]["q3"] = 9.0
    return qrels, run


QRELS, RUN = collection()


def reported(measure: str, **conventions: str) -> str:
    return f"{tr.evaluate(QRELS, RUN, measure, **conventions)['run'][measure].mean:.6f}"


CASES = [
    (measure, axis, value)
    for measure in ("AP", "nDCG@5", "Bpref")
    for axis, values in WORDS.items()
    for value in values
    # A dict has no ranks, and Bpref no form with a terminal document.
    if value != "rank" and not (measure == "Bpref" and axis == "ending" and value != "none")
]


@pytest.mark.parametrize(("measure", "axis", "value"), CASES)
def test_one_convention_is_found(measure: str, axis: str, value: str) -> None:
    number = reported(measure, **{axis: value})
    found = why(QRELS, RUN, measure, number)
    assert found.found
    assert all(f"{one.value:.6f}" == number for one in found.explanations)
    if number != reported(measure):
        assert WORDS[axis][value] in {words for one in found.explanations for words in one.changes}


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("nDCG", "nDCG(dcg='exp-log2')"),
        ("nDCG@10", "nDCG"),
        ("AP", "AP(rel=2)"),
        ("AP@5", "AP(norm='min')@5"),
        ("AP", "GM"),
        ("RBP", "RBP(p=0.5)"),
        ("P@5", "P(relative=True)@5"),
        ("nDCG", "nDCG(rel=1)"),
    ],
)
def test_another_measure_is_found(said: str, made: str) -> None:
    number = reported(made)
    assert number != reported(said)
    assert [one for one in why(QRELS, RUN, said, number).explanations if one.by == tr.parse(made)]


def test_two_changes_are_found_and_one_tool_is_named() -> None:
    number = reported("nDCG(dcg='exp-log2')@5", like="pytrec_eval")
    found = why(QRELS, RUN, "nDCG@5", number)
    assert "pytrec_eval" in {tool for one in found.explanations for tool in one.tools}
    assert "dcg is exp-log2" in found.explanations[0].changes


@pytest.mark.parametrize("tool", [name for name, chosen in PRESETS.items() if chosen["missing"] != "error"])
def test_a_tool_explains_its_own_numbers(tool: str) -> None:
    found = why(QRELS, RUN, "AP", reported("AP", like=tool))
    assert tool in {name for one in found.explanations for name in one.tools}
    assert why(QRELS, RUN, "AP", reported("AP", like=tool), tool=tool).explanations[0].changes == ()


def test_only_what_matters_is_said() -> None:
    """Nothing is missing and nothing negative here, so that of trec_eval's habits the order of ties remains."""
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
    one, *_ = why(qrels, run, "RR", "0.5").explanations
    assert one.changes == (WORDS["ties"]["docid"],)
    assert set(one.tools) >= {"trec_eval-9", "trec_eval-10", "pytrec_eval", "ir_measures", "beir"}


def test_what_nothing_explains_is_said_to_be_unexplained() -> None:
    found = why(QRELS, RUN, "AP", "0.987654")
    assert not found.found
    assert len(found.nearest) == 3
    assert found.ties is None
    assert "Nothing that was tried" in str(found)


def test_a_number_between_orders_of_ties() -> None:
    low, high = (tr.evaluate(QRELS, RUN, "AP", ties=order)["run"]["AP"].mean for order in ("worst", "best"))
    found = why(QRELS, RUN, "AP", f"{low + 0.318 * (high - low):.9f}")
    assert not found.found
    assert found.ties == (low, high)
    [note] = (note for note in found.notes() if note.code == "TR402")
    assert (note.code, note.facts) == ("TR402", {"worst": low, "best": high, "digits": 10})
    assert [row["fits"] for row in found.to_records()] == [False] * 3


@pytest.mark.parametrize("given", ["41.2", "41.2%", "0.412"])
def test_percentages(given: str) -> None:
    assert Reported.of(given).scaled(0.0, 1.0).fits(0.41249)
    assert not Reported.of(given).scaled(0.0, 1.0).fits(0.4126)


@pytest.mark.parametrize("given", ["abc", "", "nan", "inf", "0,41", "1e999", "-1e200"])
def test_what_is_no_number_is_refused(given: str) -> None:
    with pytest.raises(tr.InputError, match="number"):
        why(QRELS, RUN, "AP", given)


def test_words_exist_for_every_value() -> None:
    assert {axis.name: {*axis.values} - REFUSED.get(axis.name, set()) for axis in AXES.values() if axis.values} == {
        axis: {*words} for axis, words in WORDS.items()
    }


def test_a_tool_that_refuses_missing_topics_was_given_empty_lists() -> None:
    number = reported("AP", like="ranx", missing="empty")
    assert why(QRELS, RUN, "AP", number, tool="ranx").explanations[0].changes == ()
    assert "ranx" in {tool for one in why(QRELS, RUN, "AP", number).explanations for tool in one.tools}


def test_grades_as_gains_are_found() -> None:
    number = reported("RBP(gains={1:1,2:2})")
    assert "the gain of a document is its grade" in why(QRELS, RUN, "RBP", number).explanations[0].changes


def test_a_run_of_other_topics_is_refused() -> None:
    with pytest.raises(tr.InputError, match="no topic in common"):
        why(QRELS, {"zz": {"a": 1.0}}, "P@1", "0.5")


def test_several_runs_are_refused() -> None:
    with pytest.raises(tr.InputError, match="about one run, and there are 2"):
        why(QRELS, {"one": RUN, "two": RUN}, "AP", "0.5")


def test_what_cannot_be_is_refused_before_a_file_is_read() -> None:
    with pytest.raises(tr.InputError, match="not a number"):
        why("no such file", "nor such a run", "AP", "much")
    with pytest.raises(tr.InputError, match="not a finite number"):
        why("no such file", "nor such a run", "AP", "-1e9999999")
    with pytest.raises(tr.InputError, match="not a tool"):
        why("no such file", "nor such a run", "AP", "0.5", tool="bm25")


def test_an_extreme_order_of_ties_explains_only_what_nothing_else_does() -> None:
    qrels = {"q": {"b": 1, "a": 0, "c": 0, "d": 0}}
    run = {"q": {"b": 1.0, "a": 1.0, "c": 1.0, "d": 1.0}}
    best, worst = why(qrels, run, "nDCG", "1.0000"), why(qrels, run, "nDCG", "0.4307")
    assert [one.changes for one in best.explanations] == [(WORDS["ties"]["input"],)]
    assert [one.changes for one in worst.explanations] == [(WORDS["ties"]["worst"],)]


def test_how_deep_compatibility_was_taken_is_found() -> None:
    number = reported("Compat(deepest=None)")
    assert number != reported("Compat")
    [one] = why(QRELS, RUN, "Compat", number).explanations
    assert one.changes == ("depths end with the longer of list and ideal ranking, as in ir_measures",)
    assert one.measure == "Compat(deepest=None)"
    [back] = why(QRELS, RUN, "Compat(deepest=None)", reported("Compat")).explanations
    assert back.changes == ("depths go down to 1000, as in the authors' script",)
    [plain] = why(QRELS, RUN, "Compat", reported("Compat(normalise=False)")).explanations
    assert plain.changes == ("normalise is False",)


@pytest.fixture(scope="module")
def attempts() -> Attempts:
    """What is tried for the AP of the run, each evaluated once."""
    return Attempts(tr.read_qrels(QRELS), tr.read_run(RUN), tr.parse("AP"), Conventions())


NEAR = 120
"""Numbers of four digits on either side of the score that are gone through."""


def rounded(values: list[float]) -> set[int]:
    return {round(10_000 * value) for value in values if value == value}


@pytest.fixture(scope="module")
def explained(attempts: Attempts) -> dict[int, float]:
    """Of the numbers near the score, those that are explained, with the chance that is stated; 0 for the score."""
    [score] = rounded([attempts.value(attempts.start)])
    found = {
        number: attempts.fitting(Reported.of(f"{number / 10_000:.4f}"))
        for number in range(score - NEAR, score + NEAR + 1)
    }
    return {number: min(chance or 0.0 for chance in fits.values()) for number, fits in found.items() if fits}


def test_the_chance_is_the_share_of_numbers_as_near_that_are_explained_as_simply(
    attempts: Attempts, explained: dict[int, float]
) -> None:
    _, (tools, others), (twice_by_tools, _) = attempts.steps()
    score = rounded([attempts.value(attempts.start)])
    by_tools = score | rounded([*map(attempts.value, tools)])
    by_one = by_tools | rounded([*map(attempts.value, others)])
    by_tool_and_one = by_one | rounded([*map(attempts.value, twice_by_tools)])
    [centre], kinds = score, set()
    for number, chance in explained.items():
        kind, simplest = next(
            (kind, some)
            for kind, some in enumerate((score, by_tools, by_one, by_tool_and_one, explained))
            if number in some
        )
        kinds.add(kind)
        span = abs(number - centre)
        count = sum(near in simplest for near in range(centre - span, centre + span + 1))
        assert chance == pytest.approx(count / (2 * span + 1) if span else 0.0), number
    assert kinds == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("level", [0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("near", [30, 100, NEAR])
def test_random_numbers_are_explained_no_more_often_than_is_said(
    attempts: Attempts, explained: dict[int, float], near: int, level: float
) -> None:
    """Of all numbers in any neighbourhood of the score, no more than a share have a chance as small as that."""
    [score] = rounded([attempts.value(attempts.start)])
    said = [number for number, chance in explained.items() if 0 < abs(number - score) <= near and chance <= level]
    assert len(said) <= level * (2 * near + 1)


def test_reasons_that_chance_is_less_likely_to_give_come_first() -> None:
    number = reported("AP", like="trec_eval-9")
    found = why(QRELS, RUN, "AP", number[:5])
    chances = [one.chance for one in found.explanations]
    assert all(chance is not None for chance in chances)
    assert chances == sorted(chances)  # type: ignore[type-var]
    assert "by chance" in str(found)
    more = why(QRELS, RUN, "AP", number)
    assert more.chance is not None
    assert found.chance is not None
    assert more.chance < found.chance


def test_what_may_be_chance_is_noted_and_the_score_itself_is_not() -> None:
    same = why(QRELS, RUN, "AP", reported("AP"))
    assert (same.chance, same.notes()) == (None, ())
    vague = why(QRELS, RUN, "AP", reported("AP", ties="docid")[:4])
    [note] = vague.notes()
    assert note.code == "TR401"
    assert note.facts["chance"] == vague.chance
    assert vague.by_chance
    unknown = why(QRELS, RUN, "AP", "0.987654")
    assert unknown.chance is not None
    assert 0 < unknown.chance < 0.01
    assert f"{unknown.tried:,} ways to score the run were tried" in str(unknown)
