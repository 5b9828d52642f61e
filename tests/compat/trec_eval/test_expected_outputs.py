"""trec_eval's own expected outputs and its output for TREC-8, byte for byte."""

from __future__ import annotations

import gzip
import shlex

import pytest
from tests.parity.shared import DATA, need

from truerank.compat.trec_eval.program import Outcome, trec_eval

PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
    "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 "
)
COMMANDS = [
    ("out.test", "qrels.test results.test"),
    ("out.test", "qrels.test.with-comments results.test"),
    ("out.comment.test", "qrels.comment.test results.comment.test"),
    ("out.test.a", "-m all_trec qrels.test results.test"),
    ("out.test.aq", "-m all_trec -q qrels.test results.test"),
    ("out.test.aqc", "-m all_trec -q -c qrels.test results.trunc"),
    ("out.test.aqcM", "-m all_trec -q -c -M100 qrels.test results.trunc"),
    ("out.test.aql", "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test"),
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.test prefs.results.test"),
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.comment.test prefs.results.test"),
    ("out.test.qrels_prefs", "-m all_prefs -q -R qrels_prefs qrels.test results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.123 results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.comments.123 results.test"),
    ("out.test.meas_params", PARAMETERS + "qrels.test results.test"),
    ("out.test.aqZ", "-q -m all_trec -Z zscores_file qrels.test results.test"),
]
RUNS = sorted(path.name for path in (DATA / "trec8" / "runs").glob("*.gz"))


@pytest.mark.parametrize(("expected", "command"), COMMANDS)
def test_expected_output(expected: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = need("trec_eval")
    monkeypatch.chdir(folder)
    assert trec_eval(shlex.split(command)) == Outcome((folder / expected).read_text())


@pytest.mark.parametrize("part", range(8))
def test_every_byte_of_trec8(part: int) -> None:
    qrels = str(need("trec8", "qrels.gz"))
    for name in RUNS[part::8]:
        expected = gzip.decompress(need("trec8", "trec_eval10", name).read_bytes()).decode()
        got = trec_eval(["-q", "-c", "-m", "all_trec", qrels, str(need("trec8", "runs", name))])
        assert got == Outcome(expected), name
