"""Groups of topics in every form that they come in, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from truerank.data.errors import InputError
from truerank.io.groups import read_groups

WANTED = {"401": "en", "402": "fr", "403": "en"}
TEXTS = {
    "lines": "# topic and language\n401 en\n402\tfr\n\n403 en\n",
    "tabs": "401\ten\n402\tfr\n403\ten\n",
    "commas": "401,en\r\n402,fr\r\n403,en\r\n",
    "named columns": "qid,title,group\n401,one,en\n402,two,fr\n403,three,en\n",
    "one other column": "topic\tlanguage\n401\ten\n402\tfr\n403\ten\n",
    "JSON": json.dumps(WANTED),
    "JSON lines": "\n".join(json.dumps({"query_id": topic, "language": group}) for topic, group in WANTED.items()),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "groups.txt"
    path.write_text(text)
    found = read_groups(path)
    assert dict(found.by_topic) == WANTED
    assert found.file == str(path)


def test_a_group_may_have_spaces_where_a_tab_stands_between(tmp_path: Path) -> None:
    path = tmp_path / "groups.tsv"
    path.write_text("401\tlong tail\n402\thead\n")
    assert read_groups(path).by_topic["401"] == "long tail"


def test_one_of_several_columns_is_named_behind_the_path(tmp_path: Path) -> None:
    path = tmp_path / "topics.csv"
    path.write_text("topic,language,session\n401,en,s1\n402,fr,s1\n")
    assert dict(read_groups(f"{path}:language").by_topic) == {"401": "en", "402": "fr"}
    assert dict(read_groups(f"{path}:session").by_topic) == {"401": "s1", "402": "s1"}
    with pytest.raises(InputError, match="name that of groups behind the path"):
        read_groups(path)
    with pytest.raises(InputError, match="there is no column 'country'"):
        read_groups(f"{path}:country")


def test_python_data() -> None:
    assert dict(read_groups({401: "en", "402": "fr", b"403": "en"}).by_topic) == WANTED
    assert dict(read_groups([*WANTED.items()]).by_topic) == WANTED
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"topic": [401, 402, 403], "language": ["en", "fr", "en"]})
    assert dict(read_groups(frame).by_topic) == WANTED


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", None, "the file holds no lines"),
        ("401 en\n402 fr much\n", 2, "these are not two values"),
        ("401 en\n401 fr\n", 2, "topic '401' is in group 'fr', and above in 'en'"),
        ("topic,group\n401,en\n402,\n", 3, "there is no group"),
        ("topic,group\n401,en,7\n", 2, "the header line has 2 names, and this one 3 values"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, line: int | None, said: str) -> None:
    path = tmp_path / "groups.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        read_groups(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)


@pytest.mark.parametrize("data", [["401", "402"], [("401",)], [{"topic": "401"}]])
def test_python_data_that_names_no_groups(data: Any) -> None:
    with pytest.raises(InputError):
        read_groups(data)
