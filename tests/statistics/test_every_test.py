"""What holds for every test: its form, its level, its bits, and scores that leave it little to work with."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.statistics.tracks import alike, precisions, scores

from truerank.data.errors import InputError
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.tests import TESTS, Procedure, procedure

pytest.importorskip("scipy")

NAMES = sorted(TESTS)
DRAWN = [name for name in NAMES if TESTS[name].draws]


@pytest.fixture(params=NAMES)
def test(request: pytest.FixtureRequest) -> Procedure:
    return TESTS[request.param]


@pytest.mark.parametrize(("systems", "topics"), [(1, 1), (1, 7), (2, 1), (3, 2), (4, 30)])
@pytest.mark.parametrize("make", [scores, precisions], ids=lambda make: make.__name__)
def test_p_values_are_a_symmetric_matrix(test: Procedure, make, systems: int, topics: int) -> None:
    p = test(make(13, systems, topics), permutations=200).p
    assert p.shape == (systems, systems)
    assert (p == p.T).all()
    assert (np.diag(p) == 1).all()
    assert ((p >= 0) & (p <= 1)).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_test_knows_its_name(name: str) -> None:
    assert TESTS[name](scores(1, 2, 8)).test == name
    assert procedure(name) is TESTS[name]


def test_systems_that_do_not_differ(test: Procedure) -> None:
    values = scores(14, 1, 20).repeat(3, axis=0)
    assert (test(values).p == 1).all()
    assert (test(values + np.array([[0], [1e-17], [0]])).p == 1).all()
    noisy = values.copy()
    noisy[1] = np.nextafter(noisy[1], 1)
    assert (test(noisy).p == 1).all()


def test_a_constant_difference(test: Procedure) -> None:
    found = test(scores(15, 1, 20) + np.array([[0.0], [0.1], [0.0]]))
    assert found.p[0, 1] == found.p[1, 2] < 0.01
    assert found.p[0, 2] == 1


@pytest.mark.parametrize("name", ["student", "tukey"])
def test_that_nothing_varies_is_said(name: str) -> None:
    found = TESTS[name](scores(15, 1, 20) + np.array([[0.0], [0.1], [0.0]]))
    assert found.p[0, 1] == 2.0**-19
    assert "nothing varies and p is that of the signs, 1.9e-06: 2 pairs" in found.notes[1]


def test_two_topics_are_no_proof(test: Procedure) -> None:
    assert test([[0.5, 0.5], [0.0, 0.0]]).p[0, 1] >= 0.25


@pytest.mark.parametrize("name", ["wilcoxon", "sign", "randomization"])
def test_what_few_topics_show_is_exact(name: str) -> None:
    values = np.zeros((2, 50))
    values[0, :4] = 0.1, 0.2, 0.3, 0.4
    assert TESTS[name](values).p[0, 1] == 0.125


@pytest.mark.parametrize("name", ["student", "tukey", "bootstrap-shift"])
def test_that_few_topics_differ_is_said(name: str) -> None:
    values = np.zeros((2, 50))
    values[0, :4] = 0.1, 0.2, 0.3, 0.4
    assert "1 pair of systems differs on 5 topics or fewer" in TESTS[name](values, permutations=99).notes[-1]
    assert not any("fewer" in note for note in TESTS[name](scores(1, 2, 30), permutations=99).notes)


@pytest.mark.parametrize("name", ["wilcoxon", "sign", "randomization"])
def test_exact_tests_say_that_few_topics_differ_and_are_not_rough(name: str) -> None:
    values = np.zeros((2, 50))
    values[0, :5] = 0.1, 0.2, 0.3, 0.4, 0.5
    said = TESTS[name](values, permutations=99).notes
    assert said[-1] == "1 pair of systems differs on 5 topics or fewer, where no exact test finds p below .05"
    values[0, 5] = 0.6
    assert not any("fewer" in note for note in TESTS[name](values, permutations=99).notes)


@pytest.mark.parametrize(("name", "way"), [("sign", -1), ("wilcoxon", -1)])
def test_a_test_that_looks_at_signs_has_a_direction_of_its_own(name: str, way: int) -> None:
    values = np.zeros((2, 50))
    values[0, :40], values[0, 40:] = -0.01, 0.9
    values[0, 40:48] = -0.02
    found = TESTS[name](values)
    assert values[0].mean() > 0
    assert found.p[0, 1] < 0.05
    assert found.direction is not None
    assert found.direction.tolist() == [[0, way], [-way, 0]]


def test_one_topic_is_said(test: Procedure) -> None:
    found = test([[0.1], [0.9]])
    assert (found.p == 1).all()
    assert "1 topic" in found.notes[0] or "one topic" in found.notes[0]
    assert not test([[0.1]]).notes, "there is nothing to compare"


@pytest.mark.parametrize("topics", [3, 6, 30])
def test_no_p_is_smaller_than_the_least(test: Procedure, topics: int) -> None:
    values = alike(20, 2, topics) * 1e-3 + np.array([[0.0], [1.0]])
    found = test(values, permutations=99)
    assert found.least <= found.p[0, 1] + 1e-15
    if topics == 30 and found.least:
        assert found.p[0, 1] == pytest.approx(found.least, rel=0.3), "nothing can be further apart"


def test_all_scores_the_same(test: Procedure) -> None:
    found = test(np.full((3, 12), 0.5))
    assert (found.p == 1).all()
    assert found.notes == ("3 pairs of systems do not differ on any topic",)


def test_a_system_that_is_better_on_every_topic_is_found(test: Procedure) -> None:
    values = alike(16, 3, 40) * 0.1 + np.array([[0.5], [0.0], [0.0]])
    p = test(values, permutations=999).p
    assert (p[0, 1:] < 0.01).all()
    assert p[1, 2] > 0.05


def test_the_order_of_topics_and_of_a_pair_does_not_matter(test: Procedure) -> None:
    values = scores(17, 2, 9)
    p = test(values, permutations=2000).p[0, 1]
    near = 0.05 if test.draws else 1e-12
    assert test(values[:, ::-1], permutations=2000).p[0, 1] == pytest.approx(p, abs=near)
    assert test(values[::-1], permutations=2000).p[0, 1] == pytest.approx(p, abs=near)


@pytest.mark.parametrize("bad", [[], [0.1, 0.2], [[]], [["a"]], [[0.1], [0.1, 0.2]], None])
def test_what_is_not_a_table_is_refused(test: Procedure, bad: object) -> None:
    with pytest.raises(InputError, match="one row a system"):
        test(bad)  # type: ignore[arg-type]


def test_undefined_scores_are_refused(test: Procedure) -> None:
    with pytest.raises(InputError, match="system 1 has the score nan for topic 0"):
        test([[0.1, 0.2], [np.nan, 0.3]])


@pytest.mark.parametrize("name", DRAWN)
def test_threads_do_not_change_a_bit(name: str) -> None:
    values = scores(18, 4, 30)
    one, two, four = (TESTS[name](values, permutations=5000, seed=3, threads=threads).p for threads in (1, 2, 4))
    assert one.tobytes() == two.tobytes() == four.tobytes()
    assert one.tobytes() != TESTS[name](values, permutations=5000, seed=4).p.tobytes()


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_threads_do_not_change_an_interval(method: str) -> None:
    values = scores(18, 4, 30)
    one, two, four = (
        difference_intervals(values, method=method, permutations=3000, threads=threads).low for threads in (1, 2, 4)
    )
    assert one.tobytes() == two.tobytes() == four.tobytes()


@pytest.mark.parametrize("name", DRAWN)
def test_progress_counts_up_to_all_draws(name: str) -> None:
    told: list[tuple[int, int]] = []
    values = scores(19, 3, 20)
    TESTS[name](values, permutations=2500, progress=lambda done, total: told.append((done, total)), threads=2)
    assert [total for _, total in told] == [2500] * 3
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (2500, 2500)


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"permutations": 0}, "permutations=0; give a whole number from 1 on"),
        ({"permutations": 10.5}, "permutations=10.5"),
        ({"permutations": True}, "permutations=True"),
        ({"seed": -1}, "seed=-1; give a whole number from 0 on"),
        ({"seed": "a"}, "seed='a'"),
    ],
)
def test_draws_are_checked(name: str, given: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        TESTS[name](scores(1, 2, 20), **given)  # type: ignore[arg-type]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in NAMES if not TESTS[name].simultaneous])
@pytest.mark.parametrize("make", [alike, precisions], ids=lambda make: make.__name__)
def test_systems_that_are_alike_differ_as_often_as_the_level_says(name: str, make) -> None:
    """Of tracks with two systems that are alike, one in ten has p <= 0.1; discrete tests may find fewer."""
    tracks = 400
    found = sum(
        TESTS[name](make(seed, 2, 25), permutations=399, seed=seed, threads=1).p[0, 1] <= 0.1 for seed in range(tracks)
    )
    discrete = name == "sign"
    noise = 4 * np.sqrt(0.09 / tracks)
    assert (0.02 if discrete else 0.1 - noise) < found / tracks < 0.1 + noise


def test_in_tracks_of_systems_that_are_alike_a_pair_differs_as_often_as_the_level_says() -> None:
    """The same is asked of Tukey's own test by its intervals, which take less time."""
    tracks = 300
    found = 0
    for seed in range(tracks):
        p = TESTS["randomized-tukey"](alike(seed, 4, 15), permutations=299, seed=seed, threads=1).p
        found += bool((p <= 0.1).any())
    assert found / tracks == pytest.approx(0.1, abs=4 * np.sqrt(0.09 / tracks))


NUMPY_ONLY = tuple(name for name in NAMES if name != "tukey")


@pytest.mark.parametrize("name", NUMPY_ONLY)
def test_all_but_tukeys_need_numpy_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = scores(1, 2, 30)
    expected = TESTS[name](values, permutations=500).p
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    np.testing.assert_array_equal(TESTS[name](values, permutations=500).p, expected)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {*NUMPY_ONLY}))
def test_scipy_is_asked_for_by_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    values = scores(1, 2, 30)
    with pytest.raises(InputError, match=r"needs scipy; install truerank\[stats\]"):
        TESTS[name](values)


def test_unknown_names_are_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="test='anova' is not known; take one of student, wilcoxon"):
        procedure("anova")
