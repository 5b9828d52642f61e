"""Files of learning to rank: grades as judgments, a feature as a run."""

import pytest

from truerank.data.errors import InputError
from truerank.io.load import as_qrels, as_run

LETOR = """\
# of LETOR 4
2 qid:10032 1:0.056537 2:0.5 #docid = GX029-35-5894638 inc = 0.0119881192468859 prob = 0.139842
0 qid:10032 1:0.279152 #docid = GX030-77-6315042 inc = 1 prob = 0.341364

1 qid:10035 1:-1e-3 2:3 #docid = GX029-35-5894638 inc = 1 prob = 0.1
"""


def test_grades_are_judgments_by_docid(tmp_path):
    (tmp_path / "test.txt").write_text(LETOR)
    qrels = as_qrels(tmp_path / "test.txt")
    assert [*qrels.topics] == [b"10032", b"10035"]
    assert dict(zip(qrels.docs.tolist()[:2], qrels.grade.tolist(), strict=False)) == {
        b"GX029-35-5894638": 2,
        b"GX030-77-6315042": 0,
    }
    assert qrels.notes == ()


def test_a_feature_is_the_score_of_a_run_and_0_where_it_is_left_out(tmp_path):
    (tmp_path / "test.txt").write_text(LETOR)
    run = as_run(tmp_path / "test.txt", columns={"score": "2"})
    assert run.ranking("10032") == [("GX029-35-5894638", 0.5), ("GX030-77-6315042", 0.0)]
    assert run.notes == ("scores are feature 2",)


def test_documents_without_ids_go_by_their_row(tmp_path):
    (tmp_path / "train.txt").write_text("3 qid:1 1:1\n2 qid:1 1:0\n1 qid:2 1:0\n")
    qrels = as_qrels(tmp_path / "train.txt")
    assert qrels.docs.tolist() == [b"0", b"1", b"2"]
    assert qrels.notes == ("documents have no ids: they are called by their row, the first of which is 0",)


def test_a_comment_of_one_word_is_the_id(tmp_path):
    (tmp_path / "train.dat").write_text("3 qid:1 1:1 # 1A\r\n2 qid:1 1:0 # 1B\r\n")
    assert as_qrels(tmp_path / "train.dat").docs.tolist() == [b"1A", b"1B"]


def test_rows_are_those_that_sklearn_reads(tmp_path):
    datasets = pytest.importorskip("sklearn.datasets")
    (tmp_path / "train.txt").write_text("3 qid:1 1:1\n2 qid:1 1:0\n1 qid:2 1:5\n")
    features, grades, topics = datasets.load_svmlight_file(str(tmp_path / "train.txt"), query_id=True)
    rows = range(len(topics))
    given = as_qrels(grades, topic_ids=topics, doc_ids=rows)
    read = as_qrels(tmp_path / "train.txt")
    assert (given.topics, given.docs.tolist(), given.grade.tolist()) == (
        read.topics,
        read.docs.tolist(),
        read.grade.tolist(),
    )
    predicted = as_run(features.toarray()[:, 0], topic_ids=topics, doc_ids=rows)
    # Ids of a file are text, those of arrays come back as they were given.
    from_file = as_run(tmp_path / "train.txt", columns={"score": "1"}).ranking("2")
    assert predicted.ranking("2") == [(int(doc), score) for doc, score in from_file]


@pytest.mark.parametrize(
    ("text", "options", "refusal"),
    [
        ("1 qid:1 1:1\n", {}, "this file has features and no scores"),
        ("1 qid:1 1:1\n2 1:1\n", {"columns": {"score": "1"}}, r"test.txt:2: '2 1:1' has no grade and qid"),
        ("1 qid:1 1:x\n", {"columns": {"score": "1"}}, r"test.txt:1: the feature is 'x'"),
        ("1 qid:1 1:1 # a\n1 qid:1 1:2\n", {"columns": {"score": "1"}}, r"test.txt:2: this document has no id"),
        ("1 qid:1 1:1\n", {"columns": {"doc": "1"}}, "names the feature that is the score"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_line(tmp_path, text, options, refusal):
    (tmp_path / "test.txt").write_text(text)
    with pytest.raises(InputError, match=refusal):
        as_run(tmp_path / "test.txt", **options)
