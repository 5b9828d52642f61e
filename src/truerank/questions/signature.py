"""What a question says of itself beside its function: which axes it settles, and what its parameters are called."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial, wraps
from typing import Annotated, Any, NamedTuple, TypeVar

from truerank.conventions.axes import AXES
from truerank.conventions.presets import READING, AxisRules
from truerank.data.errors import InputError
from truerank.data.reading import KEYWORDS, OF_QRELS, refuse_no_names
from truerank.report.answer import Answer
from truerank.report.signature import Argument, Option, Parameter, parameters

ASKED = "ID,...|@FILE"
"""How topics are named on the command line."""
F = TypeVar("F", bound=Callable[..., Any])

Judgments = Annotated[Any, Argument("QRELS", holds="qrels")]
"""Judgments: a path, an open file, a dict of dicts, rows, a data frame, or what ``read_qrels`` returns."""
Runs = Annotated[Any, Argument("RUN...", many=True, holds="runs")]
"""One run, a list of runs, or a dict from names to runs; a run is a path, a dict, rows, a data frame, ..."""
OneRun = Annotated[Any, Argument("RUN", holds="runs")]
Measures = Annotated[
    Any,
    Option(
        "Measures, in quotes if several; repeatable. See truerank measures for their names.",
        flags="-m/--measure",
        metavar="MEASURE",
        many=True,
        brief='One measure, or several: -m "nDCG@10 MRR"',
    ),
]
"""A measure, several in a string, or a list of them."""
Engines = Annotated[Any, Option("What the work is done with.", holds="engine")]
"""An Engine, or what one is made of: "here", "processes", a session of Spark, or the master of one."""

Groups = Annotated[
    Any,
    Option(
        "Also show groups of topics. FILE has a topic and its group on each line, or is a table such as "
        "topics.tsv:language.",
        flags="--group",
        metavar="FILE[:COLUMN]",
    ),
]
"""Groups of topics: a dict from topics to groups, pairs of both, a data frame, or a path."""

AskedTopics = Annotated[
    Any,
    Option(
        "Use only these topics. Separate ids by commas, or give @FILE with one id per line.",
        metavar=ASKED,
    ),
]
"""Topics that count: one, several, or as the command line has them."""
Also = Annotated[
    Any,
    Option(
        "Use another collection as well; repeatable. RUNS is a folder, or a pattern in quotes. NAME=QRELS names the "
        "collection, also the first one.",
        metavar="QRELS RUNS",
        many=True,
        values=2,
        holds="collections",
    ),
]
"""Other collections: pairs of judgments and runs, or such pairs by name. A question that has this parameter is asked of
each collection; what it returns has the others beside the first, and says of all what there is to say."""

ByGroup = Annotated[
    Any,
    Option(
        "Answer for each group of topics. FILE has a topic and its group on each line, or is a table such as "
        "topics.tsv:language.",
        flags="--group",
        metavar="FILE[:COLUMN]",
        holds="groups",
    ),
]
"""Groups of topics, as ``Groups``: a question that has this beside ``also`` is asked of each as of a collection."""


Writes = Callable[[Mapping[str, Any]], Iterable[tuple[str, str]]]
"""Of what was given: the option that asks for each file, and the path of the file."""


class Description(NamedTuple):
    """What a function cannot say in its signature."""

    rules: AxisRules
    more: tuple[Parameter, ...]
    """Options for keywords that its signature does not name one by one."""
    known: tuple[type[Answer], ...]
    """Answers that need no asking, made without arguments: the command line shows them where their sheet is named."""
    writes: Writes | None
    """Files that it writes on its own, so that none of them is one that it reads."""
    together: bool
    """Whether it is asked of several collections at once, and not of each."""


def question(
    rules: AxisRules | None = None,
    *,
    more: tuple[Parameter, ...] = (),
    known: tuple[type[Answer], ...] = (),
    writes: Writes | None = None,
    together: bool = False,
) -> Callable[[F], F]:
    """Mark the function that answers a question; the command line is made of its signature and its docstring.

    ``rules`` are the axes that it settles: those have no option, and what it refuses is not offered. What is no number
    where the signature has one, or one that no array could be as long as, is refused before the function sees it.
    """

    def marked(function: F) -> F:
        @wraps(function)
        def asked(*args: Any, **given: Any) -> Any:
            refuse_unknown(function, given, more)
            refuse_numbers(function, given)
            try:
                return _asked(function, args, given, together=together)
            except InputError as error:
                raise _hinted(function, error, args, given) from None

        asked.description = Description(rules or AxisRules(), more, known, writes, together)  # type: ignore[attr-defined]
        return asked  # type: ignore[return-value]

    return marked


def _asked(
    function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any], *, together: bool = False
) -> Any:
    """What a question answers, once of each collection unless it is asked of all together."""
    args, given = told_to_read(function, args, given)
    args, given = _apart_from_judgments(function, args, given)
    if "also" in _signature(function).parameters and not together:
        from truerank.questions.collections import of_each

        bound = _signature(function).bind(*args, **given)
        return of_each(partial(_ordered, function), bound, splits=_splits(function))
    return _ordered(function, *args, **given)


def reads(function: F) -> F:
    """Have a function beside a question take the keywords of ``read_run``, for the runs that its signature has."""

    @wraps(function)
    def asked(*args: Any, **given: Any) -> Any:
        refuse_unknown(function, given)
        args, given = told_to_read(function, args, given)
        args, given = _apart_from_judgments(function, args, given)
        if "also" in _signature(function).parameters:
            from truerank.questions.collections import of_each

            return of_each(function, _signature(function).bind(*args, **given))
        return function(*args, **given)

    return asked  # type: ignore[return-value]


def _ordered(function: Callable[..., Any], *args: Any, **given: Any) -> Any:
    return function(*_in_order(function, args, given), **given)


@cache
def _splits(function: Callable[..., Any]) -> bool:
    """Whether a question is asked of each group of topics."""
    return any(each.told.holds == "groups" for each in parameters(function))


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """Its signature, which is asked for at every call."""
    return inspect.signature(function)


def told_to_read(
    function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with runs and judgments that know how to be read: by keywords of ``read_run``.

    A question that has such a keyword of its own keeps it.
    """
    own = _signature(function).parameters
    told = {name: given.pop(name) for name in KEYWORDS if name in given and name not in own}
    # The command line has () for what is not given; arrays are not compared with it.
    left_out = {name for name, value in told.items() if value is None or (isinstance(value, tuple) and not value)}
    how = {name: value for name, value in told.items() if name not in left_out}
    if not how:
        return args, given
    for name in ("columns", "qrels_columns"):
        refuse_no_names(how.get(name), name)
    of_qrels = {reader: how.pop(name) for name, reader in OF_QRELS.items() if how.get(name) is not None}
    bound = _signature(function).bind(*args, **given)
    holding = [(each.name, each.told.holds) for each in parameters(function) if each.told.holds]
    if how and not any(holds in ("runs", "collections") for _, holds in holding):
        raise InputError(f"{next(iter(how))}= says how to read a run, and there is none; leave it out")
    judged = [name for name, holds in holding if holds in ("qrels", "collections")]
    if of_qrels and all(bound.arguments.get(name) is None for name in judged):
        name = next(name for name, reader in OF_QRELS.items() if reader in of_qrels)
        raise InputError(f"{name}= is about judgments, and there are none; leave it out")
    for name, holds in holding:
        if bound.arguments.get(name) is None:
            continue
        value = bound.arguments[name]
        if holds == "runs":
            bound.arguments[name] = _runs(value, how)
        elif holds == "qrels":
            bound.arguments[name] = _qrels(value, of_qrels)
        elif holds == "collections":
            named = isinstance(value, Mapping)
            pairs = [(_qrels(one, of_qrels), _runs(runs, how)) for one, runs in (value.values() if named else value)]
            bound.arguments[name] = dict(zip(value, pairs, strict=True)) if named else pairs
    return bound.args, bound.kwargs


