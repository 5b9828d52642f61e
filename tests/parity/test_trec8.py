"""All 129 systems of TREC-8 against the output of trec_eval 10, to the printed digit."""

from __future__ import annotations

import gzip

import pytest

import truerank as tr

from . import known_differences as known
from .names import MEANS, NAMES
from .shared import DATA, need

RUNS = sorted(path.name for path in (DATA / "trec8" / "runs").glob("*.gz"))


@pytest.fixture(scope="module")
def qrels() -> tr.Qrels:
    return tr.read_qrels(need("trec8", "qrels.gz"))


@pytest.mark.parametrize("part", range(8))
def test_every_printed_digit(qrels: tr.Qrels, part: int) -> None:
    compared = 0
    for name in RUNS[part::8]:
        theirs = read(name)
        known_names = {n for n, _ in theirs if not known.differs("trec_eval-10", n)}
        names = {n: ours for n, ours in {**NAMES, **MEANS}.items() if n in known_names}
        run = tr.evaluate(qrels, tr.read_run(need("trec8", "runs", name)), names.values(), like="trec_eval-10", missing="empty")
        scores = next(iter(run.values()))
        for their_name, our_name in names.items():
            score = scores[our_name]
            values = {"all": score.mean} | ({} if their_name in MEANS else score.per_topic)
            for topic, value in values.items():
                expected = theirs.get((their_name, topic))
                if expected is not None:
                    compared += 1
                    assert (f"{value:.4f}" if "." in expected else f"{value:.0f}") == expected, (name, their_name, topic)
    assert compared > 1000 or not RUNS


def read(name: str) -> dict[tuple[str, str], str]:
    """Values that trec_eval 10 printed for a run."""
    with gzip.open(need("trec8", "trec_eval10", name), "rt") as lines:
        return {(measure, topic): value for measure, topic, value in (line.split() for line in lines)}
