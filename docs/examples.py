"""Run the console examples of the pages, and write what commands print now: ``python docs/examples.py [PAGE...]``.

Sessions of Python, and examples that leave lines out ("..."), are not written: what is wrong with them is printed.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_WIPED = re.compile(r"[^\n]*\n(?:\x1b\[\?25h|\r)*\x1b\[1A\x1b\[2K")
"""A line of progress, which is gone from a terminal when the work is done."""


def mistakes(page: Path) -> Iterator[tuple[str, str, str]]:
    """Run a page in the current folder: each command or session that prints something else, with both texts."""
    names: dict[str, Any] = {}
    exec("import numpy as np\nimport truerank as tr", names)
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "console":
            for command, expected in _COMMAND.findall(text):
                got = printed(command)
                if not doctest.OutputChecker().check_output(expected, got, FLAGS):
                    yield f"$ {command}\n", expected, got
            continue
        if not text.startswith(">>>"):
            names["__name__"] = "example"
            exec(text, names)
        wrong = _failures(text.replace('"""', ""), names, page.name)
        if wrong:
            yield "", text, wrong


def printed(command: str) -> str:
    """What a command prints on a terminal of 100 columns."""
    import pty

    here, there = pty.openpty()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "xterm"}
    with subprocess.Popen(command, shell=True, stdout=there, stderr=there, stdin=there, env=environment) as process:
        os.close(there)
        out = b""
        try:
            while chunk := os.read(here, 1 << 16):
                out += chunk
        except OSError:
            pass  # Linux reports the end of a terminal as an error.
    os.close(here)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", _WIPED.sub("", out.decode())).replace("\r\n", "\n")
    assert process.returncode == 0, f"{command}\n{text}"
    return text


def _failures(text: str, names: dict[str, Any], name: str) -> str:
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    wrong: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=wrong.append, clear_globs=False)
    names.update(test.globs)
    return "".join(wrong)


def write_again(page: Path) -> None:
    """Put what commands print now into a page."""
    text = page.read_text(encoding="utf-8")
    for command, expected, got in mistakes(page):
        if not command or "..." in expected:
            print(f"{page.relative_to(ROOT)}: {command}{got}\n")
            continue
        lines = "".join(f"{line.rstrip()}\n" for line in got.splitlines())
        text = text.replace(command + expected, command + lines, 1)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for page in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        if BLOCK.search(page.read_text(encoding="utf-8")):
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                write_again(page)
                os.chdir(ROOT)
