"""What counts as a finding: anything but an answer or a refusal in one line, within limits of time and memory."""

from __future__ import annotations

import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from fuzz.case import Case
from fuzz.targets.target import Disagreement, Target, pattern
from truerank.data.errors import InputError

PACKAGE = "truerank/"
LINE = 2000
"""Characters of a refusal: what is quoted of the input is enough to find it, not all of it."""
WAITING = 10
"""How many times its time an input may take by the clock: only what waits for ever gets there."""


@dataclass(frozen=True)
class Limits:
    """What one input may cost; inputs are small, so these are far above what any should need."""

    seconds: float = 8.0
    """Of the processor, not of the clock: a busy machine is no finding."""
    megabytes: int = 400
    """By which an input may raise the most memory that the process ever held."""


@dataclass(frozen=True)
class Outcome:
    """What came of an input."""

    kind: str
    """"answer", "refused" or "finding"."""
    signature: str
    """What is the same about inputs that show the same."""
    detail: str = ""


class Overdue(BaseException):
    """The time is over; no ``except Exception`` is to swallow it."""


@dataclass
class _Known:
    """The most memory that the process ever held, when it was last asked."""

    peak: int = 0


_known = _Known()


def judge(target: Target, case: Case, folder: Path, limits: Limits) -> Outcome:
    """Try an input, and say what came of it."""
    before = _known.peak or _peak()
    try:
        with warnings.catch_warnings(), _timed(limits.seconds * target.patience):
            warnings.simplefilter("ignore")
            # Of other libraries, what they will change one day is theirs to say.
            for kind in (RuntimeWarning, UserWarning, SyntaxWarning, ResourceWarning):
                warnings.simplefilter("error", kind)
            said = target.run(case, folder)
        outcome = Outcome("answer", f"{case.target}: {said}")
    except Overdue as error:
        outcome = Outcome("finding", f"{case.target}: time in {_place(error)}", _story(error))
    except Disagreement as error:
        outcome = Outcome("finding", f"{case.target}: {error.what}", str(error))
    except InputError as error:
        outcome = _refused(case, error)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit, too: a library does not leave
        outcome = Outcome("finding", f"{case.target}: {type(error).__name__} in {_place(error)}", _story(error))
    # Asking takes as long as some inputs do: what the last one left is what this one found.
    _known.peak = _peak()
    grown = _known.peak - before
    if outcome.kind != "finding" and grown > limits.megabytes * target.room:
        return Outcome("finding", f"{case.target}: memory", f"{grown} MB more than before, for {case.size} bytes")
    return outcome


def _refused(case: Case, error: InputError) -> Outcome:
    text = str(error)
    if len(text.splitlines()) > 1:
        return Outcome("finding", f"{case.target}: refusal of several lines in {_place(error)}", repr(text))
    if len(text) > LINE:
        return Outcome("finding", f"{case.target}: refusal too long in {_place(error)}", f"{len(text)}: {text[:300]}")
    return Outcome("refused", f"{case.target}: refused: {pattern(error.message)}")


def _place(error: BaseException) -> str:
    """The innermost function of the project that the error went through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if PACKAGE in f.filename.replace("\\", "/")]
    if not frames:
        frames = traceback.extract_tb(error.__traceback__)[-1:]
    if not frames:
        return "?"
    return f"{frames[-1].filename.replace(chr(92), '/').rpartition(PACKAGE)[2]}:{frames[-1].name}"


def _story(error: BaseException) -> str:
    return "".join(traceback.format_exception(type(error), error, error.__traceback__, limit=-6))[-3000:]


def _peak() -> int:
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held // (2**20 if sys.platform == "darwin" else 2**10)


@contextmanager
def _timed(seconds: float) -> Iterator[None]:
    def over(number: int, frame: FrameType | None) -> Any:
        raise Overdue

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, WAITING * seconds))
    known = [signal.signal(number, over) for number, _, _ in timers]
    for _, timer, time in timers:
        # Again and again: what is raised inside of a destructor or a callback is lost.
        signal.setitimer(timer, time, 1.0)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, known, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
