"""What is printed, by version, on a collection small enough to check by hand."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from truerank.compat.trec_eval.files import zscores_of
from truerank.compat.trec_eval.program import trec_eval


def lines(command: str) -> list[list[str]]:
    outcome = trec_eval(shlex.split(command))
    assert outcome.code == 0, outcome.notes
    return [line.split("\t") for line in outcome.text.splitlines()]


def values(command: str) -> dict[str, str]:
    """Values by name and topic."""
    return {f"{name.strip()} {topic}": value for name, topic, value in lines(command)}


def test_form_of_a_line(here: Path) -> None:
    assert trec_eval(["-c", "-m", "map", "qrels", "run"]).text == "map                   \tall\t0.2963\n"
    assert trec_eval(["-c", "-m", "num_nonrel_judged_ret", "qrels", "run"]).text == "num_nonrel_judged_ret \tall\t2\n"
    long = trec_eval(["-cn", "-q", "-m", "utility.1.00000,-1.00000,0.0,0.0", "qrels", "run"]).text
    assert long.splitlines()[0] == "utility_1.00000,-1.00000,0.0,0.0\tq1\t-1.0000"


def test_order_is_the_tables_whatever_m_says(here: Path) -> None:
    names = [name.strip() for name, *_ in lines("-c -m P.10,5 -m map -m num_q -m success.1 -m runid qrels run")]
    assert names == ["runid", "num_q", "map", "P_5", "P_10", "success_1"]


def test_the_id_of_a_run_is_that_of_its_last_line(here: Path) -> None:
    assert values("-c -m runid qrels run") == {"runid all": "last"}
    (here / "run").write_text((here / "run").read_text() + "# a comment of six words, or more\n\n")
    assert values("-c -m runid qrels run") == {"runid all": "last"}
    (here / "run").write_text("q1 Q0 a 1 1 " + "t" * 10_000)
    assert values("-c -m runid qrels run") == {"runid all": "t" * 10_000}


def test_the_first_parameters_of_a_measure_count(here: Path) -> None:
    assert list(values("-c -m P.5 -m P.10 -m official qrels run"))[-1] == "P_5 all"
    assert list(values("-c -m map.3 -m set.3 qrels run"))[5] == "map all"


def test_single_precision_ties_in_version_9_only(here: Path) -> None:
    # c comes before a by its score, and behind no one by its id.
    assert values("-c -nq -m relstring.3 qrels run")["relstring_3 q1"] == "'-21'"
    (here / "run").write_text("q1 Q0 c 1 7 t\nq1 Q0 a 2 7.0000001 t\n")
    assert values("-c -nq -m relstring qrels run")["relstring q1"] == "'12'"
    assert values("--version 9 -c -nq -m relstring qrels run")["relstring q1"] == "'21'"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("-nq -m relstring", {"relstring q1": "'-21.0'", "relstring q2": "'01'"}),
        ("-nq -m relstring.2", {"relstring_2 q1": "'-2'", "relstring_2 q2": "'01'"}),
        ("-nq -J -m relstring", {"relstring q1": "'210'", "relstring q2": "'01'"}),
        (
            "-nq -M 2 -m num_ret -l 2 -m map",
            {"num_ret q1": "2", "map q1": "0.5000", "num_ret q2": "2", "map q2": "0.0000"},
        ),
        ("-m num_q -m num_rel -m num_rel_ret", {"num_q all": "2", "num_rel all": "4", "num_rel_ret all": "3"}),
        ("-c -m num_q -m num_rel -m num_rel_ret", {"num_q all": "3", "num_rel all": "5", "num_rel_ret all": "3"}),
        ("-l2 -m num_rel", {"num_rel all": "1"}),
        ("-c -l2 -m num_rel", {"num_rel all": "5"}),
        ("-l0 -m num_rel -m map", {"num_rel all": "6", "map all": "0.7208"}),
        ("-c -m gm_map -m yaap", {"gm_map all": "0.0125", "yaap all": "-0.0894"}),
        ("-D 0.q2 -m num_q -m map", {"num_q all": "1", "map all": "0.5000"}),
        ("-J -M 1 -q -m iprec_at_recall.0", {"iprec_at_recall_0.00 q1": "  -nan", "iprec_at_recall_0.00 q2": "0.0000"}),
    ],
)
def test_version_9(here: Path, command: str, expected: dict[str, str]) -> None:
    found = values(f"--version 9 {command} qrels run")
    assert {name: found[name] for name in expected} == expected
    assert not [name for name in found if name.endswith("q3")]


def test_topics_left_out_are_rows_in_version_10(here: Path) -> None:
    found = values("-qc -m all_trec -m yaap -m dcg -m ideal_dcg qrels run")
    rows = {name.removesuffix(" q3"): value for name, value in found.items() if name.endswith(" q3")}
    some = {name: value for name, value in rows.items() if value not in ("0", "0.0000", "''")}
    assert some == {"num_rel": "1", "ideal_dcg": "2.0000", "yaap": "-0.6931"}
    assert found["num_q all"] == "3"


def test_version_10_evaluates_topics_left_out_with_one_unjudged_document(here: Path) -> None:
    command = "-cqn -m relstring.5 -m utility.1,-1,0.5,0 -m rbp_resid.p=0.5 -m unj.2 -D 0.q3 {} qrels run"
    names = ["relstring_5", "utility_1,-1,0.5,0", "rbp_resid_p=0.5", "unj_2"]
    assert [value for _, _, value in lines(command.format(""))] == ["'-'", "-0.5000", "1.0000", "0.0000"]
    assert [name.strip() for name, *_ in lines(command.format(""))] == names
    assert [value for _, _, value in lines(command.format("-J"))] == ["''", "0.5000", "0.0000", "0.0000"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("-c -l2 -m num_rel -m num_rel_ret", {"num_rel all": "5", "num_rel_ret all": "1"}),
        ("-c -l0 -q -m num_rel", {"num_rel q1": "4", "num_rel q2": "2", "num_rel q3": "1", "num_rel all": "5"}),
        (
            "-c -D 0.q1 -m num_q -m num_ret -m num_rel -m map -m gm_map",
            {"num_q all": "3", "num_ret all": "5", "num_rel all": "5", "map all": "0.1296", "gm_map all": "0.0003"},
        ),
        ("-c -l2 -q -D 0.q3 -m num_rel", {"num_rel q3": "1", "num_rel all": "5"}),
        ("-D 0.q1 -m num_q -m num_rel -m map", {"num_q all": "1", "num_rel all": "3", "map all": "0.3889"}),
    ],
)
def test_summaries_with_all_judged_topics_and_of_one_topic(here: Path, command: str, expected: dict[str, str]) -> None:
    # With -c, means are over all judged topics and num_rel over all grades above 0, also where -D or -l ask for less.
    assert values(f"{command} qrels run") == expected


GRADES = "q {} a 0.9\nq {} b 1e5\nq {} c 2.7\nq {} d -0.5\nq {} e 10e-1\nq {} f 1\n"
LISTED = "".join(f"q Q0 {doc} {rank} {-rank} t\n" for rank, doc in enumerate("dacbe"))


@pytest.mark.parametrize("version", ["9", "10"])
def test_grades_are_the_digits_in_front(here: Path, version: str) -> None:
    (here / "qrels").write_text(GRADES.replace("{}", "0"))
    (here / "run").write_text(LISTED)
    outcome = trec_eval(shlex.split(f"--version {version} -q -m relstring -m num_rel -m map -m ndcg qrels run"))
    by_name = {line.split("\t")[0].strip(): line.split("\t")[2] for line in outcome.text.splitlines()}
    assert by_name == {"relstring": "'0021>'", "num_rel": "4", "map": "0.3583", "ndcg": "0.4346"}
    assert outcome.notes[0].startswith("note: 5 of 6 grades are not written as whole numbers: '0.9' is 0 to trec_eval")
    (here / "qrels").write_text("q 0 a 1.0\nq 0 b +1\nq 0 c 003\n")
    assert trec_eval(["qrels", "run"]).notes == ()


def test_grades_of_groups_are_the_digits_in_front_and_those_of_preferences_are_not(here: Path) -> None:
    (here / "qrels").write_text(GRADES.replace("{}", "ann"))
    (here / "run").write_text(LISTED)
    assert values("-R qrels_jg -m map_avgjg qrels run") == {"map_avgjg all": "0.3583"}
    assert "'0.9' is 0" in trec_eval(shlex.split("-R qrels_jg -m map_avgjg qrels run")).notes[0]
    assert values("-R qrels_prefs -m prefs_num_prefs_poss qrels run") == {"prefs_num_prefs_poss all": "14"}
    assert trec_eval(shlex.split("-R qrels_prefs -m prefs qrels run")).notes == ()


def test_a_topic_left_out_whose_relevant_documents_have_no_gain(here: Path) -> None:
    (here / "qrels").write_text("q1 0 a 1\nq2 0 a 0\n")
    (here / "run").write_text("q1 Q0 a 1 1 t\n")
    found = values("-c -l0 -nq -m Rndcg -m iprec_at_recall.0 qrels run")
    assert (found["Rndcg q2"], found["iprec_at_recall_0.00 q2"]) == ("  -nan", "0.0000")


def test_recall_levels_are_rounded_in_each_versions_way(here: Path) -> None:
    (here / "qrels").write_text("".join(f"q 0 d{n} 1\n" for n in range(3)))
    (here / "run").write_text("q Q0 d0 1 3 t\nq Q0 x 2 2 t\nq Q0 d1 3 1 t\n")
    # 0.45 of 3 documents: two and a tenth of one are counted as two in version 9, one and a third as one in 10.
    assert values("--version 9 -m iprec_at_recall.0.45 qrels run") == {"iprec_at_recall_0.45 all": "0.6667"}
    assert values("--version 10 -m iprec_at_recall.0.45 qrels run") == {"iprec_at_recall_0.45 all": "1.0000"}
    assert values("--version 9 -m 11pt_avg.0.45,0.1 qrels run") == {"11pt_avg_0.45,0.1 all": "1.0000"}
    assert values("--version 9 -m 11pt_avg.0.1,0.45 qrels run") == {"11pt_avg_0.1,0.45 all": "0.8333"}


def test_rank_biased_precision_as_published(here: Path) -> None:
    (here / "qrels").write_text("p 0 a 2\np 0 b 1\nq 0 a 1\nq 0 b 0\n")
    (here / "run").write_text("p Q0 b 1 2 t\np Q0 x 2 1 t\nq Q0 b 1 2 t\nq Q0 a 2 1 t\n")
    found = values("-nq -m rbp.p=0.5 -m rbp_resid.p=0.5 -m unj.1,2,4 qrels run")
    assert [found[f"rbp_p=0.5 {topic}"] for topic in "pq"] == ["0.2500", "0.2500"]
    assert [found[f"rbp_resid_p=0.5 {topic}"] for topic in "pq"] == ["0.5000", "0.0000"]
    assert [found[f"unj_{depth} p"] for depth in (1, 2, 4)] == ["0.0000", "0.5000", "0.2500"]
    assert values("-nq -m rbp.p=0.5,1=4 qrels run")["rbp_p=0.5,1=4 p"] == "0.5000"


def test_rank_biased_precision_has_the_last_bit_that_decides_a_rounding(here: Path) -> None:
    printed = {"0021": "0.0724", "0211": "0.2509", "1201": "0.5695", "2001": "0.7095", "2221": "0.9825"}
    graded = [(topic, f"d{rank}", grade) for topic in printed for rank, grade in enumerate(topic)]
    (here / "qrels").write_text("".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in graded))
    (here / "run").write_text("".join(f"{topic} Q0 {doc} 1 -{doc[1]} t\n" for topic, doc, _ in graded))
    assert values("-nq -m rbp.p=0.3 qrels run") == {f"rbp_p=0.3 {topic}": value for topic, value in printed.items()}


def test_a_high_grade_needs_no_table_of_those_below(here: Path) -> None:
    (here / "qrels").write_text("q 0 a 2000000000\nq 0 b 1000000000\n")
    (here / "run").write_text("q Q0 b 1 2 t\nq Q0 a 2 1 t\n")
    assert values("-m rbp.p=0.5,1=3 -m ndcg.1=3 qrels run")["rbp_p=0.5,1=3 all"] == "0.5000"


def test_scores_against_means_and_deviations(here: Path) -> None:
    (here / "means").write_text("q1 map 0.1 0.5\nq1 num_ret 5 0\nq2 map 0.5 0\nq2 num_ret 7 0\nq1 P_5 0 1\n")
    found = values("--version 9 -q -Z means -m map -m num_ret -m num_q -m P.5 -m relstring.1 qrels run")
    assert found == {
        "Znum_ret q1": "0.0000",
        "Zmap q1": "0.5778",
        "ZP_5 q1": "0.4000",
        "relstring_1 q1": "'-'",
        "Znum_ret q2": "-1000000.0000",
        "Zmap q2": "0.0000",
        "ZP_5 q2": "-1000000.0000",
        "relstring_1 q2": "'0'",
        "Znum_q all": "2.0000",
        "Znum_ret all": "-1000000.0000",
        "Zmap all": "0.2889",
        "ZP_5 all": "-499999.8000",
    }


def test_documents_of_grade_0_with_a_gain(here: Path) -> None:
    (here / "qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (here / "run").write_text("q Q0 a 1 2 t\nq Q0 x 2 1 t\n")
    assert values("-m ndcg.0=1 qrels run") == {"ndcg_0=1 all": "0.6131"}


def test_ids_that_are_not_utf8_come_out_as_they_came_in(here: Path) -> None:
    (here / "qrels").write_bytes(b"\xe9 0 a 1\n")
    (here / "run").write_bytes(b"\xe9 Q0 a 1 2 caf\xe9\n")
    text = trec_eval(["-q", "-m", "map", "-m", "runid", "qrels", "run"]).text.encode("utf-8", "surrogateescape")
    assert [line.split(b"\t")[1:] for line in text.splitlines()] == [
        [b"\xe9", b"1.0000"],
        [b"all", b"caf\xe9"],
        [b"all", b"1.0000"],
    ]


@pytest.mark.parametrize("space", ["\xa0", "\x85", "\u2028", "\x1c"], ids=ascii)
def test_topics_of_means_keep_what_is_whitespace_beyond_ascii(tmp_path: Path, space: str) -> None:
    path = tmp_path / "means"
    path.write_bytes(f"q{space}1 map 0.5 0.25\r\nq2\tmap 1 2\n".encode())
    assert zscores_of(str(path)) == {(f"q{space}1", "map"): (0.5, 0.25), ("q2", "map"): (1.0, 2.0)}
