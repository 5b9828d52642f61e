"""Ctrl-C: the program ends with 130 and without a word, whatever it is doing."""

from __future__ import annotations

import _thread
import os
import sys
import time

# This is the first of the program, and imports nothing that is not in memory before: an interrupt that comes earlier is
# Python's own to answer. What is built in has no names for signals, which is what takes its time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
    from typing import Any, NoReturn
else:
    import _signal as signal

INTERRUPTED = 130
_AGAIN = 0.02
"""Seconds after which it is seen whether an import has ended."""
_asked: list[int] = []


def begin() -> None:
    """End at once from now on: there is nothing yet that would have to be put in order first."""
    # Where it is something else, whoever started the program wants it so, as nohup does.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def end_in_order() -> None:
    """From now on there are files to be removed, and a terminal to be left as it was.

    Where this is no program of its own, but called from one, nothing changes.
    """
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _stop)
        sys.unraisablehook = _unraisable


def end_at_once() -> None:
    """Everything is in order again."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, _end)


def asked() -> bool:
    """Whether somebody asked to end: what goes wrong after that, in a library that is half imported, is no error."""
    return bool(_asked)


def _end(*_: Any) -> NoReturn:
    os._exit(INTERRUPTED)


def _stop(number: int, frame: FrameType | None) -> None:
    _asked.append(number)
    if not _imports(frame):
        raise KeyboardInterrupt
    # What is raised inside the machinery of imports can leave its lock locked, and the program stuck for ever.
    _thread.start_new_thread(_again, ())


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _again() -> None:
    time.sleep(_AGAIN)
    _thread.interrupt_main()


def _unraisable(lost: Any) -> None:
    """An interrupt that came where nothing can be raised, as in the callbacks of imports, comes again."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _thread.start_new_thread(_again, ())
    else:
        sys.__unraisablehook__(lost)
