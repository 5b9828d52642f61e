from __future__ import annotations

import pickle

import numpy as np
import pytest

from truerank.data.errors import InputError, Origin
from truerank.data.ids import Ids
from truerank.data.qrels import collect


def test_rows_that_agree_are_one() -> None:
    qrels = collect([b"q2", b"q1"], [0, 3, 5], Ids.pack("abacd"), [1, 0, 1, 2, -1])
    assert qrels.topics == (b"q1", b"q2")
    assert qrels.docs.tolist() == [b"c", b"d", b"a", b"b"]
    assert qrels.grade.tolist() == [2, -1, 1, 0]
    assert qrels.offsets.tolist() == [0, 2, 4]
    assert qrels.key.tolist() == qrels.docs.keys().tolist()


def test_rows_that_differ_are_refused_with_both_lines() -> None:
    origin = Origin("a.qrels", lambda offset: offset // 2 + 1)
    with pytest.raises(InputError) as error:
        collect([b"q"], [0, 3], Ids.pack("aba"), [1, 0, 2], origin=origin)
    assert str(error.value) == (
        "a.qrels:3: document 'a' of topic 'q' is judged 2 and 1 (first on line 1); keep one of the two judgments"
    )
    assert (error.value.file, error.value.line) == ("a.qrels", 3)


@pytest.mark.parametrize(("grades", "highest"), [([0, 3, 1], 3), ([-2, -1, -1], 0), ([0.5, 0.25, 0], 0.5)])
def test_max_grade(grades: list[float], highest: float) -> None:
    assert collect([b"q"], [0, 3], Ids.pack("abc"), grades).max_grade == highest


def test_grades_are_finite() -> None:
    with pytest.raises(InputError, match="document 'b' of topic 'q' has the grade nan"):
        collect([b"q"], [0, 2], Ids.pack("ab"), [1, np.nan])


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(InputError("wrong; mend it", "a.run", 7)))
    assert str(error) == "a.run:7: wrong; mend it"
