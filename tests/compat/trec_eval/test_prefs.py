"""trec_eval's measures of preferences: its own expected output, a slow twin, and cases worked out by hand."""

from __future__ import annotations

import gzip
import io
import random
from itertools import permutations
from pathlib import Path

import pytest
from tests.parity.printed import parse
from tests.parity.shared import need

from truerank.compat.trec_eval.files import read_lines
from truerank.compat.trec_eval.prefs import MEASURES, evaluate
from truerank.data.errors import InputError
from truerank.data.run import Run
from truerank.io.trec import GROUPED, read_run

PREFERENCES = """\
q1 ann s1 a 3
q1 ann s1 b 2
q1 ann s1 c 1
q1 ann s1 d 0
q1 bob s1 b 1
q1 bob s1 c 1
q1 bob s1 a 0
"""


def run_of(ranking: str, topic: str = "q1") -> Run:
    """A run that ranks documents with names of one letter."""
    lines = (f"{topic} Q0 {doc} {place} {-place} t" for place, doc in enumerate(ranking))
    return read_run(io.StringIO("\n".join(lines)))


def scores(text: str, ranking: str) -> dict[str, float]:
    return evaluate(io.StringIO(text), run_of(ranking), "prefs", level=1)["q1"]


@pytest.mark.parametrize(
    ("expected", "judgments", "results", "form"),
    [
        ("out.test.prefs", "prefs.test", "prefs.results.test", "prefs"),
        ("out.test.prefs", "prefs.comment.test", "prefs.results.test", "prefs"),
        ("out.test.qrels_prefs", "qrels.test", "results.test", "qrels_prefs"),
    ],
)
def test_every_printed_digit(expected: str, judgments: str, results: str, form: str) -> None:
    theirs = parse(need("trec_eval", expected).read_text())
    run = read_run(need("trec_eval", results))
    values = evaluate(need("trec_eval", judgments), run, form, level=1)  # type: ignore[arg-type]
    ours = {}
    for measure in MEASURES:
        column = {topic: value[measure] for topic, value in values.items()}
        total = sum(column.values())
        column["all"] = total if "num_prefs" in measure else total / len(values)
        for topic, value in column.items():
            ours[measure, topic] = f"{value:.0f}" if "num_prefs" in measure else f"{value:.4f}"
    assert ours == {key: value for key, value in theirs.items() if key[0] not in ("num_q", "runid")}


def test_the_order_is_that_of_trec_eval() -> None:
    printed = [
        measure for measure, topic in parse(need("trec_eval", "out.test.prefs").read_text()) if topic == "1.EC.AB"
    ]
    assert [*MEASURES] == printed


def test_worked_out_by_hand() -> None:
    assert scores(PREFERENCES, "ba") == pytest.approx(
        {
            "prefs_num_prefs_poss": 8,
            "prefs_num_prefs_ful": 5,
            "prefs_num_prefs_ful_ret": 1,
            "prefs_simp": 5 / 8,
            "prefs_pair": (1 / 2 + 1 / 2 + 1 + 1 + 1 + 0) / 6,
            "prefs_avgjg": (4 / 6 + 1 / 2) / 2,
            "prefs_avgjg_Rnonrel": (8 / 12 + 2 / 4) / 2,
            "prefs_simp_ret": 1 / 2,
            "prefs_pair_ret": 1 / 2,
            "prefs_avgjg_ret": (0 / 1 + 1 / 1) / 2,
            "prefs_avgjg_Rnonrel_ret": (4 / 7 + 1 / 1) / 2,
            "prefs_simp_imp": 5 / 7,
            "prefs_pair_imp": (1 / 2 + 1 / 2 + 1 + 1 + 1) / 5,
            "prefs_avgjg_imp": (4 / 5 + 1 / 2) / 2,
        }
    )


