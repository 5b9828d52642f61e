"""Data classes as those of ``dataclasses``, made in a third of the time.

A short command imports a hundred of them, and half of what it takes to import is Python compiling each method of each
by itself. Here only ``__init__`` is compiled, for it has the signature. In every other respect these are data classes:
with fields, ``replace``, and subclasses of either kind. What nobody here asks for, as an order, ``dataclasses`` does.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **given: bool) -> Any:
        """Make a data class; parameters are those of ``dataclasses.dataclass``.

        >>> @dataclass(frozen=True, kw_only=True)
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> Point(x=1), dataclasses.replace(Point(x=1), y=2) == Point(x=1, y=2)
        (Point(x=1, y=0), True)
        """
        make = _made if given.keys() <= _KNOWN else dataclasses.dataclass
        return make(cls) if cls is not None else lambda one: make(one, **given)


_KNOWN = {"repr", "eq", "frozen", "kw_only", "slots"}
_FACTORY: Any = type("", (), {"__repr__": lambda _: "<factory>"})()
_set = object.__setattr__


def _made(
    cls: Any,
    *,
    repr: bool = True,  # noqa: A002
    eq: bool = True,
    frozen: bool = False,
    kw_only: bool = False,
    slots: bool = False,
) -> Any:
    own = _own(cls, kw_only=kw_only)
    if slots:
        cls = _with_slots(cls, [one.name for one in dataclasses.fields(own)], frozen=frozen)
    fields: dict[str, Any] = {}
    for base in cls.__mro__[:0:-1]:
        fields.update(getattr(base, "__dataclass_fields__", {}))
    fields.update(own.__dataclass_fields__)
    cls.__dataclass_fields__, cls.__dataclass_params__ = fields, own.__dataclass_params__
    for name, value in (("init", True), ("repr", repr), ("eq", eq), ("frozen", frozen), ("slots", slots)):
        if hasattr(own.__dataclass_params__, name):
            setattr(own.__dataclass_params__, name, value)
    every = dataclasses.fields(cls)
    places = tuple(one.name for one in every if one.init and not one.kw_only)
    type.__setattr__(cls, "__match_args__", places)
    mine = vars(cls)
    hashed = mine.get("__hash__") is not None
    if "__init__" not in mine:
        cls.__init__ = _init(cls, [one for one in every if one.init and not one.kw_only], every)
    if repr and "__repr__" not in mine:
        cls.__repr__ = _repr_of([one.name for one in every if one.repr])
    if eq:
        compared = _values_of([one.name for one in every if one.compare])
        if "__eq__" not in mine:
            cls.__eq__ = _eq_of(compared)
        if not hashed:
            cls.__hash__ = _hash_of(compared) if frozen else None
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refuse_set, _refuse_del
    return cls


def _own(cls: Any, *, kw_only: bool) -> Any:
    """A class without methods that has the fields which the class itself declares; their defaults are settled there."""
    names = cls.__annotations__
    mine = vars(cls)
    given = {name: mine[name] for name in names if name in mine}
    bare = type(cls.__name__, (), {**given, "__annotations__": names, "__module__": cls.__module__, "__doc__": "."})
    found: Any = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(bare)
    for name, value in given.items():
        if isinstance(value, dataclasses.Field):
            if value.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, value.default)
    return found


def _with_slots(cls: Any, own: list[str], *, frozen: bool) -> Any:
    """The class again, with places for its own fields in place of a dict."""
    inside = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__", *own)}
    above = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    inside["__slots__"] = tuple(name for name in own if name not in above)
    if frozen and "__getstate__" not in inside:
        inside |= {"__getstate__": _state, "__setstate__": _restore}
    found: Any = type(cls)(cls.__name__, cls.__bases__, inside)
    found.__qualname__ = cls.__qualname__
    return found


def _init(cls: Any, placed: list[Any], every: tuple[Any, ...]) -> Callable[..., None]:
    """The one method that is compiled."""
    named = [one for one in every if one.init and one.kw_only]
    defaults, lines = {"_set": _set, "_FACTORY": _FACTORY}, []
    for one in every:
        value = one.name
        if one.default_factory is not dataclasses.MISSING:
            defaults[f"_make_{one.name}"] = one.default_factory
            made = f"_make_{one.name}()"
            value = f"{made} if {one.name} is _FACTORY else {one.name}" if one.init else made
        elif one.default is not dataclasses.MISSING:
            defaults[f"_default_{one.name}"] = one.default
            value = one.name if one.init else f"_default_{one.name}"
        elif not one.init:
            continue
        lines.append(f"  _set(self, {one.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("  self.__post_init__()")
    given = [*map(_parameter, placed), *(["*"] if named else []), *map(_parameter, named)]
    head = f"def made({', '.join(defaults)}):\n def __init__({', '.join(['self', *given])}):\n"
    found: dict[str, Any] = {}
    module = sys.modules.get(cls.__module__)
    exec(head + "\n".join(lines or ["  pass"]) + "\n return __init__", vars(module) if module else {}, found)
    init: Callable[..., None] = found["made"](**defaults)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {one.name: one.type for one in (*placed, *named)} | {"return": None}
    return init


def _parameter(field: Any) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f"{field.name}=_FACTORY"
    return field.name if field.default is dataclasses.MISSING else f"{field.name}=_default_{field.name}"


# A subclass may leave these as they are, and then they are about the fields of the class that they were made for.


def _repr_of(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    return __repr__


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    get = attrgetter(names[0])
    return lambda one: (get(one),)


def _eq_of(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, Any], Any]:
    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash_of(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        _set(self, one.name, value)


def _refuse_set(self: Any, name: str, value: Any) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    _set(self, name, value)


def _refuse_del(self: Any, name: str) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_frozen(self: Any, name: str) -> bool:
    # A subclass that is no data class may have attributes of its own.
    return "__dataclass_fields__" in vars(type(self)) or name in self.__dataclass_fields__
