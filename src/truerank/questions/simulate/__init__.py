"""A seeded generator of realistic tracks, for demonstrations, tests and benchmarks."""