@pytest.mark.parametrize(
    ("lines", "ranking", "measure", "value"),
    [
        # a > b and b > c are said, a > c follows; a and d were never compared.
        (["s1 a 2", "s1 b 1", "s2 b 9", "s2 c 8", "s3 c 2", "s3 d 1"], "abcd", "prefs_num_prefs_poss", 6),
        (["s1 a 2", "s1 b 1", "s2 c 2", "s2 d 1"], "abcd", "prefs_num_prefs_poss", 2),
        # What two subgroups say is said once; what stands twice in one subgroup counts twice.
        (["s1 a 2", "s1 b 1", "s2 a 9", "s2 b 8"], "ab", "prefs_num_prefs_poss", 1),
        (["s1 a 2", "s1 b 1", "s1 b 1"], "ab", "prefs_num_prefs_poss", 2),
        (["s1 a 2", "s1 b 1", "s1 b 1"], "ab", "prefs_pair", 1),
        # One relevant document, so that of b and c the one that the run has first stays. With one subgroup a, b and c
        # all count as preferred to it.
        (["s1 a 1", "s1 b 0", "s1 c 0"], "bac", "prefs_avgjg_Rnonrel", 0 / 3),
        (["s1 a 1", "s1 b 0", "s1 c 0"], "abc", "prefs_avgjg_Rnonrel", 1 / 3),
        (["s1 a 1", "s1 b 0", "s2 a 1", "s2 c 0"], "bac", "prefs_avgjg_Rnonrel", 0 / 1),
        (["s1 a 1", "s1 b 0", "s2 a 1", "s2 c 0"], "abc", "prefs_avgjg_Rnonrel", 1 / 1),
        # Nothing relevant: there is no preference, and no share.
        (["s1 a 0", "s1 b 0"], "ab", "prefs_avgjg_Rnonrel", 0),
        (["s1 a 1"], "b", "prefs_simp", 0),
    ],
)
def test_cases(lines: list[str], ranking: str, measure: str, value: float) -> None:
    assert scores("\n".join(f"q1 ann {line}" for line in lines), ranking)[measure] == pytest.approx(value)


def slow(groups: list[set[tuple[str, str]]], ranking: str, docs: str) -> dict[str, float]:
    """Shares of fulfilled preferences, pair by pair."""

    def fulfilled(better: str, worse: str) -> bool:
        return better in ranking and (worse not in ranking or ranking.index(better) < ranking.index(worse))

    values = {}
    for scope, least in (("", 0), ("_ret", 2), ("_imp", 1)):
        seen = [{pair for pair in group if sum(doc in ranking for doc in pair) >= least} for group in groups]
        good = [sum(fulfilled(*pair) for pair in group) for group in seen]
        values[f"prefs_simp{scope}"] = sum(good) / max(sum(map(len, seen)), 1)
        values[f"prefs_avgjg{scope}"] = sum(g / max(len(s), 1) for g, s in zip(good, seen, strict=True)) / len(groups)
        shares = []
        for one, other in permutations(docs, 2):
            said = [sum(pair in group for group in seen) for pair in ((one, other), (other, one))]
            if one < other and any(said):
                shares.append((fulfilled(one, other) * said[0] + fulfilled(other, one) * said[1]) / sum(said))
        values[f"prefs_pair{scope}"] = sum(shares) / max(len(shares), 1)
    return values


@pytest.mark.parametrize("seed", range(40))
def test_against_counting_pairs(seed: int) -> None:
    rng = random.Random(seed)
    docs = "abcdefg"
    lines, groups = [], []
    for name in "xyz"[: rng.randint(1, 3)]:
        grade = {doc: rng.randrange(4) for doc in docs}
        pairs: set[tuple[str, str]] = set()
        for part in range(rng.randint(1, 4)):
            judged = rng.sample(docs, rng.randint(1, 4))
            lines += [f"q1 {name} {part} {doc} {grade[doc]}" for doc in judged]
            pairs |= {(a, b) for a, b in permutations(judged, 2) if grade[a] > grade[b]}
        for middle in docs:
            pairs |= {(a, d) for a, b in pairs for c, d in pairs if b == c == middle}
        groups.append(pairs)
    rng.shuffle(lines)
    ranking = "".join(rng.sample(docs + "uvw", rng.randint(1, 9)))
    expected = slow(groups, ranking, docs)
    found = scores("\n".join(lines), ranking)
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_equal_scores_stand_in_ascending_order_of_documents() -> None:
    run = read_run(io.StringIO("q1 Q0 b 1 1.0 t\nq1 Q0 a 2 1.0 t\nq1 Q0 c 3 1.00000001 t"))

    def found(better: str, worse: str, **options: str) -> float:
        text = io.StringIO(f"q1 0 {better} 1\nq1 0 {worse} 0")
        return evaluate(text, run, "qrels_prefs", level=1, **options)["q1"]["prefs_simp"]  # type: ignore[arg-type]

    assert found("a", "b") == 1.0
    assert found("b", "a") == 0.0
    assert found("c", "a") == 1.0
    assert found("c", "a", precision="float32") == 0.0


