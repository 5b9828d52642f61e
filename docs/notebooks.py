"""The notebooks of this folder: their cells are run here, and what they give is stored in them and shown on the site.

``python docs/notebooks.py`` runs them again and writes them; a test holds them to what the code gives.
"""

from __future__ import annotations

import ast
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"


@contextmanager
def _elsewhere() -> Iterator[None]:
    """What a notebook writes goes to a folder that is gone afterwards."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with what its cells give: what they print, and the value of their last line."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    with _elsewhere():
        for count, cell in enumerate(notebook["cells"], 1):
            if cell["cell_type"] == "code":
                cell = {**cell, "execution_count": count, "outputs": [*_outputs("".join(cell["source"]), names, count)]}
            cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    if printed.getvalue():
        yield {"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)}
    if value is not None:
        data = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {"text/plain": repr(value)}
        if hasattr(value, "_repr_html_"):
            data = {**data, "text/html": value._repr_html_()}
        kept = {kind: text.splitlines(keepends=True) for kind, text in data.items()}
        yield {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": kept}


def page(notebook: dict[str, Any], name: str, images: Path) -> str:
    """The notebook as a page of the site; its figures go to a folder beside it."""
    parts: list[str] = []
    for place, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {"text/plain": output.get("text", [])})
            if "image/svg+xml" in data:
                images.mkdir(parents=True, exist_ok=True)
                (images / f"{name}-{place}.svg").write_text("".join(data["image/svg+xml"]), encoding="utf-8")
                parts.append(f"![{''.join(data['text/plain'])}]({images.name}/{name}-{place}.svg)")
            elif "text/html" in data:
                lines = [line for line in "".join(data["text/html"]).splitlines() if line.strip()]
                parts.append("\n".join(['<div style="overflow-x: auto; white-space: normal">', *lines, "</div>"]))
            else:
                parts.append(f"```text\n{''.join(data['text/plain']).rstrip()}\n```")
    parts.append(f"This page is a notebook: {{download}}`{name}.ipynb`.")
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Run all of them, and store what they give."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        notebook = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.parent.parent / "src"))
    main()
