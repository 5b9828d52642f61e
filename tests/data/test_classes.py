"""Data classes that are quick to make are in every respect those of dataclasses."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from abc import ABC
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

import pytest

from truerank.data import classes

T = TypeVar("T")
SETTINGS: list[dict[str, bool]] = [
    {},
    {"frozen": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "kw_only": True, "repr": False},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True},
    {"slots": True},
    {"eq": False},
]


def plain(dataclass: Callable[..., Any], given: dict[str, bool]) -> Any:
    @dataclass(**given)
    class Plain:
        """Something."""

        KIND: ClassVar[str] = "plain"
        a: int
        b: list[int] = dataclasses.field(default_factory=list)
        c: str = "c"
        hidden: int = dataclasses.field(default=7, repr=False, compare=False)
        late: float = dataclasses.field(init=False, default=0.5)
        named: int = dataclasses.field(default=3, kw_only=True)

        @property
        def double(self) -> int:
            return 2 * self.a

    return Plain


def with_bases(dataclass: Callable[..., Any], given: dict[str, bool]) -> Any:
    @dataclass(**given)
    class Base(ABC, Generic[T]):
        a: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "a", self.a + 1)

    @dataclass(**given)
    class Derived(Base[int]):
        b: tuple[int, ...] = (1, 2)
        a: int = 5

    return Derived


def keeping_those_above(dataclass: Callable[..., Any], given: dict[str, bool]) -> Any:
    @dataclass(**given)
    class Base:
        a: int

    # What is compared is what the class above compares.
    @dataclass(**given | {"eq": False, "repr": False})
    class Derived(Base):
        b: int = 3

        def __add__(self, other: int) -> Any:
            return dataclasses.replace(self, b=self.b + other)

    return Derived


MAKERS = (plain, with_bases, keeping_those_above)


@pytest.mark.parametrize("given", SETTINGS, ids=str)
@pytest.mark.parametrize("make", MAKERS)
def test_they_are_made_alike(make: Callable[..., Any], given: dict[str, bool]) -> None:
    ours, theirs = make(classes.dataclass, given), make(dataclasses.dataclass, given)
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert get_type_hints(ours.__init__) == get_type_hints(theirs.__init__)
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__qualname__ == theirs.__qualname__
    assert ours.__doc__ == theirs.__doc__ or not theirs.__doc__.startswith("Some")
    assert repr(ours.__dataclass_params__) == repr(theirs.__dataclass_params__)
    told = ("name", "type", "default", "init", "repr", "compare", "kw_only")
    assert [[getattr(one, each) for each in told] for one in dataclasses.fields(ours)] == [
        [getattr(one, each) for each in told] for one in dataclasses.fields(theirs)
    ]
    assert getattr(ours, "__slots__", None) == getattr(theirs, "__slots__", None)
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    assert ours.__dict__.get("c", "none") == theirs.__dict__.get("c", "none") or given.get("slots")


def error_of(function: Callable[..., Any], *args: Any, **given: Any) -> Any:
    try:
        return function(*args, **given)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("given", SETTINGS, ids=str)
@pytest.mark.parametrize("make", MAKERS)
def test_they_behave_alike(make: Callable[..., Any], given: dict[str, bool]) -> None:
    found = []
    for dataclass in (classes.dataclass, dataclasses.dataclass):
        cls = make(dataclass, given)
        one, other = cls(a=1), dataclasses.replace(cls(a=1), a=2)
        said: list[Any] = [dataclasses.asdict(one), dataclasses.asdict(other), one == cls(a=1), one == other]
        said += [repr(one)] if given.get("repr", True) else []
        if make is keeping_those_above:
            said += [repr(one) if given.get("repr", True) else "", one == cls(a=1, b=4)]
        said += [error_of(setattr, one, "a", 3), error_of(delattr, one, "a"), error_of(cls, 1, z=1)]
        found.append(said)
    assert found[0] == found[1]


@classes.dataclass(frozen=True, slots=True)
class Sent:
    """What another process gets."""

    a: int
    b: str = "b"


@classes.dataclass(frozen=True)
class Hashed:
    """Compared by value."""

    a: int
    b: tuple[int, ...] = ()


def test_one_can_be_sent_hashed_and_taken_apart() -> None:
    assert pickle.loads(pickle.dumps(Sent(3))) == Sent(3, "b")
    assert {Hashed(1), Hashed(1), Hashed(2)} == {Hashed(1), Hashed(2)}
    match Sent(1, "x"):
        case Sent(a, b):
            assert (a, b) == (1, "x")


def test_subclasses_may_be_of_either_kind() -> None:
    @dataclasses.dataclass(frozen=True)
    class Theirs(Hashed):
        c: int = 4

    @classes.dataclass(frozen=True)
    class Again(Theirs):
        d: int = 5

    class Free(Again):
        """No data class, so that it may have attributes of its own."""

    assert Again(1) == Again(1, (), 4, 5)
    free = Free(1)
    free.more = 1  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'd'"):
        free.d = 1  # type: ignore[misc]


def test_what_is_seldom_asked_for_is_left_to_dataclasses() -> None:
    @classes.dataclass(order=True)
    class Ordered:
        a: int

    assert Ordered(1) < Ordered(2)
