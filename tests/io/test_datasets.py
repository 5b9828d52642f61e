from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.io import datasets
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import named_runs

Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance", "iteration"])
ScoredDoc = namedtuple("ScoredDoc", ["query_id", "doc_id", "score"])


class Dataset:
    """A data set that counts how often it is read."""

    def __init__(self) -> None:
        self.read = 0
        del self.read  # An attribute of that name would make it a file.
        self.times = 0

    def dataset_id(self) -> str:
        return "mine/test"

    def qrels_iter(self) -> Iterator[Qrel]:
        self.times += 1
        yield from [Qrel("q1", "a", 2, "0"), Qrel("q1", "b", 0, "0")]

    def scoreddocs_iter(self) -> Iterator[ScoredDoc]:
        self.times += 1
        yield from [ScoredDoc("q1", "b", 0.5), ScoredDoc("q1", "a", 1.5)]


def test_objects_that_iterate() -> None:
    assert as_qrels(Dataset()).grade.tolist() == [2, 0]
    assert as_run(Dataset()).ranking("q1") == [("a", 1.5), ("b", 0.5)]
    data = Dataset()
    assert tr.evaluate(data, data, "AP")["run"]["AP"].mean == 1.0
    assert data.times == 2
    assert [run.name for run in named_runs([data, data])] == ["run#1", "run#2"]


def test_data_sets_made_by_ir_datasets(tmp_path: Path) -> None:
    library = pytest.importorskip("ir_datasets")
    (tmp_path / "qrels").write_text("q1 0 a 2\nq1 0 b 0\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 1.5 t\nq1 Q0 b 2 0.5 t\n")
    formats, local = library.formats, library.util.LocalDownload
    data = library.Dataset(
        formats.TrecQrels(local(tmp_path / "qrels"), {}), formats.TrecScoredDocs(local(tmp_path / "run"))
    )
    assert as_qrels(data).grade.tolist() == [2, 0]
    assert as_qrels(data.qrels).grade.tolist() == [2, 0]
    assert as_run(data).ranking("q1") == [("a", 1.5), ("b", 0.5)]
    with pytest.raises(InputError, match=r"has no scored documents, which would be a run; name another one"):
        as_run(library.Dataset(formats.TrecQrels(local(tmp_path / "qrels"), {})))


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ir_datasets of one data set."""

    class Library:
        @staticmethod
        def load(name: str) -> Any:
            return {"mine/test": Dataset()}[name]

    monkeypatch.setitem(sys.modules, "ir_datasets", Library)
    monkeypatch.setattr(datasets, "_installed", lambda: True)


def test_data_sets_by_id(registered: None) -> None:
    assert as_qrels("irds:mine/test").grade.tolist() == as_qrels("mine/test").grade.tolist() == [2, 0]
    assert as_run("irds:mine/test").ranking("q1")[0] == ("a", 1.5)
    assert tr.evaluate("mine/test", "irds:mine/test", "AP")["test"]["AP"].mean == 1.0
    with pytest.raises(InputError, match="ir_datasets knows no data set 'nothing'; check its id"):
        as_qrels("irds:nothing")
    with pytest.raises(InputError, match="nothing: there is no such file; check the path"):
        as_qrels("nothing")


def test_a_file_comes_first(registered: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/test").write_text("q7 0 a 1\n")
    assert as_qrels("mine/test").topics == (b"q7",)
    assert as_qrels("irds:mine/test").topics == (b"q1",)


def test_without_ir_datasets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "_installed", lambda: False)
    with pytest.raises(InputError, match="irds:vaswani: ir_datasets is not installed; install it to read data sets"):
        as_qrels("irds:vaswani")
    with pytest.raises(InputError, match="vaswani: there is no such file; check the path"):
        as_qrels("vaswani")


def test_what_goes_wrong_in_a_download_is_one_line() -> None:
    class Broken(Dataset):
        def qrels_iter(self) -> Iterator[Qrel]:
            raise RuntimeError("no network\nand more")

    with pytest.raises(InputError, match=r"^data set 'mine/test' could not be read \(no network\); see whether"):
        as_qrels(Broken())