def _apart_from_judgments(
    function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, where a folder or a pattern of runs does not stand for judgments, which may lie beside them."""
    holding = _holding(function)
    if not any(holds in ("runs", "collections") for holds in holding.values()):
        return args, given
    bound = _signature(function).bind(*args, **given)
    found = {name: bound.arguments[name] for name in holding if bound.arguments.get(name) is not None}
    if not any(map(_has_path, found.values())):
        return args, given
    from truerank.io.judges import files_of_judges
    from truerank.io.runs import apart_from
    from truerank.track.collections import own_name

    judgments = [own_name(value)[1] for name, value in found.items() if holding[name] == "qrels"]
    for name, value in found.items():
        if holding[name] == "judges":
            judgments += files_of_judges(value)
    judgments.append(bound.arguments.get("people"))
    for name, value in found.items():
        if name == "files":
            # Judgments come first, or are left out.
            first = value[:1]
            bound.arguments[name] = [*first, *apart_from(list(value[1:]), [own_name(each)[1] for each in first])]
        elif holding[name] == "runs":
            bound.arguments[name] = apart_from(value, judgments)
    return bound.args, bound.kwargs


@cache
def _holding(function: Callable[..., Any]) -> Mapping[str, str]:
    """The parameters that hold judgments, runs or collections, and which."""
    return {each.name: each.told.holds for each in parameters(function) if each.told.holds}


def _has_path(value: Any) -> bool:
    """Whether it is a path, or has one in a list."""
    from truerank.io.runs import Named

    every = value if isinstance(value, (list, tuple)) else (value,)
    return any(isinstance(each.data if isinstance(each, Named) else each, (str, os.PathLike)) for each in every)


def _qrels(data: Any, options: Mapping[str, Any]) -> Any:
    if not options:
        return data
    from truerank.io.load import Unread

    return Unread(data, options)


def _runs(data: Any, how: Mapping[str, Any]) -> Any:
    if not how:
        return data
    from truerank.io.runs import with_options

    return with_options(data, how)


class UnknownArgument(InputError, TypeError):
    """A keyword that a function does not have, and what may be meant."""


ELSEWHERE = {
    "metrics": "measures",
    "metric": "measures",
    "measure": "measures",
    "run": "runs",
    "systems": "runs",
    "qrel": "qrels",
    "judgments": "qrels",
    "queries": "topics",
    "groups": "group",
    "gates": "gate",
    "p_value": "alpha",
}
"""Keywords of other tools, and what is meant here."""
PER_TOPIC = ("per_topic", "per_query", "by_topic", "by_query")


def refuse_unknown(function: Callable[..., Any], given: Mapping[str, Any], more: Iterable[Parameter] = ()) -> None:
    """Refuse a keyword that is none of a function's, a convention, or one about reading; say what may be meant.

    ``more`` are keywords that its signature does not name one by one.

    >>> def count(qrels: Any, *, most: int = 0) -> None: ...
    >>> refuse_unknown(count, {"mots": 3})
    Traceback (most recent call last):
    truerank.questions.signature.UnknownArgument: count() has no argument 'mots'; did you mean most?
    """
    known = _known(function) | {each.name for each in more}
    for name in given:
        if name not in known:
            raise UnknownArgument(f"{function.__name__}() has no argument {name!r}; {_meant(name, function, known)}")


@cache
def _known(function: Callable[..., Any]) -> frozenset[str]:
    """The keywords that a function takes."""
    own = _signature(function).parameters
    kinds = {each.kind for each in own.values()}
    conventions = (*AXES, *READING, "like") if inspect.Parameter.VAR_KEYWORD in kinds else ()
    return frozenset([*own, *conventions, *KEYWORDS])


def _meant(name: str, function: Callable[..., Any], known: Collection[str]) -> str:
    """What to do in place of a keyword that there is not."""
    own = [each for each in _signature(function).parameters if each not in ("given", "progress")]
    if name in PER_TOPIC:
        return "scores per topic are in the answer: tr.evaluate(...).rows('topics')"
    if ELSEWHERE.get(name) in own or ELSEWHERE.get(name) in KEYWORDS:
        return f"did you mean {ELSEWHERE[name]}?"
    import difflib

    if near := difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.7):
        return f"did you mean {near[0]}?"
    return f"it takes {', '.join(own)}" + (", and conventions such as ties" if "ties" in _known(function) else "")


def _hinted(
    function: Callable[..., Any], error: InputError, args: tuple[Any, ...], given: Mapping[str, Any]
) -> InputError:
    """The error; where a document was taken for the path of a file, with how documents of a topic are given."""
    if error.file is None:
        return error
    found = dict(zip(_signature(function).parameters, args, strict=False)) | dict(given)
    for name, holds in _data(function).items():
        value = found.get(name)
        for key, path in value.items() if isinstance(value, Mapping) else ():
            if isinstance(path, str) and path == error.file and not os.path.exists(path):
                grades, what = ({path: 1}, "grades") if holds == "qrels" else ([path], "documents in a list")
                return InputError(
                    f"{error.message}; if {key!r} is a topic, give its {what}: {{{key!r}: {grades!r}}}", path
                )
    return error


def refuse_numbers(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Refuse what is no number, or past all numbers that are of use, where a function takes one.

    Whether it is too small is for the function to say, which knows what for.
    """
    for name, parameter in _numbers(function).items():
        value = given.get(name, parameter.default)
        if value is parameter.default:
            continue
        many = parameter.told.many and isinstance(value, Iterable) and not isinstance(value, str)
        for one in value if many else (value,):
            _refuse_number(name, one, parameter)


def _in_order(function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]) -> tuple[Any, ...]:
    """Read judgments that come through a pipe before runs that do, as they are given: who writes both may do it so.

    Otherwise runs are asked for first, since their names may be wrong; a program that writes the judgments first would
    wait for us then, and we for it.
    """
    names = _data(function)
    if "qrels" not in names.values():
        return args
    found = dict(zip(_signature(function).parameters, args, strict=False))
    for name, holds in names.items():
        value = found.get(name, given.get(name))
        if holds == "runs" or not _is_stream(value):
            continue
        if any(
            _is_stream(run) for other, kind in names.items() if kind == "runs" for run in _each(found, given, other)
        ):
            from truerank.io.judges import as_judgments, asked_topics
            from truerank.io.load import Unread

            judgments: Any = as_judgments(value, several=given.get("judges") is not None)
            if (topics := asked_topics(value)) is not None:
                judgments = Unread(judgments, {"topics": topics})
            if name in given:
                given[name] = judgments
            else:
                found[name] = judgments
    return tuple(found.values())


