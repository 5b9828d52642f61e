"""What a paper should report: all of it, in every form, and a command that gives the same again."""

from __future__ import annotations

import shlex

import pytest
from tests.questions.compare.tracks import judged, run, track

from truerank.data.errors import InputError
from truerank.questions.compare.paper import FORMS
from truerank.questions.compare.plan import CompareSettings
from truerank.questions.compare.question import compare
from truerank.version import __version__

pytest.importorskip("scipy")
JUDGMENTS, RUNS, _ = track(5, 3, 30)
FOUND = compare(JUDGMENTS, RUNS, "RR P@5", ties="worst", test="randomization", permutations=999, seed=4, settled=True)
ITEMS = {line.item: line.text for line in FOUND.paper}


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("Data", "3 systems on 30 topics"),
        ("Conventions", "ties worst, unjudged nonrelevant"),
        ("Test", "randomisation test, 999 assignments drawn with seed 4, Holm over 3 pairs of 3 systems, two-sided"),
        ("Means, RR", "s00 0."),
        ("s01 minus s00, RR", "d_z = "),
        ("Intervals", "95%, of means by t, of differences by randomisation, corrected as verdicts are"),
        ("Power", "with 30 topics, power is below 80% for true differences under"),
        ("Robustness", "RR: all verdicts hold for the orders of ties, judgments and depths that were tried."),
        ("Software", f"truerank {__version__}: truerank compare QRELS s00 s01 s02 -m RR -m P@5"),
    ],
)
def test_what_is_reported(item: str, said: str) -> None:
    assert said in ITEMS[item]


def test_every_number_of_a_pair_is_there() -> None:
    pair = FOUND["RR"].pair("s00", "s01")
    text = ITEMS["s01 minus s00, RR"]
    assert f"{pair.difference:+.3f} [{pair.low:.3f}, {pair.high:.3f}]" in text
    assert f"{pair.wins} wins, {pair.losses} losses, {pair.ties} tie" in text


def test_the_command_names_what_was_chosen() -> None:
    words = shlex.split(ITEMS["Software"].partition(": ")[2])
    options = dict(zip(words[words.index("--test") :: 2], words[words.index("--test") + 1 :: 2], strict=True))
    assert options == {
        "--test": "randomization",
        "--correction": "holm",
        "--alpha": "0.05",
        "--permutations": "999",
        "--seed": "4",
        "--ties": "worst",
    }


@pytest.mark.parametrize("form", FORMS)
def test_forms_to_paste(form: str) -> None:
    text = FOUND.render(form, "paper")
    lines = {"table": ": ", "markdown": "- **", "latex": "\\item["}
    assert text.count(lines[form]) >= len(FOUND.paper)
    if form == "latex":
        assert text.startswith("{\\raggedright\n\\begin{description}")
        assert "d\\_z" in text
        assert "95\\%" in text


def test_names_do_no_harm() -> None:
    found = compare(judged(12), {"a]_%&": run([1] * 12), "**b**": run([2, 1] * 6)}, "RR", settled=False)
    assert "a{]}\\_\\%\\&" in found.render("latex", "paper")
    assert "\\*\\*b\\*\\*" in found.render("markdown", "paper")


def test_many_pairs_are_counted() -> None:
    judgments, runs, _ = track(6, 7, 20)
    lines = {line.item: line.text for line in compare(judgments, runs, "RR").paper}
    assert " of 21 pairs differ; d_z from " in lines["Differences, RR"]
    assert "were not tried" in lines["Robustness"]


def test_a_family_of_all_measures_is_said_and_corrects_for_all() -> None:
    one, both = (compare(JUDGMENTS, RUNS, "RR P@5", family=family, settled=False) for family in ("measure", "all"))
    for measure in ("RR", "P@5"):
        for pair, wider in zip(one[measure].pairs, both[measure].pairs, strict=True):
            assert wider.p_corrected >= pair.p_corrected
            assert wider.p == pair.p
            assert (wider.low <= 0 <= wider.high) == (not wider.significant)
    assert "Holm over 3 pairs by 2 measures" in str(both)
    assert "per measure" in str(one)
    assert "per measure" not in str(both)
    found = compare(JUDGMENTS, RUNS, "RR P@5", family="all", test="tukey", settled=False)
    alone = compare(JUDGMENTS, RUNS, "RR P@5", test="tukey", settled=False)
    for pair, wider in zip(alone["RR"].pairs, found["RR"].pairs, strict=True):
        assert wider.p_corrected == pytest.approx(min(1.0, 2 * pair.p))
        assert (wider.low < 0 < wider.high) == (not wider.p_corrected < 0.05)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"family": "some"}, "family='some' is not known; take one of measure, all"),
        ({"family": "all", "correction": "none"}, "leave one out"),
        ({"interval": "corrected", "test": "sign"}, "interval='corrected' does not go with test='sign'"),
        ({"interval": "corrected", "correction": "none"}, "does not go with correction='none'"),
        ({"test": "dunnett", "correction": "holm"}, "allows for all pairs by itself"),
    ],
)
def test_what_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        CompareSettings(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"test": "dunnett"}, {"interval": "dunnett"}, {"test": "randomized-dunnett"}])
def test_dunnett_needs_one_baseline(given: dict[str, str]) -> None:
    with pytest.raises(InputError, match="name one"):
        compare(JUDGMENTS, RUNS, "RR", **given)
    with pytest.raises(InputError, match="name one"):
        compare(JUDGMENTS, RUNS, "RR", baseline=["s00", "s01"], **given)
    found = compare(JUDGMENTS, RUNS, "RR", baseline="s01", **given)
    assert {pair.compared_with for pair in found["RR"].pairs} == {"s01"}
    assert "all pairs with the baseline at once" in " ".join(str(found).split())
