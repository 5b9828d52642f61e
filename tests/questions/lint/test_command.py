from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

QRELS = "".join(f"q{t} 0 d{n} {n % 2}\n" for t in (1, 2) for n in range(10))
RUN = "".join(f"q{t} Q0 d{n} {n} {20 - n} t\n" for t in (1, 2) for n in range(10))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "t.run").write_text(RUN)
    (tmp_path / "bad.run").write_text(RUN.replace("q1 Q0 d3 3 17 t", "q1 Q0 d2 3 17 t"))
    (tmp_path / "short.run").write_text(RUN[: RUN.index("q2")])
    (tmp_path / "other.run").write_text(RUN.replace(" t\n", " x\n"))
    return tmp_path


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["qrels.txt", "t.run"], 0),
        (["qrels.txt", "t.run", "--fail-on", "info"], 0),
        (["qrels.txt", "other.run"], 0),
        (["qrels.txt", "other.run", "--fail-on", "info"], 1),
        (["qrels.txt", "other.run", "--fail-on", "info", "--ignore", "tags"], 0),
        (["qrels.txt", "short.run"], 0),
        (["qrels.txt", "short.run", "--fail-on", "warning", "--ignore", "tags"], 1),
        (["qrels.txt", "t.run", "bad.run"], 1),
        (["qrels.txt", "bad.run", "--fail-on", "never"], 0),
        (["qrels.txt", "bad.run", "--fix"], 0),
        (["qrels.txt"], 0),
        (["bad.run"], 1),
        (["t.run", "other.run"], 0),
        (["none.run"], 2),
        (["t.run", "qrels.txt"], 2),
        (["qrels.txt", "t.run", "--cutoff", "0"], 2),
        (["qrels.txt", "t.run", "--ignore", "nothing"], 2),
        (["qrels.txt", "-", "--fix"], 2),
        ([], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
@pytest.mark.usefixtures("here")
def test_exit_codes(truerank: Any, args: list[str], code: int) -> None:
    done = truerank("lint", *args)
    assert done.exit_code == code
    if code == 2:
        assert done.stderr.startswith("truerank: ")
        assert done.stderr.count("\n") == 1


def test_a_row_a_finding(truerank: Any, here: Path) -> None:
    head, *rows = (line.split("\t") for line in truerank("lint", "qrels.txt", "bad.run").stdout.splitlines())
    assert head[:6] == ["severity", "check", "file", "line", "count", "message"]
    assert head[6:] == ["effect", "remedy", "fixable", "text", "measure", "low", "high", "moves"]
    assert [row[:5] for row in rows] == [
        ["error", "duplicates", "bad.run", "4", "1"],
        ["info", "list-lengths", "bad.run", "1", "1"],
        ["info", "tags", "bad.run", "1", "1"],
    ]
    assert rows[0][9] == "q1 Q0 d2 3 17 t"
    assert here.joinpath("bad.run").exists()


@pytest.mark.usefixtures("here")
def test_json(truerank: Any) -> None:
    document = json.loads(truerank("lint", "qrels.txt", "bad.run", "--format", "json").stdout)
    assert (document["ok"], document["inputs"]) == (False, ["qrels.txt", "bad.run"])
    assert [finding["check"] for finding in document["findings"]] == ["duplicates", "list-lengths", "tags"]
    assert document["findings"][0]["places"] == [{"line": 4, "text": "q1 Q0 d2 3 17 t"}]
    assert document["fixed"] == []


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.usefixtures("here")
def test_other_formats(truerank: Any, form: str) -> None:
    done = truerank("lint", "qrels.txt", "bad.run", "--format", form)
    assert done.exit_code == 1
    assert "repeated document" in done.stdout


def test_out(truerank: Any, here: Path) -> None:
    assert truerank("lint", "qrels.txt", "bad.run", "--out", "found.json").exit_code == 1
    assert json.loads((here / "found.json").read_text())["findings"]


def test_fix(truerank: Any, here: Path) -> None:
    done = truerank("lint", "qrels.txt", "bad.run", "--fix")
    assert done.exit_code == 0
    assert "bad.fixed.run written: 1 line with a repeated document dropped" in done.stderr
    assert (here / "bad.fixed.run").read_text() == RUN.replace("q1 Q0 d3 3 17 t\n", "")
    assert truerank("lint", "qrels.txt", "bad.fixed.run").exit_code == 0
    document = json.loads(truerank("lint", "bad.run", "--fix", "--force", "--format", "json").stdout)
    [copy] = document["fixed"]
    assert (copy["copy"], copy["done"]) == ("bad.fixed.run", ["1 line with a repeated document dropped"])
    assert [note["code"] for note in document["notes"]] == ["TR601"]
    again = truerank("lint", "qrels.txt", "bad.run", "--fix")
    assert (again.exit_code, "bad.fixed.run" in again.stderr, "--force" in again.stderr) == (2, True, True)
    assert truerank("lint", "qrels.txt", "bad.run", "--fix", "--force").exit_code == 0


def test_standard_input(truerank: Any, here: Path) -> None:
    done = truerank("lint", "qrels.txt", "-", input=(here / "bad.run").read_text())
    assert done.stdout.splitlines()[1].split("\t")[:4] == ["error", "duplicates", "<stdin>", "4"]
    assert truerank("lint", "-", "t.run", input=QRELS).exit_code == 0
    assert truerank("lint", "-", input=RUN.replace("d2", "d3")).exit_code == 1


def test_many_files_are_summed_up_for_people(truerank: Any, here: Path) -> None:
    for number in range(5):
        (here / f"{number}.run").write_text(RUN)
    done = truerank("lint", "qrels.txt", *(f"{number}.run" for number in range(5)), "--format", "table")
    assert done.stdout.count("the tag is") == 3
    assert done.stdout.startswith("All 6 files can be scored; 5 remarks, nothing to mend.")
    assert done.stdout.endswith("\n3 of 5 findings shown: --top 5\n6 files: 5 info\n")
    done = truerank("lint", "qrels.txt", *(f"{number}.run" for number in range(5)), "--format", "table", "--top", 5)
    assert done.stdout.count("the tag is") == 5
    assert "not shown" not in done.stdout
