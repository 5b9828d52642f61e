"""Parameters fitted to people: recovered from people who behave by them, and what is refused."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from tests.questions.calibrate.people import clicking, lists, preferring, reading
from tests.quick import first

import truerank as tr
from truerank.cli.main import program
from truerank.data.errors import InputError
from truerank.questions.calibrate.likelihood import of_clicks, of_preferences, of_reading
from truerank.questions.calibrate.observations import observed

pytest.importorskip("scipy.special")


def by_parameter(found: tr.Calibration) -> dict[str, Any]:
    return {row.parameter: row for row in found.fitted}


def test_the_depth_of_readers_gives_p_in_closed_form() -> None:
    """Readers who stop s times and go on g times have p = g / (g + s); who came to the end may have gone on."""
    qrels, runs, rows = reading(1, 0.8, 4, topics=40)
    ends = {topic: len(docs) for topic, docs in runs["r0"].items()}
    on = sum(read - 1 for _, _, read in rows)
    stopped = sum(read < ends[topic] for topic, _, read in rows)
    found = by_parameter(tr.calibrate("RBP", qrels=qrels, run=runs, reading=rows, resamples=100))["p"]
    assert found.value == pytest.approx(on / (on + stopped), abs=2e-4)
    assert found.low < found.value < found.high


def test_seconds_are_documents_by_how_long_one_takes() -> None:
    qrels, runs, rows = reading(1, 0.8, 2, topics=12)
    timed = [(topic, run, 30.0 * read) for topic, run, read in rows]
    one, other = (
        tr.calibrate("RBP", qrels=qrels, run=runs, reading=some, seconds=by, resamples=100).fitted
        for some, by in ((rows, None), (timed, 30.0))
    )
    assert one[0].value == other[0].value


def test_who_reads_part_of_a_document_has_come_to_it() -> None:
    qrels, runs, _ = reading(1, 0.8, 1, topics=2)
    whole, part = (
        tr.calibrate("RBP", qrels=qrels, run=runs, reading=[("q0", "r0", read), ("q1", "r0", 1)], resamples=100).fitted
        for read in (3, 2.5)
    )
    assert whole == part


MADE: dict[str, tuple[Callable[[int], Any], str, str, float]] = {
    "reading": (lambda seed: reading(seed, 0.85, 5, topics=30), "RBP", "p", 0.85),
    "clicks": (lambda seed: clicking(seed, 0.85, 10, (0.1, 0.6), topics=30), "RBP", "p", 0.85),
    "preferences": (
        lambda seed: preferring(seed, "OIE(size=1000,beta=1.3)", 0.4, 12, topics=40),
        "OIE(size=1000)",
        "beta",
        1.3,
    ),
}


@pytest.mark.parametrize("kind", first(1, MADE))
def test_what_people_behave_by_is_found_again(kind: str) -> None:
    """Twelve intervals of 95%, of which by chance two or more miss in less than one case of eight, four in 500."""
    make, measure, name, truth = MADE[kind]
    within, values = 0, []
    for seed in range(12 if kind != "preferences" else 4):
        qrels, runs, rows = make(100 + seed)
        found = by_parameter(tr.calibrate(measure, qrels=qrels, run=runs, resamples=100, **{kind: rows}))[name]
        within += found.low <= truth <= found.high
        values.append(found.value)
    assert within >= len(values) - 3
    # In the coordinate that is fitted, the median is near.
    far = [math.log(1 - one if name == "p" else one - 1) for one in (float(np.median(values)), truth)]
    assert abs(far[0] - far[1]) < 0.35


@pytest.mark.thorough
def test_two_parameters_at_once() -> None:
    qrels, runs, rows = preferring(3, "RBPU(p=0.9,e=0.3)", 20.0, 12, topics=40)
    found = tr.calibrate("RBPU", qrels=qrels, run=runs, preferences=rows, resamples=100)
    of = by_parameter(found)
    p, e = of["p"].value, of["e"].value
    assert abs(math.log((1 - p) / 0.1)) < 0.45
    assert abs(math.log(e / 0.3)) < 0.45
    assert of["p"].log_likelihood >= of["p"].log_likelihood_given
    assert found.clustered_by == "topic"


def test_the_likelihood_of_preferences_is_that_of_a_logistic_regression() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(0)
    d, y, w = rng.normal(size=50), rng.choice([0.0, 0.5, 1.0], 50), rng.integers(0, 3, 50).astype(float)

    def lost(s: float) -> float:
        return -float((w * (y * s * d - np.logaddexp(0, s * d))).sum())

    best = optimize.minimize_scalar(lost, bounds=(0, 50), method="bounded", options={"xatol": 1e-10})
    log, strength = of_preferences(d[None], y, w[None])
    assert log[0, 0] == pytest.approx(-best.fun, abs=1e-9)
    assert strength[0, 0] == pytest.approx(max(best.x, 0.0), abs=1e-4)


def test_the_likelihood_of_clicks_is_the_highest_over_what_kinds_attract() -> None:
    rng = np.random.default_rng(1)
    v = np.array([[0.9**i for i in range(10)] * 3])
    kind = np.repeat([0, 1, 0], 10)
    shown, hit = np.full(30, 20.0), rng.integers(0, 10, 30).astype(float)
    found = of_clicks(v, kind, np.zeros(30, np.int64), shown, hit, np.ones((1, 1)))[0, 0]
    best = 0.0
    for one in (0, 1):
        mine = kind == one
        every = []
        for a in np.linspace(0.001, 0.999, 4000):
            c = v[0, mine] * a
            every.append((hit[mine] * np.log(c) + (shown - hit)[mine] * np.log(1 - c)).sum())
        best += max(every)
    assert found == pytest.approx(best, abs=1e-3)


def test_readers_at_the_end_of_a_list_count_as_going_on() -> None:
    on = np.full((1, 1, 4), 0.5)
    lists_, none = np.zeros(3, np.int64), np.zeros(3, np.int64)
    found = of_reading(on, lists_, np.array([1, 2, 4]), np.full(3, 4), none, np.ones((1, 1)))
    assert found[0, 0] == pytest.approx(math.log(0.5) + math.log(0.25) + 3 * math.log(0.5))


def test_files_with_and_without_a_header_line() -> None:
    plain = observed("preferences", io.StringIO("q1 a b b u1\nq2 b a tie u2\n"))
    named = observed("preferences", io.StringIO("topic,preferred,a,b,user\nq1,b,a,b,u1\nq2,=,b,a,u2\n"))
    assert plain == named
    assert [one.value for one in plain] == [0.0, 0.5]
    clicks = observed("clicks", io.StringIO("q1 a 1,3\nq2 a -\n"))
    assert [one.value for one in clicks] == [(1, 3), ()]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"reading": [("q0", "r0", 1)], "run": None}, "reading are about lists of runs; give qrels and run, too"),
    ({"reading": [("q0", "r0", 1)], "silence_at": 20}, "silence_at decides the parameter, and so do reading"),
    ({"parameter": "p", "run": None, "qrels": None}, "parameter is about fitting to people"),
    ({"clicks": [("q0", "r0", [1])], "reading": [("q0", "r0", 1)]}, "not clicks and reading"),
    ({"preferences": [("q0", "r0", "r9", "r0")]}, "name the run 'r9', which is not given"),
    ({"preferences": [("q0", "r0", "r1", "r2")]}, "'r2' is neither 'r0' nor 'r1' nor 'tie'"),
    ({"preferences": [("q0", "r0", "r0", "r0")]}, "'r0' is held against itself"),
    ({"preferences": [("zz", "r0", "r1", "r0")]}, "no topic in common"),
    ({"clicks": [("q0", "r0", [11])]}, "rank 11 of run 'r0' was clicked"),
    ({"clicks": [("q0", "r0", "first")]}, "'first' is no rank"),
    ({"reading": [("q0", "r0", 0)]}, "is not a number above 0"),
    ({"reading": [("q0", "r0", 2)], "measures": "AP"}, "AP does not say how readers go down a list"),
    ({"reading": [("q0", "r0", 2)], "measures": "RBPU", "parameter": "e"}, "e cannot be fitted to these; it has p"),
    ({"preferences": [("q0", "r0", "r1", "r0")], "measures": "AP"}, "AP has no parameter that can be fitted"),
    ({"clicks": [("q0", "r0", [1])], "seconds": 3.0}, "give it with reading"),
]


@pytest.mark.parametrize(("given", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_cannot_be_used_is_refused(given: dict[str, Any], said: str) -> None:
    qrels, runs = lists(0, topics=2)
    with pytest.raises(InputError, match=said):
        tr.calibrate(**{"qrels": qrels, "run": runs, "resamples": 100, **given})


def test_the_command_names_the_line_of_a_mistake_and_prints_what_it_found(tmp_path: Path) -> None:
    qrels, runs, rows = reading(1, 0.8, 2, topics=12)
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items()))
    (tmp_path / "r0").write_text(
        "".join(f"{t} Q0 {d} {i} {-i} r0\n" for t, docs in runs["r0"].items() for i, d in enumerate(docs))
    )
    file = tmp_path / "depth.tsv"
    file.write_text("topic\trun\tread\n" + "".join(f"{t}\t{r}\t{n}\n" for t, r, n in rows))
    given = [
        "calibrate",
        "--qrels",
        str(tmp_path / "qrels"),
        "--run",
        str(tmp_path / "r0"),
        "-m",
        "RBP",
        "--reading",
        str(file),
        "--resamples",
        "100",
    ]
    done = CliRunner().invoke(program, [*given, "--format", "json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["parameters"][0]["parameter"] == "p"
    assert found["observations"] == 24
    file.write_text("q0 r0 3\nq0 r0 many\n")
    done = CliRunner().invoke(program, given)
    assert done.exit_code != 0
    assert "depth.tsv" in done.output
    assert "line 2" in done.output or ":2" in done.output


def test_notes_tell_the_value_its_end_and_few_topics() -> None:
    qrels, runs, _ = reading(1, 0.8, 1, topics=2)
    rows = [("q0", "r0", 20), ("q1", "r0", 20), ("zz", "r0", 1)]
    found = tr.calibrate("RBP", qrels=qrels, run=runs, reading=rows, resamples=100)
    assert [*map(str, found.own_notes("parameters"))] == [
        "RBP: p = 0.998 (0.998 to 0.998)",
        "RBP: p = 0.998 is the end of the values that were tried; what was seen bounds it on one side only",
        "intervals come from 2 topics; with fewer than 10 they are too narrow",
    ]
    assert "1 observation of topics without judgments left out" in map(str, found.notices)
    rows = [("q0", "r0", "r1", "r0", "ann"), ("q1", "r0", "r1", "r0", "ann"), ("q1", "r1", "r2", "tie", "bob")]
    found = tr.calibrate("RBPU(p=0.5)", qrels=qrels, run=runs, preferences=rows, parameter="e", resamples=100)
    [row], told = found.fitted, [*map(str, found.own_notes("parameters"))]
    first = f"RBPU(p=0.5): e = {row.value:.4g} ({row.low:.4g} to {row.high:.4g}); "
    assert told[0] == f"{first}{row.agrees:.0%} of preferences agree, {row.agrees_given:.0%} with 0.05"
    assert told[-1] == "intervals come from 2 users; with fewer than 10 they are too narrow"