def test_lists_are_cut_at_a_depth() -> None:
    text = "q1 0 a 2\nq1 0 b 1"
    found = [
        evaluate(io.StringIO(text), run_of("xba"), "qrels_prefs", level=1, depth=depth)["q1"]["prefs_simp_imp"]
        for depth in (1, 2, 3)
    ]
    assert found == [0.0, 0.0, 0.0]
    cut = evaluate(io.StringIO(text), run_of("xab"), "qrels_prefs", level=1, depth=2)["q1"]
    assert (cut["prefs_num_prefs_ful"], cut["prefs_num_prefs_ful_ret"]) == (1, 0)


def test_the_level_changes_nothing() -> None:
    one, two = (evaluate(io.StringIO(PREFERENCES), run_of("bac"), "prefs", level=level) for level in (1, 3))
    assert one == two


def test_only_topics_in_both() -> None:
    text = io.StringIO("q1 0 a 1\nq1 0 b 0\nq0 0 a 1")
    assert [*evaluate(text, run_of("ab"), "qrels_prefs", level=1)] == ["q1"]
    assert evaluate(io.StringIO("q9 0 a 1"), run_of("ab"), "qrels_prefs", level=1) == {}


def test_any_source(tmp_path: Path) -> None:
    text = "# said by ann\n\n" + PREFERENCES.replace(" ", "\t ")
    packed = tmp_path / "prefs.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    run = run_of("ba")
    values = [
        evaluate(source, run, "prefs", level=1) for source in (packed, io.StringIO(text), io.BytesIO(text.encode()))
    ]
    lines = read_lines(io.StringIO(text), GROUPED)
    assert evaluate(lines, run, "prefs", level=1) == evaluate(lines, run, "prefs", level=1) == values[0]
    assert values[0] == values[1] == values[2] == {"q1": scores(PREFERENCES, "ba")}


def test_ids_that_are_no_text() -> None:
    run = read_run(io.BytesIO(b"\xff Q0 \xfe 1 1 t"))
    found = evaluate(io.BytesIO(b"\xff 0 \xfe 1\n\xff 0 \xfd 0"), run, "qrels_prefs", level=1)
    assert found["\udcff"]["prefs_simp"] == 1.0


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("q1 ann s1 a 1\nq1 ann s1 b\n", 2, "4 columns where a file of grouped preferences has 5"),
        ("q1 ann s1 a 1\n# no\nq1 ann s1 b high\n", 3, "the grade is 'high'"),
        ("q1 ann s1 a 1\nq1 ann s1 a 2\n", 2, "document 'a' has two different grades"),
        ("q1 ann s1 a 1\nq1 ann s1 b 2\nq1 ann s2 a 0\n", 1, "document 'a' has a grade of 0 and a higher one"),
        ("q1 ann s1 a 1\nq1 ann s1 b 2\nq1 ann s2 b 1\nq1 ann s2 a 2\n", 1, "each preferred to the other"),
        ("", None, "the file holds no lines"),
    ],
)
def test_refused(tmp_path: Path, text: str, line: int | None, problem: str) -> None:
    path = tmp_path / "prefs.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=problem) as refused:
        evaluate(path, run_of("ab"), "prefs", level=1)
    assert (refused.value.file, refused.value.line) == (str(path), line)


def test_a_longer_cycle_is_refused() -> None:
    pairs = ("ab", "bc", "ca")
    text = "\n".join(
        f"q1 ann s{at} {doc} {2 - place}" for at, pair in enumerate(pairs) for place, doc in enumerate(pair)
    )
    with pytest.raises(InputError, match="put opinions that differ in different groups"):
        scores(text, "abc")
