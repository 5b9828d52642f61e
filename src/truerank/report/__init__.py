"""Results as text: one neutral table, one renderer a format."""
