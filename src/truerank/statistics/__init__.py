"""Statistics: numbers about rankings of systems, and whether they differ by more than chance."""
