"""Ctrl-C at any moment: 130 and not a word, no file half written, never stuck."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import truerank as tr

BEGUN = "import truerank.__main__ as program, os; os.write(1, b'.'); program.main()"
"""Says when Python has started, which is not ours to stop."""
pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals are sent as POSIX has them")


@pytest.fixture(scope="module")
def track(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("track")
    return [str(path) for path in tr.simulate(systems=4, topics=20, depth=200).write(folder / "track")]


def heard() -> None:
    # A shell may start what runs in its background with interrupts ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("seed", range(8))
def test_at_random_moments(track: list[str], tmp_path: Path, seed: int) -> None:
    old = {"scores.tsv": b"old", "figure.json": b"old"}
    for name, data in old.items():
        (tmp_path / name).write_bytes(data)
    words = ["compare", *track, "--out", "scores.tsv", "--plot", "figure.json"]
    with subprocess.Popen(
        [sys.executable, "-c", BEGUN, *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heard,
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        # Most of a short command is imports, and those are at its beginning.
        time.sleep(random.Random(seed).random() ** 2 * 1.5)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    # Python itself is on its way out when a late one comes, and dies of it as other programs do.
    assert process.returncode in (0, 130, -signal.SIGINT)
    assert b"Traceback" not in said
    assert b"ignored" not in said
    if process.returncode == 130:
        assert b"error" not in said
    assert {*os.listdir(tmp_path)} == {*old}
    assert (tmp_path / "scores.tsv").read_bytes() == b"old" or (tmp_path / "scores.tsv").read_bytes().endswith(b"\n")


def test_an_interrupt_inside_an_import_waits_for_its_end(tmp_path: Path) -> None:
    # The lock of imports stays locked where something is raised in its callbacks: the import goes on until its end.
    (tmp_path / "slow.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(10**5): pass\n"
        "print('imported', flush=True)\n"
    )
    code = (
        "import _thread, sys, time; from truerank.cli import interrupt; interrupt.begin(); interrupt.end_in_order()\n"
        "try:\n    import slow\n    for _ in range(600): time.sleep(0.05)\n"
        "except KeyboardInterrupt:\n    print('stopped', 'slow' in sys.modules, interrupt.asked())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        capture_output=True,
        text=True,
        preexec_fn=heard,
        timeout=60,
    )
    assert (done.stdout.splitlines(), done.stderr) == (["imported", "stopped True True"], "")


def test_one_that_is_lost_comes_again() -> None:
    code = (
        "import os, signal, time, weakref; from truerank.cli import interrupt\n"
        "interrupt.begin(); interrupt.end_in_order()\n"
        "class Thing: pass\n"
        "def callback(_): os.kill(os.getpid(), signal.SIGINT); time.sleep(0.1)\n"
        "thing = Thing(); reference = weakref.ref(thing, callback)\n"
        "try:\n    del thing\n    for _ in range(600): time.sleep(0.05)\n"
        "except KeyboardInterrupt: print('stopped')\n"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=heard, timeout=60)
    assert (done.stdout, done.stderr) == ("stopped\n", "")


def test_before_anything_is_imported_it_ends_at_once() -> None:
    code = (
        "import os, signal, sys; from truerank.cli import interrupt; interrupt.begin()\n"
        "os.kill(os.getpid(), signal.SIGINT)\nprint('still here')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, preexec_fn=heard, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_program_that_ignores_signals_goes_on_doing_so(number: int) -> None:
    code = (
        f"import signal; from truerank.cli import interrupt; signal.signal({number}, signal.SIG_IGN)\n"
        f"interrupt.begin(); interrupt.end_in_order(); print(signal.getsignal({number}) is signal.SIG_IGN)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).stdout == b"True\n"
