from __future__ import annotations

from pathlib import Path
from typing import Any

import truerank as tr


def test_a_simulated_track_can_be_evaluated(truerank: Any, tmp_path: Path) -> None:
    done = truerank("simulate", "--out", tmp_path / "track", "--systems", 3, "--topics", 4, "--depth", 50)
    paths = done.stdout.splitlines()
    assert [Path(path).name for path in paths] == ["qrels.txt", "bm25-01.run", "dense-01.run", "boolean-01.run"]
    means = truerank("evaluate", *paths, "-m", "nDCG@10").stdout.splitlines()
    track = tr.simulate(systems=3, topics=4, depth=50)
    expected = tr.evaluate(track.qrels, track.runs, "nDCG@10").means()
    assert means[1:] == [f"{run}\t{scores['nDCG@10']!r}" for run, scores in expected.items()]


def test_every_option_is_heard(truerank: Any, tmp_path: Path) -> None:
    chosen = {"systems": 2, "topics": 3, "seed": 4, "depth": 20, "pool_depth": 5, "grades": 1}
    args = [word for name, value in chosen.items() for word in (f"--{name.replace('_', '-')}", value)]
    paths = truerank("simulate", "--out", tmp_path / "one", *args).stdout.splitlines()
    expected = tr.simulate(**chosen).write(tmp_path / "two")
    assert [Path(path).read_bytes() for path in paths] == [path.read_bytes() for path in expected]
