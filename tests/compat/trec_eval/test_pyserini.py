"""What pyserini adds to trec_eval: unjudged documents removed, and shares of judged ones."""

import pytest

from truerank.compat.trec_eval.program import trec_eval

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c -1\nq2 0 a 1\nq3 0 z 1\n"
RUN = "q1 Q0 u 1 9 t\nq1 Q0 b 2 8 t\nq1 Q0 c 3 7 t\nq1 Q0 a 4 6 t\nq2 Q0 v 1 5 t\nq2 Q0 a 2 4 t\nq4 Q0 w 1 3 t\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def _line(name, value):
    return f"{name:22}\tall\t{value:.4f}\n"


def test_shares_are_of_all_topics_together_below_the_rest(files):
    found = trec_eval(["-c", "-m", "recip_rank", "-m", "judged.1,2", *files])
    # Of the first documents of q1, q2 and q4 none is judged; of the first two, b and a of five.
    expected = _line("recip_rank", (1 / 4 + 1 / 2 + 0) / 3) + _line("judged_1", 0) + _line("judged_2", 2 / 5)
    assert found.text == expected


def test_unjudged_documents_leave_the_run(files):
    found = trec_eval(["-c", "-m", "recip_rank", "-m", "num_ret", *files, "-remove-unjudged", "-m", "judged.2"])
    # A negative grade is a judgment, too: b, c, a of q1 and a of q2 are left.
    expected = f"{'num_ret':22}\tall\t4\n" + _line("recip_rank", (1 / 3 + 1 + 0) / 3) + _line("judged_2", 1)
    assert found.text == expected


def test_depths_that_are_none_are_refused(files):
    assert trec_eval(["-m", "judged.x", *files]).code == 1
