"""Preference judgments: what they say together, how runs keep them, and whether grades agree."""
