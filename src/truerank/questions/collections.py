"""A question that is asked of several collections, one after the other."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from truerank.data.errors import InputError
from truerank.report.answer import Answer
from truerank.track.collections import Collection, collections, grouped, own_name
from truerank.track.facts import ASKED

Progress = Callable[[str, int, int], object]


def of_each(function: Callable[..., Any], given: inspect.BoundArguments, *, splits: bool = False) -> Any:
    """What a question answers of each collection.

    Judgments and runs are parameters of these names, or both in ``files``. A question that ``splits`` is asked of each
    group of topics where these are given.
    """
    also, name = given.arguments.pop("also", ()), given.arguments.pop("name", "")
    group = given.arguments.pop("group", None) if splits else None
    together = "files" in given.arguments
    if together:
        qrels, *runs = given.arguments["files"]
    else:
        qrels, runs = given.arguments.get("qrels"), given.arguments.get("runs")

    def ask(one: Collection, progress: Progress | None) -> Any:
        named = {"files": [one.qrels, *one.runs]} if together else {"qrels": one.qrels, "runs": one.runs}
        given.arguments.update(named if one.qrels is not None else {})
        if progress is not None:
            given.arguments["progress"] = progress
        return function(*given.args, **given.kwargs)

    if group is not None:
        if also:
            raise InputError("groups are those of one collection; leave out also (--also), or group (--group)")
        return _in_turn(ask, grouped(own_name(qrels)[1], runs, group), given.arguments.get("progress"), apart="group")
    if not also:
        called, qrels = own_name(qrels)
        return ask(Collection(called, qrels, runs), None)
    return _in_turn(ask, collections(qrels, runs, also, name), given.arguments.get("progress"))


def _in_turn(
    ask: Callable[[Collection, Progress | None], Answer],
    every: list[Collection],
    progress: Progress | None,
    *,
    apart: str = "collection",
) -> Answer:
    from truerank.report.several import MEAN

    if MEAN in {one.name for one in every}:
        raise InputError(f"a {apart} is called {MEAN!r}, as the mean over {apart}s is; give it another name")
    found: list[Answer] = []
    for one in every:
        try:
            answer = ask(one, _step(progress, one.name))
        except InputError as error:
            if error.file is not None:
                raise
            raise InputError(f"{one.name}: {error.message}") from None
        if any(True for _ in answer.writes()):
            raise InputError("a file is written of one collection; leave out --also, or what writes the file")
        notices = answer.notices
        if apart == "group":
            # That these are some of the topics is what was asked for.
            notices = tuple(note for note in notices if note.code != ASKED.code)
        found.append(replace(answer, collection=one.name, notices=notices))
    return found[0] if len(found) == 1 else type(found[0]).of_several(found, apart)


def _step(progress: Progress | None, collection: str) -> Progress | None:
    """What is called as work on a collection goes on."""
    if progress is None:
        return None
    return lambda what, done, total: progress(f"{collection}: {what}", done, total)
