from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import truerank as tr
from truerank.questions.pool.question import leave_out, pools

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def track(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of a simulated track, the judgments first."""
    folder = tmp_path_factory.mktemp("track")
    return tr.simulate(systems=12, topics=8, seed=5, pool_depth=10, depth=60).write(folder)


def test_who_contributed(truerank: Command, track: list[Path]) -> None:
    expected = pools(track[0], track[1:])
    done = truerank("pool", *track)
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head[:4] == ["run", "contributes", "pool_depth", "judged_to"]
    assert {row[0] for row in rows if row[1] == "yes"} == {*expected.contributors}
    assert len(rows) == 12
    assert done.stderr.splitlines()[0] == f"note: {expected.notes()[0]}"
    found = json.loads(truerank("pool", *track, "--format", "json").stdout)
    assert (found["depth"], found["certainty"], found["ties"]) == (10, expected.certainty, "input")
    assert found["contributors"] == [*expected.contributors]


def test_a_depth_and_runs_that_are_known(truerank: Command, track: list[Path]) -> None:
    options = ("--depth", 3, "--all-runs", "--pool-ties", "docid", "--precision", "float32", "--format", "json")
    found = json.loads(truerank("pool", *track, *options).stdout)
    assert (found["depth"], len(found["contributors"]), found["ties"]) == (3, 12, "docid")


@pytest.mark.parametrize("by", ["run", "group"])
def test_what_each_loses(truerank: Command, track: list[Path], by: str) -> None:
    rule = ["--group-by", "[a-z]+"] if by == "group" else []
    done = truerank("pool", *track, "--leave-out", by, *rule, "-m", "AP", "--ties", "docid")
    expected = leave_out(track[0], track[1:], "AP", by=by, groups=rule[-1] if rule else None, ties="docid")
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head == [
        *("measure", "unjudged", "run", *["group"] * (by == "group"), "score", "without", "loss", "relative"),
        *("rank", "rank_without", "removed", "removed_relevant"),
    ]
    assert [(row[1], row[2]) for row in rows] == [(one.unjudged, one.run) for one in expected.losses]
    assert [row[head.index("loss")] for row in rows] == [repr(float(f"{one.loss:.10g}")) for one in expected.losses]
    assert done.stderr.splitlines() == [f"note: {note}" for note in expected.notes()]


def test_people_see_the_largest_losses(truerank: Command, track: list[Path]) -> None:
    options = ("--leave-out", "run", "-m", "P@5", "--unjudged", "nonrelevant", "--format", "table", "--all-runs")
    done = truerank("pool", *track, *options, "--depth", 2)
    assert len([line for line in done.stdout.splitlines() if line.startswith("P@5")]) == 10
    assert "10 of 12 losses shown: --top 12" in done.stdout
    assert truerank("pool", *track, *options, "--depth", 2, "--top", "3").stdout.count("P@5 ") == 3


def test_files_that_are_written_can_be_read(truerank: Command, track: list[Path], tmp_path: Path) -> None:
    shallow, todo = tmp_path / "shallow.qrels", tmp_path / "todo.qrels"
    options = ("--depth", 4, "--all-runs", "--restrict", shallow, "--to-judge", todo)
    done = truerank("pool", *track, *options)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith(f"note: {shallow}: judgments are those of a pool 4 deep of 12 runs: ")
    lines = todo.read_text().splitlines()
    assert lines
    assert all(line.endswith(" -1") for line in lines)
    judged = {line.split()[0] + line.split()[2] for line in track[0].read_text().splitlines()}
    assert not {line.split()[0] + line.split()[2] for line in lines} & judged
    kept = shallow.read_text().splitlines()
    again = truerank("pool", "-", *track[1:], *options, input=track[0].read_text())
    assert (again.exit_code, shallow.read_text().splitlines(), todo.read_text().splitlines()) == (0, kept, lines)
    assert {*kept} < {*track[0].read_text().splitlines()}
    assert truerank("evaluate", shallow, track[1]).exit_code == 0


def test_a_pool_needs_no_judgments(truerank: Command, track: list[Path]) -> None:
    done = truerank("pool", *track[1:3], "--depth", 1, "--to-judge", "-")
    assert done.exit_code == 0
    assert 8 <= len(done.stdout.splitlines()) <= 16
    assert "documents are to be judged, of a pool 1 deep of 2 runs" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--restrict", "x"], "--restrict is about a pool of some depth; add --depth"),
        (["--to-judge", "x"], "--to-judge is about a pool of some depth; add --depth"),
        (["--depth", "0"], "'--depth'"),
        (["--depth", "5", "--restrict", "x", "--leave-out", "run"], "give one of them"),
        (["--depth", "5", "--restrict", "x", "--to-judge", "x"], "x is where --restrict goes, too; name another file"),
        (["--group-by", "a"], "add --leave-out group"),
        (["--show", "summaries"], "--show summaries needs --leave-out"),
        (["-m", "AP"], "--measure is about scores; add --leave-out"),
        (["--no-relevant", "skip"], "--no-relevant is about scores; add --leave-out"),
        (["--depth", "60", "--restrict", "x"], "cannot be restricted to depth 60: it is 10 deep"),
        (["--leave-out", "group", "--group-by", "("], "no regular expression"),
        (["--leave-out", "run", "--unjudged", "bounds"], "'bounds' is not one of 'nonrelevant', 'condensed'"),
        (["--depth", "3", "--restrict", "nowhere/x"], "there is no folder nowhere; make it first"),
    ],
)
def test_errors_are_one_line(
    truerank: Command, track: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = truerank("pool", *track, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_files_in_another_order_are_refused(truerank: Command, track: list[Path]) -> None:
    assert "name the judgments before the runs" in truerank("pool", *track[1:]).stderr
    assert "name the runs after the judgments" in truerank("pool", track[0]).stderr
