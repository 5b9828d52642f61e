"""Pools: which runs made the judgments, how deep they were looked at, and what a new system loses by that."""
