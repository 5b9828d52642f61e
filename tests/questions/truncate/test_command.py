from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Command = Callable[..., Result]


@pytest.fixture
def cut(truerank: Command, files: Path) -> Command:
    """Truncates the two runs."""
    given = [files / "qrels.txt", files / "tied.run", files / "good.run"]

    def run(*args: object) -> Result:
        return truerank("truncate", *given, *args)

    return run


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_a_row_a_measure_and_words_below(cut: Command) -> None:
    done = cut("-m", "RBPU F", "--no-relevant", "skip")
    assert [row["measure"] for row in rows(done.stdout)] == ["RBPU", "F"]
    assert {"whole", "best", "loss", "empty", "uncut", "median_length"} <= rows(done.stdout)[0].keys()
    assert "RBPU: the best length is 0 in 0% of lists" in done.stderr


def test_without_measures_they_are_those_of_the_paper(cut: Command) -> None:
    assert len(rows(cut().stdout)) == 16


@pytest.mark.parametrize(("show", "count"), [("summary", 2), ("runs", 4), ("topics", 8), ("bins", 2 * (1 + 2 * 3))])
def test_what_is_shown(cut: Command, show: str, count: int) -> None:
    assert len(rows(cut("-m", "RBPU F", "--show", show).stdout)) == count


def test_bins_for_people_have_a_column_each(cut: Command) -> None:
    done = cut("-m", "ERRU F", "--show", "bins", "--format", "table")
    assert done.stdout.split("\n")[0].split() == ["measure", "empty", "1-4"]
    assert "relevant documents" in done.stdout


def test_systems_by_whole_lists_against_cut_ones(cut: Command) -> None:
    done = cut("-m", "RBPU(p=0.98) F", "--against", "AP nDCG", "--format", "table")
    lines = [line.split() for line in done.stdout.split("\n")]
    assert lines[0] == ["cut", "by", "AP", "nDCG"]
    assert "significant at 0.001" in done.stderr
    found = rows(cut("-m", "F", "--against", "AP", "--against", "nDCG ERR").stdout)
    assert [row["whole_measure"] for row in found] == ["AP", "nDCG", "ERR"]
    assert {"whole_measure", "cut_measure", "mean_tau_a", "mean_tau_b", "highest_p"} <= found[0].keys()


def test_more_collections(cut: Command, files: Path) -> None:
    other = files / "other"
    other.mkdir()
    for name in ("tied.run", "good.run"):
        (other / name).write_text((files / name).read_text())
    (files / "other.txt").write_text((files / "qrels.txt").read_text())
    for runs in (other, other / "*.run"):
        done = cut("-m", "F", "--against", "AP", "--also", files / "other.txt", runs)
        assert [row["collection"] for row in rows(done.stdout)] == ["qrels", "other"]
    document = json.loads(
        cut("-m", "F", "--also", files / "other.txt", other, "--format", "json", "--show", "bins").stdout
    )
    assert [one["collection"] for one in document["collections"]] == ["qrels", "other"]
    assert {row["collection"] for row in document["topics"]} == {"qrels", "other"}
    table = cut("-m", "F", "--also", files / "other.txt", other, "--format", "table", "--show", "bins").stdout
    assert table.split("\n")[0].split() == ["collection", "measure", "empty", "1-4"]


@pytest.mark.parametrize(
    ("run", "options"),
    [
        ("q1\tc#1\t3\nq1\ta#2\t2\n", ["--chunks", "#"]),
        ("q1\tc#1\t1\nq1\tc#2\t1\nq1\ta#2\t1.5\n", ["--chunks", "#", "--aggregate", "sum"]),
        ("q1\tc\t1\nq1\ta\t2\n", ["--lower-is-better"]),
        ("q1\ta\t2\t1\nq1\tc\t1\t2\n", ["--columns", "topic=topic,doc=doc,score=mine"]),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_more_collections_are_read_alike(truerank: Command, files: Path, run: str, options: list[str]) -> None:
    """Read as the options say, c comes first; the judgments have columns that do not tell what they hold."""
    head = "topic\tdoc\tother\tmine\n" if "--columns" in options else "topic\tdoc\tscore\n"
    (files / "one.tsv").write_text(head + run)
    (files / "more").mkdir()
    (files / "more" / "two.tsv").write_text(head + run)
    for name in ("qrels", "more"):
        (files / f"{name}.tsv").write_text("q\td\tg\tx\nq1\ta\t0\t5\nq1\tb\t1\t5\nq1\tc\t2\t5\n")
    given = [files / "qrels.tsv", files / "one.tsv", "--also", files / "more.tsv", files / "more", *options]
    given += ["--qrels-columns", "topic=q,doc=d,grade=g", "-m", "nDCG@1", "--show", "runs"]
    done = truerank("truncate", *given)
    assert done.exit_code == 0, done.output
    found = [(row["collection"], row["whole"]) for row in rows(done.stdout)]
    # Runs that are called alike are the same system.
    assert found[:2] == [("qrels", "1.0"), ("qrels", "")]
    assert [one for one in found if one[1]] == [("qrels", "1.0"), ("more", "1.0"), ("mean", "1.0"), ("mean", "1.0")]


def test_json_has_everything(cut: Command) -> None:
    document = json.loads(cut("-m", "F", "--format", "json").stdout)
    [one] = [row for row in document["topics"] if (row["run"], row["topic"]) == ("good", "q1")]
    assert (one["length"], one["relevant"]) == (2, 2)
    assert {"conventions", "summary", "runs", "bins", "notes"} <= document.keys()
    assert document["against"] == []
    both = json.loads(cut("-m", "F", "--against", "AP RR", "--format", "json").stdout)
    assert (len(both["against"]), len(both["taus"]), len(both["systems"])) == (2, 2, 6)


def test_figures(cut: Command, files: Path) -> None:
    pytest.importorskip("altair")
    drawn = []
    for show in ((), ("--show", "against")):
        done = cut("-m", "F RBPU nDCGT", "--against", "AP", *show, "--plot", files / "figure.svg")
        assert done.exit_code == 0, done.output
        assert ElementTree.parse(files / "figure.svg").getroot().tag.endswith("svg")
        drawn.append((files / "figure.svg").read_text())
    assert ["by whole lists" in text for text in drawn] == [False, True]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--show", "against"), "--show against needs --against"),
        (("--plot", "nowhere/x.svg", "--against", "AP"), "there is no folder nowhere"),
        (("--plot", "figure.doc"), "figure.doc"),
        (("--also", "qrels", "/nowhere"), "/nowhere: matches no file; give a folder or a pattern"),
        (("--ties", "bounds"), "bounds"),
        (("--limit", "5"), "no such option"),
    ],
)
def test_what_cannot_be_done_is_refused(cut: Command, args: tuple[str, ...], message: str) -> None:
    done = cut(*args)
    assert done.exit_code != 0
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
