"""What a person sees on standard error while waiting."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from truerank.data.printing import visible

PATIENCE = 1.0
"""Seconds that nobody needs to be told about."""


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None] | None]:
    """What to call with what is being done, how much of it is done, and of how much; None where nobody watches."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield None
        return
    from time import monotonic

    begun = monotonic()
    bars: list[Any] = []

    def step(what: str, done: int, total: int) -> None:
        # When all is done there is nothing left to wait for.
        if not bars and (monotonic() - begun < PATIENCE or done >= total):
            return
        what = visible(what)
        if not bars:
            bars.append(_bar())
            bars[0].add_task(what, completed=done, total=total)
            bars[0].start()
        bars[0].update(bars[0].task_ids[0], description=what, completed=done, total=total)

    try:
        yield step
    finally:
        for bar in bars:
            bar.stop()


@contextmanager
def watched(question: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """What to give to a question beside what the user gave, so that a person sees how far it is; nothing otherwise."""
    if "progress" in inspect.signature(question).parameters:
        with stages() as step:
            yield {} if step is None else {"progress": step}
    else:
        with waiting("working"):
            yield {}


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A word about what takes so long, once it does; nothing where nobody watches."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield
        return
    from threading import Timer

    from rich.console import Console

    status = Console(stderr=True).status(what)
    patience = Timer(PATIENCE, status.start)
    patience.daemon = True
    patience.start()
    try:
        yield
    finally:
        patience.cancel()
        patience.join()
        status.stop()


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
