"""How properties of the first k documents are read: with lists of length k, or with longer lists cut at k."""

from __future__ import annotations

LIST = "lists of length k"
DEPTH = "lists read to depth k"
SHALLOW = 6
"""Length of lists up to which every depth is tried."""
