"""Measures compared on the systems of a collection: how alike they are, how sure, and what they cover."""
