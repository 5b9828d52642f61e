"""trec_eval's names and which of our measures they are."""

from __future__ import annotations

import random

import pytest
from tests.parity.names import MEANS, NAMES
from tests.parity.test_pytrec_eval import collection

import truerank as tr
from truerank.compat.trec_eval.names import families, measures_of
from truerank.conventions.presets import conventions
from truerank.data.errors import InputError
from truerank.io.load import as_qrels, as_run
from truerank.questions.evaluate.work import score

OWN = ("iprec_at_recall", "11pt_avg", "set_F")
"""Names with measures of their own, which round as trec_eval does."""


@pytest.mark.parametrize("name", [*NAMES, *MEANS])
def test_names_stand_for_measures(name: str) -> None:
    found = measures_of(name)
    assert list(found) == [name]
    if not name.startswith(OWN):
        assert found[name] == tr.parse({**NAMES, **MEANS}[name])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P.10,5", {"P_5": "P@5", "P_10": "P@10"}),
        ("P_5", {"P_5": "P@5"}),
        ("ndcg_cut_10", {"ndcg_cut_10": "nDCG@10"}),
        ("ndcg_cut.10", {"ndcg_cut_10": "nDCG@10"}),
        ("ndcg.1=3,2=9", {"ndcg_1=3,2=9": "nDCG(gains={1:3.0,2:9.0})"}),
        ("ndcg_1=3", {"ndcg_1=3": "nDCG(gains={1:3.0})"}),
        ("Rprec_mult_0.20", {"Rprec_mult_0.20": "Rprec(mult=0.2)"}),
        ("map.5", {"map": "AP"}),
        ("utility.2,-1,0,0", {"utility_2,-1,0,0": "Utility(a=2.0)"}),
    ],
)
def test_parameters(text: str, expected: dict[str, str]) -> None:
    assert {name: str(measure) for name, measure in measures_of(text).items()} == expected


def test_the_level_is_that_of_binary_measures() -> None:
    found = measures_of("all_trec", level=2)
    assert (str(found["map"]), str(found["P_5"]), str(found["gm_map"])) == (
        "AP(rel=2)",
        "P(rel=2)@5",
        "GM(measure=AP(rel=2))",
    )
    assert (str(found["ndcg"]), str(found["ndcg_cut_5"])) == ("nDCG", "nDCG@5")


def test_nicknames() -> None:
    assert {"unj_5", "rbp", "rbp_resid"} <= set(measures_of("all_trec")) - set(measures_of("all_trec", version=9))
    assert not {"relstring", "runid", "yaap", "dcg"} & set(measures_of("all_trec"))
    assert list(measures_of("official"))[:2] == ["num_q", "num_ret"]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("nonsense", 10),
        ("", 10),
        ("P_", 10),
        ("map_5", 10),
        ("relstring", 10),
        ("prefs_simp", 10),
        ("rbp", 9),
        ("P_x", 10),
    ],
)
def test_what_is_no_measure(text: str, version: int) -> None:
    with pytest.raises(InputError):
        measures_of(text, version=version)


def test_versions() -> None:
    assert set(families(10)) - set(families(9)) == {"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"}


@pytest.mark.parametrize("seed", range(4))
def test_values_of_version_9_are_those_of_pytrec_eval(seed: int) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = collection(seed, top=random.Random(seed).randrange(1, 4))
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    names = [name for name in next(iter(theirs.values())) if name not in ("runid", "relstring", *MEANS)]
    wanted = {name: measures_of(name, version=9)[name] for name in names}
    assert {"iprec_at_recall_0.70", "11pt_avg", "set_F"} <= set(names)
    found = score(as_qrels(qrels), as_run(run), tuple(set(wanted.values())), conventions("trec_eval-9"))
    for name, measure in wanted.items():
        expected = {topic: values[name] for topic, values in theirs.items()}
        assert found[measure].per_topic == pytest.approx(expected, abs=1e-12), name