def _each(found: Mapping[str, Any], given: Mapping[str, Any], name: str) -> Iterable[Any]:
    runs = found.get(name, given.get(name))
    return runs.values() if isinstance(runs, dict) else runs if isinstance(runs, (list, tuple)) else (runs,)


def _is_stream(value: Any) -> bool:
    """Whether it is the path of what can be read only once, perhaps with options that it is to be read with."""
    path = getattr(value, "data", value)
    if not isinstance(path, (str, os.PathLike)):
        return False
    from truerank.io.source import is_stream

    return is_stream(path)


@cache
def _data(function: Callable[..., Any]) -> dict[str, str]:
    """The parameters of a function that are judgments or runs."""
    return {each.name: each.told.holds for each in parameters(function) if each.told.holds in ("qrels", "runs")}


@cache
def _numbers(function: Callable[..., Any]) -> dict[str, Parameter]:
    """The parameters of a function that are numbers."""
    return {each.name: each for each in parameters(function) if each.type in (int, float)}


def _refuse_number(name: str, value: Any, parameter: Parameter) -> None:
    from truerank.measures.core.parameters import LARGEST, MOST, number, whole

    told = parameter.told
    most, least = (told.most, told.least) if isinstance(told, Option) else (None, None)
    if parameter.type is int:
        whole(name, value, least=-MOST, most=MOST if most is None else most, told=least)
    elif not isinstance(value, float) or LARGEST < abs(value) < math.inf:
        number(name, value)


def description(function: Callable[..., Any]) -> Description:
    """What a question says of itself."""
    found: Description = function.description  # type: ignore[attr-defined]
    return found


class Unanswered(InputError):
    """Something that a question has to know first.

    A question with a parameter ``ask`` calls it with this, and takes what it returns for the answer: None where an
    optional one is left open. On the command line it asks the person at the terminal.
    """

    def __init__(self, parameter: Parameter, text: str, *, help: str = "", optional: bool = False) -> None:  # noqa: A002
        how = "True or False" if parameter.type is bool else "a number"
        super().__init__(f"not answered yet: {text} Give {parameter.name}={how}. {help}".rstrip())
        self.parameter, self.text, self.help, self.optional = parameter, text, help, optional


Ask = Callable[[Unanswered], Any]
