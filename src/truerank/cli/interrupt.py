"""Signals that ask the program to end: it puts everything in order and ends without a word, whatever it is doing.

Ctrl-C (SIGINT) ends it with 130. SIGTERM, which timeout, docker stop and CI systems send, and SIGHUP, which comes from
a terminal that is closed, end it by that same signal.
"""

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
_TERMINATE = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a program by themselves, unless it handles them."""
_handled: list[int] = []
"""Signals that this program handles; none where it is not a program of its own, but called from one."""
_asked: list[int] = []
"""Signals that came."""


def begin() -> None:
    """End at once from now on: there is nothing yet that would have to be put in order first."""
    # Where it is something else, whoever started the program wants it so, as nohup does.
    _handled[:] = [number for number in _TERMINATE if signal.getsignal(number) == signal.SIG_DFL]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _handled.append(signal.SIGINT)
        signal.signal(signal.SIGINT, _end)


def end_in_order() -> None:
    """From now on there are files to be removed, and a terminal to be left as it was."""
    for number in _handled:
        signal.signal(number, _stop)
    if _handled:
        sys.unraisablehook = _unraisable


def wait_for_order() -> None:
    """From now on everything is put in order, and not stopped any more by those who ask for the end."""
    for number in _handled:
        signal.signal(number, _note)


def end_at_once() -> None:
    """Everything is in order; where another signal than Ctrl-C asked for the end, it ends the program now."""
    for number in _handled:
        signal.signal(number, _end if number == signal.SIGINT else signal.SIG_DFL)
    if _asked and _asked[0] != signal.SIGINT:
        os.kill(os.getpid(), _asked[0])


def asked() -> bool:
    """Whether somebody asked to end: what goes wrong after that, in a library that is half imported, is no error."""
    return bool(_asked)


def _end(*_: Any) -> NoReturn:
    os._exit(INTERRUPTED)


def _note(number: int, _: FrameType | None) -> None:
    _asked.append(number)


def _stop(number: int, frame: FrameType | None) -> None:
    _asked.append(number)
    if not _imports(frame):
        raise KeyboardInterrupt
    # What is raised inside the machinery of imports can leave its lock locked, and the program stuck for ever.
    _thread.start_new_thread(_again, (number,))


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _again(number: int) -> None:
    time.sleep(_AGAIN)
    _thread.interrupt_main(number)  # type: ignore[arg-type]


def _unraisable(lost: Any) -> None:
    """An interrupt that came where nothing can be raised, as in the callbacks of imports, comes again."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _thread.start_new_thread(_again, (_asked[0] if _asked else signal.SIGINT,))
    else:
        sys.__unraisablehook__(lost)
