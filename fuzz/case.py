"""One input: files and values that a target is given, as text that can be kept and tried again."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Case:
    """What a target is tried with."""

    target: str
    files: dict[str, bytes] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    """Values that JSON can hold."""

    def to_dict(self) -> dict[str, Any]:
        """The case as a document, files as text wherever they are text."""
        files = {name: _packed(content) for name, content in self.files.items()}
        return {"target": self.target, "files": files, "given": self.given}

    @property
    def key(self) -> str:
        """A short name that no other case has."""
        return hashlib.sha256(json.dumps(self.to_dict()).encode()).hexdigest()[:12]

    @property
    def size(self) -> int:
        """How much there is to read for whoever looks at it."""
        return sum(map(len, self.files.values())) + len(json.dumps(self.given))

    def written(self, folder: Path) -> dict[str, str]:
        """Put the files into a folder; return where each is."""
        places = {}
        for name, content in self.files.items():
            path = folder / name
            path.write_bytes(content)
            places[name] = str(path)
        return places


def read_case(path: Path) -> Case:
    """A case that was kept."""
    return case_of(json.loads(path.read_text(encoding="utf-8")))


def case_of(document: dict[str, Any]) -> Case:
    """A case of its document; what else stands there is for people."""
    files = {name: _unpacked(content) for name, content in document["files"].items()}
    return Case(document["target"], files, document["given"])


def _packed(content: bytes) -> dict[str, str]:
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def _unpacked(content: dict[str, str]) -> bytes:
    return content["text"].encode() if "text" in content else base64.b64decode(content["base64"])
