"""What follows from conventions is worked out once for each of them, and changes nothing about them."""

import pickle
from dataclasses import FrozenInstanceError, replace
from functools import cached_property

import pytest

import truerank as tr
from truerank.conventions.axes import AXES, Conventions
from truerank.conventions.presets import conventions
from truerank.data.errors import InputError

FOLLOWING = [name for name, value in vars(Conventions).items() if isinstance(value, cached_property)]


def test_what_follows_is_no_part_of_conventions() -> None:
    read, unread = Conventions(ties="sample(3)"), Conventions(ties="sample(3)")
    found = {name: getattr(read, name) for name in FOLLOWING}
    assert found["seed"] == 3
    assert found["breaks_ties"]
    assert (read, hash(read), repr(read), read.as_dict()) == (unread, hash(unread), repr(unread), unread.as_dict())
    assert pickle.dumps(read) == pickle.dumps(unread)
    again = pickle.loads(pickle.dumps(read))
    assert again == read
    assert {name: getattr(again, name) for name in FOLLOWING} == found


def test_other_conventions_do_not_inherit_what_followed() -> None:
    one = Conventions()
    assert not one.extreme
    assert replace(one, ties="best").extreme


@pytest.mark.parametrize("name", ["ties", *FOLLOWING])
def test_nothing_can_be_set(name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(Conventions(), name, "best")


def test_calls_that_choose_the_same_share_conventions() -> None:
    assert conventions("trec_eval-9", missing="empty") is conventions("trec_eval-9", missing="empty")
    assert conventions(limit=1).limit == 1
    with pytest.raises(InputError, match="limit=True"):
        conventions(limit=True)


@pytest.mark.parametrize("value", [["best"], {"best"}])
def test_what_has_no_hash_is_refused_in_words(value: object) -> None:
    with pytest.raises(InputError, match="ties"):
        tr.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR", ties=value)  # type: ignore[arg-type]


def test_every_axis_is_kept() -> None:
    assert [*pickle.loads(pickle.dumps(Conventions())).as_dict()] == [*AXES]
