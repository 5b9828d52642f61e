"""The README for a package index, which has no folder ``docs`` beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")


def published(text: str, source: str = "") -> str:
    """The text with relative links that lead to the ``source`` on the web; without one, links are plain words.

    >>> published("[how](docs/a.md) ![seen](b.svg)"), published("[how](docs/a.md)", "https://example.org/x")
    ('how ', '[how](https://example.org/x/blob/HEAD/docs/a.md)')
    """

    def link(found: re.Match[str]) -> str:
        picture, said, path = found.groups()
        if not source:
            return "" if picture else said
        return f"{picture}[{said}]({source}/{'raw' if picture else 'blob'}/HEAD/{path})"

    return _RELATIVE.sub(link, text)


class PublishedReadme(MetadataHookInterface):
    """Puts it into the metadata of wheel and sdist."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by the build."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source", "")
        metadata["readme"] = {"content-type": "text/markdown", "text": published(text, source)}
