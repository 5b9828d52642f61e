"""How the site is built: ``make site``, which treats warnings as errors."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from truerank.version import __version__  # noqa: E402

project = "truerank"
author = copyright = "the truerank authors"  # noqa: A001
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
suppress_warnings = ["misc.highlighting_failure"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
html_theme = "furo"
html_title = f"truerank {__version__}"
smartquotes_action = "qe"  # Two hyphens begin an option.
html_copy_source = html_show_sphinx = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
add_module_names = False


_ADDRESS = re.compile(r"(?<=\w)@(?=\d)")
BESIDE = {"CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md"}
"""Pages that stand beside this folder, and what the site calls them."""


def setup(app: Any) -> None:
    """Draw figures and copy pages before anything is read; make docstrings and links what Sphinx takes them for."""
    app.connect("builder-inited", _prepare)
    app.connect("source-read", _link)
    app.connect("autodoc-process-docstring", _examples)


def _prepare(app: Any) -> None:
    import figures
    import notebooks

    here = Path(app.srcdir)
    figures.draw(here / "images")
    for path in sorted((here / "notebooks").glob("*.ipynb")):
        notebook = notebooks.executed(json.loads(path.read_text(encoding="utf-8")))
        shown = notebooks.page(notebook, path.stem, here / "notebooks" / "images")
        path.with_suffix(".md").write_text(shown, encoding="utf-8")
    for beside, page in BESIDE.items():
        text = (here.parent / beside).read_text(encoding="utf-8").replace("](docs/", "](")
        for other, called in BESIDE.items():
            text = text.replace(f"]({other}", f"]({called}")
        (here / page).write_text(text, encoding="utf-8")


def _link(app: Any, page: str, source: list[str]) -> None:
    for beside, called in BESIDE.items():
        source[0] = source[0].replace(f"](../../{beside}", f"](../{called}")


def _examples(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Show what is indented below a colon line by line, as it is typed; and take nDCG@10 for no address."""
    found: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line and not line.startswith((" ", ">>>")):
            line = _ADDRESS.sub(r"\\@", line)
        begins = line.endswith(":") and following.startswith(" " * (len(line) - len(line.lstrip()) + 1))
        found += [f"{line}:", ""] if begins else [line]
    lines[:] = found
