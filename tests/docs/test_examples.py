"""Every example in the README and in docs/ runs, and prints what it says it prints."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WIPED = re.compile(r"[^\n]*\n(?:\x1b\[\?25h|\r)*\x1b\[1A\x1b\[2K")
"""A line of progress, which is gone from a terminal when the work is done."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(page.read_text())], ids=lambda page: page.name)
def test_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    exec("import numpy as np\nimport truerank as tr", namespace)
    for kind, text in BLOCK.findall(page.read_text()):
        if kind == "console":
            run_console(text)
            continue
        if not text.startswith(">>>"):
            namespace["__name__"] = "example"
            exec(text, namespace)
        run_session(text.replace('"""', ""), namespace, page.name)


def run_session(text: str, namespace: dict[str, Any], name: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, namespace, name, name, 0)
    failures: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=failures.append, clear_globs=False)
    namespace.update(test.globs)
    assert not failures, "".join(failures)


def run_console(text: str) -> None:
    pty = pytest.importorskip("pty", reason="a terminal is needed to run console examples")
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        here, there = pty.openpty()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "xterm"}
        with subprocess.Popen(command, shell=True, stdout=there, stderr=there, stdin=there, env=environment) as process:
            os.close(there)
            printed = b""
            try:
                while chunk := os.read(here, 1 << 16):
                    printed += chunk
            except OSError:
                pass  # Linux reports the end of a terminal as an error.
        os.close(here)
        got = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", WIPED.sub("", printed.decode())).replace("\r\n", "\n")
        assert process.returncode == 0, got
        assert doctest.OutputChecker().check_output(expected, got, FLAGS), f"{command}\n{got}"
